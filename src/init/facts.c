#include "init/facts.h"

#include <string.h>

struct value fact_value(struct value dict, const char *name)
{
    for (size_t i = 0; i < dict.as.table->used; i++) {
        const struct table_entry *entry = &dict.as.table->entries[i];
        if (entry->live && value_is_string(entry->key, name)) {
            return entry->value;
        }
    }
    return value_none();
}

const char *fact_text(struct value dict, const char *name)
{
    struct value value = fact_value(dict, name);
    return value.type == VALUE_STRING ? value_cstr(value) : NULL;
}

bool fact_is(struct value dict, const char *name) { return value_truth(fact_value(dict, name)); }

struct items fact_list(struct value dict, const char *name)
{
    return value_items(fact_value(dict, name));
}

bool fact_has(struct items list, const char *text)
{
    for (size_t i = 0; i < list.count; i++) {
        if (value_is_string(list.items[i], text)) {
            return true;
        }
    }
    return false;
}

const struct table_plan *plan_table(const struct plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->tables.count; i++) {
        if (strcmp(plan->tables.items[i].name, name) == 0) {
            return &plan->tables.items[i];
        }
    }
    return NULL;
}

struct value plan_column(const struct table_plan *table, const char *name)
{
    struct items columns = fact_list(table->facts, "columns");
    size_t i = 0;
    while (i + 1 < columns.count && strcmp(fact_text(columns.items[i], "name"), name) != 0) {
        i++;
    }
    return columns.items[i];
}

const char *literal(struct arena *arena, struct value value)
{
    return value_repr_text(arena, value);
}

const char *in_quotes(struct arena *arena, const char *text)
{
    struct strbuf out = {0};
    for (; *text; text++) {
        strbuf_add(&out, "''", *text == '\'' ? 2 : 0);
        strbuf_add(&out, text, *text != '\'');
    }
    return strbuf_take(&out, arena);
}

/* Words that mean something else in a model: of the language, of model.star, of the rules. */
static const char *const taken[] = {
    "all",
    "also",
    "and",
    "any",
    "as",
    "bag",
    "break",
    "change",
    "changes",
    "child",
    "columns",
    "continue",
    "def",
    "dict",
    "elif",
    "else",
    "error",
    "for",
    "from",
    "gone",
    "if",
    "import",
    "in",
    "is",
    "key",
    "lambda",
    "len",
    "list",
    "max",
    "may",
    "must",
    "names",
    "new",
    "not",
    "nulls",
    "or",
    "others",
    "parents",
    "pass",
    "range",
    "read",
    "references",
    "remove",
    "removal",
    "required",
    "result",
    "return",
    "row",
    "rows",
    "same",
    "sampled_from",
    "set",
    "sets",
    "table",
    "tables",
    "to",
    "tuple",
    "unique",
    "while",
    "with",
    "wrong",
    "dangles",
    "done",
    "None",
    "True",
    "False",
    "class",
    "try",
    "yield",
    "del",
    "global",
    "assert",
    "data_exception",
    "plpgsql_error",
    "at",
    "left",
    "perhaps",
    "name",
};

const char *identifier(struct arena *arena, const char *text)
{
    struct strbuf out = {0};
    if (*text >= '0' && *text <= '9') {
        strbuf_addc(&out, '_');
    }
    for (; *text; text++) {
        bool lower = (*text >= 'a' && *text <= 'z') || (*text >= '0' && *text <= '9');
        bool upper = *text >= 'A' && *text <= 'Z';
        strbuf_addc(&out, upper ? (char)(*text - 'A' + 'a') : '_');
        out.data[out.size - 1] = lower ? *text : out.data[out.size - 1];
    }
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        if (strcmp(taken[i], strbuf_text(&out)) == 0) {
            strbuf_adds(&out, "_rows");
            break;
        }
    }
    return strbuf_take(&out, arena);
}
