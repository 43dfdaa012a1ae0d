/*
 * Counting what was executed.
 *
 * What is known when a step is chosen (what blocked a rule, that a step was given up) is logged
 * and counted only when the answers up to there have passed, so that running ahead of a failure
 * counts nothing that a run step by step would not count.
 */
#ifndef ENGINE_STATS_H
#define ENGINE_STATS_H

#include "engine/run.h"

enum stats_kind {
    STATS_CHOSEN, /* a rule */
    STATS_GIVEN_UP,
    STATS_BLOCKED,  /* a rule, by `why` */
    STATS_DEAD_END, /* a rule could not run, by `why` or DEAD_END_GIVEN_UP, and no other could */
    STATS_SKIPPED,  /* an invariant */
    STATS_WHERE,    /* of a rule: `counts` */
    STATS_FILTERS,
};

struct stats_event {
    enum stats_kind kind;
    size_t index; /* of the rule or invariant */
    unsigned why; /* enum blocked_by */
    struct filter_counts counts;
};

struct stats_log {
    VEC(struct stats_event) events;
};

/* `options`: of what is to be counted. */
void stats_begin(struct run_stats *stats, const struct machine *machine,
                 const struct run_options *options, struct arena *arena);
/* Adds what one example counted; `arena` is that of `stats`. */
void stats_merge(struct run_stats *stats, const struct machine *machine,
                 const struct run_stats *example, struct arena *arena);
/* Counts what the log holds. */
void stats_commit(struct run_stats *stats, const struct stats_log *log);
/* A rule raised an error `count` times, predicted or not. */
void stats_raised(struct rule_stats *rule, struct arena *arena, const char *sqlstate,
                  uint64_t count);

/* `durations` may be NULL. */
void durations_add(struct durations *durations, uint64_t time_us);
/* A duration that `percent` of all stay below, at most a quarter more than need be; 0: there is
 * none. */
uint64_t durations_percentile(const struct durations *durations, unsigned percent);

/* Steps had the label, `count` times. */
void stats_label(struct run_stats *stats, struct arena *arena, const char *label, uint64_t count);

#endif
