/*
 * Running other programs: psql, initdb, pg_config, and the server's own.
 *
 * A child has a session of its own, so that Ctrl-C reaches us alone and we decide what ends; it
 * ends with us whatever ends us (platform.h), and has none of our descriptors but the three that it
 * needs.
 */
#ifndef OS_PROCESS_H
#define OS_PROCESS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "os/wait.h"

#include <stdbool.h>
#include <sys/types.h>

/* Who a program runs as. `{0}`: as we do. */
struct os_user {
    bool other; /* not who we are: uid and gid hold */
    uid_t uid;
    gid_t gid;
};

/* Who may run a PostgreSQL server: we, or, as root (whom the server refuses), `postgres` or
 * `nobody`. */
bool os_user_for_server(struct os_user *out, struct error *err);
/* For a child before exec: becomes the user for good. False with errno. */
bool os_user_become(const struct os_user *user);

struct process {
    const char *const *argv; /* ends with NULL; argv[0] is a path */
    const char *const *env;  /* ends with NULL; NULL: ours */
    const char *dir;         /* where it runs; NULL: where we are */
    const struct os_user *user;
    const char *input; /* standard input, at most PROCESS_INPUT_MAX bytes; NULL: empty */
};

enum { PROCESS_INPUT_MAX = 4096, PROCESS_OUTPUT_MAX = 1 << 20 };

struct process_result {
    int status; /* exit status; 128 and the signal's number where one ended it */
    /* What it wrote: the last PROCESS_OUTPUT_MAX bytes of each. Freed by process_result_free. */
    struct strbuf output;
    struct strbuf errors;
};

/* Runs a program to its end. False where it could not be run (ERROR_SYSTEM), or the user
 * interrupts: then it is ended. That it failed is not an error of this function. `out` is to be
 * freed either way. */
bool process_run(const struct process *process, const struct hooks *hooks,
                 struct process_result *out, struct error *err);
void process_result_free(struct process_result *result);

/* The environment with some variables set or (value NULL) taken out. */
struct env_change {
    const char *name;
    const char *value;
};
const char *const *env_changed(struct arena *arena, const struct env_change *changes, size_t count);
/* The same without whatever speaks to PostgreSQL (PGOPTIONS, PGTZ, PGDATA, …): what is meant for
 * servers that somebody named is not meant for ours. */
const char *const *env_for_server(struct arena *arena, const struct env_change *changes,
                                  size_t count);

#endif
