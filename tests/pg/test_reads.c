/* The tables that invariants read, and the detected writes. */
#include "pg/fixture.h"
#include "pg/session/session.h"

#include <stdlib.h>
#include <string.h>

static const char schema[] =
    "CREATE TABLE a (id int PRIMARY KEY, note text);\n"
    "CREATE TABLE b (id int PRIMARY KEY REFERENCES a ON DELETE CASCADE);\n"
    "CREATE TABLE c (id int);\n"
    "CREATE VIEW deep AS SELECT id FROM (SELECT * FROM a) x;\n"
    "CREATE VIEW deeper AS SELECT * FROM deep;\n"
    "CREATE MATERIALIZED VIEW kept AS SELECT count(*) FROM c;\n"
    "CREATE TABLE parts (id int) PARTITION BY LIST (id);\n"
    "CREATE TABLE part_1 PARTITION OF parts FOR VALUES IN (1);\n"
    "CREATE TABLE part_2 PARTITION OF parts FOR VALUES IN (2);\n"
    "CREATE TABLE base (id int);\n"
    "CREATE TABLE heir () INHERITS (base);\n"
    "CREATE SEQUENCE numbers;\n"
    "CREATE FUNCTION of_text() RETURNS bigint LANGUAGE sql STABLE AS 'SELECT count(*) FROM b;';\n"
    "CREATE FUNCTION of_body() RETURNS bigint LANGUAGE sql STABLE RETURN (SELECT count(*) FROM "
    "b);\n"
    "CREATE FUNCTION folded() RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT count(*) FROM b';\n"
    "CREATE FUNCTION nested(OUT x bigint, OUT y int) LANGUAGE sql STABLE AS 'SELECT of_text(), "
    "1';\n"
    "CREATE FUNCTION named(n int) RETURNS SETOF c LANGUAGE sql STABLE AS\n"
    "  'SELECT * FROM c WHERE id = n';\n"
    "CREATE FUNCTION opaque() RETURNS bigint LANGUAGE plpgsql STABLE AS\n"
    "  'BEGIN RETURN (SELECT count(*) FROM b); END';\n"
    "CREATE FUNCTION unsure() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM b';\n"
    "CREATE FUNCTION ends() RETURNS int LANGUAGE sql STABLE AS 'SELECT 1';\n"
    "CREATE SCHEMA hidden;\n"
    "CREATE TABLE hidden.c (id int);\n"
    "CREATE FUNCTION moved() RETURNS bigint LANGUAGE sql STABLE SECURITY DEFINER\n"
    "  SET search_path = hidden AS 'SELECT count(*) FROM c';\n"
    "CREATE FUNCTION same(int, text) RETURNS bool LANGUAGE sql STABLE AS\n"
    "  'SELECT EXISTS (SELECT FROM b WHERE id = $1)';\n"
    "CREATE OPERATOR === (FUNCTION = same, LEFTARG = int, RIGHTARG = text);\n"
    "CREATE FUNCTION fine(int) RETURNS bool LANGUAGE sql STABLE AS\n"
    "  'SELECT EXISTS (SELECT FROM b WHERE id = $1)';\n"
    "CREATE DOMAIN fines AS int CHECK (fine(VALUE));\n"
    "CREATE TYPE ruled AS (id int, fine fines);\n"
    "CREATE TABLE worn (v fines);\n"
    "CREATE SCHEMA bare;\n"
    "CREATE FUNCTION add(bigint, int) RETURNS bigint LANGUAGE sql STABLE AS\n"
    "  'SELECT $1 + count(*) FROM b WHERE id = $2';\n"
    "CREATE AGGREGATE added(int) (SFUNC = add, STYPE = bigint, INITCOND = '0');\n"
    "CREATE TABLE secret (id int);\n"
    "ALTER TABLE secret ENABLE ROW LEVEL SECURITY;\n"
    "CREATE POLICY shown ON secret FOR SELECT USING (moved() > 0);\n"
    "DO $$ BEGIN CREATE ROLE reader; EXCEPTION WHEN duplicate_object THEN END $$;\n"
    "GRANT ALL ON a, b, c, secret TO reader;\n"
    "CREATE FUNCTION log_it() RETURNS trigger LANGUAGE plpgsql AS\n"
    "  'BEGIN INSERT INTO base VALUES (1); RETURN NULL; END';\n"
    "CREATE TRIGGER logs AFTER INSERT ON c FOR EACH STATEMENT EXECUTE FUNCTION log_it();\n"
    /* What ends the body, would it be taken for more than one statement. */
    "SET check_function_bodies = off;\n"
    "CREATE FUNCTION hostile() RETURNS int LANGUAGE sql STABLE AS\n"
    "  'SELECT 1; END; CREATE TABLE leftover (); SELECT 1';\n";

struct query {
    const char *name;
    const char *sql;
    const char *reads; /* tables by name, in their order; "*": everything, and why */
};

static const struct query queries[] = {
    {"plain", "SELECT id FROM a", "a"},
    {"joined", "SELECT 1 FROM a JOIN b USING (id) WHERE EXISTS (SELECT FROM c)", "a b c"},
    {"view", "SELECT * FROM deeper", "a"},
    {"materialized", "SELECT * FROM kept", "kept"},
    {"partitions", "SELECT * FROM parts", "part_1 part_2"},
    {"inherited", "SELECT * FROM base", "base heir"},
    {"nothing", "SELECT 1 WHERE now() < '2000-01-01'", ""},
    {"text", "SELECT of_text()", "b"},
    {"body", "SELECT of_body()", "b"},
    {"folded", "SELECT folded()", "b"},
    {"nested", "SELECT x FROM nested()", "b"},
    {"named", "SELECT * FROM named(1)", "c"},
    {"definer", "SELECT moved()", "hidden.c"},
    {"operator", "SELECT 1 WHERE 1 === 'x'", "b"},
    {"domain", "SELECT id::fines FROM a", "a b"},
    {"array_of_domain", "SELECT ARRAY[id]::fines[] FROM a", "a b"},
    {"aggregate", "SELECT added(id) FROM a", "a b"},
    {"policy", "SELECT * FROM secret", "hidden.c secret"},
    {"settings", "SELECT id FROM a WHERE current_setting('my.x', true) = note", "a"},
    {"json", "SELECT jsonb_agg(to_jsonb(a)), count(DISTINCT id) FROM a GROUP BY note", "a"},
    {"other_language", "SELECT opaque()", "*: it calls public.opaque(), which is in plpgsql"},
    {"volatile", "SELECT unsure()", "*: it calls public.unsure(), which is volatile"},
    {"sequence", "SELECT last_value FROM numbers", "*: it reads public.numbers, which is no table"},
    {"catalog", "SELECT relname FROM pg_class WHERE false", "*: it reads the catalog"},
    {"named_table", "SELECT table_to_xml('a', true, false, '')",
     "*: it calls table_to_xml(regclass,boolean,boolean,text)"},
    {"populated", "SELECT id FROM jsonb_populate_recordset(NULL::ruled, '[]')", "b"},
    {"populated_by_row", "SELECT x FROM worn, jsonb_populate_record(ROW(v), '{}') AS r (x fines)",
     "b worn"},
    {"columns_named", "SELECT y FROM jsonb_to_recordset('[]') AS r (x int, y fines)", "b"},
    {"privilege", "SELECT has_table_privilege('a', 'SELECT') OR pg_has_role('reader', 'USAGE')",
     ""},
    {"of_database", "SELECT has_database_privilege('template1', 'CONNECT')",
     "*: it calls has_database_privilege(text,text)"},
    {"clock", "SELECT statement_timestamp()", "*: it calls statement_timestamp()"},
    {"place", "SELECT ctid FROM a", "*: it reads where rows are stored"},
    {"sample", "SELECT * FROM a TABLESAMPLE BERNOULLI (50)", "*: it reads a sample"},
    {"writes", "INSERT INTO c VALUES (1) RETURNING id", "*: it writes"},
    {"writes_within", "WITH w AS (DELETE FROM c RETURNING id) SELECT * FROM w", "*: it writes"},
    {"hostile", "SELECT hostile()", "*: the server can't say what it reads before it is asked"},
};
enum { QUERIES = sizeof queries / sizeof *queries };

static void open(struct fixture *fixture, const char *context)
{
    struct strbuf yaml = {0};
    strbuf_adds(&yaml,
                "model: x = None\n"
                "rules:\n"
                "  name: {sql: 'SELECT CASE WHEN c.relnamespace = ''public''::regnamespace\n"
                "    THEN c.relname::text ELSE c.oid::regclass::text END\n"
                "    FROM pg_class c WHERE c.oid = :x::oid'}\n"
                "  left: {sql: 'SELECT count(*) FROM pg_class WHERE relname = ''leftover'''}\n"
                "  functions: {sql: 'SELECT count(*) FROM pg_proc WHERE proname ~ ''pgfsm'''}\n"
                "invariants:\n");
    for (size_t i = 0; i < QUERIES; i++) {
        strbuf_addf(&yaml, "  %s:\n    sql: |\n      %s\n%s", queries[i].name, queries[i].sql,
                    context);
    }
    fixture_open(fixture, schema, strbuf_text(&yaml));
    strbuf_free(&yaml);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const char *tables(struct fixture *fixture, const struct invariant_reads *reads)
{
    const char *names[8];
    struct strbuf text = {0};
    size_t count = 0;
    for (size_t i = 0; !reads->all && i < reads->tables.count && count < 8; i++) {
        const char *oid = fixture_session(fixture)->reads.tables.items[reads->tables.items[i]];
        struct value value = value_text(&fixture->arena, oid);
        struct answer answer = fixture_run(fixture, "name", &value);
        names[count++] = value_cstr(fixture_value(&answer));
    }
    qsort(names, count, sizeof *names, by_name);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || strcmp(names[i], names[i - 1]) != 0) {
            strbuf_addf(&text, "%s%s", text.size ? " " : "", names[i]);
        }
    }
    const char *copy = reads->all ? arena_printf(&fixture->arena, "*: %s", reads->all)
                                  : strbuf_copy(&text, &fixture->arena);
    strbuf_free(&text);
    return copy;
}

static void look(const char *context)
{
    struct fixture fixture = fixture_new();
    struct backend_reads reads;
    open(&fixture, context);
    assert_true(fixture.backend->ops->reads(fixture.backend, &reads, &fixture.err));
    assert_non_null(reads.invariants);
    for (size_t i = 0; i < QUERIES; i++) {
        const char *found = tables(&fixture, &reads.invariants[i]);
        if (strcmp(found, queries[i].reads) != 0) {
            fail_msg("%s reads '%s', not '%s'", queries[i].name, found, queries[i].reads);
        }
    }
    struct answer answer = fixture_run(&fixture, "left", NULL);
    assert_int_equal(fixture_value(&answer).as.integer, 0);
    answer = fixture_run(&fixture, "functions", NULL);
    assert_int_equal(fixture_value(&answer).as.integer, 0);
    fixture_close(&fixture);
}

static void what_is_read(void **state)
{
    (void)state;
    look("");
}

/* A role without USAGE on a schema finds the table with that name in the next schema. */
static void by_role(void **state)
{
    struct fixture fixture = fixture_new();
    struct backend_reads reads;
    (void)state;
    fixture_open(&fixture,
                 "DO $$ BEGIN CREATE ROLE reader; EXCEPTION WHEN duplicate_object THEN END $$;\n"
                 "CREATE SCHEMA first;\n"
                 "CREATE TABLE first.t (id int);\n"
                 "CREATE TABLE t (id int);\n"
                 "GRANT SELECT ON t TO reader;\n"
                 "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = first, public',\n"
                 "  current_database()); END $$;\n",
                 "model: x = None\n"
                 "rules:\n"
                 "  name: {sql: 'SELECT :x::oid::regclass::text'}\n"
                 "invariants:\n"
                 "  of_reader: {as: {role: reader}, sql: SELECT id FROM t}\n"
                 "  of_owner: {sql: SELECT id FROM t}\n");
    assert_true(fixture.backend->ops->reads(fixture.backend, &reads, &fixture.err));
    assert_string_equal(tables(&fixture, &reads.invariants[0]), "public.t");
    assert_string_equal(tables(&fixture, &reads.invariants[1]), "t");
    fixture_close(&fixture);
}

struct reason {
    const char *schema;
    const char *rule;
    const char *why;
};

/* If no counter shows writes to what an invariant reads, all invariants are asked. */
static void no_invariant_is_sure(void **state)
{
    static const struct reason reasons[] = {
        {"CREATE FUNCTION f() RETURNS int LANGUAGE sql SET track_counts = off AS 'SELECT 1'", "",
         "track_counts may be off"},
        {"CREATE FUNCTION f() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END';\n"
         "CREATE EVENT TRIGGER e ON ddl_command_end EXECUTE FUNCTION f()",
         "", "an event trigger would see how the queries are looked at"},
        {"", "SELECT set_config('my.x', '1', true)", "SQL under test may change settings"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        struct fixture fixture = fixture_new();
        struct backend_reads reads;
        const char *yaml = arena_printf(
            &fixture.arena, "rules:\n  r:\n    sql: %s\ninvariants:\n  i: SELECT 1 WHERE false\n",
            *reasons[i].rule ? reasons[i].rule : "SELECT 1");
        fixture_open(&fixture, *reasons[i].schema ? reasons[i].schema : "SELECT 1", yaml);
        assert_true(fixture.backend->ops->reads(fixture.backend, &reads, &fixture.err));
        assert_null(reads.invariants);
        assert_string_equal(reads.all, reasons[i].why);
        fixture_close(&fixture);
    }
}

/* Rules of one statement each, and the detected writes: tables by name, or `*`. */
static const struct query writes[] = {
    {"insert", "INSERT INTO a VALUES (1), (2)", "a"},
    {"cascade", "WITH x AS (INSERT INTO b VALUES (1) RETURNING id) SELECT 1", "b"},
    {"select", "SELECT * FROM a", ""},
    {"update", "UPDATE a SET note = 'x'", "a"},
    {"no_row", "UPDATE a SET note = 'y' WHERE id = 9", ""},
    {"delete", "DELETE FROM a WHERE id = 1", "a b"},
    {"trigger", "INSERT INTO c VALUES (1)", "base c"},
    {"partition", "INSERT INTO parts VALUES (2)", "part_2"},
    {"within_function", "SELECT nextval('numbers')", ""},
    {"lock", "SELECT * FROM a FOR UPDATE", ""},
    {"truncate", "TRUNCATE c", "*"},
    {"refresh", "REFRESH MATERIALIZED VIEW kept", "*"},
    {"view", "CREATE OR REPLACE VIEW deeper AS SELECT id FROM c", "*"},
    {"function", "CREATE OR REPLACE FUNCTION ends() RETURNS int LANGUAGE sql STABLE AS 'SELECT 2'",
     "*"},
    {"policy", "ALTER POLICY shown ON secret USING (false)", "*"},
    {"grant", "REVOKE ALL ON a FROM reader", "*"},
    {"column_grant", "GRANT UPDATE (note) ON a TO reader", "*"},
    {"member", "GRANT pg_read_all_data TO reader", "*"},
    {"role", "CREATE ROLE test_reads_made", "*"},
    {"schema", "DROP SCHEMA bare", "*"},
    {"column", "ALTER TABLE a ADD COLUMN more int", "*"},
    {"temporary", "CREATE TEMPORARY TABLE c (id int)", "*"},
    {"rename", "ALTER TABLE a RENAME COLUMN note TO noted", "*"},
};
enum { WRITES = sizeof writes / sizeof *writes };

static const char *changed(struct fixture *fixture, const char *const *names, size_t count)
{
    struct backend_written written;
    struct strbuf text = {0};
    backend_ticket ticket;
    const struct backend_ops *ops = fixture->backend->ops;
    assert_true(ops->queue_written(fixture->backend, &ticket, &fixture->err));
    assert_true(
        ops->take_written(fixture->backend, ticket, &fixture->arena, &written, &fixture->err));
    for (size_t i = 0; written.tables && i < count; i++) {
        if (written.tables[i]) {
            strbuf_addf(&text, "%s%s", text.size ? " " : "", names[i]);
        }
    }
    const char *copy = written.all ? "*" : strbuf_copy(&text, &fixture->arena);
    strbuf_free(&text);
    return copy;
}

static void what_was_written(void **state)
{
    static const char *const names[] = {"a", "b", "base", "c", "part_1", "part_2", "heir", "kept"};
    struct fixture fixture = fixture_new();
    struct strbuf yaml = {0};
    struct backend_reads reads;
    (void)state;
    strbuf_adds(&yaml, "rules:\n");
    for (size_t i = 0; i < WRITES; i++) {
        strbuf_addf(&yaml, "  %s:\n    sql: |\n      %s\n", writes[i].name, writes[i].sql);
    }
    strbuf_adds(&yaml, "invariants:\n  i: SELECT 1 FROM a, b, base, c, parts, kept\n");
    fixture_open(&fixture, schema, strbuf_text(&yaml));
    strbuf_free(&yaml);
    assert_true(fixture.backend->ops->reads(fixture.backend, &reads, &fixture.err));
    size_t count = reads.tables;
    assert_int_equal(count, sizeof names / sizeof *names);
    assert_string_equal(changed(&fixture, names, count), "*"); /* nothing to compare with */
    const char *ordered[8];
    for (size_t i = 0; i < count; i++) {
        ordered[i] = fixture_sql(&fixture, fixture_session(&fixture)->scratch.name,
                                 arena_printf(&fixture.arena, "SELECT %s::regclass::text",
                                              fixture_session(&fixture)->reads.tables.items[i]));
    }
    for (size_t i = 0; i < WRITES; i++) {
        struct answer answer = fixture_run(&fixture, writes[i].name, NULL);
        if (answer.status != ANSWER_OK) {
            fail_msg("%s: %s", writes[i].name, answer.error.message);
        }
        const char *found = changed(&fixture, ordered, count);
        if (strcmp(found, writes[i].reads) != 0) {
            fail_msg("%s wrote '%s', not '%s'", writes[i].name, found, writes[i].reads);
        }
    }
    fixture_close(&fixture);
}

/* Relations instead of invariants: what each one's rows depend on. */
static void what_relations_read(void **state)
{
    static const struct {
        const char *name;
        const char *reads;
    } expected[] = {
        {"hidden.c", "hidden.c"},
        {"public.a", "a"},
        {"public.base", "base heir"},
        {"public.deeper", "a"},
        {"public.kept", "kept"},
        {"public.parts", "part_1 part_2"},
        {"public.secret", "hidden.c secret"},
        {"public.sql_view", "b"},
        {"public.unsure_view", "*: it calls public.opaque(), which is in plpgsql"},
        {"public.worn", "worn"},
    };
    struct fixture fixture = fixture_new();
    struct backend_relations relations;
    struct backend_reads reads;
    size_t next = 0;
    (void)state;
    const char *with_views = arena_printf(&fixture.arena,
                                          "%sCREATE VIEW unsure_view AS SELECT opaque();\n"
                                          "CREATE VIEW sql_view AS SELECT of_text();\n",
                                          schema);
    fixture_open(&fixture, with_views,
                 "model: x = None\n"
                 "rules:\n  name: {sql: 'SELECT :x::oid::regclass::text'}\n");
    const struct backend_ops *ops = fixture.backend->ops;
    assert_true(ops->relations(fixture.backend, &fixture.arena, &relations, &fixture.err));
    assert_true(ops->watch(fixture.backend, &relations, &reads, &fixture.err));
    assert_non_null(reads.invariants);
    for (size_t i = 0; i < relations.items.count; i++) {
        if (next == sizeof expected / sizeof *expected ||
            strcmp(relations.items.items[i].name, expected[next].name) != 0) {
            continue;
        }
        const char *found = tables(&fixture, &reads.invariants[i]);
        if (strcmp(found, expected[next].reads) != 0) {
            fail_msg("%s reads '%s', not '%s'", expected[next].name, found, expected[next].reads);
        }
        next++;
    }
    assert_int_equal(next, sizeof expected / sizeof *expected);
    fixture_close(&fixture);
}

static const char *referred(struct fixture *fixture, const struct key_facts *key)
{
    struct value rows;
    const struct backend_ops *ops = fixture->backend->ops;
    assert_true(ops->rows(fixture->backend, key, &fixture->arena, &rows, &fixture->err));
    return fixture_repr(fixture, rows);
}

/* Rows that keys may refer to are kept until something is sent, and asked for by name. */
static void rows_for_keys(void **state)
{
    const struct key_facts key = {.query =
                                      "SELECT DISTINCT id FROM public.base ORDER BY 1 LIMIT 9"};
    struct fixture fixture = fixture_new();
    (void)state;
    fixture_open(&fixture, schema,
                 "model: x = None\n"
                 "rules:\n"
                 "  put: {sql: 'INSERT INTO base VALUES (:x::int)'}\n"
                 "  alter: {sql: 'ALTER TABLE base ALTER id TYPE text'}\n"
                 "  forget: {sql: \"DO $$BEGIN EXECUTE 'DEALL' || 'OCATE ALL'; END$$\"}\n");
    const struct backend_ops *ops = fixture.backend->ops;
    assert_true(ops->mark(fixture.backend, &fixture.err));
    for (int i = 1; i <= 2; i++) {
        struct value one = value_int(1);
        struct value two = value_int(2);
        assert_string_equal(referred(&fixture, &key), "[]");
        (void)fixture_run(&fixture, "put", &one);
        assert_string_equal(referred(&fixture, &key), "[(1,)]");
        assert_string_equal(referred(&fixture, &key), "[(1,)]");
        assert_true(ops->guard_begin(fixture.backend, GUARD_MUST_FAIL, &fixture.err));
        (void)fixture_run(&fixture, "put", &two);
        assert_string_equal(referred(&fixture, &key), "[(1,), (2,)]");
        assert_true(ops->guard_end(fixture.backend, &fixture.err));
        assert_string_equal(referred(&fixture, &key), "[(1,)]");
        (void)fixture_run(&fixture, "alter", NULL);
        assert_string_equal(referred(&fixture, &key), "[(\"1\",)]");
        assert_true(ops->reset(fixture.backend, &fixture.err));
    }
    /* The example is run again until nothing is asked by a name that is gone. */
    struct value three = value_int(3);
    const char *rows = "[]";
    (void)fixture_run(&fixture, "forget", NULL);
    for (unsigned tries = 0; tries < 3 && strcmp(rows, "[]") == 0; tries++) {
        (void)referred(&fixture, &key);
        assert_true(ops->reset(fixture.backend, &fixture.err));
        (void)fixture_run(&fixture, "put", &three);
        rows = referred(&fixture, &key);
    }
    assert_string_equal(rows, "[(3,)]");
    fixture_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_read),         cmocka_unit_test(by_role),
        cmocka_unit_test(no_invariant_is_sure), cmocka_unit_test(what_was_written),
        cmocka_unit_test(what_relations_read),  cmocka_unit_test(rows_for_keys),
    };
    return cmocka_run_group_tests(tests, fixture_start, fixture_stop);
}
