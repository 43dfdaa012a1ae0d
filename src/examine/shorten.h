/* Shortening a failure: the shrinker's question put to the database. */
#ifndef EXAMINE_SHORTEN_H
#define EXAMINE_SHORTEN_H

#include "examine/rerun.h"

/* Replaces `failure` (which was seen to fail again) by the shortest one of the same identity that
 * can be found within settings.shrink; with SHORTEN_FRESH each attempt has a new connection, where
 * what other attempts leave behind would make a difference. `failure->shortening` tells what it
 * took. Where the run must stop (interrupt, lost connection) it is false with err, and the failure
 * is the shortest that was seen. */
enum shorten_where { SHORTEN_HERE, SHORTEN_FRESH };
bool failure_shorten(struct examiner *examiner, enum shorten_where where, struct failure *failure,
                     struct error *err);
/* Why the run had to stop, in a few words. */
const char *why_stopped(const struct examiner *examiner, const struct error *err);
/* A shorter form of a pinned example's failure (which was seen to fail again), to be shown beside
 * it: sets failure->shorter where there is one. As failure_shorten,
 * SHORTEN_HERE. */
bool pinned_shorten(struct examiner *examiner, struct failure *failure, struct error *err);

#endif
