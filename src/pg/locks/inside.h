/* What the files of this folder share: the sessions, and what is known so far. */
#ifndef PG_LOCKS_INSIDE_H
#define PG_LOCKS_INSIDE_H

#include "pg/locks/locks.h"
#include "pg/locks/look.h"
#include "pg/target.h"

/* A connection to the database, and the process of the server that it has. */
struct locks_session {
    struct wire wire;
    int pid;
};

struct locks_course {
    struct pg_target *target;
    const char *database;
    struct arena *arena;
    const struct lock_question *question;
    struct blocking *out;
    struct locks_session observer; /* asks who waits; never in a transaction of its own */
    struct locks_session migration;
    struct locks_session rules;      /* tries them, one by one */
    struct locks_session writers[2]; /* one of them has written to all tables, or none */
    int writing;                     /* which; -1: none */
    unsigned stands;                 /* of the statement that runs */
    bool *alone;        /* by rule: it waits for the writer, whatever the migration does */
    bool *waits;        /* by rule: it waited when it was tried last, without a writer */
    struct look *uses;  /* by rule: what it locked when nothing else ran */
    struct look known;  /* what others see, as the transaction began */
    struct look before; /* what the migration's session saw before the statement */
};

/* rules.c */

/* Runs each rule, and rolls it back: `waits` by rule. */
bool rules_try_all(struct locks_course *course, bool *waits, struct error *err);
/* The same for the first time: also which relations each one uses, and whether it fails. */
bool rules_learn(struct locks_course *course, struct error *err);
/* Has waits of its session ended from outside, where need be. True. */
bool rules_watch(struct locks_course *course);

/* writer.c */

bool writer_begin(struct locks_course *course, struct error *err);
bool writer_end(struct locks_course *course, struct error *err);
/* In place of waiting for the migration's session: while it waits for the writer, notes how it
 * stands, and lets it go on to the next such place. */
bool writer_watch(void *owner, int fd, bool writing, struct error *err);

/* Whether a process waits for one of `count` others. */
bool locks_blocked(struct locks_course *course, int pid, const int *by, size_t count, bool *blocked,
                   struct error *err);

#endif
