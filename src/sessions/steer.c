#include "sessions/steer.h"

#include "example/failure/race.h"
#include "os/thread.h"
#include "os/wait.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

enum {
    SOON_US = 400,        /* most answers come sooner; then it is asked whether a lock is missing */
    PATIENCE_MS = 20,     /* between two such questions, at most */
    ASLEEP_US = 150000,   /* of a call that sleeps then, others go on meanwhile */
    CROSSINGS_MAX = 4096, /* gates of a call at which it can be stopped */
};

static struct lane *lane_of(struct lane_host *host) { return (struct lane *)(void *)host; }

static struct steer_event *note_event(struct lane *lane, enum steer_event_kind kind)
{
    struct steer *steer = lane->steer;
    struct steer_event *event = VEC_PUSH(steer->arena, &steer->events);
    steer->tick++;
    *event = (struct steer_event){.kind = kind,
                                  .session = lane->session,
                                  .step = lane->step,
                                  .call = lane->call,
                                  .crossing = lane->crossings,
                                  .nth = lane->nth,
                                  .gate = lane->gate};
    return event;
}

/* --- who goes on --- */

/* On the lane's thread: it stands still until it is told to go on. */
static bool yield_as(struct lane *lane, enum lane_state state, struct error *err)
{
    struct steer *steer = lane->steer;
    (void)pthread_mutex_lock(&steer->lock);
    lane->state = state;
    steer->running = NULL;
    (void)pthread_cond_signal(&steer->yielded);
    while (steer->running != lane) {
        (void)pthread_cond_wait(&lane->go, &steer->lock);
    }
    bool quit = steer->quit;
    (void)pthread_mutex_unlock(&steer->lock);
    return !quit || error_interrupted(err);
}

/* On the steerer's thread: the lane goes on until it stands still. */
static void let_go(struct lane *lane)
{
    struct steer *steer = lane->steer;
    (void)pthread_mutex_lock(&steer->lock);
    steer->running = lane;
    (void)pthread_cond_signal(&lane->go);
    while (steer->running) {
        (void)pthread_cond_wait(&steer->yielded, &steer->lock);
    }
    (void)pthread_mutex_unlock(&steer->lock);
}

static struct lane *pick_lane(struct steer *steer)
{
    struct lane *best = NULL;
    for (unsigned i = 0; i < steer->count; i++) {
        struct lane *lane = &steer->lanes[i];
        bool can = lane->state == LANE_READY || lane->state == LANE_GATE;
        if (can && (!best || lane->priority > best->priority)) {
            best = lane;
        }
    }
    return best;
}

/* Whether the lane would be picked. */
static bool is_first(const struct lane *lane)
{
    const struct steer *steer = lane->steer;
    for (unsigned i = 0; i < steer->count; i++) {
        const struct lane *other = &steer->lanes[i];
        if (other != lane && other->state != LANE_DONE &&
            (other->state == LANE_BLOCKED || other->priority > lane->priority)) {
            return false;
        }
    }
    return true;
}

/* What the schedule has for the point where the lane is: if it yields there, that gives it its new
 * priority. */
static void act_at_point(struct lane *lane)
{
    const struct trace_schedule *schedule = lane->steer->schedule;
    const struct trace_switch here = {
        .step = lane->step,
        .call = lane->call,
        .crossing = lane->crossings,
        .nth = lane->nth,
        .gate = lane->gate,
    };
    lane->times_out = lane->times_out && lane->gate == TRACE_GATE_ROW; /* which changes nothing */
    lane->gate_us = lane->ran_us;
    for (size_t i = 0; i < schedule->switches.count; i++) {
        const struct trace_switch *to = &schedule->switches.items[i];
        if (!trace_point_equal(to, &here)) {
            continue;
        }
        if (to->act == TRACE_YIELD) {
            lane->priority = (long)i;
        } else if (to->act == TRACE_TIME_OUT) {
            lane->times_out = lane->limited;
        }
    }
}

/* --- on a lane's thread --- */

bool steer_begin(struct lane *lane, struct error *err)
{
    struct steer *steer = lane->steer;
    (void)pthread_mutex_lock(&steer->lock);
    while (steer->running != lane) {
        (void)pthread_cond_wait(&lane->go, &steer->lock);
    }
    bool quit = steer->quit;
    (void)pthread_mutex_unlock(&steer->lock);
    return !quit || error_interrupted(err);
}

void steer_end(struct lane *lane)
{
    struct steer *steer = lane->steer;
    (void)pthread_mutex_lock(&steer->lock);
    lane->state = LANE_DONE;
    steer->running = NULL;
    (void)pthread_cond_signal(&steer->yielded);
    (void)pthread_mutex_unlock(&steer->lock);
}

static bool is_same_stop(const struct lane_stop *a, const struct lane_stop *b)
{
    return a->gate == b->gate && a->crossing == b->crossing && a->nth == b->nth &&
           a->times_out == b->times_out;
}

/* Where the call is to stop, each place once. */
static size_t stops_of(const struct lane *lane, struct lane_stop *out, size_t room)
{
    const struct trace_schedule *schedule = lane->steer->schedule;
    size_t count = 0;
    for (size_t i = 0; i < schedule->switches.count && count < room; i++) {
        const struct trace_switch *to = &schedule->switches.items[i];
        if (to->step != lane->step || to->call != lane->call || !trace_is_inside(to) ||
            to->crossing > CROSSINGS_MAX || to->nth > CROSSINGS_MAX) {
            continue;
        }
        const struct lane_stop stop = {to->gate, to->crossing, to->nth, to->act == TRACE_TIME_OUT};
        size_t at = 0;
        while (at < count && !is_same_stop(&out[at], &stop)) {
            at++;
        }
        out[at] = stop;
        count = at < count ? count : count + 1;
    }
    return count;
}

static bool stand_before(struct lane *lane, uint32_t step, uint32_t call, struct error *err)
{
    lane->step = step;
    lane->call = call;
    lane->crossings = lane->nth = lane->body = lane->kept_by = 0;
    lane->gate = TRACE_GATE_WRITE;
    lane->limited = lane->times_out = false;
    lane->written = (struct written){.arena = lane->steer->arena};
    lane->between.items = NULL;
    lane->between.count = lane->between.capacity = 0;
    lane->ran_us = 0;
    act_at_point(lane);
    return is_first(lane) || yield_as(lane, LANE_READY, err);
}

bool steer_die(struct lane *lane, uint32_t step, uint32_t call, struct error *err)
{
    if (!stand_before(lane, step, call, err)) {
        return false;
    }
    (void)note_event(lane, STEER_DIED);
    return true;
}

bool steer_call(struct lane *lane, uint32_t step, uint32_t call, struct error *err)
{
    enum { STOPS_MAX = 64 };
    struct lane_stop stops[STOPS_MAX];
    if (!stand_before(lane, step, call, err)) {
        return false;
    }
    (void)note_event(lane, STEER_SENT);
    lane->sent = lane->steer->tick;
    size_t count = stops_of(lane, stops, STOPS_MAX);
    lane->stops = count > 0;
    return lane->steer->ops->stop_at(lane->backend, stops, count, err);
}

/* Whether what went on at the event had waited for a lock of the session. */
static bool waited_for(const struct steer *steer, size_t freed, unsigned session)
{
    const struct steer_event *events = steer->events.items;
    size_t i = freed;
    while (i > 0 &&
           (events[i].kind != STEER_BLOCKED || events[i].session != events[freed].session)) {
        i--;
    }
    return events[i].kind == STEER_BLOCKED && events[i].by & 1U << session;
}

/* The server ended a wait, and another session may go on. Chance decides which of the two we see
 * first. What we tell does not depend on it: first the ended wait, which never got the lock. */
static void tell_ended(struct steer *steer)
{
    struct steer_event *events = steer->events.items;
    const struct steer_event ended = events[steer->events.count - 1];
    size_t last = steer->events.count - 1;
    if (last > 0 && events[last - 1].kind == STEER_FREED &&
        events[last - 1].session == ended.session) {
        last--;
    }
    size_t at = last;
    for (size_t i = last; i > 0; i--) {
        const struct steer_event *event = &events[i - 1];
        if (event->session == ended.session) {
            break;
        }
        at = event->kind == STEER_FREED && waited_for(steer, i - 1, ended.session) ? i - 1 : at;
    }
    memmove(&events[at + 1], &events[at], (last - at) * sizeof *events);
    events[at] = ended;
    steer->events.count = last + 1;
}

/* The wait of a session, for those that hold the lock. The server may see a deadlock before it is
 * asked who waits, and whom a session waits for changes while it does. */
static void tell_wait(struct steer *steer, unsigned session, unsigned by)
{
    struct steer_event *events = steer->events.items;
    size_t i = steer->events.count;
    while (i > 0 && (events[i - 1].session != session ||
                     (events[i - 1].kind != STEER_BLOCKED && events[i - 1].kind != STEER_SENT &&
                      events[i - 1].kind != STEER_RELEASED))) {
        i--;
    }
    if (i > 0 && events[i - 1].kind == STEER_BLOCKED) {
        events[i - 1].by = by;
    } else if (i > 0) {
        (void)VEC_PUSH(steer->arena, &steer->events);
        events = steer->events.items;
        memmove(&events[i + 1], &events[i], (steer->events.count - 1 - i) * sizeof *events);
        events[i] = events[i - 1];
        events[i].kind = STEER_BLOCKED;
        events[i].by = by;
    }
}

static void tell_circle(struct lane *lane, const char *detail)
{
    struct steer *steer = lane->steer;
    unsigned by[LANES_MAX] = {0};
    steer->ops->deadlock(lane->backend, detail, by);
    for (unsigned i = 0; i < steer->count; i++) {
        if (by[i]) {
            tell_wait(steer, i + 1, by[i]);
        }
    }
}

void steer_answered(struct lane *lane, const char *text, bool failed, const char *deadlock)
{
    if (deadlock) {
        tell_circle(lane, deadlock);
    }
    struct steer_event *event = note_event(lane, STEER_ANSWERED);
    event->text = text;
    event->failed = failed;
    event->deadlock = deadlock != NULL;
    event->by = failed ? lane->kept_by : 0;
    if (deadlock || event->by) {
        tell_ended(lane->steer);
    }
}

void steer_again(struct lane *lane) { (void)note_event(lane, STEER_AGAIN); }

static bool is_readable(const struct lane *lane, int64_t us)
{
    struct pollfd fd = {lane->fd, (short)(POLLIN | (lane->writing ? POLLOUT : 0)), 0};
    return poll_us(&fd, 1, us) > 0;
}

/* Most answers come soon; the others are the steerer's to watch. */
static bool on_wait(struct lane_host *host, int fd, bool writing, struct error *err)
{
    struct lane *lane = lane_of(host);
    lane->fd = fd;
    lane->writing = writing;
    if (lane->state == LANE_DONE) { /* no schedule: the lane is made ready, or put in order */
        while (!is_readable(lane, PATIENCE_MS * 1000L)) {
            if (clock_interrupted(lane->steer->clock, err)) {
                return false;
            }
        }
        return true;
    }
    if (lane->stopped) {
        lane->stopped = false;
        return yield_as(lane, LANE_GATE, err);
    }
    return is_readable(lane, SOON_US) || yield_as(lane, LANE_SERVER, err);
}

/* A row may come to two gates of a statement that does several things: its number is unknown then.
 */
static const char *place_text(const struct lane *lane, const struct lane_gate *gate)
{
    const struct writing *writing =
        lane->written.open.count ? &lane->written.open.items[lane->written.open.count - 1] : NULL;
    bool numbered = !writing || (!writing->several && writing->rows_at == lane->crossings);
    if (gate->kind != TRACE_GATE_ROW) {
        return strncmp(gate->when, "BEFORE", 6) == 0 ? "before" : "after";
    }
    const char *row = numbered ? arena_printf(lane->steer->arena, "row %u", lane->nth) : "a row";
    return arena_printf(lane->steer->arena, "%s %s of",
                        strcmp(gate->when, "ROW INSERT") == 0 ? "before" : "with the lock of", row);
}

/* "before its UPDATE of accounts", "in total(), before line 5" */
static const char *gate_text(const struct lane *lane, const struct lane_gate *gate)
{
    struct arena *arena = lane->steer->arena;
    if (gate->kind == TRACE_GATE_BODY) {
        return arena_printf(arena, "in %s, before line %u", gate->name, gate->line);
    }
    const char *operation = strchr(gate->when, ' ');
    operation = operation ? operation + 1 : "";
    bool is_public = !*gate->schema || strcmp(gate->schema, "public") == 0;
    const char *place = place_text(lane, gate);
    if (!*gate->table) {
        return arena_printf(arena, "%s its %s", place, operation);
    }
    return arena_printf(arena, "%s its %s %s %s%s%s", place, operation,
                        strcmp(operation, "INSERT") == 0   ? "into"
                        : strcmp(operation, "DELETE") == 0 ? "from"
                                                           : "of",
                        is_public ? "" : gate->schema, is_public ? "" : ".", gate->table);
}

/* A gate between the statements of a function. */
static void note_between(struct lane *lane, unsigned long function)
{
    struct steer *steer = lane->steer;
    *VEC_PUSH(steer->arena, &lane->between) = (struct trace_switch){.step = lane->step,
                                                                    .call = lane->call,
                                                                    .crossing = lane->crossings,
                                                                    .nth = lane->nth,
                                                                    .gate = TRACE_GATE_BODY};
    for (size_t i = 0; i < steer->functions.count; i++) {
        if (steer->functions.items[i] == function) {
            return;
        }
    }
    if (lane->stops || lane->limited) {
        *VEC_PUSH(steer->arena, &steer->functions) = function;
    }
}

static void on_crossed(struct lane_host *host, const struct lane_gate *gate, bool stopped)
{
    struct lane *lane = lane_of(host);
    lane->gate = gate->kind;
    if (gate->kind == TRACE_GATE_ROW) {
        lane->nth = (unsigned)gate->number;
    } else {
        lane->limited = gate->limited;
    }
    if (gate->kind == TRACE_GATE_WRITE) {
        lane->crossings++;
        lane->nth = lane->body = 0;
        written_crossed(&lane->written, gate, lane->crossings);
    } else if (gate->kind == TRACE_GATE_BODY) {
        lane->nth = ++lane->body;
        note_between(lane, gate->function);
    }
    act_at_point(lane);
    if (stopped) {
        lane->stopped = true;
        note_event(lane, STEER_STOPPED)->text = gate_text(lane, gate);
    }
    if (lane->times_out && gate->kind != TRACE_GATE_ROW) {
        note_event(lane, STEER_TIMES_OUT)->text = gate_text(lane, gate);
    }
}

/* --- on the steerer's thread --- */

static bool interrupted(const struct steer *steer, struct error *err)
{
    if (steer->waits) {
        steer->waits(steer->host);
    }
    return clock_interrupted(steer->clock, err);
}

/* The call has run since then. One that takes too long is cancelled, which it may not hear. */
static bool add_time(struct lane *lane, uint64_t *since_us, struct error *err)
{
    const struct steer *steer = lane->steer;
    uint64_t now_us = clock_spent_us(steer->clock);
    lane->ran_us += now_us - *since_us;
    *since_us = now_us;
    if (steer->limit_ms == 0 || lane->ran_us < (uint64_t)steer->limit_ms * 1000) {
        return true;
    }
    lane->ran_us = lane->gate_us = 0;
    return steer->ops->cancel(lane->backend, "canceling statement due to statement timeout", err);
}

static bool is_asleep(const struct lane *lane)
{
    return lane->state == LANE_BLOCKED && lane->by == LANE_SLEEPS;
}

/* Whether others can go on while the lane sleeps, or may be able to soon. */
static bool has_others(const struct lane *lane)
{
    const struct steer *steer = lane->steer;
    bool asleep = false;
    for (unsigned i = 0; i < steer->count; i++) {
        asleep = asleep || is_asleep(&steer->lanes[i]);
    }
    return asleep || pick_lane(lane->steer);
}

static void set_aside(struct lane *lane, unsigned by)
{
    lane->state = LANE_BLOCKED;
    lane->by = by;
    struct steer_event *event = note_event(lane, STEER_BLOCKED);
    event->by = by;
    event->limited = lane->limited;
}

/* Whether lock_timeout should end its wait. A function that set it may be over by now. */
static bool ends_soon(const struct lane *lane)
{
    return lane->times_out && lane->ran_us - lane->gate_us < ASLEEP_US;
}

/* Until the lane stands still: at a point, or because it waits for a lock. It gets `patience_us`
 * before it is asked about locks. */
static bool watch_lane(struct lane *lane, int64_t patience_us, struct error *err)
{
    struct steer *steer = lane->steer;
    uint64_t since_us = clock_spent_us(steer->clock);
    while (lane->state == LANE_SERVER) {
        unsigned by = 0;
        if (is_readable(lane, patience_us)) {
            let_go(lane);
            continue;
        }
        if (interrupted(steer, err) || !add_time(lane, &since_us, err) ||
            !steer->ops->waits_for(lane->backend, &by, err)) {
            return false;
        }
        bool waits = by == LANE_SLEEPS ? lane->ran_us >= ASLEEP_US && has_others(lane)
                                       : by != 0 && !ends_soon(lane);
        if (waits && !is_readable(lane, 0)) {
            set_aside(lane, by);
        }
        patience_us = patience_us == 0                    ? SOON_US
                      : patience_us < PATIENCE_MS * 1000L ? patience_us * 2
                                                          : patience_us;
    }
    return true;
}

/* It waited, and does so no more. */
static bool free_lane(struct lane *lane, struct error *err)
{
    lane->state = LANE_SERVER;
    (void)note_event(lane, STEER_FREED);
    return watch_lane(lane, SOON_US, err);
}

/* Those that waited for a lock, and do so no more, go on until they stand still. */
static bool look_at_blocked(struct steer *steer, struct error *err)
{
    for (unsigned i = 0; i < steer->count;) {
        struct lane *lane = &steer->lanes[i++];
        unsigned by = 0;
        if (lane->state != LANE_BLOCKED) {
            continue;
        }
        if (!is_readable(lane, 0)) {
            if (is_asleep(lane)) {
                continue;
            }
            if (!steer->ops->waits_for(lane->backend, &by, err)) {
                return false;
            }
            if (by && by != LANE_SLEEPS) {
                if (by & ~lane->by) { /* others got the lock before it */
                    note_event(lane, STEER_BLOCKED)->by = by;
                }
                lane->by = by;
                continue;
            }
        }
        if (!free_lane(lane, err)) {
            return false;
        }
        i = lane->state == LANE_BLOCKED ? i : 0; /* it may have freed another one */
    }
    return true;
}

/* Cancels the call if it waits for a lock of a session that has nothing left to do. */
static bool end_kept(struct lane *lane, struct error *err)
{
    struct steer *steer = lane->steer;
    unsigned by = 0;
    unsigned over = 0;
    for (unsigned i = 0; i < steer->count; i++) {
        over |= steer->lanes[i].state == LANE_DONE ? 1U << steer->lanes[i].session : 0;
    }
    if (lane->kept_by || (lane->by & over) == 0) {
        return true;
    }
    if (!steer->ops->kept_by(lane->backend, &by, err)) {
        return false;
    }
    lane->kept_by = by & over;
    return !lane->kept_by ||
           steer->ops->cancel(lane->backend,
                              arena_printf(steer->arena, "it waits for %s",
                                           race_kept_text(steer->arena, lane->kept_by)),
                              err);
}

/* A sleeping session may wait for a lock by now. */
static bool look_at_sleeper(struct lane *lane, struct error *err)
{
    unsigned by = 0;
    if (!lane->steer->ops->waits_for(lane->backend, &by, err)) {
        return false;
    }
    if (by && by != LANE_SLEEPS) {
        set_aside(lane, by);
    }
    return true;
}

/* No other session can go on. Sleeping ones have the time that a statement may take. If some wait
 * for each other, the server ends one of them. */
static bool wait_for_the_server(struct steer *steer, struct error *err)
{
    struct pollfd fds[LANES_MAX];
    nfds_t count = 0;
    uint64_t since_us = clock_spent_us(steer->clock);
    for (unsigned i = 0; i < steer->count; i++) {
        struct lane *lane = &steer->lanes[i];
        if (lane->state != LANE_BLOCKED) {
            continue;
        }
        if (is_asleep(lane) ? !look_at_sleeper(lane, err) : !end_kept(lane, err)) {
            return false;
        }
        fds[count++] = (struct pollfd){lane->fd, POLLIN, 0};
    }
    (void)poll(fds, count, PATIENCE_MS);
    for (unsigned i = 0; i < steer->count; i++) {
        uint64_t since = since_us;
        if (is_asleep(&steer->lanes[i]) && !add_time(&steer->lanes[i], &since, err)) {
            return false;
        }
    }
    return !interrupted(steer, err) && look_at_blocked(steer, err);
}

static bool is_over(const struct steer *steer)
{
    for (unsigned i = 0; i < steer->count; i++) {
        if (steer->lanes[i].state != LANE_DONE) {
            return false;
        }
    }
    return true;
}

static bool go_on(struct lane *lane, struct error *err)
{
    struct steer *steer = lane->steer;
    int64_t patience_us = 0; /* a lane's thread has waited already */
    if (lane->state == LANE_GATE) {
        (void)note_event(lane, STEER_RELEASED);
        if (!steer->ops->release(lane->backend, err)) {
            return false;
        }
        lane->state = LANE_SERVER;
        patience_us = SOON_US;
    } else {
        let_go(lane);
    }
    return watch_lane(lane, patience_us, err) && look_at_blocked(steer, err);
}

static bool steer_all(struct steer *steer, struct error *err)
{
    while (!is_over(steer)) {
        struct lane *lane = pick_lane(steer);
        if (lane ? !go_on(lane, err) : !wait_for_the_server(steer, err)) {
            return false;
        }
    }
    return true;
}

/* Cancels what runs, and tells all sessions to give up. */
static void call_off(struct steer *steer)
{
    struct error ignored;
    (void)pthread_mutex_lock(&steer->lock);
    steer->quit = true;
    (void)pthread_mutex_unlock(&steer->lock);
    for (unsigned i = 0; i < steer->count; i++) {
        struct lane *lane = &steer->lanes[i];
        if (lane->state == LANE_SERVER || lane->state == LANE_BLOCKED || lane->state == LANE_GATE) {
            (void)steer->ops->cancel(lane->backend, "canceling statement due to user request",
                                     &ignored);
        }
        while (lane->state != LANE_DONE) {
            let_go(lane);
        }
    }
}

/* The first in the order has the highest priority, above all that stepped back. */
static void set_priorities(struct steer *steer)
{
    const struct trace_schedule *schedule = steer->schedule;
    long highest = (long)schedule->switches.count + TRACE_SESSIONS_MAX;
    for (unsigned i = 0; i < steer->count; i++) {
        struct lane *lane = &steer->lanes[i];
        long place = lane->session - 1;
        for (int k = 0; k < TRACE_SESSIONS_MAX; k++) {
            place = schedule->order[k] == lane->session ? k : place;
        }
        lane->priority = highest - place;
    }
}

void steer_idle(struct lane *lane)
{
    lane->host = (struct lane_host){.wait = on_wait, .crossed = on_crossed};
    lane->state = LANE_DONE;
}

bool steer_run(struct steer *steer, struct error *err)
{
    unsigned started = 0;
    (void)pthread_mutex_init(&steer->lock, NULL);
    (void)pthread_cond_init(&steer->yielded, NULL);
    set_priorities(steer);
    for (unsigned i = 0; i < steer->count; i++) {
        struct lane *lane = &steer->lanes[i];
        lane->state = LANE_READY;
        (void)pthread_cond_init(&lane->go, NULL);
    }
    while (started < steer->count &&
           thread_start(&steer->lanes[started].thread, steer->lanes[started].run,
                        steer->lanes[started].owner)) {
        started++;
    }
    bool ok = started == steer->count;
    if (!ok) {
        error_set(err, ERROR_SYSTEM, "a thread can't be started: %s", strerror(errno));
        steer->count = started;
    }
    ok = ok && steer_all(steer, err);
    if (!ok) {
        call_off(steer);
    }
    for (unsigned i = 0; i < started; i++) {
        (void)pthread_join(steer->lanes[i].thread, NULL);
        (void)pthread_cond_destroy(&steer->lanes[i].go);
    }
    (void)pthread_cond_destroy(&steer->yielded);
    (void)pthread_mutex_destroy(&steer->lock);
    return ok;
}
