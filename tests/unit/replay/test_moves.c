/* The moves of a script of several sessions, from handmade races. */
#include "replay/sessions/moves.h"

#include "replay/recording/recording.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* A deadlock of A1 and B1 that ended B1: did B1 come last to wait for a lock? */
static bool came_last(const struct race_event *events, size_t count)
{
    struct arena arena = {0};
    struct race race = {.sessions = 2, .deadlock = true};
    struct recording recording = {0};
    struct moves moves;
    for (unsigned i = 1; i <= 2; i++) {
        struct recorded_step *step = VEC_PUSH(&arena, &recording.steps);
        *VEC_PUSH(&arena, &race.steps) = (struct race_step){.session = i, .id = i};
        *step = (struct recorded_step){.kind = RECORDED_STEP, .id = i, .session = i};
        *VEC_PUSH(&arena, &step->statements) = (struct recorded_statement){0};
        if (i == 2) {
            memcpy(step->sqlstate, "40P01", sizeof step->sqlstate);
        }
    }
    for (size_t i = 0; i < count; i++) {
        *VEC_PUSH(&arena, &race.events) = events[i];
    }
    const struct failure failure = {.race = &race, .recording = &recording};
    moves_of(&failure, &arena, &moves);
    const struct move *move = moves_deadlocked(&moves, &recording, 2);
    assert_non_null(move);
    assert_null(moves_deadlocked(&moves, &recording, 1));
    bool last = move->came_last;
    arena_free(&arena);
    return last;
}

enum { A1, B1 };

/* The server ends B1 before it is known that A1 waits for it. */
static void test_who_comes_last(void **state)
{
    (void)state;
    static const struct race_event a_goes_on[] = {
        {RACE_SENT, .step = A1},     {RACE_STOPPED, .step = A1, .crossing = 1},
        {RACE_SENT, .step = B1},     {RACE_BLOCKED, .step = B1, .by = 1U << 1},
        {RACE_RELEASED, .step = A1}, {RACE_ANSWERED, .step = B1, .failed = true, .deadlock = true},
    };
    static const struct race_event a_has_the_lock[] = {
        {RACE_SENT, .step = A1},  {RACE_BLOCKED, .step = A1, .by = 1U << 2},
        {RACE_SENT, .step = B1},  {RACE_BLOCKED, .step = B1, .by = 1U << 1},
        {RACE_FREED, .step = A1}, {RACE_ANSWERED, .step = B1, .failed = true, .deadlock = true},
    };
    static const struct race_event b_comes[] = {
        {RACE_SENT, .step = A1},
        {RACE_BLOCKED, .step = A1, .by = 1U << 2},
        {RACE_SENT, .step = B1},
        {RACE_BLOCKED, .step = B1, .by = 1U << 1},
        {RACE_ANSWERED, .step = B1, .failed = true, .deadlock = true},
    };
    assert_false(came_last(a_goes_on, sizeof a_goes_on / sizeof *a_goes_on));
    assert_false(came_last(a_has_the_lock, sizeof a_has_the_lock / sizeof *a_has_the_lock));
    assert_true(came_last(b_comes, sizeof b_comes / sizeof *b_comes));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_comes_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
