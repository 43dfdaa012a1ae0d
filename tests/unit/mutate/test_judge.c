/* Judging mutants, on the fake database: a mutant is a bug of its bank. */
#include "mutate/judge.h"
#include "support/bank.h"
#include "support/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MUTANTS = 6 };

struct bench {
    struct rig rig;
    struct bank bank;
    struct backend_ops ops;
    struct mutant mutants[MUTANTS];
    struct judging judging;
    size_t told[2]; /* judged, survived */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts),   cmocka_unit_test(not_repeated), cmocka_unit_test(limits),
        cmocka_unit_test(time_is_up), cmocka_unit_test(interrupted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
