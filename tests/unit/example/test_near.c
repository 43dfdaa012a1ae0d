/* Neighbourhoods: most examples of a machine of many rules choose from a connected part of them. */
#include "support/literal.h"
#include "support/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { GROUP = 5, GROUPS_MAX = 24, RULES_MAX = GROUP * GROUPS_MAX };

/* Five rules for each bundle. The last one also takes a value of the bundle before it. */
static void open_groups(struct rig *rig, int groups)
{
    struct strbuf text = {0};
    strbuf_adds(&text, "machine: test\nrules:\n");
    for (int i = 0; i < groups; i++) {
        strbuf_addf(&text, "  make_%d: {returns: '1', target: b_%d}\n", i, i);
        for (int j = 0; j < GROUP - 2; j++) {
            strbuf_addf(&text, "  use_%d_%d: {sql: COUNT 1, args: {x: b_%d}}\n", i, j, i);
        }
        strbuf_addf(&text, "  join_%d: {sql: COUNT 1, args: {x: b_%d, y: b_%d}}\n", i, i,
                    i ? i - 1 : i);
    }
    rig_open(rig, strbuf_text(&text), literal_script, NULL, 0);
    rig->options.settings.steps = 50;
    strbuf_free(&text);
}

/* How many different rules the example ran; notes them in `ran`. */
static size_t run_one(struct rig *rig, uint64_t number, bool near, bool *ran)
{
    struct example_plan plan = {.way = way_of(number), .number = number, .near = near};
    bool seen[RULES_MAX] = {false};
    size_t count = 0;
    const struct trace *trace = &rig_example(rig, &plan)->trace;
    for (size_t i = 0; i < trace->steps.count; i++) {
        size_t rule = trace->steps.items[i].rule;
        count += !seen[rule];
        seen[rule] = ran[rule] = true;
    }
    return count;
}

/* An example has ten to twenty rules, but one in eight; every rule has its turn; and what a rule
 * draws from can be filled, or it would not run. */
static void test_parts(void **state)
{
    (void)state;
    struct rig rig;
    bool ran[RULES_MAX] = {false};
    size_t most = 0;
    open_groups(&rig, GROUPS_MAX);
    rig_start(&rig);
    for (uint64_t number = 2; number < 66; number++) {
        size_t turn;
        size_t count = run_one(&rig, number, true, ran);
        if (way_near(number, &turn)) {
            assert_in_range(count, 5, 20);
        }
        most = count > most ? count : most;
    }
    assert_true(most > 20);
    for (size_t i = 0; i < RULES_MAX; i++) {
        assert_true(ran[i]);
    }
    rig_stop(&rig);
    rig_close(&rig);
}

/* Rules that fill tables, and look at all tables in their second statement; rules of little weight
 * that need a table; and what is left to the rest of the machine. */
static void open_tables(struct rig *rig)
{
    struct strbuf text = {0};
    strbuf_adds(&text, "machine: test\nmodel: x = 0\nrules:\n");
    for (int i = 0; i < GROUPS_MAX; i++) {
        strbuf_addf(&text, "  fill_%d: {sql: [COUNT 1 INTO t_%d, COUNT 1 FROM t_%d JOIN t_%d]}\n",
                    i, i, (i + 1) % GROUPS_MAX, (i + 2) % GROUPS_MAX);
        for (int j = 0; j < GROUP - 1; j++) {
            strbuf_addf(&text, "  use_%d_%d: {sql: COUNT 1 FROM t_%d, weight: 0.1}\n", i, j, i);
        }
    }
    rig_open(rig, strbuf_text(&text), literal_script, NULL, 0);
    rig->options.settings.steps = 50;
    strbuf_free(&text);
}

/* All rules draw from one bundle, and one of them consumes from it. */
static void open_hub(struct rig *rig)
{
    struct strbuf text = {0};
    strbuf_adds(&text, "machine: test\nrules:\n  make: {returns: '1', target: hub}\n"
                       "  drop: {sql: COUNT 1 DELETE FROM hub, args: {x: hub}}\n");
    for (int i = 0; i < GROUPS_MAX - 1; i++) {
        strbuf_addf(&text, "  make_%d: {returns: '1', target: b_%d, args: {x: hub}}\n", i, i);
        for (int j = 0; j < GROUP - 1; j++) {
            strbuf_addf(&text, "  use_%d_%d: {sql: COUNT 1, args: {x: b_%d, y: hub}}\n", i, j, i);
        }
    }
    rig_open(rig, strbuf_text(&text), literal_script, NULL, 0);
    rig->options.settings.steps = 50;
    strbuf_free(&text);
}

/* A rule of little weight goes first until it succeeded; and a table that is only looked at
 * afterwards makes a part no larger. */
static void test_rare_rules(void **state)
{
    (void)state;
    struct rig rig;
    bool ran[RULES_MAX] = {false};
    size_t few = 0;
    open_tables(&rig);
    rig_start(&rig);
    for (uint64_t number = 2; number < 34; number++) {
        size_t turn;
        size_t count = run_one(&rig, number, true, ran);
        few += way_near(number, &turn) && count < 12;
        assert_true(!way_near(number, &turn) || count <= NEAR_SIZE + 2);
    }
    assert_int_equal(few, 0);
    for (size_t i = 0; i < RULES_MAX; i++) {
        assert_true(ran[i]);
    }
    rig_stop(&rig);
    rig_close(&rig);
}

/* Foreign keys act when a referenced row is deleted, so each part also deletes what it reads. */
static void test_what_is_read_goes(void **state)
{
    enum { DROP = 1, FIRST = 2, LAST = 66 };
    (void)state;
    struct rig rig;
    size_t dropped = 0;
    size_t turn;
    open_hub(&rig);
    rig_start(&rig);
    for (uint64_t number = FIRST; number < LAST; number++) {
        bool ran[RULES_MAX] = {false};
        (void)run_one(&rig, number, true, ran);
        dropped += way_near(number, &turn) && ran[DROP];
    }
    assert_in_range(dropped, (LAST - FIRST) / 2, LAST - FIRST);
    rig_stop(&rig);
    rig_close(&rig);
}

static void test_small_machines_stay(void **state)
{
    (void)state;
    for (int groups = 20; groups <= 21; groups++) {
        struct rig rig;
        size_t differ = 0;
        open_groups(&rig, groups);
        rig_start(&rig);
        for (uint64_t number = 1; number < 20; number++) {
            struct example_plan plan = {.way = way_of(number), .number = number};
            struct trace whole = trace_copy(&rig.results, &rig_example(&rig, &plan)->trace);
            plan.near = true;
            differ += !trace_equal(&whole, &rig_example(&rig, &plan)->trace);
        }
        assert_int_equal(differ > 0, groups * GROUP > NEAR_RULES_MIN);
        rig_stop(&rig);
        rig_close(&rig);
    }
}

/* Seven examples of eight, one after the other, each with the next turn. */
static void test_turns(void **state)
{
    (void)state;
    size_t turn;
    size_t next = 0;
    assert_false(way_near(1, &turn));
    for (uint64_t first = 2; first < 1000; first += 8) {
        size_t whole = 0;
        for (uint64_t number = first; number < first + 8; number++) {
            if (way_near(number, &turn)) {
                assert_int_equal(turn, next++);
            } else {
                whole++;
            }
        }
        assert_int_equal(whole, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_rare_rules),
        cmocka_unit_test(test_what_is_read_goes),
        cmocka_unit_test(test_small_machines_stay),
        cmocka_unit_test(test_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
