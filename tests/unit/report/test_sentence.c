/* What failed, as one sentence. */
#include "fixture.h"

#include "base/utf8.h"
#include "report/sentence.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define MEMBERS "invariant editors after upsert_member (step 4)"

static const char *said(struct fixture *fixture, const struct failure *failure)
{
    const char *text = sentence(&fixture->arena, &fixture->machine, failure);
    assert_in_range(utf8_length(text, strlen(text)), 1, SENTENCE_MAX);
    return text;
}

static struct failure *failing(struct fixture *fixture, enum failure_kind kind)
{
    struct failure *failure = fixture_fail(fixture, kind);
    failure->step = 4;
    if (kind != FAILURE_INVARIANT) {
        failure->invariant = NULL;
    }
    return failure;
}

static struct difference *differ(struct fixture *fixture, struct failure *failure,
                                 enum difference_kind kind)
{
    struct difference *difference = VEC_PUSH(&fixture->arena, &failure->differences);
    difference->kind = kind;
    failure->difference_count++;
    return difference;
}

/* A row on one side: of one column, with the name of its value. */
static void one_sided(struct fixture *fixture, struct failure *failure, enum difference_kind kind,
                      const char *name)
{
    struct value value = value_int(7);
    struct difference *difference = differ(fixture, failure, kind);
    struct shown_cell *cells = fixture_cells(fixture, failure, &value);
    cells->name = name;
    *(kind == DIFFERENCE_MISSING ? &difference->expected : &difference->actual) = cells;
}

static void rows_of_one_column(void **state)
{
    struct fixture fixture;
    (void)state;
    fixture_begin(&fixture);
    struct failure *failure = failing(&fixture, FAILURE_INVARIANT);
    one_sided(&fixture, failure, DIFFERENCE_UNEXPECTED, "projects_1");
    one_sided(&fixture, failure, DIFFERENCE_MISSING, "projects_2");
    one_sided(&fixture, failure, DIFFERENCE_UNEXPECTED, NULL);
    assert_string_equal(said(&fixture, failure),
                        MEMBERS ": missing projects_2; unexpected projects_1, 7");
    fixture_end(&fixture);
}

/* Shows fewer and fewer rows, and the number of the others. */
static void many_rows(void **state)
{
    struct fixture fixture;
    (void)state;
    fixture_begin(&fixture);
    struct failure *failure = failing(&fixture, FAILURE_INVARIANT);
    for (int i = 0; i < 9; i++) {
        one_sided(&fixture, failure, DIFFERENCE_MISSING, "organizations_1");
    }
    failure->difference_count = 40;
    assert_string_equal(said(&fixture, failure),
                        MEMBERS ": missing organizations_1, organizations_1; 38 more rows differ");
    fixture_end(&fixture);
}

static struct difference *changed(struct fixture *fixture, struct failure *failure, int64_t place,
                                  const struct value *expected, const struct value *actual)
{
    struct difference *difference = differ(fixture, failure, DIFFERENCE_CHANGED);
    difference->place = place;
    difference->expected = fixture_cells(fixture, failure, expected);
    difference->actual = fixture_cells(fixture, failure, actual);
    for (size_t i = 0; i < failure->column_count; i++) {
        bool differs = !value_equal(expected[i], actual[i]);
        difference->expected[i].differs = difference->actual[i].differs = differs;
    }
    return difference;
}

static struct failure *fail_wide(struct fixture *fixture)
{
    static const char *const columns[] = {"id", "status"};
    struct failure *failure = failing(fixture, FAILURE_INVARIANT);
    failure->columns = columns;
    failure->column_count = 2;
    failure->expected = failure->actual = "2 rows";
    return failure;
}

static void changed_rows(void **state)
{
    struct fixture fixture;
    (void)state;
    fixture_begin(&fixture);
    const struct value open[] = {value_int(1), fixture_text(&fixture, "open")};
    const struct value paid[] = {value_int(1), fixture_text(&fixture, "paid")};
    struct failure *failure = fail_wide(&fixture);
    struct difference *difference = changed(&fixture, failure, 0, paid, open);
    assert_string_equal(said(&fixture, failure),
                        MEMBERS ": id=1 has status \"open\", expected \"paid\"");
    difference->actual[0].name = "ids_1";
    failure->difference_count = 2;
    assert_string_equal(said(&fixture, failure), MEMBERS
                        ": ids_1 has status \"open\", expected \"paid\"; 1 more row differs");
    difference->place = 2;
    failure->difference_count = 1;
    assert_string_equal(said(&fixture, failure),
                        MEMBERS ": row 2 has status \"open\", expected \"paid\"");
    fixture_end(&fixture);
}

/* Both sides are never the same. */
static void sides_that_look_alike(void **state)
{
    struct fixture fixture;
    (void)state;
    fixture_begin(&fixture);
    struct failure *failure = fail_wide(&fixture);
    const struct value a[] = {value_int(1), fixture_text(&fixture, "x")};
    const struct value b[] = {value_int(1), value_bool(true)};
    struct difference *difference = changed(&fixture, failure, 0, b, a);
    difference->actual[1].name = difference->expected[1].name = "ids_2";
    assert_string_equal(said(&fixture, failure),
                        MEMBERS ": id=1 has status ids_2 (string), expected ids_2 (bool)");
    fixture_end(&fixture);
}

static void another_order(void **state)
{
    struct fixture fixture;
    (void)state;
    fixture_begin(&fixture);
    const struct value open[] = {value_int(1), fixture_text(&fixture, "open")};
    const struct value paid[] = {value_int(2), fixture_text(&fixture, "paid")};
    struct failure *failure = fail_wide(&fixture);
    changed(&fixture, failure, 1, paid, open);
    changed(&fixture, failure, 2, open, paid);
    assert_string_equal(said(&fixture, failure), MEMBERS ": the same 2 rows in another order");
    failure->differences.items[1].expected = failure->differences.items[0].expected;
    assert_null(strstr(said(&fixture, failure), "order"));
    fixture_end(&fixture);
}

static void errors(void **state)
{
    static const struct {
        enum failure_kind kind;
        const char *expected;
        const char *actual;
        const char *sentence;
    } all[] = {
        {FAILURE_UNEXPECTED_ERROR, "no error", "no_data_found (P0002)",
         "rule upsert_member (step 4) raised no_data_found: there is no item 2"},
        {FAILURE_MISSING_ERROR, "unique_violation (23505) or check_violation (23514)", "no error",
         "rule upsert_member (step 4) should have raised unique_violation or check_violation, but "
         "succeeded"},
        {FAILURE_DIFFERENT_ERROR, "unique_violation (23505) of constraint a",
         "unique_violation (23505) of constraint b",
         "rule upsert_member (step 4) raised unique_violation of constraint b instead of "
         "unique_violation of constraint a"},
        {FAILURE_TIMEOUT, "an answer within 250 ms", NULL,
         "rule upsert_member (step 4) took longer than 250 ms"},
        {FAILURE_CONNECTION, NULL, NULL,
         "rule upsert_member (step 4): the server closed the connection"},
        {FAILURE_EXPECT, "None", "1", "rule upsert_member (step 4) gave 1, expected None"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct fixture fixture;
        fixture_begin(&fixture);
        struct failure *failure = failing(&fixture, all[i].kind);
        failure->expected = all[i].expected;
        failure->actual = all[i].actual;
        if (all[i].kind == FAILURE_UNEXPECTED_ERROR) {
            memcpy(failure->error.sqlstate, "P0002", 6);
            failure->error.message = "there is no item 2\nnor an item 3";
            failure->error.constraint = "";
        }
        assert_string_equal(said(&fixture, failure), all[i].sentence);
        fixture_end(&fixture);
    }
}

/* The part that differs is shown. */
static void long_sides(void **state)
{
    struct fixture fixture;
    (void)state;
    fixture_begin(&fixture);
    struct failure *failure = failing(&fixture, FAILURE_CHECK);
    char left[300] = "";
    char right[300] = "";
    memset(left, 'a', 200);
    memset(right, 'a', 200);
    right[199] = 'b';
    failure->check = "result.value == x";
    failure->sides = (struct shown_sides){"result.value", "==", left, right};
    assert_string_equal(said(&fixture, failure),
                        "rule upsert_member (step 4): result.value is …aaaaaaaaaaaaaaaaaa, should "
                        "be == …aaaaaaaaaaaaaaaaab");
    fixture_end(&fixture);
}

static void no_columns(void **state)
{
    struct fixture fixture;
    (void)state;
    fixture_begin(&fixture);
    struct failure *failure = failing(&fixture, FAILURE_INVARIANT);
    failure->column_count = 0;
    differ(&fixture, failure, DIFFERENCE_UNEXPECTED)->actual =
        fixture_cells(&fixture, failure, NULL);
    assert_string_equal(said(&fixture, failure), MEMBERS ": unexpected ()");
    assert_non_null(fixture_report(&fixture));
    fixture_end(&fixture);
}

/* Names and conditions are kept; everything else is shortened, but never within a character. */
static void long_parts(void **state)
{
    struct fixture fixture;
    (void)state;
    fixture_begin(&fixture);
    char message[400] = "";
    for (int i = 0; i < 100; i++) {
        strncat(message, "ü€", sizeof message - strlen(message) - 1);
    }
    message[utf8_cut(message, strlen(message))] = '\0';
    struct failure *failure = failing(&fixture, FAILURE_UNEXPECTED_ERROR);
    memcpy(failure->error.sqlstate, "23514", 6);
    failure->error.message = message;
    const char *text = said(&fixture, failure);
    assert_non_null(strstr(text, "rule upsert_member (step 4) raised check_violation: ü€ü€"));
    assert_int_equal(utf8_invalid_at(text, strlen(text)), strlen(text));
    fixture.machine.rules.items[0].name =
        "a_name_of_sixty_three_characters_which_is_as_long_as_a_name_can_be_____"
        "a_name_of_sixty_three_characters_which_is_as_long_as_a_name_can_be";
    text = said(&fixture, failure);
    assert_int_equal(utf8_length(text, strlen(text)), SENTENCE_MAX);
    fixture_end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_one_column), cmocka_unit_test(many_rows),
        cmocka_unit_test(changed_rows),       cmocka_unit_test(sides_that_look_alike),
        cmocka_unit_test(another_order),      cmocka_unit_test(errors),
        cmocka_unit_test(long_parts),         cmocka_unit_test(long_sides),
        cmocka_unit_test(no_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
