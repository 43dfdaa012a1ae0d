#include "trace/name.h"

#include "base/words.h"

#include <string.h>

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* "invariant editors" becomes editors, "rule pay: 23514 accounts_check" becomes
 * pay-23514-accounts_check. */
static void add_name_word(struct strbuf *out, const char *text)
{
    bool gap = false;
    for (; *text; text++) {
        char c = *text;
        if (!is_name_char(c)) {
            gap = true;
            continue;
        }
        if (gap && out->size && out->data[out->size - 1] != '-') {
            strbuf_addc(out, '-');
        }
        gap = false;
        strbuf_addc(out, c);
    }
}

enum { NAME_MAX_SIZE = 120, NUMBER_MAX_SIZE = 20 };

/* Cuts a long name before a word, if one begins in its second half. */
static void cut_name(struct strbuf *out, size_t start)
{
    size_t end = start + NAME_MAX_SIZE;
    if (out->size <= end) {
        return;
    }
    while (end > start + NAME_MAX_SIZE / 2 && !strchr("-_", out->data[end])) {
        end--;
    }
    strbuf_truncate(out, strchr("-_", out->data[end]) ? end : start + NAME_MAX_SIZE);
}

void trace_name(const char *machine, const char *identity, struct strbuf *out)
{
    size_t start = out->size;
    size_t kind = strcspn(identity, " ");
    kind = words_hold("invariant|rule", identity, kind) ? kind : 0;
    add_name_word(out, machine);
    strbuf_addc(out, '-');
    add_name_word(out, identity + kind);
    cut_name(out, start);
}

bool trace_is_name(const char *text)
{
    size_t size = 0;
    while (is_name_char(text[size]) || (size > 0 && text[size] == '-')) {
        size++;
    }
    return size > 0 && !text[size] && size <= NAME_MAX_SIZE + NUMBER_MAX_SIZE;
}
