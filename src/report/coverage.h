/* What a run came across: how much it had seen after how many examples, and which values arguments
 * had. */
#ifndef REPORT_COVERAGE_H
#define REPORT_COVERAGE_H

#include "base/json.h"
#include "report/report.h"

/* How many things of the kind there are; 0: that can't be told. */
uint64_t coverage_of(const struct report_run *run, enum discovered kind);

/* The values of a tally, the most frequent first. Of equally frequent ones the first drawn. */
struct tally_ranking {
    const struct tally_value **items; /* in the arena */
    size_t count;
};
struct tally_ranking coverage_rank(struct arena *arena, const struct tally *tally);

/* Members of an object: `discovery` and, if values were counted, `arguments`, each with its `most`
 * most frequent values. */
void coverage_json(struct json *json, const struct report_run *run, size_t most);

#endif
