#include "cli/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void again_repeats_what_matters(void **state)
{
    (void)state;
    struct options options;
    struct strbuf out = {0};
    const char *const words[] = {"a.yaml",  "--steps", "3",  "--apply", "it's.sql",   "--seed", "9",
                                 "--stats", "-q",      "-h", "/run/pg", "--in-place", NULL};
    assert_true(options_read(&options, FOR_RUN, words, &out));
    options_again(&options, FOR_RUN, &out);
    assert_string_equal(strbuf_text(&out),
                        " -h /run/pg --apply 'it'\\''s.sql' --in-place --steps 3");
    options_free(&options);
    strbuf_free(&out);
}

static void passwords_are_not_repeated(void **state)
{
    (void)state;
    static const struct {
        const char *dbname;
        const char *again;
    } cases[] = {
        {"app", " -d app"},
        {"postgres://ann:s3cret@db/app", " -d postgres://ann@db/app"},
        {"postgresql://ann:s3c:r@db:5432/app?sslmode=require",
         " -d 'postgresql://ann@db:5432/app?sslmode=require'"},
        {"postgresql://db/app?password=s3cret&user=ann&sslpassword=s3cret",
         " -d 'postgresql://db/app?user=ann'"},
        {"postgres://db/app?x=a@b:s3cret", " -d 'postgres://db/app?x=a@b:s3cret'"},
        {"host=db password=s3cret dbname=app", " -d 'host=db dbname=app'"},
        {"password='s3 \\' cret' host=db", " -d ' host=db'"},
        {"host=db password = s3cret", " -d host=db"},
        {"host=db sslpassword=s3cret", " -d host=db"},
        {"postgres://db/app?p%61ssword=s3cret&user=ann", " -d 'postgres://db/app?user=ann'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct options options;
        struct strbuf out = {0};
        const char *const words[] = {"-d", cases[i].dbname, NULL};
        assert_true(options_read(&options, FOR_RUN, words, &out));
        options_again(&options, FOR_RUN, &out);
        assert_string_equal(strbuf_text(&out), cases[i].again);
        options_free(&options);
        strbuf_free(&out);
    }
}

static void help_lists_the_options_of_a_command(void **state)
{
    (void)state;
    struct strbuf out = {0};
    options_help(FOR_RUN, &out);
    assert_non_null(strstr(strbuf_text(&out), "\nDatabase\n  -d, --dbname CONNINFO "));
    assert_non_null(strstr(strbuf_text(&out), "      --seed N|auto "));
    assert_null(strstr(strbuf_text(&out), "--machine"));
    for (const char *line = strbuf_text(&out); *line; line += strcspn(line, "\n") + 1) {
        assert_true(strcspn(line, "\n") <= 100);
    }
    strbuf_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(again_repeats_what_matters),
        cmocka_unit_test(passwords_are_not_repeated),
        cmocka_unit_test(help_lists_the_options_of_a_command),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
