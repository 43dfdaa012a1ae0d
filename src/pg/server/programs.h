/*
 * PostgreSQL's programs on this machine: where they are.
 *
 * Looked for in this order: the folder that the user named (then nowhere else), what `pg_config
 * --bindir` says, the folders of PATH, the places where packages put them, newest version first.
 */
#ifndef PG_PROGRAMS_H
#define PG_PROGRAMS_H

#include "base/arena.h"
#include "base/error.h"
#include "os/wait.h"

#include <stdbool.h>

/* The folder that holds `postgres` and `initdb`, without symbolic links. `bindir` may be NULL. */
bool programs_find_server(const char *bindir, const struct hooks *hooks, struct arena *arena,
                          const char **dir, struct error *err);
/* The path of psql; `bindir` (may be NULL) is tried first. */
bool programs_find_psql(const char *bindir, const struct hooks *hooks, struct arena *arena,
                        const char **path, struct error *err);

#endif
