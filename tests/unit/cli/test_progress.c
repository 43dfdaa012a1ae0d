#include "cli/progress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void check_in(size_t width, struct pgfsm_progress at, const char *expected)
{
    struct strbuf out = {0};
    progress_text("membership", &at, PROGRESS_ASCII, width, &out);
    assert_string_equal(strbuf_text(&out), expected);
    strbuf_free(&out);
}

static void check(struct pgfsm_progress at, const char *expected) { check_in(120, at, expected); }

static void how_far_and_how_long(void **state)
{
    (void)state;
    check((struct pgfsm_progress){.examples_planned = 100},
          "membership  .....................  0/100   0 steps");
    check(
        (struct pgfsm_progress){
            .examples = 25, .examples_planned = 100, .steps = 1200, .time_us = 2000000},
        "membership  #####................  25/100   1200 steps   6 s left");
    check(
        (struct pgfsm_progress){
            .examples = 1, .examples_planned = 100, .steps = 50, .time_us = 10500000},
        "membership  .....................  1/100   50 steps   17 min left");
    check((struct pgfsm_progress){.examples = 25,
                                  .examples_planned = 100,
                                  .steps = 1200,
                                  .time_us = 2000000,
                                  .failures = 2},
          "membership  #####................  25/100   2 failures   1200 steps   6 s left");
    check((struct pgfsm_progress){.examples = 1,
                                  .examples_planned = 100,
                                  .steps = 50,
                                  .time_us = 10500000,
                                  .max_time_us = 30000000},
          "membership  .....................  1/100   50 steps   17 min left, max_time in 20 s");
    check((struct pgfsm_progress){.examples = 50,
                                  .examples_planned = 100,
                                  .steps = 50,
                                  .time_us = 10000000,
                                  .max_time_us = 30000000},
          "membership  ##########...........  50/100   50 steps   10 s left");
    check(
        (struct pgfsm_progress){
            .examples = 100, .examples_planned = 100, .steps = 50, .time_us = 10000000},
        "membership  #####################  100/100   50 steps");
    check((struct pgfsm_progress){.steps = 1}, "membership  0/0   1 step");
}

static void mutants(void **state)
{
    (void)state;
    check((struct pgfsm_progress){.examples = 50,
                                  .examples_planned = 50,
                                  .time_us = 37000000,
                                  .mutants = 37,
                                  .mutants_planned = 72,
                                  .killed = 30,
                                  .survivors = 5},
          "membership  37/72 mutants  30 killed  5 survived   35 s left");
    check((struct pgfsm_progress){.mutants = 12,
                                  .mutants_planned = 12,
                                  .killed = 8,
                                  .survivors = 2,
                                  .survivor = "policy-check-true own_memberships on members"},
          "membership  12/12 mutants  8 killed  2 survived (policy-check-true own_memberships)");
}

/* The bar is shorter where there is less room, then rules go, then the bar; the rest is cut. */
static void what_fits(void **state)
{
    (void)state;
    const struct pgfsm_progress at = {.examples = 14,
                                      .examples_planned = 60,
                                      .steps = 708,
                                      .time_us = 7000000,
                                      .rules = 18,
                                      .rules_ran = 15,
                                      .pairs = 324,
                                      .pairs_seen = 81};
    check_in(100, at,
             "membership  ####.................  14/60   708 steps   23 s left"
             "   15 of 18 rules, 81 of 324 pairs");
    check_in(88, at,
             "membership  ##.........  14/60   708 steps   23 s left"
             "   15 of 18 rules, 81 of 324 pairs");
    check_in(80, at, "membership  ####.................  14/60   708 steps   23 s left");
    check_in(52, at, "membership  ##.......  14/60   708 steps   23 s left");
    check_in(47, at, "membership  14/60   708 steps   23 s left");
    check_in(20, at, "membership  14/60   ");
}

static void blocks(void **state)
{
    (void)state;
    struct strbuf out = {0};
    const struct pgfsm_progress at = {.examples = 2, .examples_planned = 4, .shrink_runs = 1};
    progress_text("m", &at, PROGRESS_BLOCKS, 61, &out);
    assert_string_equal(strbuf_text(&out),
                        "m  ████░░░░  2/4   shrinking a failure: 1 run, 0 steps so far");
    strbuf_free(&out);
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
          "membership  #####................  25/100   1 failure   shrinking a failure: 120 runs, "
          "7 steps so far");
    check((struct pgfsm_progress){.examples = 25,
                                  .examples_planned = 100,
                                  .shrink_runs = 12,
                                  .shrink_steps = 7,
                                  .failures = 2,
                                  .differs = true},
          "membership  #####................  25/100   2 differences   shrinking a difference: 12 "
          "runs, 7 steps so far");
    check(
        (struct pgfsm_progress){
            .examples = 1, .examples_planned = 1, .shrink_runs = 1, .shrink_steps = 1},
        "membership  #####################  1/1   shrinking a failure: 1 run, 1 step so far");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(how_far_and_how_long),
                                       cmocka_unit_test(mutants), cmocka_unit_test(what_fits),
                                       cmocka_unit_test(blocks), cmocka_unit_test(shortening)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
