/*
 * Loading SQL files: a machine's schema, and those of --apply.
 *
 * psql loads them into a scratch database, so they may contain anything that psql can run.
 * Otherwise they are loaded inside the run's transaction: plain SQL without transaction control.
 * Mistakes go to the diagnostics, with their place in the file and the server's message.
 */
#ifndef PG_LOAD_H
#define PG_LOAD_H

#include "os/process.h"
#include "pg/session/wire.h"
#include "pg/target.h"

/* Returns false with a diagnostic, or with err (code ERROR_NONE if there is a diagnostic). */
bool load_by_psql(const struct pg_target *target, const char *database, const char *path,
                  struct diagnostics *diagnostics, struct error *err);
bool load_in_transaction(const struct pg_target *target, struct wire *wire, const char *path,
                         struct diagnostics *diagnostics, struct error *err);

/* Of a psql that ended because it had no connection, or lost it: sets err, with psql's own words.
 * Returns false. */
bool load_lost(const struct pg_target *target, const struct process_result *result,
               struct error *err);

#endif
