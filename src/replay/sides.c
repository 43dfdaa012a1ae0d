/* Writes a script that prints what each step is answered, for two databases: psql runs it on each,
 * and a diff of the outputs shows how they differ. */
#include "base/names.h"
#include "base/words.h"
#include "example/divergence.h"
#include "machine/sql/sql_study.h"
#include "replay/quote.h"
#include "replay/script.h"
#include "replay/sessions/queries.h"

#include <string.h>

#define END ";\n"
#define AFTER_IF "\\if :{?after}\n"
/* The rest of a step is skipped behind an error. */
#define UNLESS_FAILED "\\if :failed\n\\else\n"
#define NOTE_FAILED "\\set failed :ERROR\n"

enum { UUID_SIZE = 36 };

/* What is asked. */
struct question {
    const char *place; /* as in struct replay_natural */
    bool ordered;
    const struct variable *variables; /* that its answer sets */
    size_t count;
};

/* What differs by nature. */

static bool is_column(const struct replay_natural *natural, const char *place)
{
    return strcmp(natural->place, place) == 0 && natural->column;
}

/* Appends ARRAY['a', 'b'] of the place's columns; false: there are none. */
static bool add_natural(const struct script *script, const char *place, bool left_out,
                        struct strbuf *out)
{
    const struct replay_sides *sides = script->replay->sides;
    bool any = false;
    for (size_t i = 0; i < sides->natural_count; i++) {
        const struct replay_natural *natural = &sides->natural[i];
        if (is_column(natural, place) && natural->left_out == left_out) {
            strbuf_adds(out, any ? ", " : "ARRAY[");
            quote_literal(out, natural->column, strlen(natural->column));
            any = true;
        }
    }
    strbuf_adds(out, any ? "]" : "");
    return any;
}

static bool has_free_order(const struct script *script, const char *place)
{
    const struct replay_sides *sides = script->replay->sides;
    for (size_t i = 0; i < sides->natural_count; i++) {
        if (strcmp(sides->natural[i].place, place) == 0 && !sides->natural[i].column) {
            return true;
        }
    }
    return false;
}

/* Answers. */

/* Prints the lines, an SQL expression, with names for what the server made. */
static void write_shown(struct script *script, const char *lines, const struct question *question)
{
    struct strbuf *out = script->out;
    struct strbuf made = {0};
    bool any = add_natural(script, question->place, false, &made);
    strbuf_addf(out, "SELECT * FROM pg_temp.shown(%s, %s, %s, ", lines,
                question->ordered ? "true" : "false", any ? strbuf_text(&made) : "'{}'");
    for (size_t i = 0; i < question->count; i++) {
        strbuf_adds(out, "pg_temp.note(");
    }
    strbuf_adds(out, ":'names'");
    for (size_t i = 0; i < question->count; i++) {
        const char *name = question->variables[i].name;
        strbuf_addf(out, ", '%s', :%s)", name, name);
    }
    strbuf_adds(out, ") \\gset\n\\echo :shown\n");
    strbuf_free(&made);
}

/* coalesce((array_agg(quote_nullable(id)))[1], 'NULL') AS orders_1 */
static void add_variables(const struct question *question, const char *const *columns,
                          struct strbuf *out)
{
    for (size_t i = 0; i < question->count; i++) {
        const struct variable *variable = &question->variables[i];
        strbuf_adds(out, ",\n       coalesce((pg_catalog.array_agg(pg_catalog.quote_nullable(");
        quote_identifier(out, columns[variable->from.column]);
        strbuf_addf(out, ")))[%zu], 'NULL') AS ", variable->from.row + 1);
        quote_identifier(out, variable->name);
    }
}

/* Whether two of the statement's columns have one name: an object of JSON has it once. */
static bool has_column_twice(const struct recorded_statement *statement)
{
    for (size_t i = 0; i < statement->columns.count; i++) {
        const char *name = statement->columns.items[i].name;
        if (name_index(name, ROWS_OF(statement->columns, name)) < i) {
            return true;
        }
    }
    return false;
}

/* Columns get other names only where a variable needs one: on the other side there may be more. */
static const char *const *renamed(const struct question *question,
                                  const struct recorded_statement *statement,
                                  const char *const *columns)
{
    for (size_t i = 0; i < question->count; i++) {
        size_t column = question->variables[i].from.column;
        if (strcmp(columns[column], statement->columns.items[column].name) != 0) {
            return columns;
        }
    }
    return NULL;
}

/* Appends ", ARRAY['id', 'total']" of the answer's columns; false: the other side can't have more.
 */
static bool add_columns(const struct recorded_statement *statement, const char *const *columns,
                        struct strbuf *out)
{
    const struct snippet *sql = &statement->sql->snippet;
    size_t count = statement->columns.count;
    if (count == 0 || !memchr(sql->text, '*', sql->size)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const char *name = columns ? columns[i] : statement->columns.items[i].name;
        strbuf_adds(out, i == 0 ? ", ARRAY[" : ", ");
        quote_literal(out, name, strlen(name));
    }
    strbuf_adds(out, "]");
    return true;
}

/* A json is a text, whose keys jsonb would sort. */
static void add_texts(const struct recorded_statement *statement, const char *const *names,
                      const char *answer, struct strbuf *out)
{
    for (size_t i = 0; i < statement->columns.count; i++) {
        const struct recorded_column *column = &statement->columns.items[i];
        if (strcmp(column->type, "json") == 0) {
            const char *name = names ? names[i] : column->name;
            strbuf_adds(out, " OPERATOR(pg_catalog.||) pg_catalog.jsonb_build_object(");
            quote_literal(out, name, strlen(name));
            strbuf_addf(out, ", %s.", answer);
            quote_identifier(out, name);
            strbuf_adds(out, "::pg_catalog.text)");
        }
    }
}

/* `statement`: NULL: a relation is read. */
static void write_lines(struct script *script, const struct question *question,
                        const struct recorded_statement *statement, const char *const *columns,
                        const char *answer)
{
    bool twice = statement && has_column_twice(statement);
    struct strbuf *out = script->out;
    struct strbuf left_out = {0};
    struct strbuf only = {0};
    bool any = add_natural(script, question->place, true, &left_out);
    const char *const *names = statement ? renamed(question, statement, columns) : NULL;
    bool row = twice && !any;
    bool more = statement && !row && add_columns(statement, names, &only);
    strbuf_addf(out, "\nSELECT coalesce(pg_catalog.array_agg((%s%s(%s.*)",
                more ? "pg_temp.only_columns(" : "",
                row ? "pg_catalog.row_to_json" : "pg_catalog.to_jsonb", answer);
    if (statement && !twice) {
        add_texts(statement, names, answer, out);
    }
    strbuf_adds(out, more ? strbuf_text(&only) : "");
    strbuf_adds(out, more ? ")" : "");
    strbuf_free(&only);
    if (any) {
        strbuf_addf(out, " OPERATOR(pg_catalog.-) %s", strbuf_text(&left_out));
    }
    strbuf_adds(out, ")::pg_catalog.text), '{}') AS lines");
    add_variables(question, columns, out);
    strbuf_addf(out, "\nFROM %s\n\\gset\n" NOTE_FAILED UNLESS_FAILED, answer);
    write_shown(script, ":'lines'", question);
    strbuf_adds(out, "\\endif\n");
    strbuf_free(&left_out);
}

static void write_query(struct script *script, const struct question *question,
                        const struct recorded_statement *statement)
{
    const char *answer = statement_free_name(script, statement, "answer");
    const char *const *columns = statement_columns(script, statement);
    statement_write_with(script, statement, answer, renamed(question, statement, columns),
                         script->out);
    write_lines(script, question, statement, columns, answer);
}

/* A statement that can't be a part of a query, and gives one row. */
static void write_row(struct script *script, const struct question *question,
                      const struct recorded_statement *statement)
{
    struct strbuf lines = {0};
    statement_write_raw(script, statement, "answer_", script->out);
    strbuf_adds(script->out, NOTE_FAILED UNLESS_FAILED);
    for (size_t i = 0; i < question->count; i++) {
        const struct variable *variable = &question->variables[i];
        strbuf_addf(script->out, "\\set %s :answer_%s\n", variable->name,
                    statement->columns.items[variable->from.column].name);
    }
    strbuf_adds(&lines, "ARRAY[pg_catalog.concat_ws(', '");
    for (size_t i = 0; i < statement->columns.count; i++) {
        strbuf_addf(&lines, ", :answer_%s", statement->columns.items[i].name);
    }
    strbuf_adds(&lines, ")]");
    write_shown(script, strbuf_text(&lines), question);
    strbuf_adds(script->out, "\\endif\n");
    strbuf_free(&lines);
}

/* psql prints what comes: rows, or what the statement did. */
static void write_plain(struct script *script, const struct recorded_statement *statement)
{
    strbuf_adds(script->out, "\\o\n");
    statement_write(script, statement, script->out);
    strbuf_adds(script->out, END NOTE_FAILED "\\o /dev/null\n");
}

static struct question question_of(const struct script *script, size_t step, size_t statement)
{
    const struct recorded_step *of = &script->recording->steps.items[step];
    const struct sql_template *sql = of->statements.items[statement].sql;
    struct question out = {
        .place = of->rule        ? of->rule->name
                 : of->invariant ? of->invariant->name
                                 : "",
    };
    out.ordered = !sql_has_no_order(&sql->snippet) && !has_free_order(script, out.place);
    out.variables = variables_of(script, step, statement, &out.count);
    return out;
}

/* Shows the columns with their types, which rows do not tell. */
static void write_types(struct script *script, const struct recorded_statement *statement)
{
    strbuf_adds(script->out, "\\o\n");
    statement_write(script, statement, script->out);
    strbuf_adds(script->out, "\n\\gdesc\n\\o /dev/null\n");
}

/* What the first database refused may be answered by the second one. */
static bool is_query(const struct recorded_statement *statement)
{
    const struct sql_template *sql = statement->sql;
    bool reads = sql->command && word_is_in(sql->command, "SELECT|VALUES|TABLE");
    return statement_is_query(statement) ||
           (reads && statement->status != ANSWER_OK && statement_runs_in_function(sql));
}

static void write_statement(struct script *script, size_t step, size_t index)
{
    const struct recorded_step *of = &script->recording->steps.items[step];
    const struct recorded_statement *statement = &of->statements.items[index];
    const struct question question = question_of(script, step, index);
    bool last = step + 1 == script->recording->steps.count && index + 1 == of->statements.count;
    context_write(script, statement->context, END, script->out);
    if (last && script->failure->divergence->kind == DIVERGES_COLUMN) {
        write_types(script, statement);
    }
    if (is_query(statement)) {
        write_query(script, &question, statement);
    } else if (question.count) {
        write_row(script, &question, statement);
    } else {
        write_plain(script, statement);
    }
}

/* Steps. */

static void write_echo(struct script *script, const char *text)
{
    strbuf_adds(script->out, "\\echo '");
    tap_text(script->out, text);
    strbuf_adds(script->out, "'\n");
}

static void write_title(struct script *script, size_t index)
{
    struct strbuf text = {0};
    strbuf_addc(script->out, '\n');
    step_write_comment(script, index);
    step_text(script, index, &text);
    write_echo(script, strbuf_text(&text));
    strbuf_free(&text);
}

/* As when it was found, both sides draw the same numbers from their sequences. */
static void write_align(struct script *script, size_t index)
{
    size_t number = 0;
    for (size_t i = 0; i <= index; i++) {
        number += script->recording->steps.items[i].kind == RECORDED_STEP;
    }
    if (script->replay->sides->scratch &&
        script->recording->steps.items[index].kind == RECORDED_STEP) {
        context_write_connecting(script, END, script->out);
        strbuf_addf(script->out, "SELECT pg_temp.align(%zu)" END, number);
    }
}

static void write_deferred(struct script *script, const struct recorded_step *step)
{
    struct strbuf *out = script->out;
    if (!deferred_possible(script, step) || script->commits) {
        return;
    }
    strbuf_adds(out, UNLESS_FAILED);
    context_write(script, step->deferred_context, END, out);
    strbuf_adds(out, step->deferral.by_savepoint ? "SAVEPOINT deferred" END : "");
    strbuf_adds(out, "SET CONSTRAINTS ALL IMMEDIATE" END NOTE_FAILED);
    if (step->deferral.by_savepoint) {
        strbuf_adds(out, UNLESS_FAILED "ROLLBACK TO SAVEPOINT deferred" END "\\endif\n");
    } else {
        script->defer_again = step->deferral.restore;
    }
    strbuf_adds(out, "\\endif\n");
}

/* Ends a step, whose error undoes it, and prints that. */
static void write_end_of_step(struct script *script)
{
    static const char tell[] = "SELECT * FROM :told_error \\gset\n\\echo :shown\n\\endif\n";
    struct strbuf *out = script->out;
    if (script->outside) {
        step_write_undo(script);
        strbuf_adds(out, "\\if :failed\n");
    } else if (script->commits) {
        strbuf_adds(out, "\\if :failed\nROLLBACK" END "\\else\nCOMMIT" END NOTE_FAILED
                         "\\endif\n\\if :failed\n");
    } else {
        strbuf_adds(out, "\\if :failed\nROLLBACK TO SAVEPOINT step" END);
    }
    strbuf_adds(out, tell);
    strbuf_adds(out, "\\set ON_ERROR_STOP on\n");
    script->doubtful = true; /* what the step set is undone or not */
}

static void begin_step(struct script *script)
{
    strbuf_adds(script->out, script->commits ? "" : "SAVEPOINT step" END);
    strbuf_adds(script->out, "\\set ON_ERROR_STOP off\n\\set failed off\n");
}

static void write_step(struct script *script, size_t index)
{
    const struct recorded_step *step = &script->recording->steps.items[index];
    write_title(script, index);
    step_write_begin(script, index);
    script->doubtful = index > 0;
    write_align(script, index);
    step_ready(script, step);
    if (!script->outside) {
        begin_step(script);
    } else {
        strbuf_adds(script->out, "\\set ON_ERROR_STOP off\n\\set failed off\n");
    }
    for (size_t i = 0; i < step->statements.count; i++) {
        strbuf_adds(script->out, i ? UNLESS_FAILED : "");
        write_statement(script, index, i);
        strbuf_adds(script->out, i ? "\\endif\n" : "");
    }
    write_deferred(script, step);
    write_end_of_step(script);
}

static const char *restore_of(const struct script *script)
{
    for (size_t i = 0; i < script->recording->steps.count; i++) {
        const struct recorded_step *step = &script->recording->steps.items[i];
        if (step->deferred && step->deferral.restore) {
            return step->deferral.restore;
        }
    }
    return NULL;
}

/* As psql would run it by itself: deferred constraints are checked at once. */
static void write_migration(struct script *script, size_t index)
{
    const struct replay_sides *sides = script->replay->sides;
    struct strbuf *out = script->out;
    write_title(script, index);
    script->doubtful = true;
    context_write(script, NULL, END, out);
    strbuf_adds(out, AFTER_IF);
    strbuf_adds(out, script->commits ? "" : "SET CONSTRAINTS ALL IMMEDIATE" END);
    script_write_files(script, sides->migration, sides->migration_count);
    session_write(script);
    strbuf_adds(out, "\\endif\n\\echo '    it has run, where there is one'\n");
    script->defer_again = script->commits ? NULL : restore_of(script);
}

static void write_recorded(struct script *script, size_t index)
{
    const struct recorded_step *step = &script->recording->steps.items[index];
    bool nothing = step->statements.count == 0 && !deferred_possible(script, step);
    bool check = step->kind == RECORDED_CHECK;
    bool last = index + 1 == script->recording->steps.count;
    if (step->kind == RECORDED_DATASET || (step->kind == RECORDED_DEFERRED && !last)) {
        step_write(script, index);
    } else if (step->rule && step->rule == script->replay->sides->step) {
        write_migration(script, index);
    } else if (!nothing && (!check || last || script->recording->checks)) {
        write_step(script, index);
    }
}

/* The state. */

static bool same_setting(struct script *script, const struct recorded_setting *recorded,
                         const struct backend_setting *setting)
{
    struct strbuf text = {0};
    for (size_t i = 0; i < recorded->value.parts.count; i++) {
        strbuf_add(&text, recorded->value.parts.items[i].text, recorded->value.parts.items[i].size);
    }
    bool same = strcmp(recorded->name, setting->name) == 0 &&
                strcmp(strbuf_text(&text), setting->value) == 0;
    strbuf_free(&text);
    (void)script;
    return same;
}

static bool same_text(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

static bool is_context(struct script *script, const struct recorded_context *recorded,
                       const struct backend_context *as)
{
    bool same = recorded && same_text(recorded->role, as->role) &&
                same_text(recorded->session_user, as->session_user) &&
                recorded->settings.count == as->setting_count;
    for (size_t i = 0; same && i < as->setting_count; i++) {
        same = same_setting(script, &recorded->settings.items[i], &as->settings[i]);
    }
    return same;
}

/* The context of a step, whose values may be variables. */
static const struct recorded_context *context_of(struct script *script,
                                                 const struct backend_context *as)
{
    for (size_t i = 0; as && i < script->recording->steps.count; i++) {
        const struct recorded_step *step = &script->recording->steps.items[i];
        for (size_t j = 0; j < step->statements.count; j++) {
            if (is_context(script, step->statements.items[j].context, as)) {
                return step->statements.items[j].context;
            }
        }
    }
    return NULL;
}

static void write_state(struct script *script)
{
    const struct divergence *divergence = script->failure->divergence;
    const struct question question = {.place = divergence->place};
    struct strbuf *out = script->out;
    struct strbuf text = {0};
    if (!divergence->sql) {
        return;
    }
    strbuf_addf(&text, "%s%s%s", divergence->place, divergence->context ? " " : "",
                divergence->context ? divergence->context : "");
    strbuf_addc(out, '\n');
    comment_line(out, strbuf_text(&text));
    write_echo(script, strbuf_text(&text));
    script->outside = false;
    strbuf_adds(out, script->commits ? "BEGIN" END : "");
    script->doubtful = true;
    begin_step(script);
    context_write(script, context_of(script, divergence->as), END, out);
    strbuf_addf(out, "WITH answer AS (\n    %s\n)", divergence->sql);
    write_lines(script, &question, NULL, NULL, "answer");
    write_end_of_step(script);
    strbuf_free(&text);
}

/* The beginning. */

static bool is_uuid(const char *text)
{
    for (size_t i = 0; i < UUID_SIZE; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? text[i] != '-' : !strchr("0123456789abcdef", text[i]) || !text[i]) {
            return false;
        }
    }
    return true;
}

/* What the steps themselves send is the same on both sides, and shown as it is. */
static void add_sent(const struct script *script, const struct recorded_value *value,
                     struct strbuf *names)
{
    for (size_t i = 0; i < value->parts.count; i++) {
        const struct recorded_part *part = &value->parts.items[i];
        for (size_t at = 0; at + UUID_SIZE <= part->size; at++) {
            if (is_uuid(part->text + at) && !variable_of(script, part->cell)) {
                strbuf_addf(names, "%s\"%.*s\": \"%.*s\"", names->size ? ", " : "", UUID_SIZE,
                            part->text + at, UUID_SIZE, part->text + at);
            }
        }
    }
}

static void write_names(struct script *script)
{
    struct strbuf names = {0};
    for (size_t i = 0; i < script->recording->steps.count; i++) {
        const struct recorded_step *step = &script->recording->steps.items[i];
        for (size_t j = 0; j < step->statements.count; j++) {
            const struct recorded_statement *statement = &step->statements.items[j];
            for (size_t k = 0; k < statement->values.count; k++) {
                add_sent(script, &statement->values.items[k], &names);
            }
        }
    }
    strbuf_addf(script->out, "\\set names '{%s}'\n", strbuf_text(&names));
    strbuf_free(&names);
}

static void write_functions(struct script *script)
{
    struct strbuf *out = script->out;
    strbuf_addf(out, "\n%s", replay_sides);
    if (script->replay->sides->scratch) {
        strbuf_addf(out,
                    "\nCREATE FUNCTION pg_temp.align(step pg_catalog.int8) RETURNS void\n"
                    "    LANGUAGE plpgsql AS $align$\nDECLARE\n    query text := (\n%s\n);\n"
                    "BEGIN\n    IF query IS NOT NULL THEN\n        EXECUTE query USING step;\n"
                    "    END IF;\nEND $align$;\n",
                    replay_align);
    }
}

static void write_files(struct script *script)
{
    const struct replay *replay = script->replay;
    if (replay->file_count || replay->sides->file_count) {
        strbuf_adds(script->out, "\n" AFTER_IF);
        script_write_files(script, replay->sides->files, replay->sides->file_count);
        strbuf_adds(script->out, "\\else\n");
        script_write_files(script, replay->files, replay->file_count);
        strbuf_adds(script->out, "\\endif\n");
    }
}

static void write_begin(struct script *script)
{
    struct strbuf *out = script->out;
    strbuf_adds(out, "\n\\set ON_ERROR_STOP on\n"
                     "\\set ON_ERROR_ROLLBACK off\n"
                     "\\set QUIET on\n"
                     "\\encoding UTF8\n"
                     "\\pset format unaligned\n"
                     "\\pset tuples_only on\n"
                     "\\pset null NULL\n"
                     "\\set QUIET off\n"
                     "\\o /dev/null\n");
    clock_write_begin(script);
    if (script->commits) {
        script_write_guard(script);
    } else {
        deferred_write_list(script);
        strbuf_adds(out, "\nBEGIN;\nSET LOCAL client_min_messages = warning;\n");
    }
    write_files(script);
    session_write(script);
    write_functions(script);
    strbuf_addc(out, '\n');
    write_names(script);
    strbuf_adds(out, "\\set told_error 'pg_temp.shown(ARRAY[pg_catalog.concat(''error '', "
                     ":''LAST_ERROR_SQLSTATE'', '': '', :''LAST_ERROR_MESSAGE'')], false, ''{}'', "
                     ":''names'')'\n");
    write_echo(script, arena_printf(&script->arena, "%s: %s", script->machine->name,
                                    script->failure->identity));
}

void sides_write(struct script *script)
{
    write_begin(script);
    for (size_t i = 0; i < script->recording->steps.count; i++) {
        write_recorded(script, i);
    }
    write_state(script);
    strbuf_adds(script->out, script->commits ? "" : "\nROLLBACK" END);
}
