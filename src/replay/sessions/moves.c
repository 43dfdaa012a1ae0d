#include "replay/sessions/moves.h"

#include <string.h>

enum { NOWHERE = -1 };

/* The state of a walk through the race. */
struct walk {
    const struct race *race;
    const struct recording *recording;
    struct arena *arena;
    struct moves *moves;
    int current[TRACE_SESSIONS_MAX];    /* the running SEND */
    bool open[TRACE_SESSIONS_MAX];      /* true while a transaction is open */
    size_t step[TRACE_SESSIONS_MAX];    /* in `race` */
    unsigned again[TRACE_SESSIONS_MAX]; /* number of retries */
    int answered;   /* the last SEND that had waited and was answered since the last move */
    unsigned moved; /* the session of the last move */
};

static size_t recorded_index(const struct recording *recording, uint32_t id)
{
    size_t index = 0;
    while (index < recording->steps.count &&
           (recording->steps.items[index].session == 0 || recording->steps.items[index].id != id)) {
        index++;
    }
    return index;
}

static struct move *add_move(struct walk *walk, enum move_kind kind, const struct race_event *event)
{
    struct move *move = VEC_PUSH(walk->arena, &walk->moves->items);
    const struct race_step *step = &walk->race->steps.items[event->step];
    *move = (struct move){.kind = kind,
                          .session = step->session,
                          .step = race_step_name(walk->arena, walk->race, event->step),
                          .recorded = recorded_index(walk->recording, step->id),
                          .call = event->call,
                          .notes = ""};
    walk->answered = kind == MOVE_END ? walk->answered : NOWHERE;
    return move;
}

static bool is_move_name_taken(const struct moves *moves, const char *name)
{
    for (size_t i = 0; i + 1 < moves->items.count; i++) {
        if (strcmp(moves->items.items[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void name_move(struct walk *walk, struct move *move, const char *what)
{
    const char *base = arena_printf(walk->arena, "%s%s", move->step, what);
    move->name = base;
    for (unsigned i = 2; is_move_name_taken(walk->moves, move->name); i++) {
        move->name = arena_printf(walk->arena, "%s_again_%u", base, i);
    }
}

static void note_result(struct walk *walk, struct move *move, const char *text)
{
    move->notes = arena_printf(walk->arena, "%s%s%s", move->notes, *move->notes ? ", " : "", text);
}

static struct move *current_move(struct walk *walk, unsigned session)
{
    int index = walk->current[session - 1];
    return index == NOWHERE ? NULL : &walk->moves->items.items[index];
}

static void on_sent(struct walk *walk, const struct race_event *event)
{
    struct move *move = add_move(walk, MOVE_SEND, event);
    unsigned lane = move->session - 1;
    const struct recorded_step *step = &walk->recording->steps.items[move->recorded];
    bool commits = move->call >= step->statements.count;
    walk->again[lane] = walk->step[lane] == event->step ? walk->again[lane] : 0;
    walk->step[lane] = event->step;
    move->begins = !walk->open[lane];
    move->counts = walk->again[lane] == walk->race->steps.items[event->step].retries;
    walk->open[lane] = !commits;
    walk->current[lane] = (int)walk->moves->items.count - 1;
    name_move(walk, move,
              commits           ? "_commit"
              : move->call == 0 ? ""
                                : arena_printf(walk->arena, "_%zu", move->call + 1));
}

static void on_released(struct walk *walk, const struct race_event *event)
{
    struct move *move = add_move(walk, MOVE_GO_ON, event);
    const struct move *of = current_move(walk, move->session);
    if (of) {
        move->gate = of->gate;
        move->crossing = of->stops.count ? of->stops.items[of->stops.count - 1] : 0;
    }
    name_move(walk, move, "_goes_on");
}

/* As in sql/gates.sql and sql/rows.sql. */
static unsigned move_gate(const struct race_event *event)
{
    enum { GATE_NTH = 1 << 12, GATE_BODY = 1 << 30 };
    return event->crossing + event->nth * GATE_NTH +
           (event->gate == TRACE_GATE_BODY ? GATE_BODY : 0);
}

static void number_gates(struct walk *walk, struct move *move)
{
    if (move->stops.count == 0 && move->ends.count == 0) {
        move->gate = ++walk->moves->gates;
    }
}

static void on_times_out(struct walk *walk, struct move *move, const struct race_event *event)
{
    number_gates(walk, move);
    *VEC_PUSH(walk->arena, &move->ends) = move_gate(event);
    note_result(
        walk, move,
        arena_printf(walk->arena, "lock_timeout ends a wait %s", event->text ? event->text : ""));
}

static void on_stopped(struct walk *walk, struct move *move, const struct race_event *event)
{
    number_gates(walk, move);
    *VEC_PUSH(walk->arena, &move->stops) = move_gate(event);
    move->by_row = move->by_row || event->gate == TRACE_GATE_ROW;
    walk->moves->by_row = walk->moves->by_row || move->by_row;
    move->waited = true;
    note_result(walk, move, arena_printf(walk->arena, "stops %s", event->text ? event->text : ""));
}

static void on_answered(struct walk *walk, struct move *move, const struct race_event *event)
{
    int index = walk->current[move->session - 1];
    struct move *before =
        walk->answered == NOWHERE ? NULL : &walk->moves->items.items[walk->answered];
    move->failed = event->failed;
    move->came_last = walk->moved == move->session;
    move->behind = move->waited && before ? before->name : NULL;
    walk->answered = move->waited ? index : walk->answered;
    note_result(walk, move, event->text ? event->text : "");
    if (event->failed && walk->open[move->session - 1]) {
        walk->open[move->session - 1] = false;
        name_move(walk, add_move(walk, MOVE_END, event), "_end");
    }
}

static void on_died(struct walk *walk, const struct race_event *event)
{
    struct move *move = add_move(walk, MOVE_DIE, event);
    walk->open[move->session - 1] = false;
    name_move(walk, move, "_dies");
}

static void on_event(struct walk *walk, const struct race_event *event)
{
    unsigned session = walk->race->steps.items[event->step].session;
    struct move *move = current_move(walk, session);
    if (event->kind == RACE_SENT || event->kind == RACE_RELEASED || event->kind == RACE_FREED ||
        event->kind == RACE_DIED) {
        walk->moved = session;
    }
    switch (event->kind) {
    case RACE_SENT:
        on_sent(walk, event);
        break;
    case RACE_RELEASED:
        on_released(walk, event);
        break;
    case RACE_AGAIN:
        walk->again[session - 1]++;
        break;
    case RACE_STOPPED:
        if (move) {
            on_stopped(walk, move, event);
        }
        break;
    case RACE_TIMES_OUT:
        if (move) {
            on_times_out(walk, move, event);
        }
        break;
    case RACE_BLOCKED:
        walk->moves->limited = walk->moves->limited || event->limited;
        if (move) {
            move->waited = true;
            note_result(walk, move, "waits for a lock");
        }
        break;
    case RACE_ANSWERED:
        if (move) {
            on_answered(walk, move, event);
        }
        break;
    case RACE_DIED:
        on_died(walk, event);
        break;
    case RACE_FREED:
    default:
        break;
    }
}

/* --- checks --- */

static bool same_values(const struct recorded_statement *a, const struct recorded_statement *b)
{
    for (size_t i = 0; i < a->values.count; i++) {
        const struct recorded_value *x = &a->values.items[i];
        const struct recorded_value *y = &b->values.items[i];
        bool same = x->null == y->null && x->parts.count == y->parts.count;
        for (size_t k = 0; same && k < x->parts.count; k++) {
            same = strcmp(x->parts.items[k].text, y->parts.items[k].text) == 0;
        }
        if (!same) {
            return false;
        }
    }
    return true;
}

/* True if the check occurred before, in another order. */
static bool is_repeated(const struct recording *recording, size_t index)
{
    const struct recorded_step *check = &recording->steps.items[index];
    for (size_t i = 0; i < index; i++) {
        const struct recorded_step *step = &recording->steps.items[i];
        bool same = step->kind == RECORDED_CHECK && step->invariant == check->invariant &&
                    step->statements.count == check->statements.count;
        for (size_t k = 0; same && k < step->statements.count; k++) {
            same = step->statements.items[k].sql == check->statements.items[k].sql &&
                   same_values(&step->statements.items[k], &check->statements.items[k]);
        }
        if (same) {
            return true;
        }
    }
    return false;
}

static void add_check(struct walk *walk, size_t index)
{
    const struct recorded_step *check = &walk->recording->steps.items[index];
    const struct move base = {.session = MOVES_CHECKS,
                              .step = check->invariant->name,
                              .recorded = index,
                              .counts = true,
                              .notes = ""};
    for (size_t i = 0; i <= check->statements.count; i++) {
        struct move *move = VEC_PUSH(walk->arena, &walk->moves->items);
        *move = base;
        move->kind = i < check->statements.count ? MOVE_SEND : MOVE_END;
        move->call = i;
        move->begins = i == 0;
        name_move(walk, move,
                  move->kind == MOVE_END ? "_end"
                  : i == 0               ? ""
                                         : arena_printf(walk->arena, "_%zu", i + 1));
    }
}

static void add_checks(struct walk *walk)
{
    for (size_t i = 0; i < walk->recording->steps.count; i++) {
        const struct recorded_step *step = &walk->recording->steps.items[i];
        if (step->kind == RECORDED_CHECK && step->statements.count &&
            !is_repeated(walk->recording, i)) {
            add_check(walk, i);
        }
    }
}

void moves_of(const struct failure *failure, struct arena *arena, struct moves *out)
{
    struct walk walk = {.race = failure->race,
                        .recording = failure->recording,
                        .arena = arena,
                        .moves = out,
                        .answered = NOWHERE};
    for (size_t i = 0; i < TRACE_SESSIONS_MAX; i++) {
        walk.current[i] = NOWHERE;
        walk.step[i] = SIZE_MAX;
    }
    *out = (struct moves){0};
    for (size_t i = 0; i < walk.race->events.count; i++) {
        on_event(&walk, &walk.race->events.items[i]);
    }
    add_checks(&walk);
}

const struct move *moves_deadlocked(const struct moves *moves, const struct recording *recording,
                                    unsigned session)
{
    for (size_t i = 0; i < moves->items.count; i++) {
        const struct move *move = &moves->items.items[i];
        const struct recorded_step *step = &recording->steps.items[move->recorded];
        if (move->kind == MOVE_SEND && move->session == session && move->failed && move->waited &&
            (strcmp(step->sqlstate, "40P01") == 0 || !move->counts)) {
            return move;
        }
    }
    return NULL;
}

bool race_contradicts(const struct race *race, const char *step)
{
    struct arena arena = {0};
    bool found = false;
    for (size_t i = 0; i < race->orders.count && !found; i++) {
        const struct race_order *order = &race->orders.items[i];
        found = order->at < order->count &&
                strcmp(race_step_name(&arena, race, order->steps[order->at]), step) == 0;
    }
    arena_free(&arena);
    return found;
}
