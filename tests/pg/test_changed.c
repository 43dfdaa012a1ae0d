/* What changed in the tables, as it is told of a failure. */
#include "example/tables.h"
#include "pg/fixture.h"
#include "pg/session/session.h"

#include <string.h>

static void add_cells(struct strbuf *text, const struct value *cells, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        strbuf_adds(text, i ? ", " : "[");
        value_repr(cells[i], text);
    }
    strbuf_adds(text, count ? "]" : "[]");
}

static void add_row(struct strbuf *text, const struct table_row *row, size_t count)
{
    strbuf_adds(text, !row->before ? " +" : !row->after ? " -" : " *");
    if (row->before) {
        add_cells(text, row->before, count);
        strbuf_addf(text, "@%zu%s", row->since, row->after ? "=>" : "");
    }
    if (row->after) {
        add_cells(text, row->after, count);
    }
}

static void add_table(struct strbuf *text, const struct table_change *table)
{
    const char *name = table->name;
    strbuf_adds(text, strncmp(name, "public.", 7) == 0 ? name + 7 : name);
    for (size_t i = 0; i < table->row_count; i++) {
        add_row(text, &table->rows[i], table->column_count);
    }
    if (table->why_not) {
        strbuf_addf(text, ": %s", table->why_not);
    }
    if (table->more) {
        strbuf_addf(text, " and %zu more", table->more);
    }
}

/* "jobs +[1, "x"] -[2, "y"]@0 *[3, "z"]@1=>[3, "w"] | log: too large". `@`: since when. */
static const char *look(struct fixture *fixture)
{
    struct table_changes changes;
    struct strbuf text = {0};
    const struct backend_ops *ops = fixture->backend->ops;
    if (!ops->tables(fixture->backend, &fixture->arena, &changes, &fixture->err)) {
        fail_msg("%s", fixture->err.message);
    }
    strbuf_adds(&text, changes.why_not ? changes.why_not : "");
    for (size_t i = 0; i < changes.tables.count; i++) {
        strbuf_adds(&text, i ? " | " : "");
        add_table(&text, &changes.tables.items[i]);
    }
    return strbuf_take(&text, &fixture->arena);
}

static void expect_look(struct fixture *fixture, const char *after, const char *wanted)
{
    const char *found = look(fixture);
    if (strcmp(found, wanted) != 0) {
        fail_msg("%s\n  changed: %s\n  not:     %s", after, found, wanted);
    }
}

struct step {
    const char *sql;
    const char *changed;
};

static const char *rules(struct fixture *fixture, const struct step *steps, size_t count)
{
    struct strbuf yaml = {0};
    strbuf_adds(&yaml, "rules:\n");
    for (size_t i = 0; i < count; i++) {
        strbuf_addf(&yaml, "  r%zu:\n    sql: |\n      %s\n", i, steps[i].sql);
    }
    return strbuf_take(&yaml, &fixture->arena);
}

/* As the engine runs a step; one that ends with the comment `undone` as if an error was predicted.
 */
static void run_step(struct fixture *fixture, size_t number, const struct step *step)
{
    const struct backend_ops *ops = fixture->backend->ops;
    const char *rule = arena_printf(&fixture->arena, "r%zu", number);
    const struct backend_call call = {
        .sql = fixture_rule(fixture, rule)->statements.items[0].sql,
        .begins = BEGINS_STEP,
    };
    bool undone = strstr(step->sql, "-- undone");
    backend_ticket ticket;
    backend_ticket deferred;
    assert_true(!undone || ops->guard_begin(fixture->backend, GUARD_MUST_FAIL, &fixture->err));
    assert_true(ops->queue(fixture->backend, &call, &ticket, &fixture->err));
    assert_true(ops->queue_deferred(fixture->backend, NULL, false, &deferred, &fixture->err));
    assert_true(!undone || ops->guard_end(fixture->backend, &fixture->err));
    struct answer answer = fixture_take(fixture, ticket);
    if (answer.status == ANSWER_ERROR && !undone) {
        fail_msg("%s: %s", step->sql, answer.error.message);
    }
    (void)fixture_take(fixture, deferred);
}

static void run_steps(struct fixture *fixture, const struct step *steps, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        run_step(fixture, i, &steps[i]);
        expect_look(fixture, steps[i].sql, steps[i].changed);
    }
}

#define SCHEMA                                                                                     \
    "CREATE TABLE a (id int PRIMARY KEY, note text);\n"                                            \
    "CREATE TABLE b (id int REFERENCES a ON DELETE CASCADE);\n"                                    \
    "CREATE TABLE parts (id int PRIMARY KEY, v text) PARTITION BY RANGE (id);\n"                   \
    "CREATE TABLE part_1 PARTITION OF parts FOR VALUES FROM (0) TO (10);\n"                        \
    "CREATE TABLE part_2 PARTITION OF parts FOR VALUES FROM (10) TO (20);\n"                       \
    "CREATE TABLE log (what text);\n"                                                              \
    "CREATE FUNCTION log_it() RETURNS trigger LANGUAGE plpgsql AS\n"                               \
    "  'BEGIN INSERT INTO log VALUES (TG_OP); RETURN NULL; END';\n"                                \
    "CREATE TRIGGER logs AFTER INSERT OR UPDATE OR DELETE ON b FOR EACH ROW\n"                     \
    "  EXECUTE FUNCTION log_it();\n"                                                               \
    "CREATE TABLE one ();\n"                                                                       \
    "CREATE TABLE large (id int PRIMARY KEY, filler text);\n"                                      \
    "ALTER TABLE large ALTER filler SET STORAGE PLAIN;\n"                                          \
    "INSERT INTO a VALUES (1, 'one'), (2, 'two');\n"                                               \
    "INSERT INTO large SELECT i, repeat('x', 1000) FROM generate_series(1, 600) i;\n"

#define TEN " +[] +[] +[] +[] +[] +[] +[] +[] +[] +[]"
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
#define MANY "one" HUNDRED HUNDRED " and 1 more"

static const struct step writes[] = {
    {"SELECT 1", ""},
    {"INSERT INTO a VALUES (3, NULL)", "a +[3, None]"},
    {"UPDATE a SET note = 'II' WHERE id = 2", "a *[2, \"two\"]@0=>[2, \"II\"]"},
    {"UPDATE a SET note = note", ""},
    {"UPDATE a SET id = 9 WHERE id = 3", "a -[3, None]@2 +[9, None]"},
    {"INSERT INTO b VALUES (1), (1), (2)",
     "b +[1] +[1] +[2] | log +[\"INSERT\"] +[\"INSERT\"] +[\"INSERT\"]"},
    {"DELETE FROM a WHERE id = 1",
     "a -[1, \"one\"]@0 | b -[1]@6 -[1]@6 | log +[\"DELETE\"] +[\"DELETE\"]"},
    {"UPDATE a SET note = 'III' WHERE id = 2", "a *[2, \"II\"]@3=>[2, \"III\"]"},
    {"DELETE FROM a WHERE id = 9 RETURNING 1/0 -- undone", ""},
    {"DO $$ BEGIN TRUNCATE a, b; INSERT INTO a VALUES (1, 'x'); PERFORM 1/0; END $$ -- undone", ""},
    {"TRUNCATE log", "log -[\"INSERT\"]@6 -[\"INSERT\"]@6 -[\"INSERT\"]@6 -[\"DELETE\"]@7"
                     " -[\"DELETE\"]@7"},
    {"INSERT INTO log VALUES ('x')", "log +[\"x\"]"},
    {"WITH x AS (SELECT 1) SELECT truncate_and_write()", "log -[\"x\"]@12 +[\"y\"]"},
    {"INSERT INTO parts VALUES (1, 'x'), (11, 'y')", "parts +[1, \"x\"] +[11, \"y\"]"},
    {"UPDATE parts SET id = 2 WHERE id = 11", "parts -[11, \"y\"]@14 +[2, \"y\"]"},
    {"UPDATE part_1 SET v = 'z' WHERE id = 1", "parts *[1, \"x\"]@14=>[1, \"z\"]"},
    {"INSERT INTO large SELECT i, repeat('x', 1000) FROM generate_series(601, 700) i",
     "large: too large"},
    {"TRUNCATE large", "large: it could not be read before"},
    {"INSERT INTO large VALUES (1, 'x')", "large +[1, \"x\"]"},
    {"INSERT INTO one SELECT FROM generate_series(1, 201)", MANY},
    /* It is read as the connecting user. */
    {"WITH x AS (INSERT INTO log VALUES ('z')) SELECT set_config('role', 'pg_monitor', true)",
     "log +[\"z\"]"},
};
enum { WRITES = sizeof writes / sizeof *writes };

/* Files and counts are the same before and after the second TRUNCATE. */
#define TRUNCATE_AND_WRITE                                                                         \
    "CREATE FUNCTION truncate_and_write() RETURNS void LANGUAGE sql AS\n"                          \
    "  $$ TRUNCATE log; INSERT INTO log VALUES ('y') $$;\n"

static void next_example(struct fixture *fixture)
{
    const struct backend_ops *ops = fixture->backend->ops;
    assert_true(ops->reset(fixture->backend, &fixture->err));
    if (ops->wants_restart(fixture->backend)) {
        assert_true(ops->restart(fixture->backend, &fixture->err));
        assert_true(ops->mark(fixture->backend, &fixture->err));
    }
}

static void written(struct pg_backend_options options)
{
    struct fixture fixture = fixture_new();
    options.statement_timeout_ms = fixture.options.statement_timeout_ms;
    fixture.options = options;
    fixture_open(&fixture, SCHEMA TRUNCATE_AND_WRITE, rules(&fixture, writes, WRITES));
    for (int i = 0; i < 2; i++) { /* the next example begins anew */
        expect_look(&fixture, "the beginning", "a +[1, \"one\"] +[2, \"two\"]");
        run_steps(&fixture, writes, WRITES);
        next_example(&fixture);
    }
    fixture_close(&fixture);
}

static void what_steps_write(void **state)
{
    (void)state;
    written((struct pg_backend_options){0});
}

static void what_steps_commit(void **state)
{
    (void)state;
    written((struct pg_backend_options){.commit = true});
}

/* DDL */
static const struct step alterations[] = {
    {"CREATE TABLE made (id int)", ""},
    {"INSERT INTO made VALUES (1)", "made +[1]"},
    {"ALTER TABLE made RENAME TO renamed", ""},
    {"INSERT INTO renamed VALUES (2)", "renamed +[2]"},
    {"ALTER TABLE renamed ADD COLUMN note text DEFAULT 'x'",
     "renamed -[1, None]@2 -[2, None]@4 +[1, \"x\"] +[2, \"x\"]"},
    {"ALTER TABLE renamed ADD PRIMARY KEY (id)", ""},
    {"ALTER TABLE renamed ADD COLUMN more int",
     "renamed *[1, \"x\", None]@5=>[1, \"x\", None] *[2, \"x\", None]@5=>[2, \"x\", None]"},
    {"ALTER TABLE renamed DROP COLUMN note",
     "renamed *[1, None]@7=>[1, None] *[2, None]@7=>[2, None]"},
    {"ALTER TABLE renamed RENAME COLUMN more TO \"MO\"\"RE\"", ""},
    {"UPDATE renamed SET \"MO\"\"RE\" = 5 WHERE id = 1", "renamed *[1, None]@8=>[1, 5]"},
    {"ALTER TABLE renamed ALTER id TYPE text", ""}, /* they read the same */
    {"DROP TABLE renamed", "renamed -[\"1\", 5]@10 -[\"2\", None]@8"},
    {"CREATE TEMPORARY TABLE t AS SELECT 1 AS x", "pg_temp.t +[1]"},
    {"CREATE TABLE part_3 PARTITION OF parts FOR VALUES FROM (20) TO (30)", ""},
    {"INSERT INTO parts VALUES (25, 'z')", "parts +[25, \"z\"]"},
    {"ALTER TABLE parts DETACH PARTITION part_3", "part_3 +[25, \"z\"] | parts -[25, \"z\"]@15"},
};
enum { ALTERATIONS = sizeof alterations / sizeof *alterations };

static void what_ddl_does(void **state)
{
    struct fixture fixture = fixture_new();
    (void)state;
    fixture_open(&fixture, SCHEMA, rules(&fixture, alterations, ALTERATIONS));
    (void)look(&fixture);
    run_steps(&fixture, alterations, ALTERATIONS);
    fixture_close(&fixture);
}

#define X40 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
#define X200 X40 X40 X40 X40 X40

/* Names, types, and functions that are in the way. */
#define ODD_SQL                                                                                    \
    "ROW(NULL, NULL), '{1,NULL}', 'b', '\\x00ff', '{\"a\": [1]}', 1.50, "                          \
    "'00000000-0000-0000-0000-000000000001', '2020-01-02 03:04:05+01', '1 day', 0.1, '5'"
#define ODD_REST                                                                                   \
    "(None, None), [1, None], \"b\", b\"\\x00\\xff\", {\"a\": [1]}, 1.50, "                        \
    "\"00000000-0000-0000-0000-000000000001\", \"2020-01-02 02:04:05+00\", \"1 day\", "            \
    "float(\"0.1\"), \"5\", 3]"
static const struct step odd[] = {
    {"INSERT INTO \"O'D\\%s\".\"%1$s \"\"t\"\"\" VALUES (1, 2, 3, NULL)",
     "\"O'D\\%s\".\"%1$s \"\"t\"\"\" +[1, 2, 3, None]"},
    {"INSERT INTO nothing DEFAULT VALUES", "nothing +[]"},
    {"INSERT INTO odd VALUES (7, ROW(1, 'x'), " ODD_SQL ")", "odd +[7, (1, \"x\"), " ODD_REST},
    {"UPDATE odd SET composite = ROW(2, 'x')",
     "odd *[7, (1, \"x\"), " ODD_REST "@3=>[7, (2, \"x\"), " ODD_REST},
    {"INSERT INTO feelings VALUES ('happy'), ('sad')", "feelings +[\"happy\"] +[\"sad\"]"},
    {"INSERT INTO included VALUES (1, 2)", "included +[1, 2]"},
    {"UPDATE included SET b = 3", "included *[1, 2]@6=>[1, 3]"},
    {"INSERT INTO base VALUES (1)", "base +[1]"},
    {"INSERT INTO heir VALUES (2)", "heir +[2]"},
    {"INSERT INTO wide VALUES (1, repeat('x', 1000), NULL), (2, repeat('x', 1001), NULL)",
     "wide +[1, \"" X200 X200 X200 X200 X200 "\", None] +[2, \"" X200 X40 "…\", None]"},
    /* Beyond what is shown. */
    {"UPDATE wide SET v = v || 'y' WHERE id = 2",
     "wide -[2, \"" X200 X40 "…\", None]@10 +[2, \"" X200 X40 "…\", None]"},
};
enum { ODD = sizeof odd / sizeof *odd };

static void what_is_odd(void **state)
{
    struct fixture fixture = fixture_new();
    (void)state;
    fixture_open(
        &fixture,
        "CREATE SCHEMA \"O'D\\%s\";\n"
        "CREATE TABLE \"O'D\\%s\".\"%1$s \"\"t\"\"\" (t int, \"%2$s 'x\" int, \"\"\"\" int,\n"
        "  \"$1\\\" text, PRIMARY KEY (\"\"\"\", \"%2$s 'x\"));\n"
        "CREATE TABLE nothing ();\n"
        "CREATE TYPE pair AS (a int, b text);\n"
        "CREATE TYPE mood AS ENUM ('sad', 'happy');\n"
        "CREATE DOMAIN five AS text CHECK (VALUE = '5');\n"
        "CREATE TABLE feelings (m mood PRIMARY KEY);\n"
        "CREATE TABLE included (a int, b int, PRIMARY KEY (a) INCLUDE (b));\n"
        "CREATE TABLE base (id int);\n"
        "CREATE TABLE heir () INHERITS (base);\n"
        "CREATE TABLE wide (id int, v text, w bytea);\n"
        "CREATE TABLE odd (k int PRIMARY KEY, composite pair, nulls pair, list int[], c \"char\", "
        "b bytea, j jsonb,\n"
        "  n numeric, u uuid, t timestamptz, i interval, f float8, d five,\n"
        "  g int GENERATED ALWAYS AS (3) STORED);\n"
        /* Would fail, if they were called. */
        "CREATE FUNCTION trap(pair) RETURNS text LANGUAGE plpgsql AS 'BEGIN RAISE ''trap''; END';\n"
        "CREATE CAST (pair AS text) WITH FUNCTION trap(pair) AS IMPLICIT;\n"
        "CREATE FUNCTION trap(mood, mood) RETURNS bool LANGUAGE plpgsql AS\n"
        "  'BEGIN RAISE ''trap''; END';\n"
        "CREATE OPERATOR = (FUNCTION = trap, LEFTARG = mood, RIGHTARG = mood);\n"
        "CREATE FUNCTION trap(int, int) RETURNS bool LANGUAGE plpgsql AS\n"
        "  'BEGIN RAISE ''trap''; END';\n"
        "CREATE OPERATOR <= (FUNCTION = trap, LEFTARG = int, RIGHTARG = int);\n"
        "CREATE FUNCTION format(text, anyelement) RETURNS text LANGUAGE plpgsql AS\n"
        "  'BEGIN RAISE ''trap''; END';\n"
        "CREATE TABLE pg_class (id int);\n"
        "DO $$ BEGIN EXECUTE pg_catalog.format('ALTER DATABASE %I SET search_path = public, "
        "pg_catalog',\n"
        "  current_database()); END $$;\n",
        rules(&fixture, odd, ODD));
    expect_look(&fixture, "nothing", "");
    run_steps(&fixture, odd, ODD);
    fixture_close(&fixture);
}

#define STATE                                                                                      \
    "SELECT concat_ws(' ', current_user, session_user, nextval('public.counter'),\n"               \
    "        (SELECT string_agg(name || '=' || setting, ',' ORDER BY name) FROM pg_settings\n"     \
    "         WHERE name NOT LIKE 'pgfsm.%'),\n"                                                   \
    "        (SELECT count(*) FROM pg_prepared_statements), (SELECT count(*) FROM pg_cursors),\n"  \
    "        pg_current_xact_id_if_assigned() IS NULL,\n"                                          \
    "        (SELECT string_agg(relation::text || mode, ',' ORDER BY relation, mode) FROM "        \
    "pg_locks\n"                                                                                   \
    "         WHERE pid = pg_backend_pid() AND relation >= 16384))"

#define COUNTS                                                                                     \
    "SELECT string_agg(concat_ws(',', relname, seq_scan, seq_tup_read, idx_scan, n_tup_ins), ' "   \
    "'\n"                                                                                          \
    "                  ORDER BY relname) FROM pg_stat_xact_user_tables"

/* Statements before the tables are looked at, each in its own example. */
static const char *const states[] = {
    "SELECT 1",
    "SELECT set_config('role', 'reader', true)",
    "SELECT set_config('role', 'reader', false)",
    "SELECT set_config('DateStyle', 'German', true), set_config('TimeZone', 'Asia/Tokyo', true)",
    "SELECT set_config('search_path', '', false), set_config('row_security', 'off', true)",
    "SELECT set_config('my.own', 'x', true), set_config('statement_timeout', '77s', false)",
    "INSERT INTO late VALUES (1)",
    "SELECT nextval('counter'), count(*) FROM a",
    "SELECT pg_advisory_xact_lock(1)",
};
enum { STATES = sizeof states / sizeof *states };

/* The first of a check. */
static const char *ask(struct fixture *fixture, const char *rule,
                       const struct backend_context *context)
{
    backend_ticket ticket;
    const struct backend_call call = {
        .sql = fixture_rule(fixture, rule)->statements.items[0].sql,
        .context = context,
        .begins = BEGINS_CHECK,
    };
    assert_true(fixture->backend->ops->queue(fixture->backend, &call, &ticket, &fixture->err));
    struct answer answer = fixture_take(fixture, ticket);
    return value_cstr(fixture_value(&answer));
}

/* A statement, the tables, or the same without them, and what is there then. */
static const char *state_after(struct fixture *fixture, size_t number, bool looks,
                               const struct backend_context *context)
{
    const struct backend_ops *ops = fixture->backend->ops;
    const char *rule = arena_printf(&fixture->arena, "r%zu", number);
    struct answer answer = fixture_take(fixture, fixture_queue(fixture, rule, NULL, context));
    assert_int_equal(answer.status, ANSWER_OK);
    for (int i = 0; looks && i < 2; i++) {
        (void)look(fixture);
    }
    const char *found = ask(fixture, "state", context);
    backend_ticket deferred;
    assert_true(ops->queue_deferred(fixture->backend, context, false, &deferred, &fixture->err));
    answer = fixture_take(fixture, deferred);
    assert_true(ops->reset(fixture->backend, &fixture->err));
    return arena_printf(&fixture->arena, "%s %s", found,
                        answer.status == ANSWER_ERROR ? answer.error.sqlstate : "fine");
}

/* Rows that we read don't count. */
static void not_counted(struct fixture *fixture)
{
    const char *counts = ask(fixture, "counts", NULL);
    assert_non_null(strstr(look(fixture), "a +"));
    assert_string_equal(counts, ask(fixture, "counts", NULL));
    assert_true(fixture->backend->ops->reset(fixture->backend, &fixture->err));
}

static void the_same(struct fixture *fixture, size_t number, const struct backend_context *context)
{
    const struct backend_ops *ops = fixture->backend->ops;
    (void)state_after(fixture, number, false, context); /* everything is prepared */
    assert_true(ops->restart(fixture->backend, &fixture->err) &&
                ops->mark(fixture->backend, &fixture->err));
    const char *without = state_after(fixture, number, false, context);
    assert_true(ops->restart(fixture->backend, &fixture->err) &&
                ops->mark(fixture->backend, &fixture->err));
    const char *with = state_after(fixture, number, true, context);
    size_t at = 0;
    while (with[at] && with[at] == without[at]) {
        at++;
    }
    if (with[at] || without[at]) {
        at -= at < 40 ? at : 40;
        fail_msg("%s\n  with:    %.300s\n  without: %.300s", states[number], with + at,
                 without + at);
    }
}

static void nothing_is_left(void **state)
{
    static const struct backend_context contexts[] = {
        {0}, {.role = "reader"}, {.session_user = "other"}, {"reader", "other", NULL, 0, NULL}};
    struct fixture fixture = fixture_new();
    struct step steps[STATES];
    (void)state;
    for (size_t i = 0; i < STATES; i++) {
        steps[i] = (struct step){states[i], ""};
    }
    fixture_open(&fixture,
                 SCHEMA "CREATE SEQUENCE counter;\n"
                        "CREATE TABLE late (id int REFERENCES a DEFERRABLE INITIALLY DEFERRED);\n"
                        "INSERT INTO a VALUES (77, '');\n"
                        "CREATE ROLE reader; CREATE ROLE other; GRANT reader TO other;\n"
                        "GRANT ALL ON ALL TABLES IN SCHEMA public TO reader, other;\n"
                        "GRANT ALL ON SEQUENCE counter TO reader, other;\n",
                 arena_printf(&fixture.arena,
                              "%s  state:\n    sql: |\n      %s\n  counts:\n    sql: |\n      %s\n"
                              "  who: {sql: SELECT 1, as: {role: reader, session_user: other}}\n",
                              rules(&fixture, steps, STATES), STATE, COUNTS));
    not_counted(&fixture);
    for (size_t i = 0; i < STATES; i++) {
        for (size_t j = 0; j < sizeof contexts / sizeof *contexts; j++) {
            the_same(&fixture, i, &contexts[j]);
        }
    }
    fixture_close(&fixture);
}

/* Older servers forget the role where they give the session's user back. */
static void the_role_stays(void **state)
{
    const struct backend_context context = {.role = "stays", .session_user = "leaves"};
    struct fixture fixture = fixture_new();
    (void)state;
    fixture_open(
        &fixture, "CREATE ROLE stays; CREATE ROLE leaves; GRANT stays TO leaves",
        "rules:\n"
        "  who: {sql: SELECT current_setting('role'), as: {role: stays, session_user: leaves}}\n");
    for (int i = 0; i < 3; i++) {
        struct answer answer =
            fixture_take(&fixture, fixture_queue(&fixture, "who", NULL, &context));
        assert_string_equal(value_cstr(fixture_value(&answer)), "stays");
        (void)look(&fixture);
    }
    fixture_close(&fixture);
}

/* Of a user who may not see all. */
static const struct step limited[] = {
    {"SELECT add()", "hidden: its policies hide rows from limited | secret: limited may not read it"
                     " | visible +[2] | unseen.t: limited may not read it"},
    {"SELECT add()", "hidden: its policies hide rows from limited | secret: limited may not read it"
                     " | visible +[2] | unseen.t: limited may not read it"},
    {"INSERT INTO of_owner VALUES (1)", "of_owner +[1]"},
};
enum { LIMITED = sizeof limited / sizeof *limited };

static struct pg_target *open_as(const char *user, const char *dbname)
{
    const struct address *address = &fixture_target->address;
    const struct pg_options options = {.host = address_get(address, "host"),
                                       .port = address_get(address, "port"),
                                       .user = user,
                                       .dbname = dbname};
    struct pg_target *target = NULL;
    struct error err;
    if (!pg_target_open(&options, &target, &err)) {
        fail_msg("%s", err.message);
    }
    return target;
}

static void what_may_be_seen(void **state)
{
    struct fixture fixture = fixture_new();
    (void)state;
    (void)fixture_sql(&fixture, "template1", "CREATE DATABASE named");
    (void)fixture_sql(
        &fixture, "named",
        "CREATE ROLE limited LOGIN;"
        "CREATE TABLE visible (id int); CREATE TABLE hidden (id int);"
        "CREATE TABLE secret (id int); CREATE SCHEMA unseen; CREATE TABLE locked (id int);"
        "CREATE TABLE unseen.t (id int); GRANT SELECT ON visible, hidden TO limited;"
        "GRANT SELECT ON unseen.t TO limited;"
        "INSERT INTO visible VALUES (1); INSERT INTO hidden VALUES (1);"
        "INSERT INTO secret VALUES (1);"
        "ALTER TABLE hidden ENABLE ROW LEVEL SECURITY;"
        "CREATE FUNCTION add() RETURNS void LANGUAGE sql SECURITY DEFINER AS"
        " 'INSERT INTO visible VALUES (2); INSERT INTO hidden VALUES (2);"
        "  INSERT INTO secret VALUES (2); INSERT INTO unseen.t VALUES (2)';"
        "CREATE TABLE of_owner (id int); ALTER TABLE of_owner OWNER TO limited;"
        "ALTER TABLE of_owner ENABLE ROW LEVEL SECURITY");
    fixture.target = open_as("limited", "named");
    fixture_open(&fixture, NULL, rules(&fixture, limited, LIMITED));
    expect_look(&fixture, "the beginning", "visible +[1]");
    run_steps(&fixture, limited, LIMITED);
    /* Another session's lock keeps nobody waiting for long. */
    PGconn *conn = NULL;
    struct connect_request request = target_request(fixture_target, "named", "test");
    assert_true(connect_open(&request, &conn, &fixture.err));
    PQclear(PQexec(conn, "BEGIN; LOCK TABLE locked"));
    expect_look(&fixture, "the lock", "canceling statement due to lock timeout");
    PQfinish(conn);
    struct answer answer = fixture_run(&fixture, "r2", NULL);
    assert_int_equal(answer.status, ANSWER_OK);
    expect_look(&fixture, "the lock's end", "of_owner +[1]");
    fixture_close(&fixture);
    pg_target_close(fixture.target);
}

/* What only we read does not count as touched, though the user may not turn counting off. */
static void coverage_stays(void **state)
{
    struct fixture fixture = fixture_new();
    struct backend_coverage coverage = {0};
    bool found = false;
    (void)state;
    (void)fixture_sql(&fixture, "template1", "CREATE DATABASE covered");
    (void)fixture_sql(&fixture, "covered",
                      "CREATE ROLE reads_only LOGIN; CREATE TABLE idle AS SELECT 1 AS id;"
                      "GRANT SELECT ON idle TO reads_only");
    fixture.target = open_as("reads_only", "covered");
    fixture.options.coverage = true;
    fixture_open(&fixture, NULL, "rules: {r: {sql: SELECT 1}}\n");
    const struct backend_ops *ops = fixture.backend->ops;
    expect_look(&fixture, "the beginning", "idle +[1]");
    assert_true(ops->reset(fixture.backend, &fixture.err));
    assert_true(ops->restart(fixture.backend, &fixture.err));
    assert_true(ops->coverage(fixture.backend, &fixture.arena, &coverage, &fixture.err));
    assert_int_equal(coverage.objects.count, 0);
    assert_true(ops->reconnect(fixture.backend, &fixture.err));
    assert_true(ops->coverage(fixture.backend, &fixture.arena, &coverage, &fixture.err));
    for (size_t i = 0; i < coverage.objects.count; i++) {
        const struct backend_object *object = &coverage.objects.items[i];
        found |= strcmp(object->name, "idle") == 0;
        assert_false(object->touched);
    }
    assert_true(found);
    fixture_close(&fixture);
    pg_target_close(fixture.target);
}

static void where_nothing_is_told(void **state)
{
    struct fixture fixture = fixture_new();
    const struct step steps[] = {
        {"INSERT INTO a VALUES (1, '')", ""},
        {"SET TRANSACTION ISOLATION LEVEL SERIALIZABLE", ""},
    };
    (void)state;
    fixture_open(&fixture,
                 SCHEMA "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET\n"
                        "default_transaction_isolation = serializable', current_database());\n"
                        "END $$;\n",
                 rules(&fixture, steps, 1));
    expect_look(&fixture, "serializable",
                "the transaction is serializable, and takes note of what is read");
    struct answer answer = fixture_run(&fixture, "r0", NULL); /* there is a row with that key */
    assert_int_equal(answer.status, ANSWER_ERROR);
    expect_look(&fixture, "a transaction that failed", "");
    answer = fixture_run(&fixture, "r0", NULL);
    assert_int_equal(answer.status, ANSWER_SKIPPED);
    fixture_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_steps_write),      cmocka_unit_test(what_steps_commit),
        cmocka_unit_test(what_ddl_does),         cmocka_unit_test(what_is_odd),
        cmocka_unit_test(nothing_is_left),       cmocka_unit_test(the_role_stays),
        cmocka_unit_test(what_may_be_seen),      cmocka_unit_test(coverage_stays),
        cmocka_unit_test(where_nothing_is_told),
    };
    return cmocka_run_group_tests(tests, fixture_start, fixture_stop);
}
