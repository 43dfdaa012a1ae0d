/*
 * A script as it is being written: behind replay.h, for this module's own files
 * (README.md says which file writes what).
 */
#ifndef REPLAY_SCRIPT_H
#define REPLAY_SCRIPT_H

#include "replay/recording/recording.h"
#include "replay/replay.h"

/* The last error of a script while the bug is there. */
#define REPLAY_VERDICT "the bug is there"
/* Before SQL of the script's own that stands alone: only pg_catalog is on the path (pg/own.h). In a
 * query of the user's, it names what is in pg_catalog. */
#define REPLAY_OWN_PATH "SET search_path = pg_catalog, pg_temp;\n"
/* A comment of TAP's, where the connection is to be lost. */
#define REPLAY_LOSS "while the bug is there the server closes the connection here"

/* A variable of psql's that holds a cell as a quoted constant (or NULL). */
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
    VEC(struct variable) variables;         /* in the order of the cells */
    VEC(const char *) settings;             /* that the machine's contexts name */
    const struct recorded_context *context; /* that is in force */
    bool commits;    /* each step is a transaction that is committed, as when it was found */
    bool session;    /* what is set now is set for all of the script's transactions */
    bool outside;    /* the step that is being written runs outside of a transaction */
    bool attempting; /* a text for attempt.c is being written */
    bool apart;      /* what is being written is sent by no psql: values that its variables have are
                      * in settings (sessions/) */
    /* SQL of a step before may have changed what the context sets: the next one is set anew. */
    bool doubtful;
    /* SQL that defers constraints again, before the next statement; NULL: they are as they were. */
    const char *defer_again;
};

/* session.c: the settings that a connection begins with. */
void session_write(struct script *script);

/* variables.c */
void variables_collect(struct script *script);

/* value.c */
/* The cell's variable; NULL: it has none. */
const struct variable *variable_of(const struct script *script, unsigned cell);
/* As an expression of an unknown type that the server infers as it did for a parameter, or
 * one with a cast. */
void value_write(struct script *script, const struct recorded_value *value, struct strbuf *out);
/* The same with a cast to `type` in any case. */
void value_write_typed(struct script *script, const struct recorded_value *value, const char *type,
                       struct strbuf *out);

/* A value that was pasted: a constant or a name. */
void value_write_pasted(struct script *script, const struct recorded_value *value,
                        enum sql_piece_kind kind, struct strbuf *out);

/* statement.c */
/* The statement's text with its values, without `;`. */
void statement_write(struct script *script, const struct recorded_statement *statement,
                     struct strbuf *out);
/* Whether the statement can stand in a WITH query. */
bool statement_is_query(const struct recorded_statement *statement);
/* Whether what it returned can be caught in psql's variables. */
bool statement_can_catch(const struct recorded_statement *statement);
/* Appends `WITH name (columns) AS (\n    statement\n)`; where the statement has a WITH of its own,
 * its queries come first. `columns` may be NULL. */
void statement_write_with(struct script *script, const struct recorded_statement *statement,
                          const char *name, const char *const *columns, struct strbuf *out);
/* Names for the columns of an answer: their own where they are different and not empty. */
const char *const *statement_columns(struct script *script,
                                     const struct recorded_statement *statement);
/* `name`, with _2, _3, … behind it where the statement uses the word. */
const char *statement_free_name(struct script *script, const struct recorded_statement *statement,
                                const char *name);

/* context.c: appends what makes `context` (NULL: none) the one in force. Each command ends with
 * `end` (";\n" or "\\;\n"). */
void context_write(struct script *script, const struct recorded_context *context, const char *end,
                   struct strbuf *out);
/* Makes it the connecting user who runs; settings stay as they are. */
void context_write_connecting(struct script *script, const char *end, struct strbuf *out);
void context_collect_settings(struct script *script);
/* A setting of the machine's own: it has no value at first. */
bool context_is_custom(const char *setting);
/* Appends what gives script->settings' setting the value that it has without a context. */
void context_write_unset(struct script *script, size_t index, const char *end, struct strbuf *out);
/* Notes in psql's variables what that is, where the database or the role sets it. */
void context_note_defaults(struct script *script);

/* Appends the statement, and \gset: a column `c` of its one row is then in the variable <prefix>c,
 * quoted or NULL. */
void statement_write_raw(struct script *script, const struct recorded_statement *statement,
                         const char *prefix, struct strbuf *out);

/* deferred.c: deferred constraints */
/* Appends \set of a long list of them that several steps need. */
void deferred_write_list(struct script *script);
/* Whether they can be deferred at the end of the step: because they are at first, or because its
 * SQL may have deferred them. */
bool deferred_possible(const struct script *script, const struct recorded_step *step);
/* Checks them at the end of the step. */
void deferred_write(struct script *script, const struct recorded_step *step);
/* Defers again those that the last step's check left immediate. */
void deferred_again(struct script *script);

/* clock.c: a simulated clock */
/* The line of the head that says when it starts, for whoever runs the script. */
void clock_write_head(struct script *script);
/* Takes the line; false: it is another one. */
bool clock_read_head(const char *line, size_t size, struct replay_head *out);
/* Skips the script where the server's clock is not simulated, and sets it to the start. */
void clock_write_begin(struct script *script);
/* Sets it. */
void clock_write(const char *now, struct strbuf *out);

/* step.c */
/* Ends what the last step is in, whether it is to stay or not. */
void step_write_undo(struct script *script);
/* A step, with a blank line and its comment before it. */
void step_write(struct script *script, size_t index);
void step_write_comment(struct script *script, size_t index);
/* What the steps before it left does not hold for it: who it runs as is said anew. */
void step_begin(struct script *script, size_t index);
/* Begins its transaction where steps are committed. */
void step_write_begin(struct script *script, size_t index);
/* Constraints as they are at the start of a step, and its first context. */
void step_ready(struct script *script, const struct recorded_step *step);
/* Its first `count` statements; what they return is caught. */
void step_write_plain(struct script *script, size_t index, size_t count);

/* attempt.c */
#define ATTEMPT_MARK "\x01" /* around names of variables in its text: no SQL text has it */
/* Whether the step can be attempted. */
bool attempt_possible(const struct recorded_step *step);
/* Appends the function that attempts need. */
void attempt_write_function(struct script *script);
/* The step as it is: psql prints its error. Before it stops at errors again, it runs `then`. After
 * step_ready. */
void attempt_write_plain(struct script *script, const struct recorded_step *step, const char *then);
/* Appends a query, without its end, whose one row has `raised` and `message`. After step_ready. */
void attempt_write(struct script *script, const struct recorded_step *step);

/* head.c */
void head_write(struct script *script);
/* Appends `-- text` on one line, whatever is in the text; a long one is cut. */
void comment_line(struct strbuf *out, const char *text);
/* Appends text for the inside of a quoted argument of \echo: one line, without #. */
void tap_text(struct strbuf *out, const char *text);

/* rows.c: the last statement, its context set, and what is asked of the rows that it returns: it
 * leaves the variable `ok`, and texts of rows. Where it is no query, its row is in the variables
 * actual_… */
/* They are those of `expected`. */
void rows_write(struct script *script, const struct recorded_rows *expected);
void rows_write_none(struct script *script);
/* The recording's check is true of them. */
void rows_write_comparison(struct script *script);
/* That check alone, of an expression in SQL. */
void comparison_write(struct script *script, const char *subject, struct strbuf *out);

/* check.c: what failed. It leaves the variable `ok`, and the transaction rolled back. */
void check_write(struct script *script);
/* Whether `ok` only says that the answer is the one that failed: about another one the script says
 * nothing. */
bool check_only_recognises(const struct failure *failure);
/* Whether it attempts the last step. */
bool check_attempts(const struct script *script);
/* The lines that say more, for TAP; each begins with #. */
void check_write_diagnostics(struct script *script);

#endif
