#include "machine/settings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_whole_numbers(void **state)
{
    (void)state;
    int64_t number = 7;
    assert_true(setting_whole_number("12", 1, 12, &number, NULL));
    assert_int_equal(number, 12);
    assert_false(setting_whole_number("13", 1, 12, &number, NULL));
    assert_false(setting_whole_number("0", 1, 12, &number, NULL));
    assert_false(setting_whole_number("", 0, 12, &number, NULL));
    assert_false(setting_whole_number(" 1", 0, 12, &number, NULL));
    assert_false(setting_whole_number("1x", 0, 12, &number, NULL));
    assert_false(setting_whole_number("-1", 0, 12, &number, NULL));
    assert_true(setting_whole_number("9223372036854775807", 0, INT64_MAX, &number, NULL));
    assert_false(setting_whole_number("9223372036854775808", 0, INT64_MAX, &number, NULL));
    assert_false(setting_whole_number("18446744073709551617", 0, INT64_MAX, &number, NULL));
}

static void test_set(void **state)
{
    (void)state;
    struct settings settings = settings_default;
    struct error err = {0};
    assert_true(settings_set(&settings, "examples", "3", &err));
    assert_int_equal(settings.examples, 3);
    assert_true(settings_set(&settings, "shrink.time", "1min", &err));
    assert_int_equal(settings.shrink_time_ms, 60000);
    assert_true(settings_set(&settings, "max_time", "5m", &err)); /* as on the command line */
    assert_int_equal(settings.max_time_ms, 300000);
    assert_true(settings_set(&settings, "seed", "18446744073709551615", &err));
    assert_true(settings.seed == UINT64_MAX && settings.has_seed);
    assert_true(settings_set(&settings, "errors", "any", &err));
    assert_int_equal(settings.errors, ERRORS_ANY);
    assert_true(settings_set(&settings, "check_deferred", "never", &err));
    assert_int_equal(settings.check_deferred, CHECK_DEFERRED_NEVER);
    assert_true(settings_set(&settings, "isolation", "repeatable read", &err));
    assert_int_equal(settings.isolation, ISOLATION_REPEATABLE_READ);
    assert_string_equal(isolation_name(settings.isolation), "repeatable read");
    assert_null(isolation_name(settings_default.isolation));
    assert_false(settings_set(&settings, "isolation", "", &err));
    assert_false(settings_set(&settings, "steps", "0", &err));
    assert_string_equal(err.message, "steps: expected a whole number from 1 on, not '0'");
    assert_int_equal(settings.steps, 50);
    assert_false(settings_set(&settings, "seed", "-1", &err));
    assert_false(
        settings_set(&settings, "statement_timeout", "600h", &err)); /* int4 of the server */
    assert_string_equal(err.message, "statement_timeout: '600h' is too long");
    assert_false(settings_set(&settings, "sed", "1", &err));
    assert_string_equal(err.message, "there is no setting 'sed'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_numbers),
        cmocka_unit_test(test_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
