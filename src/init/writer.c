#include "init/writer.h"

#include "pgtypes/pgtypes.h"

#include <string.h>

struct writer writer_for(const struct plan *plan, const struct table_plan *table,
                         struct strbuf *out)
{
    return (struct writer){
        .arena = plan->arena,
        .plan = plan,
        .table = table,
        .out = out,
        .columns = fact_list(table->facts, "columns"),
        .key = fact_list(table->facts, "key"),
        .rereads = fact_list(table->facts, "reread").count > 0,
    };
}

const char *columns_text(const struct writer *writer,
                         bool (*chosen)(const struct writer *writer, struct value column),
                         const char *fact, const char *prefix)
{
    struct strbuf out = {0};
    for (size_t i = 0; i < writer->columns.count; i++) {
        struct value column = writer->columns.items[i];
        if (chosen(writer, column)) {
            strbuf_addf(&out, "%s%s%s", out.size ? ", " : "", prefix,
                        *fact ? fact_text(column, fact)
                              : literal(writer->arena, fact_value(column, "name")));
        }
    }
    const char *text = out.size ? strbuf_copy(&out, writer->arena) : NULL;
    strbuf_free(&out);
    return text;
}

bool is_drawn(const struct writer *writer, struct value column)
{
    (void)writer;
    return fact_is(column, "drawn");
}

bool is_changed(const struct writer *writer, struct value column)
{
    return is_drawn(writer, column) && !fact_is(column, "fixed");
}

/* Every column that a row can set, also those with a sequence. */
bool is_given(const struct writer *writer, struct value column)
{
    return is_drawn(writer, column) || fact_is(column, "counted");
}

bool is_drawn_or_also(const struct writer *writer, struct value column)
{
    return is_drawn(writer, column) || fact_has(writer->also, fact_text(column, "name"));
}

bool is_key(const struct writer *writer, struct value column)
{
    return fact_has(writer->key, fact_text(column, "name"));
}

static const char *key_sql(const struct writer *writer, size_t index)
{
    return fact_text(plan_column(writer->table, value_cstr(writer->key.items[index])), "sql");
}

/* "t.a = :key_0 AND t.b = :key_1" */
const char *where_key(const struct writer *writer)
{
    struct strbuf out = {0};
    if (writer->key.count == 1) {
        return arena_printf(writer->arena, "t.%s = :key", key_sql(writer, 0));
    }
    for (size_t i = 0; i < writer->key.count; i++) {
        strbuf_addf(&out, "%st.%s = :key_%zu", i ? " AND " : "", key_sql(writer, i), i);
    }
    return strbuf_take(&out, writer->arena);
}

/* "key_0: 'key[0]', key_1: 'key[1]'", or NULL for a key of one column. */
const char *key_lets(const struct writer *writer)
{
    struct strbuf out = {0};
    if (writer->key.count == 1) {
        return NULL;
    }
    for (size_t i = 0; i < writer->key.count; i++) {
        strbuf_addf(&out, "%skey_%zu: 'key[%zu]'", i ? ", " : "", i, i);
    }
    return strbuf_take(&out, writer->arena);
}

const char *table_literal(const struct writer *writer)
{
    return literal(writer->arena, fact_value(writer->table->facts, "name"));
}

/* A strategy for JSON of a type of jsonb_typeof, or for a date. */
static const char *json_strategy(const char *type)
{
    static const struct {
        const char *type, *strategy;
    } rows[] = {
        {"number", "integers(0, 100)"},
        {"string", "text(max_size=9)"},
        {"date", "sampled_from([\"2000-01-01T00:00:00Z\", \"2024-02-29T12:30:00Z\"])"},
        {"boolean", "booleans()"},
        {"array", "lists(json_values(max_depth=1), max_size=3)"},
        {"object", "dictionaries(text(max_size=5), json_values(max_depth=1), max_size=3)"},
        {NULL, "one_of(text(max_size=9), integers(0, 100))"},
    };
    size_t i = 0;
    while (rows[i].type && (!type || strcmp(rows[i].type, type) != 0)) {
        i++;
    }
    return rows[i].strategy;
}

/* A strategy for JSON whose shape follows from a CHECK or a generated column: a type, or the
 * members that it mentions, with their types or, with `loose`, with any. */
static const char *shaped_strategy(const struct writer *writer, struct value column, bool loose)
{
    struct value members = fact_value(column, "members");
    struct strbuf names = {0};
    struct strbuf strategies = {0};
    size_t at = 0;
    const struct table_entry *entry;
    while (members.type == VALUE_DICT && (entry = table_next(members.as.table, &at))) {
        const char *type = entry->value.type == VALUE_STRING ? value_cstr(entry->value) : NULL;
        strbuf_addf(&names, "%s%s", names.size ? ", " : "", literal(writer->arena, entry->key));
        strbuf_addf(&strategies, ", %s", loose ? "json_values(max_depth=1)" : json_strategy(type));
    }
    const char *text = names.size
                           ? arena_printf(writer->arena, "builds(lambda *v: dict(zip([%s], v))%s)",
                                          strbuf_text(&names), strbuf_text(&strategies))
                           : json_strategy(fact_text(column, "shape"));
    strbuf_free(&names);
    strbuf_free(&strategies);
    return text;
}

/* Gives half of the JSON values with a known shape that shape. */
static const char *with_shapes(const struct writer *writer, const char *row)
{
    struct strbuf names = {0};
    struct strbuf strategies = {0};
    for (size_t i = 0; i < writer->columns.count; i++) {
        struct value column = writer->columns.items[i];
        if (fact_text(column, "shape") && fact_is(column, "drawn")) {
            const char *shaped = shaped_strategy(writer, column, false);
            strbuf_addf(&names, "%s%s", names.size ? ", " : "",
                        literal(writer->arena, fact_value(column, "name")));
            strbuf_addf(&strategies, ", one_of(%s, %s, %s, none())", shaped, shaped,
                        shaped_strategy(writer, column, true));
        }
    }
    if (names.size) {
        row = arena_printf(writer->arena,
                           "builds(lambda row, *v: row | {c: x for c, x in zip([%s], v) if x != "
                           "None}, %s%s)",
                           strbuf_text(&names), row, strbuf_text(&strategies));
    }
    strbuf_free(&names);
    strbuf_free(&strategies);
    return row;
}

/* Texts near the lengths in CHECKs, perhaps with a required beginning. */
static const char *long_values(const struct writer *writer, struct value column)
{
    struct items near = fact_list(column, "near");
    const char *start = near.count > 0 ? literal(writer->arena, near.items[0]) : "\"\"";
    return arena_printf(writer->arena,
                        "sampled_from(%s).flatmap(lambda n: integers(n - 1, n + 2))"
                        ".map(lambda n: {%s: (%s + \"x\" * n)[:n]})",
                        literal(writer->arena, fact_value(column, "lengths")),
                        literal(writer->arena, fact_value(column, "name")), start);
}

/* True if all lengths are larger than those of drawn texts. */
static bool is_about_long_ones(struct items lengths)
{
    enum { DRAWN_MAX = 20 };
    bool is = lengths.count > 0;
    for (size_t i = 0; is && i < lengths.count; i++) {
        is = lengths.items[i].type == VALUE_INT && lengths.items[i].as.integer > DRAWN_MAX;
    }
    return is;
}

static void add_alternative(struct strbuf *out, const char *strategy)
{
    strbuf_addf(out, "%s%s", out->size ? ", " : "", strategy);
}

/* Adds strategies for values that a CHECK may refuse: any value of the column, and the CHECK's
 * constants. "text().map(lambda v: {"name": v}), …" */
static void add_checked(const struct writer *writer, struct value column, struct strbuf *out)
{
    struct arena *arena = writer->arena;
    const char *name = literal(arena, fact_value(column, "name"));
    const char *checked = fact_text(column, "checked");
    const char *any = checked ? pgtype_named(checked)->strategy : NULL;
    struct items lengths = fact_list(column, "lengths");
    if (!any || !fact_is(column, "drawn") || fact_text(column, "shape")) {
        return;
    }
    if (!is_about_long_ones(lengths)) {
        add_alternative(out, arena_printf(arena, "%s.map(lambda v: {%s: v})", any, name));
    }
    if (fact_list(column, "near").count > 0) {
        add_alternative(out, arena_printf(arena, "sampled_from(%s).map(lambda v: {%s: v})",
                                          literal(arena, fact_value(column, "near")), name));
    }
    if (lengths.count > 0) {
        add_alternative(out, long_values(writer, column));
    }
}

const char *checked_column(const struct writer *writer, struct value column)
{
    struct strbuf out = {0};
    add_checked(writer, column, &out);
    return out.size ? strbuf_take(&out, writer->arena) : NULL;
}

/* Of all columns that no trigger sets; or NULL. Constants of `domains` may not fit the type. */
static const char *checked_values(const struct writer *writer, bool domains)
{
    struct strbuf out = {0};
    for (size_t i = 0; i < writer->columns.count; i++) {
        struct value column = writer->columns.items[i];
        if (!fact_is(column, "triggered") && (domains || !fact_is(column, "by_domain"))) {
            add_checked(writer, column, &out);
        }
    }
    return out.size ? strbuf_take(&out, writer->arena) : NULL;
}

static bool may_lack(const struct writer *writer, struct value column)
{
    return fact_is(column, "drawn") && fact_is(column, "required") &&
           !fact_is(column, "triggered") && !fact_is(writer->table->facts, "partitioned");
}

/* row() draws valid rows. One row in eight gets a NULL in a NOT NULL column, or a value that a
 * CHECK may refuse. */
static const char *with_faults(const struct writer *writer, const char *row)
{
    const char *values = checked_values(writer, true);
    const char *nulls = columns_text(writer, may_lack, "", "");
    if (!values && !nulls) {
        return row;
    }
    const char *null =
        nulls ? arena_printf(writer->arena, "sampled_from([%s]).map(lambda c: {c: None})", nulls)
              : "";
    return arena_printf(writer->arena,
                        "builds(lambda row, other: row | other, %s, one_of(just({}), just({}), "
                        "just({}), just({}), just({}), just({}), just({}), one_of(%s%s%s)))",
                        row, values ? values : "", values && nulls ? ", " : "", null);
}

/* Converts values to their stored form, because the model compares them. */
static const char *as_stored(const struct writer *writer, const char *row)
{
    bool has_forms = false;
    for (size_t i = 0; i < writer->columns.count; i++) {
        has_forms = has_forms || (fact_is(writer->columns.items[i], "form") &&
                                  fact_is(writer->columns.items[i], "drawn"));
    }
    return has_forms ? arena_printf(writer->arena, "%s.map(lambda row: db.stored(%s, row))", row,
                                    table_literal(writer))
                     : row;
}

static const char *row_strategy(const struct writer *writer)
{
    const char *row = arena_printf(writer->arena, "row(%s)", table_literal(writer));
    row = with_shapes(writer, row);
    return as_stored(
        writer, writer->wrong ? arena_printf(writer->arena, "or_wrong(%s, %s)", row, writer->wrong)
                              : with_faults(writer, row));
}

const char *strategy_without(const struct writer *writer, const char *without)
{
    const char *row =
        *without ? arena_printf(writer->arena, "row(%s, [%s])", table_literal(writer), without)
                 : arena_printf(writer->arena, "row(%s)", table_literal(writer));
    return as_stored(writer, with_shapes(writer, row));
}

const char *fitting_strategy(const struct writer *writer) { return strategy_without(writer, ""); }

const char *changes_strategy(const struct writer *writer)
{
    const char *values = checked_values(writer, false);
    return values ? arena_printf(writer->arena, "one_of(just({}), %s)", values) : "just({})";
}

const char *checked_arg(const struct writer *writer, const char *name)
{
    const char *values = checked_values(writer, true);
    const char *row =
        with_shapes(writer, arena_printf(writer->arena, "row(%s)", table_literal(writer)));
    row = values ? arena_printf(writer->arena,
                                "builds(lambda row, a, b: row | a | b, %s, one_of(%s), one_of(%s))",
                                row, values, values)
                 : row;
    return arena_printf(writer->arena, "%s: '%s'", name,
                        in_quotes(writer->arena, as_stored(writer, row)));
}

const char *row_arg(const struct writer *writer, const char *name)
{
    return arena_printf(writer->arena, "%s: '%s'", name,
                        in_quotes(writer->arena, row_strategy(writer)));
}
