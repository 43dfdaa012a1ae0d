/* Judging mutants, on the fake database: a mutant is a bug of its bank. */
#include "mutate/judge.h"
#include "support/bank.h"
#include "support/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MUTANTS = 6 };

/* What several processes share. */
struct desk {
    size_t taken; /* chunks and refusals */
    size_t done;
    size_t most; /* of which this many are handed in whole, and the next one is cut */
    char records[MUTANTS][1000];
};

struct bench {
    struct rig rig;
    struct bank bank;
    struct backend_ops ops;
    struct mutant mutants[MUTANTS];
    struct judging judging;
    size_t told[2]; /* judged, survived */
    struct desk desk;
};

static unsigned planted;

/* The DDL is the number of a bug; "o": of bug 1, which is there only the first time, "e": every
 * other time, "s": but for the second time. */
static bool plant(struct backend *backend, const char *sql, struct error *err)
{
    struct fake *fake = (struct fake *)backend;
    struct bank *bank = fake->state;
    planted += strchr("oes", *sql) != NULL;
    bool there = *sql == 'o'   ? planted == 1
                 : *sql == 'e' ? planted % 2 == 1
                 : *sql == 's' ? planted != 2
                               : false;
    bank->bug = *sql > '9' ? (enum bank_bug)there : (enum bank_bug)(*sql - '0');
    return *sql != 'x' || error_set(err, ERROR_SERVER, "there is no such bug");
}

static void on_judged(void *host, const struct judged *judged)
{
    struct bench *bench = host;
    assert_int_equal(judged->count, bench->told[0] + 1);
    assert_true(judged->killed + judged->survived <= judged->count);
    assert_int_equal(judged->survivor != NULL, judged->survived > 0);
    bench->told[0] = judged->count;
    bench->told[1] = judged->survived;
}

static void bench_open(struct bench *bench, const char *const ddl[MUTANTS])
{
    *bench = (struct bench){0};
    rig_open(&bench->rig, bank_machine, bank_script, &bench->bank, sizeof bench->bank);
    bench->ops = *bench->rig.fake.backend.ops;
    bench->ops.plant = plant;
    bench->rig.fake.backend.ops = &bench->ops;
    bench->rig.options.settings.examples = 20;
    for (size_t i = 0; i < MUTANTS; i++) {
        bench->mutants[i] = (struct mutant){.id = ddl[i], .ddl = ddl[i]};
    }
    bench->judging = (struct judging){.machine = bench->rig.machine,
                                      .backend_count = 1,
                                      .options = &bench->rig.options,
                                      .arena = &bench->rig.results,
                                      .host = bench,
                                      .progress = on_judged};
}

static bool run(struct bench *bench)
{
    struct backend *const backends[] = {&bench->rig.fake.backend};
    bench->judging.backends = backends;
    return judge(&bench->judging, bench->mutants, MUTANTS, &bench->rig.err);
}

static struct bench *at_desk;

/* The last chunk was another process's, and comes back while this one waits. */
static bool take(void *host, bool wait, struct run_chunk *out, struct error *err)
{
    static const struct {
        bool wait;
        struct run_chunk chunk;
    } calls[] = {{true, {1, 2}}, {false, {5, 5}}, {false, {3, 4}}, {false, {0, 0}},
                 {true, {6, 6}}, {false, {0, 0}}, {true, {0, 0}}};
    struct desk *desk = &at_desk->desk;
    (void)host;
    (void)err;
    assert_true(desk->taken < sizeof calls / sizeof *calls);
    assert_int_equal(wait, calls[desk->taken].wait);
    *out = calls[desk->taken++].chunk;
    return true;
}

static bool done(void *host, const struct run_chunk *chunk, const struct run_part *part,
                 struct error *err)
{
    struct desk *desk = &at_desk->desk;
    size_t whole = (size_t)(chunk->last - chunk->first) + 1;
    (void)host;
    (void)err;
    assert_int_equal(part->cut, desk->done == desk->most);
    assert_int_equal(part->cut, part->count < whole);
    (void)snprintf(desk->records[desk->done++], sizeof *desk->records, "%s", part->records);
    return true;
}

static void share(struct bench *bench, size_t most)
{
    at_desk = bench;
    bench->desk.most = most;
    bench->rig.options.callbacks.take = take;
    bench->rig.options.callbacks.done = done;
    for (size_t i = 0; i < MUTANTS; i++) {
        bench->mutants[i].number = i + 1;
    }
}

static const char *const bugs[MUTANTS] = {"0", "1", "x", "0", "3", "0"};

static void verdicts(void **state)
{
    static const enum verdict expected[MUTANTS] = {VERDICT_SURVIVED,  VERDICT_KILLED,
                                                   VERDICT_STILLBORN, VERDICT_EQUIVALENT,
                                                   VERDICT_KILLED,    VERDICT_SURVIVED};
    struct bench bench;
    (void)state;
    bench_open(&bench, bugs);
    bench.mutants[3].verdict = VERDICT_EQUIVALENT;
    assert_true(run(&bench));
    for (size_t i = 0; i < MUTANTS; i++) {
        assert_int_equal(bench.mutants[i].verdict, expected[i]);
    }
    assert_string_equal(bench.mutants[1].by, "invariant listed");
    assert_string_equal(bench.mutants[2].by, "there is no such bug");
    assert_int_equal(bench.told[0], 5);
    assert_int_equal(bench.told[1], 2);
    rig_close(&bench.rig);
}

/* A failure that can't be repeated is not a kill: all examples run again, and their verdict counts,
 * unless they, too, fail without a repetition. */
static void not_repeated(void **state)
{
    static const struct {
        const char *ddl;
        enum verdict verdict;
        const char *by;
    } expected[] = {
        {"o", VERDICT_SURVIVED, NULL},
        {"s", VERDICT_KILLED, "invariant listed"},
        {"e", VERDICT_BROKE, " failed, and held when it ran again: invariant listed"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const char *const ddl[MUTANTS] = {expected[i].ddl, "1", "x", "0", "3", "0"};
        struct bench bench;
        planted = 0;
        bench_open(&bench, ddl);
        assert_true(run(&bench));
        assert_int_equal(bench.mutants[0].verdict, expected[i].verdict);
        if (expected[i].by) {
            assert_non_null(strstr(bench.mutants[0].by, expected[i].by));
        }
        assert_int_equal(bench.mutants[1].verdict, VERDICT_KILLED);
        rig_close(&bench.rig);
    }
}

/* A machine may wait for its statements less long than a mutant would be waited for, not longer. */
static void limits(void **state)
{
    static const int64_t given[][2] = {{200, 200}, {60000, 3000}, {0, 3000}};
    (void)state;
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        struct bench bench;
        bench_open(&bench, bugs);
        bench.rig.options.settings.statement_timeout_ms = given[i][0];
        assert_true(run(&bench));
        assert_int_equal(bench.rig.fake.limit_ms, given[i][1]);
        rig_close(&bench.rig);
    }
}

/* Mutants after the time limit, and the one that it interrupted, have no verdict. */
static void time_is_up(void **state)
{
    struct bench whole;
    struct bench cut;
    (void)state;
    bench_open(&whole, bugs);
    assert_true(run(&whole));
    bench_open(&cut, bugs);
    cut.judging.deadline_us = whole.mutants[0].time_us + whole.mutants[1].time_us;
    assert_true(run(&cut));
    assert_int_equal(cut.mutants[0].verdict, VERDICT_SURVIVED);
    assert_int_equal(cut.mutants[5].verdict, VERDICT_NONE);
    rig_close(&cut.rig);
    bench_open(&cut, bugs);
    cut.judging.deadline_us = 1;
    assert_true(run(&cut));
    assert_int_equal(cut.mutants[0].verdict, VERDICT_NONE);
    rig_close(&cut.rig);
    rig_close(&whole.rig);
}

static void interrupted(void **state)
{
    struct bench bench;
    (void)state;
    bench_open(&bench, bugs);
    assert_true(run(&bench));
    uint64_t asked = bench.rig.asked;
    rig_close(&bench.rig);
    bench_open(&bench, bugs);
    bench.rig.interrupt_at = asked / 2;
    assert_false(run(&bench));
    assert_int_equal(bench.rig.err.code, ERROR_INTERRUPTED);
    assert_int_equal(bench.mutants[0].verdict, VERDICT_SURVIVED);
    assert_int_equal(bench.mutants[5].verdict, VERDICT_NONE);
    rig_close(&bench.rig);
}

/* The verdicts of a chunk are handed in together. */
static void in_chunks(void **state)
{
    static const char *const expected[][2] = {
        {"{\"number\":1,\"id\":\"0\",\"verdict\":\"survived\",\"example\":0,",
         "\n{\"number\":2,\"id\":\"1\",\"verdict\":\"killed\",\"by\":\"invariant listed\","},
        {"{\"number\":5,", "\"verdict\":\"killed\""},
        {"{\"number\":3,", "\n{\"number\":4,\"id\":\"0\",\"verdict\":\"equivalent\""},
        {"{\"number\":6,", "\"verdict\":\"survived\""},
    };
    struct bench bench;
    (void)state;
    bench_open(&bench, bugs);
    share(&bench, MUTANTS);
    bench.mutants[3].verdict = VERDICT_EQUIVALENT;
    assert_true(run(&bench));
    assert_int_equal(bench.desk.taken, 7);
    assert_int_equal(bench.desk.done, 4);
    for (size_t i = 0; i < bench.desk.done; i++) {
        assert_ptr_equal(strstr(bench.desk.records[i], expected[i][0]), bench.desk.records[i]);
        assert_non_null(strstr(bench.desk.records[i], expected[i][1]));
    }
    rig_close(&bench.rig);
}

/* Of the chunk in which the time was up, it hands in what it judged, for itself. */
static void cut_in_a_chunk(void **state)
{
    struct bench cut;
    (void)state;
    bench_open(&cut, bugs);
    share(&cut, 0);
    cut.desk.taken = 4; /* alone */
    cut.judging.deadline_us = 1;
    assert_true(run(&cut));
    assert_string_equal(cut.desk.records[0], "");
    rig_close(&cut.rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts),       cmocka_unit_test(not_repeated),
        cmocka_unit_test(limits),         cmocka_unit_test(time_is_up),
        cmocka_unit_test(interrupted),    cmocka_unit_test(in_chunks),
        cmocka_unit_test(cut_in_a_chunk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
