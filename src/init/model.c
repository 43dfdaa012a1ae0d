#include "init/model.h"

#include "init/template.h"

#include <string.h>

/* The name that errors give the constraint: on a partitioned table the partition's, which is
 * another. */
static const char *name_of(const struct plan *plan, const struct table_plan *table,
                           struct value constraint)
{
    return fact_is(table->facts, "partitioned")
               ? "None"
               : literal(plan->arena, fact_value(constraint, "name"));
}

const char *row_expression(struct arena *arena, const struct table_plan *table)
{
    struct items columns = fact_list(table->facts, "columns");
    struct strbuf left_out = {0};
    struct strbuf justified = {0};
    for (size_t i = 0; i < columns.count; i++) {
        struct value column = columns.items[i];
        const char *quoted = fact_text(column, "quoted");
        if (fact_is(column, "generated") || fact_is(column, "triggered")) {
            strbuf_addf(&left_out, "%s%s", left_out.size ? ", " : "", quoted);
        } else if (fact_is(column, "justified")) { /* equal ones are to look the same */
            strbuf_addf(&justified, "%s%s, justify_interval(t.%s)", justified.size ? ", " : "",
                        quoted, fact_text(column, "sql"));
        }
    }
    const char *text = "to_jsonb(t.*)";
    if (left_out.size) {
        text = arena_printf(arena, "%s - ARRAY[%s]", text, strbuf_text(&left_out));
    }
    if (justified.size) {
        text = arena_printf(arena, "%s || jsonb_build_object(%s)", text, strbuf_text(&justified));
    }
    strbuf_free(&left_out);
    strbuf_free(&justified);
    return text;
}

const char *returned_row(struct arena *arena, const struct table_plan *table)
{
    struct items key = fact_list(table->facts, "key");
    struct strbuf columns = {0};
    for (size_t i = 0; i < key.count; i++) {
        strbuf_addf(&columns, "%st.%s", i ? ", " : "",
                    fact_text(plan_column(table, value_cstr(key.items[i])), "sql"));
    }
    const char *text =
        arena_printf(arena, "%s, jsonb_build_array(%s), %s", fact_text(table->facts, "quoted"),
                     strbuf_text(&columns), row_expression(arena, table));
    strbuf_free(&columns);
    return text;
}

const char *rows_query(struct arena *arena, const struct table_plan *table)
{
    return arena_printf(arena, "SELECT %s FROM %s AS t", returned_row(arena, table), table->source);
}

static void add_tables(const struct plan *plan, struct strbuf *out)
{
    strbuf_adds(out, "# The rows of each table: key -> row, as to_jsonb gives it.\n");
    for (size_t i = 0; i < plan->tables.count; i++) {
        strbuf_addf(out, "%s = {}\n", plan->tables.items[i].variable);
    }
    strbuf_adds(out, "tables = {\n");
    for (size_t i = 0; i < plan->tables.count; i++) {
        const struct table_plan *table = &plan->tables.items[i];
        strbuf_addf(out, "    %s: %s,\n", literal(plan->arena, fact_value(table->facts, "name")),
                    table->variable);
    }
    strbuf_adds(out, "}\n\n");
}

/* Adds a line of each table to a dict: `add` writes what stands behind its name. */
static void add_dict(const struct plan *plan, const char *head,
                     void (*add)(const struct plan *plan, const struct table_plan *table,
                                 struct strbuf *out),
                     struct strbuf *out)
{
    strbuf_adds(out, head);
    for (size_t i = 0; i < plan->tables.count; i++) {
        const struct table_plan *table = &plan->tables.items[i];
        strbuf_addf(out, "    %s: [", literal(plan->arena, fact_value(table->facts, "name")));
        size_t start = out->size;
        add(plan, table, out);
        strbuf_truncate(out, out->size - (out->size > start ? 2 : 0)); /* the last ", " */
        strbuf_adds(out, "],\n");
    }
    strbuf_adds(out, "}\n");
}

static void add_key(const struct plan *plan, const struct table_plan *table, struct strbuf *out)
{
    struct items key = fact_list(table->facts, "key");
    for (size_t i = 0; i < key.count; i++) {
        strbuf_addf(out, "%s, ", literal(plan->arena, key.items[i]));
    }
}

/* In the order in which the server looks at them: what a domain refuses comes first. */
static void add_required(const struct plan *plan, const struct table_plan *table,
                         struct strbuf *out)
{
    struct items columns = fact_list(table->facts, "columns");
    for (size_t i = 0; i < 2 * columns.count; i++) {
        bool late = i >= columns.count;
        struct value column = columns.items[late ? i - columns.count : i];
        if (fact_is(column, "required") && !fact_is(column, "generated") &&
            !fact_is(column, "triggered") && fact_is(column, "by_type") != late) {
            strbuf_addf(out, "(%s, %s), ", literal(plan->arena, fact_value(column, "name")),
                        literal(plan->arena, fact_value(column, "required_by")));
        }
    }
}

static void add_unique(const struct plan *plan, const struct table_plan *table, struct strbuf *out)
{
    struct items uniques = fact_list(table->facts, "uniques");
    for (size_t i = 0; i < uniques.count; i++) {
        if (fact_is(uniques.items[i], "exact")) {
            strbuf_addf(out, "(%s, %s), ", name_of(plan, table, uniques.items[i]),
                        literal(plan->arena, fact_value(uniques.items[i], "columns")));
        }
    }
}

static void add_may(const struct plan *plan, const struct table_plan *table, const char *condition,
                    struct value constraint, struct strbuf *out)
{
    strbuf_addf(out, "error(%s, constraint=%s), ", condition, name_of(plan, table, constraint));
}

static void add_events(const struct plan *plan, struct items events, struct strbuf *out)
{
    for (size_t i = 0; i < events.count; i++) {
        strbuf_addf(out, "%s, ", literal(plan->arena, events.items[i]));
    }
}

static void add_before(const struct plan *plan, const struct table_plan *table, struct strbuf *out)
{
    add_events(plan, fact_list(table->facts, "fires_before"), out);
}

static void add_after(const struct plan *plan, const struct table_plan *table, struct strbuf *out)
{
    add_events(plan, fact_list(table->facts, "fires_after"), out);
}

static void add_errors_of_triggers(const struct plan *plan, const struct table_plan *table,
                                   struct strbuf *out)
{
    struct items reread = fact_list(table->facts, "reread");
    if (fact_list(table->facts, "fires_before").count == 0 &&
        fact_list(table->facts, "fires_after").count == 0) {
        return;
    }
    strbuf_adds(out, fact_is(table->facts, "skips") ? "None, " : "");
    strbuf_adds(out, "plpgsql_error, data_exception, ");
    struct items codes = fact_list(table->facts, "codes");
    for (size_t i = 0; i < codes.count; i++) {
        strbuf_addf(out, "%s, ", literal(plan->arena, codes.items[i]));
    }
    for (size_t i = 0; i < reread.count; i++) {
        const struct table_plan *other = plan_table(plan, value_cstr(reread.items[i]));
        strbuf_addf(out, "error(integrity_constraint_violation, table=%s), ",
                    literal(plan->arena, fact_value(other->facts, "relation")));
    }
}

/* Those that may come even if a column is NULL that may not be: of domains and generated columns.
 */
static void add_early(const struct plan *plan, const struct table_plan *table, struct strbuf *out)
{
    struct items checks = fact_list(table->facts, "checks");
    bool domains = false;
    for (size_t i = 0; i < checks.count; i++) {
        if (fact_is(checks.items[i], "by_type")) {
            add_may(plan, table, "check_violation", checks.items[i], out);
            domains = true;
        }
    }
    strbuf_adds(out, domains || fact_is(table->facts, "computes") ? "data_exception, " : "");
    strbuf_adds(out, fact_is(table->facts, "not_null_by_trigger") ? "not_null_violation, " : "");
}

/* Errors that the model can't foretell, but which may come. */
static void add_may_of_table(const struct plan *plan, const struct table_plan *table,
                             struct strbuf *out)
{
    struct items uniques = fact_list(table->facts, "uniques");
    struct items checks = fact_list(table->facts, "checks");
    struct items references = fact_list(table->facts, "references");
    size_t start = out->size;
    for (size_t i = 0; i < uniques.count; i++) {
        if (!fact_is(uniques.items[i], "exact")) {
            add_may(plan, table, fact_text(uniques.items[i], "error"), uniques.items[i], out);
        }
    }
    for (size_t i = 0; i < checks.count; i++) {
        add_may(plan, table, "check_violation", checks.items[i], out);
    }
    for (size_t i = 0; i < references.count; i++) {
        if (!fact_is(references.items[i], "exact")) {
            add_may(plan, table, "foreign_key_violation", references.items[i], out);
        }
    }
    if (out->size > start || fact_is(table->facts, "computes")) {
        strbuf_adds(out, "data_exception, ");
    }
    if (fact_is(table->facts, "not_null_by_trigger")) {
        strbuf_adds(out, "not_null_violation, ");
    }
}

static void add_references(const struct plan *plan, struct strbuf *out)
{
    static const char row[] =
        "    {\"name\": $name, \"table\": $table, \"columns\": $columns, \"parent\": $parent,\n"
        "     \"key\": $key, \"on_update\": $on_update, \"on_delete\": $on_delete,\n"
        "     \"full\": $full, \"exact\": $exact},\n";
    strbuf_adds(out, "references = [\n");
    for (size_t i = 0; i < plan->tables.count; i++) {
        const struct table_plan *table = &plan->tables.items[i];
        struct items references = fact_list(table->facts, "references");
        for (size_t j = 0; j < references.count; j++) {
            struct value fact = references.items[j];
            const struct hole holes[] = {
                {"name", name_of(plan, table, fact)},
                {"table", literal(plan->arena, fact_value(table->facts, "name"))},
                {"columns", literal(plan->arena, fact_value(fact, "columns"))},
                {"parent", literal(plan->arena, fact_value(fact, "parent"))},
                {"key", literal(plan->arena, fact_value(fact, "parent_columns"))},
                {"on_update", literal(plan->arena, fact_value(fact, "on_update"))},
                {"on_delete", literal(plan->arena, fact_value(fact, "on_delete"))},
                {"full", fact_is(fact, "full") ? "True" : "False"},
                {"exact", fact_is(fact, "exact") ? "True" : "False"},
                {0}};
            template_add(out, row, holes);
        }
    }
    strbuf_adds(out, "]\n");
}

/* Whether drawn values look otherwise once they are stored. */
static bool has_forms(const struct plan *plan)
{
    for (size_t i = 0; i < plan->tables.count; i++) {
        struct items columns = fact_list(plan->tables.items[i].facts, "columns");
        for (size_t j = 0; j < columns.count; j++) {
            if (fact_is(columns.items[j], "form")) {
                return true;
            }
        }
    }
    return false;
}

void model_add(const struct plan *plan, struct strbuf *out)
{
    add_tables(plan, out);
    strbuf_adds(out, "# What the schema says, as data.\n");
    add_dict(plan, "keys = {\n", add_key, out);
    add_dict(plan, "required = { # NOT NULL, and the table that the error names\n", add_required,
             out);
    add_dict(plan, "unique = {\n", add_unique, out);
    add_references(plan, out);
    add_dict(plan,
             "# Errors that the model does not foretell: the invariants check their constraints.\n"
             "may = {\n",
             add_may_of_table, out);
    add_dict(plan, "# Of these, those that come before NOT NULL is checked.\nmay_early = {\n",
             add_early, out);
    add_dict(plan, "# Errors of triggers, and what they run before or after.\nraised = {\n",
             add_errors_of_triggers, out);
    add_dict(plan, "fires_before = {\n", add_before, out);
    add_dict(plan, "fires_after = {\n", add_after, out);
    const char *stored = strstr(model_functions, "\ndef stored(");
    size_t used = (size_t)(stored - model_functions);
    strbuf_add(out, model_functions, has_forms(plan) ? strlen(model_functions) : used);
}
