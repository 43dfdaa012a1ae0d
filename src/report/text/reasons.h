/* Why rules did not run, and what they raised, with counts: as texts in an arena. */
#ifndef REPORT_REASONS_H
#define REPORT_REASONS_H

#include "run/run.h"

/* "precondition false (12), bundle empty (3)": why a rule did not run, by enum blocked_by and
 * DEAD_END_GIVEN_UP; "" if nothing is counted. */
const char *show_reasons(struct arena *arena, const uint64_t *counts, size_t count);

/* "unique_violation (12), check_violation (3)": what the steps of a rule raised. */
const char *show_raised(struct arena *arena, const struct rule_stats *stats);

#endif
