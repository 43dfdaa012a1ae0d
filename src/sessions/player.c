#include "sessions/player.h"

#include "example/failure/race.h"
#include "example/setup/prefix.h"
#include "example/step/step.h"
#include "sessions/steer.h"

#include <stddef.h>
#include <string.h>

#define SERIALIZATION_FAILURE "40001"

static struct player *player_of(struct backend *backend)
{
    return (struct player *)(void *)backend;
}

static struct player *observed(struct observer *observer)
{
    return (struct player *)(void *)((char *)observer - offsetof(struct player, observer));
}

/* --- what is asked next --- */

static void on_step(struct observer *observer, const struct step *step)
{
    struct player *player = observed(observer);
    player->at = player->sent = player->failed = 0;
    player->live = false;
    player->step = record_find(player->before, step->id);
    for (size_t i = 0; !player->step && i < player->session_count; i++) {
        player->step = record_find(&player->sessions[i], step->id);
    }
    if (!player->step) {
        player->live = player->lane != NULL;
        player->strayed = player->strayed || !player->live;
        player->step = record_step(player->record ? player->record : &player->unknown,
                                   player->arena, step->id);
        player->step->session = player->lane ? player->lane->session : 0;
    }
}

static void on_step_done(struct observer *observer, struct example *example,
                         const struct step *step)
{
    (void)example;
    (void)step;
    observed(observer)->step = NULL;
}

static backend_ticket ticket_of(struct player *player, struct recorded_call *call)
{
    *VEC_PUSH(player->arena, &player->tickets) = call; /* NOLINT(bugprone-sizeof-expression) */
    return player->tickets.count - 1;
}

/* The step does not go as it went: what was answered then is no answer to this. */
static bool stray_step(struct player *player, struct error *err)
{
    player->strayed = true;
    return error_set(err, ERROR_MACHINE, "the step sends something else in this order");
}

/* A statement of an invariant: it is asked once. */
static bool ask_invariant(struct player *player, const struct backend_call *call,
                          backend_ticket *ticket, struct error *err)
{
    const struct backend_ops *ops = player->main->ops;
    for (size_t i = 0; i < player->asked.count; i++) {
        if (recorded_is(player->asked.items[i], call, call->context)) {
            recorded_types(player->asked.items[i], call);
            *ticket = ticket_of(player, player->asked.items[i]);
            return true;
        }
    }
    struct recorded_step one = {0};
    struct recorded_call *asked = record_call(&one, player->arena, call, call->context);
    struct backend_call typed = *call;
    backend_ticket sent;
    typed.types = asked->types;
    if (!ops->queue(player->main, &typed, &sent, err) ||
        !ops->take(player->main, sent, player->arena, &asked->answer, err)) {
        return false;
    }
    recorded_types(asked, call);
    *VEC_PUSH(player->arena, &player->asked) = asked; /* NOLINT(bugprone-sizeof-expression) */
    *ticket = ticket_of(player, asked);
    return true;
}

/* A call of the step, or (NULL) what ends it. */
static bool queue_any(struct player *player, const struct backend_call *call,
                      const struct backend_context *context, backend_ticket *ticket,
                      struct error *err)
{
    struct recorded_step *step = player->step;
    if (player->live) {
        (void)record_call(step, player->arena, call, context);
        player->at++;
        *ticket = player->at - 1; /* calls move while they are added */
        return true;
    }
    if (player->at >= step->calls.count ||
        !recorded_is(&step->calls.items[player->at], call, context)) {
        return stray_step(player, err);
    }
    recorded_types(&step->calls.items[player->at], call);
    *ticket = ticket_of(player, &step->calls.items[player->at++]);
    return true;
}

static bool play_queue(struct backend *backend, const struct backend_call *call,
                       backend_ticket *ticket, struct error *err)
{
    struct player *player = player_of(backend);
    return player->step ? queue_any(player, call, call->context, ticket, err)
                        : ask_invariant(player, call, ticket, err);
}

static bool play_queue_deferred(struct backend *backend, const struct backend_context *context,
                                bool begins, backend_ticket *ticket, struct error *err)
{
    static struct recorded_call nothing;
    struct player *player = player_of(backend);
    (void)begins;
    if (player->step) {
        return queue_any(player, NULL, context, ticket, err);
    }
    *ticket = ticket_of(player, &nothing);
    return true;
}

/* --- sending --- */

/* Sends one call, and waits for its answer. */
static bool send_call_of(struct player *player, size_t index, struct error *err)
{
    struct lane *lane = player->lane;
    struct backend *to = lane->backend;
    struct recorded_call *call = &player->step->calls.items[index];
    backend_ticket ticket;
    const struct backend_call again = {.sql = call->sql,
                                       .context = call->context,
                                       .values = call->values,
                                       .types = call->types,
                                       .begins = call->begins,
                                       .isolation = call->isolation,
                                       .outside = call->outside,
                                       .prepared = call->prepared};
    if (!steer_call(lane, player->step->id, (uint32_t)index, err) ||
        !(call->sql ? to->ops->queue(to, &again, &ticket, err)
                    : to->ops->queue_deferred(to, call->context, false, &ticket, err)) ||
        !to->ops->take(to, ticket, player->arena, &call->answer, err)) {
        return false;
    }
    if (player->step->began == 0) { /* what ended before it was sent came before it */
        player->step->began = lane->sent;
    }
    call->crossings = lane->crossings;
    for (size_t i = 0; i < lane->between.count; i++) {
        *VEC_PUSH(player->arena, &call->between) = lane->between.items[i];
    }
    call->rows = lane->written.rows.items;
    call->row_count = lane->written.rows.count;
    call->ends = lane->written.ends.items;
    call->end_count = lane->written.ends.count;
    bool failed = call->answer.status == ANSWER_ERROR;
    const struct server_error *error = &call->answer.error;
    bool deadlock = failed && strcmp(error->sqlstate, DEADLOCK_DETECTED) == 0;
    steer_answered(lane, failed ? error->message : call->answer.command, failed,
                   !deadlock       ? NULL
                   : error->detail ? error->detail
                                   : "");
    return true;
}

/* Sends what the client has queued, up to a call that fails, whose error is undone with the step.
 * What ends a step outside of a transaction is sent all the same: it unsets the context. */
static bool send_queued(struct player *player, struct error *err)
{
    struct backend *to = player->lane->backend;
    struct recorded_step *step = player->step;
    if (player->sent == 0 && (!to->ops->guard_begin(to, GUARD_MAY_FAIL, err) ||
                              (step->gate && !to->ops->die_at(to, step->gate, err)))) {
        return false;
    }
    for (; player->sent < step->calls.count; player->sent++) {
        struct answer *answer = &step->calls.items[player->sent].answer;
        bool ends_outside = !step->calls.items[player->sent].sql && step->calls.items[0].outside;
        *answer = (struct answer){.status = ANSWER_SKIPPED, .count = -1};
        if (player->failed && !ends_outside) {
            continue;
        }
        if (!send_call_of(player, player->sent, err)) {
            return false;
        }
        if (!player->failed && answer->status != ANSWER_OK) {
            player->failed = player->sent + 1;
        }
    }
    return true;
}

/* Whether the step's transaction is of a level whose users must be ready to try again (manual,
 * section 13.2.2). */
static bool may_lose(const struct player *player)
{
    const struct lane *lane = player->lane;
    enum isolation level = player->step->calls.items[0].isolation;
    level = level ? level : lane->steer->ops->isolation(lane->backend);
    return level > ISOLATION_READ_COMMITTED;
}

/* True if the error asks a client that is ready for it to try again. Otherwise it is a failure. A
 * deadlock is one at every level: a defect of the order of locks (manual, section 13.3.4). */
static bool lost_step(const struct player *player, const struct answer *failed)
{
    bool retries = player->retries > 0;
    return failed && failed->status == ANSWER_ERROR &&
           ((strcmp(failed->error.sqlstate, SERIALIZATION_FAILURE) == 0 &&
             (retries || may_lose(player))) ||
            (retries && strcmp(failed->error.sqlstate, DEADLOCK_DETECTED) == 0));
}

static bool play_take(struct backend *backend, backend_ticket ticket, struct arena *arena,
                      struct answer *out, struct error *err)
{
    struct player *player = player_of(backend);
    if (player->live && !send_queued(player, err)) {
        player->strayed = true;
        player->step->ended = player->lane->steer->tick;
        return false;
    }
    const struct recorded_call *call =
        player->live ? &player->step->calls.items[ticket] : player->tickets.items[ticket];
    *out = answer_copy(arena, &call->answer);
    return true;
}

/* The step is over, or its client sends it again, with what it then reads. */
static bool play_again(struct backend *backend, bool *again, struct error *err)
{
    struct player *player = player_of(backend);
    struct recorded_step *step = player->step;
    *again = false;
    if (!player->live || player->sent == 0) {
        return true;
    }
    struct backend *to = player->lane->backend;
    const struct answer *failed =
        player->failed ? &step->calls.items[player->failed - 1].answer : NULL;
    bool ended = to->ops->guard_end(to, err);
    step->ended = player->lane->steer->tick;
    step->undone = lost_step(player, failed);
    *again = ended && step->undone && step->retries < player->retries;
    player->strayed = player->strayed || !ended || (failed && failed->status == ANSWER_STALE);
    if (*again) {
        step->retries++;
        step->calls.count = player->at = player->sent = player->failed = 0;
        steer_again(player->lane);
    }
    return ended;
}

static bool play_ready(struct backend *backend, backend_ticket ticket)
{
    (void)backend;
    (void)ticket;
    return true;
}

/* --- the rest --- */

static bool play_guard_begin(struct backend *backend, enum backend_guard guard, struct error *err)
{
    (void)backend;
    (void)guard;
    (void)err;
    return true;
}

static bool play_nothing(struct backend *backend, struct error *err)
{
    (void)backend;
    (void)err;
    return true;
}

/* Other sessions may go on before the lane's client dies. */
static bool play_die(struct backend *backend, struct error *err)
{
    struct player *player = player_of(backend);
    struct recorded_step *step = player->step;
    if (!player->live) {
        return true;
    }
    struct backend *to = player->lane->backend;
    step->died = true;
    if (!steer_die(player->lane, step->id, (uint32_t)step->calls.count, err) ||
        !to->ops->die(to, err)) {
        return false;
    }
    step->ended = player->lane->steer->tick;
    step->gone = true;
    return true;
}

static bool play_die_at(struct backend *backend, uint32_t gate, struct error *err)
{
    struct player *player = player_of(backend);
    (void)err;
    player->step->gate = gate;
    return true;
}

static bool play_died_at(struct backend *backend, struct backend_death *out, struct error *err)
{
    struct player *player = player_of(backend);
    struct recorded_step *step = player->step;
    struct backend *to = player->live ? player->lane->backend : NULL;
    if (to && !to->ops->died_at(to, &step->death, err)) {
        return false;
    }
    *out = step->death;
    return true;
}

static bool play_wants_restart(struct backend *backend)
{
    (void)backend;
    return false;
}

static bool play_equal(struct backend *backend, uint32_t type, const struct value *expected,
                       const struct value *actual, size_t count, bool *same, struct error *err)
{
    struct backend *main = player_of(backend)->main;
    return main->ops->equal(main, type, expected, actual, count, same, err);
}

static bool play_table(struct backend *backend, const char *name, const struct table_facts **out,
                       struct error *err)
{
    struct backend *main = player_of(backend)->main;
    return main->ops->table(main, name, out, err);
}

static bool play_rows(struct backend *backend, const struct key_facts *key, struct arena *arena,
                      struct value *out, struct error *err)
{
    struct backend *main = player_of(backend)->main;
    return main->ops->rows(main, key, arena, out, err);
}

static const struct value *play_ints(struct backend *backend, size_t *count)
{
    struct backend *main = player_of(backend)->main;
    return main->ops->pool_ints(main, count);
}

static const struct value *play_strings(struct backend *backend, size_t *count)
{
    struct backend *main = player_of(backend)->main;
    return main->ops->pool_strings(main, count);
}

#define PLAYING                                                                                    \
    .queue = play_queue, .queue_deferred = play_queue_deferred, .take = play_take,                 \
    .ready = play_ready, .again = play_again, .guard_begin = play_guard_begin,                     \
    .guard_end = play_nothing, .reset = play_nothing, .die = play_die, .die_at = play_die_at,      \
    .died_at = play_died_at, .wants_restart = play_wants_restart, .equal = play_equal

void player_init(struct player *player)
{
    static const struct backend_ops plain = {PLAYING};
    static const struct backend_ops with_tables = {PLAYING, .table = play_table, .rows = play_rows,
                                                   .pool_ints = play_ints,
                                                   .pool_strings = play_strings};
    static const struct observer_ops watching = {.step = on_step, .step_done = on_step_done};
    player->backend.ops = player->main->ops->table ? &with_tables : &plain;
    player->observer.ops = &watching;
}

void player_begin(struct player *player)
{
    player->step = NULL;
    player->strayed = player->live = false;
    player->at = player->sent = player->failed = 0;
    player->tickets.items = NULL;
    player->tickets.count = player->tickets.capacity = 0;
}
