/* Shrinking what an engine found: mistakes on the way, statements that hang, late checks, limits.
 */
#include "examine/examine.h"

#include "support/literal.h"
#include "support/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The water jugs of Die Hard, of three and five litres. Four litres take six steps; another way of
 * eight steps shares none with it. */
struct jugs {
    int64_t small, big;
};

static struct jugs *jugs_of(struct fake *fake) { return fake->state; }

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static void pour(int64_t *from, int64_t *to, int64_t size)
{
    int64_t poured = least(*from, size - *to);
    *from -= poured;
    *to += poured;
}

static void change(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    struct jugs *jugs = jugs_of(fake);
    (void)reply;
    if (strcmp(call->sql, "fill small") == 0) {
        jugs->small = 3;
    } else if (strcmp(call->sql, "fill big") == 0) {
        jugs->big = 5;
    } else if (strcmp(call->sql, "empty small") == 0) {
        jugs->small = 0;
    } else if (strcmp(call->sql, "empty big") == 0) {
        jugs->big = 0;
    } else if (strcmp(call->sql, "pour small") == 0) {
        pour(&jugs->small, &jugs->big, 5);
    } else {
        pour(&jugs->big, &jugs->small, 3);
    }
}

static void show_both(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)call;
    fake_columns(reply, "small int4, big int4");
    FAKE_ROW(reply, value_int(jugs_of(fake)->small), value_int(jugs_of(fake)->big));
}

static void show_big(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)call;
    fake_columns(reply, "big int4");
    FAKE_ROW(reply, value_int(jugs_of(fake)->big));
}

static const struct fake_script jugs_script[] = {{"fill *", change}, {"empty *", change},
                                                 {"pour *", change}, {"both", show_both},
                                                 {"big", show_big},  {NULL, NULL}};

#define JUGS_RULES                                                                                 \
    "machine: jugs\n"                                                                              \
    "rules:\n"                                                                                     \
    "  fill_small: {sql: fill small}\n"                                                            \
    "  fill_big: {sql: fill big}\n"                                                                \
    "  empty_small: {sql: empty small}\n"                                                          \
    "  empty_big: {sql: empty big}\n"                                                              \
    "  pour_small: {sql: pour small}\n"                                                            \
    "  pour_big: {sql: pour big}\n"
#define SIZES "  sizes: {sql: both, check: 'result.row[0] <= 3'}\n"
#define NOT_FOUR "  not_four: {sql: big, check: result.value != 4}\n"

static const char long_way[] =
    "fill_big pour_big empty_small fill_small empty_small empty_big fill_big pour_big pour_small "
    "pour_big empty_small pour_big fill_big empty_big fill_big pour_small pour_big";

/* Rules by name, separated by spaces. */
static struct trace trace_of(struct rig *rig, const char *rules)
{
    struct trace trace = {0};
    char *names = arena_strdup(&rig->results, rules);
    char *rest = NULL;
    for (char *name = strtok_r(names, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
        struct trace_step *step = VEC_PUSH(&rig->results, &trace.steps);
        size_t id = rig->machine->initialize.count + trace.steps.count - 1;
        *step = (struct trace_step){.id = (uint32_t)id, .rule = rig_rule(rig, name)};
    }
    return trace;
}

static const char *rules_of(struct rig *rig, const struct trace *trace)
{
    struct strbuf text = {0};
    for (size_t i = 0; i < trace->steps.count; i++) {
        if (trace->steps.items[i].initialize) {
            continue;
        }
        strbuf_adds(&text, text.size ? " " : "");
        strbuf_adds(&text, rig->machine->rules.items[trace->steps.items[i].rule].name);
    }
    const char *copy = strbuf_copy(&text, &rig->results);
    strbuf_free(&text);
    return copy;
}

/* Runs the rules, which must fail, and shrinks that; an engine is running then. */
static struct failure *shrink(struct rig *rig, const char *yaml, const char *rules,
                              bool no_pipeline)
{
    static struct jugs jugs;
    jugs = (struct jugs){0};
    rig_open(rig, yaml, jugs_script, &jugs, sizeof jugs);
    fake_with_checkpoints(&rig->fake);
    rig->options.settings.steps = 50;
    rig->options.settings.shrink_executions = 1000;
    rig->options.no_pipeline = no_pipeline;
    rig_start(rig);
    struct trace trace = trace_of(rig, rules);
    const struct example_result *result = rig_example(rig, &(struct example_plan){.trace = &trace});
    assert_int_equal(result->outcome, OUTCOME_FAIL);
    struct failure *failure = failure_copy(&rig->results, result->failure);
    assert_true(failure_confirm(&rig->examiner, failure, &rig->err));
    assert_false(failure->flaky);
    if (!failure_shrink(&rig->examiner, SHRINK_HERE, failure, &rig->err)) {
        fail_msg("%s", rig->err.message);
    }
    struct rerun again;
    static const struct rerun_way all = {0};
    assert_true(rerun_trace(&rig->examiner, &failure->trace, failure, all, &again, &rig->err));
    assert_int_equal(again.outcome, OUTCOME_FAIL);
    return failure;
}

static void close_engine(struct rig *rig)
{
    rig_stop(rig);
    rig_close(rig);
}

/* An attempt may reach a mistake in the model. It then does not count as the failure, and the
 * report says so. */
static void test_a_mistake_in_an_attempt(void **state)
{
    (void)state;
    for (int no_pipeline = 0; no_pipeline < 2; no_pipeline++) {
        struct rig rig;
        struct failure *failure =
            shrink(&rig,
                   JUGS_RULES "  open: {sql: fill small, model: 'opened = [1]'}\n"
                              "  use: {sql: pour small, model: 'n = opened[0]'}\n"
                              "model: 'opened = []'\n"
                              "invariants:\n"
                              "  not_three: {sql: big, check: result.value != 3}\n",
                   "fill_big empty_big open empty_big fill_small use", no_pipeline);
        assert_string_equal(rules_of(&rig, &failure->trace), "fill_small pour_small");
        assert_in_range(failure->shrinking.mistakes, 1, failure->shrinking.executions);
        assert_string_equal(failure->shrinking.mistake,
                            "test.yaml:10:44: index 0 is out of range, the list has 0 items");
        close_engine(&rig);
    }
}

/* A statement that hangs: the server is waited for as long as its limit says. */
struct hang {
    bool locked;
};

static int64_t limit_of(const struct fake *fake) { return fake->limit_ms ? fake->limit_ms : 5000; }

static void lock(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)call;
    ((struct hang *)fake->state)->locked = true;
    fake_count(reply, 1);
}

static void wait_until(struct fake *fake, struct fake_reply *reply, int64_t needs_ms)
{
    struct rig *rig = fake->host;
    int64_t limit_ms = limit_of(fake);
    rig->now_us += 1000 * (uint64_t)least(needs_ms, limit_ms);
    if (needs_ms > limit_ms) {
        fake_error(reply, "57014", "canceling statement due to statement timeout", NULL, NULL);
    }
}

static void wait_for_lock(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)call;
    wait_until(fake, reply, ((struct hang *)fake->state)->locked ? INT64_MAX : 0);
}

static void wait_long(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)call;
    wait_until(fake, reply, ((struct hang *)fake->state)->locked ? INT64_MAX : 1000);
}

static const struct fake_script hang_script[] = {
    {"lock", lock}, {"wait", wait_for_lock}, {"wait long", wait_long}, {NULL, NULL}};

/* Attempts at a hanging statement get little time, and the last one gets the full limit, so that a
 * slow statement is not mistaken for a hanging one. */
static void test_what_hangs(void **state)
{
    (void)state;
    for (int slow = 0; slow < 2; slow++) {
        struct rig rig;
        struct hang hang = {0};
        rig_open(&rig,
                 slow ? "machine: hang\nmodel: n = 0\nrules:\n  rest: {model: n += 1}\n  lock: "
                        "{sql: lock}\n"
                        "  wait: {sql: wait long}\n"
                      : "machine: hang\nmodel: n = 0\nrules:\n  rest: {model: n += 1}\n  lock: "
                        "{sql: lock}\n"
                        "  wait: {sql: wait}\n",
                 hang_script, &hang, sizeof hang);
        fake_with_checkpoints(&rig.fake);
        rig.fake.host = &rig;
        rig.options.settings.steps = 50;
        rig.options.settings.shrink_executions = 1000;
        rig_start(&rig);
        struct trace trace = trace_of(&rig, "rest lock rest lock rest rest lock rest wait");
        struct failure *failure = failure_copy(
            &rig.results, rig_example(&rig, &(struct example_plan){.trace = &trace})->failure);
        uint64_t began = rig.now_us;
        assert_true(failure_shrink(&rig.examiner, SHRINK_HERE, failure, &rig.err));
        assert_string_equal(rules_of(&rig, &failure->trace), "lock wait");
        assert_int_equal(failure->kind, FAILURE_TIMEOUT);
        assert_int_equal(limit_of(&rig.fake), 5000);
        assert_null(failure->shrinking.cut_short);
        if (!slow) {
            uint64_t most = 5000 + 1250 * (failure->shrinking.executions + 1);
            assert_in_range((rig.now_us - began) / 1000, 5000, most);
        }
        close_engine(&rig);
    }
}

/* What is checked at the end only may have gone wrong long before: the steps before the last are
 * tried without it, while attempts last. */
static void test_what_is_checked_late(void **state)
{
    (void)state;
    static const char rules[] = "fill_small pour_small fill_small empty_small";
    for (int late = 0; late < 2; late++) {
        struct rig rig;
        static struct jugs jugs;
        jugs = (struct jugs){0};
        rig_open(&rig,
                 late ? JUGS_RULES "invariants:\n  dry: {sql: big, check: result.value == 0, "
                                   "when: end}\n"
                      : JUGS_RULES "invariants:\n  dry: {sql: big, check: result.value == 0}\n",
                 jugs_script, &jugs, sizeof jugs);
        rig.options.settings.steps = 50;
        rig.options.settings.shrink_executions = late ? 2 : 1000;
        rig_start(&rig);
        struct trace trace = trace_of(&rig, rules);
        const struct example_result *result =
            rig_example(&rig, &(struct example_plan){.trace = &trace});
        struct failure *failure = failure_copy(&rig.results, result->failure);
        assert_int_equal(failure->trace.steps.count, late ? 4 : 2);
        assert_true(failure_shrink(&rig.examiner, SHRINK_HERE, failure, &rig.err));
        /* the last two steps, one after the other */
        assert_string_equal(rules_of(&rig, &failure->trace),
                            late ? "fill_small pour_small" : "fill_big");
        close_engine(&rig);
    }
}

static void test_stops_at_its_limit(void **state)
{
    (void)state;
    struct rig rig;
    static struct jugs jugs;
    rig_open(&rig, JUGS_RULES "invariants:\n" SIZES NOT_FOUR, jugs_script, &jugs, sizeof jugs);
    rig.options.settings.steps = 50;
    rig.options.settings.shrink_executions = 2;
    rig_start(&rig);
    struct trace trace = trace_of(&rig, long_way);
    struct failure *failure = failure_copy(
        &rig.results, rig_example(&rig, &(struct example_plan){.trace = &trace})->failure);
    assert_true(failure_confirm(&rig.examiner, failure, &rig.err));
    size_t resets = rig.fake.resets;
    assert_true(failure_shrink(&rig.examiner, SHRINK_HERE, failure, &rig.err));
    assert_int_equal(failure->shrinking.executions, 2);
    assert_string_equal(failure->shrinking.cut_short, "the limit of `shrink` was reached");
    assert_int_equal(rig.fake.resets - resets, 4); /* with the first and the last look at it */
    close_engine(&rig);
}

static struct {
    uint64_t calls;
    uint64_t executions;
    size_t steps;
    uint64_t time_us;
} told;

static void tell(void *host, uint64_t time_us, uint64_t executions, size_t steps)
{
    (void)host;
    assert_true(executions > told.executions);
    assert_true(told.calls == 0 || steps <= told.steps);
    assert_true(told.calls == 0 || time_us - told.time_us >= 100000);
    told.calls++;
    told.executions = executions;
    told.steps = steps;
    told.time_us = time_us;
}

static uint64_t jump(void *host)
{
    struct rig *rig = host;
    return rig->now_us += 50000;
}

static struct {
    unsigned calls;
    size_t steps[2]; /* of the trace, in each */
} found;

static void note_found(void *host, const struct failure *failure, bool final)
{
    (void)host;
    assert_int_equal(final, found.calls);
    assert_in_range(found.calls, 0, 1);
    found.steps[found.calls++] = failure->trace.steps.count;
}

/* As it was found, and then as it is reported; what fails the same way later is nothing new. */
static void test_says_what_was_found(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig,
             "machine: test\n"
             "model: n = 0\n"
             "rules:\n"
             "  a: {sql: COUNT 1, model: n += 1, check: n < 3}\n"
             "  idle: {sql: COUNT 1}\n",
             literal_script, NULL, 0);
    rig.options.settings.shrink_executions = 1000;
    rig.options.callbacks.found = note_found;
    memset(&found, 0, sizeof found);
    const struct failure *failure = rig_failure(&rig);
    assert_int_equal(found.calls, 2);
    assert_int_equal(found.steps[0], failure->example_steps);
    assert_int_equal(found.steps[1], failure->trace.steps.count);
    assert_int_equal(found.steps[1], 4);
    assert_in_range(found.steps[0], 5, 50);
    rig_close(&rig);
}

/* How far it is, at most ten times a second. */
static void test_says_how_far_it_is(void **state)
{
    (void)state;
    for (int slow = 0; slow < 2; slow++) {
        struct rig rig;
        static struct jugs jugs;
        rig_open(&rig, JUGS_RULES "invariants:\n" SIZES NOT_FOUR, jugs_script, &jugs, sizeof jugs);
        rig.options.settings.steps = 50;
        rig.options.settings.shrink_executions = 1000;
        rig.options.settings.shrink_time_ms = 0;
        rig.options.callbacks.shrinking = tell;
        if (slow) {
            rig.options.callbacks.now_us = jump;
        }
        rig_start(&rig);
        struct trace trace = trace_of(&rig, long_way);
        struct failure *failure = failure_copy(
            &rig.results, rig_example(&rig, &(struct example_plan){.trace = &trace})->failure);
        memset(&told, 0, sizeof told);
        assert_true(failure_confirm(&rig.examiner, failure, &rig.err));
        assert_true(failure_shrink(&rig.examiner, SHRINK_HERE, failure, &rig.err));
        if (slow) {
            assert_in_range(told.calls, 2, failure->shrinking.executions);
            assert_in_range(told.executions, failure->shrinking.executions - 2,
                            failure->shrinking.executions);
            assert_in_range(told.steps, 6, 8);
        } else {
            assert_int_equal(told.calls, 0);
        }
        close_engine(&rig);
    }
}

/* Of the time that the run has left, half remains for what follows. */
static void test_takes_half_of_the_time(void **state)
{
    (void)state;
    enum { MAX_MS = 4000 };
    struct rig rig;
    static struct jugs jugs;
    rig_open(&rig, JUGS_RULES "invariants:\n" SIZES NOT_FOUR, jugs_script, &jugs, sizeof jugs);
    rig.options.settings.steps = 50;
    rig.options.settings.shrink_executions = 100000;
    rig.options.settings.shrink_time_ms = 0;
    rig.options.settings.max_time_ms = MAX_MS;
    rig.options.callbacks.now_us = jump;
    rig_start(&rig);
    struct trace trace = trace_of(&rig, long_way);
    struct failure *failure = failure_copy(
        &rig.results, rig_example(&rig, &(struct example_plan){.trace = &trace})->failure);
    assert_true(failure_confirm(&rig.examiner, failure, &rig.err));
    const struct clock *clock = &rig.engine.options.clock;
    uint64_t began_ms = clock_spent_us(clock) / 1000;
    assert_true(failure_shrink(&rig.examiner, SHRINK_HERE, failure, &rig.err));
    uint64_t half_ms = began_ms + (MAX_MS - began_ms) / 2;
    assert_in_range(clock_spent_us(clock) / 1000, half_ms, half_ms + 1000);
    assert_string_equal(failure->shrinking.cut_short, "the time was up");
    assert_in_range(trace_length(&failure->trace), 6, trace_length(&trace) - 1);
    close_engine(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_mistake_in_an_attempt), cmocka_unit_test(test_what_hangs),
        cmocka_unit_test(test_what_is_checked_late),    cmocka_unit_test(test_stops_at_its_limit),
        cmocka_unit_test(test_says_what_was_found),     cmocka_unit_test(test_says_how_far_it_is),
        cmocka_unit_test(test_takes_half_of_the_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
