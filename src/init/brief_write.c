/* Writes the short form as YAML: tables in block style, their content between brackets. */
#include "base/words.h"
#include "init/brief.h"
#include "init/facts.h"
#include "value/json/json.h"

#include <ctype.h>
#include <string.h>

enum { LINE_SIZE_MAX = 110, INDENT = 6 };

/* True if YAML reads the text as text without quotes, even between brackets. */
static bool is_bare(const char *text)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_. ";
    static const char others[] = "true|false|null|yes|no|on|off|y|n";
    char small[8] = "";
    size_t size = strlen(text);
    for (size_t i = 0; i < size && size < sizeof small; i++) {
        small[i] = (char)tolower((unsigned char)text[i]);
    }
    return isalpha((unsigned char)*text) && strspn(text, letters) == size &&
           text[size - 1] != ' ' && !word_is_in(small, others);
}

/* Appends text in quotes that need no escapes. If it must be escaped, appends a literal of the
 * model language, which YAML reads alike. */
static void add_brief_text(struct strbuf *out, struct value text)
{
    const char *bytes = value_cstr(text);
    struct strbuf quoted = {0};
    value_repr(text, &quoted);
    bool marks = strpbrk(bytes, "\"\\") != NULL;
    bool hidden = quoted.size > strlen(bytes) + 2 && !marks;
    for (const char *c = bytes; *c && marks; c++) {
        hidden = hidden || iscntrl((unsigned char)*c) || (unsigned char)*c > '~';
    }
    if (is_bare(bytes)) {
        strbuf_adds(out, bytes);
    } else if (marks && !hidden) {
        strbuf_addc(out, '\'');
        for (const char *c = bytes; *c; c++) {
            strbuf_add(out, "''", *c == '\'' ? 2 : 1);
            out->data[out->size - 1] = *c;
        }
        strbuf_addc(out, '\'');
    } else {
        strbuf_add(out, quoted.data, quoted.size);
    }
    strbuf_free(&quoted);
}

static void add_flow(struct strbuf *out, struct value value);

/* Begins a new line if the item does not fit on this one. */
static void add_brief_item(struct strbuf *out, const struct value *key, struct value value)
{
    struct strbuf item = {0};
    if (key) {
        add_brief_text(&item, *key);
        strbuf_adds(&item, ": ");
    }
    add_flow(&item, value);
    size_t first = strcspn(strbuf_text(&item), "\n");
    if (strbuf_column(out) + first > LINE_SIZE_MAX && strbuf_column(out) > INDENT) {
        while (out->size && out->data[out->size - 1] == ' ') {
            strbuf_truncate(out, out->size - 1);
        }
        strbuf_addc(out, '\n');
        strbuf_fill(out, ' ', INDENT);
    }
    strbuf_add(out, strbuf_text(&item), item.size);
    strbuf_free(&item);
}

static void add_flow(struct strbuf *out, struct value value)
{
    if (value.type == VALUE_DICT) {
        size_t at = 0;
        const struct table_entry *entry;
        strbuf_addc(out, '{');
        for (bool first = true; (entry = table_next(value.as.table, &at)); first = false) {
            strbuf_adds(out, first ? "" : ", ");
            add_brief_item(out, &entry->key, entry->value);
        }
        strbuf_addc(out, '}');
    } else if (value.type == VALUE_LIST) {
        struct items items = value_items(value);
        strbuf_addc(out, '[');
        for (size_t i = 0; i < items.count; i++) {
            strbuf_adds(out, i ? ", " : "");
            add_brief_item(out, NULL, items.items[i]);
        }
        strbuf_addc(out, ']');
    } else if (value.type == VALUE_STRING) {
        add_brief_text(out, value);
    } else {
        struct error ignored;
        (void)json_encode(value, out, &ignored); /* a number or a flag */
    }
}

/* Appends "key: value" on separate lines. */
static void add_brief_line(struct strbuf *out, const char *indent, struct value key,
                           struct value value)
{
    strbuf_adds(out, indent);
    add_brief_text(out, key);
    strbuf_adds(out, ": ");
    add_flow(out, value);
    strbuf_addc(out, '\n');
}

void brief_write(struct value brief, struct strbuf *out)
{
    struct value tables = fact_value(brief, "tables");
    struct value policies = fact_value(brief, "policies");
    const struct table_entry *table;
    const struct table_entry *entry;
    size_t at = 0;
    strbuf_adds(out, "tables:\n");
    while ((table = table_next(tables.as.table, &at))) {
        strbuf_adds(out, "  ");
        add_brief_text(out, table->key);
        strbuf_adds(out, table->value.as.table->count ? ":\n" : ": {}\n");
        for (size_t i = 0; (entry = table_next(table->value.as.table, &i));) {
            add_brief_line(out, "    ", entry->key, entry->value);
        }
    }
    at = 0;
    strbuf_adds(out, policies.type == VALUE_DICT ? "policies:\n" : "");
    while (policies.type == VALUE_DICT && (entry = table_next(policies.as.table, &at))) {
        add_brief_line(out, "  ", entry->key, entry->value);
    }
}
