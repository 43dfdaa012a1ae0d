/* The texts in which single faults are planted: their number, that the DDL around each replaces its
 * object, and that the server accepts the faults. SCHEMAS is the folder of our schemas. */
#include "mutate/body.h"
#include "pg/fixture.h"
#include "pg/session/queries.h"
#include "pg/session/session.h"

#include <stdlib.h>
#include <string.h>

static const char yaml[] = "rules: {r: {sql: SELECT 1}}\n";

/* A schema, and a connection beside the backend's, on which faults are planted. */
struct bench {
    struct fixture fixture;
    PGconn *conn;
    struct pg_body *bodies;
    size_t count;
    size_t planted;
    size_t refused;
};

static PGresult *ask(const struct bench *bench, const char *sql)
{
    PGresult *result = PQexec(bench->conn, sql);
    if (PQresultStatus(result) != PGRES_TUPLES_OK && PQresultStatus(result) != PGRES_COMMAND_OK) {
        fail_msg("%s: %s", sql, PQresultErrorMessage(result));
    }
    return result;
}

static void run(const struct bench *bench, const char *sql) { PQclear(ask(bench, sql)); }

static struct bench bench_open(const char *schema, const char *text)
{
    struct bench bench = {.fixture = fixture_new()};
    struct fixture *fixture = &bench.fixture;
    fixture_open(fixture, schema, text);
    assert_true(
        pg_bodies(fixture->backend, &fixture->arena, &bench.bodies, &bench.count, &fixture->err));
    const char *dbname = fixture_session(fixture)->scratch.name;
    struct connect_request request = target_request(fixture->target, dbname, "test");
    assert_true(connect_open(&request, &bench.conn, &fixture->err));
    /* The backend holds locks until then. */
    assert_true(wire_do(&fixture_session(fixture)->wire, "ROLLBACK", &fixture->err));
    run(&bench, "SET lock_timeout = '5s'; BEGIN");
    return bench;
}

static void bench_close(struct bench *bench)
{
    PQfinish(bench->conn);
    fixture_close(&bench->fixture);
}

/* The query's rows for all bodies, then rows of catalogs that a fault may change. */
static const char *dump(struct bench *bench, bool rows)
{
    static const char *const catalogs[] = {"proc",    "policy",  "constraint", "trigger",
                                           "rewrite", "attrdef", "depend",     "attribute"};
    struct strbuf text = {0};
    run(bench, "SAVEPOINT dump; SET LOCAL search_path = ''");
    PGresult *result = ask(bench, query_bodies);
    for (int i = 0; i < PQntuples(result); i++) {
        for (int j = 0; j < PQnfields(result); j++) {
            strbuf_addf(&text, "%s\n", PQgetvalue(result, i, j));
        }
    }
    PQclear(result);
    for (size_t i = 0; rows && i < sizeof catalogs / sizeof *catalogs; i++) {
        result = ask(bench, arena_printf(&bench->fixture.arena,
                                         "SELECT md5(string_agg(t::text, ' ' ORDER BY t::text)) "
                                         "FROM pg_catalog.pg_%s AS t",
                                         catalogs[i]));
        strbuf_addf(&text, "%s\n", PQgetvalue(result, 0, 0));
        PQclear(result);
    }
    run(bench, "ROLLBACK TO dump");
    return strbuf_take(&text, &bench->fixture.arena);
}

/* True if the server accepts the text in place of the body's; it stays until a rollback. */
static bool plant(struct bench *bench, const struct pg_body *body, const char *source)
{
    const char *ddl =
        arena_printf(&bench->fixture.arena, "%s%s%s", body->before, source, body->after);
    run(bench, "SAVEPOINT plant");
    PGresult *result = PQexec(bench->conn, ddl);
    bool accepted = PQresultStatus(result) == PGRES_COMMAND_OK;
    if (!accepted) {
        print_message("%s\n%s\n", PQresultErrorMessage(result), ddl);
    }
    PQclear(result);
    return accepted;
}

static struct body_edits edits_of(struct bench *bench, const struct pg_body *body)
{
    struct body_edits edits = {0};
    int kind = 0;
    while (kind < BODY_KINDS && strcmp(body_kind_names[kind], body->what) != 0) {
        kind++;
    }
    assert_true(kind < BODY_KINDS);
    body_edits((enum body_kind)kind, body->source, strlen(body->source), body->others,
               &bench->fixture.arena, &edits);
    return edits;
}

/* Plants each unchanged text, which must have no effect, and then each of its faults. */
static void plant_all(struct bench *bench)
{
    const char *before = dump(bench, true);
    const char *as_it_is = dump(bench, false);
    for (size_t i = 0; i < bench->count; i++) {
        const struct pg_body *body = &bench->bodies[i];
        assert_true(plant(bench, body, body->source));
        assert_string_equal(dump(bench, false), as_it_is);
        run(bench, "ROLLBACK TO plant");
        struct body_edits edits = edits_of(bench, body);
        for (size_t j = 0; j < edits.items.count; j++) {
            const char *edited = body_edited(body->source, strlen(body->source),
                                             &edits.items.items[j], &bench->fixture.arena);
            bench->refused += !plant(bench, body, edited);
            run(bench, "ROLLBACK TO plant");
        }
        bench->planted += edits.items.count;
    }
    assert_string_equal(dump(bench, true), before);
}

static const char schema[] =
    "CREATE SCHEMA app;\n"
    "CREATE TYPE app.mood AS ENUM ('sad', 'ok');\n"
    "CREATE DOMAIN app.email AS text CONSTRAINT has_at CHECK (VALUE ~ '@');\n"
    "CREATE TABLE members (\n"
    "  id uuid PRIMARY KEY DEFAULT gen_random_uuid(), org int DEFAULT 1, bad int DEFAULT -1,\n"
    "  role text CONSTRAINT role_check CHECK (role <> '') NO INHERIT, born date DEFAULT "
    "'2020-01-01',\n"
    "  until timestamptz DEFAULT now() + interval '1 day', \"or d\" boolean DEFAULT (1 > 2));\n"
    "ALTER TABLE members ADD CONSTRAINT later CHECK (org > 0) NOT VALID;\n"
    "CREATE TABLE app.children () INHERITS (members);\n"
    "CREATE UNIQUE INDEX one_owner ON members (org) WHERE role = 'owner';\n"
    "CREATE TABLE parted (a int, b int) PARTITION BY LIST (a);\n"
    "CREATE TABLE part PARTITION OF parted FOR VALUES IN (1);\n"
    "CREATE UNIQUE INDEX one_b ON parted (a) WHERE b > 1;\n"
    "CREATE INDEX plain ON members (org) WHERE role = 'owner';\n"
    "CREATE POLICY own ON members USING (org < 3) WITH CHECK (org < 3);\n"
    "CREATE VIEW app.owners WITH (security_barrier) AS\n"
    "  SELECT m.org FROM members AS m, members AS n WHERE m.org > n.org;\n"
    "CREATE MATERIALIZED VIEW kept AS SELECT org FROM members WHERE org > 1;\n"
    "CREATE FUNCTION leave(who uuid, mood app.mood DEFAULT 'ok') RETURNS boolean LANGUAGE plpgsql\n"
    "  SECURITY DEFINER SET search_path = public AS 'BEGIN RETURN who IS NULL; END';\n"
    "CREATE FUNCTION quoted() RETURNS text LANGUAGE sql AS 'SELECT $function$a$function$';\n"
    "CREATE FUNCTION atomic(n int) RETURNS int LANGUAGE sql\n"
    "  BEGIN ATOMIC SELECT 2; SELECT n + 1; END;\n"
    "CREATE FUNCTION plus(n int) RETURNS int LANGUAGE sql RETURN n + 1;\n"
    "CREATE FUNCTION other() RETURNS trigger LANGUAGE internal AS 'suppress_redundant_updates_"
    "trigger';\n"
    "CREATE PROCEDURE app.proc(INOUT n app.email) LANGUAGE plpgsql AS 'BEGIN COMMIT; END';\n"
    "CREATE TRIGGER changed BEFORE UPDATE ON members FOR EACH ROW WHEN (OLD.org > NEW.org)\n"
    "  EXECUTE FUNCTION other();\n"
    "CREATE CONSTRAINT TRIGGER late AFTER INSERT ON members DEFERRABLE FOR EACH ROW\n"
    "  WHEN (NEW.org > 1) EXECUTE FUNCTION other();\n"
    "CREATE TRIGGER off BEFORE UPDATE ON members FOR EACH ROW WHEN (OLD.org > 1)\n"
    "  EXECUTE FUNCTION other();\n"
    "ALTER TABLE members DISABLE TRIGGER off;\n";

static const struct {
    const char *body; /* kind | object | relation | what */
    const char *source;
} expected[] = {
    {"constraint | app.email.has_at | app.email | expression", "VALUE ~ '@'::text"},
    {"view | app.owners | app.owners | view",
     " SELECT m.org\n   FROM public.members m,\n    public.members n\n  WHERE m.org > n.org"},
    {"procedure | app.proc(app.email) | app.proc(app.email) | plpgsql", "BEGIN COMMIT; END"},
    {"function | atomic(integer) | atomic(integer) | query",
     "BEGIN ATOMIC\n SELECT 2;\n SELECT (n + 1);\nEND"},
    {"trigger | changed on members | members | expression", "old.org > new.org"},
    {"trigger | late on members | members | expression", "new.org > 1"},
    {"function | leave(uuid,app.mood) | leave(uuid,app.mood) | plpgsql",
     "BEGIN RETURN who IS NULL; END"},
    {"column | members.\"or d\" | members | expression", "1 > 2"},
    {"column | members.id | members | expression", "gen_random_uuid()"},
    {"constraint | members.later | members | expression", "org > 0"},
    {"constraint | members.role_check | members | expression", "role <> ''::text"},
    {"column | members.until | members | expression", "now() + '1 day'::interval"},
    {"index | one_b | parted | expression", "b > 1"},
    {"index | one_owner | members | expression", "role = 'owner'::text"},
    {"USING of policy | own on members | members | expression", "org < 3"},
    {"WITH CHECK of policy | own on members | members | expression", "org < 3"},
    {"function | plus(integer) | plus(integer) | query", "RETURN (n + 1)"},
    {"function | quoted() | quoted() | query", "SELECT $function$a$function$"},
};

static void every_kind(void **state)
{
    struct bench bench = bench_open(schema, yaml);
    size_t count = sizeof expected / sizeof *expected;
    (void)state;
    for (size_t i = 0; i < bench.count && i < count; i++) {
        const struct pg_body *body = &bench.bodies[i];
        assert_string_equal(arena_printf(&bench.fixture.arena, "%s | %s | %s | %s", body->kind,
                                         body->object, body->relation, body->what),
                            expected[i].body);
        assert_string_equal(body->source, expected[i].source);
    }
    assert_int_equal(bench.count, count);
    plant_all(&bench);
    assert_int_equal(bench.refused, 0);
    assert_true(bench.planted > bench.count);
    bench_close(&bench);
}

/* An expression of a generated column can be replaced from PostgreSQL 17 on. */
static void generated(void **state)
{
    struct bench bench =
        bench_open("CREATE TABLE t (n int, m int GENERATED ALWAYS AS (n + 1) STORED)", yaml);
    (void)state;
    assert_int_equal(bench.count, PQserverVersion(bench.conn) >= 170000);
    plant_all(&bench);
    assert_int_equal(bench.refused, 0);
    bench_close(&bench);
}

static void our_schemas(void **state)
{
    static const char *const schemas[] = {
        "audit",      "supabase.sql, basejump",
        "bookings",   "bounded_queue",
        "codec",      "connection_pool",
        "heap",       "heap.sql, heaps",
        "items",      "job_queue",
        "key_value",  "ledger",
        "lru_cache",  "membership",
        "migration",  "or_set",
        "pagination", "roles",
        "supabase",   "running_totals",
    };
    size_t planted = 0;
    size_t refused = 0;
    (void)state;
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
        struct arena arena = {0};
        struct strbuf text = {0};
        const char *folder = getenv("SCHEMAS");
        assert_non_null(folder);
        strbuf_addf(&text, "schema: [");
        for (const char *name = schemas[i]; name;) {
            const char *end = strstr(name, ".sql, ");
            strbuf_addf(&text, "%s%s/%.*s.sql", name == schemas[i] ? "" : ", ", folder,
                        end ? (int)(end - name) : (int)strlen(name), name);
            name = end ? end + strlen(".sql, ") : NULL;
        }
        strbuf_addf(&text, "]\n%s", yaml);
        struct bench bench = bench_open(NULL, strbuf_take(&text, &arena));
        plant_all(&bench);
        print_message("%s: %zu bodies, %zu edits, %zu refused\n", schemas[i], bench.count,
                      bench.planted, bench.refused);
        planted += bench.planted;
        refused += bench.refused;
        bench_close(&bench);
        arena_free(&arena);
    }
    print_message("%zu of %zu edits are refused\n", refused, planted);
    assert_true(refused * 20 <= planted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind),
        cmocka_unit_test(generated),
        cmocka_unit_test(our_schemas),
    };
    return cmocka_run_group_tests(tests, fixture_start, fixture_stop);
}
