/*
 * Runs other programs: psql, initdb, pg_config and the server's.
 *
 * A child has a session of its own, so that Ctrl-C reaches only us, and we decide when the child
 * ends. It also ends when we end, for any reason (platform.h). It inherits only the three
 * descriptors that it needs.
 */
#ifndef OS_PROCESS_H
#define OS_PROCESS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "os/wait.h"

#include <stdbool.h>
#include <sys/types.h>

/* The user that a program runs as. `{0}`: ours. */
struct os_user {
    bool other; /* another user: uid and gid are set */
    uid_t uid;
    gid_t gid;
};

/* Finds a user that may run a PostgreSQL server: ours or, because the server refuses root,
 * `postgres` or `nobody`. */
bool os_user_for_server(struct os_user *out, struct error *err);
/* Switches to the user permanently; for a child before exec. False with errno. */
bool os_user_become(const struct os_user *user);

struct process {
    const char *const *argv; /* ends with NULL; argv[0] is a path */
    const char *const *env;  /* ends with NULL; NULL: ours */
    const char *dir;         /* working directory; NULL: ours */
    const struct os_user *user;
    const char *input; /* standard input; NULL: empty */
    bool tidy;         /* it ends its children itself: signal it alone, and give it time */
};

enum { PROCESS_OUTPUT_MAX = 1 << 20 };

struct process_result {
    int status; /* exit status; 128 plus the signal's number if a signal ended it */
    /* The last PROCESS_OUTPUT_MAX bytes of each stream that it wrote. Free them with
     * process_result_free. */
    struct strbuf output;
    struct strbuf errors;
};

/* Runs a program until it ends. Returns false if it could not be run (ERROR_SYSTEM), or if the user
 * interrupts, which also ends the program. A program that fails is not an error of this function.
 * Free `out` in any case. */
bool process_run(const struct process *process, const struct hooks *hooks,
                 struct process_result *out, struct error *err);
void process_result_free(struct process_result *result);

/* The environment with some variables set or (value NULL) removed. */
struct env_change {
    const char *name;
    const char *value;
};
const char *const *env_changed(struct arena *arena, const struct env_change *changes, size_t count);
/* The same without the variables that PostgreSQL reads (PGOPTIONS, PGTZ, PGDATA, …). The user sets
 * those for a server of theirs, not for ours. */
const char *const *env_for_server(struct arena *arena, const struct env_change *changes,
                                  size_t count);

#endif
