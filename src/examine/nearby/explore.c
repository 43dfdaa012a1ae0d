#include "examine/nearby/explore.h"

enum {
    SHORTER_THAN_MIN = 6, /* steps; what is shorter, other ways of shrinking find */
    WALK_STEPS_MAX = 200,
};

bool explore_pays(const struct states *states)
{
    return states->surprises == 0 && states->arrivals > 0 &&
           states->returns * 2 >= states->arrivals;
}

struct walker {
    struct guide guide; /* first */
    struct states *states;
    const struct fingerprints *prints;
    size_t steps;  /* at most */
    size_t length; /* of the way that a shorter one is looked for */
    uint32_t at;   /* STATE_NONE: nowhere yet, or lost */
    uint32_t move; /* the one that is being made; MOVE_NONE: none */
    size_t number; /* steps before it */
    size_t moves;  /* made so far, those that could not run included */
};

static uint64_t untried(const struct states *states, uint32_t state)
{
    size_t moves = states->moves.count;
    uint64_t all = moves >= MOVES_MAX ? UINT64_MAX : ((uint64_t)1 << moves) - 1;
    return all & ~states->items.items[state].tried;
}

/* The state with something to try that costs least: to get there from here, and from the start. */
static uint32_t nearest(const struct states *states, const struct reached *start,
                        const struct reached *here, size_t length)
{
    uint32_t best = STATE_NONE;
    uint64_t best_cost = UINT64_MAX;
    for (uint32_t i = STATE_START; i < states->items.count; i++) {
        uint64_t cost = (uint64_t)start[i].distance + here[i].distance;
        bool reachable = start[i].distance != UINT32_MAX && here[i].distance != UINT32_MAX;
        if (reachable && cost < best_cost && untried(states, i) &&
            (size_t)start[i].distance + 2 <= length) {
            best = i;
            best_cost = cost;
        }
    }
    return best;
}

static uint32_t next_move(struct states *states, uint32_t at, size_t length)
{
    arena_reset(&states->scratch);
    const struct reached *start = states_reach(states, STATE_START, false);
    const struct reached *here = states_reach(states, at, true);
    if (start[STATE_FAILED].distance < length) {
        length = start[STATE_FAILED].distance;
    }
    uint32_t goal = nearest(states, start, here, length);
    if (length < SHORTER_THAN_MIN || goal == STATE_NONE) {
        return MOVE_NONE;
    }
    if (goal == at) {
        return (uint32_t)__builtin_ctzll(untried(states, at));
    }
    const struct edge *edge = NULL;
    while (goal != at) {
        edge = &states->edges.items[here[goal].edge];
        goal = edge->from;
    }
    return edge->move;
}

/* Takes in where the last move led. */
static void arrive(struct walker *walker, const struct example *example)
{
    struct states *states = walker->states;
    size_t number = example->number;
    uint32_t to = walker->at;
    if (walker->move == MOVE_NONE || number != walker->number) {
        to = states_find(states, walker->prints, number);
    }
    if (walker->move != MOVE_NONE && to != STATE_NONE) {
        states_note(states, walker->at, walker->move, to);
    }
    walker->at = to;
    walker->number = number;
}

static bool next(struct guide *guide, const struct example *example, struct trace_step *out)
{
    struct walker *walker = (struct walker *)guide;
    struct states *states = walker->states;
    arrive(walker, example);
    walker->move = MOVE_NONE;
    if (walker->at == STATE_NONE || states->surprises || walker->moves >= walker->steps) {
        return false;
    }
    walker->move = next_move(states, walker->at, walker->length);
    if (walker->move == MOVE_NONE) {
        return false;
    }
    walker->moves++;
    *out = states->moves.items[walker->move];
    return true;
}

bool explore_walk(struct examiner *examiner, struct states *states, const struct failure *wanted,
                  size_t length, bool *anything, struct error *err)
{
    struct rerun again = {0};
    const struct engine *engine = examiner->engine;
    int64_t steps = engine->options.settings->steps;
    struct walker walker = {.guide = {next},
                            .states = states,
                            .prints = &examiner->prints,
                            .steps = steps < WALK_STEPS_MAX ? (size_t)steps : WALK_STEPS_MAX,
                            .length = length,
                            .at = STATE_NONE,
                            .move = MOVE_NONE};
    *anything =
        states->items.count > STATE_START && next_move(states, STATE_START, length) != MOVE_NONE;
    if (!*anything) {
        return true;
    }
    struct trace start = wanted->trace;
    start.steps.count = trace_first(&start);
    if (!rerun_trace(examiner, &start, wanted,
                     (struct rerun_way){.watched = true, .guide = &walker.guide}, &again, err)) {
        return false;
    }
    states->surprises += again.outcome == OUTCOME_MISTAKE;
    if (walker.move != MOVE_NONE && walker.at != STATE_NONE) {
        bool same = again.outcome == OUTCOME_FAIL;
        states_note(states, walker.at, walker.move, same ? (uint32_t)STATE_FAILED : walker.at);
    }
    return true;
}
