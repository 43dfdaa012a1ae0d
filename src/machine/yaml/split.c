/* Recognises text in { } or [ ] that YAML split at its comma. */
#include "machine/loader.h"

#include <assert.h>
#include <string.h>

/* Opening minus closing parentheses in the text from `start` to `end`. */
static int balance(const char *text, size_t start, size_t end)
{
    int open = 0;
    for (size_t i = start; i < end; i++) {
        open += (text[i] == '(') - (text[i] == ')');
    }
    return open;
}

static const struct node *entry_end(const struct node_entry *entry)
{
    return node_is_empty(entry->value) && entry->key ? entry->key : entry->value;
}

/* The entry after the last one that is one text with `from`; `from` if that is complete. */
static size_t end_of_text(const struct loader *loader, const struct node *collection, size_t from)
{
    assert(from < collection->entries.count);
    const struct node_entry *entries = collection->entries.items;
    const struct node *first = entries[from].value;
    const char *text = loader->source->text;
    size_t last = from + 1;
    if (collection->style != STYLE_FLOW || first->kind != NODE_SCALAR ||
        first->style != STYLE_PLAIN || node_is_empty(first)) {
        return from;
    }
    if (balance(text, first->start, first->end) > 0) {
        while (last < collection->entries.count &&
               balance(text, first->start, entry_end(&entries[last])->end) > 0) {
            last++;
        }
        return last == collection->entries.count ? from : last + 1; /* no entry closes it */
    }
    while (collection->kind == NODE_MAP && last < collection->entries.count &&
           node_is_empty(entries[last].value)) {
        last++;
    }
    return last == from + 1 ? from : last;
}

size_t split_text(struct loader *loader, const struct node *collection, size_t from)
{
    assert(from < collection->entries.count);
    const struct node_entry *entries = collection->entries.items;
    const struct node *first = entries[from].value;
    size_t behind = end_of_text(loader, collection, from);
    if (behind == from) {
        return from;
    }
    size_t size = entry_end(&entries[behind - 1])->end - first->start;
    const char *whole = loader->source->text + first->start;
    char quote = memchr(whole, '"', size) ? '\'' : '"';
    struct error *err = report(loader, first, "inside { } and [ ] YAML ends a text at its comma");
    error_hint(err, "put quotes around it: %c%.*s%c", quote, size < 200 ? (int)size : 0, whole,
               quote);
    return behind;
}
