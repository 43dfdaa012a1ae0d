/*
 * The textbook anomaly that a race is, if the tables and the timeline prove it. A wrong name is
 * worse than none, so a name needs all of its evidence, and only races of two steps get one.
 *
 * The evidence is what the tables hold after six runs: of no step, of each step alone, of both in
 * either serial order, and of the race. Rows are known by their primary keys. If rows hold
 * a time, or a number that differs from run to run, nothing is proved.
 *
 * - lost update: both steps change the same row when each runs alone. After the race that row is as
 *   if only one of them had run, which neither serial order leaves. The other step committed first,
 *   and was answered as if alone. The later one waited for it, or had not written yet. It updates
 *   every row that the other one changes, so no stale row but these can have misled it.
 * - write skew: each step changes or deletes rows that the other does not. After the race, all rows
 *   are as if each step had run alone, which neither serial order leaves. So each of them reads
 * what the other writes, and read it too early.
 * - phantom: the same, where a step adds rows, which no lock of rows that are there could protect.
 * - read skew: one step writes no row in any run, and after the race all rows are as if the other
 * one had run alone, which was answered as if alone. The reader's answer is neither the one that it
 *   gets alone nor the one after the other step: it read before that one's commit, and after it.
 * - lock order: they deadlocked. Alone, both update the same rows and nothing else, at least two,
 *   and each had written some when it waited.
 */
#ifndef SESSIONS_ANOMALY_H
#define SESSIONS_ANOMALY_H

#include "example/failure/race.h"

enum anomaly_run {
    RUN_NONE,
    RUN_FIRST,
    RUN_SECOND,
    RUN_FIRST_SECOND,
    RUN_SECOND_FIRST,
    RUN_RACE,
    ANOMALY_RUNS
};

struct anomaly_evidence {
    struct lane_rows rows[ANOMALY_RUNS];
    /* Of each step alone, and after the other one, as race_step.answer has them. */
    const char *answers[2];
    const char *after[2];
};

/* True if the race may have a name: it has two steps, one of each session, which ran once. */
bool anomaly_possible(const struct race *race);
struct race_anomaly anomaly_of(struct arena *arena, const struct race *race,
                               const struct anomaly_evidence *evidence);

#endif
