/*
 * Shrinking: from a failing trace to the shortest, simplest one that still fails the same way.
 *
 * The shrinker only knows traces, and calls `attempt` to find out if one still fails. It does delta
 * debugging (Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", 2002) over
 * steps, then over references and arguments, in passes that are repeated until none helps. Its
 * order of simplicity is total (shrink_compare): fewer steps, then simpler rules (in file order),
 * then simpler arguments. One bug therefore tends to give one report, whatever trace found it.
 *
 * Invariant: the current trace has failed when it ran. If the budget was not reached, the result is
 * 1-minimal: no single step can be removed.
 */
#ifndef SHRINK_SHRINK_H
#define SHRINK_SHRINK_H

#include "base/error.h"
#include "trace/trace.h"

#include <stdbool.h>
#include <stdint.h>

#define SHRINK_NO_COLLECTION SIZE_MAX

/* The points at which sessions of a trace can be stopped: before each of their statements and
 * commits, and at each gate. */
struct shrink_points {
    VEC(struct trace_switch) items;
};

/* The result of an attempt. */
struct shrink_attempt {
    bool same; /* it fails in the same way */
    /* The candidate as it ran: without dropped steps, and with clamped choices. In the given arena;
     * empty if unknown. */
    struct trace trace;
    struct shrink_points points; /* of that trace, if it fails; in the given arena */
};

struct shrink_target {
    void *host;
    /* Runs the candidate. False if it could not tell (connection lost, interrupted); shrinking then
     * stops with err. */
    bool (*attempt)(void *host, const struct trace *candidate, struct arena *arena,
                    struct shrink_attempt *out, struct error *err);
    /* Called before every attempt; returns true to stop (time is up). May be NULL. */
    bool (*expired)(void *host);
    size_t rule_count;     /* rules of the machine, which may replace a step's rule */
    const bool *rules_off; /* by rule: true if it may not; NULL if all may */
    /* By rule: a number for the collection of its steps' values; SHRINK_NO_COLLECTION if they go to
     * none or to several. NULL if unknown. */
    const size_t *collections;
    const bool *advances; /* by rule: true if its steps move a clock; NULL if none does */
    /* By rule: true if attempts that begin alike share nothing from such a step on, and so take
     * longer; NULL if none is. */
    const bool *costly;
    size_t steps_max; /* maximum in one attempt; 0: as many as the original trace has */
    /* The failure is only checked after the last step, so the trace without its last step may fail,
     * too. Otherwise it can't, because the run got that far. */
    bool at_end;
    /* The last step's rule fails, so steps of other rules can't fail in the same way. */
    bool last_rule_fails;
    /* Another trace that fails in the same way. Shrinking stops before the expensive passes if the
     * trace is not shorter than this one. NULL if there is none. */
    const struct trace *rival;
    struct shrink_points points; /* of the original trace */
};

struct shrink_stats {
    uint64_t attempts; /* executed */
    uint64_t accepted;
    bool cut_short; /* a budget was reached, so the result may not be minimal */
};

/* Shrinks `failing`, which is canonical and has failed when it ran, in at most `executions`
 * attempts. `out` is in `arena`; it is the best trace so far, even if this returns false. */
bool shrink_trace(const struct shrink_target *target, const struct trace *failing,
                  uint64_t executions, struct arena *arena, struct trace *out,
                  struct shrink_stats *stats, struct error *err);

/* The order of simplicity: < 0 if a is simpler. Step ids do not count. */
int shrink_compare(const struct trace *a, const struct trace *b);

#endif
