/*
 * A script being written. Private to this module; README.md says which file writes what.
 */
#ifndef REPLAY_SCRIPT_H
#define REPLAY_SCRIPT_H

#include "replay/recording/recording.h"
#include "replay/replay.h"

/* The last error message of a script while the bug is there. */
#define REPLAY_VERDICT "the bug is there"
/* Precedes the script's own statements, so that only pg_catalog is on the path (pg/own.h). Within
 * the user's queries, the script qualifies names of pg_catalog instead. */
#define REPLAY_OWN_PATH "SET search_path = pg_catalog, pg_temp;\n"
/* A TAP comment before the connection should be lost. */
#define REPLAY_LOSS "while the bug is there the server closes the connection here"

/* A psql variable that holds a cell as a quoted constant (or NULL). */
struct variable {
    unsigned cell;
    const char *name;
    struct recorded_cell from;
};

struct script {
    struct strbuf *out;
    struct arena arena;
    const struct replay *replay;
    const struct machine *machine;
    const struct failure *failure;
    const struct recording *recording;
    VEC(struct variable) variables;         /* sorted by cell */
    VEC(const char *) settings;             /* that the machine's contexts name */
    const struct recorded_context *context; /* the current one */
    bool commits;    /* each step is a committed transaction, as when the failure was found */
    bool session;    /* settings now apply to all of the script's transactions */
    bool outside;    /* the current step runs outside of a transaction */
    bool attempts;   /* a step or the check is an attempt */
    bool attempting; /* writing a text for attempt.c */
    bool values_in_settings; /* writing for another client than psql, so values are in settings
                   instead of variables (sessions/) */
    /* SQL of an earlier step may have changed the context's settings, so the next step sets its
     * context again. */
    bool doubtful;
    /* SQL that defers constraints again, before the next statement; NULL if they have not changed.
     */
    const char *defer_again;
};

/* session.c: the initial settings of a connection. */
void session_write(struct script *script);

/* variables.c */
void variables_collect(struct script *script);
/* Those that the statement's answer sets, `*count` of them; NULL: none. */
const struct variable *variables_of(const struct script *script, size_t step, size_t statement,
                                    size_t *count);

/* value.c */
/* The cell's variable; NULL if it has none. */
const struct variable *variable_of(const struct script *script, unsigned cell);
/* Writes an expression whose type the server infers like that of a parameter, or one with a cast.
 */
void value_write(struct script *script, const struct recorded_value *value, struct strbuf *out);
/* The same, but always with a cast to `type`. */
void value_write_typed(struct script *script, const struct recorded_value *value, const char *type,
                       struct strbuf *out);

/* Writes a value that was pasted: a constant or a name. */
void value_write_pasted(struct script *script, const struct recorded_value *value,
                        enum sql_piece_kind kind, struct strbuf *out);

/* statement.c */
/* Writes PREPARE for a statement that a later step runs as it is now, without `;`. */
void statement_write_prepare(const struct recorded_statement *statement, struct strbuf *out);
/* Writes the statement's text with its values, without `;`; or EXECUTE. */
void statement_write(struct script *script, const struct recorded_statement *statement,
                     struct strbuf *out);
/* Returns true if the statement can be a WITH query. */
bool statement_is_query(const struct recorded_statement *statement);
/* Returns true if psql's variables can hold its results. */
bool statement_can_catch(const struct recorded_statement *statement);
/* Appends `WITH name (columns) AS (\n    statement\n)`. If the statement has a WITH itself, its
 * queries come first. `columns` may be NULL. */
void statement_write_with(struct script *script, const struct recorded_statement *statement,
                          const char *name, const char *const *columns, struct strbuf *out);
/* Names for the columns of an answer: the original ones if they are distinct and not empty. */
const char *const *statement_columns(struct script *script,
                                     const struct recorded_statement *statement);
/* `name`, followed by _2, _3, … if the statement uses the word. */
const char *statement_free_name(struct script *script, const struct recorded_statement *statement,
                                const char *name);

/* context.c: appends commands that switch to `context` (or NULL). Each command ends with `end`
 * (";\n" or "\\;\n"). */
void context_write(struct script *script, const struct recorded_context *context, const char *end,
                   struct strbuf *out);
/* Switches to the connecting user, and keeps the settings. */
void context_write_connecting(struct script *script, const char *end, struct strbuf *out);
void context_collect_settings(struct script *script);
/* Returns true for a custom setting, which has no initial value. */
bool context_is_custom(const char *setting);
/* Appends the value without a context of the setting script->settings[index]. */
void context_write_unset(struct script *script, size_t index, const char *end, struct strbuf *out);
/* Saves these values in psql's variables, if the database or the role sets them. */
void context_note_defaults(struct script *script);

/* Appends the statement and \gset: the variable <prefix>c then holds the column `c` of its only
 * row, quoted or NULL. */
void statement_write_raw(struct script *script, const struct recorded_statement *statement,
                         const char *prefix, struct strbuf *out);

/* deferred.c: deferred constraints */
/* Appends \set for a long list of them that several steps need. */
void deferred_write_list(struct script *script);
/* Returns true if constraints may be deferred at the end of the step: initially, or by its SQL. */
bool deferred_possible(const struct script *script, const struct recorded_step *step);
/* Writes the check of deferred constraints at the end of the step. */
void deferred_write(struct script *script, const struct recorded_step *step);
/* Writes SQL that defers constraints again after the last step's check. */
void deferred_again(struct script *script);

/* clock.c: a simulated clock */
/* Writes the head's line with the start of the clock, for the user of the script. */
void clock_write_head(struct script *script);
/* Reads that line; false for any other line. */
bool clock_read_head(const char *line, size_t size, struct replay_head *out);
/* Skips the script if the server's clock is not simulated, and sets the clock to its start. */
void clock_write_begin(struct script *script);
/* Sets the clock. */
void clock_write(const char *now, struct strbuf *out);

/* dblink.c: connections of the extension dblink */
/* Writes the TAP plan; ends the script if the server lacks the extension. */
void dblink_write_plan(struct script *script);
/* After an \if: ends the script there, with a result that is skipped. In `reason`, quotes are
 * doubled, and one ends it. */
void dblink_write_skip(struct script *script, const char *reason);
/* Creates the schema pgfsm and the extension, or ends the script. */
void dblink_write_extension(struct script *script);
/* Sets the variable `connection`: what dblink connects by, as psql is connected. */
void dblink_write_connection(struct script *script);

/* death.c: a client that dies */
/* Prepares for a session that ends in the middle of a step, when the files are loaded. */
void death_write_gates(struct script *script);
/* Writes a step that begins, on a connection of dblink's. */
void death_write_within(struct script *script, size_t index);
/* Before its last step: saves the number of the server's process. */
void death_write_pid(struct script *script);
/* Connects anew, with the initial settings. */
void death_write(struct script *script, const char *comment);

/* step.c */
/* Ends the last step's transaction or savepoint. */
void step_write_undo(struct script *script);
/* Writes a step, after a blank line and its comment. */
void step_write(struct script *script, size_t index);
void step_write_comment(struct script *script, size_t index);
/* Appends what that comment says. */
void step_text(struct script *script, size_t index, struct strbuf *text);
/* Resets the state left by earlier steps, so that the step sets its user again. */
void step_begin(struct script *script, size_t index);
/* Begins the step's transaction if steps are committed. */
void step_write_begin(struct script *script, size_t index);
/* Restores constraints to their state at the start of a step, and sets its first context. */
void step_ready(struct script *script, const struct recorded_step *step);
/* Writes its first `count` statements, and catches their results. */
void step_write_plain(struct script *script, size_t index, size_t count);

/* attempt.c */
#define ATTEMPT_MARK "\x01" /* around names of variables in its text; SQL text never has it */
/* Returns true if the statement does the same inside a function: not COPY, not SELECT INTO. */
bool statement_runs_in_function(const struct sql_template *sql);
/* Returns true if the step can be attempted. */
bool attempt_possible(const struct recorded_step *step);
/* Appends the function that attempts use. */
void attempt_write_function(struct script *script);
/* Writes the step's plain statements, whose error psql prints. Before psql stops at errors again,
 * it runs `then`. Call it after step_ready. */
void attempt_write_plain(struct script *script, const struct recorded_step *step, const char *then);
/* Appends an SQL text that was written while script->attempting, as an expression: dollar-quoted,
 * with the variables that it names. */
void attempt_quote(const char *text, struct strbuf *out);
/* Appends a query, without its end, whose only row has `raised` and `message`. Call it after
 * step_ready. */
void attempt_write(struct script *script, const struct recorded_step *step);

/* head.c */
void head_write(struct script *script);
/* Appends `-- text` on one line, whatever the text contains; a long text is cut. */
void comment_line(struct strbuf *out, const char *text);
/* Appends text for the inside of a quoted argument of \echo: one line, without #. */
void tap_text(struct strbuf *out, const char *text);

/* rows.c: the last statement, whose context is set, and the check of its rows. It sets the variable
 * `ok`, and texts of rows. If the statement is not a query, its row is in the variables actual_… */
/* Checks that they equal the rows of `expected`. */
void rows_write(struct script *script, const struct recorded_rows *expected);
void rows_write_none(struct script *script);
/* Checks that the recording's check is true for them. */
void rows_write_comparison(struct script *script);
/* Writes only that check, for an SQL expression. */
void comparison_write(struct script *script, const char *subject, struct strbuf *out);

/* sides.c: everything behind the head of a script for two databases. */
void sides_write(struct script *script);

/* begin.c */
/* Loads those that need not be loaded first. */
void script_write_files(struct script *script, const struct replay_file *files, size_t count);
/* Refuses a database that is in use. */
void script_write_guard(struct script *script);
/* Ends the script with an error of that message, in which quotes are doubled. */
void script_write_error(struct strbuf *out, const char *message);

/* check.c: writes the failed check. The script then has the variable `ok`, and has rolled back the
 * transaction. */
void check_write(struct script *script);
/* Returns true if the script only recognises the failed answer, and can't judge any other. */
bool check_only_recognises(const struct failure *failure);
/* Returns true if it attempts the last step. */
bool check_attempts(const struct script *script);
/* Writes TAP diagnostics, lines that begin with #. */
void check_write_diagnostics(struct script *script);

#endif
