/* Shortening a failure: the shrinker's question put to the database. */
#ifndef ENGINE_SHORTEN_H
#define ENGINE_SHORTEN_H

#include "engine/engine.h"

/* Replaces `failure` (in `arena`, seen to fail again) by the shortest one of the same identity that
 * can be found within settings.shrink; `failure->shortening` tells what it took. Where the run must
 * stop (interrupt, lost connection) it is false with err, and the failure is as it was. */
bool failure_shorten(struct engine *engine, struct arena *arena, struct failure *failure,
                     struct error *err);

#endif
