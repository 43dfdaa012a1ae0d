#include "init/fact_table.h"

#include "init/writer.h"
#include "pgtypes/pgtypes.h"
#include "sql/tokens.h"

#include <stdlib.h>
#include <string.h>

static struct value text(const struct fact_scope *scope, const char *words)
{
    return value_text(scope->arena, words);
}

/* True for names that SQL reads without quotes, apart from reserved words. */
static bool is_plain_name(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz_0123456789";
    return *name && (*name < '0' || *name > '9') && strspn(name, letters) == strlen(name);
}

static struct value quoted_name(const struct fact_scope *scope, const char *name)
{
    struct strbuf out = {0};
    if (is_plain_name(name)) {
        return text(scope, name);
    }
    strbuf_addc(&out, '"');
    for (const char *c = name; *c; c++) {
        strbuf_add(&out, "\"\"", *c == '"' ? 2 : 0);
        strbuf_add(&out, c, *c != '"');
    }
    strbuf_addc(&out, '"');
    return text(scope, strbuf_take(&out, scope->arena));
}

/* "users", "app.users": the last part of the name. */
static struct value relation_of(const struct fact_scope *scope)
{
    const char *name = fact_text(scope->of, "name");
    const char *dot = strrchr(name, '.');
    return text(scope, dot ? dot + 1 : name);
}

static struct value table_sql(const struct fact_scope *scope)
{
    const char *name = fact_text(scope->of, "name");
    const char *dot = strchr(name, '.');
    if (!dot) {
        return quoted_name(scope, name);
    }
    struct value schema =
        quoted_name(scope, arena_strndup(scope->arena, name, (size_t)(dot - name)));
    return text(scope, arena_printf(scope->arena, "%s.%s", value_cstr(schema),
                                    value_cstr(quoted_name(scope, dot + 1))));
}

static struct value same_as_sql(const struct fact_scope *scope)
{
    return fact_value(scope->of, "sql");
}

static struct value alias_of(const struct fact_scope *scope)
{
    return quoted_name(scope, fact_text(scope->of, "relation"));
}

static struct value column_sql(const struct fact_scope *scope)
{
    return quoted_name(scope, fact_text(scope->of, "name"));
}

static struct value name_literal(const struct fact_scope *scope)
{
    return text(scope, arena_printf(scope->arena, "'%s'",
                                    in_quotes(scope->arena, fact_text(scope->of, "name"))));
}

/* row() leaves out generated columns. */
static struct value is_drawn_otherwise(const struct fact_scope *scope)
{
    return value_bool(!fact_is(scope->of, "counted") && !fact_is(scope->of, "generated"));
}

static struct value is_interval(const struct fact_scope *scope)
{
    struct value form = fact_value(scope->of, "form");
    const char *words = fact_text(scope->of, "form");
    return form.type == VALUE_NONE ? form : value_bool(words && strstr(words, "interval"));
}

/* The column's type, if a CHECK mentions it. */
static struct value checked_otherwise(const struct fact_scope *scope)
{
    struct items checks = fact_list(scope->table, "checks");
    const char *name = fact_text(scope->of, "name");
    for (size_t i = 0; i < checks.count; i++) {
        if (pgtype_named(fact_text(scope->of, "base"))->strategy &&
            fact_has(fact_list(checks.items[i], "columns"), name)) {
            return fact_value(scope->of, "base");
        }
    }
    return value_none();
}

/* In the table's order. */
static struct value sorted_columns(const struct fact_scope *scope)
{
    struct items columns = fact_list(scope->table, "columns");
    struct items names = fact_list(scope->of, "columns");
    struct value out = value_list(scope->arena);
    for (size_t i = 0; i < columns.count; i++) {
        if (fact_has(names, fact_text(columns.items[i], "name"))) {
            list_append(out.as.list, fact_value(columns.items[i], "name"));
        }
    }
    return out;
}

/* The columns' names in SQL, as terms of an index. */
static struct value columns_as_terms(const struct fact_scope *scope)
{
    const struct table_plan table = {.facts = scope->table};
    struct items names = fact_list(scope->of, "columns");
    struct value out = value_list(scope->arena);
    for (size_t i = 0; i < names.count; i++) {
        list_append(out.as.list,
                    fact_value(plan_column(&table, value_cstr(names.items[i])), "sql"));
    }
    return out;
}

/* True if only the columns are given. */
static struct value is_exact_unique(const struct fact_scope *scope)
{
    struct value terms = fact_value(scope->of, "terms");
    bool others = fact_text(scope->of, "where") || fact_is(scope->of, "nulls_equal") ||
                  fact_is(scope->of, "operators") ||
                  !value_equal(fact_value(scope->of, "source"), fact_value(scope->table, "source"));
    return value_bool(!others &&
                      (terms.type == VALUE_NONE || value_equal(terms, columns_as_terms(scope))));
}

static struct value terms_otherwise(const struct fact_scope *scope)
{
    return fact_is(scope->of, "exact") ? value_none() : columns_as_terms(scope);
}

static struct value is_asked_otherwise(const struct fact_scope *scope)
{
    return value_bool(!fact_is(scope->of, "exact") && !fact_is(scope->of, "nulls_equal") &&
                      !fact_is(scope->table, "partitioned"));
}

static struct value source_of_table(const struct fact_scope *scope)
{
    return fact_value(scope->table, "source");
}

static struct value unique_error(const struct fact_scope *scope)
{
    return text(scope,
                fact_is(scope->of, "operators") ? "exclusion_violation" : "unique_violation");
}

/* Joins a text for each term: `$n` and `$t` are its number and text, `$o` its operator. */
static const char *for_terms(const struct fact_scope *scope, const char *format,
                             const char *between)
{
    struct items terms = fact_list(scope->of, "terms");
    struct items operators = fact_list(scope->of, "operators");
    struct strbuf out = {0};
    for (size_t i = 0; i < terms.count; i++) {
        strbuf_adds(&out, i ? between : "");
        for (const char *c = format; *c; c++) {
            if (*c != '$') {
                strbuf_addc(&out, *c);
            } else if (*++c == 'n') {
                strbuf_addf(&out, "%zu", i + 1);
            } else {
                const char *operator= i<operators.count ? value_cstr(operators.items[i]) : "=";
                strbuf_adds(&out, *c == 't' ? value_cstr(terms.items[i]) : operator);
            }
        }
    }
    return strbuf_take(&out, scope->arena);
}

static const char *where_of(const struct fact_scope *scope)
{
    const char *where = fact_text(scope->of, "where");
    return where ? arena_printf(scope->arena, " WHERE %s", where) : "";
}

/* The condition under which it accepts a row. Its columns are those of the new row. */
static struct value condition_of_unique(const struct fact_scope *scope)
{
    const char *where = fact_text(scope->of, "where");
    if (!fact_is(scope->of, "asked")) {
        return value_none();
    }
    return text(
        scope,
        arena_printf(scope->arena,
                     "NOT (%s%s%sEXISTS (SELECT FROM (SELECT %s FROM %s%s) AS other WHERE %s))",
                     where ? "(" : "", where ? where : "", where ? ") AND " : "",
                     for_terms(scope, "($t) AS pgfsm_k$n", ", "), fact_text(scope->of, "source"),
                     where_of(scope), for_terms(scope, "pgfsm_k$n $o ($t)", " AND ")));
}

/* A query for rows that violate it. */
static struct value broken_unique(const struct fact_scope *scope)
{
    const char *source = fact_text(scope->of, "source");
    const char *terms = for_terms(scope, "($t) AS k$n", ", ");
    if (fact_is(scope->of, "exact")) {
        return value_none();
    }
    if (fact_is(scope->of, "operators")) {
        return text(scope,
                    arena_printf(scope->arena,
                                 "WITH x AS (SELECT ctid AS place, tableoid AS of, %s FROM %s%s) "
                                 "SELECT a.*, b.* FROM x AS a, x AS b "
                                 "WHERE (a.of, a.place) < (b.of, b.place) AND %s",
                                 terms, source, where_of(scope),
                                 for_terms(scope, "a.k$n $o b.k$n", " AND ")));
    }
    const char *keys = for_terms(scope, "k$n", ", ");
    bool nulls_equal = fact_is(scope->of, "nulls_equal");
    return text(
        scope, arena_printf(scope->arena,
                            "SELECT %s FROM (SELECT %s FROM %s%s) AS x%s%s GROUP BY %s "
                            "HAVING count(*) > 1",
                            keys, terms, source, where_of(scope), nulls_equal ? "" : " WHERE ",
                            nulls_equal ? "" : for_terms(scope, "k$n IS NOT NULL", " AND "), keys));
}

/* True if there is no query for rows that violate it. */
static struct value is_exact_reference(const struct fact_scope *scope)
{
    return value_bool(!fact_text(scope->of, "broken"));
}

/* The columns of the first constraint, which is the primary key if there is one. */
static struct value key_otherwise(const struct fact_scope *scope)
{
    struct items uniques = fact_list(scope->of, "uniques");
    return uniques.count > 0 && fact_is(uniques.items[0], "exact")
               ? fact_value(uniques.items[0], "columns")
               : value_list(scope->arena);
}

/* True if the SQL contains exactly this name. */
static bool has_name(const struct sql_list *sql, const char *name)
{
    size_t i = 0;
    while (i < sql->tokens.count && !sql_is_text(sql, i, name)) {
        i++;
    }
    return i < sql->tokens.count;
}

static struct value columns_named(const struct fact_scope *scope)
{
    struct items columns = fact_list(scope->table, "columns");
    const char *condition = fact_text(scope->of, "condition");
    struct sql_list sql = {.text = condition ? condition : "", .arena = scope->arena};
    struct value out = value_list(scope->arena);
    sql.size = strlen(sql.text);
    (void)sql_list_read(&sql); /* it is from the server, so it is valid */
    for (size_t i = 0; i < columns.count; i++) {
        if (has_name(&sql, fact_text(columns.items[i], "sql"))) {
            list_append(out.as.list, fact_value(columns.items[i], "name"));
        }
    }
    return out;
}

static struct value broken_check(const struct fact_scope *scope)
{
    const char *condition = fact_text(scope->of, "condition");
    return condition ? text(scope, arena_printf(scope->arena, "SELECT * FROM %s WHERE NOT (%s)",
                                                fact_text(scope->table, "sql"), condition))
                     : value_none();
}

/* A query for NULLs in a column that a trigger always fills. */
static struct value broken_column(const struct fact_scope *scope)
{
    bool set = fact_is(scope->of, "required") && fact_is(scope->of, "triggered") &&
               !fact_is(scope->of, "generated");
    return set ? text(scope,
                      arena_printf(scope->arena, "SELECT * FROM %s WHERE %s IS NULL",
                                   fact_text(scope->table, "source"), fact_text(scope->of, "sql")))
               : value_none();
}

static struct value no_action(const struct fact_scope *scope) { return text(scope, "no action"); }

static struct value key_of_parent(const struct fact_scope *scope)
{
    struct value parent = fact_named(scope->tables, fact_text(scope->of, "parent"));
    return parent.type == VALUE_DICT ? fact_value(parent, "key") : parent;
}

static struct value same_as_all(const struct fact_scope *scope)
{
    return fact_value(scope->of, "all");
}

static struct value same_as_update(const struct fact_scope *scope)
{
    return fact_value(scope->of, "update");
}

static const struct fact of_table[] = {
    {"relation", FACT_TEXT, relation_of},  {"sql", FACT_TEXT, table_sql},
    {"source", FACT_TEXT, same_as_sql},    {"type", FACT_TEXT, same_as_sql},
    {"alias", FACT_TEXT, alias_of},        {"quoted", FACT_TEXT, name_literal},
    {"why_not", FACT_TEXT, NULL},          {"many", FACT_FLAG, NULL},
    {"partitioned", FACT_FLAG, NULL},      {"not_null_computed", FACT_FLAG, NULL},
    {"computes", FACT_FLAG, NULL},         {"skips", FACT_FLAG, NULL},
    {"denied", FACT_FLAG, NULL},           {"update_rule", FACT_FLAG, NULL},
    {"by_statement", FACT_FLAG, NULL},     {"fires_before", FACT_NAMES, NULL},
    {"fires_after", FACT_NAMES, NULL},     {"codes", FACT_NAMES, NULL},
    {"codes_of_values", FACT_NAMES, NULL}, {"grows", FACT_ANY, NULL},
    {"added_to", FACT_TABLES, NULL},       {"taken_from", FACT_TABLES, NULL},
    {"reread", FACT_TABLES, NULL},         {0}};
const struct fact_set table_facts_first = {.noun = "table", .all = of_table};

static const struct fact of_table_last[] = {{"key", FACT_COLUMNS, key_otherwise}, {0}};
const struct fact_set table_facts_last = {.noun = "table", .all = of_table_last};

static const struct fact column_first[] = {{"base", FACT_TEXT, NULL},
                                           {"sql", FACT_TEXT, column_sql},
                                           {"quoted", FACT_TEXT, name_literal},
                                           {"counted", FACT_FLAG, NULL},
                                           {"generated", FACT_FLAG, NULL},
                                           {"triggered", FACT_FLAG, NULL},
                                           {"overwritten", FACT_FLAG, NULL},
                                           {"wakes", FACT_FLAG, NULL},
                                           {"required", FACT_FLAG, NULL},
                                           {"by_type", FACT_FLAG, NULL},
                                           {"by_domain", FACT_FLAG, NULL},
                                           {"fixed", FACT_FLAG, NULL},
                                           {"unasked", FACT_FLAG, NULL},
                                           {"defaulted", FACT_FLAG, NULL},
                                           {"filled", FACT_FLAG, NULL},
                                           {"drawn", FACT_FLAG, is_drawn_otherwise},
                                           {"default", FACT_ANY, NULL},
                                           {"form", FACT_ANY, NULL},
                                           {"justified", FACT_FLAG, is_interval},
                                           {"shape", FACT_TEXT, NULL},
                                           {"members", FACT_ANY, NULL},
                                           {"near", FACT_ANY, NULL},
                                           {"lengths", FACT_ANY, NULL},
                                           {"broken", FACT_TEXT, broken_column},
                                           {0}};
const struct fact_set column_facts_first = {
    .noun = "column", .head = "base", .all = column_first, .needs = "base"};

static const struct fact column_last[] = {{"checked", FACT_TEXT, checked_otherwise}, {0}};
const struct fact_set column_facts_last = {.noun = "column", .head = "base", .all = column_last};

static const struct fact unique[] = {{"columns", FACT_COLUMNS, NULL},
                                     {"touched", FACT_COLUMNS, sorted_columns},
                                     {"where", FACT_TEXT, NULL},
                                     {"operators", FACT_NAMES, NULL},
                                     {"nulls_equal", FACT_FLAG, NULL},
                                     {"source", FACT_TEXT, source_of_table},
                                     {"exact", FACT_FLAG, is_exact_unique},
                                     {"terms", FACT_NAMES, terms_otherwise},
                                     {"asked", FACT_FLAG, is_asked_otherwise},
                                     {"error", FACT_TEXT, unique_error},
                                     {"condition", FACT_TEXT, condition_of_unique},
                                     {"broken", FACT_TEXT, broken_unique},
                                     {0}};
const struct fact_set unique_facts = {.noun = "constraint", .head = "columns", .all = unique};

static const struct fact check[] = {{"condition", FACT_TEXT, NULL},
                                    {"columns", FACT_COLUMNS, columns_named},
                                    {"broken", FACT_TEXT, broken_check},
                                    {"by_type", FACT_FLAG, NULL},
                                    {0}};
const struct fact_set check_facts_of_table = {.noun = "CHECK", .head = "condition", .all = check};

static const struct fact null[] = {{"broken", FACT_TEXT, NULL}, {0}};
const struct fact_set null_facts = {
    .noun = "NOT NULL", .head = "broken", .all = null, .needs = "broken"};

static const struct fact reference[] = {{"columns", FACT_COLUMNS, NULL},
                                        {"parent", FACT_TABLE, NULL},
                                        {"parent_columns", FACT_NAMES, key_of_parent},
                                        {"full", FACT_FLAG, NULL},
                                        {"on_update", FACT_ANY, no_action},
                                        {"on_delete", FACT_ANY, no_action},
                                        {"broken", FACT_TEXT, NULL},
                                        {"exact", FACT_FLAG, is_exact_reference},
                                        {0}};
const struct fact_set reference_facts = {
    .noun = "foreign key", .all = reference, .needs = "parent"};

static const struct fact policy[] = {{"all", FACT_TEXT, NULL},
                                     {"select", FACT_TEXT, same_as_all},
                                     {"insert", FACT_TEXT, same_as_all},
                                     {"update", FACT_TEXT, same_as_all},
                                     {"updated", FACT_TEXT, same_as_update},
                                     {"delete", FACT_TEXT, same_as_all},
                                     {0}};
const struct fact_set policy_facts = {.noun = "policy", .all = policy};

static int compare_names(const void *a, const void *b)
{
    return strcmp(value_cstr(*(const struct value *)a), value_cstr(*(const struct value *)b));
}

struct value fact_all_tables(const struct fact_scope *scope)
{
    struct value out = value_list(scope->arena);
    for (size_t i = 0; i < scope->tables.count; i++) {
        list_append(out.as.list, fact_value(scope->tables.items[i], "name"));
    }
    qsort(out.as.list->items, out.as.list->count, sizeof *out.as.list->items, compare_names);
    return out;
}

struct value fact_otherwise(const struct fact *fact, const struct fact_scope *scope)
{
    return fact->otherwise ? fact->otherwise(scope) : value_none();
}

static bool is_nothing(const struct fact *fact, struct value value)
{
    return value.type == VALUE_NONE ||
           (value.type == VALUE_LIST && value_items(value).count == 0) ||
           (fact->kind == FACT_FLAG && !value_truth(value));
}

bool fact_follows(const struct fact *fact, const struct fact_scope *scope)
{
    struct value value = fact_value(scope->of, fact->name);
    struct value otherwise = fact_otherwise(fact, scope);
    return value_equal(value, otherwise) ||
           (is_nothing(fact, value) && is_nothing(fact, otherwise));
}
