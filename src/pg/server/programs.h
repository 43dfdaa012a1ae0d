/*
 * Finds PostgreSQL's programs on this machine.
 *
 * It looks in this order: the folder that the user named (and nowhere else then), the one that
 * $PGFSM_PACKAGED_SERVER names for the launcher of the npm package, the output of
 * `pg_config --bindir`, the folders of PATH, the usual places of packages, newest version first.
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
/* The path of psql; `bindir` (may be NULL) is tried first, then a psql that came with this program.
 */
bool programs_find_psql(const char *bindir, const struct hooks *hooks, struct arena *arena,
                        const char **path, struct error *err);

#endif
