/*
 * Counts of what was executed.
 *
 * Facts that are known when a step is chosen (why a rule was blocked, or a step given up) are
 * logged, and counted only after the answers up to there have passed. Running ahead of a failure
 * therefore counts the same as a run step by step.
 */
#ifndef EXAMPLE_STATS_H
#define EXAMPLE_STATS_H

#include "example/discovery.h"
#include "example/step/way.h"
#include "example/tally.h"
#include "gen/strategy.h"
#include "machine/machine.h"
#include "trace/trace.h"

/* Why a rule that was tried did not run. */
enum blocked_by {
    BLOCKED_PRECONDITION,
    BLOCKED_BUNDLE,
    BLOCKED_EMPTY,
    BLOCKED_LIMIT,
    BLOCKED_WEIGHT,
    BLOCKED_TIME, /* the migration is at another step than the rule asks for, or than it is */
    BLOCKED_COUNT
};
/* A further reason for a dead end: the rule was chosen, but no arguments passed. */
enum { DEAD_END_GIVEN_UP = BLOCKED_COUNT, DEAD_END_REASONS };

struct raised_count {
    char sqlstate[6];
    uint64_t count;
};

/* A histogram of durations with four buckets per power of two of microseconds, so that a bucket's
 * end is at most a quarter above its values. Histograms of two runs can be added. */
enum { DURATION_BUCKETS = 4 * 40 };
struct durations {
    uint64_t count;
    uint64_t total_us;
    uint64_t buckets[DURATION_BUCKETS];
};

struct rule_stats {
    uint64_t chosen;
    uint64_t ran;
    uint64_t given_up; /* after it was chosen, because of where, filters or references */
    /* Steps that are meant to have no effect: in every step, `raises` predicts an error, or
     * `affects` and `expect` predict nothing. */
    uint64_t meant_to_fail;
    /* Refused steps: the model expected no row, or the answer no, none or nothing, although it does
     * not always. */
    uint64_t refused;
    uint64_t parted;            /* steps that ended examples of two databases (run_stats.parted) */
    uint64_t known;             /* failed steps, if the rule is marked xfail */
    struct filter_counts where; /* drawn arguments that `where` was evaluated for */
    struct filter_counts filters; /* filters of strategies */
    uint64_t blocked[BLOCKED_COUNT];
    uint64_t dead_ends[DEAD_END_REASONS]; /* dead ends, by the reason that blocked this rule */
    VEC(struct raised_count) raised;
    struct durations *times; /* of a step's statements; NULL if not measured */
    struct tally *args;      /* for a run, by argument; NULL if values are not counted */
};

struct label_count {
    const char *label;
    uint64_t count;
};

struct invariant_stats {
    uint64_t checked;
    uint64_t skipped;        /* by a false precondition, or an empty `for` */
    uint64_t known;          /* times that it failed, if it is marked xfail */
    struct durations *times; /* of a check's statements; NULL if not measured */
};

/* A bundle at the ends of examples that passed. */
struct bundle_stats {
    uint64_t examples;
    uint64_t values; /* in all of these examples */
    uint64_t most;
};

/* A table of the model, from tables(), or a relation of two databases. */
struct table_stats {
    const char *name;
    uint64_t filled; /* examples that had a row in it; of the model: and passed */
};
struct table_list {
    struct table_stats *items;
    size_t count, capacity;
};

/* Examples by their number of steps: none, tenths of settings.steps, more (a trace may have). */
enum { LENGTHS = 12 };

/* Pairs are only counted for machines with at most this many rules. */
enum { PAIRED_MAX = 500 };

/* Further labels are counted together, as the last one, "…". */
enum { LABELS_MAX = 100 };

/* Concurrent sessions. */
struct session_stats {
    uint64_t examples; /* examples that reached their sessions */
    uint64_t sessions; /* of them */
    uint64_t runs;     /* schedules of them */
    uint64_t single;   /* of these, with one switch, at a random point */
    uint64_t points;   /* points at which their sessions could be stopped */
    uint64_t unclear;  /* inconclusive runs: in some order a step could not run, or would have sent
                          something else, and no other order explains what came */
    uint64_t undone;   /* steps that another session made fail */
};

struct run_stats {
    uint64_t examples;
    uint64_t steps;
    uint64_t statements;
    uint64_t given_up;
    uint64_t dead_ends;        /* examples that ended before settings.steps: no rule could run */
    uint64_t unrepeated;       /* of two databases: differences that never showed again */
    uint64_t parted;           /* of two databases: that ended because the two parted */
    uint64_t migrated;         /* and in which the migration ran between two steps */
    uint64_t migrated_on_rows; /* of these, with a row in a table that differs */
    uint64_t time_us;
    VEC(struct label_count) labels;     /* of steps, by their rules' `label`; at most LABELS_MAX */
    struct rule_stats *rules;           /* machine->rules.count */
    struct invariant_stats *invariants; /* machine->invariants.count */
    struct bundle_stats *bundles;       /* machine->bundles.count */
    struct table_list tables;           /* in the model's variables, each once */
    struct table_list relations;        /* that two databases have, if their state was compared */
    /* For one example: the rules of its steps, in their order. */
    VEC(uint32_t) sequence;
    /* For a run: pairs[a * rules + b] steps of rule b came right after one of rule a; NULL if not
     * counted. */
    uint64_t *pairs;
    uint64_t paired;            /* of these, how many are not 0 */
    struct discovery discovery; /* of a run */
    struct tally_notes notes;   /* of one example: the arguments of its steps */
    uint64_t lengths[LENGTHS];
    uint64_t ways[WAY_COUNT]; /* examples, by how they were made */
    uint64_t length_width;    /* steps in one of the tenths */
    struct session_stats sessions;
    uint64_t deaths[DEATHS]; /* of clients, by enum trace_death */
    uint64_t repeated;       /* steps that were sent again */
    uint64_t unrepeatable;   /* those that were not, because the model says nothing of them */
};

/* An amount to add to a counter. */
struct stats_event {
    uint64_t *counter;
    uint64_t count;
};
struct stats_log {
    VEC(struct stats_event) events;
};

/* For examples of at most `steps` steps; `timed`: measures durations, too. */
void stats_begin(struct run_stats *stats, const struct machine *machine, int64_t steps, bool timed,
                 struct arena *arena);
/* Adds the counts of one example; `arena` is that of `stats`. */
void stats_merge(struct run_stats *stats, const struct machine *machine,
                 const struct run_stats *example, struct arena *arena);
/* Counts the log's events. */
void stats_commit(const struct stats_log *log);
/* Counts `count` errors of a rule, predicted or not. */
void stats_raised(struct rule_stats *rule, struct arena *arena, const char *sqlstate,
                  uint64_t count);

/* The number of the rule's steps without an error. */
uint64_t stats_succeeded(const struct rule_stats *rule);

/* `durations` may be NULL. */
void durations_add(struct durations *durations, uint64_t time_us);
/* An upper bound of the percentile, at most a quarter too large; 0 if there are no durations. */
uint64_t durations_percentile(const struct durations *durations, unsigned percent);

/* Makes a run's `stats` keep a curve of discovery, and count pairs of rules if the machine has at
 * most PAIRED_MAX. */
void stats_pair(struct run_stats *stats, const struct machine *machine, struct arena *arena);
/* From here on, `stats` of a run count the values of arguments. */
void stats_tally(struct run_stats *stats, const struct machine *machine, struct arena *arena);
/* Records an argument of a step, in one example. */
void stats_note(struct run_stats *stats, struct arena *arena, struct tally_note note);
/* Records a step of that rule, in one example. */
void stats_step(struct run_stats *stats, struct arena *arena, const struct rule *rule);

/* Counts `count` steps with the label. */
void stats_label(struct run_stats *stats, struct arena *arena, const char *label, uint64_t count);

#endif
