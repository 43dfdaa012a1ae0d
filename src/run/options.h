/* A run's options and callbacks. */
#ifndef RUN_OPTIONS_H
#define RUN_OPTIONS_H

#include "examine/rerun.h"
#include "trace/store/store.h"

/* What a shard reported of an example. */
enum reported {
    REPORTED_NOT,
    REPORTED_PASSED,
    REPORTED_FAILED,
    REPORTED_CUT, /* nothing, as its time was up */
};
struct reported_example {
    enum reported how;
    const char *identity; /* of the failure; it and the next two as in example_record */
    bool fails;
    size_t least;
    struct run_stats stats;    /* if it passed or failed */
    VEC(const char *) printed; /* the same: lines of the model's print() */
};

/* Who examines a failure, where several processes share them. */
struct claimed {
    enum { CLAIM_MINE, CLAIM_KNOWN, CLAIM_TAKEN } how;
    const struct trace *trace; /* CLAIM_KNOWN: what another process has shrunk it to */
    const char *by;            /* that process, or the one that is examining it: CLAIM_TAKEN */
};

/* Fresh examples number `first` to `last` of a run that several processes share, or mutants; 0:
 * none. */
struct run_chunk {
    uint64_t first;
    uint64_t last;
};
/* What a process has run of a chunk. */
struct run_part {
    const char *records; /* a line of JSON for each */
    size_t count;        /* the chunk's first ones. If these are not all, this process takes no more
                          * chunks: its time is up (`cut`), or a failure that it knows from before
                          * ends its run there */
    bool cut;
    uint64_t stop; /* what lies behind this number does not count; 0: it does */
};

struct run_callbacks {
    void *host;
    uint64_t (*now_us)(void *host); /* monotonic microseconds; required */
    /* Asked between steps; true ends the run (Ctrl-C). May be NULL. */
    bool (*interrupted)(void *host);
    /* After an interrupt, called with true before the results are prepared for the report, and with
     * false afterwards. In between, `interrupted` and the backend must ignore interrupts. May be
     * NULL. */
    void (*mask_interrupts)(void *host, bool mask);
    /* Called after every example at least; may be NULL. */
    void (*progress)(void *host, const struct run_stats *stats, uint64_t examples_planned);
    /* Called when a new failure is found, so that it can be stored before anything ends the run,
     * and again (`final`) in the form that will be reported. A failure that ends the run gets only
     * the first call; a pinned one, which is in a file already, only the second; failures in set-up
     * and in a trace that is run again get none. `final` comes once more if another example is a
     * shorter form of the failure. Called by one thread at a time; may be NULL. */
    void (*found)(void *host, const struct failure *failure, bool final);
    /* Called now and then during shrinking, with the time of the run so far, the number of traces
     * run for this failure, and the steps of the shortest failing one. May be NULL. */
    void (*shrinking)(void *host, uint64_t time_us, uint64_t executions, size_t steps);
    void (*print)(void *host, const char *line,
                  size_t size); /* print() in the model; may be NULL */
    /* As in examine_options; may be NULL. */
    struct backend *(*open_committed)(void *host);
    void (*fails_uncommitted)(void *host, const struct failure *failure);
    /* What was found (and not `final` yet) is none: `failure` leaves the results, and those behind
     * it move up. May be NULL. */
    void (*dropped)(void *host, const struct failure *failure);
    /* Set to merge the reports of shards: what they say of the example with this number. Those that
     * nobody reports are run, in this process alone, and those that failed if this may change what
     * is told of failures. `out` is valid until the next call. Returns false with err if a report
     * is wrong. NULL: run all examples. */
    bool (*reported)(void *host, uint64_t number, struct reported_example *out, struct error *err);
    /* Asks for a failure that is to be examined; out's texts outlive the run. `wait`: as long as
     * another process examines it. `stale`: the trace of the last answer does not fail. NULL: every
     * failure is this process's. */
    void (*claim)(void *host, const struct failure *failure, bool wait, bool stale,
                  struct claimed *out);
    /* Set to run in chunks: the next one, until there is none left. Each is given to `done` once.
     * `wait`: as long as other processes have some, which they may give back. False with err. */
    bool (*take)(void *host, bool wait, struct run_chunk *out, struct error *err);
    /* Before the first chunk. What pinned and stored examples taught of how two databases differ by
     * nature is to be kept. May be NULL. */
    void (*splits)(void *host);
    /* Before the chunks are merged, once or more. Their examples are all that settings.max_time
     * limits, so what waits for the database has no deadline any more. What they taught of how two
     * databases differ by nature is to be forgotten: the merged examples teach it in their order.
     * May be NULL. */
    void (*merges)(void *host);
    /* A chunk has run; the part is borrowed. False with err. */
    bool (*done)(void *host, const struct run_chunk *chunk, const struct run_part *part,
                 struct error *err);
    /* What examples have taught so far of how two databases differ by nature: it only grows. May be
     * NULL. */
    size_t (*learned)(void *host);
    /* Receives the narrator's lines (options.narrator); may be NULL. */
    void (*tell)(void *host, const char *text, size_t size);
};

/* Receives the output of a narrator. */
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
    FIND_EXAMINE, /* confirm, shrink and record it */
    FIND_TELL,    /* report it unchanged: neither repeated nor shrunk */
    FIND_FIRST,   /* stop, without examining it; all stored traces run */
    FIND_COUNT,   /* only count it */
};

struct run_options {
    struct settings
        settings; /* resolved: the command line's over the machine's; has_seed is true */
    bool no_pipeline;
    bool all_invariants; /* check all invariants after each step */
    /* Open backends on copies of the database, for concurrent examples; borrowed. The results do
     * not depend on their number. With helpers, callbacks are called from several threads;
     * `progress`, `shrinking` and `print` by one at a time. */
    struct backend *const *helpers;
    size_t helper_count;
    /* Run only every shard_count-th fresh example, starting with number shard + 1; 0: all. */
    uint64_t shard;
    uint64_t shard_count;
    /* Failing traces of earlier runs, run before fresh examples; borrowed. */
    const struct stored_trace *stored;
    size_t stored_count;
    enum run_scope scope;
    enum run_finding finding;
    bool record_each; /* results get a record of each fresh example */
    bool record;      /* failures get recordings */
    bool measure;     /* time steps and checks, and count the values of arguments */
    /* Makes an observer that reports examples as they run, in the arena; NULL: no such report. */
    struct observer *(*narrator)(struct arena *arena, struct teller teller);
    bool tell_statements;         /* with each statement */
    const bool *rules_off;        /* by rule: never choose it; NULL: choose from all. Borrowed */
    bool differs;                 /* the backend compares two databases: engine.h */
    const bool *invariants_off;   /* the same: never check it */
    const struct rule *migration; /* as in engine.h; or NULL */
    uint64_t max_failures;        /* stop only after this many; 0: soon after the first one */
    size_t open_passing;          /* passing examples to tell of, at most */
    const char *plant;     /* SQL that plants a fault in the schema; NULL: no fault. Borrowed */
    const struct way *way; /* the way of every example; NULL: each has its own */
    /* Receives the statements that can't be prepared even after initialize. If there are any, the
     * run stops, with the first as its error. NULL: such statements are left to their steps. */
    struct diagnostics *mistakes;
    struct run_callbacks callbacks;
};

/* True if the run is a shard for which there is no fresh example, as there are more shards than
 * examples. */
bool run_shard_is_idle(const struct run_options *options);
/* The options of the run's engines; starts the clock. */
struct engine_options run_engine_options(const struct run_options *options);
/* The options of the run's examiners. */
struct examine_options run_examine_options(const struct run_options *options);

#endif
