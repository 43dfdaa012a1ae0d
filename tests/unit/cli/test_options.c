#include "cli/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_WORDS = 16 };

/* Splits at spaces and reads the words as those of `run`. */
static bool read_line(struct options *options, char *line, struct strbuf *problem)
{
    const char *words[MAX_WORDS + 1] = {NULL};
    size_t count = 0;
    for (char *word = strtok(line, " "); word && count < MAX_WORDS; word = strtok(NULL, " ")) {
        words[count++] = word;
    }
    return options_read(options, FOR_RUN, words, problem);
}

static void each_kind_of_option(void **state)
{
    (void)state;
    struct options options;
    struct strbuf problem = {0};
    char line[] = "a.yaml --examples 7 --seed=0 -d app --apply x.sql --apply=y.sql --stats "
                  "--max-time 5m --color never -vv b.yaml";
    assert_true(read_line(&options, line, &problem));
    assert_int_equal(options.operands.items.count, 2);
    assert_string_equal(options.operands.items.items[0], "a.yaml");
    assert_string_equal(options.operands.items.items[1], "b.yaml");
    assert_int_equal(options.run.examples, 7);
    assert_int_equal(options.run.seed, 0);
    assert_string_equal(options.database.dbname, "app");
    assert_int_equal(options.apply.items.count, 2);
    assert_string_equal(options.apply.items.items[1], "y.sql");
    assert_true(options.run.measure);
    assert_int_equal(options.run.max_time_ms, 300000);
    assert_int_equal(options.color, WHEN_NEVER);
    assert_int_equal(options.run.verbose, 2);
    options_free(&options);
    strbuf_free(&problem);
}

static void what_is_not_given(void **state)
{
    (void)state;
    struct options options;
    struct strbuf problem = {0};
    char line[] = "a.yaml";
    assert_true(read_line(&options, line, &problem));
    assert_int_equal(options.run.examples, -1);
    assert_int_equal(options.run.seed, -1);
    assert_int_equal(options.database.wait_ms, 0);
    assert_null(options.database.dbname);
    assert_int_equal(options.color, WHEN_AUTO);
    options_free(&options);
    strbuf_free(&problem);
}

static void letters_in_a_row(void **state)
{
    (void)state;
    struct options options;
    struct strbuf problem = {0};
    char line[] = "-qdapp -Uann -- --stats -";
    assert_true(read_line(&options, line, &problem));
    assert_true(options.quiet);
    assert_string_equal(options.database.dbname, "app");
    assert_string_equal(options.database.user, "ann");
    assert_false(options.run.measure);
    assert_string_equal(options.operands.items.items[0], "--stats");
    assert_string_equal(options.operands.items.items[1], "-");
    options_free(&options);
    strbuf_free(&problem);
}

static void mistakes_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        const char *problem;
    } cases[] = {
        {"--exampels 3", "there is no option --exampels; did you mean --examples?\n"},
        {"--frobnicate", "there is no option --frobnicate\n"},
        {"--machine x", "this command has no option --machine\n"},
        {"--examples", "--examples needs a value: --examples N\n"},
        {"--examples x", "--examples must be a whole number from 0 up, not 'x'\n"},
        {"--examples -1", "--examples must be a whole number from 0 up, not '-1'\n"},
        {"--examples 99999999999999999999",
         "--examples must be a whole number from 0 up, not '99999999999999999999'\n"},
        {"--examples= ", "--examples must be a whole number from 0 up, not ''\n"},
        {"--steps 0", "--steps must be a whole number from 1 up, not '0'\n"},
        {"--max-time 5x", "--max-time: '5x' is not a duration; write a number and ms, s, min or h, "
                          "such as 5s or 500ms, or none\n"},
        {"--wait 30",
         "--wait: '30' has no unit; write 30s for seconds; units are ms, s, min and h\n"},
        {"--color blue", "--color must be auto, always or never, not 'blue'\n"},
        {"--stats=1", "--stats takes no value\n"},
        {"-Z", "there is no option -Z\n"},
        {"-seed 3", "there is no option -seed; did you mean --seed?\n"},
        {"-k add", "there is no option -k; pgfsm calls it --rule GLOB\n"},
        {"-vk", "there is no option -k; pgfsm calls it --rule GLOB\n"},
        {"--maxfail=1",
         "there is no option --maxfail; a run ends by itself soon after its first failure\n"},
        {"-timeout=5s", "there is no option -timeout; pgfsm calls it --max-time TIME\n"},
        {"--hypothesis-verbosity=debug",
         "there is no option --hypothesis-verbosity; pgfsm calls it -v\n"},
        {"--threshold 90", "there is no option --threshold; pgfsm calls it --min-score PERCENT, "
                           "which another command has\n"},
        {"--version", "there is no option --version; `pgfsm version` prints it\n"},
        {"-\xc3\xa4z", "there is no option -\xc3\xa4\n"},
        {"-d", "-d needs a value: -d CONNINFO\n"},
        {"--shard=2", "--shard must be I/N, from 1/4 to 4/4 for example, or auto, not '2'\n"},
        {"--\x1b[2J", "there is no option --\\x1b[2J\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct options options;
        struct strbuf problem = {0};
        char *line = strdup(cases[i].line);
        assert_false(read_line(&options, line, &problem));
        assert_string_equal(strbuf_text(&problem), cases[i].problem);
        options_free(&options);
        strbuf_free(&problem);
        free(line);
    }
}

static void the_environment_gives_defaults(void **state)
{
    (void)state;
    struct options options;
    struct strbuf problem = {0};
    char line[] = "--examples 3";
    assert_int_equal(setenv("PGFSM_EXAMPLES", "9", 1), 0);
    assert_int_equal(setenv("PGFSM_STEPS", "4", 1), 0);
    assert_int_equal(setenv("PGFSM_MAX_TIME", "", 1), 0);
    assert_int_equal(setenv("PGFSM_STRICT", "1", 1), 0);
    assert_int_equal(setenv("PGFSM_STATS", "no", 1), 0);
    assert_true(read_line(&options, line, &problem));
    assert_int_equal(options.run.examples, 3);
    assert_int_equal(options.run.steps, 4);
    assert_int_equal(options.run.max_time_ms, -1);
    assert_true(options.run.strict);
    assert_false(options.run.measure);
    options_free(&options);

    char again[] = "";
    assert_int_equal(setenv("PGFSM_STEPS", "many", 1), 0);
    assert_false(read_line(&options, again, &problem));
    assert_string_equal(strbuf_text(&problem),
                        "PGFSM_STEPS must be a whole number from 1 up, not 'many'\n");
    options_free(&options);
    strbuf_free(&problem);
    assert_int_equal(unsetenv("PGFSM_EXAMPLES"), 0);
    assert_int_equal(unsetenv("PGFSM_STEPS"), 0);
    assert_int_equal(unsetenv("PGFSM_MAX_TIME"), 0);
    assert_int_equal(unsetenv("PGFSM_STRICT"), 0);
    assert_int_equal(unsetenv("PGFSM_STATS"), 0);
}

/* Of a list, a variable holds all; the command line takes the place of them all. */
static void a_list_in_the_environment(void **state)
{
    (void)state;
    struct options options;
    struct strbuf problem = {0};
    char none[] = "a.yaml";
    char some[] = "a.yaml --report text=a --report text=b";
    assert_int_equal(setenv("PGFSM_REPORT", "json,,junit=a b.xml,", 1), 0);
    assert_true(read_line(&options, none, &problem));
    assert_int_equal(options.reports.items.count, 2);
    assert_string_equal(options.reports.items.items[0], "json");
    assert_string_equal(options.reports.items.items[1], "junit=a b.xml");
    options_free(&options);
    assert_true(read_line(&options, some, &problem));
    assert_int_equal(options.reports.items.count, 2);
    assert_string_equal(options.reports.items.items[0], "text=a");
    options_free(&options);
    assert_int_equal(unsetenv("PGFSM_REPORT"), 0);
    strbuf_free(&problem);
}

/* A variable that no option reads is named if it may be one that is misspelt. */
static void misspelt_variables_are_named(void **state)
{
    (void)state;
    static const char *const others[] = {"PGFSM_GOLDEN", "PGFSM_TEST_A", "PGFSM", "PGFSM_",
                                         "XPGFSM_EXAMPELS"};
    struct options options;
    struct strbuf problem = {0};
    char line[] = "a.yaml";
    char *golden = getenv("PGFSM_GOLDEN");
    for (size_t i = golden ? 1 : 0; i < sizeof others / sizeof *others; i++) {
        assert_int_equal(setenv(others[i], "1000", 1), 0);
    }
    assert_int_equal(setenv("PGFSM_EXAMPELS", "1000", 1), 0);
    assert_true(read_line(&options, line, &problem));
    assert_int_equal(options.run.examples, -1);
    assert_int_equal(options.warnings.items.count, 1);
    assert_string_equal(options.warnings.items.items[0],
                        "PGFSM_EXAMPELS is ignored; did you mean PGFSM_EXAMPLES?");
    options_free(&options);
    assert_int_equal(unsetenv("PGFSM_EXAMPELS"), 0);

    static const struct {
        const char *set, *meant;
    } misspelt[] = {{"PGFSM_max_tiem", "PGFSM_MAX_TIME"}, {"PGFSM_RUNID", "PGFSM_RUN_ID"}};
    for (size_t i = 0; i < sizeof misspelt / sizeof *misspelt; i++) {
        char again[] = "a.yaml";
        char warning[100];
        (void)snprintf(warning, sizeof warning, "%s is ignored; did you mean %s?", misspelt[i].set,
                       misspelt[i].meant);
        assert_int_equal(setenv(misspelt[i].set, "1s", 1), 0);
        assert_true(read_line(&options, again, &problem));
        assert_string_equal(options.warnings.items.items[0], warning);
        options_free(&options);
        assert_int_equal(unsetenv(misspelt[i].set), 0);
    }
    strbuf_free(&problem);
    for (size_t i = golden ? 1 : 0; i < sizeof others / sizeof *others; i++) {
        assert_int_equal(unsetenv(others[i]), 0);
    }
}

/* A row of the table that two options share a name or a letter with, in one command, is a mistake.
 */
static void the_table_is_sound(void **state)
{
    (void)state;
    for (const struct option *a = option_table; a->name; a++) {
        assert_true(a->help);
        for (const struct option *b = a + 1; b->name; b++) {
            if (a->commands & b->commands) {
                assert_string_not_equal(a->name, b->name);
                assert_true(!a->letter || !b->letter || *a->letter != *b->letter);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_of_option),
        cmocka_unit_test(what_is_not_given),
        cmocka_unit_test(letters_in_a_row),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(the_environment_gives_defaults),
        cmocka_unit_test(a_list_in_the_environment),
        cmocka_unit_test(misspelt_variables_are_named),
        cmocka_unit_test(the_table_is_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
