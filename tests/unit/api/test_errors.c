#include "api/errors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The texts outlive the source that they point into. */
static void errors_are_copied(void **state)
{
    (void)state;
    struct pgfsm_errors *errors = pgfsm_errors_new();
    char text[] = "rules:\n  add: x\n";
    char name[] = "a.yaml";
    struct source source = {.name = name, .text = text, .size = sizeof text - 1};
    struct error err = {0};
    (void)error_at(&err, ERROR_MACHINE, (struct source_pos){&source, 9}, "no rule '%s'", "add");
    error_hint(&err, "did you mean 'and'?");
    assert_false(errors_add(errors, &err));
    memset(text, 'z', sizeof text - 1);
    memset(name, 'z', sizeof name - 1);

    assert_int_equal(pgfsm_errors_count(errors), 1);
    const struct pgfsm_error *error = pgfsm_errors_at(errors, 0);
    assert_int_equal(error->code, PGFSM_ERROR_MACHINE);
    assert_string_equal(error->file, "a.yaml");
    assert_int_equal(error->line, 2);
    assert_int_equal(error->column, 3);
    assert_string_equal(error->message, "no rule 'add'");
    assert_string_equal(error->hint, "did you mean 'and'?");
    assert_string_equal(error->text, "a.yaml:2:3: error: no rule 'add'\n"
                                     "      add: x\n"
                                     "      ^\n"
                                     "  hint: did you mean 'and'?\n");
    assert_null(pgfsm_errors_at(errors, 1));
    pgfsm_errors_free(errors);
}

static void errors_are_safe_to_show(void **state)
{
    (void)state;
    struct pgfsm_errors *errors = pgfsm_errors_new();
    char text[] = "add: \x1b[2J\xff x\n";
    struct source source = {.name = "\x1b]0;x\x07.yaml", .text = text, .size = sizeof text - 1};
    struct error err = {0};
    (void)error_at(&err, ERROR_SERVER, (struct source_pos){&source, 0}, "no \x1b[31m%s", "\xff");
    error_detail(&err, "DETAIL: \x1b[2J\nmore");
    assert_false(errors_add(errors, &err));
    const struct pgfsm_error *error = pgfsm_errors_at(errors, 0);
    assert_null(strpbrk(error->text, "\x1b\x07\xff"));
    assert_string_equal(error->message, "no \\x1b[31m\\xff");
    assert_string_equal(error->detail, "DETAIL: \\x1b[2J\nmore");
    assert_string_equal(error->file, "\\x1b]0;x\\x07.yaml");
    pgfsm_errors_free(errors);
}

static void a_list_can_be_cleared_or_missing(void **state)
{
    (void)state;
    struct pgfsm_errors *errors = pgfsm_errors_new();
    assert_false(errors_addf(errors, ERROR_USAGE, "%d is too much", 3));
    assert_string_equal(pgfsm_errors_at(errors, 0)->text, "error: 3 is too much\n");
    assert_int_equal(pgfsm_errors_at(errors, 0)->line, 0);
    assert_string_equal(pgfsm_errors_at(errors, 0)->file, "");
    pgfsm_errors_clear(errors);
    assert_int_equal(pgfsm_errors_count(errors), 0);
    pgfsm_errors_free(errors);
    pgfsm_errors_free(NULL);
    assert_false(errors_addf(NULL, ERROR_USAGE, "nobody hears"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_copied),
        cmocka_unit_test(errors_are_safe_to_show),
        cmocka_unit_test(a_list_can_be_cleared_or_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
