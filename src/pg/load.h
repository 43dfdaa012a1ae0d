/*
 * Loading SQL files: a machine's schema, and what --apply adds.
 *
 * Into a scratch database by psql, so that whatever psql can run will do; inside the run's one
 * transaction otherwise: plain SQL without transaction control. A mistake goes to the diagnostics
 * with its place in the file and the server's words.
 */
#ifndef PG_LOAD_H
#define PG_LOAD_H

#include "pg/session/wire.h"
#include "pg/target.h"

/* False with a diagnostic, or with err (code ERROR_NONE where a diagnostic was made). */
bool load_by_psql(const struct pg_target *target, const char *database, const char *path,
                  struct diagnostics *diagnostics, struct error *err);
bool load_in_transaction(const struct pg_target *target, struct wire *wire, const char *path,
                         struct diagnostics *diagnostics, struct error *err);

#endif
