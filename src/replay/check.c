#include "replay/quote.h"
#include "replay/script.h"

#include "machine/conditions.h"

#include <inttypes.h>
#include <string.h>

/* What the last step is asked. */
enum question {
    QUESTION_NO_ROWS,  /* it returns none */
    QUESTION_ROWS,     /* it returns the expected ones */
    QUESTION_OTHER,    /* it returns other rows than those that a check did not hold for */
    QUESTION_AFFECTED, /* it changes as many as expected */
    QUESTION_OTHER_COUNT,
    QUESTION_ERROR, /* it raises the predicted error, or none */
    QUESTION_TIME,  /* it is done in time */
    QUESTION_NONE,  /* SQL can't tell */
};

static const struct recorded_step *last_step(const struct recording *recording)
{
    return &recording->steps.items[recording->steps.count - 1];
}

static const struct recorded_statement *last_statement(const struct recording *recording)
{
    const struct recorded_step *step = last_step(recording);
    size_t count = step->statements.count;
    return count ? &step->statements.items[count - 1] : NULL;
}

static enum question check_question(const struct recording *recording)
{
    const struct recorded_check *check = recording->check;
    if (!check->answered) {
        return QUESTION_NONE;
    }
    if (check->rows.columns) {
        return QUESTION_OTHER;
    }
    return check->count < 0 ? QUESTION_NONE : QUESTION_OTHER_COUNT;
}

static enum question question_of(const struct failure *failure)
{
    const struct recording *recording = failure->recording;
    switch (failure->kind) {
    case FAILURE_UNEXPECTED_ERROR:
    case FAILURE_MISSING_ERROR:
    case FAILURE_DIFFERENT_ERROR:
        return QUESTION_ERROR;
    case FAILURE_TIMEOUT:
        return QUESTION_TIME;
    case FAILURE_INVARIANT:
    case FAILURE_EXPECT:
    case FAILURE_CHECK:
        if (recording->check) {
            return check_question(recording);
        }
        if (recording->expected) {
            return recording->expected->cells.count ? QUESTION_ROWS : QUESTION_NO_ROWS;
        }
        return recording->affected >= 0 ? QUESTION_AFFECTED : QUESTION_NO_ROWS;
    case FAILURE_CONNECTION:
    default:
        return QUESTION_NONE;
    }
}

static bool asks_for_rows(enum question question)
{
    return question == QUESTION_NO_ROWS || question == QUESTION_ROWS || question == QUESTION_OTHER;
}

bool replay_possible(const struct failure *failure, const char **why)
{
    *why = NULL;
    if (failure->flaky) {
        *why = "it does not fail every time";
    } else if (!failure->recording) {
        *why = failure->kind == FAILURE_CONNECTION ? "the server went away"
                                                   : "it needs what an earlier example left behind";
    } else if (question_of(failure) == QUESTION_NONE) {
        *why = "what failed is about the model alone";
    } else if (asks_for_rows(question_of(failure)) &&
               !statement_can_catch(last_statement(failure->recording))) {
        *why = "psql can't catch what the statement returns";
    }
    return *why == NULL;
}

/* Rows. */

/* The names of the WITH queries, so chosen that the statement has no such names. */
struct rows {
    struct script *script;
    const struct recorded_statement *statement;
    const char *const *columns;
    const char *answer;
    const char *actual;
    const char *expected;
    const char *missing;
    const char *unexpected;
};

/* Asked only where a statement's answer failed, so there is one. */
static struct rows rows_of(struct script *script)
{
    static const struct recorded_statement none;
    const struct recorded_statement *last = last_statement(script->recording);
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

/* Types whose values may be the same where their texts differ, and which have an order or a hash
 * for it: others are compared as text. */
static const char *const compared_by_type[] = {
    "character",
    "date",
    "time without time zone",
    "time with time zone",
    "timestamp without time zone",
    "timestamp with time zone",
    "interval",
    "uuid",
    "inet",
    "cidr",
    "macaddr",
    "macaddr8",
    "money",
    "bit",
    "bit varying",
    "citext",
    "pg_lsn",
    "tsvector",
    "tsquery",
    "int4range",
    "int8range",
    "numrange",
    "daterange",
    "tsrange",
    "tstzrange",
    "smallint",
    "integer",
    "bigint",
    "oid",
    "numeric",
    "real",
    "double precision",
    "boolean",
    "text",
    "character varying",
    "name",
    "bytea",
    "jsonb",
};

static bool is_compared_by_type(const char *type)
{
    size_t size = strlen(type);
    while (size > 2 && strncmp(type + size - 2, "[]", 2) == 0) {
        size -= 2;
    }
    for (size_t i = 0; i < sizeof compared_by_type / sizeof *compared_by_type; i++) {
        if (strlen(compared_by_type[i]) == size && memcmp(compared_by_type[i], type, size) == 0) {
            return true;
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
    return is_compared_by_type(column->type) ? column->type : "text";
}

static bool is_cast(const struct recorded_column *column)
{
    return strcmp(type_of(column), column->type) != 0;
}

static bool any_cast(const struct rows *rows)
{
    for (size_t i = 0; i < rows->statement->columns.count; i++) {
        if (is_cast(&rows->statement->columns.items[i])) {
            return true;
        }
    }
    return false;
}

static void add_name_and_columns(const struct rows *rows, const char *name, bool place,
                                 struct strbuf *out)
{
    quote_identifier(out, name);
    strbuf_adds(out, place ? " (place" : " (");
    for (size_t i = 0; i < rows->statement->columns.count; i++) {
        strbuf_adds(out, i || place ? ", " : "");
        quote_identifier(out, rows->columns[i]);
    }
    strbuf_addc(out, ')');
}

/* "(1, 'a'::text)"; the first row has the types. */
static void add_row(const struct rows *rows, const struct recorded_rows *expected, size_t row,
                    struct strbuf *out)
{
    strbuf_addc(out, '(');
    if (expected->ordered) {
        strbuf_addf(out, "%zu, ", row + 1);
    }
    for (size_t i = 0; i < expected->columns; i++) {
        const struct recorded_column *column = &rows->statement->columns.items[i];
        const struct recorded_value *value = &expected->cells.items[row * expected->columns + i];
        strbuf_adds(out, i ? ", " : "");
        if (row == 0) {
            value_write_typed(rows->script, value, type_of(column), out);
        } else {
            struct recorded_value typed = *value;
            typed.type = type_of(column);
            value_write(rows->script, &typed, out);
        }
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
        add_row(rows, expected, i, out);
    }
    strbuf_adds(out, "\n)");
}

static void add_selected(const struct rows *rows, const char *from, bool place, struct strbuf *out)
{
    if (!any_cast(rows)) {
        strbuf_adds(out, "TABLE ");
        quote_identifier(out, from);
        return;
    }
    strbuf_adds(out, place ? "SELECT place, " : "SELECT ");
    for (size_t i = 0; i < rows->statement->columns.count; i++) {
        const struct recorded_column *column = &rows->statement->columns.items[i];
        strbuf_adds(out, i ? ", " : "");
        quote_identifier(out, rows->columns[i]);
        if (is_cast(column)) {
            strbuf_addf(out, "::%s", type_of(column));
        }
    }
    strbuf_adds(out, " FROM ");
    quote_identifier(out, from);
}

static void add_difference(const struct rows *rows, const char *name, const char *from,
                           const char *without, struct strbuf *out)
{
    const struct recorded_rows *expected = rows->script->recording->expected;
    bool place = expected && expected->ordered;
    strbuf_adds(out, ", ");
    quote_identifier(out, name);
    strbuf_adds(out, " AS (\n    ");
    add_selected(rows, from, place, out);
    strbuf_adds(out, " EXCEPT ALL ");
    add_selected(rows, without, place, out);
    strbuf_adds(out, "\n)");
}

/* The answer, as the WITH query `name`. */
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
        strbuf_addf(out, "%s:actual_%s::%s", i ? ", " : "", column->name, column->type);
    }
    strbuf_adds(out, ")\n)");
}

static void add_actual(const struct rows *rows, struct strbuf *out)
{
    const struct recorded_rows *expected = rows->script->recording->expected;
    if (!expected || !expected->ordered) {
        add_answer(rows, rows->actual, out);
        return;
    }
    add_answer(rows, rows->answer, out);
    strbuf_adds(out, ", ");
    add_name_and_columns(rows, rows->actual, true, out);
    strbuf_adds(out, " AS (\n    SELECT row_number() OVER (), * FROM ");
    quote_identifier(out, rows->answer);
    strbuf_adds(out, "\n)");
}

/* All rows of a WITH query on one line: JSON has no line ends in it. */
static void add_as_text(const char *from, struct strbuf *out)
{
    strbuf_adds(out, "coalesce(string_agg(row_to_json(");
    quote_identifier(out, from);
    strbuf_adds(out, ")::text, ', '), 'none')");
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

/* The rows are (or, where a check did not hold for them, are not) those of `expected`. */
static void write_rows(struct script *script, const struct recorded_rows *expected, bool same)
{
    struct strbuf *out = script->out;
    struct rows rows = rows_of(script);
    add_actual(&rows, out);
    add_expected(&rows, expected, out);
    add_difference(&rows, rows.missing, rows.expected, rows.actual, out);
    add_difference(&rows, rows.unexpected, rows.actual, rows.expected, out);
    strbuf_adds(out, same ? "\nSELECT NOT EXISTS (TABLE " : "\nSELECT EXISTS (TABLE ");
    quote_identifier(out, rows.missing);
    strbuf_adds(out, same ? ") AND NOT EXISTS (TABLE " : ") OR EXISTS (TABLE ");
    quote_identifier(out, rows.unexpected);
    strbuf_adds(out, ") AS ok");
    add_both_texts(&rows, out);
    strbuf_adds(out, "\n\\gset\n");
}

static void write_no_rows(struct script *script)
{
    struct strbuf *out = script->out;
    struct rows rows = rows_of(script);
    add_answer(&rows, rows.unexpected, out);
    strbuf_adds(out, "\nSELECT count(*) = 0 AS ok,\n       ");
    add_as_text(rows.unexpected, out);
    strbuf_adds(out, " AS unexpected\nFROM ");
    quote_identifier(out, rows.unexpected);
    strbuf_adds(out, "\n\\gset\n");
}

/* A check did not hold for an answer without rows. */
static void write_any_rows(struct script *script)
{
    struct strbuf *out = script->out;
    struct rows rows = rows_of(script);
    add_answer(&rows, rows.actual, out);
    strbuf_adds(out, "\nSELECT count(*) > 0 AS ok FROM ");
    quote_identifier(out, rows.actual);
    strbuf_adds(out, "\n\\gset\n");
}

static void ask_rows(struct script *script, enum question question)
{
    const struct recording *recording = script->recording;
    size_t last = recording->steps.count - 1;
    const struct recorded_statement *statement = last_statement(recording);
    step_write_plain(script, last, last_step(recording)->statements.count - 1);
    context_write(script, statement->context, ";\n", script->out);
    if (!statement_is_query(statement)) {
        statement_write_raw(script, statement, "actual_", script->out);
    }
    if (question == QUESTION_NO_ROWS) {
        write_no_rows(script);
    } else if (question == QUESTION_ROWS) {
        write_rows(script, recording->expected, true);
    } else if (recording->check->rows.cells.count) {
        write_rows(script, &recording->check->rows, false);
    } else {
        write_any_rows(script);
    }
    strbuf_adds(script->out, "ROLLBACK;\n");
}

/* Counts. */

static void ask_count(struct script *script, const char *operator, int64_t count)
{
    struct strbuf *out = script->out;
    size_t last = script->recording->steps.count - 1;
    step_write_plain(script, last, last_step(script->recording)->statements.count);
    strbuf_adds(out, "\\set affected :ROW_COUNT\nROLLBACK;\n");
    strbuf_addf(out, "SELECT :affected %s %" PRId64 " AS ok\n\\gset\n", operator, count);
}

/* Errors. */

/* A condition's SQLSTATEs: a few names stand for two, a category for a class. */
static void add_condition(const char *condition, struct strbuf *out)
{
    struct strbuf list = {0};
    size_t found = 0;
    for (size_t i = 0; i < condition_count; i++) {
        if (strcmp(conditions[i].name, condition) == 0) {
            strbuf_addf(&list, "%s'%s'", found++ ? ", " : "", conditions[i].sqlstate);
        }
    }
    if (!found) {
        strbuf_addf(&list, "'%s'", condition);
        found = 1;
    }
    const char *text = strbuf_text(&list);
    if (list.size == 7 && strncmp(text + 3, "000", 3) == 0) {
        strbuf_addf(out, ":'raised' LIKE '%.2s%%'", text + 1);
    } else {
        strbuf_addf(out, found > 1 ? ":'raised' IN (%s)" : ":'raised' = %s", text);
    }
    strbuf_free(&list);
}

/* What psql can know of a constraint or a table is the message that names it. */
static void add_message(const char *part, const char *quote, struct strbuf *out)
{
    struct strbuf text = {0};
    if (part) {
        strbuf_addf(&text, "%s%s%s", quote, part, quote);
        strbuf_adds(out, " AND strpos(:'message', ");
        quote_literal(out, strbuf_text(&text), text.size);
        strbuf_adds(out, ") > 0");
    }
    strbuf_free(&text);
}

/* Whether the error that came is told from the predicted one by its SQLSTATE. */
static bool differs_by_sqlstate(const struct recorded_step *step,
                                const struct predicted_error *error)
{
    return step->raised && error->condition && !condition_matches(error->condition, step->sqlstate);
}

static bool needs_message(const struct recorded_step *step)
{
    for (size_t i = 0; i < step->raises.errors.count; i++) {
        const struct predicted_error *error = &step->raises.errors.items[i];
        if (step->raised && !differs_by_sqlstate(step, error)) {
            return true;
        }
    }
    return false;
}

static void add_predicted(const struct recorded_step *step, const struct predicted_error *error,
                          struct strbuf *out)
{
    if (error->condition) {
        add_condition(error->condition, out);
    } else {
        strbuf_adds(out, ":'raised' <> '00000'");
    }
    if (step->raised && !differs_by_sqlstate(step, error)) {
        add_message(error->constraint, "\"", out);
        add_message(error->table, "\"", out);
        add_message(error->message, "", out);
    }
}

static void add_prediction(const struct recorded_step *step, struct strbuf *out)
{
    const struct prediction *raises = &step->raises;
    bool nothing = raises->may_succeed || raises->errors.count == 0;
    if (nothing) {
        strbuf_adds(out, ":'raised' = '00000'");
    }
    for (size_t i = 0; i < raises->errors.count; i++) {
        strbuf_adds(out, i || nothing ? "\n    OR " : "");
        add_predicted(step, &raises->errors.items[i], out);
    }
}

static int64_t time_limit(const struct script *script)
{
    const struct settings *settings = script->replay->settings;
    return script->failure->error.sqlstate[0] ? settings->statement_timeout_ms
                                              : settings->deadline_ms;
}

static void ask_error(struct script *script, enum question question)
{
    struct strbuf *out = script->out;
    const struct recorded_step *step = last_step(script->recording);
    step_ready(script, step);
    if (question == QUESTION_TIME) {
        strbuf_addf(out, "SET LOCAL statement_timeout = '%" PRId64 "ms';\n", time_limit(script));
    }
    strbuf_adds(out, "\\set ON_ERROR_STOP off\n");
    step_write_joined(script, step, out);
    strbuf_adds(out, "\\set raised :SQLSTATE\n");
    if (needs_message(step)) {
        strbuf_adds(out, "\\set message :LAST_ERROR_MESSAGE\n");
    }
    strbuf_adds(out, "\\set ON_ERROR_STOP on\nROLLBACK;\nSELECT ");
    if (question == QUESTION_TIME) {
        strbuf_adds(out, ":'raised' <> '57014'");
    } else {
        add_prediction(step, out);
    }
    strbuf_adds(out, " AS ok\n\\gset\n");
}

/* The whole. */

/* "-- expects no rows", "-- check: result.value >= 0" */
static void write_expectation(struct script *script)
{
    const struct failure *failure = script->failure;
    const struct recorded_check *check = script->recording->check;
    struct strbuf text = {0};
    if (check) {
        strbuf_addf(&text, "check: %s", check->text);
    } else if (question_of(failure) == QUESTION_ERROR || question_of(failure) == QUESTION_TIME) {
        strbuf_addf(&text, "expected: %s", failure->expected ? failure->expected : "no error");
    } else if (failure->invariant && failure->invariant->expect) {
        strbuf_addf(&text, "expect: %s", lang_snippet(failure->invariant->expect)->text);
    } else if (failure->rule && script->recording->expected) {
        strbuf_addf(&text, "expect: %s", lang_snippet(failure->rule->expect)->text);
    } else if (failure->expected) {
        strbuf_addf(&text, "expected: %s", failure->expected);
    }
    if (text.size) {
        comment_line(script->out, strbuf_text(&text));
    }
    if (check) {
        comment_line(script->out, "It did not hold for the answer below; another one passes.");
    }
    strbuf_free(&text);
}

void check_write(struct script *script)
{
    const struct recording *recording = script->recording;
    enum question question = question_of(script->failure);
    strbuf_addc(script->out, '\n');
    step_write_comment(script, recording->steps.count - 1);
    write_expectation(script);
    if (asks_for_rows(question)) {
        ask_rows(script, question);
    } else if (question == QUESTION_AFFECTED) {
        ask_count(script, "=", recording->affected);
    } else if (question == QUESTION_OTHER_COUNT) {
        ask_count(script, "<>", recording->check->count);
    } else {
        ask_error(script, question);
    }
}

void check_write_diagnostics(struct script *script)
{
    struct strbuf *out = script->out;
    const struct recording *recording = script->recording;
    switch (question_of(script->failure)) {
    case QUESTION_NO_ROWS:
        strbuf_adds(out, "\\echo '# expected no rows, got:' :unexpected\n");
        break;
    case QUESTION_ROWS:
        strbuf_adds(out, "\\echo '# missing rows:   ' :missing\n"
                         "\\echo '# unexpected rows:' :unexpected\n");
        break;
    case QUESTION_AFFECTED:
        strbuf_addf(out, "\\echo '# expected %" PRId64 " rows, got' :affected\n",
                    recording->affected);
        break;
    case QUESTION_ERROR:
        strbuf_adds(out, "\\echo '# expected ");
        tap_text(out, script->failure->expected ? script->failure->expected : "no error");
        strbuf_adds(out, ", got SQLSTATE' :raised\n");
        break;
    case QUESTION_TIME:
        strbuf_addf(out, "\\echo '# it took longer than %" PRId64 " ms'\n", time_limit(script));
        break;
    case QUESTION_OTHER:
    case QUESTION_OTHER_COUNT:
        strbuf_adds(out, "\\echo '# a check does not hold: ");
        tap_text(out, recording->check->text);
        strbuf_adds(out, "'\n");
        break;
    case QUESTION_NONE:
    default:
        break;
    }
}
