/* Failures are confirmed on a new connection: they do not depend on session state that survives
 * rollbacks, or the report says so. */
#include "account/account.h"
#include "replay/recording/recording.h"
#include "support/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* State that survives rollbacks until the session ends. */
static struct {
    size_t connection;
    int locks;
    bool set_before;  /* in an example before this one */
    size_t set_after; /* how many resets; 0: not */
} session;

static void look(const struct fake *fake)
{
    if (session.connection != fake->reconnects) {
        memset(&session, 0, sizeof session);
        session.connection = fake->reconnects;
    }
    session.set_before |= session.set_after && session.set_after <= fake->resets;
}

static void take(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)call;
    look(fake);
    session.locks++;
    fake_count(reply, 1);
}

static void held(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)call;
    look(fake);
    fake_rows(reply, "held bool", session.locks >= 2 ? "[(True,)]" : "[(False,)]");
}

static void set(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)call;
    look(fake);
    session.set_after = fake->resets + 1;
    fake_count(reply, 1);
}

static void was_set(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)call;
    look(fake);
    fake_rows(reply, "was_set bool", session.set_before ? "[(True,)]" : "[(False,)]");
}

static void fails_at_first(struct fake *fake, const struct fake_call *call,
                           struct fake_reply *reply)
{
    (void)call;
    look(fake);
    fake_rows(reply, "first bool", session.locks++ == 0 ? "[(True,)]" : "[(False,)]");
}

static const struct fake_script script[] = {{"SELECT take()", take},
                                            {"SELECT held()", held},
                                            {"SELECT set()", set},
                                            {"SELECT was_set()", was_set},
                                            {"SELECT fails_at_first()", fails_at_first},
                                            {NULL, NULL}};

static void open(struct rig *rig, const char *rules)
{
    struct strbuf yaml = {0};
    memset(&session, 0, sizeof session);
    strbuf_addf(&yaml, "machine: test\nmodel: n = 0\nrules:\n%s", rules);
    rig_open(rig, strbuf_text(&yaml), script, NULL, 0);
    strbuf_free(&yaml);
    rig->options.settings.examples = 5;
    rig->options.settings.shrink_executions = 200;
}

/* In the session one step is enough, as the locks stay; on a new connection all three are needed,
 * and that is what is reported. */
static void test_what_stays_is_in_the_trace(void **state)
{
    (void)state;
    struct rig rig;
    open(&rig, "  idle: {model: n += 1}\n"
               "  take: {sql: SELECT take()}\n"
               "  held: {sql: SELECT held(), expect: False}\n");
    const struct failure *failure = rig_failure(&rig);
    assert_false(failure->flaky);
    assert_false(failure->leftover);
    assert_string_equal(rig_steps(&rig, failure), "take()\ntake()\nheld()\n");
    assert_true(rig.fake.reconnects > 2);
    rig_close(&rig);
}

/* The first example that fails only does so after an earlier one; a later one needs none. */
static void test_another_than_a_leftover(void **state)
{
    (void)state;
    size_t left = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct rig rig;
        open(&rig, "  idle: {model: n += 1}\n"
                   "  take: {sql: SELECT take()}\n"
                   "  held: {sql: SELECT held(), expect: False}\n");
        rig.options.settings.seed = seed;
        rig.options.settings.steps = 4;
        rig.options.settings.examples = 60;
        const struct failure *failure = rig_failure(&rig);
        left += failure->leftover;
        if (!failure->leftover) {
            assert_string_equal(rig_steps(&rig, failure), "take()\ntake()\nheld()\n");
        }
        rig_close(&rig);
    }
    assert_true(left < 8); /* 17 if no others are tried */
}

/* It only fails after an earlier example. */
static void test_leftover(void **state)
{
    (void)state;
    struct rig rig;
    open(&rig, "  set: {sql: SELECT set()}\n"
               "  was_set: {sql: SELECT was_set(), expect: False}\n");
    const struct failure *failure = rig_failure(&rig);
    assert_true(failure->leftover);
    assert_false(failure->flaky);
    assert_null(failure->recording);
    assert_string_equal(rig_steps(&rig, failure), "was_set()\n");
    rig_close(&rig);
}

/* It fails again only on new connections, so it is not flaky. */
static void test_fails_on_new_connections_only(void **state)
{
    (void)state;
    struct rig rig;
    open(&rig, "  idle: {model: n += 1}\n"
               "  first: {sql: SELECT fails_at_first(), expect: False}\n");
    const struct failure *failure = rig_failure(&rig);
    assert_false(failure->flaky);
    assert_false(failure->leftover);
    assert_null(failure->flaky_difference);
    assert_string_equal(rig_steps(&rig, failure), "first()\n");
    rig_close(&rig);
}

/* If reconnecting fails, the run ends with its results so far. */
static void test_no_connection(void **state)
{
    (void)state;
    struct rig rig;
    open(&rig, "  first: {sql: SELECT fails_at_first(), expect: False}\n");
    rig.fake.lost_after = 2; /* the example and its second run */
    assert_false(rig_run(&rig));
    assert_int_equal(rig.err.code, ERROR_CONNECTION);
    assert_int_equal(rig.result.failures.count, 1);
    rig_close(&rig);
}

/* After an interrupt at any point, the failure found so far is kept, with a recording. */
static void test_interrupted_anywhere(void **state)
{
    (void)state;
    size_t shortest = SIZE_MAX;
    size_t longest = 0;
    for (uint64_t at = 1;; at++) {
        struct rig rig;
        open(&rig, "  idle: {model: n += 1}\n"
                   "  take: {sql: SELECT take()}\n"
                   "  held: {sql: SELECT held(), expect: False}\n");
        rig.options.record = true;
        rig.interrupt_at = at;
        bool ended = rig_run(&rig);
        assert_false(rig.masked);
        assert_true(ended || rig.err.code == ERROR_INTERRUPTED);
        if (rig.result.failures.count) {
            const struct failure *failure = &rig.result.failures.items[0];
            size_t steps = failure->steps.count;
            assert_non_null(failure->recording);
            assert_int_equal(recording_last_step(failure->recording)->rule->index,
                             rig_rule(&rig, "held"));
            assert_int_equal(failure->recording->steps.count, failure->trace.steps.count);
            shortest = steps < shortest ? steps : shortest;
            longest = steps > longest ? steps : longest;
        }
        rig_close(&rig);
        if (ended) {
            break;
        }
    }
    assert_int_equal(shortest, 3);
    assert_true(longest > 3);
}

/* Returns the invariants that failed, with their steps: "late 3;rare 3;". */
static const char *parted(const struct account *account, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; i < account->steps.count; i++) {
        const struct account_step *step = &account->steps.items[i];
        for (size_t k = 0; k < step->checks.count; k++) {
            size_t used = strlen(text);
            if (step->checks.items[k].differences.count) {
                (void)snprintf(text + used, size - used, "%s %zu;", step->checks.items[k].invariant,
                               step->number);
            }
        }
    }
    return text;
}

/* All invariants are asked after each step, and none ends the example. */
static void test_account(void **state)
{
    char text[64];
    (void)state;
    struct rig rig;
    open(&rig, "  idle: {model: n += 1}\n"
               "  take: {sql: SELECT take()}\n"
               "invariants:\n"
               "  late: {sql: SELECT held(), expect: False, when: end}\n"
               "  rare: {sql: SELECT held(), expect: False, every: 9}\n"
               "  always: {check: n < 9}\n"
               "examples:\n"
               "  - {name: pinned, steps: \"take()\\nidle()\\ntake()\\nidle()\"}\n");
    rig.options.settings.examples = 0;
    const struct failure *failure = rig_failure(&rig);
    assert_int_equal(failure->step, 4);
    assert_string_equal(parted(failure->account, text, sizeof text),
                        "late 3;rare 3;late 4;rare 4;");
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_stays_is_in_the_trace),
        cmocka_unit_test(test_another_than_a_leftover),
        cmocka_unit_test(test_leftover),
        cmocka_unit_test(test_fails_on_new_connections_only),
        cmocka_unit_test(test_no_connection),
        cmocka_unit_test(test_interrupted_anywhere),
        cmocka_unit_test(test_account),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
