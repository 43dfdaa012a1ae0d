/* Failures that another process examines: what becomes of them when it does not end. */
#include "support/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char machine[] = "machine: test\n"
                              "rules:\n"
                              "  once: {sql: once, expect: 0}\n"
                              "  large: {args: {x: 'integers(0, 9)'}, sql: 'put :x', expect: 0}\n";

/* The first call of all is answered wrongly. */
static size_t calls;

static void once(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)fake;
    (void)call;
    fake_columns(reply, "n int4");
    bool first = calls++ == 0;
    FAKE_ROW(reply, value_int(first));
}

static void put(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)fake;
    fake_columns(reply, "n int4");
    FAKE_ROW(reply, value_int(call->values[0].as.integer > 6));
}

static const struct fake_script script[] = {{"once", once}, {"put *", put}, {NULL, NULL}};

struct desk {
    struct rig rig; /* first: the host */
    bool differs;   /* the failure is one of two databases */
    size_t dropped;
    size_t final; /* calls of found */
};

static bool is_once(const struct failure *failure)
{
    return strstr(failure->identity, "once") != NULL;
}

/* Another process has the first failure, and is gone when this one waits for it. */
static void claim(void *host, const struct failure *failure, bool wait, bool stale,
                  struct claimed *out)
{
    struct desk *desk = host;
    (void)stale;
    out->how = is_once(failure) && !wait ? CLAIM_TAKEN : CLAIM_MINE;
    if (wait && desk->differs) {
        desk->rig.result.failures.items[0].kind = FAILURE_DIFFERS;
    }
}

static void on_found(void *host, const struct failure *failure, bool final)
{
    struct desk *desk = host;
    desk->final += final && is_once(failure);
}

static void on_dropped(void *host, const struct failure *failure)
{
    struct desk *desk = host;
    assert_ptr_equal(failure, desk->rig.result.failures.items);
    desk->dropped++;
}

static bool no_doubt(struct backend *backend, bool on, bool *found)
{
    (void)backend;
    (void)on;
    (void)found;
    return false;
}

static void run_claimed(struct desk *desk, bool differs)
{
    static struct backend_ops ops;
    *desk = (struct desk){.differs = differs};
    calls = 0;
    rig_open(&desk->rig, machine, script, NULL, 0);
    ops = *desk->rig.fake.backend.ops;
    ops.doubt = no_doubt;
    desk->rig.fake.backend.ops = &ops;
    desk->rig.options.settings.examples = 20;
    desk->rig.options.settings.shrink_executions = 100;
    desk->rig.options.callbacks.claim = claim;
    desk->rig.options.callbacks.found = on_found;
    desk->rig.options.callbacks.dropped = on_dropped;
    rig_run_ok(&desk->rig);
}

/* One that does not fail any more is as flaky as any other, and the report says how. */
static void test_taken_and_flaky(void **state)
{
    (void)state;
    struct desk desk;
    run_claimed(&desk, false);
    assert_int_equal(desk.rig.result.failures.count, 2);
    const struct failure *failure = desk.rig.result.failures.items;
    assert_true(is_once(failure));
    assert_true(failure->flaky);
    assert_false(failure->taken);
    assert_non_null(failure->flaky_difference);
    assert_int_equal(desk.final, 1);
    assert_false(failure[1].flaky);
    rig_close(&desk.rig);
}

/* A difference of two databases that never shows again is none. */
static void test_taken_and_dropped(void **state)
{
    (void)state;
    struct desk desk;
    run_claimed(&desk, true);
    assert_int_equal(desk.dropped, 1);
    assert_int_equal(desk.final, 0);
    assert_int_equal(desk.rig.result.stats.unrepeated, 1);
    assert_int_equal(desk.rig.result.failures.count, 1);
    assert_false(is_once(desk.rig.result.failures.items));
    rig_close(&desk.rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_taken_and_flaky),
        cmocka_unit_test(test_taken_and_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
