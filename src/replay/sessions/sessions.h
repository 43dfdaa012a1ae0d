/*
 * Shared by the scripts of a race: the sessions with their contexts, and the texts sent to them.
 */
#ifndef REPLAY_SESSIONS_H
#define REPLAY_SESSIONS_H

#include "replay/script.h"
#include "replay/sessions/moves.h"

struct session_script {
    struct script script; /* settings of the connection and of the transaction */
    bool told;            /* the gates of the transaction's last statement were set */
};

struct sessions_script {
    struct script *whole;
    struct moves moves;
    struct session_script each[MOVES_CHECKS];
};

void sessions_begin(struct sessions_script *sessions, struct script *whole);
void sessions_free(struct sessions_script *sessions);
/* The session is another one from here on, which nothing was sent to. */
void session_begin_anew(struct sessions_script *sessions, unsigned session);
/* Writes the initial settings of its connection; ends with `;\n`. */
void session_write_settings(const struct sessions_script *sessions, unsigned session,
                            struct strbuf *out);
/* Writes the commands before the move's statement, and the statement itself (or COMMIT), without
 * the final end. The last command before it returns no rows. */
void session_write_before(struct sessions_script *sessions, const struct move *move,
                          struct strbuf *out);
void session_write_sent(struct sessions_script *sessions, const struct move *move,
                        struct strbuf *out);
/* The step's call, or "invariant balances"; in the script's arena. */
const char *session_call(const struct sessions_script *sessions, const struct move *move);
/* "A", "checks" */
const char *session_name(unsigned session);

/* The prefix of settings that pass values of the database to the sessions. */
#define SESSION_SETTING "pgfsm."
/* The base of lock keys, as in sql/gates.sql; the number of the statement is added. */
enum { SESSIONS_GATE_LOCKS = 1885828717 };

/* Returns true if a session sends a value that the database generated for it in the same race. */
bool sessions_depend(const struct recording *recording);

/* spec.c: the text for isolationtester. */
void spec_write(struct sessions_script *sessions, struct strbuf *out);

/* played.c: parts of the psql script. */
/* Writes the TAP plan; ends the script if sessions can't be replayed. */
void sessions_write_plan(struct script *script);
/* Writes the set-up for the sessions of both scripts; isolationtester needs the script up to here.
 */
void sessions_write_setup(struct sessions_script *sessions);
/* Writes the sessions, and sets the variable `ok`. */
void sessions_write(struct sessions_script *sessions);
void sessions_write_diagnostics(struct script *script, bool reproduced);

#endif
