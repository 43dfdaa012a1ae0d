#include "example/divergence.h"
#include "replay/quote.h"
#include "replay/script.h"
#include "replay/sessions/sessions.h"

#include "machine/conditions.h"

#include <inttypes.h>
#include <string.h>

/* The check of the last step. */
enum question {
    QUESTION_NO_ROWS,  /* it returns no rows */
    QUESTION_ROWS,     /* it returns the expected ones */
    QUESTION_TRUE,     /* a check is true for its rows */
    QUESTION_SAME,     /* it returns the rows for which a check was false */
    QUESTION_AFFECTED, /* it changes the expected number of rows */
    QUESTION_SAME_COUNT,
    QUESTION_ERROR,      /* it raises the predicted error, or none */
    QUESTION_TIME,       /* it ends in time */
    QUESTION_CONNECTION, /* the connection survives it */
    QUESTION_NONE,       /* SQL can't decide */
};

static enum question check_question(const struct recording *recording)
{
    const struct recorded_check *check = recording->check;
    if (!check->answered) {
        return QUESTION_NONE;
    }
    if (check->comparison) {
        return QUESTION_TRUE;
    }
    if (check->rows.columns) {
        return QUESTION_SAME;
    }
    return check->count < 0 ? QUESTION_NONE : QUESTION_SAME_COUNT;
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
        return QUESTION_CONNECTION;
    case FAILURE_RACE:
    case FAILURE_DIFFERS:
    default:
        return QUESTION_NONE;
    }
}

static bool asks_for_rows(const struct failure *failure)
{
    enum question question = question_of(failure);
    return question == QUESTION_NO_ROWS || question == QUESTION_ROWS || question == QUESTION_SAME ||
           (question == QUESTION_TRUE &&
            recording_last_statement(failure->recording)->columns.count);
}

bool check_only_recognises(const struct failure *failure)
{
    enum question question = question_of(failure);
    return question == QUESTION_SAME || question == QUESTION_SAME_COUNT;
}

const char *replay_note(const struct failure *failure)
{
    return failure->kind == FAILURE_RACE ? "the script recognises the answers that no order "
                                           "explains; it can't judge any other"
           : check_only_recognises(failure)
               ? "SQL can't ask what the check asks: the script recognises the answer that it did "
                 "not hold for, and can't judge any other"
               : NULL;
}

/* Why sessions can't be replayed; NULL if they can. */
static const char *no_sessions(const struct recording *recording)
{
    for (size_t i = 0; i < recording->steps.count; i++) {
        const struct recorded_step *step = &recording->steps.items[i];
        if (step->session && step->rule->outside) {
            return "a session runs a step outside of a transaction";
        }
        for (size_t j = 0; step->session && j < step->statements.count; j++) {
            if (step->statements.items[j].executes) {
                return "a session runs a statement that it prepared before the schema changed";
            }
        }
    }
    return sessions_depend(recording) ? "a session sends what the database made for it" : NULL;
}

bool replay_has_spec(const struct failure *failure)
{
    bool dies = false;
    for (size_t i = 0; failure->kind == FAILURE_RACE && i < failure->recording->steps.count; i++) {
        const struct recorded_step *step = &failure->recording->steps.items[i];
        dies = dies || (step->session && step->death);
    }
    return failure->kind == FAILURE_RACE && !dies;
}

bool replay_possible(const struct failure *failure, const char **why)
{
    *why = NULL;
    if (failure->flaky) {
        *why = "it does not fail every time";
    } else if (!failure->recording) {
        *why = failure->kind == FAILURE_CONNECTION ? "the server went away"
               : failure->leftover                 ? "it needs what an earlier example left behind"
                                                   : "it could not be run again to write one";
    } else if (recording_ends_within(failure->recording) && failure->recording->sessions) {
        *why = "one of several sessions ends in the middle of a step";
    } else if (failure->kind == FAILURE_RACE) {
        *why = no_sessions(failure->recording);
    } else if (failure->kind == FAILURE_DIFFERS) {
        *why = failure->divergence->kind == DIVERGES_NOTIFY
                   ? "psql shows no notifications of what is rolled back"
                   : NULL;
    } else if (failure->recording->check && failure->recording->check->notified) {
        *why = "SQL can't ask for notifications";
    } else if (question_of(failure) == QUESTION_NONE) {
        *why = "what failed concerns only the model";
    } else if (asks_for_rows(failure) &&
               !statement_can_catch(recording_last_statement(failure->recording))) {
        *why = "psql can't catch what the statement returns";
    }
    return *why == NULL;
}

/* Rows. */

static void ask_rows(struct script *script, enum question question)
{
    const struct recording *recording = script->recording;
    size_t last = recording->steps.count - 1;
    const struct recorded_statement *statement = recording_last_statement(recording);
    step_write_plain(script, last, recording_last_step(recording)->statements.count - 1);
    context_write(script, statement->context, ";\n", script->out);
    if (!statement_is_query(statement)) {
        statement_write_raw(script, statement, "actual_", script->out);
    }
    const struct recorded_rows *rows =
        question == QUESTION_SAME ? &recording->check->rows : recording->expected;
    if (question == QUESTION_TRUE) {
        rows_write_comparison(script);
    } else if (question == QUESTION_NO_ROWS || rows->cells.count == 0) {
        rows_write_none(script);
    } else {
        rows_write(script, rows);
    }
    step_write_undo(script);
}

/* Counts. */

static void ask_affected(struct script *script)
{
    struct strbuf *out = script->out;
    size_t last = script->recording->steps.count - 1;
    step_write_plain(script, last, recording_last_step(script->recording)->statements.count);
    strbuf_adds(out, "\\set affected :ROW_COUNT\n");
    step_write_undo(script);
    strbuf_adds(out, REPLAY_OWN_PATH);
}

static void ask_count(struct script *script, int64_t count)
{
    ask_affected(script);
    strbuf_addf(script->out, "SELECT :affected = %" PRId64 " AS ok\n\\gset\n", count);
}

static void ask_comparison_of_count(struct script *script)
{
    ask_affected(script);
    strbuf_adds(script->out, "SELECT ");
    comparison_write(script, ":affected", script->out);
    strbuf_adds(script->out, " AS ok\n\\gset\n");
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

/* psql only knows a constraint or a table from the message. */
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

/* True if the SQLSTATEs of the actual and the predicted error differ. */
static bool differs_by_sqlstate(const struct recorded_step *step,
                                const struct predicted_error *error)
{
    return step->raised && error->condition && !condition_matches(error->condition, step->sqlstate);
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

bool check_attempts(const struct script *script)
{
    return question_of(script->failure) == QUESTION_ERROR &&
           attempt_possible(recording_last_step(script->recording));
}

static void ask_error(struct script *script, enum question question)
{
    struct strbuf *out = script->out;
    const struct recorded_step *step = recording_last_step(script->recording);
    step_ready(script, step);
    if (question == QUESTION_TIME) {
        strbuf_addf(out, "SET%s statement_timeout = '%" PRId64 "ms';\n",
                    script->outside ? "" : " LOCAL", time_limit(script));
    }
    if (check_attempts(script)) {
        attempt_write(script, step);
        strbuf_adds(out, "\n\\gset\n");
    } else {
        attempt_write_plain(script, step,
                            "\\set raised :SQLSTATE\n\\set message :LAST_ERROR_MESSAGE\n");
    }
    step_write_undo(script);
    strbuf_adds(out, REPLAY_OWN_PATH "SELECT ");
    if (question == QUESTION_TIME) {
        strbuf_adds(out, ":'raised' <> '57014'");
    } else {
        add_prediction(step, out);
    }
    strbuf_adds(out, " AS ok");
    if (question == QUESTION_ERROR) {
        strbuf_adds(
            out, ",\n       CASE :'raised' WHEN '00000' THEN 'no error'\n"
                 "           ELSE 'SQLSTATE ' || :'raised' || ', ' || regexp_replace(:'message', "
                 "'[[:cntrl:][:space:]]+', ' ', 'g')\n"
                 "       END AS got");
    }
    strbuf_adds(out, "\n\\gset\n");
}

/* If the connection is lost, psql exits by itself with status 2. */
static void ask_connection(struct script *script)
{
    struct strbuf *out = script->out;
    const struct recorded_step *step = recording_last_step(script->recording);
    step_ready(script, step);
    strbuf_adds(out, "\\echo '# " REPLAY_LOSS "'\n");
    attempt_write_plain(script, step, "");
    step_write_undo(script);
    strbuf_adds(out, "SELECT true AS ok\n\\gset\n");
}

/* The whole check. */

/* Of the statement or the rule. */
static const char *rule_expect_text(const struct failure *failure)
{
    const struct lang_code *code = failure->rule->expect;
    for (size_t i = 0; i < failure->rule->statements.count; i++) {
        const struct lang_code *own = failure->rule->statements.items[i].expect;
        code = own && snippet_pos(lang_snippet(own), 0).offset == failure->pos.offset ? own : code;
    }
    return lang_snippet(code)->text;
}

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
        strbuf_addf(&text, "expect: %s", rule_expect_text(failure));
    } else if (failure->expected) {
        strbuf_addf(&text, "expected: %s", failure->expected);
    }
    if (text.size) {
        comment_line(script->out, strbuf_text(&text));
    }
    if (check_only_recognises(failure)) {
        comment_line(script->out,
                     "SQL can't ask this. The script only recognises the answer that it did not "
                     "hold for.");
    }
    strbuf_free(&text);
}

void check_write(struct script *script)
{
    const struct recording *recording = script->recording;
    enum question question = question_of(script->failure);
    strbuf_addc(script->out, '\n');
    step_begin(script, recording->steps.count - 1);
    step_write_comment(script, recording->steps.count - 1);
    write_expectation(script);
    step_write_begin(script, recording->steps.count - 1);
    if (asks_for_rows(script->failure)) {
        ask_rows(script, question);
    } else if (question == QUESTION_CONNECTION) {
        ask_connection(script);
    } else if (question == QUESTION_TRUE) {
        ask_comparison_of_count(script);
    } else if (question == QUESTION_AFFECTED) {
        ask_count(script, recording->affected);
    } else if (question == QUESTION_SAME_COUNT) {
        ask_count(script, recording->check->count);
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
        strbuf_adds(out, ", got' :got\n");
        break;
    case QUESTION_TIME:
        strbuf_addf(out, "\\echo '# it took longer than %" PRId64 " ms'\n", time_limit(script));
        break;
    case QUESTION_TRUE:
        strbuf_adds(out, "\\echo '# expected: ");
        tap_text(out, recording->check->text);
        strbuf_adds(out, recording_last_statement(recording)->columns.count
                             ? "'\n\\echo '# got:' :actual\n"
                             : "'\n\\echo '# rows that it changed:' :affected\n");
        break;
    case QUESTION_SAME:
    case QUESTION_SAME_COUNT:
        strbuf_adds(out, "\\echo '# a check does not hold: ");
        tap_text(out, recording->check->text);
        strbuf_adds(out, "'\n");
        break;
    case QUESTION_CONNECTION:
    case QUESTION_NONE:
    default:
        break;
    }
}
