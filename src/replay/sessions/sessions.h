/*
 * What the scripts of a race share: sessions of their own, each with its contexts, and the texts of
 * what is sent to them.
 */
#ifndef REPLAY_SESSIONS_H
#define REPLAY_SESSIONS_H

#include "replay/script.h"
#include "replay/sessions/moves.h"

struct session_script {
    struct script script; /* what was set on the connection, and for the transaction */
    bool told;            /* gates of the transaction's last statement */
};

struct sessions_script {
    struct script *whole;
    struct moves moves;
    struct session_script each[MOVES_CHECKS];
};

void sessions_begin(struct sessions_script *sessions, struct script *whole);
void sessions_free(struct sessions_script *sessions);
/* What its connection begins with; ends with `;\n`. */
void session_write_settings(const struct sessions_script *sessions, unsigned session,
                            struct strbuf *out);
/* What is sent in front of the move's statement, and that itself (or COMMIT), each without its end.
 * Of commands, the last one in front returns no rows. */
void session_write_before(struct sessions_script *sessions, const struct move *move,
                          struct strbuf *out);
void session_write_sent(struct sessions_script *sessions, const struct move *move,
                        struct strbuf *out);
/* The step's call, or "invariant balances"; in the whole script's arena. */
const char *session_call(const struct sessions_script *sessions, const struct move *move);
/* "A", "checks" */
const char *session_name(unsigned session);

/* The setting that a value of the database is in, for the sessions. */
#define SESSION_SETTING "pgfsm."
/* As in sql/gates.sql; with the number of the statement added. */
enum { SESSIONS_GATE_LOCKS = 1885828717 };

/* Whether a session sends what the database made for it in the same race. */
bool sessions_depend(const struct recording *recording);

/* spec.c: the text for isolationtester. */
void spec_write(struct sessions_script *sessions, struct strbuf *out);

/* played.c: parts of the psql script. */
/* The plan of TAP; ends the script where sessions can't be played. */
void sessions_write_plan(struct script *script);
/* What the sessions of either script need; here ends what isolationtester wants to be run first. */
void sessions_write_setup(struct sessions_script *sessions);
/* The sessions. It leaves the variable `ok`. */
void sessions_write(struct sessions_script *sessions);
void sessions_write_diagnostics(struct script *script, bool reproduced);

#endif
