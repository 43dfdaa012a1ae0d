#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pgfsm/pgfsm.h>

static const char good[] = "machine: good\n"
                           "description: Counts.\n"
                           "model: |\n"
                           "  n = 2\n"
                           "  print('model')\n"
                           "rules:\n"
                           "  add:\n"
                           "    args: {k: \"integers(1, 3)\", i: ids}\n"
                           "    sql: SELECT :k::int, :i::int\n"
                           "  make: {sql: SELECT 1, target: ids}\n"
                           "invariants:\n"
                           "  positive: {check: n > 0}\n";

static void a_machine_is_read(void **state)
{
    (void)state;
    struct pgfsm_machine *machine;
    struct pgfsm_errors *errors = pgfsm_errors_new();
    char *copy = strdup(good);
    assert_true(pgfsm_machine_read(&machine, "dir/good.yaml", copy, strlen(copy), NULL, errors));
    memset(copy, 'x', strlen(copy)); /* the text is the machine's own */
    free(copy);
    assert_string_equal(pgfsm_machine_name(machine), "good");
    assert_string_equal(pgfsm_machine_path(machine), "dir/good.yaml");
    assert_string_equal(pgfsm_machine_description(machine), "Counts.");
    assert_int_equal(pgfsm_machine_rule_count(machine), 2);
    assert_string_equal(pgfsm_machine_rule_name(machine, 1), "make");
    assert_int_equal(pgfsm_machine_invariant_count(machine), 1);
    assert_string_equal(pgfsm_machine_invariant_name(machine, 0), "positive");
    assert_null(pgfsm_machine_rule_name(machine, 2));
    assert_null(pgfsm_machine_invariant_name(machine, 1));
    pgfsm_machine_free(machine);
    pgfsm_machine_free(NULL);
    pgfsm_errors_free(errors);
}

static void all_mistakes_come_at_once(void **state)
{
    (void)state;
    static const char bad[] = "machine: bad\n"
                              "rules:\n"
                              "  add: {sqll: SELECT 1}\n"
                              "  take: {args: {x: nothing}, sql: SELECT 1}\n";
    struct pgfsm_machine *machine;
    struct pgfsm_errors *errors = pgfsm_errors_new();
    assert_false(pgfsm_machine_read(&machine, "bad.yaml", bad, sizeof bad - 1, NULL, errors));
    assert_null(machine);
    assert_true(pgfsm_errors_count(errors) >= 2);
    assert_int_equal(pgfsm_errors_at(errors, 0)->code, PGFSM_ERROR_MACHINE);
    assert_int_equal(pgfsm_errors_at(errors, 0)->line, 3);
    pgfsm_errors_clear(errors);
    assert_false(pgfsm_machine_load(&machine, "there/is/none.yaml", NULL, errors));
    assert_null(machine);
    assert_int_equal(pgfsm_errors_count(errors), 1);
    pgfsm_errors_free(errors);
}

static void a_machine_is_built_from_entries(void **state)
{
    (void)state;
    static const struct pgfsm_entry entries[] = {
        {"machine", "built"},
        {"rules/say/model", "said += 1"}, /* parts need not stand together */
        {"settings/examples", "7"},
        {"initialize/1/sql", "SELECT 1"},
        {"initialize/1/check", "result.value == 1"},
        {"initialize/2/sql/1", "SELECT 'a\tb', '\\ \"';"},
        {"initialize/2/sql/2", "SELECT\n2"},
        {"model", "said = 0\nwho = \"é\"\n"},
        {"dataset/app.users/1/name", NULL},
        {"rules/say/sql", "SELECT 1"},
        {0}};
    struct pgfsm_machine *machine;
    struct pgfsm_errors *errors = pgfsm_errors_new();
    assert_true(pgfsm_machine_build(&machine, "dir/built", entries, NULL, errors));
    assert_string_equal(pgfsm_machine_name(machine), "built");
    assert_string_equal(pgfsm_machine_path(machine), "dir/built");
    assert_int_equal(pgfsm_machine_rule_count(machine), 1);
    pgfsm_machine_free(machine);
    pgfsm_errors_free(errors);
}

static void entries_are_checked(void **state)
{
    (void)state;
    char deep[300];
    for (size_t i = 0; i + 1 < sizeof deep; i++) {
        deep[i] = i % 2 ? '/' : 'a';
    }
    deep[sizeof deep - 1] = '\0';
    const struct {
        const char *message;
        struct pgfsm_entry entries[3];
    } cases[] = {
        {"the file is empty", {{0}}},
        {"the path '' has an empty name", {{"", "x"}, {0}}},
        {"the path '/rules' has an empty name", {{"/rules", "x"}, {0}}},
        {"the path 'rules/' has an empty name", {{"rules/", "x"}, {0}}},
        {"the path 'a//b' has an empty name", {{"a//b", "x"}, {0}}},
        {"the path 'model' is there twice", {{"model", "x = 1"}, {"model", "y = 1"}, {0}}},
        {"the path 'a/b' is or has a part of something that is a text already",
         {{"a", "x"}, {"a/b", "x"}, {0}}},
        {"the path 'a' is or has a part of something that is a text already",
         {{"a/b", "x"}, {"a", "x"}, {0}}},
        {"a machine has no key 'rulez', did you mean 'rules'?",
         {{"machine", "m"}, {"rulez/a/sql", "SELECT 1"}, {0}}},
    };
    struct pgfsm_errors *errors = pgfsm_errors_new();
    struct pgfsm_machine *machine;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_false(pgfsm_machine_build(&machine, "m", cases[i].entries, NULL, errors));
        assert_null(machine);
        assert_string_equal(pgfsm_errors_at(errors, 0)->message, cases[i].message);
        pgfsm_errors_clear(errors);
    }
    const struct pgfsm_entry too_deep[] = {{deep, "x"}, {0}};
    assert_false(pgfsm_machine_build(&machine, "m", too_deep, NULL, errors));
    assert_non_null(strstr(pgfsm_errors_at(errors, 0)->message, "is too long"));
    pgfsm_errors_free(errors);
}

struct printed {
    char text[64];
};

static void on_print(void *host, const char *line, size_t size)
{
    struct printed *printed = host;
    size_t used = strlen(printed->text);
    assert_true(used + size + 2 < sizeof printed->text);
    (void)snprintf(printed->text + used, sizeof printed->text - used, "%.*s;", (int)size, line);
}

static char *eval(const struct pgfsm_machine *machine, const char *program, struct printed *printed,
                  struct pgfsm_errors *errors)
{
    struct pgfsm_callbacks callbacks = {
        .struct_size = sizeof callbacks, .host = printed, .print = on_print};
    char *value = NULL;
    bool ok = pgfsm_eval(&value, machine, "<test>", program, strlen(program), &callbacks, errors);
    assert_true(ok || !value);
    return value;
}

static void programs_are_evaluated(void **state)
{
    (void)state;
    struct pgfsm_errors *errors = pgfsm_errors_new();
    struct printed printed = {""};
    char *value = eval(NULL, "print('a')\nx = 3\nx * 1.50", &printed, errors);
    assert_string_equal(value, "4.50");
    assert_string_equal(printed.text, "a;");
    free(value);
    assert_null(eval(NULL, "x = 3", &printed, errors));
    assert_null(eval(NULL, "None", &printed, errors));
    assert_int_equal(pgfsm_errors_count(errors), 0);
    assert_null(eval(NULL, "1 +", &printed, errors));
    assert_int_equal(pgfsm_errors_count(errors), 1);
    assert_string_equal(pgfsm_errors_at(errors, 0)->file, "<test>");
    pgfsm_errors_free(errors);
}

/* A program may have been built for another version, whose structs have other sizes. */
static void structs_have_a_size(void **state)
{
    static const char none[] =
        "struct pgfsm_callbacks has no struct_size: begin with its _INIT, or "
        "set the member to sizeof(struct pgfsm_callbacks)";
    static const char later[] = "struct pgfsm_callbacks has members that pgfsm %s does not know: "
                                "the program was built for a later version";
    struct {
        struct pgfsm_callbacks known;
        void *more;
    } given = {.known = {.struct_size = 0}, .more = NULL};
    struct pgfsm_errors *errors = pgfsm_errors_new();
    struct printed printed = {""};
    char message[sizeof later + 32];
    char *value;
    (void)state;
    given.known.host = &printed;
    given.known.print = on_print;
    assert_false(pgfsm_eval(&value, NULL, "t", "print(1)", 8, &given.known, errors));
    assert_string_equal(pgfsm_errors_at(errors, 0)->message, none);
    assert_int_equal(pgfsm_errors_at(errors, 0)->code, PGFSM_ERROR_USAGE);
    given.known.struct_size = sizeof given;
    assert_true(pgfsm_eval(&value, NULL, "t", "print(1)", 8, &given.known, errors));
    given.more = &given;
    assert_false(pgfsm_eval(&value, NULL, "t", "print(2)", 8, &given.known, errors));
    (void)snprintf(message, sizeof message, later, pgfsm_version());
    assert_string_equal(pgfsm_errors_at(errors, 1)->message, message);
    given.known.struct_size = offsetof(struct pgfsm_callbacks, print); /* an earlier version's */
    assert_true(pgfsm_eval(&value, NULL, "t", "print(3)", 8, &given.known, errors));
    assert_string_equal(printed.text, "1;");
    pgfsm_errors_free(errors);
}

static void programs_see_a_machines_model(void **state)
{
    (void)state;
    struct pgfsm_machine *machine;
    struct pgfsm_errors *errors = pgfsm_errors_new();
    struct printed printed = {""};
    assert_true(pgfsm_machine_read(&machine, "good.yaml", good, sizeof good - 1, NULL, errors));
    char *value = eval(machine, "n += 1\n(n, list(ids))", &printed, errors);
    assert_string_equal(value, "(3, [])");
    assert_string_equal(printed.text, "model;");
    free(value);
    value = eval(machine, "n", &printed, errors); /* each run has a model of its own */
    assert_string_equal(value, "2");
    free(value);
    pgfsm_machine_free(machine);
    pgfsm_errors_free(errors);
}

static void formats_have_names(void **state)
{
    (void)state;
    assert_string_equal(pgfsm_report_format(0), "text");
    assert_string_equal(pgfsm_report_format(1), "html");
    assert_null(pgfsm_report_format(1000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_machine_is_read),
        cmocka_unit_test(all_mistakes_come_at_once),
        cmocka_unit_test(a_machine_is_built_from_entries),
        cmocka_unit_test(entries_are_checked),
        cmocka_unit_test(programs_are_evaluated),
        cmocka_unit_test(structs_have_a_size),
        cmocka_unit_test(programs_see_a_machines_model),
        cmocka_unit_test(formats_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
