/* A run: set-up, examples, its end, and what it leaves. */
#include "support/bank.h"
#include "support/literal.h"
#include "support/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct bank bank;

static void open_bank(struct rig *rig)
{
    bank = (struct bank){0};
    rig_open(rig, bank_machine, bank_script, &bank, sizeof bank);
}

/* A database that hands out numbers: what it gave is not given again, also after a reset. */
static int next_number;

static void number(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)fake;
    (void)call;
    fake_columns(reply, "n int4");
    next_number++;
    FAKE_ROW(reply, value_int(next_number));
}

static void echo(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)fake;
    fake_columns(reply, "n int4");
    FAKE_ROW(reply, call->values[0]);
}

static void nothing(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)fake;
    (void)call;
    (void)reply;
}

static void refuse(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)fake;
    (void)call;
    fake_error(reply, "23505", "duplicate key", "users_pkey", "users");
}

static const struct fake_script numbers[] = {{"SELECT number()", number},
                                             {"SELECT :first", echo},
                                             {"SELECT :later", echo},
                                             {"INSERT *", nothing},
                                             {NULL, NULL}};

static const char constant[] = "machine: test\n"
                               "dataset:\n"
                               "  users:\n"
                               "    - {id: 1, name: ann}\n"
                               "    - {id: 2, name: bob}\n"
                               "model: |\n"
                               "  n = 0\n"
                               "  print(\"model\")\n"
                               "initialize:\n"
                               "  - sql: SELECT number()\n"
                               "    model: first = result.value\n"
                               "    target: given\n"
                               "  - model: print(\"first\", first, list(given))\n"
                               "  - args: {x: 'integers(0, 9)'}\n"
                               "    sql: SELECT number()\n"
                               "    model: later = result.value\n"
                               "rules:\n"
                               "  r:\n"
                               "    sql: SELECT :first\n"
                               "    expect: first\n"
                               "    model: n += 1\n";

/* The constant part of initialize is run once, its model in every example over the same answers. */
static void test_constant_part_runs_once(void **state)
{
    (void)state;
    struct rig rig;
    next_number = 0;
    rig_open(&rig, constant, numbers, NULL, 0);
    assert_int_equal(rig.machine->initialize_constant, 2);
    rig.options.settings.examples = 2;
    rig.options.settings.steps = 1;
    rig_run_ok(&rig);
    assert_int_equal(rig.result.outcome, RUN_PASSED);
    assert_string_equal(strbuf_text(&rig.printed), "model\nfirst 1 [1]\nmodel\nfirst 1 [1]\n");
    const char *log = fake_log(&rig.fake);
    const char *mark = strstr(log, "mark");
    assert_int_equal(strncmp(log, "INSERT INTO", 11), 0);
    assert_true(strstr(log, "SELECT number()") < mark);
    assert_string_equal(mark, "mark\n"
                              "SELECT number()\ndeferred\nSELECT :first <- 1\ndeferred\nreset\n"
                              "SELECT number()\ndeferred\nSELECT :first <- 1\ndeferred\nreset\n");
    assert_int_equal(rig.result.stats.statements, 4);
    rig_close(&rig);
}

/* The answers of the constant part are the same in every example, even if the model changed them.
 */
static void test_saved_answers_stay(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig,
             "machine: test\n"
             "initialize:\n"
             "  - sql: 'ROWS a int4[], j jsonb = [([1], dict(k=1))]'\n"
             "    model: |\n"
             "      a = result.row.a\n"
             "      j = result.row.j\n"
             "rules:\n"
             "  r:\n"
             "    model: |\n"
             "      print(a, j)\n"
             "      a.append(2)\n"
             "      j[\"k\"] += 1\n",
             literal_script, NULL, 0);
    assert_int_equal(rig.machine->initialize_constant, 1);
    rig.options.settings.examples = 2;
    rig.options.settings.steps = 1;
    rig_run_ok(&rig);
    assert_string_equal(strbuf_text(&rig.printed), "[1] {\"k\": 1}\n[1] {\"k\": 1}\n");
    rig_close(&rig);
}

/* Temporary values of invariants are not kept until the example ends. */
static void test_long_examples_over_large_models(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig,
             "machine: test\n"
             "model: |\n"
             "  n = 0\n"
             "  numbers = list(range(2000))\n"
             "rules:\n"
             "  r: {sql: COUNT 1, model: n += 1}\n"
             "invariants:\n"
             "  i:\n"
             "    sql: ROWS a int4 = [(1999,)]\n"
             "    expect: max(set([x for x in numbers]))\n",
             literal_script, NULL, 0);
    rig.options.settings.steps = 400;
    rig_run_ok(&rig);
    assert_int_equal(rig.result.outcome, RUN_PASSED);
    assert_int_equal(rig.result.stats.steps, 400);
    rig_close(&rig);
}

static void test_restarts(void **state)
{
    (void)state;
    struct rig rig;
    next_number = 0;
    rig_open(&rig, constant, numbers, NULL, 0);
    rig.options.settings.examples = 6;
    rig.options.settings.steps = 1;
    rig.fake.restart_every = 2;
    rig_run_ok(&rig);
    assert_int_equal(rig.result.outcome, RUN_PASSED);
    assert_int_equal(rig.fake.restarts, 2);
    assert_int_equal(rig.result.stats.examples, 6);
    assert_non_null(strstr(strbuf_text(&rig.printed), "first 4 [4]")); /* made anew */
    rig_close(&rig);
}

/* A connection that is lost between two examples: the one before it counts once, and so does what
 * failed in it. */
static void test_restart_fails(void **state)
{
    (void)state;
    static const char *const expected[] = {"result.value", "-1"};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct rig rig;
        char yaml[200];
        next_number = 0;
        (void)snprintf(yaml, sizeof yaml,
                       "machine: test\n"
                       "rules:\n"
                       "  a: {sql: SELECT number(), check: result.value == %s}\n",
                       expected[i]);
        rig_open(&rig, yaml, numbers, NULL, 0);
        rig.options.settings.examples = 6;
        rig.options.settings.steps = 1;
        rig.fake.restart_every = 3;
        rig.fake.restart_lost = true;
        assert_false(rig_run(&rig));
        assert_int_equal(rig.err.code, ERROR_CONNECTION);
        assert_int_equal(rig.result.failures.count, i);
        assert_int_equal(rig.result.stats.steps, rig.result.stats.examples);
        rig_close(&rig);
    }
}

static void test_dataset_is_refused(void **state)
{
    (void)state;
    static const struct fake_script script[] = {{"INSERT *", refuse}, {NULL, NULL}};
    struct rig rig;
    rig_open(&rig,
             "machine: test\n"
             "dataset:\n"
             "  users:\n"
             "    - {id: 1}\n"
             "    - {id: 1}\n"
             "model: n = 0\n"
             "rules:\n"
             "  r: {model: n += 1}\n",
             script, NULL, 0);
    assert_false(rig_run(&rig));
    assert_int_equal(rig.err.code, ERROR_MACHINE);
    assert_string_equal(rig.err.sqlstate, "23505");
    assert_non_null(strstr(rig.err.message, "users"));
    assert_non_null(strstr(rig.err.message, "duplicate key"));
    assert_int_equal(source_place(rig.err.pos).line, 4);
    assert_int_equal(rig.result.outcome, RUN_NOTHING);
    rig_close(&rig);
}

/* A run in which no rule could run does not pass; a run without rules or steps does. */
static void test_no_steps(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int steps;
        enum run_outcome outcome;
    } cases[] = {
        {"model: n = 0\nrules:\n  r: {precondition: n > 3, model: n += 1}\n", 50, RUN_NOTHING},
        {"model: n = 0\nrules:\n  r: {precondition: n > 3, model: n += 1}\n", 0, RUN_PASSED},
        {"rules:\n  r: {model: pass}\n", 50, RUN_PASSED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        snprintf(text, sizeof text, "machine: test\n%s", cases[i].text);
        struct rig rig;
        rig_open(&rig, text, literal_script, NULL, 0);
        rig.options.settings.steps = cases[i].steps;
        rig_run_ok(&rig);
        assert_int_equal(rig.result.outcome, cases[i].outcome);
        rig_close(&rig);
    }
}

/* A step of initialize may fail, in the constant part or behind it: that is a failure of its own.
 */
static void test_initialize_fails(void **state)
{
    (void)state;
    static const char *const steps[] = {
        "  - sql: FAIL 23505 k users\n",
        "  - args: {x: 'integers(0, 9)'}\n    sql: FAIL 23505 k users\n",
    };
    for (size_t i = 0; i < 2; i++) {
        struct rig rig;
        struct strbuf yaml = {0};
        strbuf_addf(&yaml, "machine: test\ninitialize:\n%srules:\n  r: {sql: COUNT 1}\n", steps[i]);
        rig_open(&rig, strbuf_text(&yaml), literal_script, NULL, 0);
        strbuf_free(&yaml);
        const struct failure *failure = rig_failure(&rig);
        assert_string_equal(failure->identity, "initialize 1: 23505 k users");
        assert_int_equal(failure->step, 0);
        assert_int_equal(failure->steps.count, 0);
        assert_int_equal(failure->trace.steps.count, 1);
        assert_true(failure->rule->initialize);
        assert_string_equal(failure->sql, "FAIL 23505 k users");
        rig_close(&rig);
    }
}

/* After a failure, the run continues for a while, but not for long if each failure takes time. A
 * shard needs no example that lies behind: the first failure of all shards is no later one. */
static void test_goes_on_after_a_failure(void **state)
{
    (void)state;
    static const struct {
        const char *rules;
        uint64_t shard;
        uint64_t shard_count;
        uint64_t examples;
    } rows[] = {
        {"  a: {sql: FAIL 23505 k users}\n", 0, 0, 1 + 25},
        {"  a: {sql: FAIL 57014 - -}\n", 0, 0, 1 + 3},
        {"  a: {sql: FAIL 23505 k users}\n", 0, 4, 1 + 6 /* 1, 5, … 25 of 26 */},
        {"  a: {sql: FAIL 23505 k users}\n", 1, 25, 2 /* 2 and 27 of 27 */},
        {"  a: {sql: FAIL 23505 k users}\n", 6, 30, 1 /* 7 of 32 */},
        {"  a: {sql: FAIL 57014 - -}\n", 1, 2, 2 /* 2 and 4 of 5 */},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct rig rig;
        struct strbuf yaml = {0};
        strbuf_addf(&yaml, "machine: test\nrules:\n%s", rows[i].rules);
        rig_open(&rig, strbuf_text(&yaml), literal_script, NULL, 0);
        strbuf_free(&yaml);
        rig.options.settings.examples = 100;
        rig.options.shard = rows[i].shard;
        rig.options.shard_count = rows[i].shard_count;
        (void)rig_failure(&rig);
        assert_int_equal(rig.result.stats.examples, rows[i].examples);
        rig_close(&rig);
    }
}

static void test_no_examples(void **state)
{
    (void)state;
    struct rig rig;
    open_bank(&rig);
    rig.options.settings.examples = 0;
    rig_run_ok(&rig);
    assert_int_equal(rig.result.outcome, RUN_NOTHING);
    assert_int_equal(rig.result.seed, 1);
    rig_close(&rig);
}

static void test_progress_and_time(void **state)
{
    (void)state;
    struct rig rig;
    open_bank(&rig);
    rig.options.settings.examples = 7;
    rig.now_us = 1000000;
    rig_run_ok(&rig);
    assert_int_equal(rig.progress, 7);
    assert_in_range(rig.result.stats.time_us, 7, 1000);
    assert_false(rig.result.cut_short);
    rig_close(&rig);
}

static uint64_t jump(void *host)
{
    struct rig *rig = host;
    return rig->now_us += 1000; /* a millisecond at each look */
}

static void test_max_time(void **state)
{
    (void)state;
    struct rig rig;
    open_bank(&rig);
    rig.options.settings.examples = 1000;
    rig.options.settings.max_time_ms = 20;
    rig.options.callbacks.now_us = jump;
    rig_run_ok(&rig);
    assert_true(rig.result.cut_short);
    assert_int_equal(rig.result.outcome, RUN_PASSED);
    assert_in_range(rig.result.stats.examples, 1, 20);
    rig_close(&rig);
}

/* The time runs out in the middle of an example: it ends there, and its steps count. */
static void test_max_time_within_an_example(void **state)
{
    (void)state;
    struct rig rig;
    open_bank(&rig);
    rig.options.settings.examples = 1;
    rig.options.settings.steps = 1000;
    rig.options.settings.max_time_ms = 20;
    rig.options.callbacks.now_us = jump;
    rig_run_ok(&rig);
    assert_true(rig.result.cut_short);
    assert_int_equal(rig.result.outcome, RUN_PASSED);
    assert_int_equal(rig.result.stats.examples, 1);
    assert_in_range(rig.result.stats.steps, 1, 20);
    rig_close(&rig);
}

/* A long example tells how far it is before it is done. */
static void test_progress_within_an_example(void **state)
{
    (void)state;
    struct rig rig;
    open_bank(&rig);
    rig.options.settings.examples = 1;
    rig.options.settings.steps = 1000;
    rig.options.callbacks.now_us = jump;
    rig_run_ok(&rig);
    assert_in_range(rig.progress, 5, 100);
    rig_close(&rig);
}

/* The end of the time also ends shrinking, and the report says so. */
static void test_max_time_while_shortening(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct rig rig;
        rig_open(&rig,
                 "machine: test\n"
                 "model: n = 0\n"
                 "rules:\n"
                 "  a: {sql: COUNT 1, model: n += 1, check: n < 8}\n",
                 literal_script, NULL, 0);
        rig.options.settings.shrink_executions = 2000;
        rig.options.settings.max_time_ms = i ? 10000 : 24;
        rig.options.callbacks.now_us = jump;
        const struct failure *failure = rig_failure(&rig);
        if (i == 0) {
            assert_string_equal(failure->shrinking.cut_short, "the time was up");
        } else {
            assert_null(failure->shrinking.cut_short);
        }
        rig_close(&rig);
    }
}

/* What shrinking says it ran is what the database saw of it, but for two runs of nine steps: to
 * see whether the check alone shows the failure, and for what is reported. */
static void test_steps_of_shortening(void **state)
{
    (void)state;
    size_t ran[2];
    uint64_t steps = 0;
    for (int i = 0; i < 2; i++) {
        struct rig rig;
        rig_open(&rig,
                 "machine: test\n"
                 "model: n = 0\n"
                 "rules:\n"
                 "  a: {sql: COUNT 1, model: n += 1, check: n < 8}\n",
                 literal_script, NULL, 0);
        rig.options.no_pipeline = true;
        rig.options.settings.shrink_executions = i ? 2000 : 0;
        const struct failure *failure = rig_failure(&rig);
        assert_int_equal(failure->step, 9); /* a check sees the model before its step */
        steps = failure->shrinking.steps;
        ran[i] = rig.fake.ran;
        rig_close(&rig);
    }
    assert_true(steps > 0);
    assert_int_equal(ran[1] - ran[0], steps + 18);
}

/* Nor does it depend on when a transaction is begun anew, which takes the savepoints away. */
static void test_steps_of_shortening_restarted(void **state)
{
    (void)state;
    struct shrinking shown[2];
    for (int i = 0; i < 2; i++) {
        struct rig rig;
        rig_open(&rig,
                 "machine: test\n"
                 "model: n = 0\n"
                 "rules:\n"
                 "  b: {sql: COUNT 2}\n"
                 "  a: {sql: COUNT 1, model: n += 1, check: n < 8}\n",
                 literal_script, NULL, 0);
        fake_with_checkpoints(&rig.fake);
        rig.options.settings.steps = 40;
        rig.options.settings.shrink_executions = 2000;
        rig.fake.restart_every = i ? 2 : 0;
        shown[i] = rig_failure(&rig)->shrinking;
        assert_int_equal(rig.fake.restarts > 2, i);
        rig_close(&rig);
    }
    assert_true(shown[0].steps > 0);
    assert_int_equal(shown[0].executions, shown[1].executions);
    assert_int_equal(shown[0].steps, shown[1].steps);
}

static void test_interrupt(void **state)
{
    (void)state;
    struct rig rig;
    open_bank(&rig);
    rig.options.settings.examples = 1000;
    rig.interrupt_at = 25;
    assert_false(rig_run(&rig));
    assert_int_equal(rig.err.code, ERROR_INTERRUPTED);
    assert_true(rig.result.cut_short);
    assert_int_equal(rig.result.stats.examples, 2); /* of ten steps each */
    assert_int_equal(rig.result.failures.count, 0);
    rig_close(&rig);
}

/* Neither the results nor the working memory of a run grow with the number of examples. */
static void test_memory_does_not_grow(void **state)
{
    (void)state;
    struct rig rig;
    size_t used[2];
    for (int i = 0; i < 2; i++) {
        open_bank(&rig);
        rig.options.settings.examples = i ? 2000 : 40;
        rig_run_ok(&rig);
        assert_int_equal(rig.result.outcome, RUN_PASSED);
        used[i] = arena_used(&rig.results);
        rig_close(&rig);
    }
    assert_int_equal(used[0], used[1]);
    open_bank(&rig);
    rig_start(&rig);
    size_t most = 0;
    for (uint64_t i = 1; i <= 300; i++) {
        struct example_plan plan = {.way = way_of(i), .number = i};
        rig_example(&rig, &plan);
        size_t now = arena_used(&rig.engine.example.arena);
        if (i <= 100 && now > most) {
            most = now;
        }
        assert_true(now <= most + most / 4);
    }
    assert_true(arena_used(&rig.engine.saving) < 100);
    rig_stop(&rig);
    rig_close(&rig);
}

/* A run continues for a while after its first failure, and keeps other failures. */
static void test_several_failures(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig,
             "machine: test\n"
             "rules:\n"
             "  a: {args: {x: 'integers(0, 9)'}, sql: 'ROWS a int4 = [(min(:x, 5),)]', expect: x}\n"
             "  b: {args: {x: 'integers(0, 9)'}, sql: 'COUNT 1', check: x < 6}\n"
             "  c: {sql: 'COUNT 1'}\n",
             literal_script, NULL, 0);
    rig.options.settings.examples = 100;
    rig_run_ok(&rig);
    assert_int_equal(rig.result.failures.count, 2);
    assert_string_not_equal(rig.result.failures.items[0].identity,
                            rig.result.failures.items[1].identity);
    assert_true(rig.result.stats.examples < 100);
    rig_close(&rig);
}

/* --- other examples of one failure --- */

/* Six of rule a are too many; one of rule b alone, if its number is no multiple of 5. */
struct pile {
    int count;
    bool wrong;
};

static void pile_up(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    struct pile *pile = fake->state;
    (void)reply;
    pile->count += call->value_count == 0;
    pile->wrong |= call->value_count && call->values[0].as.integer % 5;
}

static void look_at(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    const struct pile *pile = fake->state;
    (void)call;
    fake_columns(reply, "wrong int4");
    FAKE_ROW(reply, value_int(pile->wrong || pile->count >= 6));
}

static const struct fake_script pile_script[] = {
    {"put *", pile_up}, {"look", look_at}, {NULL, NULL}};
static const char pile_machine[] = "machine: pile\n"
                                   "rules:\n"
                                   "  a: {sql: put one}\n"
                                   "  b: {args: {x: 'integers(0, 1000)'}, sql: 'put :x'}\n"
                                   "invariants:\n"
                                   "  right: {sql: look, expect: 0}\n";

struct told {
    size_t times;
    size_t steps[4];
    uint64_t example[4];
};

static void on_found(void *host, const struct failure *failure, bool final)
{
    const struct rig *rig = host;
    struct told *told = rig->fake.host;
    assert_ptr_equal(failure, rig->result.failures.items);
    if (final) {
        assert_in_range(told->times, 0, 3);
        told->steps[told->times] = trace_length(&failure->trace);
        told->example[told->times++] = failure->example;
    }
}

/* The first example draws nothing but the simplest, so b does no harm there. Others that fail are
 * shrunk, too, and the shortest is reported. It is told in the place of the first one. */
static void test_reports_the_shortest_of_several_examples(void **state)
{
    (void)state;
    enum { SEEDS = 10 };
    size_t better = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct rig rig;
        struct pile pile = {0};
        struct told told = {0};
        rig_open(&rig, pile_machine, pile_script, &pile, sizeof pile);
        rig.options.settings.examples = 100;
        rig.options.settings.steps = 30;
        rig.options.settings.shrink_executions = 500;
        rig.options.settings.seed = seed;
        rig.fake.host = &told;
        rig.options.callbacks.found = on_found;
        const struct failure *failure = rig_failure(&rig);
        assert_int_equal(told.steps[0], 6);
        assert_int_equal(told.example[0], 1);
        assert_int_equal(failure->example, told.example[told.times - 1]);
        assert_int_equal(trace_length(&failure->trace), told.steps[told.times - 1]);
        assert_in_range(failure->shrinking.others, 1, 2);
        assert_int_equal(failure->seed, seed);
        assert_non_null(failure->found);
        better += told.times == 2 && told.steps[1] == 1 && told.example[1] > 1;
        rig_close(&rig);
    }
    assert_in_range(better, SEEDS / 2, SEEDS);
}

static bool take_once(void *host, bool wait, struct run_chunk *out, struct error *err)
{
    const struct rig *rig = host;
    bool *taken = rig->fake.host;
    assert_true(wait);
    (void)err;
    *out = *taken ? (struct run_chunk){0} : (struct run_chunk){1, 20};
    *taken = true;
    return true;
}

static bool on_done(void *host, const struct run_chunk *chunk, const struct run_part *part,
                    struct error *err)
{
    const struct rig *rig = host;
    size_t failed = 0;
    (void)chunk;
    (void)err;
    for (const char *at = part->records; (at = strstr(at, "\"failure\":")); at++) {
        failed++;
    }
    assert_in_range(failed, 2, 20);
    assert_int_equal(rig->result.failures.items[0].shrinking.others, 0);
    return true;
}

static bool report_nothing(void *host, uint64_t number, struct reported_example *out,
                           struct error *err)
{
    (void)host;
    (void)number;
    (void)err;
    out->how = REPORTED_CUT;
    return true;
}

/* A chunk of a shared run is only counted: what fails in it is examined when the run is put
 * together, also where a stored failure has the same form. */
static void test_chunks_are_only_counted(void **state)
{
    (void)state;
    struct rig rig;
    struct pile pile = {0};
    bool taken = false;
    rig_open(&rig, pile_machine, pile_script, &pile, sizeof pile);
    rig.options.settings.steps = 30;
    rig.options.settings.shrink_executions = 500;
    const struct failure *failure = rig_failure(&rig); /* of the first example: six steps */
    const struct stored_trace stored = {.identity = failure->identity,
                                        .seed = failure->seed,
                                        .example = failure->example,
                                        .name = "pile-right",
                                        .trace = failure->trace};
    rig.options.settings.examples = 20;
    rig.options.record_each = true;
    rig.options.stored = &stored;
    rig.options.stored_count = 1;
    rig.fake.host = &taken;
    rig.options.callbacks.take = take_once;
    rig.options.callbacks.done = on_done;
    rig.options.callbacks.reported = report_nothing;
    assert_int_equal(trace_length(&rig_failure(&rig)->trace), 6);
    assert_true(taken);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constant_part_runs_once),
        cmocka_unit_test(test_no_steps),
        cmocka_unit_test(test_saved_answers_stay),
        cmocka_unit_test(test_long_examples_over_large_models),
        cmocka_unit_test(test_restarts),
        cmocka_unit_test(test_restart_fails),
        cmocka_unit_test(test_dataset_is_refused),
        cmocka_unit_test(test_initialize_fails),
        cmocka_unit_test(test_goes_on_after_a_failure),
        cmocka_unit_test(test_no_examples),
        cmocka_unit_test(test_progress_and_time),
        cmocka_unit_test(test_max_time),
        cmocka_unit_test(test_max_time_within_an_example),
        cmocka_unit_test(test_progress_within_an_example),
        cmocka_unit_test(test_max_time_while_shortening),
        cmocka_unit_test(test_steps_of_shortening),
        cmocka_unit_test(test_steps_of_shortening_restarted),
        cmocka_unit_test(test_interrupt),
        cmocka_unit_test(test_memory_does_not_grow),
        cmocka_unit_test(test_several_failures),
        cmocka_unit_test(test_reports_the_shortest_of_several_examples),
        cmocka_unit_test(test_chunks_are_only_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
