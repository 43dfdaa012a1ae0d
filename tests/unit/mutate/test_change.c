/* Finds a mutant's change in the statement that creates the object. */
#include "mutate/change.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    const char *was;
    const char *becomes;
    const char *text;
    const char *after; /* NULL: it is not found */
} cases[] = {
    /* The catalog's words and the file's are not the same. */
    {"FOR ALL TO a USING (n < 5) WITH CHECK (n < 5)",
     "FOR ALL TO a USING (n < 5) WITH CHECK (true)",
     "create policy p on t to A using (N < 5) with check ( N<5 )",
     "create policy p on t to A using (N < 5) with check ( true )"},
    {"FOR ALL TO a USING (n < 5) WITH CHECK (n < 5)",
     "FOR ALL TO a USING (true) WITH CHECK (n < 5)",
     "CREATE POLICY p ON t TO a\n USING (n < 5) -- few\n WITH CHECK (n < 5)",
     "CREATE POLICY p ON t TO a\n USING (true) -- few\n WITH CHECK (n < 5)"},
    {"FOR ALL TO a USING (n < 5)", "FOR ALL TO a USING (n < 5) WITH CHECK (true)",
     "CREATE POLICY p ON t TO a USING (n < 5)",
     "CREATE POLICY p ON t TO a USING (n < 5)WITH CHECK (true)"},
    {"FOR ALL TO a USING (n < 5)", "FOR SELECT TO a USING (n < 5)",
     "CREATE POLICY p ON t TO a USING (n < 5)", NULL},
    {"USING (n = current_setting('a'::text))", "USING (true)",
     "CREATE POLICY p ON t USING (n = current_setting('a'))", "CREATE POLICY p ON t USING (true)"},
    /* Dropping a constraint also removes its name and a comma. */
    {"CHECK (n > 0)", "", "CREATE TABLE t (n int, CONSTRAINT c CHECK (n > 0), m int)",
     "CREATE TABLE t (n int, m int)"},
    {"CHECK (n > 0)", "", "CREATE TABLE t (n int CONSTRAINT c CHECK (n > 0), m int)",
     "CREATE TABLE t (n int , m int)"},
    {"NOT NULL", "", "CREATE TABLE t (n int NOT NULL)", "CREATE TABLE t (n int )"},
    /* In a body between dollars. */
    {"RETURN n + 1;", "RETURN n - 1;", "CREATE FUNCTION f() AS $$ BEGIN RETURN n + 1; END $$",
     "CREATE FUNCTION f() AS $$ BEGIN RETURN n - 1; END $$"},
    /* Another one with a word like it. */
    {"CHECK (x >= 1 AND x <= 10)", "CHECK (x > 1 AND x <= 10)",
     "CREATE TABLE t (x int CHECK (x BETWEEN 1 AND 10), y int CHECK (y >= 5))", NULL},
    {"CHECK (x >= 1 AND x <= 10)", "CHECK (x >= 1 OR x <= 10)",
     "CREATE TABLE t (x int CHECK (x BETWEEN 1 AND 10))", NULL},
    {"UNIQUE (a)", "UNIQUE (a) DEFERRABLE", "CREATE TABLE u (a int UNIQUE CHECK (0 < a))", NULL},
    {"UNIQUE (name)", "UNIQUE NULLS NOT DISTINCT (name)", "CREATE TABLE u (name text UNIQUE)",
     NULL},
    {"UNIQUE (name)", "UNIQUE (name, note)", "CREATE TABLE u (name text UNIQUE, note text)", NULL},
    /* Ambiguous: there are two places. */
    {"a n < 5 b", "a n < 6 b", "x n < 5 y n < 5 z", NULL},
};

static void changes(void **state)
{
    struct arena arena = {0};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct change between = change_between(cases[i].was, cases[i].becomes, &arena);
        struct change found;
        print_message("%s\n", cases[i].text);
        bool is = change_find(&between, cases[i].text, strlen(cases[i].text), 0, &found);
        assert_int_equal(is, cases[i].after != NULL);
        if (is && !*cases[i].becomes) {
            change_tidy(&found);
        }
        if (is) {
            assert_string_equal(change_after(&found, &arena), cases[i].after);
        }
    }
    arena_free(&arena);
}

/* Of equal lines of a body the one that the mutant changes. */
static void equals(void **state)
{
    static const char text[] = "CREATE FUNCTION f() AS $$ n := 1; m := 2; n := 1; $$";
    struct arena arena = {0};
    struct change between = change_between("n := 1;", "n := 2;", &arena);
    struct change found;
    (void)state;
    assert_true(change_find(&between, text, strlen(text), 1, &found));
    assert_string_equal(change_after(&found, &arena),
                        "CREATE FUNCTION f() AS $$ n := 1; m := 2; n := 2; $$");
    assert_false(change_find(&between, text, strlen(text), 2, &found));
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(changes), cmocka_unit_test(equals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
