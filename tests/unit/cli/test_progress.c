#include "cli/progress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void check(struct pgfsm_progress at, const char *expected)
{
    struct strbuf out = {0};
    progress_text("membership", &at, &out);
    assert_string_equal(strbuf_text(&out), expected);
    strbuf_free(&out);
}

static void how_far_and_how_long(void **state)
{
    (void)state;
    check((struct pgfsm_progress){.examples_planned = 100}, "membership  0/100 examples  0 steps");
    check(
        (struct pgfsm_progress){
            .examples = 25, .examples_planned = 100, .steps = 1200, .time_us = 2000000},
        "membership  25/100 examples  1200 steps  600 steps/s  6 s left");
    check(
        (struct pgfsm_progress){
            .examples = 1, .examples_planned = 100, .steps = 50, .time_us = 10500000},
        "membership  1/100 examples  50 steps  5 steps/s  17 min left");
    check((struct pgfsm_progress){.examples = 50,
                                  .examples_planned = 50,
                                  .time_us = 37000000,
                                  .mutants = 37,
                                  .mutants_planned = 72,
                                  .killed = 30,
                                  .survivors = 5},
          "membership  37/72 mutants  30 killed  5 survived  35 s left");
    check((struct pgfsm_progress){.mutants = 12,
                                  .mutants_planned = 12,
                                  .killed = 8,
                                  .survivors = 2,
                                  .survivor = "policy-check-true own_memberships on members"},
          "membership  12/12 mutants  8 killed  2 survived (policy-check-true own_memberships)");
    check((struct pgfsm_progress){.examples = 25,
                                  .examples_planned = 100,
                                  .steps = 1200,
                                  .time_us = 2000000,
                                  .failures = 2},
          "membership  25/100 examples  2 failures  1200 steps  600 steps/s  6 s left");
    check((struct pgfsm_progress){.examples = 1,
                                  .examples_planned = 100,
                                  .steps = 50,
                                  .time_us = 10500000,
                                  .max_time_us = 30000000},
          "membership  1/100 examples  50 steps  5 steps/s  17 min left, max_time in 20 s");
    check((struct pgfsm_progress){.examples = 50,
                                  .examples_planned = 100,
                                  .steps = 50,
                                  .time_us = 10000000,
                                  .max_time_us = 30000000},
          "membership  50/100 examples  50 steps  5 steps/s  10 s left");
    check(
        (struct pgfsm_progress){
            .examples = 100, .examples_planned = 100, .steps = 50, .time_us = 10000000},
        "membership  100/100 examples  50 steps  5 steps/s");
}

/* How long it takes is not known: it ends where nothing gets shorter. */
static void shortening(void **state)
{
    (void)state;
    check((struct pgfsm_progress){.examples = 25,
                                  .examples_planned = 100,
                                  .steps = 1200,
                                  .time_us = 2000000,
                                  .shrink_runs = 120,
                                  .shrink_steps = 7,
                                  .failures = 1},
          "membership  25/100 examples  1 failure  shrinking a failure: 120 runs, 7 steps so far");
    check(
        (struct pgfsm_progress){
            .examples = 1, .examples_planned = 1, .shrink_runs = 1, .shrink_steps = 1},
        "membership  1/1 examples  shrinking a failure: 1 run, 1 step so far");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(how_far_and_how_long),
                                       cmocka_unit_test(shortening)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
