/* The report of a deadlock, whatever was known before the server ended it. */
#include "sessions/steer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { A, B, C, D };

struct fixture {
    struct arena arena;
    struct steer steer;
};

/* "0>1 1>2 2>0": who waits for whom. */
static void read_circle(struct backend *lane, const char *detail, unsigned *by)
{
    (void)lane;
    for (; *detail; detail += detail[3] ? 4 : 3) {
        by[detail[0] - '0'] = 1U << (detail[2] - '0' + 1);
    }
}

static void begin(struct fixture *fixture, unsigned count)
{
    static const struct lane_ops ops = {.deadlock = read_circle};
    *fixture = (struct fixture){.steer = {.ops = &ops, .count = count}};
    fixture->steer.arena = &fixture->arena;
    for (unsigned i = 0; i < count; i++) {
        fixture->steer.lanes[i] =
            (struct lane){.steer = &fixture->steer, .session = i + 1, .step = i + 1};
    }
}

static struct steer_event *add(struct fixture *fixture, unsigned lane, enum steer_event_kind kind)
{
    struct steer_event *event = VEC_PUSH(&fixture->arena, &fixture->steer.events);
    *event = (struct steer_event){.kind = kind, .session = lane + 1, .step = lane + 1};
    return event;
}

/* The events from the first of these on, "A" for session 1: A! sent, A>B waits for it, A. answered,
 * A+ goes on. */
static void says(struct fixture *fixture, const char *wanted)
{
    static const char marks[] = {[STEER_SENT] = '!',
                                 [STEER_RELEASED] = 'g',
                                 [STEER_BLOCKED] = '>',
                                 [STEER_FREED] = '+',
                                 [STEER_ANSWERED] = '.'};
    struct strbuf out = {0};
    for (size_t i = 0; i < fixture->steer.events.count; i++) {
        const struct steer_event *event = &fixture->steer.events.items[i];
        strbuf_addf(&out, "%s%c%c", i ? " " : "", (char)('A' + event->session - 1),
                    marks[event->kind]);
        for (unsigned by = 1; event->kind == STEER_BLOCKED && by <= LANES_MAX; by++) {
            if (event->by & 1U << by) {
                strbuf_addc(&out, (char)('A' + by - 1));
            }
        }
    }
    assert_string_equal(strbuf_text(&out), wanted);
    strbuf_free(&out);
    arena_free(&fixture->arena);
}

static void what_was_seen_is_told(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture, 3);
    for (unsigned i = A; i <= C; i++) {
        add(&fixture, i, STEER_SENT);
        add(&fixture, i, STEER_BLOCKED)->by = 1U << ((i + 1) % 3 + 1);
    }
    steer_answered(&fixture.steer.lanes[C], "deadlock", true, "0>1 1>2 2>0");
    says(&fixture, "A! A>B B! B>C C! C>A C.");
}

/* The server detected the deadlock before we asked if C and B wait. */
static void what_was_not_seen_is_told(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture, 4);
    add(&fixture, D, STEER_SENT);
    add(&fixture, A, STEER_SENT);
    add(&fixture, A, STEER_BLOCKED)->by = 1U << (B + 1);
    add(&fixture, B, STEER_SENT);
    add(&fixture, C, STEER_SENT);
    steer_answered(&fixture.steer.lanes[C], "deadlock", true, "2>0 0>1 1>2");
    says(&fixture, "D! A! A>B B! B>C C! C>A C.");
}

/* A waited for D, which gave its lock to B; B went on before C's error was read. */
static void the_last_wait_counts(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture, 4);
    add(&fixture, A, STEER_RELEASED);
    add(&fixture, A, STEER_BLOCKED)->by = 1U << (D + 1);
    add(&fixture, D, STEER_ANSWERED);
    add(&fixture, B, STEER_SENT);
    add(&fixture, B, STEER_BLOCKED)->by = 1U << (C + 1);
    add(&fixture, C, STEER_SENT);
    add(&fixture, B, STEER_FREED);
    steer_answered(&fixture.steer.lanes[C], "deadlock", true, "2>0 0>1 1>2");
    says(&fixture, "Ag A>B D. B! B>C C! C>A C. B+");
}

static void a_text_that_says_nothing_changes_nothing(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture, 2);
    add(&fixture, A, STEER_SENT);
    add(&fixture, B, STEER_SENT);
    steer_answered(&fixture.steer.lanes[B], "deadlock", true, "");
    says(&fixture, "A! B! B.");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_seen_is_told),
        cmocka_unit_test(what_was_not_seen_is_told),
        cmocka_unit_test(the_last_wait_counts),
        cmocka_unit_test(a_text_that_says_nothing_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
