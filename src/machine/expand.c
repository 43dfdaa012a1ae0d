/* Writes a machine with its `tables` expanded, and copies its other parts. */
#include "machine/machine.h"
#include "machine/yaml/document.h"

#include <string.h>

/* The start of the line of a place. */
static size_t line_start(const char *text, size_t at)
{
    while (at > 0 && text[at - 1] != '\n') {
        at--;
    }
    return at;
}

static size_t end_of(const char *text, size_t start, size_t end)
{
    while (end > start && strchr(" \t\r\n", text[end - 1])) {
        end--;
    }
    return end;
}

/* Appends text that starts within a line, indented so that its start is at the column `indent`. */
static void add_moved(const char *text, size_t start, size_t end, size_t indent, struct strbuf *out)
{
    size_t column = start - line_start(text, start);
    strbuf_fill(out, ' ', indent);
    for (size_t at = start; at < end;) {
        const char *newline = memchr(text + at, '\n', end - at);
        size_t size = newline ? (size_t)(newline - (text + at)) + 1 : end - at;
        strbuf_add(out, text + at, size);
        at += size;
        size_t blanks = at < end ? strspn(text + at, " ") : 0;
        if (at < end && text[at + blanks] != '\n') {
            at += blanks;
            strbuf_fill(out, ' ', blanks > column ? blanks - column + indent : indent);
        }
    }
    strbuf_addc(out, '\n');
}

/* The place before the anchor and the tag of the node that begins there. */
static size_t properties_start(const char *text, size_t start)
{
    for (size_t at = start; at > 0 && text[at - 1] == ' ';) {
        while (at > 0 && text[at - 1] == ' ') {
            at--;
        }
        while (at > 0 && !strchr(" \n[{,", text[at - 1])) {
            at--;
        }
        if (text[at] != '&' && text[at] != '!') {
            break;
        }
        start = at;
    }
    return start;
}

/* True if the value is an alias: its node is before it in the file. */
static bool is_alias(const struct node_entry *entry)
{
    return entry->key && entry->value->start < entry->key->start;
}

static size_t alias_end(const char *text, const struct node *key)
{
    size_t at = key->end + strcspn(text + key->end, "*");
    return at + strcspn(text + at, " \t\r\n,]}");
}

/* Appends an entry of a collection, from its key on. */
static void add_map_entry(const struct source *source, const struct node_entry *entry,
                          size_t indent, struct strbuf *out)
{
    size_t start =
        entry->key ? entry->key->start : properties_start(source->text, entry->value->start);
    size_t end = is_alias(entry) ? alias_end(source->text, entry->key)
                                 : end_of(source->text, start, entry->value->end);
    if (!entry->key) {
        strbuf_fill(out, ' ', indent);
        strbuf_adds(out, "- ");
        size_t at = out->size;
        add_moved(source->text, start, end, indent + 2, out);
        memmove(out->data + at, out->data + at + indent + 2, out->size - at - indent - 2);
        strbuf_truncate(out, out->size - indent - 2);
    } else {
        add_moved(source->text, start, end, indent, out);
    }
}

static void add_source_text(const struct source *source, const struct node *node,
                            struct strbuf *out)
{
    struct arena arena = {0};
    struct snippet snippet = node_snippet(source, node, &arena);
    for (const char *line = snippet.text; *line;) {
        size_t size = strcspn(line, "\n");
        strbuf_adds(out, size ? "  " : "");
        strbuf_add(out, line, size);
        strbuf_addc(out, '\n');
        line += size + (line[size] == '\n');
    }
    arena_free(&arena);
}

/* True if the collection was joined from written and generated entries. */
static bool is_joined(const struct source *source, const struct node *node)
{
    size_t written = source_written_size(source);
    bool joined = node->before != NULL;
    for (size_t i = 0; i < node->entries.count; i++) {
        joined = joined || node->entries.items[i].value->start >= written;
    }
    return joined && node->start < written;
}

void machine_expand(const struct machine *machine, struct strbuf *out)
{
    const struct source *source = machine->source;
    const struct node *root = machine->root;
    const struct node *first = root->entries.items[0].key;
    strbuf_add(out, source->text, line_start(source->text, first->start));
    for (size_t i = 0; i < root->entries.count; i++) {
        const struct node_entry *part = &root->entries.items[i];
        if (node_is(part->key, "tables") || node_is(part->key, "policies")) {
            continue;
        }
        if (!is_joined(source, part->value)) {
            add_map_entry(source, part, 0, out);
            continue;
        }
        strbuf_addf(out, "%s:%s\n", part->key->text, part->value->before ? " |" : "");
        if (part->value->before) {
            add_source_text(source, part->value, out);
        }
        for (size_t j = 0; j < part->value->entries.count; j++) {
            add_map_entry(source, &part->value->entries.items[j], 2, out);
        }
    }
}
