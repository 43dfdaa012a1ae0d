#include "init/model.h"

#include <string.h>

/* The constraint's name in errors. It is unknown for a partitioned table, whose partitions have
 * other names, also when a referenced row is deleted. */
static const char *constraint_name(const struct plan *plan, const struct table_plan *table,
                                   struct value constraint)
{
    const char *parent = fact_text(constraint, "parent");
    return fact_is(table->facts, "partitioned") ||
                   (parent && fact_is(plan_table(plan, parent)->facts, "partitioned"))
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
        } else if (fact_is(column, "justified")) { /* equal intervals should have equal texts */
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

/* Appends an entry of a table, `    "name": value,`, unless it has no value. */
static void add_definition_entry(struct strbuf *out, const char *name, const char *value)
{
    if (value) {
        strbuf_addf(out, "        \"%s\": %s,\n", name, value);
    }
}

/* "[a, b]" from "a, b"; NULL if the text is empty. Frees the text. */
static const char *as_list(const struct plan *plan, struct strbuf *items)
{
    const char *text = items->size ? arena_printf(plan->arena, "[%s]", strbuf_text(items)) : NULL;
    strbuf_free(items);
    return text;
}

/* The key of a constraint, "\"a_key\": ", or nothing if errors don't name it. */
static const char *constraint_key(const struct plan *plan, const struct table_plan *table,
                                  struct value constraint)
{
    const char *name = constraint_name(plan, table, constraint);
    return strcmp(name, "None") == 0 ? "" : arena_printf(plan->arena, "%s: ", name);
}

/* Constraints as a dict by name, or as a list. */
static const char *as_constraints(const struct plan *plan, const struct table_plan *table,
                                  struct strbuf *items)
{
    bool list = fact_is(table->facts, "partitioned");
    const char *text = items->size ? arena_printf(plan->arena, "%c%s%c", list ? '[' : '{',
                                                  strbuf_text(items), list ? ']' : '}')
                                   : NULL;
    strbuf_free(items);
    return text;
}

static const char *names_of(const struct plan *plan, struct items names)
{
    struct strbuf out = {0};
    for (size_t i = 0; i < names.count; i++) {
        strbuf_addf(&out, "%s%s", i ? ", " : "", literal(plan->arena, names.items[i]));
    }
    return as_list(plan, &out);
}

/* Columns that are NOT NULL, by their domains or by themselves. */
static const char *required(const struct plan *plan, const struct table_plan *table, bool by_type)
{
    struct items columns = fact_list(table->facts, "columns");
    struct strbuf out = {0};
    for (size_t i = 0; i < columns.count; i++) {
        struct value column = columns.items[i];
        if (fact_is(column, "required") && !fact_is(column, "generated") &&
            !fact_is(column, "triggered") && fact_is(column, "by_type") == by_type) {
            strbuf_addf(&out, "%s%s", out.size ? ", " : "",
                        literal(plan->arena, fact_value(column, "name")));
        }
    }
    return as_list(plan, &out);
}

static const char *uniques(const struct plan *plan, const struct table_plan *table)
{
    struct items facts = fact_list(table->facts, "uniques");
    struct strbuf out = {0};
    for (size_t i = 0; i < facts.count; i++) {
        if (fact_is(facts.items[i], "exact")) {
            strbuf_addf(&out, "%s%s%s", out.size ? ", " : "",
                        constraint_key(plan, table, facts.items[i]),
                        literal(plan->arena, fact_value(facts.items[i], "columns")));
        }
    }
    return as_constraints(plan, table, &out);
}

static void add_action(const struct plan *plan, struct value reference, const char *event,
                       struct strbuf *out)
{
    struct value action = fact_value(reference, event);
    if (!value_is_string(action, "no action")) {
        strbuf_addf(out, ", \"%s\": %s", event, literal(plan->arena, action));
    }
}

static const char *references(const struct plan *plan, const struct table_plan *table)
{
    struct items facts = fact_list(table->facts, "references");
    struct strbuf out = {0};
    for (size_t i = 0; i < facts.count; i++) {
        struct value fact = facts.items[i];
        const struct table_plan *parent = plan_table(plan, fact_text(fact, "parent"));
        struct value key = fact_value(fact, "parent_columns");
        strbuf_addf(&out, "%s\n            {\"name\": %s, \"columns\": %s, \"table\": %s",
                    i ? "," : "", constraint_name(plan, table, fact),
                    literal(plan->arena, fact_value(fact, "columns")),
                    literal(plan->arena, fact_value(fact, "parent")));
        if (!value_equal(key, fact_value(parent->facts, "key"))) {
            strbuf_addf(&out, ", \"key\": %s", literal(plan->arena, key));
        }
        add_action(plan, fact, "on_update", &out);
        add_action(plan, fact, "on_delete", &out);
        strbuf_adds(&out, fact_is(fact, "full") ? ", \"full\": True" : "");
        strbuf_adds(&out, fact_is(fact, "exact") ? "}" : ", \"exact\": False}");
    }
    return as_list(plan, &out);
}

/* The forms of stored values that differ from the drawn ones. */
static const char *forms(const struct plan *plan, const struct table_plan *table)
{
    struct items columns = fact_list(table->facts, "columns");
    struct strbuf out = {0};
    for (size_t i = 0; i < columns.count; i++) {
        if (fact_is(columns.items[i], "form") && fact_is(columns.items[i], "drawn")) {
            strbuf_addf(&out, "%s%s: %s", out.size ? ", " : "",
                        literal(plan->arena, fact_value(columns.items[i], "name")),
                        literal(plan->arena, fact_value(columns.items[i], "form")));
        }
    }
    const char *text = out.size ? arena_printf(plan->arena, "{%s}", strbuf_text(&out)) : NULL;
    strbuf_free(&out);
    return text;
}

static void add_may(const struct plan *plan, const struct table_plan *table, const char *condition,
                    struct value constraint, struct strbuf *out)
{
    strbuf_addf(out, "%serror(%s, constraint=%s)", out->size ? ", " : "", condition,
                constraint_name(plan, table, constraint));
}

static void add_condition(struct strbuf *out, const char *condition)
{
    strbuf_addf(out, "%s%s", out->size ? ", " : "", condition);
}

static void add_conditions(const struct plan *plan, struct items codes, struct strbuf *out)
{
    for (size_t i = 0; i < codes.count; i++) {
        add_condition(out, literal(plan->arena, codes.items[i]));
    }
}

static const char *errors_of_triggers(const struct plan *plan, const struct table_plan *table)
{
    struct items reread = fact_list(table->facts, "reread");
    struct items codes = fact_list(table->facts, "codes");
    struct strbuf out = {0};
    if (fact_list(table->facts, "fires_before").count == 0 &&
        fact_list(table->facts, "fires_after").count == 0) {
        return NULL;
    }
    if (fact_is(table->facts, "skips")) {
        add_condition(&out, "None");
    }
    add_condition(&out, "plpgsql_error, data_exception");
    add_conditions(plan, codes, &out);
    for (size_t i = 0; i < reread.count; i++) {
        const struct table_plan *other = plan_table(plan, value_cstr(reread.items[i]));
        strbuf_addf(&out, ", error(integrity_constraint_violation, table=%s)",
                    literal(plan->arena, fact_value(other->facts, "relation")));
    }
    return as_list(plan, &out);
}

/* Adds NOT NULL of columns that triggers and expressions compute; the message names the column. */
static void add_computed_nulls(const struct plan *plan, const struct table_plan *table,
                               struct strbuf *out)
{
    struct items columns = fact_list(table->facts, "columns");
    bool named = !fact_is(table->facts, "partitioned");
    if (!fact_is(table->facts, "not_null_computed")) {
        return;
    }
    for (size_t i = 0; i < columns.count; i++) {
        named = named && !fact_is(columns.items[i], "by_type");
    }
    for (size_t i = 0; named && i < columns.count; i++) {
        struct value column = columns.items[i];
        if (fact_is(column, "required") &&
            (fact_is(column, "triggered") || fact_is(column, "generated"))) {
            add_condition(out, arena_printf(plan->arena, "error(not_null_violation, message=%s)",
                                            literal(plan->arena, fact_value(column, "name"))));
        }
    }
    if (!named) {
        add_condition(out, "not_null_violation");
    }
}

/* Errors of domains and generated columns, which may come before that of a NULL in a NOT NULL
 * column. */
static const char *early_errors(const struct plan *plan, const struct table_plan *table)
{
    struct items checks = fact_list(table->facts, "checks");
    struct strbuf out = {0};
    for (size_t i = 0; i < checks.count; i++) {
        if (fact_is(checks.items[i], "by_type")) {
            add_may(plan, table, "check_violation", checks.items[i], &out);
        }
    }
    if (out.size || fact_is(table->facts, "computes")) {
        add_condition(&out, "data_exception");
    }
    add_computed_nulls(plan, table, &out);
    add_conditions(plan, fact_list(table->facts, "codes_of_values"), &out);
    return as_list(plan, &out);
}

/* Possible errors that the model can't predict. */
static const char *possible_errors(const struct plan *plan, const struct table_plan *table)
{
    struct items unique_facts = fact_list(table->facts, "uniques");
    struct items checks = fact_list(table->facts, "checks");
    struct items reference_facts = fact_list(table->facts, "references");
    struct strbuf out = {0};
    for (size_t i = 0; i < unique_facts.count; i++) {
        if (!fact_is(unique_facts.items[i], "exact")) {
            add_may(plan, table, fact_text(unique_facts.items[i], "error"), unique_facts.items[i],
                    &out);
        }
    }
    for (size_t i = 0; i < checks.count; i++) {
        add_may(plan, table, "check_violation", checks.items[i], &out);
    }
    for (size_t i = 0; i < reference_facts.count; i++) {
        if (!fact_is(reference_facts.items[i], "exact")) {
            add_may(plan, table, "foreign_key_violation", reference_facts.items[i], &out);
        }
    }
    if (out.size || fact_is(table->facts, "computes")) {
        add_condition(&out, "data_exception");
    }
    add_computed_nulls(plan, table, &out);
    if (fact_is(table->facts, "partitioned")) { /* the row may fit no partition */
        add_condition(&out, "check_violation");
    }
    add_conditions(plan, fact_list(table->facts, "codes_of_values"), &out);
    return as_list(plan, &out);
}

/* The table's name in errors, if it is not the last part of its name. */
static const char *relation(const struct plan *plan, const struct table_plan *table)
{
    const char *dot = strrchr(table->name, '.');
    const char *name = fact_text(table->facts, "relation");
    return fact_is(table->facts, "partitioned") ? "None"
           : strcmp(dot ? dot + 1 : table->name, name) != 0
               ? literal(plan->arena, fact_value(table->facts, "relation"))
               : NULL;
}

static void add_table_definition(const struct plan *plan, const struct table_plan *table,
                                 struct strbuf *out)
{
    strbuf_addf(out, "    %s: {\n", literal(plan->arena, fact_value(table->facts, "name")));
    add_definition_entry(out, "relation", relation(plan, table));
    add_definition_entry(out, "key", names_of(plan, fact_list(table->facts, "key")));
    add_definition_entry(out, "domains", required(plan, table, true));
    add_definition_entry(out, "required", required(plan, table, false));
    add_definition_entry(out, "unique", uniques(plan, table));
    add_definition_entry(out, "references", references(plan, table));
    add_definition_entry(out, "may", possible_errors(plan, table));
    add_definition_entry(out, "may_early", early_errors(plan, table));
    add_definition_entry(out, "raised", errors_of_triggers(plan, table));
    add_definition_entry(out, "adds", names_of(plan, fact_list(table->facts, "added_to")));
    add_definition_entry(out, "removes", names_of(plan, fact_list(table->facts, "taken_from")));
    add_definition_entry(out, "fires_before",
                         names_of(plan, fact_list(table->facts, "fires_before")));
    add_definition_entry(out, "fires_after",
                         names_of(plan, fact_list(table->facts, "fires_after")));
    add_definition_entry(out, "forms", forms(plan, table));
    strbuf_adds(out, "    },\n");
}

void model_add(const struct plan *plan, struct strbuf *out)
{
    strbuf_adds(out, "# What the schema says. The invariants check what `may` lists.\n"
                     "db = tables({\n");
    for (size_t i = 0; i < plan->tables.count; i++) {
        add_table_definition(plan, &plan->tables.items[i], out);
    }
    strbuf_adds(out, "})\n# The rows of each table: key -> row, as to_jsonb gives it.\n");
    for (size_t i = 0; i < plan->tables.count; i++) {
        const struct table_plan *table = &plan->tables.items[i];
        strbuf_addf(out, "%s = db.table(%s)\n", table->variable,
                    literal(plan->arena, fact_value(table->facts, "name")));
    }
}
