#include "pgtypes/pgtypes.h"
#include "replay/quote.h"
#include "replay/script.h"

#include <string.h>

/* The names of the WITH queries, which do not occur in the statement. */
struct rows {
    struct script *script;
    const struct recorded_statement *statement;
    const char *const *columns;
    const char *answer;
    const char *actual;
    const char *expected;
    const char *missing;
    const char *unexpected;
    bool ordered;         /* the order of rows matters */
    const bool *left_out; /* ignored columns; NULL if there are none */
};

/* Only called if a statement's answer failed, so there is a statement. */
static struct rows rows_of(struct script *script)
{
    static const struct recorded_statement none;
    const struct recorded_statement *last = recording_last_statement(script->recording);
    const struct recorded_statement *statement = last ? last : &none;
    return (struct rows){
        .script = script,
        .statement = statement,
        .columns = statement_columns(script, statement),
        .answer = statement_free_name(script, statement, "answer"),
        .actual = statement_free_name(script, statement, "actual"),
        .expected = statement_free_name(script, statement, "expected"),
        .missing = statement_free_name(script, statement, "missing"),
        .unexpected = statement_free_name(script, statement, "unexpected"),
    };
}

/* True if its values, or those of its arrays, may be equal although their texts differ, and have an
 * order or a hash. Others are compared as text. */
static bool is_compared(const char *title)
{
    size_t size = strcspn(title, "["); /* an array counts like its elements */
    for (size_t i = 0; i < pgtype_count; i++) {
        if (strncmp(pgtypes[i].title, title, size) == 0 && !pgtypes[i].title[size]) {
            return !pgtypes[i].as_text;
        }
    }
    return false;
}

/* The type in which a column is compared. */
static const char *type_of(const struct recorded_column *column)
{
    if (column->class == COLUMN_JSON) {
        return "jsonb";
    }
    if (strcmp(column->type, "json[]") == 0) {
        return "jsonb[]";
    }
    return is_compared(column->type) ? column->type : "text";
}

static bool is_cast(const struct recorded_column *column)
{
    return strcmp(type_of(column), column->type) != 0;
}

static bool is_left_out(const struct rows *rows, size_t column)
{
    return rows->left_out && rows->left_out[column];
}

/* True if some column is cast for the comparison. */
static bool any_cast(const struct rows *rows)
{
    for (size_t i = 0; i < rows->statement->columns.count; i++) {
        if (is_cast(&rows->statement->columns.items[i]) || is_left_out(rows, i)) {
            return true;
        }
    }
    return false;
}

static void add_name_and_columns(const struct rows *rows, const char *name, bool ordered,
                                 struct strbuf *out)
{
    quote_identifier(out, name);
    strbuf_adds(out, ordered ? " (place" : " (");
    for (size_t i = 0; i < rows->statement->columns.count; i++) {
        strbuf_adds(out, i || ordered ? ", " : "");
        quote_identifier(out, rows->columns[i]);
    }
    strbuf_addc(out, ')');
}

/* The first row has casts to the types. For arrays and composites compared as text, these give the
 * server's form: '{"a"}' becomes {a}. */
static void add_cell(const struct rows *rows, const struct recorded_column *column,
                     const struct recorded_value *value, bool first, struct strbuf *out)
{
    const char *type = type_of(column);
    struct recorded_value typed = *value;
    typed.type = type;
    if (column->class == COLUMN_CONTAINER && value->type && strcmp(type, "text") == 0) {
        value_write_typed(rows->script, value, value->type, out);
        strbuf_adds(out, "::pg_catalog.text");
    } else if (first) {
        value_write_typed(rows->script, value, type, out);
    } else {
        value_write(rows->script, &typed, out);
    }
}

/* "(1, 'a'::text)" */
static void add_values_row(const struct rows *rows, const struct recorded_rows *expected,
                           size_t row, struct strbuf *out)
{
    strbuf_addc(out, '(');
    if (expected->ordered) {
        strbuf_addf(out, "%zu, ", row + 1);
    }
    for (size_t i = 0; i < expected->columns; i++) {
        const struct recorded_column *column = &rows->statement->columns.items[i];
        const struct recorded_value *value = &expected->cells.items[row * expected->columns + i];
        strbuf_adds(out, i ? ", " : "");
        add_cell(rows, column, value, row == 0, out);
    }
    strbuf_addc(out, ')');
}

static void add_expected(const struct rows *rows, const struct recorded_rows *expected,
                         struct strbuf *out)
{
    size_t count = expected->columns ? expected->cells.count / expected->columns : 0;
    strbuf_adds(out, ", ");
    add_name_and_columns(rows, rows->expected, expected->ordered, out);
    strbuf_adds(out, " AS (\n    VALUES ");
    for (size_t i = 0; i < count; i++) {
        strbuf_adds(out, i ? ",\n           " : "");
        add_values_row(rows, expected, i, out);
    }
    strbuf_adds(out, "\n)");
}

static void add_selected(const struct rows *rows, const char *from, bool ordered,
                         struct strbuf *out)
{
    if (!any_cast(rows)) {
        strbuf_adds(out, "TABLE ");
        quote_identifier(out, from);
        return;
    }
    strbuf_adds(out, ordered ? "SELECT place, " : "SELECT ");
    for (size_t i = 0; i < rows->statement->columns.count; i++) {
        const struct recorded_column *column = &rows->statement->columns.items[i];
        strbuf_adds(out, i ? ", " : "");
        if (is_left_out(rows, i)) {
            strbuf_addf(out, "NULL::%s AS ", type_of(column));
            quote_identifier(out, rows->columns[i]);
            continue;
        }
        quote_identifier(out, rows->columns[i]);
        if (is_cast(column)) {
            quote_cast(out, type_of(column));
        }
    }
    strbuf_adds(out, " FROM ");
    quote_identifier(out, from);
}

static void add_difference(const struct rows *rows, const char *name, const char *from,
                           const char *without, struct strbuf *out)
{
    strbuf_adds(out, ", ");
    quote_identifier(out, name);
    strbuf_adds(out, " AS (\n    ");
    add_selected(rows, from, rows->ordered, out);
    strbuf_adds(out, " EXCEPT ALL ");
    add_selected(rows, without, rows->ordered, out);
    strbuf_adds(out, "\n)");
}

/* Adds the answer as the WITH query `name`. */
static void add_answer(const struct rows *rows, const char *name, struct strbuf *out)
{
    if (statement_is_query(rows->statement)) {
        statement_write_with(rows->script, rows->statement, name, rows->columns, out);
        return;
    }
    strbuf_adds(out, "WITH ");
    add_name_and_columns(rows, name, false, out);
    strbuf_adds(out, " AS (\n    VALUES (");
    for (size_t i = 0; i < rows->statement->columns.count; i++) {
        const struct recorded_column *column = &rows->statement->columns.items[i];
        strbuf_addf(out, "%s:actual_%s", i ? ", " : "", column->name);
        quote_cast(out, column->type);
    }
    strbuf_adds(out, ")\n)");
}

static void add_actual(const struct rows *rows, struct strbuf *out)
{
    if (!rows->ordered) {
        add_answer(rows, rows->actual, out);
        return;
    }
    add_answer(rows, rows->answer, out);
    strbuf_adds(out, ", ");
    add_name_and_columns(rows, rows->actual, true, out);
    strbuf_adds(out, " AS (\n    SELECT pg_catalog.row_number() OVER (), * FROM ");
    quote_identifier(out, rows->answer);
    strbuf_adds(out, "\n)");
}

/* Appends an expression for all rows of a WITH query on one line: JSON contains no newlines. */
static void add_as_text(const char *from, struct strbuf *out)
{
    strbuf_adds(out, "coalesce(pg_catalog.string_agg(pg_catalog.row_to_json(");
    quote_identifier(out, from);
    strbuf_adds(out, ")::pg_catalog.text, ', '), 'none')");
}

static void add_both_texts(const struct rows *rows, struct strbuf *out)
{
    const char *const names[] = {rows->missing, rows->unexpected};
    static const char *const variables[] = {"missing", "unexpected"};
    for (size_t i = 0; i < 2; i++) {
        strbuf_adds(out, ",\n       (SELECT ");
        add_as_text(names[i], out);
        strbuf_adds(out, " FROM ");
        quote_identifier(out, names[i]);
        strbuf_addf(out, ") AS %s", variables[i]);
    }
}

void rows_write(struct script *script, const struct recorded_rows *expected)
{
    struct strbuf *out = script->out;
    struct rows rows = rows_of(script);
    rows.ordered = expected->ordered;
    rows.left_out = expected->left_out;
    add_actual(&rows, out);
    add_expected(&rows, expected, out);
    add_difference(&rows, rows.missing, rows.expected, rows.actual, out);
    add_difference(&rows, rows.unexpected, rows.actual, rows.expected, out);
    strbuf_adds(out, "\nSELECT NOT EXISTS (TABLE ");
    quote_identifier(out, rows.missing);
    strbuf_adds(out, ") AND NOT EXISTS (TABLE ");
    quote_identifier(out, rows.unexpected);
    strbuf_adds(out, ") AS ok");
    add_both_texts(&rows, out);
    strbuf_adds(out, "\n\\gset\n");
}

void rows_write_none(struct script *script)
{
    struct strbuf *out = script->out;
    struct rows rows = rows_of(script);
    add_answer(&rows, rows.unexpected, out);
    strbuf_adds(out, "\nSELECT NOT EXISTS (TABLE ");
    quote_identifier(out, rows.unexpected);
    strbuf_adds(out, ") AS ok,\n       ");
    add_as_text(rows.unexpected, out);
    strbuf_adds(out, " AS unexpected\nFROM ");
    quote_identifier(out, rows.unexpected);
    strbuf_adds(out, "\n\\gset\n");
}

/* "coalesce(name::pg_catalog.text OPERATOR(pg_catalog.<>) 'a', true)" */
void comparison_write(struct script *script, const char *subject, struct strbuf *out)
{
    const struct recorded_comparison *comparison = script->recording->check->comparison;
    if (comparison->value.null) {
        strbuf_adds(out, subject);
        strbuf_adds(out,
                    comparison->null ? " IS NOT DISTINCT FROM NULL" : " IS DISTINCT FROM NULL");
        return;
    }
    strbuf_addf(out, "%s%s%s OPERATOR(pg_catalog.%s) ", comparison->null ? "coalesce(" : "",
                subject, comparison->cast, comparison->op);
    value_write(script, &comparison->value, out);
    strbuf_adds(out, comparison->null ? ", true)" : "");
}

void rows_write_comparison(struct script *script)
{
    struct strbuf *out = script->out;
    struct strbuf column = {0};
    struct rows rows = rows_of(script);
    add_answer(&rows, rows.answer, out);
    strbuf_adds(out, "\nSELECT ");
    if (script->recording->check->comparison->counts) {
        comparison_write(script, "pg_catalog.count(*)", out);
    } else {
        quote_identifier(&column, rows.columns[0]);
        strbuf_adds(out, "pg_catalog.count(*) OPERATOR(pg_catalog.=) 1\n       AND "
                         "coalesce(pg_catalog.bool_and(");
        comparison_write(script, strbuf_text(&column), out);
        strbuf_adds(out, "), false)");
    }
    strbuf_adds(out, " AS ok,\n       ");
    add_as_text(rows.answer, out);
    strbuf_adds(out, " AS actual\nFROM ");
    quote_identifier(out, rows.answer);
    strbuf_adds(out, "\n\\gset\n");
    strbuf_free(&column);
}
