/*
 * Counting what was executed.
 *
 * What is known when a step is chosen (what blocked a rule, that a step was given up) is logged
 * and counted only when the answers up to there have passed, so that running ahead of a failure
 * counts nothing that a run step by step would not count.
 */
#ifndef EXAMPLE_STATS_H
#define EXAMPLE_STATS_H

#include "example/step/way.h"
#include "gen/strategy.h"
#include "machine/machine.h"

/* Why a rule did not run where it was tried. */
enum blocked_by {
    BLOCKED_PRECONDITION,
    BLOCKED_BUNDLE,
    BLOCKED_EMPTY,
    BLOCKED_LIMIT,
    BLOCKED_WEIGHT,
    BLOCKED_COUNT
};
/* Beside these, where no rule could run: it was chosen, and no arguments passed. */
enum { DEAD_END_GIVEN_UP = BLOCKED_COUNT, DEAD_END_REASONS };

struct raised_count {
    char sqlstate[6];
    uint64_t count;
};

/* Durations, counted by size: four buckets to a power of two of microseconds, so that a bucket's
 * end is at most a quarter above what is in it; what counts two runs together adds them up. */
enum { DURATION_BUCKETS = 4 * 40 };
struct durations {
    uint64_t count;
    uint64_t total_us;
    uint64_t buckets[DURATION_BUCKETS];
};

struct rule_stats {
    uint64_t chosen;
    uint64_t ran;
    uint64_t given_up; /* after it was chosen: where, filters, references */
    /* Steps that can't come to anything: `raises` predicts an error, or `affects` and `expect`, in
     * every step, nothing. */
    uint64_t meant_to_fail;
    /* Steps of which the model expected no row, or the answer no, none or nothing, where that
     * depends on the step. */
    uint64_t refused;
    uint64_t known;               /* steps that failed, where the rule is marked xfail */
    struct filter_counts where;   /* drawn arguments that it was asked about */
    struct filter_counts filters; /* of strategies */
    uint64_t blocked[BLOCKED_COUNT];
    uint64_t dead_ends[DEAD_END_REASONS]; /* examples that ended there: what kept this rule back */
    VEC(struct raised_count) raised;
    struct durations *times; /* of its statements, of a step; NULL where none is measured */
};

struct label_count {
    const char *label;
    uint64_t count;
};

struct invariant_stats {
    uint64_t checked;
    uint64_t skipped;        /* precondition false, or `for` without items */
    uint64_t known;          /* times that it did not hold, where it is marked xfail */
    struct durations *times; /* of its statements, of a check; NULL where none is measured */
};

/* Of a bundle at the ends of examples that did not fail. */
struct bundle_stats {
    uint64_t examples;
    uint64_t values; /* over all of them */
    uint64_t most;
};

/* A table of the model, as tables() gives some. */
struct table_stats {
    const char *name;
    uint64_t filled; /* examples that had a row in it, and did not fail */
};

/* Examples by their number of steps: none, tenths of settings.steps, more (a trace may have). */
enum { LENGTHS = 12 };

/* Rules of a machine whose pairs are counted. */
enum { PAIRED_MAX = 500 };

/* More labels than that are not told apart: those behind count as the last one, "…". */
enum { LABELS_MAX = 100 };

/* Of several sessions side by side. */
struct session_stats {
    uint64_t examples; /* that came to it */
    uint64_t sessions; /* of them */
    uint64_t runs;     /* schedules of them */
    uint64_t single;   /* of these, with one switch, at a point that was drawn from all */
    uint64_t points;   /* where their sessions could be stopped */
    uint64_t unclear;  /* runs that say nothing: in some order a step could not run, or would have
                          sent  something else, and no other order explains what came */
    uint64_t undone;   /* steps that lost against another session */
};

struct run_stats {
    uint64_t examples;
    uint64_t steps;
    uint64_t statements;
    uint64_t given_up;
    uint64_t dead_ends; /* examples that ended before settings.steps: no rule could run */
    uint64_t time_us;
    VEC(struct label_count) labels;     /* of steps, by their rules' `label`; at most LABELS_MAX */
    struct rule_stats *rules;           /* machine->rules.count */
    struct invariant_stats *invariants; /* machine->invariants.count */
    struct bundle_stats *bundles;       /* machine->bundles.count */
    VEC(struct table_stats) tables;     /* of the model's variables, each once */
    /* Of one example: the rules of its steps, in their order. */
    VEC(uint32_t) sequence;
    /* Of a run: [a * rules + b] steps of rule b came right after one of rule a; NULL: it is not
     * counted. */
    uint64_t *pairs;
    uint64_t lengths[LENGTHS];
    uint64_t ways[WAY_COUNT]; /* examples, by how they were made */
    uint64_t length_width;    /* steps that go to one of the tenths */
    struct session_stats sessions;
};

/* What is to be added to which counters. */
struct stats_event {
    uint64_t *counter;
    uint64_t count;
};
struct stats_log {
    VEC(struct stats_event) events;
};

/* Of examples of `steps` steps at most; `timed`: durations are measured, too. */
void stats_begin(struct run_stats *stats, const struct machine *machine, int64_t steps, bool timed,
                 struct arena *arena);
/* Adds what one example counted; `arena` is that of `stats`. */
void stats_merge(struct run_stats *stats, const struct machine *machine,
                 const struct run_stats *example, struct arena *arena);
/* Counts what the log holds. */
void stats_commit(const struct stats_log *log);
/* A rule raised an error `count` times, predicted or not. */
void stats_raised(struct rule_stats *rule, struct arena *arena, const char *sqlstate,
                  uint64_t count);

/* Steps of the rule that raised no error. */
uint64_t stats_succeeded(const struct rule_stats *rule);

/* `durations` may be NULL. */
void durations_add(struct durations *durations, uint64_t time_us);
/* A duration that `percent` of all stay below, at most a quarter more than need be; 0: there is
 * none. */
uint64_t durations_percentile(const struct durations *durations, unsigned percent);

/* From here on `stats`, of a run, count pairs of rules, if the machine has no more than PAIRED_MAX.
 */
void stats_pair(struct run_stats *stats, const struct machine *machine, struct arena *arena);
/* A step of one example was one of that rule. */
void stats_step(struct run_stats *stats, struct arena *arena, const struct rule *rule);

/* Steps had the label, `count` times. */
void stats_label(struct run_stats *stats, struct arena *arena, const char *label, uint64_t count);

#endif
