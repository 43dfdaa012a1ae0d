#include "init/invariants.h"

#include "init/model.h"
#include "init/policies.h"
#include "init/template.h"
#include "pgtypes/pgtypes.h"

#include <string.h>

static const char whole[] = "  $name:\n"
                            "    sql: |\n"
                            "      SELECT $row FROM $table AS t\n"
                            "    expect: bag([(r,) for r in $variable.values()])\n";

/* Compares each row that the example wrote; at the end also rows of this transaction that only the
 * database wrote. A row that the database lost is then missing. */
static const char written[] =
    "  $name:\n"
    "    # Many rows are there: those are compared that were written.\n"
    "    for: {$for}\n"
    "    precondition: len($first) > 0\n"
    "    sql: |\n"
    "      SELECT $row FROM $table AS t\n"
    "      WHERE $columns IN (SELECT * FROM unnest($arrays))\n"
    "    expect: bag([($variable[k],) for k in $keys if k in $variable])\n"
    "  ${name}_at_the_end:\n"
    "    when: end\n"
    "    sql: |\n"
    "      SELECT count(*), coalesce(jsonb_agg($row)\n"
    "        FILTER (WHERE age(t.xmin) <= age(pg_current_xact_id()::xid)), '[]')\n"
    "      FROM $table AS t\n"
    "    check:\n"
    "      - result.row[0] == len($variable)\n"
    "      - '[r for r in result.row[1] if $variable.get($key) != r] == []'\n";

static bool may_ask_for(struct value column)
{
    const char *type = fact_text(column, "base");
    return type && pgtype_named(type)->is_key && !fact_is(column, "generated") &&
           !fact_is(column, "triggered");
}

/* True for a table with many rows and a key to query some of them. */
static bool is_asked_by_key(const struct table_plan *table)
{
    struct items key = fact_list(table->facts, "key");
    bool asked = fact_is(table->facts, "many") && key.count > 0;
    for (size_t i = 0; asked && i < key.count; i++) {
        asked = may_ask_for(plan_column(table, value_cstr(key.items[i])));
    }
    return asked;
}

/* "t.a, t.b" */
static const char *key_columns(const struct plan *plan, const struct table_plan *table)
{
    struct items key = fact_list(table->facts, "key");
    struct strbuf out = {0};
    for (size_t i = 0; i < key.count; i++) {
        strbuf_addf(&out, "%st.%s", i ? ", " : "",
                    fact_text(plan_column(table, value_cstr(key.items[i])), "sql"));
    }
    return strbuf_take(&out, plan->arena);
}

static const char *written_keys(const struct plan *plan, const struct table_plan *table)
{
    return arena_printf(plan->arena, "db.written(%s)",
                        literal(plan->arena, fact_value(table->facts, "name")));
}

/* The invariant's texts for the key. With several columns, each has its list of values. */
struct key_texts {
    struct strbuf lists, arrays, key;
};

static void add_key_column(const struct plan *plan, const struct table_plan *table, size_t index,
                           struct key_texts *out)
{
    struct items key = fact_list(table->facts, "key");
    struct value column = plan_column(table, value_cstr(key.items[index]));
    const char *keys = written_keys(plan, table);
    const char *comma = index ? ", " : "";
    const char *list = key.count == 1 ? "keys" : arena_printf(plan->arena, "keys_%zu", index);
    const char *values =
        key.count == 1 ? keys : arena_printf(plan->arena, "[k[%zu] for k in %s]", index, keys);
    strbuf_addf(&out->lists, "%s%s: '[%s]'", comma, list, in_quotes(plan->arena, values));
    strbuf_addf(&out->arrays, "%sCAST(:%s AS %s[])", comma, list, fact_text(column, "base"));
    strbuf_addf(&out->key, "%sr[%s]", comma,
                in_quotes(plan->arena, literal(plan->arena, key.items[index])));
}

static void add_written(const struct plan *plan, const struct table_plan *table, struct strbuf *out)
{
    size_t count = fact_list(table->facts, "key").count;
    struct key_texts key = {0};
    for (size_t i = 0; i < count; i++) {
        add_key_column(plan, table, i, &key);
    }
    const char *columns = key_columns(plan, table);
    const struct hole holes[] = {
        {"name", table->variable},
        {"for", strbuf_text(&key.lists)},
        {"first", count == 1 ? "keys" : "keys_0"},
        {"row", row_expression(plan->arena, table)},
        {"table", table->source},
        {"columns", count == 1 ? columns : arena_printf(plan->arena, "(%s)", columns)},
        {"arrays", strbuf_text(&key.arrays)},
        {"variable", table->variable},
        {"keys", written_keys(plan, table)},
        {"key", count == 1 ? strbuf_text(&key.key)
                           : arena_printf(plan->arena, "(%s)", strbuf_text(&key.key))},
        {0}};
    template_add(out, written, holes);
    strbuf_free(&key.lists);
    strbuf_free(&key.arrays);
    strbuf_free(&key.key);
}

static void add_whole_tables(const struct plan *plan, const struct table_plan *table,
                             struct strbuf *out)
{
    if (is_asked_by_key(table)) {
        add_written(plan, table, out);
        return;
    }
    const struct hole holes[] = {{"name", table->variable},
                                 {"row", row_expression(plan->arena, table)},
                                 {"table", table->source},
                                 {"variable", table->variable},
                                 {0}};
    template_add(out, whole, holes);
}

/* Adds queries for rows that violate a constraint. The model predicts the `exact` ones. */
static void add_broken(const struct plan *plan, struct items facts, const char *prefix,
                       struct strbuf *out)
{
    static const char text[] = "  $name:\n"
                               "    every: 5\n"
                               "    sql: |\n"
                               "      $sql\n";
    for (size_t i = 0; i < facts.count; i++) {
        const char *sql = fact_text(facts.items[i], "broken");
        const char *wanted =
            arena_printf(plan->arena, "%s%s", prefix, fact_text(facts.items[i], "name"));
        if (!sql || fact_is(facts.items[i], "exact")) {
            continue;
        }
        const struct hole holes[] = {{"name", identifier(plan->arena, wanted)}, {"sql", sql}, {0}};
        template_add(out, text, holes);
    }
}

/* Restricts the query to the newest rows of a large table; "" for other tables. */
static const char *only_newest(const struct plan *plan, const struct table_plan *table)
{
    static const char text[] = "\n    WHERE ($key) IN (SELECT $key FROM "
                               "jsonb_populate_recordset(NULL::$type, :rows) AS t)";
    if (!is_asked_by_key(table)) {
        return "";
    }
    const struct hole holes[] = {{"key", key_columns(plan, table)}, {"type", table->type}, {0}};
    return template_text(plan->arena, text, holes);
}

/* The user must see exactly the rows that the policies allow. */
static void add_seen(const struct plan *plan, const struct table_plan *table, size_t user,
                     struct strbuf *out)
{
    static const char text[] =
        "  $name:\n"
        "    every: 5\n"
        "    for:\n"
        "      $actors\n"
        "      rows: '[$shown]'\n"
        "    as: $user\n"
        "    sql: |\n"
        "      WITH seen AS (SELECT $row AS row FROM $table AS t$newest),\n"
        "        allowed AS (SELECT $row AS row FROM (\n"
        "          SELECT $alias.* FROM jsonb_populate_recordset(NULL::$type, :rows) AS $alias\n"
        "          WHERE $select) AS t)\n"
        "      (SELECT 'seen, not allowed', row FROM seen EXCEPT ALL SELECT 'seen, not allowed', "
        "row FROM allowed)\n"
        "      UNION ALL (SELECT 'allowed, not seen', row FROM allowed EXCEPT ALL SELECT 'allowed, "
        "not seen', row FROM seen)\n";
    struct value policies = policies_of(plan, table, user);
    if (policies.type != VALUE_DICT || !fact_text(policies, "select")) {
        return;
    }
    const struct hole holes[] = {
        {"name",
         arena_printf(plan->arena, "%s_seen%s", table->variable, policies_suffix(plan, user))},
        {"user", policies_user(plan, user)},
        {"actors", policies_all_actors(plan)},
        {"shown", in_quotes(plan->arena,
                            is_asked_by_key(table)
                                ? plan_rows(plan, table)
                                : arena_printf(plan->arena, "list(%s.values())", table->variable))},
        {"newest", only_newest(plan, table)},
        {"row", row_expression(plan->arena, table)},
        {"table", table->source},
        {"type", table->type},
        {"alias", fact_text(table->facts, "alias")},
        {"select", fact_text(policies, "select")},
        {0}};
    template_add(out, text, holes);
}

/* Adds the privileges of each role, on tables and on functions. */
static void add_rights(const struct plan *plan, struct value rights, struct strbuf *out)
{
    static const char text[] =
        "  rights_to_${kind}s:\n"
        "    every: 20\n"
        "    for:\n"
        "      names: '[$names]'\n"
        "      roles: '[$roles]'\n"
        "    sql: |\n"
        "      SELECT n, r, string_agg(p, ' ' ORDER BY p COLLATE \"C\")\n"
        "      FROM unnest(CAST(:names AS text[])) AS n, unnest(CAST(:roles AS text[])) AS r,\n"
        "        unnest(CAST('{$all}' AS text[])) AS p\n"
        "      WHERE $has GROUP BY n, r\n"
        "    expect: '$expected'\n";
    struct items all = fact_list(rights, "all");
    struct strbuf expected = {0};
    bool of_tables = strcmp(fact_text(rights, "kind"), "table") == 0;
    for (size_t i = 0; i < all.count; i++) {
        struct items row = value_items(all.items[i]);
        strbuf_addf(&expected, "%s%s", i ? ", " : "",
                    literal(plan->arena, value_tuple(plan->arena, row.items, row.count)));
    }
    const char *set_of =
        expected.size ? arena_printf(plan->arena, "{%s}", strbuf_text(&expected)) : "set()";
    struct value roles = value_list(plan->arena);
    for (size_t i = 0; i < plan->roles.count; i++) {
        list_append(roles.as.list, plan->roles.items[i]);
    }
    const struct hole holes[] = {
        {"kind", fact_text(rights, "kind")},
        {"names", in_quotes(plan->arena, literal(plan->arena, fact_value(rights, "names")))},
        {"roles", in_quotes(plan->arena, literal(plan->arena, roles))},
        {"all", of_tables ? "SELECT,INSERT,UPDATE,DELETE" : "EXECUTE"},
        {"has", of_tables ? "has_table_privilege(r, n, p) OR p <> 'DELETE' AND "
                            "has_any_column_privilege(r, n, p)"
                          : "has_function_privilege(r, n, p)"},
        {"expected", in_quotes(plan->arena, set_of)},
        {0}};
    template_add(out, text, holes);
    strbuf_free(&expected);
}

void invariants_add(const struct plan *plan, struct strbuf *out)
{
    static const struct {
        const char *facts;
        bool named; /* the name is a constraint's, which is descriptive */
    } kinds[] = {{"columns", false},
                 {"checks", true},
                 {"nulls", true},
                 {"uniques", true},
                 {"references", true}};
    strbuf_adds(out, "  # Each table, compared with the model.\n");
    for (size_t i = 0; i < plan->tables.count; i++) {
        add_whole_tables(plan, &plan->tables.items[i], out);
        for (size_t j = 0; j < plan->roles.count; j++) {
            add_seen(plan, &plan->tables.items[i], j, out);
        }
    }
    strbuf_adds(out,
                plan->rights.count ? "  # What roles may do: nothing that is not granted.\n" : "");
    for (size_t i = 0; i < plan->rights.count; i++) {
        add_rights(plan, plan->rights.items[i], out);
    }
    strbuf_adds(out, "  # Constraints that the model does not foretell: no row may break them.\n");
    for (size_t i = 0; i < plan->tables.count; i++) {
        const struct table_plan *table = &plan->tables.items[i];
        for (size_t j = 0; j < sizeof kinds / sizeof *kinds; j++) {
            const char *prefix =
                kinds[j].named ? "" : arena_printf(plan->arena, "%s_", table->variable);
            add_broken(plan, fact_list(table->facts, kinds[j].facts), prefix, out);
        }
    }
}
