/* What a run is asked for, and whom it tells. */
#ifndef RUN_OPTIONS_H
#define RUN_OPTIONS_H

#include "examine/rerun.h"
#include "trace/store/store.h"

struct run_callbacks {
    void *host;
    uint64_t (*now_us)(void *host); /* monotonic microseconds; required */
    /* Asked between steps; true ends the run (Ctrl-C). May be NULL. */
    bool (*interrupted)(void *host);
    /* After an interrupt, while what was found is made ready to be reported: with true before,
     * with false after that. Between them neither `interrupted` nor the backend may hear of an
     * interrupt. May be NULL. */
    void (*mask_interrupts)(void *host, bool mask);
    /* Called after every example at least; may be NULL. */
    void (*progress)(void *host, const struct run_stats *stats, uint64_t examples_planned);
    /* Called when a failure that is new was found, and (`final`) when it is as it will be reported:
     * so that it outlives whatever may end the run. For one that the run ended on, the first alone;
     * for a pinned one, which is in a file anyway, the second; for none in set-up or in a trace
     * that is run again. `final` comes once more if another example is a shorter form of it. From
     * one thread at a time; may be NULL. */
    void (*found)(void *host, const struct failure *failure, bool final);
    /* Called every now and then while a failure is being shrunk: how long the run takes so far,
     * how many traces were run for that, and the steps of the shortest one that fails; may be NULL.
     */
    void (*shrinking)(void *host, uint64_t time_us, uint64_t executions, size_t steps);
    void (*print)(void *host, const char *line,
                  size_t size); /* print() in the model; may be NULL */
    /* Takes lines of what is told (options.narrator); may be NULL. */
    void (*tell)(void *host, const char *text, size_t size);
};

/* Who takes what a narrator tells. */
struct teller {
    void *host;
    void (*tell)(void *host, const char *text, size_t size);
    bool statements; /* with each statement */
};

/* Which examples are run. */
enum run_scope {
    RUN_ALL,    /* pinned ones, stored traces, fresh ones */
    RUN_KEPT,   /* pinned ones and stored traces */
    RUN_STORED, /* stored traces */
    RUN_FRESH,  /* fresh ones */
};

/* What becomes of a failing example. */
enum run_finding {
    FIND_EXAMINE, /* it is confirmed, shrunk and recorded, and told of */
    FIND_TELL,    /* it is told of as it is */
    FIND_FIRST,   /* it ends the run, and nothing is examined; stored traces all run */
    FIND_COUNT,   /* it is counted, and the run goes on */
};

struct run_options {
    struct settings
        settings; /* as resolved: machine's, then the command line's; has_seed is true */
    bool no_pipeline;
    bool all_invariants; /* are asked again after each step */
    /* Open backends on copies of the database, for examples side by side; borrowed. What is found
     * and reported does not depend on how many there are. The callbacks but `print` are then called
     * from several threads: `progress`, `shrinking` and `print` from one at a time. */
    struct backend *const *helpers;
    size_t helper_count;
    /* Of the fresh examples only every shard_count-th, from number shard + 1 on; 0: all. */
    uint64_t shard;
    uint64_t shard_count;
    /* Failing traces of earlier runs, run before fresh examples; borrowed. */
    const struct stored_trace *stored;
    size_t stored_count;
    enum run_scope scope;
    enum run_finding finding;
    bool record;  /* failures get recordings */
    bool measure; /* time steps and checks */
    /* Makes an observer that tells examples as they run, in the arena; NULL: nothing is told. */
    struct observer *(*narrator)(struct arena *arena, struct teller teller);
    bool tell_statements;  /* with each statement */
    const bool *rules_off; /* by rule: not to be chosen; NULL: all are. Borrowed */
    uint64_t max_failures; /* to stop after, and not sooner; 0: soon after the first one */
    const char *plant;     /* SQL of a fault that the schema is to have; NULL: none. Borrowed */
    const struct way *way; /* that every example takes; NULL: each its own */
    /* Gets the statements that can't be prepared, though initialize has run; NULL: they are left to
     * the steps. Where there are any the run stops, with the first of them as its error. */
    struct diagnostics *mistakes;
    struct run_callbacks callbacks;
};

/* What engines of the run get; the clock starts. */
struct engine_options run_engine_options(const struct run_options *options);
/* What its examiners get. */
struct examine_options run_examine_options(const struct run_options *options);

#endif
