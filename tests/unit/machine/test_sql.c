/* The scanner for SQL. The expectations are from the manual, section 4.1, and from psql 15's
 * reading of the same text (\gset and :variables), never from the code's output. */
#include "machine/sql/sql.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct arena arena;

static int clear(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

/* The known names: a, n and role. */
static bool known(const void *context, const char *name, size_t size)
{
    (void)context;
    return (size == 1 && (*name == 'a' || *name == 'n')) || (size == 4 && !memcmp(name, "role", 4));
}

static struct source source;
static struct diagnostics diagnostics;

static bool scan(const char *sql, struct sql_templates *out)
{
    diagnostics = (struct diagnostics){.arena = &arena};
    source = (struct source){.name = "sql", .text = sql, .size = strlen(sql)};
    struct snippet snippet = snippet_of_source(&source);
    return sql_scan(&snippet, known, NULL, &arena, out, &diagnostics);
}

/* `SELECT <a> | SELECT 2`: parameters in <>, <'>, <">; statements parted by |. */
static const char *shown(const struct sql_templates *templates)
{
    static const char *const marks[] = {
        [SQL_VALUE] = "<", [SQL_LITERAL] = "<'", [SQL_IDENTIFIER] = "<\""};
    struct strbuf out = {0};
    for (size_t i = 0; i < templates->items.count; i++) {
        const struct sql_template *template = templates->items.items[i];
        strbuf_adds(&out, i ? " | " : "");
        for (size_t k = 0; k < template->pieces.count; k++) {
            const struct sql_piece *piece = &template->pieces.items[k];
            strbuf_adds(&out, piece->kind == SQL_TEXT ? "" : marks[piece->kind]);
            strbuf_add(&out, piece->text, piece->size);
            strbuf_adds(&out, piece->kind == SQL_TEXT ? "" : ">");
        }
    }
    const char *text = strbuf_copy(&out, &arena);
    strbuf_free(&out);
    return text;
}

static void check(const char *sql, const char *expected)
{
    struct sql_templates templates = {0};
    if (!scan(sql, &templates)) {
        struct strbuf text = {0};
        error_format(&diagnostics.errors.items[0], &text);
        fail_msg("%s", strbuf_text(&text));
    }
    assert_string_equal(shown(&templates), expected);
}

static void test_parameters(void **state)
{
    (void)state;
    check("SELECT :a", "SELECT <a>");
    check("SELECT :a, :a", "SELECT <a>, <a>");
    check(":a", "<a>");
    check("SELECT :unknown", "SELECT <unknown>");
    check("SELECT :'a', :\"role\"", "SELECT <'a>, <\"role>");
    check("SELECT:a+:n", "SELECT<a>+<n>");
    check("SELECT f(:a)::int", "SELECT f(<a>)::int");
    check("SELECT :a::text", "SELECT <a>::text");
    check("SELECT x::::a", "SELECT x::::a"); /* two casts, then a name */
    check("SELECT x:::a", "SELECT x::<a>");
    check("SELECT f(x:=:a)", "SELECT f(x:=<a>)");
    check("SELECT f(x := 1)", "SELECT f(x := 1)");
    check("SELECT f(x => :a)", "SELECT f(x => <a>)");
    check("SELECT :1, 12:30", "SELECT :1, 12:30"); /* in psql these are unset variables */
    check("SELECT :\xc3\xa9", "SELECT <\xc3\xa9>");
    check("SELECT :_x1 ", "SELECT <_x1>");
    check("SELECT :'not a name', :\"\"", "SELECT :'not a name', :\"\"");
}

static void test_slices(void **state)
{
    (void)state;
    check("SELECT x[1:2]", "SELECT x[1:2]");
    check("SELECT x[1:n]", "SELECT x[1:<n>]"); /* n is a known name */
    check("SELECT x[f(1):n], y[CASE WHEN b THEN :n END], z[1+:n]",
          "SELECT x[f(1):<n>], y[CASE WHEN b THEN <n> END], z[1+<n>]");
    check("SELECT x[1:m]", "SELECT x[1:m]"); /* m is not: a column */
    check("SELECT x[i:j][k:n]", "SELECT x[i:j][k:<n>]");
    check("SELECT x[1 : n]", "SELECT x[1 : n]");
    check("SELECT x[:m]", "SELECT x[:m]");
    check("SELECT x[:n]", "SELECT x[<n>]");
    check("SELECT x[:]", "SELECT x[:]");
    check("SELECT x[f(:m):2]", "SELECT x[f(<m>):2]"); /* parentheses hold no slice */
    check("SELECT x[1:m::int]", "SELECT x[1:m::int]");
    check("SELECT ARRAY[:m, 1]", "SELECT ARRAY[<m>, 1]"); /* nor does a list of elements */
    check("SELECT array [ [1,:m], [:k] ]", "SELECT array [ [1,<m>], [<k>] ]");
    check("SELECT ARRAY[x[1:m]]", "SELECT ARRAY[x[1:m]]");
    check("SELECT 'x[' || :m", "SELECT 'x[' || <m>");
}

static void test_strings(void **state)
{
    (void)state;
    check("SELECT ':a b', :a", "SELECT ':a b', <a>");
    check("SELECT 'it''s :a'", "SELECT 'it''s :a'");
    check("SELECT 'back\\', :a", "SELECT 'back\\', <a>"); /* standard_conforming_strings */
    check("SELECT E'quote \\' :a', :a", "SELECT E'quote \\' :a', <a>");
    check("SELECT e'\\\\', :a", "SELECT e'\\\\', <a>");
    check("SELECT E'''\\''", "SELECT E'''\\''");
    check("SELECT B'01;', X'1F', n':a;'", "SELECT B'01;', X'1F', n':a;'");
    check("SELECT U&'\\0061;:a' UESCAPE '!', U&\"d\\0061;:a\"",
          "SELECT U&'\\0061;:a' UESCAPE '!', U&\"d\\0061;:a\"");
    check("SELECT \"a;\"\":n\", :a", "SELECT \"a;\"\":n\", <a>");
    check("SELECT \"e\"';'", "SELECT \"e\"';'");
    check("SELECT E 'a\\'", "SELECT E 'a\\'");     /* a space: a name and a plain string */
    check("SELECT name'a\\'", "SELECT name'a\\'"); /* a type's name, not E'' */
    check("SELECT 'a' -- why\n ';:n'", "SELECT 'a' -- why\n ';:n'");
    check("SELECT E'a'\n'\\';'", "SELECT E'a'\n'\\';'"); /* goes on as E'' */
    check("SELECT 'a' ';'", "SELECT 'a' ';'");
    check("SELECT 'a' /* x\n */ , ';'", "SELECT 'a' /* x\n */ , ';'");
}

static void test_dollar_quotes(void **state)
{
    (void)state;
    check("SELECT $$;:a'$$, :a", "SELECT $$;:a'$$, <a>");
    check("SELECT $q$ $$ ; $Q$ $q$; SELECT 2", "SELECT $q$ $$ ; $Q$ $q$ | SELECT 2");
    check("SELECT $a$ $b$a$; SELECT 2", "SELECT $a$ $b$a$ | SELECT 2");
    check("SELECT $\xc3\xa9$;$\xc3\xa9$", "SELECT $\xc3\xa9$;$\xc3\xa9$");
    check("SELECT a$b$c; SELECT 2", "SELECT a$b$c | SELECT 2"); /* a$b$c is one name */
}

static void test_comments(void **state)
{
    (void)state;
    check("SELECT 1 -- ; :a '\n, :a", "SELECT 1 -- ; :a '\n, <a>");
    check("SELECT /* ; /* :a */ ' */ :a", "SELECT /* ; /* :a */ ' */ <a>");
    check("SELECT 1+--;\n2", "SELECT 1+--;\n2"); /* an operator ends where a comment begins */
    check("SELECT 2*/*;*/3", "SELECT 2*/*;*/3");
    check("SELECT 1; -- the end", "SELECT 1");
    check("/* only */ ; -- comments", "");
    check("-- kept\nSELECT 1 -- dropped\n", "-- kept\nSELECT 1");
    check("SELECT 1 - -1", "SELECT 1 - -1");
}

static void test_statements(void **state)
{
    (void)state;
    check("", "");
    check(" ;; ; ", "");
    check("SELECT 1;SELECT 2 ; ", "SELECT 1 | SELECT 2");
    check("CREATE RULE r AS ON INSERT TO t DO ALSO (DELETE FROM u; DELETE FROM v); SELECT 1",
          "CREATE RULE r AS ON INSERT TO t DO ALSO (DELETE FROM u; DELETE FROM v) | SELECT 1");
    check("SELECT 1) ; SELECT 2", "SELECT 1) | SELECT 2"); /* the server says what is wrong */
    check("SELECT a.end, b AS case; SELECT 2", "SELECT a.end, b AS case | SELECT 2");
}

static void test_routines(void **state)
{
    (void)state;
    check("CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 1; SELECT 2 $$; SELECT 3",
          "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 1; SELECT 2 $$ | SELECT 3");
    check("CREATE OR REPLACE FUNCTION f(int) RETURNS int BEGIN ATOMIC SELECT $1; SELECT 2; END; "
          "SELECT 3",
          "CREATE OR REPLACE FUNCTION f(int) RETURNS int BEGIN ATOMIC SELECT $1; SELECT 2; END | "
          "SELECT 3");
    check("CREATE PROCEDURE p() BEGIN ATOMIC SELECT CASE WHEN true THEN CASE 1 WHEN 2 THEN 3 END "
          "END; SELECT (CASE WHEN x THEN y END); SELECT t.end FROM t; END; SELECT 3",
          "CREATE PROCEDURE p() BEGIN ATOMIC SELECT CASE WHEN true THEN CASE 1 WHEN 2 THEN 3 END "
          "END; SELECT (CASE WHEN x THEN y END); SELECT t.end FROM t; END | SELECT 3");
    check("CREATE FUNCTION f() RETURNS int RETURN CASE WHEN true THEN 1 END; SELECT 3",
          "CREATE FUNCTION f() RETURNS int RETURN CASE WHEN true THEN 1 END | SELECT 3");
    check("CREATE TABLE atomic (begin_at int); SELECT 1",
          "CREATE TABLE atomic (begin_at int) | SELECT 1");
}

static void test_facts(void **state)
{
    (void)state;
    struct sql_templates out = {0};
    assert_true(scan("select :a, :n, :'a'; (values (1)); create table t(); with x as (select 1) "
                     "select * into u from x; insert into t select 1; do 'begin end'",
                     &out));
    assert_int_equal(out.items.count, 6);
    struct sql_template **items = out.items.items;
    assert_string_equal(items[0]->command, "SELECT");
    assert_int_equal(items[0]->value_count, 2);
    assert_true(items[0]->pasted);
    assert_false(items[0]->is_ddl);
    assert_string_equal(items[1]->command, "VALUES");
    assert_false(items[1]->pasted);
    assert_true(items[2]->is_ddl);
    assert_string_equal(items[3]->command, "WITH");
    assert_true(items[3]->is_ddl); /* SELECT INTO */
    assert_false(items[4]->is_ddl);
    assert_true(items[5]->is_ddl);
    assert_int_equal(items[0]->pieces.items[3].offset, 11); /* :n, in its statement */
    assert_memory_equal(items[1]->snippet.text, "(values (1))", items[1]->snippet.size);
}

static void test_shared(void **state)
{
    (void)state;
    static const char *const shared[] = {
        "CREATE ROLE r",         "create user :\"name\" LOGIN",
        "DROP ROLE IF EXISTS r", "ALTER GROUP g ADD USER u",
        "GRANT r TO s",          "GRANT :\"r\" TO s",
        "REVOKE r, q FROM s",    "COMMENT ON ROLE r IS 'x'",
        "ALTER USER u NOLOGIN",
    };
    static const char *const own[] = {
        "CREATE TABLE role (x int)",       "CREATE USER MAPPING FOR u SERVER s",
        "GRANT SELECT ON t TO r",          "GRANT ALL PRIVILEGES ON t TO r",
        "REVOKE USAGE ON SCHEMA s FROM r", "SELECT 1",
        "COMMENT ON TABLE role IS 'x'",    "REVOKE GRANT OPTION FOR SELECT ON t FROM r",
    };
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        struct sql_templates out = {0};
        assert_true(scan(shared[i], &out));
        assert_true(out.items.items[0]->is_shared);
    }
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        struct sql_templates out = {0};
        assert_true(scan(own[i], &out));
        assert_false(out.items.items[0]->is_shared);
    }
}

static const struct {
    const char *sql;
    size_t offset;
    const char *message;
} refused[] = {
    {"BEGIN", 0, "BEGIN is transaction control"},
    {" -- x\n begin work", 7, "BEGIN is transaction control"},
    {"SELECT 1; START TRANSACTION READ ONLY", 10, "START TRANSACTION is transaction control"},
    {"COMMIT AND CHAIN", 0, "COMMIT is transaction control"},
    {"commit prepared 'x'", 0, "COMMIT PREPARED is transaction control"},
    {"END", 0, "END is transaction control"},
    {"ROLLBACK TO SAVEPOINT x", 0, "ROLLBACK is transaction control"},
    {"abort", 0, "ABORT is transaction control"},
    {"SAVEPOINT x", 0, "SAVEPOINT is transaction control"},
    {"RELEASE x", 0, "RELEASE is transaction control"},
    {"PREPARE TRANSACTION 'x'", 0, "PREPARE TRANSACTION is transaction control"},
    {"SET TRANSACTION READ ONLY", 0, "SET TRANSACTION is transaction control"},
    {"SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY", 0, "SET SESSION CHARACTERISTICS is"},
    {"SET ROLE x", 0, "SET ROLE would change who"},
    {"SET LOCAL role = x", 0, "SET LOCAL ROLE would change who"},
    {"SET SESSION AUTHORIZATION x", 0, "SET SESSION AUTHORIZATION would change who"},
    {"SET session_authorization TO x", 0, "SET SESSION_AUTHORIZATION would change who"},
    {"RESET ROLE", 0, "RESET ROLE would change who"},
    {"PREPARE p AS SELECT 1", 0, "PREPARE interferes with prepared statements"},
    {"EXECUTE p", 0, "EXECUTE interferes with prepared"},
    {"DEALLOCATE ALL", 0, "DEALLOCATE interferes with prepared"},
    {"DISCARD ALL", 0, "DISCARD interferes with prepared"},
    {"VACUUM t", 0, "VACUUM cannot run inside a transaction"},
    {"CREATE DATABASE x", 0, "CREATE DATABASE cannot run inside"},
    {"CREATE UNIQUE INDEX CONCURRENTLY i ON t (x)", 0, "CONCURRENTLY cannot run inside"},
    {"RESET ALL", 0, "RESET ALL would undo settings"},
    {"SET standard_conforming_strings = off", 0, "SET STANDARD_CONFORMING_STRINGS would undo"},
    {"COPY t FROM STDIN", 0, "COPY from or to the client"},
    {"COPY t FROM STDOUT", 0, "COPY from or to the client"}, /* either word stands for both */
    {"COPY (SELECT 1) TO STDIN", 0, "COPY from or to the client"},
    {"copy (SELECT 1 FROM t) to stdout with csv", 0, "COPY from or to the client"},
    {"SELECT $1", 7, "parameters have names here"},
    {"SELECT 1 \\gset", 9, "a backslash is not SQL"},
    {"GRANT SELECT ON t TO :role", 21, "no value can be bound here"},
    {"SET app.x = :a", 12, "no value can be bound here"},
    {"SELECT 'x", 7, "a string (') is not closed"},
    {"SELECT :'a", 8, "a string (') is not closed"},
    {"SELECT E'x\\'", 7, "a string (') is not closed"},
    {"SELECT \"x", 7, "a quoted name (\") is not closed"},
    {"SELECT $a$ $b$", 7, "a dollar-quoted string ($…$) is not closed"},
    {"SELECT 1 /* /* */", 9, "a comment (/*) is not closed"},
    {"SELECT (1; SELECT 2", 7, "this ( is not closed"},
    {"SELECT x[1; SELECT 2", 8, "this [ is not closed"},
    {"CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1;", 32, "this BEGIN ATOMIC has no END"},
};

static void test_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct sql_templates out = {0};
        assert_false(scan(refused[i].sql, &out));
        assert_int_equal(diagnostics.errors.count, 1);
        const struct error *err = &diagnostics.errors.items[0];
        if (strncmp(err->message, refused[i].message, strlen(refused[i].message)) != 0) {
            fail_msg("%s\n%s\n%s", refused[i].sql, err->message, refused[i].message);
        }
        assert_int_equal(err->pos.offset, refused[i].offset);
    }
}

/* Statements that a transaction does not allow, except those for the whole server. */
static void test_outside(void **state)
{
    (void)state;
    struct sql_templates out = {.outside = true};
    assert_true(scan("VACUUM t; CREATE INDEX CONCURRENTLY i ON t (a); REINDEX DATABASE", &out));
    assert_int_equal(out.items.count, 3);
    assert_false(scan("ALTER SYSTEM SET work_mem = 1", &out));
    assert_false(scan("SET ROLE x", &out));
}

static void test_allowed(void **state)
{
    (void)state;
    check("SET LOCAL statement_timeout = '1s'", "SET LOCAL statement_timeout = '1s'");
    check("SET CONSTRAINTS ALL DEFERRED", "SET CONSTRAINTS ALL DEFERRED");
    check("RESET work_mem", "RESET work_mem");
    check("COPY t FROM '/x'", "COPY t FROM '/x'");
    check("COPY stdin FROM PROGRAM 'x'", "COPY stdin FROM PROGRAM 'x'");
    check("CALL p(:a)", "CALL p(<a>)");
    check("CREATE TABLE t AS SELECT :a::int", "CREATE TABLE t AS SELECT <a>::int");
    check("CREATE ROLE :\"role\"", "CREATE ROLE <\"role>");
    check("REFRESH MATERIALIZED VIEW CONCURRENTLY v", "REFRESH MATERIALIZED VIEW CONCURRENTLY v");
    check("SELECT 1 AS commit", "SELECT 1 AS commit");
    check("EXPLAIN SELECT :a::int", "EXPLAIN SELECT <a>::int");
}

/* Every mistake of a text is reported, not only the first. */
static void test_all_at_once(void **state)
{
    (void)state;
    struct sql_templates out = {0};
    assert_false(scan("BEGIN; SELECT $1; COMMIT; SELECT (1", &out));
    assert_int_equal(diagnostics.errors.count, 4);
}

static void test_too_many(void **state)
{
    (void)state;
    struct strbuf text = {0};
    for (int i = 0; i < 2000; i++) {
        strbuf_adds(&text, "a;");
    }
    struct sql_templates out = {0};
    assert_false(scan(strbuf_text(&text), &out));
    assert_string_equal(diagnostics.errors.items[0].message,
                        "more than 1000 statements in one text");
    strbuf_free(&text);
}

/* For any bytes, the scanner only fails with a message. */
static void test_any_bytes(void **state)
{
    (void)state;
    static const char alphabet[] = "aE$'\"\\:;()[]/*-\n 1.nU&\xc3\xa9";
    uint64_t seed = 1;
    for (int round = 0; round < 20000; round++) {
        char text[40];
        size_t size = (size_t)(round % 39);
        for (size_t i = 0; i < size; i++) {
            seed = seed * 6364136223846793005U + 1442695040888963407U;
            text[i] = alphabet[(seed >> 33) % (sizeof alphabet - 1)];
        }
        text[size] = '\0';
        struct sql_templates out = {0};
        bool ok = scan(text, &out);
        assert_int_equal(ok, diagnostics.errors.count == 0);
        struct sql_literals literals = {0};
        struct snippet snippet = snippet_of_source(&source);
        sql_collect_literals(&snippet, &arena, &literals);
        struct sql_file file = {.source = &source, .escapes = round % 2};
        struct sql_file_statement statement;
        size_t last = 0;
        while (sql_file_next(&file, &statement)) {
            assert_true(statement.start >= last && statement.end <= size);
            last = file.at;
        }
        arena_reset(&arena);
    }
}

static const struct {
    const char *file;
    const char *command; /* NULL: none */
    size_t offset;
} files[] = {
    {"", NULL, 0},
    {"CREATE TABLE t (x int);\n", NULL, 0},
    {"SELECT 1;\nBEGIN;\nCOMMIT;\n", "BEGIN", 10},
    {"CREATE TABLE t ();\ncommit", "COMMIT", 19},
    {"CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN; COMMIT; END $$;", NULL, 0},
    {"CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE 1 WHEN 1 THEN 1 END; END; END;",
     "END", 83},
    {"CREATE RULE r AS ON INSERT TO t DO ALSO (SELECT 1; COMMIT);", NULL, 0},
    {"\\restrict abc'\nSELECT 1;\n\\unrestrict abc'\n", NULL, 0},
    {"\\echo it's\nROLLBACK;", "ROLLBACK", 11},
    {"BEGIN \\g\n", "BEGIN", 0},
    {"SELECT 1\\; COMMIT;", "COMMIT", 11},
    {"COPY t (a) FROM stdin;\nBEGIN;\n'\n\\.\nSELECT 1;\n", NULL, 0},
    {"COPY t FROM STDIN WITH csv;\r\n1\r\n\\.\r\nABORT;", "ABORT", 36},
    {"\\copy t from stdin\nBEGIN;\n'\n\\.\n", NULL, 0},
    {"SET standard_conforming_strings = off;\nSELECT '\\';COMMIT;';\nEND;", "END", 60},
    {"SET standard_conforming_strings TO 'on';\nSELECT '\\';COMMIT;", "COMMIT", 52},
    {"SELECT '\\';COMMIT;", "COMMIT", 11},
    {"SELECT 1; /* open", NULL, 0},
    {"SET standard_conforming_strings = 0;\nSELECT '\\';COMMIT;';\nEND;", "END", 58},
    {"SET LOCAL standard_conforming_strings TO 'fal';\nSELECT '\\';COMMIT;';\nEND;", "END", 69},
    {"SET SESSION standard_conforming_strings = no; SET standard_conforming_strings = DEFAULT;\n"
     "SELECT '\\';COMMIT;",
     "COMMIT", 100},
    {"CREATE FUNCTION f(\"end\" int) RETURNS int BEGIN ATOMIC SELECT f.end, 1 AS end; END; END;",
     "END", 83},
};

/* Each statement without the text around it. */
static const struct {
    const char *file;
    const char *statements[4];
    bool escapes;
} parts[] = {
    {" ;; -- a ;\n/* b; */ SELECT 1 ; ;SELECT 2", {"SELECT 1", "SELECT 2"}, false},
    {"SELECT '\\'; SELECT '\\';", {"SELECT '\\'", "SELECT '\\'"}, false},
    {"SELECT '\\'; SELECT '; SELECT 3;", {"SELECT '\\'; SELECT '", "SELECT 3"}, true},
    {"SELECT 1; SELECT 'open;", {"SELECT 1", "SELECT 'open;"}, false},
    {"SELECT 1; /* open;", {"SELECT 1", "/* open;"}, false},
    {"SELECT a$b$; SELECT $b$;$b$", {"SELECT a$b$", "SELECT $b$;$b$"}, false},
};

static void test_parts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const struct source whole = {
            .name = "x.sql", .text = parts[i].file, .size = strlen(parts[i].file)};
        struct sql_file file = {.source = &whole, .escapes = parts[i].escapes};
        struct sql_file_statement statement;
        size_t count = 0;
        while (sql_file_next(&file, &statement)) {
            const char *wanted = parts[i].statements[count++];
            assert_non_null(wanted);
            size_t size = statement.end - statement.start;
            if (size != strlen(wanted) || memcmp(whole.text + statement.start, wanted, size) != 0) {
                fail_msg("%s: %.*s", whole.text, (int)size, whole.text + statement.start);
            }
        }
        assert_null(parts[i].statements[count]);
    }
}

static void test_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct source file = {
            .name = "x.sql", .text = files[i].file, .size = strlen(files[i].file)};
        struct sql_file reader = {.source = &file};
        struct sql_file_statement statement = {0};
        while (!statement.control && sql_file_next(&reader, &statement)) {
        }
        const char *command = statement.control;
        if (!command != !files[i].command) {
            fail_msg("%s: %s", files[i].file, command ? command : "nothing found");
        }
        if (command) {
            assert_string_equal(command, files[i].command);
            assert_int_equal(statement.start, files[i].offset);
        }
    }
}

static const struct {
    const char *file;
    const char *what; /* NULL: it can be run inside a transaction */
} own[] = {
    {"CREATE TABLE t (x int); CREATE INDEX ON t (x);", NULL},
    {"CREATE TABLE t (); BEGIN;", "BEGIN"},
    {"CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS i ON t (x);", "CONCURRENTLY"},
    {"drop index concurrently i", "CONCURRENTLY"},
    {"ALTER TABLE p DETACH PARTITION q CONCURRENTLY;", "CONCURRENTLY"},
    {"REFRESH MATERIALIZED VIEW CONCURRENTLY v;", NULL},
    {"SELECT 1; VACUUM ANALYZE t;", "VACUUM"},
    {"SET standard_conforming_strings = on; SELECT 1;", NULL},
    {"SELECT set_config('standard_conforming_strings', 'off', false);",
     "standard_conforming_strings"},
    {"DO $$ BEGIN SET Standard_Conforming_Strings = off; END $$;", "standard_conforming_strings"},
    {"CREATE DATABASE d;", "CREATE DATABASE"},
    {"ALTER SYSTEM SET work_mem = '1MB';", "ALTER SYSTEM"},
    {"ALTER DATABASE d SET work_mem = '1MB';", NULL},
    {"ALTER TYPE mood ADD VALUE 'glad';", "ALTER TYPE … ADD VALUE"},
    {"ALTER TYPE \"a\".\"mood\" ADD VALUE IF NOT EXISTS 'glad';", "ALTER TYPE … ADD VALUE"},
    {"ALTER TYPE pair ADD ATTRIBUTE value int;", NULL},
    {"SELECT 'VACUUM'; -- VACUUM;\n", NULL},
    {"\\c other\nSELECT 1;", "\\connect"},
    {"\\connect -\n", "\\connect"},
    {"\\copy t from 'x'\n\\conninfo\n\\cd ..\n", NULL},
    {"COPY t FROM stdin;\n\\c x\nVACUUM;\n\\.\n", NULL},
    {"DO $$ BEGIN COMMIT; END $$;", NULL},
};

static void test_files_that_need_themselves(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        const struct source file = {
            .name = "x.sql", .text = own[i].file, .size = strlen(own[i].file)};
        const char *what = NULL;
        bool found = sql_file_needs_itself(&file, &what);
        if (found != (own[i].what != NULL)) {
            fail_msg("%s: %s", own[i].file, found ? what : "nothing found");
        }
        if (found) {
            assert_string_equal(what, own[i].what);
        }
    }
}

/* Places at which a file uses other databases than its own. */
static const struct {
    const char *file;
    int connects; /* offset, or -1 */
    int databases;
} beyond[] = {
    {"DROP DATABASE IF EXISTS shop;\nCREATE DATABASE shop;\n\\c shop\nSELECT 1;", 52, 0},
    {"SELECT 1;\n\\connect -reuse-previous=on \"dbname='a'\"\n", 10, -1},
    {"SELECT 1 \\connect shop joe\n", 9, -1},
    {"\\c\n\\c - joe\n\\connect :DBNAME\n\\conninfo\n\\copy t from 'x'\n", -1, -1},
    {"SELECT '\\c x'; -- DROP DATABASE x;\n/* a */ drop /* b */ database x", -1, 43},
    {"COPY t FROM stdin;\n\\c x\nDROP DATABASE x;\n\\.\nALTER DATABASE x SET a.b = 1;", -1, -1},
    {"DO $$ BEGIN EXECUTE 'x'; END $$; CREATE DATABASE x", -1, 33},
    {"", -1, -1},
};

static void test_files_that_leave_their_database(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
        const struct source file = {
            .name = "x.sql", .text = beyond[i].file, .size = strlen(beyond[i].file)};
        size_t offset = 0;
        int connects = sql_file_connects(&file, &offset) ? (int)offset : -1;
        int databases = sql_file_has_databases(&file, &offset) ? (int)offset : -1;
        if (connects != beyond[i].connects || databases != beyond[i].databases) {
            fail_msg("%s: connects at %d, a database at %d", beyond[i].file, connects, databases);
        }
    }
}

static void test_migrations(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        const char *up; /* NULL: as it is */
        bool is;
        bool no_transaction;
        int outside; /* -1: nothing */
    } rows[] = {
        {"", NULL, false, false, -1},
        {"SELECT 1;\n-- migrate:down\nSELECT 2;", NULL, false, false, -1},
        {"-- x\n\n-- migrate:up\nA;\n-- migrate:down\nB;\n",
         "-- x\n\n-- migrate:up\nA;\n               \n  \n", true, false, -1},
        {"--MIGRATE:UP transaction:false\r\nA", NULL, true, true, -1},
        {"-- migrate:upwards\nA", NULL, false, false, -1},
        {" -- migrate:up\nA", NULL, false, false, -1},
        {"--\n A;\n-- migrate:up\nB", NULL, true, false, 3},
        {"-- +goose  NO TRANSACTION\n--+goose Up\n-- +goose StatementBegin\nA\n"
         "-- +goose StatementEnd\n-- +goose Down\n-- +goose StatementEnd\nB",
         "-- +goose  NO TRANSACTION\n--+goose Up\n-- +goose StatementBegin\nA\n"
         ";                     \n              \n                      \n ",
         true, true, -1},
        {"-- +migrate Up notransaction\nA\n-- +migrate Down\n\xc3\xa4\n-- +migrate Up\nC",
         "-- +migrate Up notransaction\nA\n                \n  \n-- +migrate Up\nC", true, true,
         -1},
        {"-- Up Migration\nA;\n-- Down Migration\nB;", "-- Up Migration\nA;\n                 \n  ",
         true, false, -1},
        {"---- up  migration --\nA;\n --   DOWN Migration\nB;",
         "---- up  migration --\nA;\n                    \n  ", true, false, -1},
        {"-- Up migrations\nA", NULL, false, false, -1},
        {"-- +goose", NULL, false, false, -1},
        {"--", NULL, false, false, -1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *text = arena_strdup(&arena, rows[i].file);
        struct sql_migration out;
        sql_migration_up(text, strlen(text), &out);
        assert_string_equal(text, rows[i].up ? rows[i].up : rows[i].file);
        assert_int_equal(out.is, rows[i].is);
        assert_int_equal(out.no_transaction, rows[i].no_transaction);
        assert_int_equal(out.has_outside ? (int)out.outside : -1, rows[i].outside);
    }
}

/* The way down takes the place of the way up, so that what reads it reads a migration. */
static void test_way_down(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        const char *down; /* NULL: there is none */
    } rows[] = {
        {"DROP TABLE t;", NULL},
        {"-- migrate:up\nA;\n", NULL},
        {"-- migrate:down\nB;\n", NULL},
        {"-- migrate:up\nA;\n-- migrate:down\nB;\n", "             \n  \n-- migrate:up  \nB;\n"},
        {"-- migrate:up transaction:false\nA;\n-- migrate:down transaction:false\nB;",
         "                               \n  \n-- migrate:up   transaction:false\nB;"},
        {"-- +goose NO TRANSACTION\n-- +goose Up\nA;\n-- +goose Down\n"
         "-- +goose StatementBegin\nB\n-- +goose StatementEnd",
         "-- +goose NO TRANSACTION\n            \n  \n-- migrate:up \n"
         "-- +goose StatementBegin\nB\n-- +goose StatementEnd"},
        {"-- +migrate Up notransaction\nA;\n-- +migrate Down\nB;",
         "                            \n  \n-- migrate:up   \nB;"},
        {"  --- Up Migration\nA;\n  --- Down  Migration \xc3\xa4\nB;",
         "                  \n  \n-- migrate:up         \xc3\xa4\nB;"},
        {"-- Down Migration\nB;\n-- Up Migration\nA;",
         "-- migrate:up    \nB;\n               \n  "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *text = arena_strdup(&arena, rows[i].file);
        bool is = sql_migration_down(text, strlen(text));
        assert_int_equal(is, rows[i].down != NULL);
        assert_string_equal(text, rows[i].down ? rows[i].down : rows[i].file);
    }
}

static void test_literals(void **state)
{
    (void)state;
    const char *sql =
        "SELECT 'it''s', E'a\\tb', E'\\x41', 12, - 7, 1.5, 99999999999999999999, $$x$$, "
        "\"q\", 'a'\n'b', '\xc3\xa9' -- 'no'";
    source = (struct source){.name = "sql", .text = sql, .size = strlen(sql)};
    struct snippet snippet = snippet_of_source(&source);
    struct sql_literals out = {0};
    sql_collect_literals(&snippet, &arena, &out);
    assert_int_equal(out.strings.count, 3);
    assert_string_equal(out.strings.items[0], "it's");
    assert_string_equal(out.strings.items[1], "a\tb");
    assert_string_equal(out.strings.items[2], "\xc3\xa9");
    assert_int_equal(out.ints.count, 2);
    assert_int_equal(out.ints.items[0], 12);
    assert_int_equal(out.ints.items[1], -7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_parameters, clear),
        cmocka_unit_test_teardown(test_slices, clear),
        cmocka_unit_test_teardown(test_strings, clear),
        cmocka_unit_test_teardown(test_dollar_quotes, clear),
        cmocka_unit_test_teardown(test_comments, clear),
        cmocka_unit_test_teardown(test_statements, clear),
        cmocka_unit_test_teardown(test_routines, clear),
        cmocka_unit_test_teardown(test_facts, clear),
        cmocka_unit_test_teardown(test_shared, clear),
        cmocka_unit_test_teardown(test_refused, clear),
        cmocka_unit_test_teardown(test_allowed, clear),
        cmocka_unit_test_teardown(test_outside, clear),
        cmocka_unit_test_teardown(test_all_at_once, clear),
        cmocka_unit_test_teardown(test_too_many, clear),
        cmocka_unit_test_teardown(test_any_bytes, clear),
        cmocka_unit_test_teardown(test_files, clear),
        cmocka_unit_test_teardown(test_parts, clear),
        cmocka_unit_test_teardown(test_files_that_need_themselves, clear),
        cmocka_unit_test_teardown(test_files_that_leave_their_database, clear),
        cmocka_unit_test_teardown(test_migrations, clear),
        cmocka_unit_test_teardown(test_way_down, clear),
        cmocka_unit_test_teardown(test_literals, clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
