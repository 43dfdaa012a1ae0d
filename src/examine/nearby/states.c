#include "examine/nearby/states.h"

#include <assert.h>
#include <string.h>

enum { STATES_MAX = 10000, EDGES_MAX = 10000, BYTES_MAX = 16 << 20 };
#define EDGE_NONE UINT32_MAX

/* States by fingerprint. */

static bool is_full(const struct states *states)
{
    return states->items.count >= STATES_MAX || states->edges.count >= EDGES_MAX ||
           arena_used(&states->arena) >= BYTES_MAX;
}

static void add_state(struct states *states, uint64_t fingerprint)
{
    *VEC_PUSH(&states->arena, &states->items) =
        (struct state){.fingerprint = fingerprint, .first_edge = EDGE_NONE};
}

uint32_t states_find(struct states *states, const struct fingerprints *prints, size_t number)
{
    if (number >= prints->states.count) {
        return STATE_NONE;
    }
    uint64_t fingerprint = prints->states.items[number];
    const struct map_entry *known = map_find(&states->by_fingerprint, fingerprint);
    if (known) {
        return (uint32_t)known->to.number;
    }
    if (is_full(states)) {
        return STATE_NONE;
    }
    map_add(&states->by_fingerprint, fingerprint)->to.number = states->items.count;
    add_state(states, fingerprint);
    return (uint32_t)states->items.count - 1;
}

/* Moves. */

/* Whether the step can be taken whatever came before: it takes no value from another step. Those of
 * initialize are always there. */
static bool is_move(const struct states *states, const struct trace_step *step)
{
    for (size_t i = 0; i < step->choices.items.count; i++) {
        const struct choice *choice = &step->choices.items.items[i];
        if (choice->kind == CHOICE_REFERENCE &&
            choice->as.reference.step != REFERENCE_BY_POSITION &&
            choice->as.reference.step >= states->initialize) {
            return false;
        }
    }
    return true;
}

static void add_move(struct states *states, size_t rule, const struct choices *choices)
{
    *VEC_PUSH(&states->arena, &states->moves) =
        (struct trace_step){.rule = rule, .choices = choices_copy(&states->arena, choices)};
}

static uint32_t move_of(struct states *states, const struct trace_step *step)
{
    if (!is_move(states, step)) {
        return MOVE_NONE;
    }
    for (uint32_t i = 0; i < states->moves.count; i++) {
        const struct trace_step *move = &states->moves.items[i];
        if (move->rule == step->rule && choices_equal(&move->choices, &step->choices)) {
            return i;
        }
    }
    if (states->moves.count >= MOVES_MAX) {
        return MOVE_NONE;
    }
    add_move(states, step->rule, &step->choices);
    return (uint32_t)states->moves.count - 1;
}

void states_begin(struct states *states, const struct machine *machine, const bool *rules_off)
{
    *states = (struct states){.initialize = machine->initialize.count};
    add_state(states, 0); /* STATE_FAILED: no fingerprint leads there */
    for (size_t i = 0; i < machine->rules.count && i < MOVES_MAX; i++) {
        if (!rules_off || !rules_off[i]) {
            add_move(states, i, &(struct choices){0});
        }
    }
}

void states_free(struct states *states)
{
    map_free(&states->by_fingerprint);
    arena_free(&states->arena);
    arena_free(&states->scratch);
}

/* Edges. */

static const struct edge *edge_by_move(const struct states *states, uint32_t from, uint32_t move)
{
    uint32_t at = states->items.items[from].first_edge;
    while (at != EDGE_NONE && states->edges.items[at].move != move) {
        at = states->edges.items[at].next;
    }
    return at == EDGE_NONE ? NULL : &states->edges.items[at];
}

/* Behind the edges of rules that are as simple. */
static void link_edge(struct states *states, uint32_t from, uint32_t edge)
{
    struct edge *edges = states->edges.items;
    uint32_t *link = &states->items.items[from].first_edge;
    while (*link != EDGE_NONE && edges[*link].step.rule <= edges[edge].step.rule) {
        link = &edges[*link].next;
    }
    edges[edge].next = *link;
    *link = edge;
}

static void add_edge(struct states *states, uint32_t from, uint32_t to, uint32_t move,
                     const struct trace_step *step)
{
    const struct edge *known = move == MOVE_NONE ? NULL : edge_by_move(states, from, move);
    bool tried = move != MOVE_NONE && states->items.items[from].tried >> move & 1U;
    states->surprises += known ? known->to != to : tried && from != to;
    if (move != MOVE_NONE) {
        states->items.items[from].tried |= (uint64_t)1 << move;
    }
    if (from != to && to != STATE_FAILED) {
        states->arrivals++;
        states->returns += to == STATE_START || states->items.items[to].reached;
        states->items.items[to].reached = true;
    }
    if (known || from == to || is_full(states)) {
        return;
    }
    *VEC_PUSH(&states->arena, &states->edges) =
        (struct edge){.from = from,
                      .to = to,
                      .execution = states->executions,
                      .move = move,
                      .step = {.id = step->id, .rule = step->rule}};
    uint32_t edge = (uint32_t)states->edges.count - 1;
    states->edges.items[edge].step.choices = move == MOVE_NONE
                                                 ? choices_copy(&states->arena, &step->choices)
                                                 : states->moves.items[move].choices;
    link_edge(states, from, edge);
}

void states_note(struct states *states, uint32_t from, uint32_t move, uint32_t to)
{
    assert(from < states->items.count && to < states->items.count);
    assert(move < states->moves.count);
    add_edge(states, from, to, move, &states->moves.items[move]);
}

void states_learn(struct states *states, const struct fingerprints *prints,
                  const struct trace *trace, bool failed)
{
    size_t number = 0;
    uint32_t at = states_find(states, prints, 0);
    states->executions++;
    for (size_t i = 0; i < trace->steps.count && at != STATE_NONE; i++) {
        const struct trace_step *step = &trace->steps.items[i];
        if (step->initialize) {
            continue;
        }
        bool last = i + 1 == trace->steps.count;
        uint32_t to =
            last && failed ? (uint32_t)STATE_FAILED : states_find(states, prints, ++number);
        if (to != STATE_NONE) {
            add_edge(states, at, to, move_of(states, step), step);
        }
        at = to;
    }
}

/* Ways. */

struct reached *states_reach(struct states *states, uint32_t from, bool moves_only)
{
    assert(from < states->items.count);
    size_t count = states->items.count;
    struct reached *reached = ARENA_ARRAY(&states->scratch, struct reached, count);
    uint32_t *queue = ARENA_ARRAY(&states->scratch, uint32_t, count);
    size_t queued = 1;
    memset(reached, 0xFF, count * sizeof *reached);
    reached[from].distance = 0;
    queue[0] = from;
    for (size_t i = 0; i < queued; i++) {
        uint32_t at = queue[i];
        for (uint32_t e = states->items.items[at].first_edge; e != EDGE_NONE;
             e = states->edges.items[e].next) {
            const struct edge *edge = &states->edges.items[e];
            if (reached[edge->to].distance != UINT32_MAX ||
                (moves_only && edge->move == MOVE_NONE)) {
                continue;
            }
            reached[edge->to] = (struct reached){reached[at].distance + 1, e};
            queue[queued++] = edge->to;
        }
    }
    return reached;
}

/* A reference follows the step that gave the value to its place in the new trace: false where that
 * step, as it was executed then, is not on the way. */
static bool relocate(const struct states *states, const struct edge *const *way, size_t at,
                     struct reference *reference)
{
    if (reference->step == REFERENCE_BY_POSITION || reference->step < states->initialize) {
        return true;
    }
    for (size_t i = 0; i < at; i++) {
        if (way[i]->execution == way[at]->execution && way[i]->step.id == reference->step) {
            reference->step = (uint32_t)(states->initialize + i);
            return true;
        }
    }
    return false;
}

static bool add_step(const struct states *states, const struct edge *const *way, size_t at,
                     struct arena *arena, struct trace *out)
{
    struct trace_step *step = VEC_PUSH(arena, &out->steps);
    *step = (struct trace_step){.id = (uint32_t)(states->initialize + at),
                                .rule = way[at]->step.rule,
                                .choices = choices_copy(arena, &way[at]->step.choices)};
    for (size_t i = 0; i < step->choices.items.count; i++) {
        struct choice *choice = &step->choices.items.items[i];
        if (choice->kind == CHOICE_REFERENCE && !relocate(states, way, at, &choice->as.reference)) {
            return false;
        }
    }
    return true;
}

/* The way to the failure that `reached` holds, as a trace. */
static bool trace_of(const struct states *states, const struct reached *reached,
                     const struct trace *trace, struct arena *arena, struct trace *out)
{
    size_t count = reached[STATE_FAILED].distance;
    if (reached[STATE_FAILED].distance == UINT32_MAX) {
        return false;
    }
    const struct edge **way = ARENA_ARRAY(arena, const struct edge *, count);
    uint32_t at = STATE_FAILED;
    for (size_t i = count; i-- > 0; at = way[i]->from) {
        way[i] = &states->edges.items[reached[at].edge];
    }
    *out = (struct trace){0};
    for (size_t i = 0; i < trace_first(trace); i++) {
        *VEC_PUSH(arena, &out->steps) = trace->steps.items[i];
    }
    for (size_t i = 0; i < count; i++) {
        if (!add_step(states, way, i, arena, out)) {
            return false;
        }
    }
    return true;
}

bool states_shortest(struct states *states, const struct trace *trace, struct arena *arena,
                     struct trace *out)
{
    bool found = false;
    for (int moves_only = 0; moves_only < 2 && !found; moves_only++) {
        arena_reset(&states->scratch);
        found = states->items.count > STATE_START &&
                trace_of(states, states_reach(states, STATE_START, moves_only), trace, arena, out);
    }
    return found;
}
