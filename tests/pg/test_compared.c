/* What is asked of one database to compare it with another. */
#include "pg/fixture.h"
#include "pg/session/session.h"

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
    assert_true(
        fixture->backend->ops->queue_read(fixture->backend, sql, context, &ticket, &fixture->err));
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

static void reads_after_a_failure(void **state)
{
    struct fixture fixture = fixture_new();
    (void)state;
    fixture_open(&fixture, readable, readers);
    backend_ticket bad = fixture_queue(&fixture, "bad", NULL, NULL);
    backend_ticket first = queue_read(&fixture, sql_notes, NULL);
    assert_string_equal(taken(&fixture, bad), "22012");
    assert_string_equal(taken(&fixture, first), "skipped");
    assert_string_equal(reads(&fixture, sql_notes, NULL), "skipped");
    reset(&fixture);
    assert_string_equal(reads(&fixture, sql_notes, NULL), "1,10 2,20");
    fixture_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(relations_as_they_stand), cmocka_unit_test(time_of_the_transaction),
        cmocka_unit_test(reads_leave_nothing),     cmocka_unit_test(stale_plans),
        cmocka_unit_test(stale_and_too_late),      cmocka_unit_test(deallocated),
        cmocka_unit_test(reads_after_a_failure),
    };
    return cmocka_run_group_tests(tests, fixture_start, fixture_stop);
}
