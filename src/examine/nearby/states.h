/*
 * The states that the executions of one failing trace passed through, as a graph whose edges are
 * steps; and the shortest way to the failure in it.
 *
 * Only what was seen is in it, and states are told apart by fingerprints
 * (examine/nearby/fingerprint.h): a way through it is a guess, worth one attempt. The graph is
 * bounded; what comes once it is full is not kept.
 *
 * A *move* is a step that can be taken in any state: one whose choices refer to no other step. Each
 * rule with its simplest choices is one, and so is every such step that was seen, up to MOVES_MAX.
 */
#ifndef EXAMINE_STATES_H
#define EXAMINE_STATES_H

#include "base/map.h"
#include "examine/nearby/fingerprint.h"
#include "trace/trace.h"

enum { MOVES_MAX = 64, STATE_FAILED = 0, STATE_START = 1 };
#define STATE_NONE UINT32_MAX
#define MOVE_NONE UINT32_MAX

struct state {
    uint64_t fingerprint;
    uint32_t first_edge; /* in the order of rules */
    uint64_t tried;      /* moves, a bit for each */
    bool reached;        /* by a step */
};

struct edge {
    uint32_t to;
    uint32_t next;
    uint32_t from;
    uint32_t execution; /* in which it was seen first */
    uint32_t move;      /* MOVE_NONE: none */
    struct trace_step step;
};

struct states {
    struct arena arena;
    struct arena scratch;
    size_t initialize; /* steps of it */
    VEC(struct state) items;
    VEC(struct edge) edges;
    VEC(struct trace_step) moves;
    struct map by_fingerprint; /* → state */
    uint32_t executions;
    size_t arrivals;  /* steps that changed the state */
    size_t returns;   /* of these: to a state that had been reached before */
    size_t surprises; /* steps that led elsewhere than before: there is more than what is seen */
};

/* Ready for one failing trace; the simplest step of each rule is a move, but of those that are off
 * (by rule; NULL: none). */
void states_begin(struct states *states, const struct machine *machine, const bool *rules_off);
void states_free(struct states *states);

/* Takes in an executed trace; where it `failed`, its last step did. */
void states_learn(struct states *states, const struct fingerprints *prints,
                  const struct trace *trace, bool failed);

/* Which state was there after step `number`: a new state where it is unknown; STATE_NONE where
 * there is no room, or it was not watched. */
uint32_t states_find(struct states *states, const struct fingerprints *prints, size_t number);
/* Notes where a move led. */
void states_note(struct states *states, uint32_t from, uint32_t move, uint32_t to);

/* Distances in steps, for each state, and the edge by which it is reached; in `scratch`, until the
 * next call that says so. */
struct reached {
    uint32_t distance; /* UINT32_MAX: it can't be reached */
    uint32_t edge;
};
/* From state `from`, by all edges or by moves alone. */
struct reached *states_reach(struct states *states, uint32_t from, bool moves_only);

/* The shortest known way to the failure, behind the initialize steps of `trace`; in `arena`. False:
 * none is known. */
bool states_shortest(struct states *states, const struct trace *trace, struct arena *arena,
                     struct trace *out);

#endif
