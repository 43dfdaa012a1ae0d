/* Shows examples as they run, for `-v` and `-vv`: their steps as calls, and each statement with its
 * parameters, context and answer. */
#ifndef REPORT_NARRATE_H
#define REPORT_NARRATE_H

#include "run/options.h"

/* An observer, in `arena`, that tells of steps, and of statements if the teller wants them. */
struct observer *narrator_new(struct arena *arena, struct teller teller);

#endif
