/* Known answers: the PostgreSQL manual, appendix A and section 43.6.8. */
#include "machine/conditions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_sorted(void **state)
{
    (void)state;
    for (size_t i = 1; i < condition_count; i++) {
        assert_true(strcmp(conditions[i - 1].name, conditions[i].name) <= 0);
    }
}

static void test_names(void **state)
{
    (void)state;
    assert_true(condition_is_name("unique_violation"));
    assert_true(condition_is_name("active_sql_transaction"));
    assert_true(condition_is_name("with_check_option_violation"));
    assert_false(condition_is_name("unique_violations"));
    assert_false(condition_is_name(""));
    assert_false(condition_is_name("warning")); /* no error */
    assert_string_equal(condition_name("23505"), "unique_violation");
    assert_string_equal(condition_name("P0002"), "no_data_found");
    assert_null(condition_name("ZZ999"));
}

static void test_sqlstates(void **state)
{
    (void)state;
    assert_true(condition_is_sqlstate("P0001"));
    assert_true(condition_is_sqlstate("23505"));
    assert_false(condition_is_sqlstate("2350"));
    assert_false(condition_is_sqlstate("235055"));
    assert_false(condition_is_sqlstate("p0001"));
}

static void test_matches(void **state)
{
    (void)state;
    assert_true(condition_matches("unique_violation", "23505"));
    assert_true(condition_matches("23505", "23505"));
    assert_false(condition_matches("unique_violation", "23503"));
    assert_true(condition_matches("integrity_constraint_violation", "23503"));
    assert_true(condition_matches("23000", "23503"));
    assert_false(condition_matches("23000", "22000"));
    /* one name, two codes */
    assert_true(condition_matches("null_value_not_allowed", "22004"));
    assert_true(condition_matches("null_value_not_allowed", "39004"));
    assert_true(condition_matches("XY123", "XY123")); /* a schema's own */
    assert_false(condition_matches("no_such_condition", "00000"));
}

static void test_meant(void **state)
{
    (void)state;
    assert_string_equal(condition_meant("check_constraint_violation"), "check_violation");
    assert_string_equal(condition_meant("CheckViolation"), "check_violation");
    assert_string_equal(condition_meant("ERRCODE_CHECK_VIOLATION"), "check_violation");
    assert_string_equal(condition_meant("IntegrityError"), "integrity_constraint_violation");
    assert_string_equal(condition_meant("SyntaxError"), "syntax_error");
    assert_string_equal(condition_meant("StringDataRightTruncation"),
                        "string_data_right_truncation");
    assert_null(condition_meant("ann"));
    assert_null(condition_meant(""));
    assert_null(condition_meant("_error"));
    assert_null(
        condition_meant("a_word_that_is_longer_than_the_name_of_any_condition_of_PostgreSQL"));
}

static void test_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < condition_word_count; i++) {
        assert_true(condition_is_name(condition_words[i].condition));
        assert_false(condition_is_name(condition_words[i].word));
        assert_true(i == 0 || strcmp(condition_words[i - 1].word, condition_words[i].word) < 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sorted),    cmocka_unit_test(test_names),
        cmocka_unit_test(test_sqlstates), cmocka_unit_test(test_matches),
        cmocka_unit_test(test_meant),     cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
