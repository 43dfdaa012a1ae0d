#include "init/brief.h"

#include "init/fact_table.h"

#include <string.h>

/* True if there are only flags after the head: "int4 required". */
static bool is_words(const struct fact_set *set_of, struct value dict)
{
    size_t at = 0;
    const struct table_entry *entry;
    while ((entry = table_next(dict.as.table, &at))) {
        bool head = value_is_string(entry->key, set_of->head);
        if (head ? entry->value.type != VALUE_STRING || strpbrk(value_cstr(entry->value), " ,:")
                 : entry->value.type != VALUE_BOOL || !entry->value.as.boolean) {
            return false;
        }
    }
    return true;
}

static struct value words_of(const struct fact_set *set_of, struct value dict, struct arena *arena)
{
    struct strbuf out = {0};
    strbuf_adds(&out, fact_text(dict, set_of->head));
    for (const struct fact *fact = set_of->all; fact->name; fact++) {
        if (fact->kind == FACT_FLAG && fact_is(dict, fact->name)) {
            strbuf_addf(&out, " %s", fact->name);
        }
    }
    return value_text(arena, strbuf_take(&out, arena));
}

/* The written form of the fact. */
static struct value written_fact(const struct fact *fact, const struct fact_scope *scope)
{
    struct value value = fact_value(scope->of, fact->name);
    return fact->kind == FACT_TABLES && value_equal(value, fact_all_tables(scope))
               ? value_text(scope->arena, "all")
               : value;
}

static void add_facts(const struct fact_set *set_of, const struct fact_scope *scope,
                      struct value into)
{
    for (const struct fact *fact = set_of->all; fact->name; fact++) {
        if (!fact_follows(fact, scope)) {
            fact_put(into, scope->arena, fact->name, written_fact(fact, scope));
        }
    }
}

/* A column: its words, or a dict if it has other facts. */
static struct value brief_column(const struct fact_scope *scope)
{
    struct value all = value_dict(scope->arena);
    struct value words = value_dict(scope->arena);
    struct value rest = value_dict(scope->arena);
    size_t at = 0;
    const struct table_entry *entry;
    add_facts(&column_facts_first, scope, all);
    add_facts(&column_facts_last, scope, all);
    while ((entry = table_next(all.as.table, &at))) {
        bool is_word = value_is_string(entry->key, "base") ||
                       (entry->value.type == VALUE_BOOL && entry->value.as.boolean);
        fact_put(is_word ? words : rest, scope->arena, value_cstr(entry->key), entry->value);
    }
    if (!fact_text(words, "base") || !is_words(&column_facts_first, words)) {
        return all;
    }
    struct value text = words_of(&column_facts_first, words, scope->arena);
    if (rest.as.table->count == 0) {
        return text;
    }
    struct value out = value_dict(scope->arena);
    fact_put(out, scope->arena, "is", text);
    at = 0;
    while ((entry = table_next(rest.as.table, &at))) {
        fact_put(out, scope->arena, value_cstr(entry->key), entry->value);
    }
    return out;
}

/* A named thing; only the value of the head if it has no other facts. */
static struct value brief_named(const struct fact_set *set_of, const struct fact_scope *scope)
{
    struct value out = value_dict(scope->arena);
    add_facts(set_of, scope, out);
    bool alone = set_of->head && out.as.table->count == 1 &&
                 fact_value(out, set_of->head).type != VALUE_NONE;
    return alone ? fact_value(out, set_of->head) : out;
}

static bool names_differ(struct items items, struct arena *arena)
{
    struct value seen = value_dict(arena);
    for (size_t i = 0; i < items.count; i++) {
        fact_put(seen, arena, fact_text(items.items[i], "name"), value_none());
    }
    return seen.as.table->count == items.count;
}

/* Adds the things of a kind by their names, or as a list of dicts if two have the same name. */
static void add_things(const char *kind, const char *key, const struct fact_set *set_of,
                       const struct fact_scope *scope, struct value into)
{
    struct items items = fact_list(scope->table, kind);
    bool differ = names_differ(items, scope->arena);
    struct value out = differ ? value_dict(scope->arena) : value_list(scope->arena);
    for (size_t i = 0; i < items.count; i++) {
        struct fact_scope inner = *scope;
        inner.of = items.items[i];
        if (differ) {
            fact_put(out, scope->arena, fact_text(inner.of, "name"),
                     set_of == &column_facts_first ? brief_column(&inner)
                                                   : brief_named(set_of, &inner));
        } else {
            struct value one = value_dict(scope->arena);
            fact_put(one, scope->arena, "name", fact_value(inner.of, "name"));
            add_facts(set_of, &inner, one);
            list_append(out.as.list, one);
        }
    }
    if (items.count > 0) {
        fact_put(into, scope->arena, key, out);
    }
}

/* True if every command has the condition of `select`. */
static bool is_for_all(struct value conditions)
{
    static const char *const others[] = {"insert", "update", "updated", "delete"};
    struct value first = fact_value(conditions, "select");
    bool same = first.type == VALUE_STRING;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        same = same && value_equal(fact_value(conditions, others[i]), first);
    }
    return same;
}

/* Adds policies by role. */
static void add_policies(const struct fact_scope *scope, struct value into)
{
    struct value by_role = fact_value(scope->table, "policies");
    struct value out = value_dict(scope->arena);
    const struct table_entry *entry;
    for (size_t i = 0; by_role.type == VALUE_DICT && (entry = table_next(by_role.as.table, &i));) {
        struct fact_scope inner = *scope;
        struct value conditions = value_dict(scope->arena);
        inner.of = entry->value;
        if (is_for_all(inner.of)) {
            fact_put(conditions, scope->arena, "all", fact_value(inner.of, "select"));
        } else {
            add_facts(&policy_facts, &inner, conditions);
        }
        fact_put(out, scope->arena, value_cstr(entry->key), conditions);
    }
    if (by_role.type == VALUE_DICT) {
        fact_put(into, scope->arena, "policies", out);
    }
}

static struct value brief_table(const struct fact_scope *scope)
{
    struct value out = value_dict(scope->arena);
    add_things("columns", "columns", &column_facts_first, scope, out);
    add_facts(&table_facts_last, scope, out);
    add_things("uniques", "unique", &unique_facts, scope, out);
    add_things("references", "references", &reference_facts, scope, out);
    add_things("checks", "checks", &check_facts_of_table, scope, out);
    add_things("nulls", "nulls", &null_facts, scope, out);
    add_facts(&table_facts_first, scope, out);
    add_policies(scope, out);
    return out;
}

/* A setting: the table whose rows it names, or other facts about its values. */
static struct value brief_setting(struct value setting, struct arena *arena)
{
    static const char *const others[] = {"type", "labels"};
    struct value table = fact_value(setting, "table");
    struct value out = value_dict(arena);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct value value = fact_value(setting, others[i]);
        if (value_truth(value)) {
            fact_put(out, arena, others[i], value);
        }
    }
    return table.type != VALUE_NONE ? table : out.as.table->count > 0 ? out : value_none();
}

/* The users that policies are tested as; None if there are none. */
static struct value brief_policies(struct value facts, struct arena *arena)
{
    struct items settings = fact_list(facts, "settings");
    struct value out = value_dict(arena);
    struct value by_name = value_dict(arena);
    if (fact_list(facts, "roles").count == 0) {
        return value_none();
    }
    for (size_t i = 0; i < settings.count; i++) {
        fact_put(by_name, arena, fact_text(settings.items[i], "name"),
                 brief_setting(settings.items[i], arena));
    }
    fact_put(out, arena, "roles", fact_value(facts, "roles"));
    fact_put(out, arena, "settings", by_name);
    return out;
}

struct value brief_of(struct value facts, struct arena *arena)
{
    struct value out = value_dict(arena);
    struct value tables = value_dict(arena);
    struct value policies = brief_policies(facts, arena);
    struct fact_scope scope = {.arena = arena, .tables = fact_list(facts, "tables")};
    for (size_t i = 0; i < scope.tables.count; i++) {
        scope.table = scope.of = scope.tables.items[i];
        fact_put(tables, arena, fact_text(scope.table, "name"), brief_table(&scope));
    }
    fact_put(out, arena, "tables", tables);
    if (policies.type != VALUE_NONE) {
        fact_put(out, arena, "policies", policies);
    }
    return out;
}
