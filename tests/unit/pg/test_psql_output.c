/* Recorded messages of psql 15 for failing scripts, and invented ones. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "pg/psql_output.h"

#include <string.h>

static const struct {
    const char *output;
    const char *file;
    size_t line;
    size_t column;
    const char *sqlstate;
    const char *message;
} recorded[] = {
    {"psql:a.sql:6: ERROR:  42704: type \"nosuchtype\" does not exist\n"
     "LINE 3:    j nosuchtype\n"
     "             ^\n"
     "LOCATION:  typenameType, parse_type.c:270\n"
     "psql:a.sql:6: STATEMENT:  CREATE TABLE b (\n   i int,\n   j nosuchtype\n);\n",
     "a.sql", 5, 6, "42704", "type \"nosuchtype\" does not exist"},
    {"psql:a:7:b.sql:5: WARNING:  01000: something else\n"
     "psql:a:7:b.sql:9: FEHLER:  23505: duplicate key\n"
     "DETAIL:  Key (i)=(1) already exists.\n"
     "LOCATION:  _bt_check_unique, nbtinsert.c:664\n"
     "psql:a:7:b.sql:9: STATEMENT:  INSERT INTO u\n VALUES (1);\n",
     "a:7:b.sql", 8, 0, "23505", "duplicate key"},
    {"psql:bad4.sql:1: error: invalid command \\foo\n", "bad4.sql", 1, 0, "",
     "invalid command \\foo"},
    {"psql: error: nofile.sql: No such file or directory\n", NULL, 0, 0, "",
     "nofile.sql: No such file or directory"},
    {"psql:x.sql:1: ERROR:  42601: syntax error at or near \"x\"\n"
     "LINE 1: ...xxxxxxxxxxxxxxxxxxxx x\n"
     "                                ^\n"
     "psql:x.sql:1: STATEMENT:  SELECT x x x;\n",
     "x.sql", 1, 0, "42601", "syntax error at or near \"x\""},
    {"psql:g.sql:4: ERROR:  23502: column \"n\" of relation \"t\" contains null values\n"
     "LOCATION:  ATRewriteTable, tablecmds.c:6049\n"
     "psql:g.sql:4: STATEMENT:  ALTER TABLE t ALTER n SET NOT NULL\n"
     "psql:g.sql:4: STATEMENT:  SELECT 'ALTER TABLE t '\n|| 'ALTER n SET NOT NULL' \n",
     "g.sql", 3, 0, "23502", "column \"n\" of relation \"t\" contains null values"},
    {"", NULL, 0, 0, "", "psql failed without a message"},
    {"something else\n", NULL, 0, 0, "", "psql failed without a message"},
    {"psql:x.sql:3: WARNING:  01000: w\nLOCATION:  f, g.c:1\n"
     "ERROR:  23503: insert or update on table \"b\" violates it\n"
     "DETAIL:  Key (i)=(1) is not present.\n",
     NULL, 0, 0, "23503", "insert or update on table \"b\" violates it"},
    {"psql:", NULL, 0, 0, "", ""},
    {"psql:f:99999999999999999999: \npsql:f:1: STATEMENT:  ", NULL, 0, 0, NULL, NULL},
    {"psql:f:1: ERROR:  42601: x\nLINE 99999999999999999999: y\n   ^\n", NULL, 0, 0, NULL, NULL},
    {"psql:f:1: ERROR:  42601: x\nLINE", NULL, 0, 0, NULL, NULL},
    {"psql:f:1: STATEMENT:  only", NULL, 0, 0, NULL, NULL},
};

static const char nine_lines[] = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";

static void failures(void **state)
{
    struct arena arena = {0};
    (void)state;
    for (size_t i = 0; i < sizeof recorded / sizeof *recorded; i++) {
        struct psql_failure failure = psql_failure_read(recorded[i].output, &arena);
        assert_non_null(failure.message);
        if (!recorded[i].message) {
            (void)psql_failure_line(&failure, nine_lines);
            continue; /* only checks that reading is safe */
        }
        assert_string_equal(failure.message, recorded[i].message);
        assert_string_equal(failure.sqlstate, recorded[i].sqlstate);
        assert_int_equal(psql_failure_line(&failure, nine_lines), recorded[i].line);
        assert_int_equal(failure.column, recorded[i].column);
        if (recorded[i].file) {
            assert_string_equal(failure.file, recorded[i].file);
        } else {
            assert_null(failure.file);
        }
    }
    arena_free(&arena);
}

static void further_lines(void **state)
{
    struct arena arena = {0};
    (void)state;
    struct psql_failure failure = psql_failure_read(
        "psql:bad8.sql:3: ERROR:  P0001: a\nb\nDETAIL:  first\nsecond\nHINT:  try\n"
        "CONTEXT:  PL/pgSQL function f() line 2 at RAISE\nLOCATION:  exec_stmt_raise, x.c:1\n"
        "psql:bad8.sql:3: STATEMENT:  DO $$ BEGIN\n RAISE 'a\nb'; END $$;\n",
        &arena);
    assert_string_equal(failure.message, "a");
    assert_string_equal(failure.detail, "first\nsecond");
    assert_string_equal(failure.hint, "try");
    assert_string_equal(failure.context, "PL/pgSQL function f() line 2 at RAISE");
    assert_int_equal(psql_failure_line(&failure, nine_lines), 1);
    arena_free(&arena);
}

/* psql sends no empty line, unless it is in quotes. */
static void empty_lines(void **state)
{
    struct arena arena = {0};
    (void)state;
    static const struct {
        const char *file;
        const char *statement;
        const char *end;
        const char *inside;
        size_t line;
    } tries[] = {
        {"CREATE TABLE a (\ni int,\n\nj nosuch,\nk text,\n\nl text\n);\n",
         "CREATE TABLE a (\ni int,\nj nosuch,\nk text,\nl text\n);", "8", "3", 4},
        {"\n\n\nSELECT\n\n\nx\n\n\n", "SELECT\nx\n", "9", "2", 7},
        {"SELECT 1;\nSELECT '\n\n'\n\n, x;\n", "SELECT '\n\n'\n, x;", "6", "4", 6},
        {"SELECT 1;\nSELECT '\n\n'\n\n, x;\n", "SELECT '\n\n'\n, x;", "6", "1", 2},
        {"SELECT x\n\n;", "SELECT x\n;", "9", "1", 1}, /* the file is another one by now */
        {"", "SELECT\nx\n;", "3", "2", 1},
    };
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        struct psql_failure failure = psql_failure_read(
            arena_printf(&arena,
                         "psql:a.sql:%s: ERROR:  42703: no\nLINE %s: x\n   ^\n"
                         "psql:a.sql:%s: STATEMENT:  %s\n",
                         tries[i].end, tries[i].inside, tries[i].end, tries[i].statement),
            &arena);
        assert_int_equal(psql_failure_line(&failure, tries[i].file), tries[i].line);
    }
    arena_free(&arena);
}

/* The end of the preceding output, without the server's positions. */
static void words_before(void **state)
{
    struct arena arena = {0};
    (void)state;
    struct psql_failure failure =
        psql_failure_read("0\n1\ncat: /nosuch: No such file or directory\n3\n4\n5\n6\n7\n8\n"
                          "psql:x.sql:1: WARNING:  01000: w\nLOCATION:  f, g.c:1\n"
                          "psql:x.sql:2: error: invalid command \\foo\n",
                          &arena);
    assert_string_equal(failure.message, "invalid command \\foo");
    assert_string_equal(failure.before,
                        "1\ncat: /nosuch: No such file or directory\n3\n4\n5\n6\n7\n"
                        "8\npsql:x.sql:1: WARNING:  01000: w");
    assert_null(psql_failure_read("psql:x.sql:2: error: x\n", &arena).before);
    assert_string_equal(psql_failure_read("sh: killed\n", &arena).before, "sh: killed");
    arena_free(&arena);
}

/* Every prefix of a real output: reading stops at its end (the sanitizers check). */
static void prefixes(void **state)
{
    struct arena arena = {0};
    (void)state;
    for (size_t size = strlen(recorded[0].output); size > 0; size--) {
        const char *cut = arena_strndup(&arena, recorded[0].output, size);
        assert_non_null(psql_failure_read(cut, &arena).message);
    }
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failures),    cmocka_unit_test(further_lines),
        cmocka_unit_test(empty_lines), cmocka_unit_test(words_before),
        cmocka_unit_test(prefixes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
