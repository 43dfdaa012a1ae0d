#include "example/bundle.h"
#include "support/literal.h"
#include "support/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
    struct arena arena;
    struct bundles bundles;
};

/* A machine with two bundles. */
static struct bundle two[] = {{.name = "users"}, {.name = "gone"}};
static const struct machine machine = {.bundles = {two, 2, 2}};

static int setup(void **state)
{
    struct fixture *fixture = memory_alloc(sizeof *fixture);
    *fixture = (struct fixture){0};
    bundles_begin(&fixture->bundles, &machine, &fixture->arena);
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    arena_free(&fixture->arena);
    free(fixture);
    return 0;
}

static void check_items(struct fixture *fixture, const char *expected)
{
    struct strbuf text = {0};
    value_repr(bundle_value(&fixture->bundles, 0), &text);
    assert_string_equal(strbuf_text(&text), expected);
    strbuf_free(&text);
}

static struct value text(struct fixture *fixture, const char *string)
{
    return value_text(&fixture->arena, string);
}

static void test_reads_as_a_list(void **state)
{
    struct fixture *fixture = *state;
    struct value bundle = bundle_value(&fixture->bundles, 0);
    size_t length;
    assert_false(value_truth(bundle));
    bundle_add(&fixture->bundles, 0, 1, value_int(10));
    bundle_add(&fixture->bundles, 0, 2, value_int(20));
    bundle_add(&fixture->bundles, 1, 2, value_int(30));
    assert_true(value_truth(bundle));
    assert_true(value_length(bundle, &length, NULL));
    assert_int_equal(length, 2);
    struct value_iter iter;
    struct value item;
    assert_true(value_iter_begin(&iter, bundle, &fixture->arena, NULL));
    assert_true(value_iter_next(&iter, &item) && item.as.integer == 10);
    assert_true(value_iter_next(&iter, &item) && item.as.integer == 20);
    assert_false(value_iter_next(&iter, &item));
    value_iter_end(&iter);
    check_items(fixture, "[10, 20]");
}

/* In the model it is a list in every respect, except for drawing. */
static void test_is_a_list(void **state)
{
    (void)state;
    static const char *const truths[] = {
        "type(ids) == 'list'",
        "ids == [3, 1, 2]",
        "[3, 1, 2] == ids",
        "not (ids != [3, 1, 2])",
        "ids < [3, 2] and [3, 2] > ids and max(ids, [4]) == [4]",
        "3 in ids and 4 not in ids",
        "ids + [4] == [3, 1, 2, 4] and [4] + ids == [4, 3, 1, 2] and ids * 2 == ids + ids",
        "ids[0] == 3 and ids[-1] == 2 and ids[1:] == [1, 2] and ids[::-1] == [2, 1, 3]",
        "len(ids) == 3 and bool(ids) and sum(ids) == 6 and max(ids) == 3",
        "sorted(ids) == [1, 2, 3] and list(ids) == ids and set(ids) == set([1, 2, 3])",
        "[x for x in ids] == ids and list(reversed(ids)) == [2, 1, 3]",
        "{'k': ids} == {'k': [3, 1, 2]} and (ids,) == ([3, 1, 2],) and [ids] == [[3, 1, 2]]",
        "bag(ids) == bag([1, 2, 3])",
        "json.encode(ids) == '[3,1,2]' and json.encode({'k': ids}) == '{\"k\":[3,1,2]}'",
        "str(ids) == '[3, 1, 2]' and '%s' % [ids] == '[[3, 1, 2]]'",
        "ids.index(1) == 1 and ', '.join([str(x) for x in ids]) == '3, 1, 2'",
        "result.rows[0].a == ids",
        /* what draws from it */
        "type(ids.map(str)) == 'strategy' and type(ids.filter(bool)) == 'strategy'",
        "type(ids | just(1)) == 'strategy' and type(just(1) | ids) == 'strategy'",
        "type(consumes(ids)) == 'strategy' and type(one_of([ids, none()])) == 'strategy'",
    };
    for (size_t i = 0; i < sizeof truths / sizeof truths[0]; i++) {
        struct rig rig;
        struct strbuf yaml = {0};
        strbuf_addf(&yaml,
                    "machine: test\ninitialize:\n"
                    "  - {sql: COUNT 1, returns: 'multiple(3, 1, 2)', target: ids}\n"
                    "rules:\n  r: {sql: COUNT 1}\n"
                    "invariants:\n  i:\n    sql: 'ROWS a jsonb = [([3, 1, 2],)]'\n    check: |\n"
                    "      %s\n",
                    truths[i]);
        rig_open(&rig, strbuf_text(&yaml), literal_script, NULL, 0);
        strbuf_free(&yaml);
        if (!rig_run(&rig) || rig.result.outcome != RUN_PASSED) {
            fail_msg("%s: %s", truths[i], rig.err.message);
        }
        rig_close(&rig);
    }
}

static void test_the_model_does_not_change_it(void **state)
{
    (void)state;
    static const char *const changes[] = {"ids.append(1)", "ids.clear()", "ids[0] = 1",
                                          "kept.append(1)"};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        struct rig rig;
        struct strbuf yaml = {0};
        strbuf_addf(&yaml,
                    "machine: test\nmodel: kept = []\ninitialize:\n"
                    "  - {sql: COUNT 1, model: kept = ids, returns: 3, target: ids}\n"
                    "rules:\n  r: {sql: COUNT 1, model: '%s'}\n",
                    changes[i]);
        rig_open(&rig, strbuf_text(&yaml), literal_script, NULL, 0);
        strbuf_free(&yaml);
        assert_false(rig_run(&rig));
        assert_string_equal(rig.err.message, "a bundle can't be changed by the model");
        assert_non_null(strstr(rig.err.hint, "target"));
        rig_close(&rig);
    }
}

static const struct target *target_of(struct bundles *bundles, size_t bundle)
{
    return bundles_target(bundles, NULL, bundle_value(bundles, bundle));
}

static void test_names_by_arrival(void **state)
{
    struct fixture *fixture = *state;
    struct bundles *bundles = &fixture->bundles;
    assert_string_equal(bundle_add(bundles, 0, 0, text(fixture, "a")), "users_1");
    assert_string_equal(bundle_add(bundles, 0, 1, text(fixture, "b")), "users_2");
    assert_string_equal(bundle_add(bundles, 1, 1, text(fixture, "a")), "gone_1");
    assert_string_equal(bundles_name_in(bundles, "items", 7, 2, text(fixture, "c")), "items_1");
    assert_string_equal(bundles_name_in(bundles, "items", 7, 2, text(fixture, "d")), "items_2");
    assert_string_equal(
        bundles_name_of(bundles, target_of(bundles, 0), text(fixture, "b"), SIZE_MAX), "users_2");
    assert_string_equal(
        bundles_name_of(bundles, target_of(bundles, 1), text(fixture, "a"), SIZE_MAX), "gone_1");
    assert_string_equal(bundles_name_of(bundles, NULL, text(fixture, "a"), SIZE_MAX), "users_1");
    assert_string_equal(bundles_name_of(bundles, NULL, text(fixture, "d"), SIZE_MAX), "items_2");
    assert_null(bundles_name_of(bundles, NULL, text(fixture, "e"), SIZE_MAX));
}

/* A value keeps its name when it is taken, and numbers are not given twice. */
static void test_take_and_put_back(void **state)
{
    struct fixture *fixture = *state;
    struct bundles *bundles = &fixture->bundles;
    struct value users = bundle_value(bundles, 0);
    struct taken first;
    struct taken second;
    for (int i = 1; i <= 3; i++) {
        bundle_add(bundles, 0, 1, value_int(i));
    }
    assert_true(bundle_take(users, value_int(2), &first));
    assert_true(bundle_take(users, value_int(1), &second));
    check_items(fixture, "[3]");
    assert_string_equal(bundles_name_of(bundles, target_of(bundles, 0), value_int(2), SIZE_MAX),
                        "users_2");
    assert_string_equal(bundle_add(bundles, 0, 2, value_int(9)), "users_4");
    assert_false(bundle_take(users, value_int(2), &(struct taken){0}));
    assert_false(bundle_take(value_int(1), value_int(2), &(struct taken){0}));
    struct taken ninth;
    assert_true(bundle_take(users, value_int(9), &ninth));
    bundle_put_back(&ninth);
    bundle_put_back(&second);
    bundle_put_back(&first);
    check_items(fixture, "[1, 2, 3, 9]");
}

static struct value list_of(struct fixture *fixture, int item)
{
    struct value list = value_list(&fixture->arena);
    list_append(list.as.list, value_int(item));
    return list;
}

/* Mutable values are found by identity, not by equality. */
static void test_changing_values(void **state)
{
    struct fixture *fixture = *state;
    struct bundles *bundles = &fixture->bundles;
    struct value users = bundle_value(bundles, 0);
    struct value a = list_of(fixture, 1);
    struct value b = list_of(fixture, 1);
    bundle_add(bundles, 0, 1, a);
    bundle_add(bundles, 0, 1, b);
    list_append(a.as.list, value_int(2));
    list_append(b.as.list, value_int(2));
    assert_string_equal(bundles_name_of(bundles, target_of(bundles, 0), a, SIZE_MAX), "users_1");
    struct taken taken;
    assert_true(bundle_take(users, b, &taken));
    assert_true(value_same(taken.item, b));
    assert_false(value_same(taken.item, a));
    check_items(fixture, "[[1, 2]]");
}

static void check_reference_at(struct fixture *fixture, const struct target *target,
                               struct value value, uint32_t step, uint32_t output)
{
    struct reference reference;
    bundles_locate(&fixture->bundles, target, value, &reference);
    assert_int_equal(reference.step, step);
    assert_int_equal(reference.output, output);
}

static void check_reference(struct fixture *fixture, struct value value, uint32_t step,
                            uint32_t output)
{
    check_reference_at(fixture, NULL, value, step, output);
}

/* Keys of several tables may be equal: where a value is drawn from says which one it is. */
static void test_equal_values_of_two_targets(void **state)
{
    struct fixture *fixture = *state;
    struct bundles *bundles = &fixture->bundles;
    for (int i = 1; i <= 2; i++) {
        bundles_add_output(bundles, (uint32_t)i, 0, value_int(i), NULL);
        bundle_add(bundles, 0, 0, value_int(i));
    }
    bundles_add_output(bundles, 3, 0, value_int(9), NULL); /* goes nowhere */
    bundles_add_output(bundles, 3, 1, value_int(2), NULL);
    bundle_add(bundles, 1, 1, value_int(2));
    const struct target *users = target_of(bundles, 0);
    const struct target *gone = target_of(bundles, 1);
    assert_ptr_not_equal(users, gone);
    check_reference_at(fixture, users, value_int(2), 2, 0);
    check_reference_at(fixture, gone, value_int(2), 3, 1);
    check_reference_at(fixture, gone, value_int(1), 1, 0); /* there it is not */
    bundles_add_output(bundles, 4, 0, value_int(9), NULL);
    bundle_add(bundles, 1, 2, value_int(9));
    check_reference_at(fixture, users, value_int(9), 4, 0); /* what went somewhere is preferred */
    assert_string_equal(bundles_name_of(bundles, gone, value_int(2), SIZE_MAX), "gone_1");
    assert_string_equal(bundles_name_of(bundles, gone, value_int(1), SIZE_MAX), "users_1");
}

static void test_references(void **state)
{
    struct fixture *fixture = *state;
    struct bundles *bundles = &fixture->bundles;
    struct value changing = list_of(fixture, 5);
    bundles_add_output(bundles, 4, 0, value_int(10), NULL);
    bundles_add_output(bundles, 4, 1, value_int(20), NULL);
    bundles_add_output(bundles, 2, 0, value_int(20), NULL); /* the first that returned it counts */
    bundles_add_output(bundles, 2, 1, changing, NULL);
    check_reference(fixture, value_int(10), 4, 0);
    check_reference(fixture, value_int(20), 4, 1);
    check_reference(fixture, changing, 2, 1);
    check_reference(fixture, list_of(fixture, 5), 2, 1);
    check_reference(fixture, value_int(30), REFERENCE_BY_POSITION, 0);
    struct value value;
    assert_true(bundles_resolve(bundles, &(struct reference){.step = 2, .output = 0}, &value));
    assert_int_equal(value.as.integer, 20);
    assert_true(bundles_resolve(bundles, &(struct reference){.step = 2, .output = 1}, &value));
    assert_ptr_equal(value.as.list, changing.as.list);
    assert_false(bundles_resolve(bundles, &(struct reference){.step = 2, .output = 2}, &value));
    assert_false(bundles_resolve(bundles, &(struct reference){.step = 3}, &value));
}

static void test_begin_forgets(void **state)
{
    struct fixture *fixture = *state;
    bundle_add(&fixture->bundles, 0, 1, value_int(1));
    bundles_add_output(&fixture->bundles, 1, 0, value_int(1), NULL);
    bundles_begin(&fixture->bundles, &machine, &fixture->arena);
    check_items(fixture, "[]");
    check_reference(fixture, value_int(1), REFERENCE_BY_POSITION, 0);
    assert_string_equal(bundle_add(&fixture->bundles, 0, 1, value_int(1)), "users_1");
}

/* The name of a cell, by its column: "" if it has none, with ? if it is uncertain. */
static void check_cell(struct fixture *fixture, const struct answer_column *column,
                       struct value value, const char *expected)
{
    static const char *const marks[] = {
        [NAMING_NONE] = "", [NAMING_MAYBE] = "?", [NAMING_SURE] = ""};
    const char *name = "";
    enum naming naming = bundles_name_cell(&fixture->bundles, column, value, 1, &name);
    char called[100];
    (void)snprintf(called, sizeof called, "%s%s", name, marks[naming]);
    assert_string_equal(called, expected);
}

/* Only a column that can hold values of the bundle is called by its names. */
static void test_names_of_cells(void **state)
{
    struct fixture *fixture = *state;
    struct bundles *bundles = &fixture->bundles;
    enum { INT4 = 23, INT8 = 20, TEXT = 25 };
    const struct answer_column id = {.name = "id", .type = INT4, .origin = 7};
    const struct answer_column other = {.name = "n", .type = INT4, .origin = 8};
    const struct answer_column key = {.name = "tree", .type = INT8, .origin = 7};
    const struct answer_column function = {.name = "f", .type = INT4};
    const struct answer_column count = {.name = "count", .type = INT8};
    const struct answer_column constant = {.name = "?column?", .type = INT4};
    const struct answer_column label = {.name = "label", .type = TEXT, .origin = 9};
    const struct answer_column made = {.name = "made", .type = TEXT};
    const struct answer_column plain = {.name = "n", .type = INT4, .origin = 8, .no_id = true};
    bundles_add_output(bundles, 1, 0, value_int(1), &id);
    bundle_add(bundles, 0, 1, value_int(1));
    check_cell(fixture, &id, value_int(1), "users_1");
    check_cell(fixture, &key, value_int(1), "users_1");
    check_cell(fixture, &other, value_int(1), "");
    check_cell(fixture, &function, value_int(1), "users_1?");
    check_cell(fixture, &count, value_int(1), "");
    check_cell(fixture, &constant, value_int(1), "");
    check_cell(fixture, &id, value_int(2), "");
    /* what nothing is known of, and what comes later */
    bundles_add_output(bundles, 2, 0, value_int(5), NULL);
    bundle_add(bundles, 0, 1, value_int(5));
    check_cell(fixture, &id, value_int(5), "users_2?");
    check_cell(fixture, &plain, value_int(5), "");
    bundle_add(bundles, 0, 2, value_int(6));
    check_cell(fixture, &id, value_int(6), "");
    /* texts: a short one may be in two tables, an id is one */
    bundles_add_output(bundles, 3, 0, text(fixture, "doc_1"), &made);
    bundle_add(bundles, 1, 1, text(fixture, "doc_1"));
    check_cell(fixture, &label, text(fixture, "doc_1"), "gone_1");
    check_cell(fixture, &id, text(fixture, "doc_1"), "");
    bundles_add_output(bundles, 4, 0, text(fixture, "01HZX3P9QK"), &label);
    bundle_add(bundles, 1, 1, text(fixture, "01HZX3P9QK"));
    check_cell(fixture, &made, text(fixture, "01HZX3P9QK"), "gone_2");
    check_cell(fixture, &id, text(fixture, "01HZX3P9QK"), "gone_2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_names_of_cells, setup, teardown),
        cmocka_unit_test_setup_teardown(test_reads_as_a_list, setup, teardown),
        cmocka_unit_test(test_is_a_list),
        cmocka_unit_test(test_the_model_does_not_change_it),
        cmocka_unit_test_setup_teardown(test_names_by_arrival, setup, teardown),
        cmocka_unit_test_setup_teardown(test_take_and_put_back, setup, teardown),
        cmocka_unit_test_setup_teardown(test_changing_values, setup, teardown),
        cmocka_unit_test_setup_teardown(test_references, setup, teardown),
        cmocka_unit_test_setup_teardown(test_equal_values_of_two_targets, setup, teardown),
        cmocka_unit_test_setup_teardown(test_begin_forgets, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
