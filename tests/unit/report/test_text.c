#include "fixture.h"

#include "example/stats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void a_pass_is_one_line(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    assert_string_equal(fixture_report(&fixture),
                        "ok  membership  100 examples, 4,812 steps, 0.61 s, seed 7261\n");
    fixture_end(&fixture);
}

static void quiet_says_nothing_of_a_pass(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    fixture.options.quiet = true;
    assert_string_equal(fixture_report(&fixture), "");
    struct failure *failure = fixture_fail(&fixture, FAILURE_INVARIANT);
    fixture_upsert(&fixture, failure, "projects_1", "editor");
    assert_non_null(strstr(fixture_report(&fixture), "FAIL  membership"));
    fixture_end(&fixture);
}

static void what_was_not_tested_is_named(void **state)
{
    (void)state;
    struct fixture fixture;
    static const char *const warnings[] = {"nothing tests the policy own_memberships", NULL};
    fixture_begin(&fixture);
    struct run_stats *stats = &fixture.result.stats;
    stats->rules[0] = (struct rule_stats){
        .blocked = {[BLOCKED_PRECONDITION] = 4800, [BLOCKED_BUNDLE] = 12}, .given_up = 3};
    stats->rules[1] = (struct rule_stats){0};
    stats->invariants[0] = (struct invariant_stats){.skipped = 7};
    stats->invariants[1] = (struct invariant_stats){0};
    fixture.run.warnings = warnings;
    fixture_golden(&fixture, "untested");
    assert_int_equal(report_never_ran(&fixture.run), 2);
    assert_int_equal(report_never_checked(&fixture.run), 2);
    fixture_end(&fixture);
}

/* The steps of a rule, of which `raised` raised the same error. */
static void ran_and_raised(struct fixture *fixture, size_t rule, uint64_t ran, uint64_t raised)
{
    struct rule_stats *stats = &fixture->result.stats.rules[rule];
    *stats = (struct rule_stats){.chosen = ran, .ran = ran};
    *VEC_PUSH(&fixture->arena, &stats->raised) = (struct raised_count){"42501", raised};
}

static void what_tests_little_is_said(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    struct rule_stats *stats = fixture.result.stats.rules;
    struct rule_arg arg = {.name = "project"};
    fixture.machine.rules.items[1].args.items = &arg;
    fixture.machine.rules.items[1].args.count = 1;
    ran_and_raised(&fixture, 0, 2400, 2160);
    ran_and_raised(&fixture, 1, 2412, 2412);
    stats[1].meant_to_fail = 2412;
    fixture.machine.rules.items[1].never_succeeds = true;
    stats[0].refused = 2159;
    stats[1].refused = 2171;
    stats[0].where = (struct filter_counts){1000, 899};
    stats[0].filters = (struct filter_counts){12345, 12222};
    stats[1].where = (struct filter_counts){1000, 900};
    fixture.result.stats.dead_ends = 12;
    stats[0].dead_ends[BLOCKED_BUNDLE] = 12;
    stats[1].dead_ends[BLOCKED_PRECONDITION] = 10;
    stats[1].dead_ends[DEAD_END_GIVEN_UP] = 2;
    fixture_golden(&fixture, "health");
    fixture_end(&fixture);
}

static void a_share_of_few_says_nothing(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    ran_and_raised(&fixture, 0, 19, 18);
    ran_and_raised(&fixture, 1, 2400, 2159);
    fixture.result.stats.rules[0].where = (struct filter_counts){19, 19};
    const char *report = fixture_report(&fixture);
    assert_string_equal(report, "ok  membership  100 examples, 4,812 steps, 0.61 s, seed 7261\n");
    fixture_end(&fixture);
}

/* Whether and how the report says that a rule never succeeded. */
static const char *said_to_fail(struct fixture *fixture, const char *rule)
{
    const char *line = strstr(fixture_report(fixture), "    always fails   ");
    return line && strstr(line, rule) ? strstr(line, rule) : NULL;
}

static void a_rule_without_success_is_named(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    struct rule_stats *stats = fixture.result.stats.rules;
    struct rule *rules = fixture.machine.rules.items;
    bool off[] = {false, true};
    ran_and_raised(&fixture, 0, 1, 1);
    ran_and_raised(&fixture, 1, 30, 15);
    *VEC_PUSH(&fixture.arena, &stats[1].raised) = (struct raised_count){"23505", 15};
    stats[0].meant_to_fail = 1; /* `raises` predicted it, and need not have */
    fixture_golden(&fixture, "never_succeeded");
    rules[0].never_succeeds = true;
    assert_null(said_to_fail(&fixture, rules[0].name));
    assert_non_null(said_to_fail(&fixture, rules[1].name));
    fixture.run.rules_off = off;
    assert_null(said_to_fail(&fixture, rules[1].name));
    fixture.run.rules_off = NULL;
    rules[1].xfail = &(struct known_failure){.reason = "known"};
    assert_null(said_to_fail(&fixture, rules[1].name));
    rules[1].xfail = NULL;
    struct failure *failure = fixture_fail(&fixture, FAILURE_INVARIANT);
    failure->rule = &rules[1];
    assert_non_null(said_to_fail(&fixture, rules[1].name));
    failure->invariant = NULL;
    assert_null(said_to_fail(&fixture, rules[1].name));
    fixture_end(&fixture);
}

/* Another line says it of the first rule. */
static void a_rule_is_said_to_fail_once(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    ran_and_raised(&fixture, 0, 20, 20);
    assert_non_null(strstr(fixture_report(&fixture), "    mostly fails   upsert_member: "));
    assert_null(said_to_fail(&fixture, "upsert_member"));
    ran_and_raised(&fixture, 0, 20, 19);
    assert_null(said_to_fail(&fixture, "upsert_member"));
    fixture_end(&fixture);
}

static void a_run_too_slow_for_its_time_is_said(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    fixture.result.cut_short = true;
    fixture.result.stats.examples = 12;
    fixture.result.stats.time_us = 30000000;
    fixture.run.max_time_ms = 30000;
    assert_non_null(strstr(fixture_report(&fixture),
                           "\n    slow           at this rate 100 examples need 4 min 10 s; "
                           "max_time is 30.0 s\n"));
    fixture.run.examples_planned = 100000;
    assert_non_null(strstr(fixture_report(&fixture), "at this rate 100,000 examples need"));
    fixture.result.stats.examples = 100; /* it was to end by time, and did something until then */
    assert_null(strstr(fixture_report(&fixture), "at this rate"));
    assert_non_null(strstr(fixture_report(&fixture), "; the time was up\n"));
    fixture.result.stats.examples = 12;
    fixture.run.stopped = ERROR_INTERRUPTED;
    assert_null(strstr(fixture_report(&fixture), "at this rate"));
    fixture.run.stopped = ERROR_NONE;
    (void)fixture_fail(&fixture, FAILURE_INVARIANT); /* which took time to shrink */
    assert_null(strstr(fixture_report(&fixture), "at this rate"));
    fixture_end(&fixture);
}

static void a_long_list_of_untested_rules_is_cut(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    for (int i = 0; i < 18; i++) {
        *VEC_PUSH(&fixture.arena, &fixture.machine.rules) = (struct rule){.name = "another"};
    }
    fixture.result.stats.rules = ARENA_ARRAY(&fixture.arena, struct rule_stats, 20);
    const char *report = fixture_report(&fixture);
    assert_non_null(strstr(report, "    … and 17 more; -v names them\n"));
    fixture.options.whole = true;
    assert_null(strstr(fixture_report(&fixture), " more; -v"));
    fixture_end(&fixture);
}

static void tables_that_stayed_empty_are_named(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    for (size_t i = 0; i < 15; i++) {
        *VEC_PUSH(&fixture.arena, &fixture.result.stats.tables) =
            (struct table_stats){arena_printf(&fixture.arena, "t%zu", i), i == 3};
    }
    assert_non_null(strstr(fixture_report(&fixture),
                           "\n    stayed empty   14 of 15 tables of the model: t0, t1, t2, t4, t5, "
                           "t6, t7, t8, t9, t10, t11, t12 and 2 more\n"));
    fixture.result.stats.tables.count = 4;
    assert_non_null(strstr(fixture_report(&fixture), " 3 of 4 tables of the model: t0, t1, t2\n"));
    fixture.run.only_known = true;
    assert_null(strstr(fixture_report(&fixture), "stayed empty"));
    fixture.run.only_known = false;
    (void)fixture_fail(&fixture, FAILURE_INVARIANT);
    assert_null(strstr(fixture_report(&fixture), "stayed empty"));
    fixture_end(&fixture);
}

static void strict_is_not_met(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    fixture.result.stats.rules[1] = (struct rule_stats){.blocked = {[BLOCKED_WEIGHT] = 5}};
    fixture.run.unmet = true;
    fixture_golden(&fixture, "unmet");
    fixture_end(&fixture);
}

static void cut_short_says_how_far_it_came(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    fixture.result.cut_short = true;
    fixture.result.stats.examples = 37;
    assert_string_equal(fixture_report(&fixture),
                        "ok  membership  37 of 100 examples, 4,812 steps, 0.61 s, seed 7261; the "
                        "time was up\n");
    fixture.run.stopped = ERROR_INTERRUPTED;
    assert_string_equal(fixture_report(&fixture),
                        "stop  membership  37 of 100 examples, 4,812 steps, 0.61 s, seed 7261; "
                        "interrupted\n");
    fixture.run.stopped = ERROR_CONNECTION;
    assert_string_equal(fixture_report(&fixture),
                        "stop  membership  37 of 100 examples, 4,812 steps, 0.61 s, seed 7261; the "
                        "run could not continue\n");
    fixture_end(&fixture);
}

static void nothing_run_is_no_pass(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    fixture.result.outcome = RUN_NOTHING;
    fixture.result.stats.examples = fixture.result.stats.steps = fixture.result.stats.time_us = 0;
    fixture.run.examples_planned = 0;
    assert_string_equal(
        fixture_report(&fixture),
        "none  membership  0 examples, 0 steps, 0.00 s, seed 7261; nothing was run\n");
    fixture_end(&fixture);
}

static void statistics_are_a_table(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    struct rule_stats *stats = fixture.result.stats.rules;
    stats[0].blocked[BLOCKED_PRECONDITION] = 12;
    stats[0].blocked[BLOCKED_LIMIT] = 1203;
    stats[1].given_up = 4;
    fixture.result.stats.given_up = 4;
    *VEC_PUSH(&fixture.arena, &stats[1].raised) = (struct raised_count){"23505", 17};
    *VEC_PUSH(&fixture.arena, &stats[1].raised) = (struct raised_count){"P0001", 1};
    fixture.options.stats = true;
    fixture_golden(&fixture, "stats");
    fixture_end(&fixture);
}

static void add_object(struct fixture *fixture, struct backend_coverage *coverage,
                       struct backend_object object)
{
    *VEC_PUSH(&fixture->arena, &coverage->objects) = object;
}

static void what_was_measured_is_in_tables(void **state)
{
    (void)state;
    struct fixture fixture;
    struct backend_coverage coverage = {0};
    fixture_begin(&fixture);
    struct run_stats *stats = &fixture.result.stats;
    *VEC_PUSH(&fixture.arena, &fixture.machine.bundles) = (struct bundle){.name = "projects"};
    *VEC_PUSH(&fixture.arena, &fixture.machine.bundles) = (struct bundle){.name = "unheard"};
    stats->bundles = ARENA_ARRAY(&fixture.arena, struct bundle_stats, 2);
    stats->bundles[0] = (struct bundle_stats){100, 1234, 31};
    stats->rules[0].times = ARENA_NEW(&fixture.arena, struct durations);
    stats->rules[1].times = ARENA_NEW(&fixture.arena, struct durations);
    stats->invariants[0].times = ARENA_NEW(&fixture.arena, struct durations);
    for (int i = 0; i < 100; i++) {
        durations_add(stats->rules[0].times, i < 90 ? 250 : 20000);
        durations_add(stats->invariants[0].times, 1000);
    }
    stats->length_width = 5;
    stats->lengths[0] = 1;
    stats->lengths[3] = 9;
    stats->lengths[10] = 89;
    stats->lengths[11] = 1;
    add_object(&fixture, &coverage,
               (struct backend_object){OBJECT_FUNCTION, "join(uuid)", true, NULL, false});
    add_object(&fixture, &coverage,
               (struct backend_object){OBJECT_FUNCTION, "leave(uuid)", false, "or inlined", false});
    add_object(&fixture, &coverage,
               (struct backend_object){OBJECT_TABLE, "members", true, NULL, false});
    for (int i = 0; i < 22; i++) {
        add_object(&fixture, &coverage,
                   (struct backend_object){OBJECT_TABLE, "old\x1b", false, NULL, false});
    }
    add_object(&fixture, &coverage,
               (struct backend_object){OBJECT_POLICY, "own on members", false,
                                       "nothing was deleted", false});
    fixture.run.coverage = &coverage;
    fixture.options.stats = true;
    fixture_golden(&fixture, "measures");
    fixture.options.whole = true;
    assert_null(strstr(fixture_report(&fixture), "more; -v"));
    coverage.no_functions = "track_functions is none, and ann may not set it";
    assert_non_null(strstr(fixture_report(&fixture),
                           "    functions are not counted: track_functions is none, and"));
    fixture.run.coverage = NULL;
    fixture_upsert(&fixture, fixture_fail(&fixture, FAILURE_INVARIANT), "projects_1", "editor");
    assert_non_null(
        strstr(fixture_report(&fixture),
               "\n\n    the objects that the run touched are listed only if nothing fails\n\n"));
    stats->rules[0].times = stats->rules[1].times = stats->invariants[0].times = NULL;
    fixture.result.ahead = true;
    assert_null(strstr(fixture_report(&fixture), "time of"));
    assert_non_null(strstr(fixture_report(&fixture), "\n\n    no times: answers arrive together;"));
    fixture.options.stats = false;
    assert_null(strstr(fixture_report(&fixture), "touched"));
    fixture_end(&fixture);
}

static void colors_only_when_asked_for(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    assert_null(strchr(fixture_report(&fixture), '\x1b'));
    fixture.options.color = true;
    assert_non_null(strstr(fixture_report(&fixture), "\x1b[32mok\x1b[0m  membership"));
    fixture_end(&fixture);
}

static void formats_are_found_by_name(void **state)
{
    (void)state;
    assert_string_equal(report_format_find("text")->name, "text");
    assert_null(report_format_find("tex"));
    assert_null(report_format_find(""));
}

static void add_part(struct report *report, struct strbuf *out, const struct report_run *run)
{
    report_add(report, run, out);
}

/* The end of a report about several machines names each that is not ok, and says why. */
static void the_end_names_each_machine(void **state)
{
    (void)state;
    static const struct report_problem problems[] = {
        {"sql/items.sql", 31, 1, "relation \"members\" does not exist", ""}};
    struct fixture fixture;
    fixture_begin(&fixture);
    struct report report = {.format = report_format_find("text"),
                            .options = {.machines = 6, .told = true, .width = 60}};
    struct report_run stopped = {.path = "items.yaml", .problems = problems, .problem_count = 1};
    add_part(&report, &fixture.out, &fixture.run);
    add_part(&report, &fixture.out, &stopped);
    stopped.path = "heap.yaml";
    add_part(&report, &fixture.out, &stopped);
    struct failure *failure = fixture_fail(&fixture, FAILURE_INVARIANT);
    fixture_upsert(&fixture, failure, "projects_1", "editor");
    add_part(&report, &fixture.out, &fixture.run);
    stopped.path = "sum.yaml";
    add_part(&report, &fixture.out, &stopped);
    fixture.result.failures.count = 0;
    fixture.result.outcome = RUN_NOTHING;
    fixture.run.nothing = "there are no examples";
    add_part(&report, &fixture.out, &fixture.run);
    assert_null(strstr(strbuf_text(&fixture.out), "relation"));
    strbuf_clear(&fixture.out);
    report_end(&report, &fixture.out);
    assert_string_equal(strbuf_text(&fixture.out),
                        "6 machines: 1 ok, 1 failed, 1 with nothing run, 3 stopped\n"
                        "  stop  items.yaml  sql/items.sql:31: relation \"members\"\n"
                        "        does not exist\n"
                        "  stop  heap.yaml   the same\n"
                        "  FAIL  membership  invariant editors after upsert_member\n"
                        "        (step 1) does not hold\n"
                        "  stop  sum.yaml    sql/items.sql:31: relation \"members\"\n"
                        "        does not exist\n"
                        "  none  membership  nothing was run: there are no examples\n");
    strbuf_free(&report.kept);
    fixture_end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_end_names_each_machine),
        cmocka_unit_test(a_pass_is_one_line),
        cmocka_unit_test(quiet_says_nothing_of_a_pass),
        cmocka_unit_test(what_was_not_tested_is_named),
        cmocka_unit_test(what_tests_little_is_said),
        cmocka_unit_test(a_share_of_few_says_nothing),
        cmocka_unit_test(a_rule_without_success_is_named),
        cmocka_unit_test(a_rule_is_said_to_fail_once),
        cmocka_unit_test(a_run_too_slow_for_its_time_is_said),
        cmocka_unit_test(a_long_list_of_untested_rules_is_cut),
        cmocka_unit_test(tables_that_stayed_empty_are_named),
        cmocka_unit_test(strict_is_not_met),
        cmocka_unit_test(cut_short_says_how_far_it_came),
        cmocka_unit_test(nothing_run_is_no_pass),
        cmocka_unit_test(statistics_are_a_table),
        cmocka_unit_test(what_was_measured_is_in_tables),
        cmocka_unit_test(colors_only_when_asked_for),
        cmocka_unit_test(formats_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
