#include "replay/quote.h"
#include "replay/script.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

#define END ";\n"

static const struct recorded_step *step_at(const struct script *script, size_t index)
{
    assert(index < script->recording->steps.count);
    return &script->recording->steps.items[index];
}

/* State for catching a statement's results. */

struct catching {
    struct script *script;
    const struct recorded_statement *statement;
    const struct variable *variables; /* the variables of its cells */
    size_t count;
    const char *const *columns;
};

static struct catching catching_of(struct script *script, size_t step, size_t statement)
{
    struct catching out = {
        .script = script,
        .statement = &script->recording->steps.items[step].statements.items[statement],
    };
    out.variables = variables_of(script, step, statement, &out.count);
    return out;
}

static void add_column(const struct catching *catching, size_t column, struct strbuf *out)
{
    assert(catching->columns != NULL);
    quote_identifier(out, catching->columns[column]);
}

/* pg_catalog.quote_nullable(id) AS user */
static void add_one_row(const struct catching *catching, struct strbuf *out)
{
    strbuf_adds(out, "SELECT ");
    for (size_t i = 0; i < catching->count; i++) {
        const struct variable *variable = &catching->variables[i];
        strbuf_adds(out, i ? ",\n       " : "");
        strbuf_adds(out, "pg_catalog.quote_nullable(");
        add_column(catching, variable->from.column, out);
        strbuf_adds(out, ") AS ");
        quote_identifier(out, variable->name);
    }
    strbuf_adds(out, catching->count > 1 ? "\nFROM " : " FROM ");
}

static bool is_first_of_column(const struct catching *catching, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (catching->variables[i].from.column == catching->variables[index].from.column) {
            return false;
        }
    }
    return true;
}

/* id[1] AS projects_1, id[2] AS projects_2, from one row of arrays */
static void add_several_rows(const struct catching *catching, const char *answer,
                             struct strbuf *out)
{
    const char *between = "";
    strbuf_adds(out, "SELECT ");
    for (size_t i = 0; i < catching->count; i++) {
        const struct variable *variable = &catching->variables[i];
        strbuf_adds(out, i ? ", " : "");
        add_column(catching, variable->from.column, out);
        strbuf_addf(out, "[%zu] AS ", variable->from.row + 1);
        quote_identifier(out, variable->name);
    }
    strbuf_adds(out, "\nFROM (SELECT ");
    for (size_t i = 0; i < catching->count; i++) {
        if (is_first_of_column(catching, i)) {
            size_t column = catching->variables[i].from.column;
            strbuf_addf(out, "%spg_catalog.array_agg(pg_catalog.quote_nullable(", between);
            add_column(catching, column, out);
            strbuf_adds(out, ")) AS ");
            add_column(catching, column, out);
            between = ", ";
        }
    }
    strbuf_adds(out, " FROM ");
    quote_identifier(out, answer);
    strbuf_adds(out, ") AS rows");
}

static void write_caught_query(const struct catching *catching, struct strbuf *out)
{
    struct script *script = catching->script;
    const char *answer = statement_free_name(script, catching->statement, "answer");
    statement_write_with(script, catching->statement, answer, catching->columns, out);
    strbuf_addc(out, '\n');
    if (catching->statement->rows == 1) {
        add_one_row(catching, out);
        quote_identifier(out, answer);
    } else {
        add_several_rows(catching, answer, out);
    }
    strbuf_adds(out, "\n\\gset\n");
}

void statement_write_raw(struct script *script, const struct recorded_statement *statement,
                         const char *prefix, struct strbuf *out)
{
    statement_write(script, statement, out);
    strbuf_addf(out, "\n\\gset %s\n", prefix);
    for (size_t i = 0; i < statement->columns.count; i++) {
        const char *name = statement->columns.items[i].name;
        strbuf_addf(out, "\\if :{?%s%s}\n", prefix, name);
        strbuf_addf(out, "SELECT pg_catalog.quote_literal(:'%s%s') AS \"%s%s\" \\gset\n", prefix,
                    name, prefix, name);
        strbuf_addf(out, "\\else\n\\set %s%s NULL\n\\endif\n", prefix, name);
    }
}

static void write_caught_row(const struct catching *catching, struct strbuf *out)
{
    statement_write_raw(catching->script, catching->statement, "answer_", out);
    for (size_t i = 0; i < catching->count; i++) {
        const struct variable *variable = &catching->variables[i];
        strbuf_addf(out, "\\set %s :answer_%s\n", variable->name,
                    catching->statement->columns.items[variable->from.column].name);
    }
}

static void write_statement(struct script *script, size_t step, size_t index)
{
    assert(index < step_at(script, step)->statements.count);
    struct strbuf *out = script->out;
    const struct recorded_statement *statement = &step_at(script, step)->statements.items[index];
    struct catching catching = catching_of(script, step, index);
    context_write(script, statement->context, END, out);
    if (statement->prepares) {
        statement_write_prepare(statement, out);
        strbuf_adds(out, END);
    }
    catching.columns = statement_columns(script, statement);
    if (catching.count == 0) {
        statement_write(script, statement, out);
        strbuf_adds(out, END);
    } else if (statement_is_query(statement)) {
        write_caught_query(&catching, out);
    } else {
        write_caught_row(&catching, out);
    }
}

void step_write_plain(struct script *script, size_t index, size_t count)
{
    deferred_again(script);
    for (size_t i = 0; i < count; i++) {
        write_statement(script, index, i);
    }
}

/* Steps that may fail. */

void step_begin(struct script *script, size_t index)
{
    script->doubtful = index > 0 && script->recording->changes.settings;
}

static const struct recorded_context *first_context(const struct recorded_step *step)
{
    return step->statements.count ? step->statements.items[0].context : step->deferred_context;
}

void step_ready(struct script *script, const struct recorded_step *step)
{
    deferred_again(script);
    context_write(script, first_context(step), END, script->out);
}

/* Writes a step whose predicted error occurred: it is rolled back. */
static void write_raised(struct script *script, const struct recorded_step *step)
{
    struct strbuf *out = script->out;
    step_ready(script, step);
    const struct recorded_context *context = script->context;
    if (script->outside) {
        attempt_write_plain(script, step, "");
        step_write_undo(script);
        return;
    }
    strbuf_adds(out, script->commits ? "" : "SAVEPOINT step" END);
    if (attempt_possible(step)) {
        attempt_write(script, step);
        strbuf_adds(out, END);
    } else {
        attempt_write_plain(script, step, "");
    }
    strbuf_adds(out, script->commits ? "ROLLBACK" END : "ROLLBACK TO SAVEPOINT step" END);
    script->context = context;
}

/* Writes a step that might have raised an error, but did not. */
static void write_unsure(struct script *script, size_t index)
{
    struct strbuf *out = script->out;
    const struct recorded_step *step = step_at(script, index);
    step_ready(script, step);
    strbuf_adds(out, script->commits ? "" : "SAVEPOINT step" END);
    strbuf_adds(out, "\\set ON_ERROR_STOP off\n");
    step_write_plain(script, index, step->statements.count);
    if (script->outside) {
        step_write_undo(script);
    } else {
        deferred_write(script, step);
        /* after an error, COMMIT does a ROLLBACK */
        strbuf_adds(out, script->commits ? "COMMIT" END
                                         : "\\if :ERROR\nROLLBACK TO SAVEPOINT step" END
                                           "\\endif\n");
    }
    strbuf_adds(out, "\\set ON_ERROR_STOP on\n");
}

/* The comment. */

/* The step's index among those shown to the user, from 0. */
static size_t shown_index(const struct script *script, size_t index)
{
    size_t shown = 0;
    for (size_t i = 0; i < index; i++) {
        const struct recorded_step *step = step_at(script, i);
        shown += step->kind == RECORDED_STEP && !step->rule->initialize;
    }
    return shown;
}

static void add_rule(struct script *script, size_t index, struct strbuf *text)
{
    const struct recorded_step *step = step_at(script, index);
    size_t shown = shown_index(script, index);
    if (step->rule->initialize || shown >= script->failure->steps.count) {
        strbuf_adds(text, step->rule->name);
        return;
    }
    strbuf_addf(text, "%zu  ", shown + 1);
    trace_print_step(&script->failure->steps.items[shown], text);
}

void step_text(struct script *script, size_t index, struct strbuf *text)
{
    const struct recorded_step *step = step_at(script, index);
    switch (step->kind) {
    case RECORDED_DATASET:
        strbuf_addf(text, "dataset: %s", step->table);
        break;
    case RECORDED_STEP:
        add_rule(script, index, text);
        break;
    case RECORDED_CHECK:
        strbuf_addf(text, "invariant %s", step->invariant->name);
        break;
    case RECORDED_DEFERRED:
    default:
        strbuf_adds(text, "deferred constraints");
        break;
    }
}

void step_write_comment(struct script *script, size_t index)
{
    struct strbuf text = {0};
    step_text(script, index, &text);
    comment_line(script->out, strbuf_text(&text));
    strbuf_free(&text);
}

static bool continues_dataset(const struct script *script, size_t index)
{
    const struct recorded_step *step = step_at(script, index);
    const struct recorded_step *last = index ? step_at(script, index - 1) : NULL;
    return last && step->kind == RECORDED_DATASET && last->kind == RECORDED_DATASET &&
           strcmp(step->table, last->table) == 0;
}

/* True within the dataset, which is one transaction, including the check of its deferred
 * constraints. */
static bool shares_transaction(const struct script *script, size_t index)
{
    const struct recorded_step *step = step_at(script, index);
    const struct recorded_step *last = index ? step_at(script, index - 1) : NULL;
    return last && last->kind == RECORDED_DATASET &&
           (step->kind == RECORDED_DATASET || step->kind == RECORDED_DEFERRED);
}

static void write_isolation(const char *level, struct strbuf *out)
{
    strbuf_adds(out, level ? " ISOLATION LEVEL " : "");
    for (; level && *level; level++) {
        strbuf_addc(out, (char)toupper((unsigned char)*level));
    }
}

void step_write_begin(struct script *script, size_t index)
{
    const struct rule *rule = step_at(script, index)->rule;
    script->outside = script->session = rule && rule->outside;
    if (step_at(script, index)->now) {
        clock_write(step_at(script, index)->now, script->out);
    }
    if (script->commits && !shares_transaction(script, index)) {
        strbuf_adds(script->out, script->outside ? "" : "BEGIN");
        write_isolation(rule ? isolation_name(rule->isolation) : NULL, script->out);
        strbuf_adds(script->out, script->outside ? "" : END);
        script->context = NULL; /* the last transaction's settings ended with it */
        script->defer_again = NULL;
    }
}

/* The context's settings are the session's. */
static void write_end_outside(struct script *script)
{
    script->doubtful = script->recording->changes.settings;
    context_write(script, NULL, END, script->out);
    script->outside = script->session = false;
}

void step_write_undo(struct script *script)
{
    if (script->outside) {
        write_end_outside(script);
    } else {
        strbuf_adds(script->out, "ROLLBACK" END);
    }
}

/* Writes the end of a successful step, with the check of its deferred constraints. */
static void write_commit(struct script *script, size_t index)
{
    if (script->outside) {
        write_end_outside(script);
    } else if (!script->commits) {
        deferred_write(script, step_at(script, index));
    } else if (index + 1 == script->recording->steps.count ||
               !shares_transaction(script, index + 1)) {
        strbuf_adds(script->out, "COMMIT" END);
    }
}

void step_write(struct script *script, size_t index)
{
    const struct recorded_step *step = step_at(script, index);
    bool nothing = step->statements.count == 0 && !deferred_possible(script, step);
    step_begin(script, index);
    if (step->kind == RECORDED_CHECK && (nothing || !script->recording->checks)) {
        return;
    }
    if (step->kind == RECORDED_DEFERRED && nothing && !script->commits) {
        return;
    }
    if (!continues_dataset(script, index)) {
        strbuf_addc(script->out, '\n');
        step_write_comment(script, index);
    }
    if (step->death) {
        death_write_pid(script);
    }
    if (step->death == DEATH_WITHIN) {
        death_write(script, "The next session ends in the middle of the step.");
        step_write_begin(script, index);
        death_write_within(script, index);
        return;
    }
    step_write_begin(script, index);
    if (step->raised) {
        write_raised(script, step);
    } else if (step->death == DEATH_BEFORE) {
        step_write_plain(script, index, step->statements.count);
    } else if (step->raises.errors.count) {
        write_unsure(script, index);
    } else {
        step_write_plain(script, index, step->statements.count);
        write_commit(script, index);
    }
    if (step->death) {
        death_write(script, "The client dies. Another one takes its place.");
    }
}
