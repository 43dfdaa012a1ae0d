/* What is asked of one database to compare it with another. */
#include "pg/fixture.h"
#include "pg/session/session.h"

#include <stdlib.h>
#include <string.h>

static const char rules[] = "model: x = None\n"
                            "rules:\n"
                            "  now: {sql: \"SELECT now() = '2000-01-01Z'::timestamptz\n"
                            "    + :x::bigint * interval '1 microsecond'\"}\n"
                            "  more: {sql: 'CREATE TABLE late (id int)'}\n";

static struct fixture committing(void)
{
    struct fixture fixture = fixture_new();
    fixture.options.commit = true;
    return fixture;
}

static const char *relations(struct fixture *fixture)
{
    struct backend_relations found;
    struct strbuf text = {0};
    assert_true(
        fixture->backend->ops->relations(fixture->backend, &fixture->arena, &found, &fixture->err));
    for (size_t i = 0; i < found.items.count; i++) {
        const struct backend_relation *relation = &found.items.items[i];
        strbuf_addf(&text, "%s %s(", relation->kind, relation->name);
        for (size_t j = 0; j < relation->columns.count; j++) {
            const struct backend_relation_column *column = &relation->columns.items[j];
            strbuf_addf(&text, "%s%s %s %s", j ? ", " : "", column->name, column->sql,
                        column->type);
        }
        strbuf_adds(&text, ")\n");
    }
    const char *copy = strbuf_copy(&text, &fixture->arena);
    strbuf_free(&text);
    return copy;
}

static void what_can_be_read(struct fixture fixture)
{
    static const char schema[] =
        "CREATE TYPE mood AS ENUM ('sad');\n"
        "CREATE DOMAIN small AS int CHECK (VALUE < 9);\n"
        "CREATE DOMAIN tiny AS small;\n"
        "CREATE DOMAIN moody AS mood;\n"
        "CREATE SCHEMA \"My app\";\n"
        "CREATE TABLE orders (id bigint GENERATED ALWAYS AS IDENTITY, \"Of\" varchar(10)[],\n"
        "  gone int, n tiny, m moody, double int GENERATED ALWAYS AS (2 * n) STORED);\n"
        "ALTER TABLE orders DROP COLUMN gone;\n"
        "CREATE TABLE \"My app\".\"Table\" (\"select\" numeric(5, 2));\n"
        "CREATE TABLE parts (id int) PARTITION BY LIST (id);\n"
        "CREATE TABLE part_1 PARTITION OF parts FOR VALUES IN (1);\n"
        "CREATE TABLE bare ();\n"
        "CREATE VIEW seen AS SELECT id FROM orders;\n"
        "CREATE MATERIALIZED VIEW kept AS SELECT 1 AS one;\n"
        "CREATE SEQUENCE numbers;\n"
        "CREATE TYPE pair AS (a int, b int);\n"
        "CREATE TABLE of_extension (id int);\n"
        "ALTER EXTENSION plpgsql ADD TABLE of_extension;\n";
    fixture_open(&fixture, schema, rules);
    static const char before[] = "table \"My app\".\"Table\"(select \"select\" numeric)\n"
                                 "table public.bare()\n"
                                 "materialized view public.kept(one one integer)\n";
    static const char after[] =
        "table public.orders(id id bigint, Of \"Of\" character varying[], n n integer, "
        "m m public.mood, double double integer)\n"
        "table public.parts(id id integer)\n"
        "view public.seen(id id bigint)\n";
    const char *late =
        arena_printf(&fixture.arena, "%stable public.late(id id integer)\n%s", before, after);
    const char *now = arena_printf(&fixture.arena, "%s%s", before, after);
    assert_string_equal(relations(&fixture), now);
    assert_int_equal(fixture_run(&fixture, "more", NULL).status, ANSWER_OK);
    assert_string_equal(relations(&fixture), late);
    assert_true(fixture.backend->ops->reset(fixture.backend, &fixture.err));
    fixture_close(&fixture);
}

static void relations_as_they_stand(void **state)
{
    (void)state;
    what_can_be_read(fixture_new());
    what_can_be_read(committing());
}

static void time_of_the_transaction(void **state)
{
    struct fixture fixture = fixture_new();
    int64_t now_us = 0;
    (void)state;
    fixture_open(&fixture, NULL, rules);
    assert_true(fixture.backend->ops->epoch(fixture.backend, &now_us, &fixture.err));
    struct value value = value_int(now_us);
    struct answer answer = fixture_run(&fixture, "now", &value);
    assert_true(fixture_value(&answer).as.boolean);
    fixture_close(&fixture);
}

static const char readable[] =
    "CREATE TABLE notes (id int PRIMARY KEY, owner text, n int);\n"
    "ALTER TABLE notes ENABLE ROW LEVEL SECURITY;\n"
    "CREATE POLICY own ON notes USING (owner = current_setting('my.user', true));\n"
    "CREATE TABLE hidden (id int);\n"
    "CREATE TABLE log (what text);\n"
    "CREATE FUNCTION noted() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER AS $$\n"
    "BEGIN INSERT INTO log VALUES ('read'); RETURN (SELECT count(*) FROM log); END $$;\n"
    "CREATE VIEW logged AS SELECT noted() AS n;\n"
    "CREATE FUNCTION change() RETURNS void LANGUAGE plpgsql AS $$\n"
    "BEGIN EXECUTE 'ALTER TABLE no' || 'tes ALTER n TYPE text USING n || ''!'''; END $$;\n"
    "CREATE FUNCTION forget() RETURNS void LANGUAGE plpgsql AS $$\n"
    "BEGIN EXECUTE 'DEALL' || 'OCATE ALL'; END $$;\n"
    "DO $$ BEGIN CREATE ROLE reader; EXCEPTION WHEN duplicate_object THEN END $$;\n"
    "GRANT ALL ON notes, logged TO reader;\n"
    "INSERT INTO notes VALUES (1, 'ann', 10), (2, 'bob', 20);\n";

static const char readers[] =
    "model: x = None\n"
    "rules:\n"
    "  as_reader: {as: {role: reader, settings: {my.user: \"'ann'\"}}, sql: SELECT 1}\n"
    "  add: {sql: \"INSERT INTO notes VALUES (:x, 'ann', 0)\"}\n"
    "  change: {sql: SELECT change()}\n"
    "  forget: {sql: SELECT forget()}\n"
    "  bad: {sql: SELECT 1 / 0}\n"
    "  count: {sql: SELECT count(*) FROM notes}\n"
    "  log: {sql: SELECT count(*) FROM log}\n";

static const struct backend_setting ann[] = {{"my.user", "ann"}};
static const struct backend_context reader = {
    .role = "reader", .settings = ann, .setting_count = 1};

static backend_ticket queue_read(struct fixture *fixture, const char *sql,
                                 const struct backend_context *context)
{
    backend_ticket ticket = 0;
    const struct backend_queries reads = {.sql = &sql, .count = 1, .context = context};
    assert_true(
        fixture->backend->ops->queue_reads(fixture->backend, &reads, &ticket, &fixture->err));
    return ticket;
}

/* The rows, or the SQLSTATE, or how it was not run. */
static const char *taken(struct fixture *fixture, backend_ticket ticket)
{
    struct strbuf text = {0};
    const struct answer answer = fixture_take(fixture, ticket);
    switch (answer.status) {
    case ANSWER_ERROR:
        return arena_strdup(&fixture->arena, answer.error.sqlstate);
    case ANSWER_SKIPPED:
        return "skipped";
    case ANSWER_STALE:
        return "stale";
    case ANSWER_OK:
        break;
    }
    for (size_t i = 0; i < answer.row_count; i++) {
        for (size_t j = 0; j < answer.column_count; j++) {
            strbuf_adds(&text, j ? "," : i ? " " : "");
            value_repr(answer.rows[i].as.tuple->items[j], &text);
        }
    }
    const char *copy = strbuf_copy(&text, &fixture->arena);
    strbuf_free(&text);
    return copy;
}

static const char *reads(struct fixture *fixture, const char *sql,
                         const struct backend_context *context)
{
    return taken(fixture, queue_read(fixture, sql, context));
}

static const char sql_notes[] = "SELECT id, n FROM public.notes ORDER BY id";
static const char sql_hidden[] = "SELECT id FROM public.hidden";
static const char sql_logged[] = "SELECT n FROM public.logged";
static const char sql_broken[] = "SELECT id / (id - 1) FROM public.notes";
static const char sql_missing[] = "SELECT id FROM public.missing";

static void align(struct fixture *fixture, uint64_t step)
{
    assert_true(fixture->backend->ops->align(fixture->backend, step, &fixture->err));
}

static void run_step(struct fixture *fixture, const char *rule)
{
    struct value value = value_int(3);
    const struct backend_call call = {
        .sql = fixture_rule(fixture, rule)->statements.items[0].sql,
        .values = &value,
        .begins = BEGINS_STEP,
    };
    backend_ticket ticket = 0;
    const struct backend_ops *ops = fixture->backend->ops;
    assert_true(ops->queue(fixture->backend, &call, &ticket, &fixture->err));
    struct answer answer = fixture_take(fixture, ticket);
    assert_true(ops->queue_deferred(fixture->backend, NULL, false, &ticket, &fixture->err));
    (void)fixture_take(fixture, ticket);
    assert_int_equal(answer.status, ANSWER_OK);
}

static void reset(struct fixture *fixture)
{
    assert_true(fixture->backend->ops->reset(fixture->backend, &fixture->err));
}

static void mark_again(struct fixture *fixture)
{
    assert_true(fixture->backend->ops->mark(fixture->backend, &fixture->err));
}

static void read_as_anyone(struct fixture fixture)
{
    fixture_open(&fixture, readable, readers);
    for (int i = 0; i < 3; i++) {
        backend_ticket tickets[7];
        run_step(&fixture, "add");
        tickets[0] = queue_read(&fixture, sql_notes, NULL);
        tickets[1] = queue_read(&fixture, sql_hidden, &reader);
        tickets[2] = queue_read(&fixture, sql_broken, NULL);
        tickets[3] = queue_read(&fixture, sql_notes, &reader);
        tickets[4] = queue_read(&fixture, sql_logged, &reader);
        tickets[5] = queue_read(&fixture, sql_missing, NULL);
        tickets[6] = queue_read(&fixture, sql_logged, &reader);
        assert_string_equal(taken(&fixture, tickets[0]), "1,10 2,20 3,0");
        assert_string_equal(taken(&fixture, tickets[1]), "42501");
        assert_string_equal(taken(&fixture, tickets[2]), "22012");
        assert_string_equal(taken(&fixture, tickets[3]), "1,10 3,0");
        assert_string_equal(taken(&fixture, tickets[4]), "1");
        assert_string_equal(taken(&fixture, tickets[5]), "42P01");
        assert_string_equal(taken(&fixture, tickets[6]), "1");
        /* Nothing of it stays, and the example goes on as who it was. */
        struct answer answer = fixture_run(&fixture, "log", NULL);
        assert_int_equal(fixture_value(&answer).as.integer, 0);
        answer = fixture_run(&fixture, "count", NULL);
        assert_int_equal(fixture_value(&answer).as.integer, 3);
        reset(&fixture);
        if (i == 1) {
            assert_true(fixture.backend->ops->reconnect(fixture.backend, &fixture.err));
            mark_again(&fixture);
        }
    }
    fixture_close(&fixture);
}

static void reads_leave_nothing(void **state)
{
    (void)state;
    read_as_anyone(fixture_new());
    read_as_anyone(committing());
}

/* An error among queries that are sent together skips what is behind it, which is read anyway. */
static void reads_together(void **state)
{
    (void)state;
    struct fixture fixture = fixture_new();
    const char *const sql[] = {sql_notes, sql_broken, sql_logged, sql_missing, sql_notes};
    const char *const expected[] = {"1,10 3,0", "22012", "1", "42P01", "1,10 3,0"};
    const struct backend_queries queries = {sql, 5, &reader};
    fixture_open(&fixture, readable, readers);
    for (int i = 0; i < 3; i++) {
        backend_ticket tickets[5];
        run_step(&fixture, "add");
        assert_true(
            fixture.backend->ops->queue_reads(fixture.backend, &queries, tickets, &fixture.err));
        for (size_t j = 0; j < 5; j++) {
            assert_string_equal(taken(&fixture, tickets[j]), expected[j]);
        }
        struct answer answer = fixture_run(&fixture, "log", NULL);
        assert_int_equal(fixture_value(&answer).as.integer, 0);
        reset(&fixture);
    }
    fixture_close(&fixture);
}

/* DDL that nobody can see in the machine makes the kept plan one of other types. */
static void read_after_ddl(struct fixture fixture)
{
    fixture_open(&fixture, readable, readers);
    assert_string_equal(reads(&fixture, sql_notes, &reader), "1,10");
    assert_string_equal(reads(&fixture, sql_notes, NULL), "1,10 2,20");
    run_step(&fixture, "change");
    backend_ticket of_reader = queue_read(&fixture, sql_notes, &reader);
    backend_ticket of_owner = queue_read(&fixture, sql_notes, NULL);
    assert_string_equal(taken(&fixture, of_reader), "1,\"10!\"");
    assert_string_equal(taken(&fixture, of_owner), "1,\"10!\" 2,\"20!\"");
    assert_string_equal(reads(&fixture, sql_notes, &reader), "1,\"10!\"");
    reset(&fixture);
    fixture_close(&fixture);
}

static void stale_plans(void **state)
{
    (void)state;
    read_after_ddl(fixture_new());
    read_after_ddl(committing());
}

/* What is queued behind a read whose plan is stale would change its answer. */
static void stale_and_too_late(void **state)
{
    struct fixture fixture = fixture_new();
    struct value three = value_int(3);
    (void)state;
    fixture_open(&fixture, readable, readers);
    assert_string_equal(reads(&fixture, sql_notes, NULL), "1,10 2,20");
    for (int i = 0; i < 2; i++) {
        run_step(&fixture, "change");
        backend_ticket read = queue_read(&fixture, sql_notes, NULL);
        (void)fixture_queue(&fixture, "add", &three, NULL);
        assert_string_equal(taken(&fixture, read), i == 0 ? "stale" : "1,\"10!\" 2,\"20!\"");
        reset(&fixture);
    }
    assert_string_equal(reads(&fixture, sql_notes, NULL), "1,10 2,20");
    fixture_close(&fixture);
}

static void deallocated(void **state)
{
    struct fixture fixture = fixture_new();
    (void)state;
    fixture_open(&fixture, readable, readers);
    assert_string_equal(reads(&fixture, sql_notes, NULL), "1,10 2,20");
    for (int i = 0; i < 2; i++) {
        run_step(&fixture, "forget");
        assert_string_equal(reads(&fixture, sql_notes, NULL), i == 0 ? "stale" : "1,10 2,20");
        reset(&fixture);
    }
    fixture_close(&fixture);
}

static void read_after_failure(struct fixture fixture)
{
    fixture_open(&fixture, readable, readers);
    const struct backend_call bad = {.sql = fixture_rule(&fixture, "bad")->statements.items[0].sql,
                                     .begins = BEGINS_STEP};
    backend_ticket failed;
    backend_ticket ended;
    const struct backend_ops *ops = fixture.backend->ops;
    assert_true(ops->queue(fixture.backend, &bad, &failed, &fixture.err));
    assert_true(ops->queue_deferred(fixture.backend, NULL, false, &ended, &fixture.err));
    backend_ticket first = queue_read(&fixture, sql_notes, NULL);
    assert_string_equal(taken(&fixture, failed), "22012");
    align(&fixture, 2);
    assert_string_equal(taken(&fixture, first), "skipped");
    assert_string_equal(reads(&fixture, sql_notes, NULL), "skipped");
    reset(&fixture);
    assert_string_equal(reads(&fixture, sql_notes, NULL), "1,10 2,20");
    fixture_close(&fixture);
}

static void reads_after_a_failure(void **state)
{
    (void)state;
    read_after_failure(fixture_new());
    read_after_failure(committing());
}

static const char numbered[] =
    "CREATE TABLE customers (id serial PRIMARY KEY, note text);\n"
    "CREATE TABLE orders (id bigint GENERATED ALWAYS AS IDENTITY, customer int);\n"
    "CREATE TABLE parts (id bigserial, kind int) PARTITION BY LIST (kind);\n"
    "CREATE TABLE part_1 PARTITION OF parts FOR VALUES IN (1);\n"
    "CREATE TABLE small (id smallserial);\n"
    "CREATE SEQUENCE limited MAXVALUE 50;\n"
    "CREATE SEQUENCE around MAXVALUE 2147483647 CYCLE;\n"
    "CREATE SEQUENCE down INCREMENT -1;\n"
    "CREATE SEQUENCE narrow_ids;\n"
    "CREATE TABLE narrow (id int2 DEFAULT nextval('narrow_ids'));\n"
    "CREATE SEQUENCE bill_nos START 5;\n"
    "CREATE TABLE bills (no text DEFAULT 'B-' || lpad(nextval('bill_nos')::text, 6, '0'));\n"
    "CREATE SEQUENCE shared;\n"
    "CREATE TABLE one (id int DEFAULT nextval('shared'));\n"
    "CREATE TABLE two (id int DEFAULT nextval('shared'));\n"
    "CREATE SEQUENCE pooled INCREMENT 50;\n"
    "INSERT INTO customers SELECT FROM generate_series(1, 7);\n";

static const char drawers[] =
    "model: x = None\n"
    "rules:\n"
    "  customer: {sql: 'INSERT INTO customers DEFAULT VALUES RETURNING id'}\n"
    "  many: {sql: 'WITH r AS (INSERT INTO customers SELECT FROM generate_series(1, 150)\n"
    "    RETURNING id) SELECT max(id) FROM r'}\n"
    "  order: {sql: 'INSERT INTO orders DEFAULT VALUES RETURNING id'}\n"
    "  part: {sql: 'INSERT INTO parts (kind) VALUES (1) RETURNING id'}\n"
    "  small: {sql: 'INSERT INTO small DEFAULT VALUES RETURNING id'}\n"
    "  limited: {sql: \"SELECT nextval('limited')\"}\n"
    "  around: {sql: \"SELECT nextval('around')\"}\n"
    "  down: {sql: \"SELECT nextval('down')\"}\n"
    "  narrow: {sql: 'INSERT INTO narrow DEFAULT VALUES RETURNING id::int'}\n"
    "  bill: {sql: 'INSERT INTO bills DEFAULT VALUES RETURNING no'}\n"
    "  two: {sql: 'INSERT INTO two DEFAULT VALUES RETURNING id'}\n"
    "  pooled: {sql: \"SELECT nextval('pooled')\"}\n"
    "  current: {sql: \"SELECT currval('customers_id_seq')\"}\n"
    "  last: {sql: 'SELECT lastval()'}\n"
    "  drop: {sql: 'DROP TABLE orders'}\n"
    "  more: {sql: 'CREATE TABLE late (id serial)'}\n"
    "  late: {sql: 'INSERT INTO late DEFAULT VALUES RETURNING id'}\n"
    "  reader: {as: {role: reader}, sql: SELECT 1}\n";

static const char *drawn(struct fixture *fixture, const char *rule)
{
    struct answer answer = fixture_run(fixture, rule, NULL);
    if (answer.status == ANSWER_ERROR) {
        return arena_strdup(&fixture->arena, answer.error.sqlstate);
    }
    return fixture_repr(fixture, fixture_value(&answer));
}

/* What the rules draw at a step: a line. */
static const char *draw_all(struct fixture *fixture, uint64_t step)
{
    static const char *const names[] = {"customer", "order",  "part", "small", "limited", "around",
                                        "down",     "narrow", "bill", "two",   "pooled",  "pooled"};
    struct strbuf text = {0};
    align(fixture, step);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        strbuf_addf(&text, "%s ", drawn(fixture, names[i]));
    }
    const char *copy = strbuf_copy(&text, &fixture->arena);
    strbuf_free(&text);
    return copy;
}

/* Another database, whose schema differs: an identity in place of a serial column, a partition, a
 * table and a sequence more. */
static const char *other_schema(struct arena *arena)
{
    return arena_printf(arena, "CREATE TABLE before_all (id serial);\n%s%s", numbered,
                        "ALTER TABLE customers ALTER id DROP DEFAULT;\n"
                        "DROP SEQUENCE customers_id_seq;\n"
                        "ALTER TABLE customers ALTER id ADD GENERATED BY DEFAULT AS IDENTITY\n"
                        "  (SEQUENCE NAME customer_ids START WITH 8);\n"
                        "CREATE TABLE part_2 PARTITION OF parts FOR VALUES IN (2);\n");
}

static void aligned(void **state)
{
    static const char *const expected[] = {
        "777098 275095 894280 1 1 1 -1 1 \"B-000005\" 842071 1 51 ",
        "777198 275195 894380 2 2 2 -2 2 \"B-000105\" 842171 5001 5051 ",
    };
    struct fixture a = fixture_new();
    struct fixture b = committing();
    (void)state;
    fixture_open(&a, numbered, drawers);
    fixture_open(&b, other_schema(&b.arena), drawers);
    for (uint64_t step = 0; step < 2; step++) {
        assert_string_equal(draw_all(&a, step), expected[step]);
        assert_string_equal(draw_all(&b, step), expected[step]);
    }
    fixture_close(&a);
    fixture_close(&b);
}

static void aligned_and_reset(struct fixture fixture)
{
    fixture_open(&fixture, numbered, drawers);
    for (int i = 0; i < 2; i++) {
        align(&fixture, 3);
        assert_string_equal(drawn(&fixture, "customer"), "777398");
        align(&fixture, 4);
        /* What the session knows of its numbers is not changed. */
        assert_string_equal(drawn(&fixture, "current"), "777398");
        assert_string_equal(drawn(&fixture, "last"), "777398");
        /* A step that drew more numbers than it has goes on. */
        assert_string_equal(drawn(&fixture, "many"), "777647");
        align(&fixture, 5);
        assert_string_equal(drawn(&fixture, "customer"), "777648");
        align(&fixture, 9);
        assert_string_equal(drawn(&fixture, "customer"), "777998");
        reset(&fixture);
        assert_string_equal(drawn(&fixture, "customer"), "8");
        assert_string_equal(drawn(&fixture, "order"), "1");
        reset(&fixture);
    }
    /* What an example drops or makes. */
    align(&fixture, 1);
    assert_int_equal(fixture_run(&fixture, "drop", NULL).status, ANSWER_OK);
    assert_int_equal(fixture_run(&fixture, "more", NULL).status, ANSWER_OK);
    for (int i = 0; i < 2; i++) {
        align(&fixture, 2);
        assert_string_equal(drawn(&fixture, "customer"), i ? "777299" : "777298");
        assert_string_equal(drawn(&fixture, "late"), i ? "513689" : "513688");
    }
    reset(&fixture);
    assert_true(fixture.backend->ops->restart(fixture.backend, &fixture.err));
    mark_again(&fixture);
    align(&fixture, 2);
    assert_string_equal(drawn(&fixture, "customer"), "777298");
    assert_true(fixture.backend->ops->reconnect(fixture.backend, &fixture.err));
    mark_again(&fixture);
    assert_string_equal(drawn(&fixture, "customer"), "8");
    fixture_close(&fixture);
}

static void aligned_sequences_go_back(void **state)
{
    (void)state;
    aligned_and_reset(fixture_new());
    aligned_and_reset(committing());
}

/* An example that begins as the one before, and is another person at each step. */
static void aligned_between_savepoints(void **state)
{
    const struct backend_context context = {.role = "reader"};
    struct fixture fixture = fixture_new();
    const struct backend_ops *ops;
    size_t index = 1;
    (void)state;
    fixture_open(&fixture,
                 arena_printf(&fixture.arena,
                              "DO $$ BEGIN CREATE ROLE reader; EXCEPTION WHEN duplicate_object "
                              "THEN END $$; %s",
                              numbered),
                 drawers);
    ops = fixture.backend->ops;
    for (int i = 0; i < 2; i++) {
        struct answer answer =
            fixture_take(&fixture, fixture_queue(&fixture, "reader", NULL, &context));
        assert_int_equal(fixture_value(&answer).as.integer, 1);
        if (i == 0) {
            align(&fixture, 1);
            assert_string_equal(drawn(&fixture, "customer"), "777198");
            assert_true(ops->checkpoint(fixture.backend, 1, &fixture.err));
        }
        align(&fixture, 2);
        assert_string_equal(drawn(&fixture, "customer"), "777298");
        assert_true(ops->rewind(fixture.backend, &index, &fixture.err));
        assert_int_equal(index, 1);
        assert_string_equal(drawn(&fixture, "customer"), "777199");
        assert_true(ops->rewind(fixture.backend, &index, &fixture.err));
    }
    fixture_close(&fixture);
}

/* What the plan decides, as no ORDER BY does. */
static void other_plans(struct fixture usual, struct fixture perturbed)
{
    static const char *const by_chance[] = {
        "SELECT kind FROM people GROUP BY kind",
        "SELECT DISTINCT kind FROM people",
        "SELECT id FROM people WHERE id > 2",
        "SELECT min(id) FROM (SELECT id FROM people LIMIT 2) p",
        "SELECT a.id FROM people a JOIN people b ON a.boss = b.id",
        "SELECT array_agg(id) FROM people GROUP BY kind",
        "SELECT id FROM people WHERE EXISTS (SELECT FROM people b WHERE b.boss = people.id)",
    };
    static const char schema[] = "CREATE TABLE people (id int PRIMARY KEY, kind text, boss int);\n"
                                 "INSERT INTO people SELECT i, 'k' || i * 5 % 3, i FROM "
                                 "unnest(ARRAY[4, 9, 2, 8, 6, 1]) i;\n";
    perturbed.options.perturbed = true;
    fixture_open(&usual, schema, rules);
    fixture_open(&perturbed, schema, rules);
    for (size_t i = 0; i < sizeof by_chance / sizeof *by_chance; i++) {
        const char *a = reads(&usual, by_chance[i], NULL);
        const char *b = reads(&perturbed, by_chance[i], NULL);
        if (strlen(a) != strlen(b) || strcmp(a, b) == 0) {
            fail_msg("%s: %s, %s", by_chance[i], a, b);
        }
    }
    fixture_close(&usual);
    fixture_close(&perturbed);
}

static void perturbed_plans(void **state)
{
    (void)state;
    other_plans(fixture_new(), fixture_new());
    other_plans(committing(), committing());
}

/* Two databases of one server, in which time does not pass. */
static void clocks_stand_still(void **state)
{
    static const char schema[] = "CREATE TABLE t (at timestamptz DEFAULT clock_timestamp());\n"
                                 "INSERT INTO t SELECT FROM generate_series(1, 3);\n";
    static const char sql[] = "SELECT DISTINCT at = now(), at = statement_timestamp(), "
                              "at = clock_timestamp(), at::text FROM public.t";
    static const int64_t clock_us = 86400000000;
    struct fixture fixtures[] = {fixture_new(), fixture_new()};
    int64_t now_us = 0;
    (void)state;
    if (!pg_target_has_clock(fixture_target)) {
        skip();
    }
    for (size_t i = 0; i < 2; i++) {
        fixtures[i].options.clock_us = &clock_us;
        fixtures[i].options.clones = 1 - i;
        fixtures[i].options.statement_timeout_ms = 300;
        fixture_open(&fixtures[i], schema, rules);
    }
    assert_null(pg_backend_no_clones(fixtures[0].backend));
    for (size_t i = 0; i < 2; i++) {
        assert_string_equal(reads(&fixtures[i], sql, NULL),
                            "True,True,True,\"2000-01-02 00:00:00+00\"");
        assert_true(
            fixtures[i].backend->ops->epoch(fixtures[i].backend, &now_us, &fixtures[i].err));
        assert_int_equal(now_us, clock_us);
        assert_string_equal(reads(&fixtures[i], "SELECT pg_catalog.pg_sleep(60)", NULL), "57014");
        assert_string_equal(reads(&fixtures[i], "SELECT 1", NULL), "1");
        reset(&fixtures[i]);
    }
    fixture_close(&fixtures[0]);
    fixture_close(&fixtures[1]);
}

/* Ties, which are decided by the order in which rows were written. */
static void perturbed_rows(void **state)
{
    static const char schema[] =
        "CREATE TABLE ties (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at int DEFAULT 1,\n"
        "  twice int GENERATED ALWAYS AS (at * 2) STORED);\n"
        "CREATE INDEX ON ties (at);\n"
        "CREATE TABLE of_ties (tie int REFERENCES ties ON DELETE CASCADE);\n"
        "CREATE TABLE log (what text);\n"
        "CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$\n"
        "BEGIN INSERT INTO log VALUES (tg_op); RETURN NULL; END $$;\n"
        "CREATE TRIGGER notes AFTER INSERT OR UPDATE OR DELETE ON ties FOR EACH ROW\n"
        "  EXECUTE FUNCTION note();\n"
        "CREATE TABLE old (a int);\n"
        "INSERT INTO old VALUES (-1);\n"
        "ALTER TABLE old ADD CHECK (a > 0) NOT VALID;\n"
        "INSERT INTO ties SELECT FROM generate_series(1, 3);\n"
        "INSERT INTO of_ties VALUES (2);\n";
    static const char first[] = "SELECT id, twice FROM ties ORDER BY at LIMIT 1";
    static const char all[] = "SELECT id FROM ties ORDER BY at";
    static const char other[] = "SELECT (SELECT count(*) FROM of_ties), (SELECT count(*) FROM old)";
    struct fixture fixture = fixture_new();
    (void)state;
    fixture.options.perturbed = true;
    fixture_open(&fixture, schema,
                 "rules:\n"
                 "  add: {sql: INSERT INTO ties DEFAULT VALUES}\n"
                 "  log: {sql: SELECT count(*) FROM log}\n");
    assert_string_equal(reads(&fixture, first, NULL), "1,2");
    for (uint64_t step = 0; step < 3; step++) {
        align(&fixture, 0);
        assert_string_equal(reads(&fixture, first, NULL), "3,2");
        assert_string_equal(reads(&fixture, all, NULL), "3 2 1");
        assert_string_equal(reads(&fixture, other, NULL), "1,1");
        run_step(&fixture, "add");
        run_step(&fixture, "add");
        align(&fixture, 1);
        align(&fixture, 2);
        assert_string_equal(reads(&fixture, all, NULL), "546446 546445 3 2 1");
        struct answer answer = fixture_run(&fixture, "log", NULL);
        assert_int_equal(fixture_value(&answer).as.integer, 5);
        reset(&fixture);
    }
    fixture_close(&fixture);
}

/* Roles belong to all databases of a server. Two schemas that make the same role, or two examples
 * that do so at once, each have a server of their own. */
static void a_server_each(void **state)
{
    static const char schema[] = "CREATE ROLE compared; CREATE TABLE t (id int);\n"
                                 "GRANT ALL ON t TO compared;\n";
    static const char yaml[] = "rules:\n"
                               "  role: {sql: CREATE ROLE made}\n"
                               "  as_role: {as: {role: compared}, sql: SELECT count(*) FROM t}\n";
    const struct pg_options options = {
        .embedded = true, .lazy = true, .bindir = getenv("PGFSM_PG_BINDIR")};
    struct fixture sides[] = {fixture_new(), fixture_new()};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        assert_true(pg_target_open(&options, &sides[i].target, &sides[i].err));
        fixture_open(&sides[i], schema, yaml);
    }
    for (size_t i = 0; i < 2; i++) {
        run_step(&sides[i], "role");
        struct answer answer = fixture_run(&sides[i], "as_role", NULL);
        assert_int_equal(fixture_value(&answer).as.integer, 0);
    }
    for (size_t i = 0; i < 2; i++) {
        fixture_close(&sides[i]);
        pg_target_close(sides[i].target);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(relations_as_they_stand),
        cmocka_unit_test(time_of_the_transaction),
        cmocka_unit_test(reads_leave_nothing),
        cmocka_unit_test(reads_together),
        cmocka_unit_test(stale_plans),
        cmocka_unit_test(stale_and_too_late),
        cmocka_unit_test(deallocated),
        cmocka_unit_test(reads_after_a_failure),
        cmocka_unit_test(aligned),
        cmocka_unit_test(aligned_sequences_go_back),
        cmocka_unit_test(aligned_between_savepoints),
        cmocka_unit_test(perturbed_plans),
        cmocka_unit_test(perturbed_rows),
        cmocka_unit_test(clocks_stand_still),
        cmocka_unit_test(a_server_each),
    };
    return cmocka_run_group_tests(tests, fixture_start, fixture_stop);
}
