#include "init/facts.h"

#include "base/words.h"
#include "gen/kinds.h"

#include <string.h>

struct value fact_value(struct value dict, const char *name)
{
    const struct table_entry *entry;
    for (size_t i = 0; (entry = table_next(dict.as.table, &i));) {
        if (value_is_string(entry->key, name)) {
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

void fact_put(struct value dict, struct arena *arena, const char *name, struct value value)
{
    struct error ignored; /* a text has a hash, and there is no loop over the dict */
    (void)table_set(dict.as.table, value_text(arena, name), value, &ignored);
}

struct value fact_named(struct items dicts, const char *name)
{
    for (size_t i = 0; i < dicts.count; i++) {
        if (value_is_string(fact_value(dicts.items[i], "name"), name)) {
            return dicts.items[i];
        }
    }
    return value_none();
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

const char *plan_rows(const struct plan *plan, const struct table_plan *table)
{
    return fact_is(table->facts, "many")
               ? arena_printf(plan->arena, "db.newest(%s)",
                              literal(plan->arena, fact_value(table->facts, "name")))
               : arena_printf(plan->arena, "%s.values()", table->variable);
}

/* A quote in a text is no quote: templates take a literal for one of SQL, which has no backslash.
 */
const char *literal(struct arena *arena, struct value value)
{
    struct strbuf out = {0};
    for (const char *c = value_repr_text(arena, value); *c; c++) {
        bool escapes = *c == '\\' && c[1];
        if (escapes && (c[1] == '"' || c[1] == '\'')) {
            strbuf_adds(&out, c[1] == '"' ? "\\x22" : "\\x27");
        } else {
            strbuf_add(&out, c, escapes ? 2 : 1);
        }
        c += escapes;
    }
    return strbuf_take(&out, arena);
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

/* Words with a meaning in the language or in the rules. */
static const char words[] =
    "and|any|as|as_role|assert|bag|break|c|change|changes|check_violation|class|column|columns|"
    "continue|data_exception|db|def|del|dict|e|elif|else|exclusion_violation|for|forget|found|from|"
    "global|if|import|in|insufficient_privilege|is|k|key|keys|known|lambda|like|list|max|nested|"
    "new|"
    "not|nth|of|or|or_none|other|pass|plpgsql_error|r|raise|result|return|row|rows|rows_by_key|"
    "same|"
    "set|str|to|"
    "try|v|while|with|x|yield";

static bool is_word_taken(const char *word)
{
    bool taken = word_is_in(word, words);
    for (const struct native_function *function = strategy_functions; function->name; function++) {
        taken = taken || strcmp(function->name, word) == 0;
    }
    return taken;
}

const char *identifier(struct arena *arena, const char *text)
{
    enum { IDENTIFIER_SIZE = 48 }; /* leaves room for a prefix and a suffix */
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
    strbuf_truncate(&out, out.size < IDENTIFIER_SIZE ? out.size : IDENTIFIER_SIZE);
    strbuf_adds(&out, is_word_taken(strbuf_text(&out)) ? "_rows" : "");
    return strbuf_take(&out, arena);
}
