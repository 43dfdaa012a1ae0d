/* The gates of each kind of statement, and if the statement has written when it reaches each of
 * them. Another session finds that out: its own statement then waits for a lock. The expectations
 * were derived by hand from PostgreSQL's manual. */
#include "example/lanes.h"
#include "pg/connect.h"
#include "pg/fixture.h"
#include "pg/pg.h"
#include "pg/session/session.h"

#include <poll.h>
#include <string.h>

static const char schema[] =
    "CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL DEFAULT 0);\n"
    "INSERT INTO t VALUES (1), (2);\n"
    "CREATE TABLE log (what text);\n"
    "CREATE TABLE emptied (id int);\n"
    "CREATE SCHEMA other;\n"
    "CREATE TABLE other.\"odd name\" (id int PRIMARY KEY);\n"
    "CREATE TABLE parts (id int, n int, PRIMARY KEY (id, n)) PARTITION BY LIST (n);\n"
    "CREATE TABLE parts_0 PARTITION OF parts FOR VALUES IN (0);\n"
    "CREATE TABLE parts_1 PARTITION OF parts FOR VALUES IN (1);\n"
    "INSERT INTO parts VALUES (1, 0);\n"
    "CREATE TABLE base (id int);\n"
    "CREATE TABLE derived (more int) INHERITS (base);\n"
    "INSERT INTO derived VALUES (1);\n"
    "CREATE TABLE parents (id int PRIMARY KEY);\n"
    "CREATE TABLE children (parent int REFERENCES parents ON DELETE CASCADE ON UPDATE CASCADE);\n"
    "INSERT INTO parents VALUES (1);\n"
    "INSERT INTO children VALUES (1);\n"
    "CREATE TABLE owners (id int PRIMARY KEY);\n"
    "CREATE TABLE things (owner int REFERENCES owners ON DELETE SET NULL);\n"
    "INSERT INTO owners VALUES (1);\n"
    "INSERT INTO things VALUES (1);\n"
    "CREATE TABLE checked (id int PRIMARY KEY);\n"
    "CREATE TABLE sorted (id int);\n"
    "CREATE MATERIALIZED VIEW kept AS SELECT count(*) FROM t;\n"
    "CREATE SEQUENCE numbers;\n"
    "CREATE VIEW plain AS SELECT id, n FROM t;\n"
    "CREATE VIEW instead AS SELECT id, n FROM t;\n"
    "CREATE VIEW ruled AS SELECT id, n FROM t;\n"
    "CREATE RULE other_table AS ON INSERT TO ruled DO INSTEAD INSERT INTO log VALUES ('rule');\n"
    "CREATE FUNCTION through() RETURNS trigger LANGUAGE plpgsql AS\n"
    "  'BEGIN INSERT INTO t VALUES (new.id); RETURN new; END';\n"
    "CREATE TRIGGER through INSTEAD OF INSERT ON instead FOR EACH ROW EXECUTE FUNCTION through();\n"
    "CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS\n"
    "  'BEGIN INSERT INTO log VALUES (tg_name); RETURN new; END';\n"
    "CREATE CONSTRAINT TRIGGER late AFTER INSERT ON checked DEFERRABLE INITIALLY DEFERRED\n"
    "  FOR EACH ROW EXECUTE FUNCTION note();\n"
    "CREATE TRIGGER \" early\" BEFORE INSERT ON sorted EXECUTE FUNCTION note();\n"
    "CREATE TRIGGER before BEFORE INSERT ON sorted EXECUTE FUNCTION note();\n"
    "CREATE TRIGGER before_row BEFORE INSERT ON sorted FOR EACH ROW EXECUTE FUNCTION note();\n"
    "CREATE TRIGGER after_row AFTER INSERT ON sorted FOR EACH ROW EXECUTE FUNCTION note();\n"
    "CREATE TRIGGER zz AFTER INSERT ON sorted EXECUTE FUNCTION note();\n"
    "CREATE TRIGGER \"~~late\" AFTER INSERT ON sorted EXECUTE FUNCTION note();\n"
    "CREATE FUNCTION in_sql(int) RETURNS void LANGUAGE sql AS\n"
    "  'INSERT INTO t VALUES ($1); UPDATE t SET n = 1 WHERE id = $1';\n"
    "CREATE FUNCTION atomic(int) RETURNS void LANGUAGE sql\n"
    "  BEGIN ATOMIC INSERT INTO t VALUES ($1); UPDATE t SET n = 1 WHERE id = $1; END;\n"
    "CREATE FUNCTION in_plpgsql(int) RETURNS void LANGUAGE plpgsql AS\n"
    "  'BEGIN INSERT INTO t VALUES ($1); EXECUTE ''UPDATE t SET n = 1 WHERE id = $1'' USING $1; "
    "END';\n"
    "CREATE FUNCTION at_cursor() RETURNS void LANGUAGE plpgsql AS $$\n"
    "DECLARE c CURSOR FOR SELECT * FROM t ORDER BY id FOR UPDATE;\n"
    "BEGIN OPEN c; MOVE c; UPDATE t SET n = 1 WHERE CURRENT OF c; END $$;\n"
    "CREATE FUNCTION as_replica() RETURNS void LANGUAGE plpgsql SET session_replication_role = "
    "replica AS\n"
    "  'BEGIN INSERT INTO t VALUES (3); END';\n"
    "CREATE PROCEDURE in_two() LANGUAGE plpgsql AS\n"
    "  'BEGIN INSERT INTO t VALUES (3); COMMIT; INSERT INTO t VALUES (4); END';\n"
    "CREATE PROCEDURE undone() LANGUAGE plpgsql AS\n"
    "  'BEGIN INSERT INTO t VALUES (3); ROLLBACK; INSERT INTO t VALUES (4); END';\n";

static const char schema_between[] =
    "CREATE FUNCTION two_reads() RETURNS int LANGUAGE plpgsql AS\n"
    "  'DECLARE a int := (SELECT n FROM t WHERE id = 1);\n"
    "  BEGIN a := a + 1;\n  RETURN a + (SELECT n FROM t WHERE id = 2); END';\n"
    "CREATE FUNCTION locks() RETURNS int LANGUAGE plpgsql AS $$ BEGIN\n"
    "  PERFORM FROM t WHERE id = 1 FOR UPDATE; PERFORM pg_advisory_xact_lock(1);\n"
    "  IF (SELECT n FROM t WHERE id = 1) = 1 THEN NULL;\n"
    "  ELSIF (SELECT n FROM t WHERE id = 1) = 0 THEN RETURN 2; END IF; END $$;\n"
    "CREATE FUNCTION other.by_anyone() RETURNS int LANGUAGE plpgsql SECURITY DEFINER\n"
    "  SET search_path = other AS $$ BEGIN IF (SELECT count(*) FROM \"odd name\") > 9 THEN\n"
    "  RETURN 1; END IF; PERFORM count(*) FROM \"odd name\"; RETURN 2; END $$;\n"
    "CREATE FUNCTION is_stable() RETURNS int LANGUAGE plpgsql STABLE AS\n"
    "  'BEGIN PERFORM count(*) FROM t; RETURN (SELECT 1 FROM t WHERE id = 1); END';\n"
    "CREATE FUNCTION caught() RETURNS int LANGUAGE plpgsql AS $$ BEGIN\n"
    "  BEGIN INSERT INTO t VALUES (1); EXCEPTION WHEN unique_violation THEN PERFORM FROM t; END;\n"
    "  RETURN (SELECT count(*) FROM t); END $$;\n";

/* A table of another database. */
static const char sql_remote[] = "DROP TABLE IF EXISTS remote; CREATE TABLE remote (id int)";
static const char schema_foreign[] =
    "CREATE EXTENSION postgres_fdw;\n"
    "DO $$ BEGIN EXECUTE format('CREATE SERVER self FOREIGN DATA WRAPPER postgres_fdw OPTIONS\n"
    "  (host %L, port %L, dbname ''template1'')',\n"
    "  current_setting('unix_socket_directories'), current_setting('port')); END $$;\n"
    "CREATE USER MAPPING FOR current_user SERVER self OPTIONS (password_required 'false');\n"
    "CREATE FOREIGN TABLE far (id int) SERVER self OPTIONS (table_name 'remote');\n";

enum when { IN_STEP, AT_COMMIT, OUTSIDE };
enum needs { NOTHING, MERGE, FOREIGN };
struct way {
    const char *sql;
    const char *gates; /* "BEFORE INSERT t", "note() 1", one after the other */
    const char *probe; /* of the other session; rolled back. NULL: nothing tells */
    /* At each gate: `.` the probe succeeded, `x` it waited for a lock, `!` another error. */
    const char *told;
    enum when when;
    enum needs needs;
};

#define THIRD "INSERT INTO t VALUES (3)"
#define FIRST "UPDATE t SET n = 9 WHERE id = 1"
#define INSERTED "BEFORE INSERT t, AFTER INSERT t"
#define UPDATED "BEFORE UPDATE t, AFTER UPDATE t"
#define LOGGED "BEFORE INSERT log, AFTER INSERT log"
#define NOTED "note() 1, " LOGGED

static const struct way ways[] = {
    {.sql = "INSERT INTO t SELECT 3", .gates = INSERTED, .probe = THIRD, .told = ".x"},
    {.sql = "INSERT INTO t SELECT 3 WHERE false", .gates = INSERTED, .probe = THIRD, .told = ".."},
    {.sql = "UPDATE t SET n = n + 1 WHERE id = 1", .gates = UPDATED, .probe = FIRST, .told = ".x"},
    {.sql = "UPDATE t SET n = n + 1 WHERE id = 9", .gates = UPDATED, .probe = FIRST, .told = ".."},
    {.sql = "DELETE FROM t WHERE id = 1",
     .gates = "BEFORE DELETE t, AFTER DELETE t",
     .probe = FIRST,
     .told = ".x"},
    /* its lock is older than its triggers */
    {.sql = "TRUNCATE emptied",
     .gates = "BEFORE TRUNCATE emptied, AFTER TRUNCATE emptied",
     .probe = "SELECT FROM emptied",
     .told = "xx"},
    {.sql = "TRUNCATE parents CASCADE",
     .gates = "BEFORE TRUNCATE parents, BEFORE TRUNCATE children, AFTER TRUNCATE parents, "
              "AFTER TRUNCATE children",
     .probe = "SELECT FROM children",
     .told = "xxxx"},
    {.sql = "TRUNCATE parts",
     .gates = "BEFORE TRUNCATE parts, BEFORE TRUNCATE parts_0, BEFORE TRUNCATE parts_1, "
              "AFTER TRUNCATE parts, AFTER TRUNCATE parts_0, AFTER TRUNCATE parts_1",
     .probe = "SELECT FROM parts_1",
     .told = "xxxxxx"},
    {.sql = "MERGE INTO t USING (VALUES (1), (2), (3)) AS s (id) ON t.id = s.id "
            "WHEN MATCHED AND t.id = 2 THEN DELETE WHEN MATCHED THEN UPDATE SET n = 5 "
            "WHEN NOT MATCHED THEN INSERT VALUES (s.id, 0)",
     .gates = "BEFORE INSERT t, BEFORE UPDATE t, BEFORE DELETE t, AFTER DELETE t, AFTER UPDATE t, "
              "AFTER INSERT t",
     .probe = FIRST,
     .told = "...xxx",
     .needs = MERGE},
    {.sql = "COPY t FROM PROGRAM 'echo 3,0' CSV", .gates = INSERTED, .probe = THIRD, .told = ".x"},
    {.sql = "INSERT INTO t VALUES (1) ON CONFLICT (id) DO UPDATE SET n = 5",
     .gates = "BEFORE INSERT t, BEFORE UPDATE t, AFTER UPDATE t, AFTER INSERT t",
     .probe = FIRST,
     .told = "..xx"},
    {.sql = "INSERT INTO t VALUES (1) ON CONFLICT DO NOTHING",
     .gates = INSERTED,
     .probe = FIRST,
     .told = ".."},
    {.sql = "WITH c AS (INSERT INTO t VALUES (3) RETURNING id) INSERT INTO log SELECT id FROM c",
     .gates = "BEFORE INSERT log, BEFORE INSERT t, AFTER INSERT t, AFTER INSERT log",
     .probe = THIRD,
     .told = "..xx"},
    {.sql = "INSERT INTO plain VALUES (3, 0)", .gates = INSERTED, .probe = THIRD, .told = ".x"},
    {.sql = "UPDATE plain SET n = 1 WHERE id = 1", .gates = UPDATED, .probe = FIRST, .told = ".x"},
    {.sql = "INSERT INTO instead VALUES (3, 0)",
     .gates = "through() 1, " INSERTED,
     .probe = THIRD,
     .told = "..x"},
    {.sql = "INSERT INTO ruled VALUES (3, 0)", .gates = LOGGED},
    /* partitions: the gates of the table that the statement names */
    {.sql = "INSERT INTO parts VALUES (2, 1)",
     .gates = "BEFORE INSERT parts, AFTER INSERT parts",
     .probe = "INSERT INTO parts VALUES (2, 1)",
     .told = ".x"},
    /* they lock no part that the statement does not write to */
    {.sql = "INSERT INTO parts VALUES (2, 1)",
     .gates = "BEFORE INSERT parts, AFTER INSERT parts",
     .probe = "LOCK TABLE ONLY parts_0",
     .told = ".."},
    {.sql = "INSERT INTO parts_1 VALUES (2, 1)",
     .gates = "BEFORE INSERT parts_1, AFTER INSERT parts_1",
     .probe = "INSERT INTO parts VALUES (2, 1)",
     .told = ".x"},
    {.sql = "UPDATE parts SET n = 1 WHERE id = 1",
     .gates = "BEFORE UPDATE parts, AFTER UPDATE parts",
     .probe = "DELETE FROM parts WHERE id = 1",
     .told = ".x"},
    {.sql = "UPDATE base SET id = 2",
     .gates = "BEFORE UPDATE base, AFTER UPDATE base",
     .probe = "DELETE FROM derived",
     .told = ".x"},
    {.sql = "UPDATE derived SET id = 2",
     .gates = "BEFORE UPDATE derived, AFTER UPDATE derived",
     .probe = "DELETE FROM base",
     .told = ".x"},
    {.sql = "INSERT INTO far VALUES (3)",
     .gates = "BEFORE INSERT far, AFTER INSERT far",
     .needs = FOREIGN},
    {.sql = "INSERT INTO other.\"odd name\" VALUES (3)",
     .gates = "BEFORE INSERT other.odd name, AFTER INSERT other.odd name",
     .probe = "INSERT INTO other.\"odd name\" VALUES (3)",
     .told = ".x"},
    /* foreign keys: their actions on other tables come before the end of the statement */
    {.sql = "DELETE FROM parents",
     .gates = "BEFORE DELETE parents, BEFORE DELETE children, AFTER DELETE parents, "
              "AFTER DELETE children",
     .probe = "UPDATE children SET parent = 1",
     .told = "..xx"},
    {.sql = "UPDATE parents SET id = 2",
     .gates = "BEFORE UPDATE parents, BEFORE UPDATE children, AFTER UPDATE parents, "
              "AFTER UPDATE children",
     .probe = "SELECT FROM children FOR UPDATE",
     .told = "..xx"},
    {.sql = "DELETE FROM owners",
     .gates = "BEFORE DELETE owners, BEFORE UPDATE things, AFTER DELETE owners, "
              "AFTER UPDATE things",
     .probe = "SELECT FROM things FOR UPDATE",
     .told = "..xx"},
    /* triggers: by name, around those that stop */
    {.sql = "INSERT INTO sorted VALUES (3)",
     .gates = NOTED ", BEFORE INSERT sorted, " NOTED ", " NOTED ", " NOTED ", " NOTED
                    ", AFTER INSERT sorted, " NOTED},
    {.sql = "INSERT INTO checked VALUES (3)",
     .gates = "BEFORE INSERT checked, AFTER INSERT checked",
     .probe = "INSERT INTO checked VALUES (3)",
     .told = ".x"},
    {.sql = "INSERT INTO checked VALUES (3)", .gates = NOTED, .when = AT_COMMIT},
    {.sql = "SELECT in_sql(3)",
     .gates = INSERTED ", in_sql() 1, " UPDATED,
     .probe = THIRD,
     .told = ".xxxx"},
    {.sql = "SELECT atomic(3)", .gates = INSERTED ", " UPDATED, .probe = THIRD, .told = ".xxx"},
    {.sql = "SELECT in_plpgsql(3)",
     .gates = INSERTED ", in_plpgsql() 1, " UPDATED,
     .probe = THIRD,
     .told = ".xxxx"},
    {.sql = "SELECT at_cursor()",
     .gates = "at_cursor() 3, at_cursor() 3, " UPDATED,
     .probe = FIRST,
     .told = ".xxx"},
    /* between the statements of functions: reads, locks */
    {.sql = "SELECT two_reads()", .gates = "two_reads() 3", .probe = FIRST, .told = "."},
    {.sql = "SELECT locks()",
     .gates = "locks() 2, locks() 3, locks() 4",
     .probe = FIRST,
     .told = "xxx"},
    {.sql = "SELECT other.by_anyone()", .gates = "other.by_anyone() 2"},
    {.sql = "SELECT is_stable()", .gates = ""},
    {.sql = "SELECT caught()",
     .gates = "BEFORE INSERT t, caught() 2, caught() 3",
     .probe = THIRD,
     .told = "..."},
    {.sql = "DO 'BEGIN INSERT INTO t VALUES (3); END'",
     .gates = INSERTED,
     .probe = THIRD,
     .told = ".x"},
    {.sql = "CALL in_two()",
     .gates = INSERTED ", in_two() 1, " INSERTED,
     .probe = THIRD,
     .told = ".x!!!",
     .when = OUTSIDE},
    {.sql = "CALL undone()",
     .gates = INSERTED ", undone() 1, " INSERTED,
     .probe = THIRD,
     .told = ".x...",
     .when = OUTSIDE},
    /* no gates for tables that the step creates, and for statements that do not write to a table */
    {.sql = "DO 'BEGIN CREATE TABLE fresh (id int); INSERT INTO fresh VALUES (1); END'",
     .gates = ""},
    {.sql = "CREATE TABLE copied AS SELECT * FROM t", .gates = ""},
    {.sql = "DO 'BEGIN CREATE TEMP TABLE t (id int); INSERT INTO t VALUES (1); END'", .gates = ""},
    {.sql = "DO 'BEGIN CREATE TABLE parts_2 PARTITION OF parts FOR VALUES IN (2); "
            "INSERT INTO parts VALUES (1, 2); END'",
     .gates = "BEFORE INSERT parts, AFTER INSERT parts"},
    {.sql = "REFRESH MATERIALIZED VIEW kept", .gates = ""},
    {.sql = "ALTER TABLE t ADD COLUMN more int DEFAULT 7", .gates = ""},
    {.sql = "SELECT nextval('numbers'), pg_notify('c', ''), pg_advisory_xact_lock(1), "
            "lo_create(0)",
     .gates = ""},
    {.sql = "SELECT FROM t FOR UPDATE", .gates = ""},
    /* triggers can be turned off */
    {.sql = "SELECT as_replica()", .gates = ""},
    {.sql = "DO 'BEGIN ALTER TABLE t DISABLE TRIGGER USER; INSERT INTO t VALUES (3); END'",
     .gates = INSERTED},
    {.sql = "DO 'BEGIN ALTER TABLE t DISABLE TRIGGER ALL; INSERT INTO t VALUES (3); END'",
     .gates = ""},
};
enum { WAYS = sizeof ways / sizeof *ways };

struct observed {
    struct lane_host host; /* first */
    struct fixture fixture;
    struct backend *lane;
    const struct way *way;
    PGconn *outside;
    struct strbuf gates;
    struct strbuf told;
    bool listens; /* to gates */
    bool stopped;
};

static const struct lane_ops *lane_ops(const struct observed *observed)
{
    return observed->fixture.backend->ops->lanes;
}

/* The result of the way's probe, as in `told`. */
static char probe(PGconn *conn, const char *sql)
{
    PQclear(PQexec(conn, "BEGIN; SET LOCAL lock_timeout = '20ms'"));
    PGresult *result = PQexec(conn, sql);
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    char out = '!';
    if (!state) {
        out = '.';
    } else if (strcmp(state, "55P03") == 0) {
        out = 'x';
    }
    PQclear(result);
    PQclear(PQexec(conn, "ROLLBACK"));
    return out;
}

static bool on_wait(struct lane_host *host, int fd, bool writing, struct error *err)
{
    struct observed *observed = (struct observed *)host;
    struct pollfd poll_fd = {.fd = fd, .events = (short)(POLLIN | (writing ? POLLOUT : 0))};
    if (observed->stopped) {
        observed->stopped = false;
        if (observed->way->probe) {
            strbuf_addc(&observed->told, probe(observed->outside, observed->way->probe));
        }
        assert_true(lane_ops(observed)->release(observed->lane, err));
    }
    (void)poll(&poll_fd, 1, -1);
    return true;
}

static void on_crossed(struct lane_host *host, const struct lane_gate *gate, bool stopped)
{
    struct observed *observed = (struct observed *)host;
    if (!observed->listens) {
        return;
    }
    bool is_public = strcmp(gate->schema, "public") == 0;
    if (gate->function) {
        strbuf_addf(&observed->gates, "%s%s %u%s", observed->gates.size ? ", " : "", gate->name,
                    gate->line, stopped ? "" : " (not stopped at)");
        observed->stopped = stopped;
        return;
    }
    strbuf_addf(&observed->gates, "%s%s %s%s%s%s", observed->gates.size ? ", " : "", gate->when,
                is_public ? "" : gate->schema, is_public ? "" : ".", gate->table,
                stopped ? "" : " (not stopped at)");
    observed->stopped = stopped;
}

static bool has(struct observed *observed, enum needs needs)
{
    static const char *const asked[] = {
        [NOTHING] = "SELECT true",
        [MERGE] = "SELECT current_setting('server_version_num')::int >= 150000",
        [FOREIGN] = "SELECT count(*) > 0 FROM pg_available_extensions WHERE name = 'postgres_fdw'"};
    return strcmp(fixture_sql(&observed->fixture, "template1", asked[needs]), "t") == 0;
}

/* A server that is too old for a way can't prepare it. */
static const char *machine_of_ways(struct observed *observed)
{
    struct strbuf yaml = {0};
    strbuf_adds(&yaml, "model: x = None\nrules:\n");
    for (size_t i = 0; i < WAYS; i++) {
        strbuf_addf(&yaml, "  way_%zu:\n", i);
        strbuf_adds(&yaml, ways[i].when == OUTSIDE ? "    transaction: none\n" : "");
        bool known = ways[i].needs != MERGE || has(observed, MERGE);
        strbuf_addf(&yaml, "    sql: |-\n      %s\n", known ? ways[i].sql : "SELECT");
    }
    const char *text = strbuf_copy(&yaml, &observed->fixture.arena);
    strbuf_free(&yaml);
    return text;
}

static void open_lane(struct observed *observed)
{
    struct fixture *fixture = &observed->fixture;
    struct lane_host *hosts[] = {&observed->host};
    if (!lane_ops(observed)->open(fixture->backend, 1, hosts, &observed->lane, &fixture->err)) {
        fail_msg("%s", fixture->err.message);
    }
    PGconn *conn = session_of(observed->lane)->wire.conn;
    struct connect_request request = target_request(fixture->target, PQdb(conn), "outside");
    PQfinish(observed->outside);
    if (!connect_open(&request, &observed->outside, &fixture->err)) {
        fail_msg("%s", fixture->err.message);
    }
}

static void set_up(struct observed *observed)
{
    *observed =
        (struct observed){.host = {.wait = on_wait, .crossed = on_crossed}, .way = &ways[0]};
    struct fixture *fixture = &observed->fixture;
    *fixture = fixture_new();
    fixture->options.commit = fixture->options.gates = true;
    bool foreign = has(observed, FOREIGN);
    if (foreign) {
        (void)fixture_sql(fixture, "template1", sql_remote);
    }
    const char *sql = arena_printf(&fixture->arena, "%s%s%s", schema, schema_between,
                                   foreign ? schema_foreign : "");
    fixture_open(fixture, sql, machine_of_ways(observed));
    open_lane(observed);
}

static void tear_down(struct observed *observed)
{
    PQfinish(observed->outside);
    strbuf_free(&observed->gates);
    strbuf_free(&observed->told);
    fixture_close(&observed->fixture);
}

static struct answer take(struct observed *observed, backend_ticket ticket)
{
    struct answer answer = {0};
    struct fixture *fixture = &observed->fixture;
    if (!observed->lane->ops->take(observed->lane, ticket, &fixture->arena, &answer,
                                   &fixture->err)) {
        fail_msg("%s: %s", observed->way->sql, fixture->err.message);
    }
    return answer;
}

/* Makes the next call stop at all its gates. */
static void stop_everywhere(struct observed *observed)
{
    enum { MANY = 60 };
    struct lane_stop stops[MANY];
    for (unsigned i = 0; i < MANY; i++) { /* and up to three in functions after each */
        stops[i] = (struct lane_stop){
            .gate = i % 4 ? TRACE_GATE_BODY : TRACE_GATE_WRITE, .crossing = i / 4, .nth = i % 4};
    }
    strbuf_clear(&observed->gates);
    strbuf_clear(&observed->told);
    observed->listens = true;
    assert_true(
        lane_ops(observed)->stop_at(observed->lane, stops + 1, MANY - 1, &observed->fixture.err));
}

static struct answer run(struct observed *observed, size_t index)
{
    struct fixture *fixture = &observed->fixture;
    const char *rule = arena_printf(&fixture->arena, "way_%zu", index);
    backend_ticket ticket = 0;
    const struct backend_call call = {
        .sql = fixture_rule(fixture, rule)->statements.items[0].sql,
        .begins = BEGINS_STEP,
        .outside = observed->way->when == OUTSIDE,
    };
    if (observed->way->when != AT_COMMIT) {
        stop_everywhere(observed);
    }
    assert_true(observed->lane->ops->queue(observed->lane, &call, &ticket, &fixture->err));
    struct answer answer = take(observed, ticket);
    observed->listens = false;
    if (observed->way->when == AT_COMMIT) {
        stop_everywhere(observed);
    }
    assert_true(
        observed->lane->ops->queue_deferred(observed->lane, NULL, true, &ticket, &fixture->err));
    struct answer committed = take(observed, ticket);
    return answer.status == ANSWER_ERROR ? answer : committed;
}

/* The next example. */
static void reset(struct observed *observed)
{
    struct fixture *fixture = &observed->fixture;
    const struct backend_ops *ops = fixture->backend->ops;
    PQfinish(observed->outside); /* a database with a connection can't be dropped */
    observed->outside = NULL;
    assert_true(observed->lane->ops->reset(observed->lane, &fixture->err));
    assert_true(ops->reset(fixture->backend, &fixture->err));
    if (ops->wants_restart(fixture->backend)) {
        assert_true(ops->restart(fixture->backend, &fixture->err));
        assert_true(ops->mark(fixture->backend, &fixture->err));
    }
    open_lane(observed);
}

static void each_way_has_its_gates(void **state)
{
    struct observed observed;
    bool good = true;
    (void)state;
    set_up(&observed);
    for (size_t i = 0; i < WAYS; i++) {
        const struct way *way = &ways[i];
        if (!has(&observed, way->needs)) {
            continue;
        }
        observed.way = way;
        struct answer answer = run(&observed, i);
        const char *gates = strbuf_text(&observed.gates);
        const char *told = strbuf_text(&observed.told);
        bool as_told = !way->probe || strcmp(told, way->told) == 0;
        if (answer.status == ANSWER_ERROR || strcmp(gates, way->gates) != 0 || !as_told) {
            good = false;
            print_error("%s\n  %s\n  gates:     %s\n  expected:  %s\n  told: %s, expected: %s\n",
                        way->sql, answer.status == ANSWER_ERROR ? answer.error.message : "no error",
                        gates, way->gates, told, way->told ? way->told : "");
        }
        reset(&observed);
    }
    tear_down(&observed);
    assert_true(good);
}

/* What mutants are made of is the schema's. */
static void texts_are_told_without_gates(void **state)
{
    struct observed observed;
    struct pg_body *bodies = NULL;
    size_t count = 0;
    bool found = false;
    (void)state;
    set_up(&observed);
    struct fixture *fixture = &observed.fixture;
    assert_true(pg_bodies(fixture->backend, &fixture->arena, &bodies, &count, &fixture->err));
    for (size_t i = 0; i < count; i++) {
        found = found || strcmp(bodies[i].object, "in_plpgsql(integer)") == 0;
        assert_null(strstr(bodies[i].source, "pgfsm"));
    }
    assert_true(found);
    tear_down(&observed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_way_has_its_gates),
                                       cmocka_unit_test(texts_are_told_without_gates)};
    return cmocka_run_group_tests(tests, fixture_start, fixture_stop);
}
