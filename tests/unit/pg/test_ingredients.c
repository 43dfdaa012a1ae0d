// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "pg/ingredients.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static bool key_of(const char *text, struct ingredients_key *key)
{
    static const char *const files[] = {"a.sql"};
    const struct ingredients of = {.files = files, .count = 1, .bindir = "/nowhere/bin"};
    write_file("a.sql", text);
    return ingredients_key(&of, key);
}

static void test_closed(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "CREATE TABLE t (a int DEFAULT 1);",
        "COPY t FROM stdin;\n1\t\\i x\n\\.\nSELECT 1;",
        "\\set x 1\n\\echo `\n",
        "\\restrict abc\n\\unrestrict abc\n\\echo \"CREATE EXTENSION\"\n",
        "\\i b.sql",
        "\\ir b.sql\r\n",
        "\\include 'b.sql'",
        "SELECT a IS DISTINCT FROM 'b'; SELECT 1 \\; SELECT 2;",
        "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 1 \\i x $$;",
        "COPY (SELECT a FROM (SELECT b FROM \"u v\") AS s) TO STDOUT;",
        "COPY t (a) FROM STDIN;\n\\.\n",
        "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET a.b = c', current_database()); END $$;",
        "SET standard_conforming_strings = on; GRANT ALL ON FOREIGN SERVER s TO r;",
        "SELECT programs FROM copied WHERE x = 'copy'; SELECT trim(both from 'x');",
    };
    struct ingredients_key keys[sizeof texts / sizeof *texts];
    write_file("b.sql", "CREATE TABLE b ();");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        bool echoes = strchr(texts[i], '`') || strstr(texts[i], "EXTENSION");
        if (key_of(texts[i], &keys[i]) == echoes) {
            fail_msg("%s", texts[i]);
        }
        for (size_t j = 0; !echoes && j < i; j++) {
            assert_memory_not_equal(&keys[i], &keys[j], sizeof keys[i]);
        }
    }
}

static void test_open(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "\\set x `date`",
        "\\! date",
        "\\i nowhere.sql",
        "\\i a.sql",
        "\\i :x",
        "\\ir b.sql c.sql",
        "\\ir b.sql \\! date",
        "\\i ~/b.sql",
        "\\copy t from b.csv",
        "\\copy t from stdin\n1\n\\.\n",
        "\\getenv x HOME",
        "\\c other",
        "SELECT 1 \\g out.txt",
        "SELECT 1 \\g |cat",
        "\\o out.txt",
        "COPY t FROM '/tmp/x';",
        "copy public.t (a, b)\n  from\n  $$/tmp/x$$",
        "COPY t FROM PROGRAM 'date';",
        "\\set f /tmp/x\nCOPY t FROM :'f';",
        "COPY t FROM E'/tmp/x';",
        "COPY t FROM U&'/tmp/x';",
        "COPY t FROM -- a file\n'/tmp/x';",
        "DO $$ BEGIN EXECUTE format('COPY t FROM %L', '/tmp/x'); END $$;",
        "CREATE TABLE t AS SELECT current_database() AS name;",
        "CREATE TABLE t AS SELECT :'DBNAME' AS name;",
        "SELECT current_setting('unix_socket_directories')",
        "CREATE SERVER s FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '/tmp');",
        "CREATE FOREIGN TABLE f (a int) SERVER s;",
        "SELECT set_config('standard_conforming_strings', 'off', false)",
        "SET standard_conforming_strings = off;",
        "\\if false\nCOPY x FROM stdin;\n\\endif\n",
        "SELECT chr(92) || 'ir x' AS v \\gset\n:v\n",
        "SELECT PG_READ_FILE('x')",
        "SELECT * FROM dblink('', '')",
        "IMPORT FOREIGN SCHEMA s FROM SERVER x INTO y;",
        "CREATE EXTENSION IF NOT EXISTS pgcrypto;", /* the place of its files is unknown */
        "CREATE TEXT SEARCH DICTIONARY d (TEMPLATE = synonym, SYNONYMS = mine);",
        "INSERT INTO t VALUES (to_tsvector('english', 'the words'));",
        "DO LANGUAGE plpython3u $$ plpy.execute(open('/tmp/x').read()) $$;",
        "CREATE FUNCTION f() RETURNS int LANGUAGE PLPERLU AS $$ return `date`; $$;",
        "\xff\\",
    };
    struct ingredients_key key;
    write_file("b.sql", "CREATE TABLE b ();");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (key_of(texts[i], &key)) {
            fail_msg("%s", texts[i]);
        }
    }
}

static void test_contents(void **state)
{
    (void)state;
    struct ingredients_key first;
    struct ingredients_key second;
    write_file("b.sql", "CREATE TABLE b ();");
    assert_true(key_of("\\ir b.sql\n", &first));
    assert_true(key_of("\\ir b.sql\n", &second));
    assert_memory_equal(&first, &second, sizeof first);
    write_file("b.sql", "CREATE TABLE c ();");
    assert_true(key_of("\\ir b.sql\n", &second));
    assert_memory_not_equal(&first, &second, sizeof first);
    /* psql knows no migrations: of an included one it runs all */
    write_file("b.sql", "-- migrate:up\nSELECT 1;\n-- migrate:down\n\\ir nowhere.sql\n");
    assert_false(key_of("\\ir b.sql\n", &first));
    write_file("b.sql", "CREATE TABLE c ();");
    assert_int_equal(setenv("PGTZ", "Europe/Lisbon", 1), 0);
    assert_true(key_of("\\ir b.sql\n", &first));
    assert_memory_not_equal(&first, &second, sizeof first);
    assert_int_equal(unsetenv("PGTZ"), 0);
    /* the set of files, and their boundaries */
    const char *const files[] = {"a.sql", "b.sql"};
    struct ingredients of = {.files = files, .count = 2, .bindir = "/"};
    write_file("a.sql", "x");
    write_file("b.sql", "yz");
    assert_true(ingredients_key(&of, &first));
    write_file("a.sql", "xy");
    write_file("b.sql", "z");
    assert_true(ingredients_key(&of, &second));
    assert_memory_not_equal(&first, &second, sizeof first);
    of.count = 0;
    assert_false(ingredients_key(&of, &first));
}

static void test_clock(void **state)
{
    static const char *const asks[] = {
        "CREATE TABLE t (at timestamptz DEFAULT Now());",
        "INSERT INTO t VALUES ('today'::date);",
        "CREATE FUNCTION f() RETURNS date LANGUAGE sql AS $$ SELECT CURRENT_DATE $$;",
    };
    struct ingredients_key key;
    (void)state;
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
        assert_true(key_of(asks[i], &key));
        assert_int_not_equal(key.max_age_s, 0);
    }
    assert_true(key_of("CREATE TABLE known (now_at timestamptz, days interval);", &key));
    assert_int_equal(key.max_age_s, 0);
}

/* Versions of the server's installation are part of the key if the schema uses them. */
static void test_shared(void **state)
{
    static const char *const files[] = {"a.sql"};
    static const char *const folders[] = {"share", "share/extension", "share/tsearch_data"};
    struct ingredients of = {.files = files, .count = 1, .bindir = "bin"};
    struct ingredients_key first;
    struct ingredients_key second;
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(mkdir(folders[i], 0700), 0);
    }
    assert_int_equal(mkdir("bin", 0700), 0);
    write_file("a.sql", "CREATE TEXT SEARCH DICTIONARY d (TEMPLATE = synonym, SYNONYMS = mine);");
    assert_true(ingredients_key(&of, &first));
    write_file("share/tsearch_data/mine.syn", "a b");
    assert_true(ingredients_key(&of, &second));
    assert_memory_not_equal(&first, &second, sizeof first);
    write_file("a.sql", "CREATE TABLE t ();");
    assert_true(ingredients_key(&of, &first));
    write_file("share/tsearch_data/mine.syn", "a c d");
    assert_true(ingredients_key(&of, &second));
    assert_memory_equal(&first, &second, sizeof first);
    unlink("share/tsearch_data/mine.syn");
    for (size_t i = 3; i > 0; i--) {
        assert_int_equal(rmdir(folders[i - 1]), 0);
    }
    assert_int_equal(rmdir("bin"), 0);
}

static int enter(void **state)
{
    static char folder[] = "ingredients.XXXXXX";
    *state = mkdtemp(folder);
    return *state && chdir(folder) == 0 ? 0 : 1;
}

static int leave(void **state)
{
    unlink("a.sql");
    unlink("b.sql");
    return chdir("..") == 0 && rmdir(*state) == 0 ? 0 : 1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed),   cmocka_unit_test(test_open),
        cmocka_unit_test(test_contents), cmocka_unit_test(test_clock),
        cmocka_unit_test(test_shared),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
