/* Loads SQL files into scratch databases and into the transaction, without leftovers. */
#include "pg/fixture.h"
#include "pg/session/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char no_rules[] = "rules:\n  one: {sql: SELECT 1}\n";

/* A target that names the embedded server as if it were any server. */
static struct pg_target *named_target(const char *dbname, const char *user,
                                      void (*note)(void *, const char *), void *hook)
{
    struct pg_target *target = NULL;
    struct error err;
    const struct pg_options options = {
        .dbname = dbname,
        .host = fixture_target->server.socket_dir,
        .user = user,
        .note = note,
        .hook = hook,
    };
    if (!pg_target_open(&options, &target, &err)) {
        fail_msg("%s", err.message);
    }
    return target;
}

/* A file, whether it is loaded in place, and the mistake with its place. */
static const struct {
    const char *file;
    bool in_place;
    const char *message;
    size_t line;
    size_t column;
} mistakes[] = {
    {"CREATE TABLE a (i int);\n\nCREATE TABLE b (\n  i nosuchtype\n);\n", false,
     "type \"nosuchtype\" does not exist", 4, 5},
    {"CREATE TABLE a (\n  id int,\n\n  loc nosuch(1, 2),\n  p text,\n\n  q text\n);\n", false,
     "type \"nosuch\" does not exist", 4, 7},
    {"-- +goose Up\nCREATE TABLE a (\n\n\n  n nosuch\n\n);\n", false,
     "type \"nosuch\" does not exist", 5, 5},
    {"SELECT 1;\n/* c\n */ INSERT INTO nosuch VALUES (1);", false,
     "relation \"nosuch\" does not exist", 3, 17},
    {"CREATE TABLE u (i int UNIQUE);\nINSERT INTO u\n  VALUES (1), (1);\nSELECT 1;", false,
     "duplicate key value violates unique constraint \"u_i_key\"", 2, 1},
    {"SELECT 1;\n\\nosuch 1\n", false, "invalid command \\nosuch", 2, 1},
    {"SELECT 'never closed\n;\n", false, "unterminated quoted string at or near \"'never closed", 1,
     8},
    {"CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$\nBEGIN\n  retrn 1;\nEND $$;", false,
     "syntax error at or near \"retrn\"", 3, 3},
    {"DO $$ BEGIN\n RAISE EXCEPTION 'one\ntwo'; END $$;\n", false, "one", 1, 1},
    {"SELECT '\xff';\n", false, "invalid byte sequence for encoding \"UTF8\": 0xff", 1, 1},
    {"CREATE TABLE a (i int);\n\nCREATE TABLE b (\n  i nosuchtype\n);\n", true,
     "type \"nosuchtype\" does not exist", 4, 5},
    {"SELECT 'é', 'é'; SELECT nosuch;", true, "column \"nosuch\" does not exist", 1, 25},
    {"CREATE TABLE u (i int UNIQUE);\nINSERT INTO u VALUES (1);\n INSERT INTO u\n  VALUES (1);",
     true, "duplicate key value violates unique constraint \"u_i_key\"", 3, 2},
    {"CREATE TABLE a (i int);\n  COMMIT;\n", true,
     "COMMIT would end the transaction that everything runs in", 2, 3},
    {"SELECT 1;\n\\restrict abc\nSELECT 1;\n", true,
     "commands of psql can't be run inside the transaction", 2, 1},
    {"CREATE TABLE c (i int);\nCOPY c FROM STDIN;\n", true,
     "COPY from stdin failed: data for COPY can only be read by psql", 2, 1},
    {"SELECT 1;\nSELECT '\xff';\n", true, "the file is not UTF-8 text", 2, 9},
};

static void mistakes_have_places(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        struct fixture fixture = fixture_new();
        fixture.options.in_place = mistakes[i].in_place;
        assert_false(fixture_try(&fixture, mistakes[i].file, no_rules));
        assert_int_equal(fixture.err.code, ERROR_NONE);
        assert_int_equal(fixture.diagnostics.errors.count, 1);
        const struct error *err = &fixture.diagnostics.errors.items[0];
        assert_string_equal(err->message, mistakes[i].message);
        assert_non_null(err->pos.source);
        struct source_place place = source_place(err->pos);
        if (place.line != mistakes[i].line || place.column != mistakes[i].column) {
            fail_msg("%s: %zu:%zu", mistakes[i].message, place.line, place.column);
        }
        fixture_close(&fixture);
    }
}

/* The output of psql, of a command that it ran and of the server, before and about a failure.
 * `line` is that of the mistake; 0 if it is unknown. */
static const struct {
    const char *file;
    const char *message;
    const char *part;
    size_t line;
} words[] = {
    {"\\set owner `cat /nosuch/secret`\nCREATE ROLE :owner;\n", "syntax error at or near \";\"",
     "before that, psql said:\ncat: /nosuch/secret: No such file or directory", 2},
    {"\\! echo told >&2\n\\warn of it\n\\nosuch\n", "invalid command \\nosuch",
     "before that, psql said:\ntold\nof it", 3},
    {"DO $$ BEGIN RAISE WARNING 'beware'; END $$;\nSELECT 1/0;\n", "division by zero",
     "WARNING:  01000: beware", 2},
    {"-- migrate:up\nCREATE TABLE a (i int PRIMARY KEY);\n"
     "CREATE TABLE b (i int REFERENCES a DEFERRABLE INITIALLY DEFERRED);\n"
     "INSERT INTO b VALUES (1);\n",
     "insert or update on table \"b\" violates foreign key constraint \"b_i_fkey\"",
     "Key (i)=(1) is not present in table \"a\".", 0},
    {"SELECT pg_terminate_backend(pg_backend_pid());\n", "the connection was lost",
     "terminating connection due to administrator command", 0},
};

static void psql_is_quoted(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct fixture fixture = fixture_new();
        assert_false(fixture_try(&fixture, words[i].file, no_rules));
        const struct error *err =
            fixture.diagnostics.errors.count ? fixture.diagnostics.errors.items : &fixture.err;
        if (!strstr(err->message, words[i].message) || !strstr(err->detail, words[i].part) ||
            (words[i].line && source_place(err->pos).line != words[i].line)) {
            fail_msg("%s: %s\n%s", words[i].file, err->message, err->detail);
        }
        fixture_close(&fixture);
    }
}

static void file_that_is_not_there(void **state)
{
    struct fixture fixture = fixture_new();
    const char *apply[] = {"/nonexistent/file.sql"};
    (void)state;
    fixture.options.apply = apply;
    fixture.options.apply_count = 1;
    assert_false(fixture_try(&fixture, "SELECT 1;", no_rules));
    assert_string_equal(fixture.diagnostics.errors.items[0].message,
                        "can't open /nonexistent/file.sql: No such file or directory");
    fixture_close(&fixture);
}

/* Anything that psql can run. Its settings do not affect the run. */
static void scratch_takes_psql(void **state)
{
    struct fixture fixture = fixture_new();
    const char *apply[1];
    (void)state;
    apply[0] = fixture_file(&fixture, "INSERT INTO public.t VALUES (3);\n");
    fixture.options.apply = apply;
    fixture.options.apply_count = 1;
    fixture_open(&fixture,
                 "\\set x 2\nBEGIN;\nCREATE TABLE t (i int);\nCOPY t FROM stdin;\n1\n\\.\n"
                 "INSERT INTO t VALUES (:x);\nCOMMIT;\n"
                 "SELECT pg_catalog.set_config('search_path', '', false);\n",
                 "rules:\n  sum: {sql: SELECT sum(i) FROM t}\n");
    struct answer answer = fixture_run(&fixture, "sum", NULL);
    assert_int_equal(fixture_value(&answer).as.integer, 6);
    fixture_close(&fixture);
}

static const char scratch_count[] =
    "SELECT count(*) FROM pg_database WHERE datname LIKE 'pgfsm\\_scratch\\_%'";

static void scratch_is_dropped(void **state)
{
    struct fixture fixture = fixture_new();
    (void)state;
    fixture.target = named_target("template1", "postgres", NULL, NULL);
    /* The leftover of a dead run: it has no connections, and no connection has its name. */
    fixture_sql(&fixture, NULL, "CREATE DATABASE pgfsm_scratch_00000000dead0000");
    fixture_open(&fixture, "CREATE TABLE t (i int);", no_rules);
    assert_string_equal(fixture_sql(&fixture, NULL, scratch_count), "1");
    /* Another run does not touch that of a living one. */
    struct fixture other = fixture_new();
    other.target = fixture.target;
    fixture_open(&other, "CREATE TABLE t (i int);", no_rules);
    assert_string_equal(fixture_sql(&fixture, NULL, scratch_count), "2");
    other.target = fixture_target;
    fixture_close(&other);
    fixture_close(&fixture);
    struct fixture after = fixture_new();
    after.target = fixture.target;
    assert_string_equal(fixture_sql(&after, NULL, scratch_count), "0");
    pg_target_close(fixture.target);
    fixture_close(&after);
}

static void keep_note(void *host, const char *line)
{
    char *noted = host;
    (void)snprintf(noted, 256, "%s", line);
}

static void scratch_is_kept(void **state)
{
    char noted[256] = "";
    struct fixture fixture = fixture_new();
    struct fixture after = fixture_new();
    (void)state;
    fixture.target = named_target("template1", "postgres", keep_note, noted);
    fixture.options.keep = true;
    fixture_open(&fixture, "CREATE TABLE t AS SELECT 7 AS i;", no_rules);
    fixture_close(&fixture);
    const char *name = strstr(noted, "pgfsm_kept_");
    assert_non_null(name);
    char kept[64];
    (void)snprintf(kept, sizeof kept, "%.*s", (int)strcspn(name, " "), name);
    assert_non_null(strstr(noted, fixture_target->server.socket_dir));
    after.target = fixture.target;
    assert_string_equal(fixture_sql(&after, kept, "SELECT i FROM t"), "7");
    fixture_sql(&after, NULL, arena_printf(&after.arena, "DROP DATABASE %s", kept));
    pg_target_close(fixture.target);
    fixture_close(&after);
}

/* A database with some content, and a checksum of it. */
static void make_app(struct fixture *fixture)
{
    fixture_sql(fixture, "template1", "DROP DATABASE IF EXISTS app");
    fixture_sql(fixture, "template1", "CREATE DATABASE app");
    fixture_sql(fixture, "app",
                "CREATE TABLE accounts (id serial PRIMARY KEY, name text UNIQUE, n int);"
                "CREATE TABLE log (what text);"
                "INSERT INTO accounts (name, n) SELECT 'a' || i, i FROM generate_series(1, 100) i;"
                "CREATE PROCEDURE sneak() LANGUAGE plpgsql AS 'BEGIN COMMIT; END'");
}

static const char *checksum(struct fixture *fixture)
{
    return fixture_sql(fixture, "app",
                       "SELECT md5(string_agg(t, ';' ORDER BY t)) FROM ("
                       "SELECT a::text AS t FROM accounts a UNION ALL SELECT l::text FROM log l "
                       "UNION ALL SELECT relname FROM pg_class UNION ALL "
                       "SELECT proname FROM pg_proc) AS x");
}

/* The server's log since the mark; moves the mark to its end. */
static char *logged(struct fixture *fixture, long *mark)
{
    FILE *file = fopen(fixture_target->server.log, "r");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long end = ftell(file);
    assert_int_equal(fseek(file, *mark, SEEK_SET), 0);
    size_t size = (size_t)(end - *mark);
    char *text = arena_zalloc(&fixture->arena, size + 1);
    assert_int_equal(fread(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    *mark = end;
    return text;
}

static const char app_rules[] =
    "model: x = None\n"
    "rules:\n"
    "  add: {sql: 'INSERT INTO accounts (name, n) VALUES (:x, 1)'}\n"
    "  wipe: {sql: DELETE FROM accounts}\n"
    "  sneak: {sql: CALL sneak()}\n"
    "  made: {sql: SELECT count(*) FROM pg_class WHERE relname = 'made'}\n"
    "  limit: {sql: SELECT current_setting('statement_timeout')}\n";

static void must(const struct fixture *fixture, bool done)
{
    if (!done) {
        fail_msg("%s: %s", fixture->err.sqlstate, fixture->err.message);
    }
}

static void play(struct fixture *fixture)
{
    const struct backend_ops *ops = fixture->backend->ops;
    struct value name = value_text(&fixture->arena, "a1");
    struct value other = value_text(&fixture->arena, "b");
    for (int i = 0; i < 3; i++) {
        assert_int_equal(fixture_run(fixture, "add", &other).status, ANSWER_OK);
        assert_int_equal(fixture_run(fixture, "wipe", NULL).status, ANSWER_OK);
        assert_int_equal(fixture_run(fixture, "add", &name).status, ANSWER_OK);
        assert_string_equal(fixture_run(fixture, "sneak", NULL).error.sqlstate, "2D000");
        must(fixture, ops->reset(fixture->backend, &fixture->err));
        must(fixture, i ? ops->restart(fixture->backend, &fixture->err)
                        : ops->reconnect(fixture->backend, &fixture->err));
        must(fixture, ops->mark(fixture->backend, &fixture->err));
    }
    struct answer limit = fixture_run(fixture, "limit", NULL);
    assert_string_equal(fixture_repr(fixture, fixture_value(&limit)), "\"5s\"");
    assert_int_equal(fixture_run(fixture, "wipe", NULL).status, ANSWER_OK);
}

/* The promise: pgfsm never commits to a database that the user named. */
static void nothing_is_committed(void **state)
{
    struct fixture outside = fixture_new();
    long mark = 0;
    (void)state;
    make_app(&outside);
    fixture_sql(&outside, "template1", "ALTER DATABASE app SET log_statement = 'all'");
    const char *before = checksum(&outside);
    for (int i = 0; i < 2; i++) {
        struct fixture fixture = fixture_new();
        const char *apply[] = {fixture_file(&fixture, "INSERT INTO log VALUES ('applied');\n"
                                                      "SET search_path = '';\n"
                                                      "SET statement_timeout = '1s';\n")};
        fixture.target = named_target("app", "postgres", NULL, NULL);
        fixture.options.in_place = i == 0;
        fixture.options.apply = apply;
        fixture.options.apply_count = 1;
        logged(&outside, &mark);
        fixture_open(&fixture, i == 0 ? "CREATE TABLE made (i int);" : NULL, app_rules);
        struct answer answer = fixture_run(&fixture, "made", NULL);
        assert_int_equal(fixture_value(&answer).as.integer, i == 0);
        play(&fixture);
        struct pg_target *target = fixture.target;
        fixture_close(&fixture);
        const char *log = logged(&outside, &mark);
        assert_non_null(strstr(log, "INSERT INTO accounts"));
        assert_non_null(strstr(log, "ROLLBACK"));
        assert_null(strcasestr(log, ": COMMIT"));
        assert_null(strcasestr(log, "END;"));
        pg_target_close(target);
        assert_string_equal(checksum(&outside), before);
    }
    fixture_sql(&outside, "template1", "DROP DATABASE app");
    fixture_close(&outside);
}

/* Ways to make the server see a COMMIT that a reader of the text does not see: the file, and what
 * is set beforehand. U+3083 and "\" are E3 82 83 5C: in SJIS and GBK the last two are one
 * character, so the quote behind them ends the string; so are A5 5C in BIG5, where U+4F65 ends with
 * A5. */
#define HIDDEN "CREATE TABLE hidden (n int);\n"
static const struct {
    const char *file;
    const char *message; /* how the answer begins; NULL: nothing is wrong with it */
    const char *before;  /* SQL */
    const char *options; /* PGOPTIONS */
    const char *apply;   /* a second file */
} hidden[] = {
    {.file =
         "SET standard_conforming_strings = off;\n" HIDDEN "SELECT '\\'; COMMIT; SELECT '\\';\n",
     .message = "commands of psql"},
    {.file = HIDDEN "SELECT set_config('standard_conforming_strings', 'off', false);\n"
                    "SELECT '\\''; COMMIT; --';\n",
     .message = "COMMIT would end"},
    {.file = HIDDEN "DO $$ BEGIN SET standard_conforming_strings = no; END $$;\n"
                    "SELECT '\\''; COMMIT AND CHAIN; --';\n",
     .message = "COMMIT would end"},
    {.file = HIDDEN "SELECT '\\''; COMMIT; --';\n",
     .options = "-c standard_conforming_strings=off",
     .message = "COMMIT would end"},
    {.file = HIDDEN "SELECT '\\''; COMMIT; --';\n",
     .before = "ALTER DATABASE app SET standard_conforming_strings = off",
     .message = "COMMIT would end"},
    {.file = HIDDEN "SELECT '\\''; COMMIT; --';\n",
     .before = "ALTER ROLE postgres IN DATABASE app SET standard_conforming_strings = off",
     .message = "COMMIT would end"},
    {.file = "SET client_encoding = 'SJIS';\n" HIDDEN "SELECT E'ゃ\\'; COMMIT; --';\n",
     .message = "the server reads this as more than one statement"},
    {.file = "SET client_encoding = 'GBK';\n" HIDDEN "SELECT E'ゃ\\'; COMMIT; --';\n",
     .message = "the server reads this as more than one statement"},
    {.file = "SET client_encoding = 'BIG5';\n" HIDDEN "SELECT E'佥\\'; COMMIT; --';\n",
     .message = "the server reads this as more than one statement"},
    {.file = HIDDEN "CALL sneak();\n", .message = "invalid transaction termination"},
    {.file = HIDDEN "DO $$ BEGIN COMMIT; END $$;\n", .message = "invalid transaction termination"},
    {.file = HIDDEN "DO $$ BEGIN EXECUTE 'COMMIT'; END $$;\n",
     .message = "EXECUTE of transaction commands is not implemented"},
    {.file = HIDDEN "/* /* */ SELECT 1; */ COMMIT;\n", .message = "COMMIT would end"},
    {.file = HIDDEN "SELECT 1 +-- ;\n1; END;\n", .message = "END would end"},
    {.file = HIDDEN "SELECT 1 */* ; */ 2; ABORT;\n", .message = "ABORT would end"},
    {.file = HIDDEN "SELECT U&'\\0041' UESCAPE '!'; SELECT 1 AS U&\"a\"\"b\"; COMMIT;\n",
     .message = "COMMIT would end"},
    {.file = HIDDEN "SELECT $é$ ; COMMIT; $é$, $e$ $é$; COMMIT; $e$;\nROLLBACK;\n",
     .message = "ROLLBACK would end"},
    /* Files that only look like it. A setting ends with its file. */
    {.file = "SET standard_conforming_strings = 0;\n",
     .apply = HIDDEN "SELECT '\\''; COMMIT; --';\n"},
    {.file = HIDDEN "SET standard_conforming_strings = off;\nSELECT '\\'; COMMIT; --';\n"
                    "SET standard_conforming_strings = on;\nSELECT '\\', 'COMMIT;';\n"},
    {.file = HIDDEN "CREATE FUNCTION f(\"end\" int) RETURNS int BEGIN ATOMIC\n"
                    " SELECT CASE WHEN f.end > 0 THEN 1 END; SELECT 1 AS end; END;\n"
                    "CREATE RULE r AS ON INSERT TO hidden DO ALSO (SELECT 1; SELECT 2);\n"},
};

static void try_hidden(size_t index, struct fixture *outside)
{
    struct fixture fixture = fixture_new();
    const char *apply[1];
    if (hidden[index].before) {
        fixture_sql(outside, "template1", hidden[index].before);
    }
    if (hidden[index].options) {
        setenv("PGOPTIONS", hidden[index].options, 1);
    }
    if (hidden[index].apply) {
        apply[0] = fixture_file(&fixture, hidden[index].apply);
        fixture.options.apply = apply;
        fixture.options.apply_count = 1;
    }
    fixture.target = named_target("app", "postgres", NULL, NULL);
    fixture.options.in_place = true;
    bool loaded = fixture_try(&fixture, hidden[index].file, no_rules);
    const char *said = fixture.diagnostics.errors.count
                           ? fixture.diagnostics.errors.items[0].message
                           : fixture.err.message;
    const char *wanted = hidden[index].message;
    if (loaded ? wanted != NULL : !wanted || strncmp(said, wanted, strlen(wanted)) != 0) {
        print_error("%s\n%s\n", hidden[index].file, loaded ? "was loaded" : said);
        fail();
    }
    struct pg_target *target = fixture.target;
    fixture_close(&fixture);
    pg_target_close(target);
    unsetenv("PGOPTIONS");
}

static void nothing_is_committed_in_hiding(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
        struct fixture outside = fixture_new();
        make_app(&outside);
        const char *before = checksum(&outside);
        try_hidden(i, &outside);
        if (strcmp(checksum(&outside), before) != 0) {
            fail_msg("committed: %s", hidden[i].file);
        }
        fixture_sql(&outside, "template1", "DROP DATABASE app");
        fixture_close(&outside);
    }
}

/* The same by the machine's own statements, which one may lex as another does not. */
static void rules_commit_nothing(void **state)
{
    struct fixture outside = fixture_new();
    struct fixture fixture = fixture_new();
    (void)state;
    make_app(&outside);
    const char *before = checksum(&outside);
    fixture.target = named_target("app", "postgres", NULL, NULL);
    fixture_open(&fixture, NULL,
                 "model: x = None\n"
                 "rules:\n"
                 "  made: {sql: CREATE TABLE hidden (n int)}\n"
                 "  off: {sql: \"SELECT set_config('standard_conforming_strings', 'off', true)\"}\n"
                 "  sneak: {sql: \"SELECT '\\\\''; COMMIT; --'\"}\n"
                 "  pasted: {sql: \"SELECT :'x'::text, '\\\\''; COMMIT; --'\"}\n");
    struct value x = value_text(&fixture.arena, "\\'; COMMIT; --");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(fixture_run(&fixture, "made", NULL).status, ANSWER_OK);
        assert_int_equal(fixture_run(&fixture, "off", NULL).status, ANSWER_OK);
        struct answer answer =
            fixture_run(&fixture, i == 0 ? "sneak" : "pasted", i == 0 ? NULL : &x);
        /* One was prepared before the setting changed. */
        assert_int_equal(answer.status, i == 0 ? ANSWER_OK : ANSWER_ERROR);
        assert_true(i == 0 || strcmp(answer.error.sqlstate, "42601") == 0);
        assert_true(fixture.backend->ops->reset(fixture.backend, &fixture.err));
    }
    struct pg_target *target = fixture.target;
    fixture_close(&fixture);
    pg_target_close(target);
    assert_string_equal(checksum(&outside), before);
    fixture_sql(&outside, "template1", "DROP DATABASE app");
    fixture_close(&outside);
}

static bool has_warning(const struct fixture *fixture, const char *part)
{
    const char *const *warnings = fixture->backend->ops->warnings(fixture->backend);
    for (; *warnings; warnings++) {
        if (strstr(*warnings, part)) {
            return true;
        }
    }
    return false;
}

/* Effects that a rollback does not undo in a named database, by name. A scratch database is
 * dropped. */
static const char *const stays[] = {
    "function call_out(): dblink works",
    "function export_all(): files and programs",
    "function lock_up(): advisory locks of a session",
    "function slot(): replication slots",
    "function outside(integer) and 1 more: its language is not trusted",
    "foreign table far: its wrapper may write at once",
    "sequence \"Odd-name_id_seq\" and 3 more: a rollback does not return the numbers",
};
static const char lasting_schema[] =
    "CREATE LANGUAGE unsafe HANDLER plpgsql_call_handler;"
    "CREATE FUNCTION outside(int) RETURNS void LANGUAGE unsafe AS 'BEGIN END';"
    "CREATE FUNCTION outside(text) RETURNS void LANGUAGE unsafe AS 'BEGIN END';"
    "CREATE FUNCTION call_out() RETURNS void LANGUAGE plpgsql AS"
    " 'BEGIN PERFORM dblink_exec(''x'', ''y''); END';"
    "CREATE FUNCTION export_all() RETURNS void LANGUAGE plpgsql AS"
    " 'BEGIN COPY log TO PROGRAM ''mail''; INSERT INTO far VALUES (1); END';"
    "CREATE FUNCTION lock_up() RETURNS void LANGUAGE plpgsql AS"
    " 'BEGIN PERFORM pg_advisory_lock(1), nextval(''alone''); END';"
    "CREATE FUNCTION slot() RETURNS void LANGUAGE plpgsql AS"
    " 'BEGIN PERFORM pg_create_physical_replication_slot(''s''); END';"
    "CREATE FOREIGN DATA WRAPPER other; CREATE SERVER away FOREIGN DATA WRAPPER other;"
    "CREATE FOREIGN TABLE far (n int) SERVER away; CREATE FOREIGN TABLE farther (n int) SERVER "
    "away;"
    "CREATE SEQUENCE alone; CREATE SEQUENCE numbers; CREATE SEQUENCE not_reached;"
    "CREATE TABLE numbered (n int DEFAULT nextval('numbers'));"
    "CREATE TABLE \"Odd-name\" (id serial);"
    "CREATE TABLE not_named (id serial); CREATE TABLE ccount (id serial);";

static void what_stays_is_warned_of(void **state)
{
    struct fixture outside = fixture_new();
    struct fixture fixture = fixture_new();
    struct fixture scratch = fixture_new();
    static const char yaml[] = "rules:\n"
                               "  add: {sql: 'INSERT INTO accounts (name, n) VALUES (NULL, 1)'}\n"
                               "  more: {sql: INSERT INTO Numbered VALUES (DEFAULT)}\n"
                               "  odd: {sql: 'INSERT INTO \"Odd-name\" VALUES (DEFAULT)'}\n";
    (void)state;
    make_app(&outside);
    fixture_sql(&outside, "app", lasting_schema);
    fixture.target = named_target("app", "postgres", NULL, NULL);
    fixture_open(&fixture, NULL, yaml);
    for (size_t i = 0; i < sizeof stays / sizeof *stays; i++) {
        if (!has_warning(&fixture, stays[i])) {
            fail_msg("no warning: %s", stays[i]);
        }
    }
    assert_false(has_warning(&fixture, "farther"));
    struct pg_target *target = fixture.target;
    fixture_close(&fixture);
    pg_target_close(target);
    fixture_open(&scratch,
                 arena_printf(&scratch.arena,
                              "CREATE TABLE log (); CREATE TABLE accounts (id serial, name text, "
                              "n int); %s",
                              lasting_schema),
                 yaml);
    assert_false(has_warning(&scratch, "rolled back"));
    assert_false(has_warning(&scratch, "rollback"));
    fixture_close(&scratch);
    fixture_sql(&outside, "template1", "DROP DATABASE app");
    fixture_close(&outside);
}

/* If a transaction ended anyway, this would be detected. */
static void ended_transaction_is_noticed(void **state)
{
    struct fixture fixture = fixture_new();
    (void)state;
    fixture_open(&fixture, NULL, no_rules);
    struct session *session = fixture_session(&fixture);
    const char *path = fixture_file(&fixture, "SELECT 1;\nSELECT 2;\n");
    assert_true(wire_do(&session->wire, "ROLLBACK", &fixture.err));
    assert_false(load_in_transaction(fixture.target, &session->wire, path, &fixture.diagnostics,
                                     &fixture.err));
    assert_int_equal(fixture.diagnostics.errors.count, 1);
    assert_string_equal(fixture.diagnostics.errors.items[0].message,
                        "the transaction that everything runs in has ended here");
    fixture_close(&fixture);
}

/* A user without privileges: each message names the missing one. */
static void rights_that_are_missing(void **state)
{
    struct fixture outside = fixture_new();
    struct fixture fixture = fixture_new();
    struct fixture in_place = fixture_new();
    (void)state;
    fixture_sql(&outside, "template1",
                "DROP ROLE IF EXISTS joe; CREATE ROLE joe LOGIN; DROP ROLE IF EXISTS chief; "
                "CREATE ROLE chief");
    struct pg_target *target = named_target("template1", "joe", NULL, NULL);
    fixture.target = in_place.target = target;
    assert_false(fixture_try(&fixture, "SELECT 1;", no_rules));
    assert_int_equal(fixture.err.code, ERROR_USAGE);
    assert_string_equal(
        fixture.err.message,
        "could not create a scratch database: permission denied to create database");
    assert_string_equal(fixture.err.hint, "ALTER ROLE joe CREATEDB lets the user create one; "
                                          "--embedded starts a server of pgfsm's own, and "
                                          "--in-place needs no scratch database where no step is "
                                          "committed");
    in_place.options.in_place = true;
    assert_false(fixture_try(&in_place, NULL,
                             "contexts:\n  chief: {role: chief}\n"
                             "rules:\n  one: {sql: SELECT 1, as: chief}\n"));
    assert_int_equal(in_place.diagnostics.errors.count, 1);
    assert_string_equal(in_place.diagnostics.errors.items[0].message,
                        "joe may not assume the role chief");
    assert_string_equal(in_place.diagnostics.errors.items[0].hint, "GRANT chief TO joe allows it");
    fixture_close(&fixture);
    fixture_close(&in_place);
    pg_target_close(target);
    fixture_sql(&outside, "template1", "DROP ROLE joe; DROP ROLE chief");
    fixture_close(&outside);
}

/* Another session holds a lock that a file needs; the message names it. */
static void blocked(void **state)
{
    static const struct hooks deaf = {0};
    struct fixture outside = fixture_new();
    struct error err;
    PGconn *conn = NULL;
    struct wire wire;
    (void)state;
    fixture_sql(&outside, "template1", "CREATE TABLE IF NOT EXISTS wanted (i int)");
    struct connect_request request = target_request(fixture_target, "template1", "the blocker");
    assert_true(connect_open(&request, &conn, &err));
    wire_open(&wire, conn, &deaf);
    assert_true(wire_do(&wire, "BEGIN; LOCK TABLE wanted; CREATE ROLE contested", &err));
    for (int i = 0; i < 2; i++) {
        struct fixture fixture = fixture_new();
        fixture.target = named_target("template1", "postgres", NULL, NULL);
        fixture.options.in_place = i == 0;
        fixture.target->lock_wait_ms = 1500;
        assert_false(fixture_try(&fixture,
                                 i == 0 ? "SELECT 1;\nINSERT INTO wanted VALUES (1);"
                                        : "CREATE ROLE contested;",
                                 no_rules));
        assert_int_equal(fixture.diagnostics.errors.count, 1);
        const struct error *mistake = &fixture.diagnostics.errors.items[0];
        assert_string_equal(mistake->message, "canceling statement due to lock timeout");
        assert_non_null(strstr(mistake->detail, "it waited for process "));
        assert_non_null(strstr(mistake->detail, "(user postgres, the blocker)"));
        struct pg_target *target = fixture.target;
        fixture_close(&fixture);
        pg_target_close(target);
    }
    wire_close(&wire);
    fixture_sql(&outside, "template1", "DROP TABLE wanted");
    fixture_close(&outside);
}

/* An embedded server has no template0, which every other server has. */
static int start(void **state)
{
    int status = fixture_start(state);
    struct fixture outside = fixture_new();
    fixture_sql(&outside, NULL, "CREATE DATABASE template0");
    fixture_close(&outside);
    return status;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_have_places),
        cmocka_unit_test(psql_is_quoted),
        cmocka_unit_test(file_that_is_not_there),
        cmocka_unit_test(scratch_takes_psql),
        cmocka_unit_test(scratch_is_dropped),
        cmocka_unit_test(scratch_is_kept),
        cmocka_unit_test(nothing_is_committed),
        cmocka_unit_test(rights_that_are_missing),
        cmocka_unit_test(blocked),
        cmocka_unit_test(nothing_is_committed_in_hiding),
        cmocka_unit_test(rules_commit_nothing),
        cmocka_unit_test(what_stays_is_warned_of),
        cmocka_unit_test(ended_transaction_is_noticed),
    };
    return cmocka_run_group_tests(tests, start, fixture_stop);
}
