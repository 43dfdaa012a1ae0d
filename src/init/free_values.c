#include "init/free.h"
#include "init/writer.h"
#include "pgtypes/pgtypes.h"

#include <string.h>

/* Types whose values `pgtypes` has no strategy for. */
struct more {
    const char *type, *strategy;
};
static const struct more more_types[] = {
    {"oid", "integers(0, 100)"},
    {"money", "decimals(0, 1000, places=2)"},
    {"name", "text(max_size=20)"},
    {"time", "times()"},
    {"timetz", "times()"},
    {"bit", "from_regex(\"^[01]{1,8}$\")"},
    {"varbit", "from_regex(\"^[01]{0,8}$\")"},
    {"int4range", "sampled_from([\"[1,5)\", \"empty\", \"[3,)\", \"(,10)\"])"},
    {"int8range", "sampled_from([\"[1,5)\", \"empty\", \"[3,)\", \"(,10)\"])"},
    {"numrange", "sampled_from([\"[1,5)\", \"empty\", \"[2.5,)\", \"(,10)\"])"},
    {"daterange", "sampled_from([\"[2024-01-01,2024-02-01)\", \"empty\", \"[2024-01-15,)\"])"},
    {"tsrange", "sampled_from([\"[2024-01-01,2024-02-01)\", \"empty\", \"[2024-01-15,)\"])"},
    {"tstzrange", "sampled_from([\"[2024-01-01,2024-02-01)\", \"empty\", \"[2024-01-15,)\"])"},
    {"void", "none()"},
};

/* Values at which functions stop to be right: beside those of the type's strategy. */
static const struct more extremes[] = {
    {"int8", "sampled_from([0, 1, -1, 2147483648, 9007199254740993, 9223372036854775807])"},
    {"int4", "sampled_from([0, 1, -1, 2, 1000, 2147483647])"},
    {"numeric", "sampled_from([0, 1, -1, \"0.005\", \"1000000.01\", "
                "9007199254740993])"},
    {"timestamptz", "just(\"now\")"},
    {"timestamp", "just(\"now\")"},
    {"date", "just(\"today\")"},
    {"json", "integers(4, 40).map(nested)"},
    {"jsonb", "integers(4, 40).map(nested)"},
};

/* The strategy, and seldom such a value. */
static const char *with_extremes(struct arena *arena, struct value facts, const char *strategy)
{
    const char *base = fact_text(facts, "base");
    for (size_t i = 0; base && i < sizeof extremes / sizeof *extremes; i++) {
        if (strcmp(base, extremes[i].type) == 0) {
            return arena_printf(arena, "one_of(%s, %s, %s)", strategy, strategy,
                                extremes[i].strategy);
        }
    }
    return strategy;
}

/* A value that PostgreSQL reads as one of the type; text if the type is unknown. */
static const char *scalar(struct arena *arena, struct value facts)
{
    const char *base = fact_text(facts, "base");
    const struct pgtype *type = pgtype_named(base ? base : "");
    if (fact_list(facts, "labels").count > 0) {
        return arena_printf(arena, "sampled_from(%s)", literal(arena, fact_value(facts, "labels")));
    }
    for (size_t i = 0; base && i < sizeof more_types / sizeof *more_types; i++) {
        if (strcmp(base, more_types[i].type) == 0) {
            return more_types[i].strategy;
        }
    }
    if (type->pattern) {
        return arena_printf(
            arena, "from_regex(%s)",
            literal(arena, value_text(arena, arena_printf(arena, "^(%s)$", type->pattern))));
    }
    return type->strategy ? type->strategy : "text(max_size=20)";
}

/* A dict of values: `names` and `strategies` with commas between them. */
static const char *dict_of(struct arena *arena, const char *names, const char *strategies)
{
    return arena_printf(arena, "builds(lambda *v: dict(zip([%s], v)), %s)", names, strategies);
}

static const char *plain_type(struct arena *arena, struct value facts);

static const char *row_type(struct arena *arena, struct value facts)
{
    struct items fields = fact_list(facts, "fields");
    struct strbuf names = {0};
    struct strbuf strategies = {0};
    for (size_t i = 0; i < fields.count; i++) {
        strbuf_addf(&names, "%s%s", i ? ", " : "",
                    literal(arena, fact_value(fields.items[i], "name")));
        strbuf_addf(&strategies, "%sor_none(%s)", i ? ", " : "",
                    plain_type(arena, fields.items[i]));
    }
    const char *text =
        fields.count ? dict_of(arena, strbuf_text(&names), strbuf_text(&strategies)) : "just({})";
    strbuf_free(&names);
    strbuf_free(&strategies);
    return text;
}

/* Any value of a type: a scalar, a list for an array, a dict for a composite. The query describes
 * composites one level deep. */
static const char *plain_type(struct arena *arena, struct value facts) // NOLINT(misc-no-recursion)
{
    struct value element = fact_value(facts, "element");
    return fact_text(facts, "row") ? row_type(arena, facts)
           : element.type == VALUE_DICT
               ? arena_printf(arena, "lists(%s, max_size=3)", plain_type(arena, element))
               : scalar(arena, facts);
}

size_t free_place(const struct table_plan *table, const char *column)
{
    struct items columns = fact_list(table->facts, "columns");
    size_t i = 0;
    while (i < columns.count && !value_is_string(fact_value(columns.items[i], "name"), column)) {
        i++;
    }
    return i;
}

const char *free_key_of_row(const struct free_plan *plan, const struct table_plan *table)
{
    struct items key = fact_list(table->facts, "key");
    struct strbuf out = {0};
    for (size_t i = 0; i < key.count; i++) {
        strbuf_addf(&out, "%sr[%zu]", i ? ", " : "", free_place(table, value_cstr(key.items[i])));
    }
    const char *text = strbuf_take(&out, plan->arena);
    return key.count == 1 ? text : arena_printf(plan->arena, "(%s)", text);
}

const char *free_of_row(const struct free_plan *plan, const struct table_plan *table,
                        const char *column, const char *strategy)
{
    const char *rows = arena_printf(plan->arena, "rows_by_key[%s]",
                                    literal(plan->arena, fact_value(table->facts, "name")));
    return arena_printf(plan->arena, "%s[of][%zu] if of in %s else %s", rows,
                        free_place(table, column), rows, strategy);
}

/* Any value that the column may have; NULL if it can't be drawn. */
static const char *any_of_column(const struct free_plan *plan, const struct table_plan *table,
                                 const char *name)
{
    struct value column = plan_column(table, name);
    const char *path = arena_printf(plan->arena, "%s.%s", table->name, name);
    return fact_is(column, "drawn") && !fact_is(column, "unknown")
               ? arena_printf(plan->arena, "column(%s)",
                              literal(plan->arena, value_text(plan->arena, path)))
               : NULL;
}

static const char *any_of_key(const struct free_plan *plan, const struct table_plan *table,
                              const char *name)
{
    struct value column = plan_column(table, name);
    const char *any = any_of_column(plan, table, name);
    return any ? any : fact_is(column, "counted") ? "integers(0, 9)" : scalar(plan->arena, column);
}

const char *free_key(const struct free_plan *plan, const struct table_plan *table)
{
    struct items key = fact_list(table->facts, "key");
    struct strbuf any = {0};
    if (key.count == 0) {
        return NULL;
    }
    for (size_t i = 0; i < key.count; i++) {
        strbuf_addf(&any, "%s%s", i ? ", " : "", any_of_key(plan, table, value_cstr(key.items[i])));
    }
    const char *other = strbuf_take(&any, plan->arena);
    return arena_printf(plan->arena, key.count == 1 ? "known(%s, %s)" : "known(%s, tuples(%s))",
                        table->variable, other);
}

/* Values of the column that rows have, or that it may have, or any of the type. */
static const char *column_strategy(const struct free_plan *plan, struct value column,
                                   const char *any)
{
    const struct table_plan *table = plan_table(plan->plan, fact_text(column, "of"));
    const char *name = fact_text(column, "name");
    const char *drawn = table ? any_of_column(plan, table, name) : NULL;
    return !table ? any
                  : arena_printf(plan->arena,
                                 "one_of(%s, %s, sampled_from([r[%zu] for r in "
                                 "rows_by_key[%s].values()]), %s)",
                                 drawn ? drawn : any, drawn ? drawn : any, free_place(table, name),
                                 literal(plan->arena, fact_value(table->facts, "name")), any);
}

/* A value for an input that may stand for a column. */
static const char *meant(const struct free_plan *plan, struct value input, const char *any)
{
    struct value column = fact_value(input, "column");
    const struct table_plan *table = column.type == VALUE_DICT && fact_is(column, "key")
                                         ? plan_table(plan->plan, fact_text(column, "table"))
                                         : NULL;
    struct items tables = fact_list(input, "tables");
    struct strbuf keys = {0};
    if (table && fact_list(table->facts, "key").count == 1) {
        return arena_printf(plan->arena, "known(%s, %s)", table->variable, any);
    }
    if (column.type == VALUE_DICT) {
        return column_strategy(plan, column, any);
    }
    for (size_t i = 0; i < tables.count; i++) {
        table = plan_table(plan->plan, value_cstr(tables.items[i]));
        if (table) {
            strbuf_addf(&keys, "%s, ", table->variable);
        }
    }
    return keys.size
               ? arena_printf(plan->arena, "one_of(%s%s)", strbuf_take(&keys, plan->arena), any)
               : any;
}

/* JSON with the members that the function's text names. */
static const char *json_strategy(const struct free_plan *plan, struct value arg)
{
    static const char any[] =
        "one_of(text(max_size=9), integers(0, 100), json_values(max_depth=1))";
    struct items members = fact_list(arg, "members");
    struct strbuf names = {0};
    struct strbuf values = {0};
    for (size_t i = 0; i < members.count; i++) {
        strbuf_addf(&names, "%s%s", i ? ", " : "",
                    literal(plan->arena, fact_value(members.items[i], "name")));
        strbuf_addf(&values, "%sor_none(%s)", i ? ", " : "", meant(plan, members.items[i], any));
    }
    const char *dict = members.count
                           ? dict_of(plan->arena, strbuf_text(&names), strbuf_text(&values))
                           : "json_values()";
    strbuf_free(&names);
    strbuf_free(&values);
    return members.count
               ? arena_printf(plan->arena, "one_of(%s, %s, lists(%s, max_size=2), json_values())",
                              dict, dict, dict)
               : dict;
}

static bool is_text(const char *base)
{
    return base && (strcmp(base, "text") == 0 || strcmp(base, "varchar") == 0);
}

const char *free_arg(const struct free_plan *plan, struct value function, struct value arg)
{
    const char *base = fact_text(arg, "base");
    struct value words = fact_value(fact_list(arg, "words").count ? arg : function,
                                    "words"); /* names of tables, or its own */
    struct value element = fact_value(arg, "element");
    const char *any = with_extremes(plan->arena, arg, plain_type(plan->arena, arg));
    if (base && (strcmp(base, "json") == 0 || strcmp(base, "jsonb") == 0)) {
        return with_extremes(plan->arena, arg, json_strategy(plan, arg));
    }
    if ((is_text(base) || fact_list(arg, "words").count) && value_items(words).count > 0) {
        any = arena_printf(plan->arena, "one_of(sampled_from(%s), %s)", literal(plan->arena, words),
                           any);
    }
    if (element.type == VALUE_DICT && !fact_text(element, "row")) {
        return arena_printf(plan->arena, "lists(%s, max_size=3)",
                            meant(plan, arg, plain_type(plan->arena, element)));
    }
    const char *table = fact_text(arg, "table"); /* a row of it */
    return table && plan_table(plan->plan, table) && !plan_table(plan->plan, table)->why_not
               ? arena_printf(plan->arena, "row(%s)",
                              literal(plan->arena, fact_value(arg, "table")))
               : meant(plan, arg, any);
}

const char *free_keep(const struct free_plan *plan, const struct table_plan *table,
                      const char *condition)
{
    return arena_printf(
        plan->arena, "|\n  for r in %s:\n      rows_by_key[%s][%s] = r",
        *condition ? arena_printf(plan->arena, "[r for r in result.rows%s]", condition)
                   : "result.rows",
        literal(plan->arena, fact_value(table->facts, "name")), free_key_of_row(plan, table));
}

const char *free_refresh(const struct free_plan *plan, const struct table_plan *table,
                         const char *condition)
{
    return arena_printf(plan->arena,
                        "|\n  found = {%s: r for r in result.rows}\n"
                        "  rows_by_key[%s].update(found)\n"
                        "  forget(%s, found)%s",
                        free_key_of_row(plan, table),
                        literal(plan->arena, fact_value(table->facts, "name")), table->variable,
                        condition);
}

const char *free_unknown(const struct free_plan *plan, const struct table_plan *table)
{
    return arena_printf(plan->arena, " if %s not in %s", free_key_of_row(plan, table),
                        table->variable);
}

const char *free_returns(const struct free_plan *plan, const struct table_plan *table,
                         const char *condition)
{
    return arena_printf(plan->arena, "multiple(*[%s for r in result.rows%s])",
                        free_key_of_row(plan, table), condition);
}

static void add_wrong(struct strbuf *out, const char *strategy)
{
    strbuf_addf(out, "%s%s", out->size ? ", " : "", strategy);
}

/* Values that some row has: those of all columns of a unique index. */
static const char *copy_of_row(const struct free_plan *plan, const struct table_plan *table,
                               struct items columns, const char *method)
{
    struct strbuf out = {0};
    const char *first = value_cstr(columns.items[0]);
    for (size_t i = 0; i < columns.count; i++) {
        const char *name = value_cstr(columns.items[i]);
        strbuf_addf(&out, "%s%s: r[%zu]%s", i ? ", " : "", literal(plan->arena, columns.items[i]),
                    free_place(table, name), method);
    }
    return arena_printf(
        plan->arena, "sampled_from([{%s} for r in rows_by_key[%s].values() if r[%zu] != None])",
        strbuf_take(&out, plan->arena), literal(plan->arena, fact_value(table->facts, "name")),
        free_place(table, first));
}

/* One value after the other: a dict for each. */
static const char *wrong_of(const struct free_plan *plan, const struct table_plan *table,
                            struct value column, struct value limits)
{
    const struct writer writer = writer_for(plan->plan, table, NULL);
    struct arena *arena = plan->arena;
    const char *checked = checked_column(&writer, column);
    struct value size = fact_value(limits, "size");
    struct value digits = fact_value(limits, "digits");
    struct items unique = fact_list(limits, "unique");
    struct items alike = fact_list(limits, "alike");
    struct strbuf out = {0};
    if (fact_is(column, "required")) {
        add_wrong(&out, "just({c: None})");
    }
    if (checked) {
        add_wrong(&out, checked);
    }
    if (size.type == VALUE_INT) {
        add_wrong(&out, arena_printf(arena, "just({c: \"x\" * %s})",
                                     literal(arena, value_int(size.as.integer + 1))));
    }
    if (digits.type == VALUE_INT) {
        add_wrong(&out, arena_printf(arena, "sampled_from([{c: \"1e%s\"}, {c: \"0.12345\"}])",
                                     literal(arena, digits)));
    }
    if (fact_is(limits, "enum")) {
        add_wrong(&out, "text(max_size=20).map(lambda v: {c: v})");
    }
    if (fact_is(limits, "refers")) {
        add_wrong(&out, arena_printf(arena, "%s.map(lambda v: {c: v})", scalar(arena, column)));
    }
    if (unique.count > 0) {
        add_wrong(&out, copy_of_row(plan, table, unique, ""));
    }
    if (alike.count > 0) {
        add_wrong(&out, copy_of_row(plan, table, alike, ".upper()"));
    }
    return out.size ? strbuf_take(&out, arena) : NULL;
}

struct value free_limits(struct value relation, struct value column)
{
    struct value limits = fact_value(relation, "limits");
    struct value of =
        limits.type == VALUE_DICT ? fact_value(limits, fact_text(column, "name")) : value_none();
    return of.type == VALUE_DICT ? of : column; /* which has none */
}

const char *free_add_wrong(const struct free_plan *plan, const struct table_plan *table,
                           struct value relation, struct strbuf *out)
{
    struct items columns = fact_list(table->facts, "columns");
    struct strbuf names = {0};
    struct strbuf cases = {0};
    for (size_t i = 0; i < columns.count; i++) {
        struct value column = columns.items[i];
        const char *name = literal(plan->arena, fact_value(column, "name"));
        const char *wrong = fact_is(column, "drawn")
                                ? wrong_of(plan, table, column, free_limits(relation, column))
                                : NULL;
        if (wrong) {
            strbuf_addf(&cases, "    if c == %s:\n        return one_of(%s)\n", name, wrong);
            strbuf_addf(&names, "%s%s", names.size ? ", " : "", name);
        }
    }
    if (out && names.size) {
        strbuf_addf(out,
                    "%s# What may be wrong with a value of the column.\n"
                    "def wrong_%s(c):\n%s    return just({})\n",
                    out->size ? "\n" : "", table->variable, strbuf_text(&cases));
    }
    strbuf_free(&cases);
    return names.size ? strbuf_take(&names, plan->arena) : NULL;
}
