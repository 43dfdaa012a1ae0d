/*
 * Shrinking: from a failing trace to the shortest, simplest one that still fails the same way.
 *
 * The shrinker knows traces and nothing else: whether a trace still fails is asked through
 * `attempt`. Delta debugging (Zeller and Hildebrandt, "Simplifying and isolating failure-inducing
 * input", 2002) over steps, then over references and arguments, in passes that are repeated until
 * none gives anything. The order that it descends in is total (shrink_compare): fewer steps, then
 * simpler rules (in file order), then simpler arguments; so one bug tends to end as one report,
 * whatever trace it was found in.
 *
 * Invariant: the trace held at any time has been seen to fail. The result is 1-minimal where the
 * budget was not reached: no single step can be removed.
 */
#ifndef SHRINK_SHRINK_H
#define SHRINK_SHRINK_H

#include "base/error.h"
#include "trace/trace.h"

#include <stdbool.h>
#include <stdint.h>

#define SHRINK_NO_COLLECTION SIZE_MAX

/* Where sessions of a trace can be stopped: before each of their statements and commits, and at
 * each gate. */
struct shrink_points {
    VEC(struct trace_switch) items;
};

/* What became of a candidate. */
struct shrink_attempt {
    bool same; /* it fails, and in the same way */
    /* The candidate as it was executed: dropped steps left out, clamped choices as they were used.
     * In the arena given; may be empty where it is not known. */
    struct trace trace;
    struct shrink_points points; /* of that trace, where it fails; in the arena given */
};

struct shrink_target {
    void *host;
    /* Runs the candidate. false: could not tell (connection lost, interrupted): shrinking stops
     * with err. */
    bool (*attempt)(void *host, const struct trace *candidate, struct arena *arena,
                    struct shrink_attempt *out, struct error *err);
    /* Asked before every attempt; true: stop now (time is up). May be NULL. */
    bool (*expired)(void *host);
    size_t rule_count;     /* rules of the machine: what a step may be replaced by */
    const bool *rules_off; /* by rule: but not by these; NULL: by all */
    /* By rule: a number for the collection that its steps' values go to, SHRINK_NO_COLLECTION where
     * they go to none or to several. NULL: not known. */
    const size_t *collections;
    const bool *advances; /* by rule: its steps move a clock; NULL: none does */
    size_t steps_max; /* that one attempt may have; 0: no more than the trace that it began with */
    /* The failure is looked for after the last step only, so the trace without its last step may
     * fail as well as any other. Else it is known not to: it ran that far. */
    bool at_end;
    /* What fails is the last step's rule, so that no step of another rule fails the same way. */
    bool last_rule_fails;
    /* Another trace that fails the same way: shrinking stops as soon as it takes many attempts and
     * the trace is no shorter than this one. NULL: there is none. */
    const struct trace *rival;
    struct shrink_points points; /* of the trace that it begins with */
};

struct shrink_stats {
    uint64_t attempts; /* executed */
    uint64_t accepted;
    bool cut_short; /* a budget was reached: the result may not be minimal */
};

/* Shrinks `failing`, which has been seen to fail and is canonical. `out` is in `arena`; it is set
 * to the best so far also where false is returned. At most `executions` attempts. */
bool shrink_trace(const struct shrink_target *target, const struct trace *failing,
                  uint64_t executions, struct arena *arena, struct trace *out,
                  struct shrink_stats *stats, struct error *err);

/* The order of simplicity: < 0 where a is simpler. Step ids do not count. */
int shrink_compare(const struct trace *a, const struct trace *b);

#endif
