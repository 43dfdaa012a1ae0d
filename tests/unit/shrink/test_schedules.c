/* Traces of sessions: a target that runs schedules as the real one does, on steps that take locks.
 */
#include "shrink/shrinker.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A step of rule R takes lock R, then lock (R + 1) % locks, and gives both back at its end. It can
 * be stopped behind the first lock (crossing 1) and behind the second one (2), and at its commit.
 */
enum { LOCKS_MAX = 4, CALLS = 2, GATES = 2 };

struct fixture {
    struct arena arena;
    struct trace trace;
    unsigned locks;
    struct trace out;
    struct shrink_stats stats;
};

struct player {
    size_t step[TRACE_SESSIONS_MAX + 1];    /* index in the trace */
    unsigned place[TRACE_SESSIONS_MAX + 1]; /* 0: before it; 1, 2: at a gate; 3: at its commit */
    long priority[TRACE_SESSIONS_MAX + 1];
    unsigned holder[LOCKS_MAX];             /* session; 0: nobody */
    unsigned ended[TRACE_SESSIONS_MAX + 1]; /* steps of others, since its own began */
};

static size_t next_of(const struct trace *trace, unsigned session, size_t from)
{
    while (from < trace->steps.count && trace->steps.items[from].session != session) {
        from++;
    }
    return from;
}

static void begin(struct player *player, const struct trace *trace)
{
    *player = (struct player){0};
    for (unsigned session = 1; session <= TRACE_SESSIONS_MAX; session++) {
        long place = session - 1;
        for (int i = 0; i < TRACE_SESSIONS_MAX; i++) {
            place = trace->schedule.order[i] == session ? i : place;
        }
        player->priority[session] =
            (long)trace->schedule.switches.count + TRACE_SESSIONS_MAX - place;
        player->step[session] = next_of(trace, session, 0);
    }
}

/* The lock that the session takes when it goes on; NO_LOCK: none. */
enum { NO_LOCK = LOCKS_MAX };
static unsigned wanted(const struct player *player, const struct trace *trace, unsigned session,
                       unsigned locks)
{
    size_t rule = trace->steps.items[player->step[session]].rule;
    return locks > 0 && player->place[session] < GATES
               ? (unsigned)(rule + player->place[session]) % locks
               : NO_LOCK;
}

static void go_on(struct player *player, const struct trace *trace, unsigned session,
                  unsigned locks)
{
    unsigned lock = wanted(player, trace, session, locks);
    if (lock != NO_LOCK) {
        player->holder[lock] = session;
    }
    player->ended[session] = player->place[session] > 0 ? player->ended[session] : 0;
    if (++player->place[session] > GATES + 1) {
        for (unsigned i = 1; i <= TRACE_SESSIONS_MAX; i++) {
            player->ended[i] += i != session;
        }
        for (unsigned i = 0; i < LOCKS_MAX; i++) {
            player->holder[i] = player->holder[i] == session ? 0 : player->holder[i];
        }
        player->place[session] = 0;
        player->step[session] = next_of(trace, session, player->step[session] + 1);
    }
}

/* Switches at the point that the session has come to. */
static void step_back(struct player *player, const struct trace *trace, unsigned session)
{
    for (size_t i = 0; i < trace->schedule.switches.count; i++) {
        const struct trace_switch *to = &trace->schedule.switches.items[i];
        unsigned place = to->call > 0 ? GATES + 1 : to->crossing;
        if (player->step[session] < trace->steps.count && place == player->place[session] &&
            to->step == trace->steps.items[player->step[session]].id) {
            player->priority[session] = (long)i;
        }
    }
}

/* True if a session's step is running, and `count` steps of others have ended since it began. */
static bool spans(const struct player *player, unsigned count)
{
    for (unsigned session = 1; session <= TRACE_SESSIONS_MAX; session++) {
        if (player->place[session] > 0 && player->ended[session] >= count) {
            return true;
        }
    }
    return false;
}

/* Whether the sessions come to wait for one another; without locks: whether two steps begin and end
 * while another one is under way. */
static bool deadlocks(const struct trace *trace, unsigned locks)
{
    struct player player;
    begin(&player, trace);
    for (;;) {
        unsigned best = 0;
        bool left = false;
        for (unsigned session = 1; session <= TRACE_SESSIONS_MAX; session++) {
            if (player.step[session] == trace->steps.count) {
                continue;
            }
            left = true;
            unsigned lock = wanted(&player, trace, session, locks);
            unsigned holder = lock == NO_LOCK ? 0 : player.holder[lock];
            if ((holder == 0 || holder == session) &&
                (!best || player.priority[session] > player.priority[best])) {
                best = session;
            }
        }
        if (!best) {
            return left && locks > 0;
        }
        go_on(&player, trace, best, locks);
        if (locks == 0 && spans(&player, 2)) {
            return true;
        }
        step_back(&player, trace, best);
    }
}

static bool attempt(void *host, const struct trace *candidate, struct arena *arena,
                    struct shrink_attempt *out, struct error *err)
{
    const struct fixture *fixture = host;
    (void)err;
    out->trace = trace_copy(arena, candidate);
    out->same = deadlocks(candidate, fixture->locks);
    for (size_t i = 0; i < candidate->steps.count; i++) {
        for (uint32_t call = 0; call < CALLS; call++) {
            for (uint32_t crossing = 0; crossing <= (call ? 0 : GATES); crossing++) {
                *VEC_PUSH(arena, &out->points.items) = (struct trace_switch){
                    .step = candidate->steps.items[i].id, .call = call, .crossing = crossing};
            }
        }
    }
    return true;
}

static void shrink(struct fixture *fixture)
{
    struct error err = {0};
    struct shrink_attempt first = {0};
    assert_true(attempt(fixture, &fixture->trace, &fixture->arena, &first, &err));
    assert_true(first.same);
    const struct shrink_target target = {
        .host = fixture, .attempt = attempt, .rule_count = 1, .points = first.points};
    assert_true(shrink_trace(&target, &fixture->trace, 2000, &fixture->arena, &fixture->out,
                             &fixture->stats, &err));
    assert_true(deadlocks(&fixture->out, fixture->locks));
}

static void add_step(struct fixture *fixture, unsigned session, size_t rule)
{
    struct trace_step *step = VEC_PUSH(&fixture->arena, &fixture->trace.steps);
    *step = (struct trace_step){.id = (uint32_t)fixture->trace.steps.count - 1,
                                .session = (unsigned char)session,
                                .rule = rule};
}

static void add_switch(struct fixture *fixture, uint32_t step, uint32_t call, uint32_t crossing)
{
    *VEC_PUSH(&fixture->arena, &fixture->trace.schedule.switches) =
        (struct trace_switch){.step = step, .call = call, .crossing = crossing};
}

/* The first step is only there as it is where the other session comes in: without it, the switch
 * has to be elsewhere. */
static void test_a_step_less_needs_another_switch(void **state)
{
    (void)state;
    struct fixture fixture = {.locks = 2};
    add_step(&fixture, 1, 0);
    add_step(&fixture, 1, 0);
    add_step(&fixture, 2, 1);
    add_switch(&fixture, 2, 0, 1);
    add_switch(&fixture, 0, 1, 0);
    shrink(&fixture);
    assert_int_equal(fixture.out.steps.count, 2);
    assert_int_equal(fixture.out.schedule.switches.count, 1);
    assert_int_equal(fixture.out.schedule.order[0], 0);
    assert_true(fixture.stats.attempts < 100);
    arena_free(&fixture.arena);
}

/* Three sessions, of which one begins twice. One switch is enough: a session that comes to wait
 * lets the next one go on. */
static void test_a_circle_of_three(void **state)
{
    (void)state;
    struct fixture fixture = {.locks = 3};
    add_step(&fixture, 1, 0);
    add_step(&fixture, 1, 0);
    add_step(&fixture, 2, 1);
    add_step(&fixture, 3, 2);
    add_switch(&fixture, 3, 0, 1);
    add_switch(&fixture, 2, 0, 1);
    add_switch(&fixture, 0, 1, 0);
    shrink(&fixture);
    assert_int_equal(fixture.out.steps.count, 3);
    assert_int_equal(fixture.out.schedule.switches.count, 1);
    assert_int_equal(fixture.out.schedule.order[0], 0);
    arena_free(&fixture.arena);
}

/* The session that is not needed stands between the others, which are numbered anew. */
static void test_a_session_less(void **state)
{
    (void)state;
    struct fixture fixture = {.locks = 2};
    add_step(&fixture, 1, 0);
    add_step(&fixture, 2, 0);
    add_step(&fixture, 3, 1);
    add_switch(&fixture, 2, 0, 1);
    add_switch(&fixture, 0, 1, 0);
    fixture.trace.schedule.order[0] = 1;
    fixture.trace.schedule.order[1] = 3;
    fixture.trace.schedule.order[2] = 2;
    shrink(&fixture);
    assert_int_equal(fixture.out.steps.count, 2);
    assert_int_equal(fixture.out.schedule.switches.count, 1);
    assert_int_equal(trace_sessions(&fixture.out), 2);
    arena_free(&fixture.arena);
}

/* One session can run the steps of two. */
static void test_sessions_are_joined(void **state)
{
    (void)state;
    struct fixture fixture = {.locks = 0};
    add_step(&fixture, 1, 0);
    add_step(&fixture, 2, 0);
    add_step(&fixture, 3, 0);
    add_switch(&fixture, 1, 0, 2);
    fixture.trace.schedule.order[0] = 2;
    fixture.trace.schedule.order[1] = 3;
    fixture.trace.schedule.order[2] = 1;
    shrink(&fixture);
    assert_int_equal(fixture.out.steps.count, 3);
    assert_int_equal(trace_sessions(&fixture.out), 2);
    assert_int_equal(fixture.out.schedule.switches.count, 1);
    arena_free(&fixture.arena);
}

/* Adding and removing entries of one list, as a race sees them: two sessions write to it, and each
 * is let. A step's choice is the entry. */
enum { ADD, REMOVE, LOOK };

static unsigned entry_of(const struct trace_step *step)
{
    const struct choices *choices = &step->choices;
    return 1U << (choices->items.count ? choices->items.items[0].as.integer.value : 1);
}

static bool is_let(const struct trace_step *step, unsigned there)
{
    unsigned entry = entry_of(step);
    return step->rule == ADD ? !(there & entry) : step->rule == REMOVE && (there & entry);
}

static bool both_write(void *host, const struct trace *candidate, struct arena *arena,
                       struct shrink_attempt *out, struct error *err)
{
    unsigned there = 0;
    unsigned taken = 0;
    size_t writers = 0;
    (void)host;
    (void)err;
    for (size_t i = 0; i < candidate->steps.count; i++) {
        const struct trace_step *step = &candidate->steps.items[i];
        unsigned entry = entry_of(step);
        if (step->session == 0) {
            there = step->rule == ADD ? there | entry : there;
        } else if (is_let(step, there) && !(taken & entry)) {
            taken |= entry;
            writers++;
        }
    }
    out->trace = trace_copy(arena, candidate);
    out->same = writers == 2;
    return true;
}

static void add_entry(struct fixture *fixture, unsigned session, size_t rule, int64_t entry)
{
    add_step(fixture, session, rule);
    struct trace_step *step = &fixture->trace.steps.items[fixture->trace.steps.count - 1];
    *VEC_PUSH(&fixture->arena, &step->choices.items) =
        (struct choice){.kind = CHOICE_INTEGER, .as.integer = {entry, 1, 6, 1}};
    *VEC_PUSH(&fixture->arena, &step->choices.spans) = (struct choice_span){SPAN_ARGUMENT, 0, 1};
}

/* To remove an entry needs one, to add one does not. */
static void test_one_step_by_both(void **state)
{
    (void)state;
    static const size_t rules[][2] = {{REMOVE, ADD}, {ADD, REMOVE}, {REMOVE, REMOVE}};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        struct fixture fixture = {0};
        struct error err = {0};
        const struct shrink_target target = {
            .host = &fixture, .attempt = both_write, .rule_count = 3};
        add_entry(&fixture, 0, ADD, 3);
        add_entry(&fixture, 0, LOOK, 1);
        add_entry(&fixture, 0, ADD, 4);
        for (unsigned session = 1; session <= 2; session++) {
            size_t rule = rules[i][session - 1];
            add_entry(&fixture, session, rule, rule == ADD ? 5 : 2 + (int64_t)session);
        }
        assert_true(shrink_trace(&target, &fixture.trace, 2000, &fixture.arena, &fixture.out,
                                 &fixture.stats, &err));
        assert_int_equal(fixture.out.steps.count, 2);
        assert_int_equal(fixture.out.steps.items[0].rule, ADD);
        assert_int_equal(fixture.out.steps.items[1].rule, ADD);
        assert_true(fixture.stats.attempts < 150);
        arena_free(&fixture.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_step_less_needs_another_switch),
        cmocka_unit_test(test_a_circle_of_three),
        cmocka_unit_test(test_a_session_less),
        cmocka_unit_test(test_sessions_are_joined),
        cmocka_unit_test(test_one_step_by_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
