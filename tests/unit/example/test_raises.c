#include "example/step/raises.h"

#include "support/eval.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct server_error unique = {
    .sqlstate = "23505",
    .message = "duplicate key value violates unique constraint \"users_email_key\"",
    .constraint = "users_email_key",
    .table = "users",
};
static const struct server_error own = {.sqlstate = "P0001", .message = "account closed"};

/* Values of `raises` (a condition is a string), their reading, and if they allow the two errors
 * above and success. */
static const struct {
    const char *value;
    const char *text;
    bool unique, own, none;
} predictions[] = {
    {"None", "no error", false, false, true},
    {"'unique_violation'", "unique_violation (23505)", true, false, false},
    {"'23505'", "unique_violation (23505)", true, false, false},
    {"'P0001'", "raise_exception (P0001)", false, true, false},
    {"'ZZ001'", "ZZ001", false, false, false},
    {"'integrity_constraint_violation'", "integrity_constraint_violation (23000)", true, false,
     false},
    {"error('unique_violation', constraint='users_email_key')",
     "unique_violation (23505) of constraint users_email_key", true, false, false},
    {"error('unique_violation', constraint='other')",
     "unique_violation (23505) of constraint other", false, false, false},
    {"error('P0001', message='closed')", "raise_exception (P0001) with \"closed\" in its message",
     false, true, false},
    {"error('P0001', message='Closed')", "raise_exception (P0001) with \"Closed\" in its message",
     false, false, false},
    {"error('P0001', constraint='x')", "raise_exception (P0001) of constraint x", false, false,
     false},
    {"[None, 'unique_violation']", "no error or unique_violation (23505)", true, false, true},
    {"['P0001', 'unique_violation']", "raise_exception (P0001) or unique_violation (23505)", true,
     true, false},
    {"('P0001', None)", "no error or raise_exception (P0001)", false, true, true},
    {"set(['P0001'])", "raise_exception (P0001)", false, true, false},
    {"[]", "no error", false, false, true},
};

static void test_predictions(void **state)
{
    (void)state;
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof predictions / sizeof predictions[0]; i++) {
        struct value value = test_eval(&arena, predictions[i].value);
        struct prediction prediction;
        struct error err;
        if (!prediction_read(&arena, value, &prediction, &err)) {
            fail_msg("%s: %s", predictions[i].value, err.message);
        }
        assert_string_equal(prediction_text(&arena, &prediction), predictions[i].text);
        assert_int_equal(prediction_allows(&prediction, &unique), predictions[i].unique);
        assert_int_equal(prediction_allows(&prediction, &own), predictions[i].own);
        assert_int_equal(prediction.may_succeed, predictions[i].none);
    }
    arena_free(&arena);
}

static void test_mistakes(void **state)
{
    (void)state;
    static const struct {
        const char *value;
        const char *message;
    } mistakes[] = {
        {"'unique_violatio'", "neither a condition nor an SQLSTATE"},
        {"'2350'", "neither a condition"},
        {"''", "neither a condition"},
        {"23505", "a value of type int"},
        {"True", "of type bool"},
        {"[None, 1]", "of type int"},
        {"[['P0001']]", "of type list"},
    };
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        struct prediction prediction;
        struct error err;
        assert_false(
            prediction_read(&arena, test_eval(&arena, mistakes[i].value), &prediction, &err));
        assert_int_equal(err.code, ERROR_MACHINE);
        assert_non_null(strstr(err.message, mistakes[i].message));
        assert_true(err.hint[0] != '\0');
    }
    arena_free(&arena);
}

static void test_error_text(void **state)
{
    (void)state;
    struct arena arena = {0};
    assert_string_equal(error_text(&arena, &unique), "unique_violation (23505)");
    assert_string_equal(error_text(&arena, &(struct server_error){.sqlstate = "ZZ001"}), "ZZ001");
    arena_free(&arena);
}

static void test_renamed_constraint(void **state)
{
    (void)state;
    static const struct {
        const char *value;
        bool hint;
    } rows[] = {
        {"error('unique_violation', constraint='old_key')", true},
        {"[None, 'check_violation', error('23505', constraint='old_key')]", true},
        {"error('check_violation', constraint='old_key')", false},
        {"error('unique_violation', constraint='old_key', table='other')", false},
        {"error('unique_violation', message='other')", false},
    };
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct prediction prediction;
        struct error err;
        assert_true(prediction_read(&arena, test_eval(&arena, rows[i].value), &prediction, &err));
        const char *hint = prediction_renamed(&arena, &prediction, &unique);
        assert_int_equal(hint && strstr(hint, "constraint old_key"), rows[i].hint);
    }
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_predictions),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_error_text),
        cmocka_unit_test(test_renamed_constraint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
