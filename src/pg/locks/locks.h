/*
 * Finds out which locks a migration takes, until when it holds them, and which rules wait for them.
 *
 * The migration's statements run one after the other in a session of their own, cut into
 * transactions as a migration tool would. Around each of them:
 *
 * - The locks that the session holds are read before and after it, and so are its counters of rows
 *   that were read and written, and the tables' files.
 * - Before it runs, another session writes to all tables, as far as that means taking locks. If the
 *   statement waits for them, it stands in the queue, and each rule is tried there.
 * - Behind it, while its transaction is open, each rule is tried again.
 *
 * To try a rule is to run what an example ran, with a lock_timeout of a millisecond, and to roll it
 * back: an error 55P03 says that it would wait. No verdict depends on how long something takes.
 */
#ifndef PG_LOCKS_LOCKS_H
#define PG_LOCKS_LOCKS_H

#include "example/backend.h"
#include "example/blocking.h"

struct lock_value {
    const char *text; /* NULL: null */
};
struct lock_setting {
    const char *name;
    const char *value;
};
/* A statement of a rule as it was sent. */
struct lock_statement {
    const struct sql_template *sql;
    VEC(struct lock_value) values; /* one per piece that is no SQL_TEXT */
    const char *role;              /* NULL: the connecting user */
    const char *session_user;      /* the same */
    VEC(struct lock_setting) settings;
};
struct lock_request {
    const char *rule;
    bool tried; /* an example ran it: there are statements */
    bool never; /* it may not wait even for a moment */
    bool any;   /* it may wait for anything */
    VEC(struct lock_statement) statements;
};

/* Of a backend that commits its steps, and is open: the migration runs in its database, for good.
 * `out` is in the arena. False if it could not go on; a migration that fails is a result. */
struct lock_question {
    const char *const *files; /* of the migration */
    size_t file_count;
    bool each; /* each statement is a transaction, unless its file has some of its own */
    const struct lock_request *requests;
    size_t request_count;
};
bool pg_locks(struct backend *backend, const struct lock_question *question, struct arena *arena,
              struct blocking *out, struct error *err);

#endif
