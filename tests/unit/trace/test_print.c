#include "trace/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct rule rule = {.name = "add_user"};

static void check_print(const struct shown_step *step, const char *expected)
{
    struct strbuf text = {0};
    trace_print_step(step, &text);
    assert_string_equal(strbuf_text(&text), expected);
    strbuf_free(&text);
}

static void test_arguments(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct shown_step step = {.rule = &rule};
    check_print(&step, "add_user()");
    *VEC_PUSH(&arena, &step.args) =
        (struct shown_arg){.name = "name", .value = value_text(&arena, "a \"b\"\n")};
    check_print(&step, "add_user(name=\"a \\\"b\\\"\\n\")");
    *VEC_PUSH(&arena, &step.args) =
        (struct shown_arg){.name = "project", .value = value_int(12), .reference = "projects_1"};
    *VEC_PUSH(&arena, &step.args) = (struct shown_arg){.name = "boss", .value = value_none()};
    check_print(&step, "add_user(name=\"a \\\"b\\\"\\n\", project=projects_1, boss=None)");
    arena_free(&arena);
}

static void test_outputs(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct shown_step step = {.rule = &rule};
    *VEC_PUSH(&arena, &step.outputs) = "users_1";
    check_print(&step, "users_1 = add_user()");
    *VEC_PUSH(&arena, &step.outputs) = "users_2"; /* two have no form in the language */
    check_print(&step, "add_user()   # users_1, users_2");
    static struct rule_target targets[2];
    static struct rule twice = {.name = "add_user", .targets = {targets, 2, 2}};
    step.rule = &twice; /* one value that went to two places */
    check_print(&step, "users_1 = add_user()   # also users_2");
    for (int i = 0; i < 8; i++) {
        *VEC_PUSH(&arena, &step.outputs) = "x";
    }
    check_print(&step, "add_user()   # users_1, users_2, x, x, x, x, x, x, … (10)");
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_outputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
