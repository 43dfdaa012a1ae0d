/* Adjusts a generated machine in which something fails. */
#include "init/adjust.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char made[] = "machine: made\n"             /* 1 */
                           "rules:\n"                    /* 2 */
                           "  insert_a:\n"               /* 3 */
                           "    sql: INSERT\n"           /* 4 */
                           "    raises: 'db.x(\"a\")'\n" /* 5 */
                           "  # No rule updates a.\n"    /* 6 */
                           "  delete_a:\n"               /* 7 */
                           "    sql: |\n"                /* 8 */
                           "      DELETE\n"              /* 9 */
                           "    affects: 1\n"            /* 10 */
                           "  call_f:\n"                 /* 11 */
                           "    sql: SELECT f()\n"       /* 12 */
                           "invariants:\n"               /* 13 */
                           "  a:\n"                      /* 14 */
                           "    sql: SELECT 1\n";        /* 15 */

static void check(const struct adjustment *adjustment, const char *expected)
{
    struct strbuf text = {0};
    strbuf_adds(&text, made);
    assert_int_equal(adjust_text(&text, adjustment) != 0, expected != made);
    assert_string_equal(strbuf_text(&text), expected);
    strbuf_free(&text);
}

static void an_error_may_come(void **state)
{
    (void)state;
    check(
        &(struct adjustment){.line = 5, .sqlstate = "42P17", .why = "no\nway"},
        "machine: made\nrules:\n  insert_a:\n    sql: INSERT\n    # Weakened: rule insert_a may "
        "raise 42P17: no\\nway.\n"
        "    raises: 'db.x(\"a\") + [\"42P17\"]'\n  # No rule updates a.\n  delete_a:\n    sql: |\n"
        "      DELETE\n    affects: 1\n  call_f:\n    sql: SELECT f()\ninvariants:\n  a:\n"
        "    sql: SELECT 1\n");
    check(
        &(struct adjustment){.line = 11, .sqlstate = "22012", .why = "zero"},
        "machine: made\nrules:\n  insert_a:\n    sql: INSERT\n    raises: 'db.x(\"a\")'\n"
        "  # No rule updates a.\n  delete_a:\n    sql: |\n      DELETE\n    affects: 1\n  call_f:\n"
        "    # Weakened: rule call_f may raise 22012: zero.\n    raises: '[None, \"22012\"]'\n    "
        "sql: SELECT f()\ninvariants:\n  a:\n"
        "    sql: SELECT 1\n");
}

/* Expecting the error did not help: the rule can't be kept. */
static void the_same_error_comes_again(void **state)
{
    static const struct adjustment raised = {.line = 5, .sqlstate = "42P17", .why = "no way"};
    static const struct adjustment again = {.line = 6, .sqlstate = "42P17", .why = "no way"};
    struct strbuf text = {0};
    (void)state;
    strbuf_adds(&text, made);
    assert_int_equal(adjust_text(&text, &raised), 3);
    assert_int_equal(adjust_text(&text, &again), 3);
    assert_non_null(strstr(strbuf_text(&text), "  # Left out: rule insert_a: no way.\n"));
    assert_null(strstr(strbuf_text(&text), "  insert_a:"));
    strbuf_free(&text);
}

static void an_error_may_fail_to_come(void **state)
{
    (void)state;
    check(&(struct adjustment){.line = 5, .sqlstate = "", .why = ""},
          "machine: made\nrules:\n  insert_a:\n    sql: INSERT\n    # Weakened: rule insert_a may "
          "succeed where the model foretells an error.\n"
          "    raises: 'db.x(\"a\") + [None]'\n  # No rule updates a.\n  delete_a:\n    sql: |\n"
          "      DELETE\n    affects: 1\n  call_f:\n    sql: SELECT f()\ninvariants:\n  a:\n"
          "    sql: SELECT 1\n");
}

static void a_count_is_not_compared(void **state)
{
    (void)state;
    check(&(struct adjustment){.line = 10, .sqlstate = "", .why = "0 rows"},
          "machine: made\nrules:\n  insert_a:\n    sql: INSERT\n    raises: 'db.x(\"a\")'\n"
          "  # No rule updates a.\n  delete_a:\n    sql: |\n      DELETE\n    # Weakened: rule "
          "delete_a is not compared: 0 rows.\n  call_f:\n"
          "    sql: SELECT f()\ninvariants:\n  a:\n    sql: SELECT 1\n");
}

static void a_rule_or_an_invariant_is_left_out(void **state)
{
    (void)state;
    check(&(struct adjustment){.line = 9, .sqlstate = "", .why = "syntax", .mistake = true},
          "machine: made\nrules:\n  insert_a:\n    sql: INSERT\n    raises: 'db.x(\"a\")'\n"
          "  # No rule updates a.\n  # Left out: rule delete_a: syntax.\n  call_f:\n"
          "    sql: SELECT f()\ninvariants:\n  a:\n    sql: SELECT 1\n");
    check(
        &(struct adjustment){.line = 15, .sqlstate = "", .why = "differs"},
        "machine: made\nrules:\n  insert_a:\n    sql: INSERT\n    raises: 'db.x(\"a\")'\n"
        "  # No rule updates a.\n  delete_a:\n    sql: |\n      DELETE\n    affects: 1\n  call_f:\n"
        "    sql: SELECT f()\ninvariants:\n  # Left out: invariant a: differs.\n");
}

static void other_lines_stay(void **state)
{
    static const size_t lines[] = {0, 1, 2, 6, 13, 16, 99};
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        check(&(struct adjustment){.line = lines[i], .sqlstate = "", .why = "x", .mistake = true},
              made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_may_come),
        cmocka_unit_test(the_same_error_comes_again),
        cmocka_unit_test(an_error_may_fail_to_come),
        cmocka_unit_test(a_count_is_not_compared),
        cmocka_unit_test(a_rule_or_an_invariant_is_left_out),
        cmocka_unit_test(other_lines_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
