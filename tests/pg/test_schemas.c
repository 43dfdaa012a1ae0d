/* A machine that changes the schema: which prepared statements are kept, and that they fit. */
#include "pg/fixture.h"
#include "pg/session/session.h"

static const char schema[] = "CREATE TABLE items (n int);\n";

static const char yaml[] =
    "model: |\n"
    "  x = None\n"
    "  y = None\n"
    "rules:\n"
    "  make: {sql: CREATE TABLE later (n int UNIQUE DEFERRABLE)}\n"
    "  make_text: {sql: CREATE TABLE later (n text)}\n"
    "  fill: {sql: INSERT INTO later VALUES (:x)}\n"
    "  read: {sql: SELECT n FROM later}\n"
    "  all: {sql: SELECT * FROM later}\n"
    "  widen: {sql: 'ALTER TABLE later ADD m int'}\n"
    "  put: {sql: INSERT INTO items VALUES (:x)}\n"
    "  held: {prepared: true, sql: SELECT * FROM items WHERE n = :x}\n"
    "  sum: {sql: SELECT sum(n)::text FROM items}\n"
    "  numeric: {sql: ALTER TABLE items ALTER n TYPE numeric}\n"
    "  mood: {sql: 'CREATE TYPE mood AS ENUM (''sad'', ''ok'')'}\n"
    "  feel: {sql: 'SELECT :x::mood'}\n"
    "  table: {sql: 'CREATE TABLE :\"x\" (n int)'}\n"
    "  kept: {sql: 'SELECT statement, prepare_time FROM pg_prepared_statements "
    "WHERE statement LIKE ''%later%'' AND statement !~ ''pg_prepared'' ORDER BY 2'}\n"
    "  often: {sql: SELECT count(*) FROM pg_prepared_statements}\n";

static void reset(struct fixture *fixture)
{
    assert_true(fixture->backend->ops->reset(fixture->backend, &fixture->err));
}

static void fails(struct fixture *fixture, const char *rule, struct value value,
                  const char *sqlstate)
{
    struct answer answer = fixture_run(fixture, rule, &value);
    assert_int_equal(answer.status, ANSWER_ERROR);
    assert_string_equal(answer.error.sqlstate, sqlstate);
    reset(fixture);
}

static const char *only_row(struct fixture *fixture, const char *rule, const struct value *values)
{
    struct answer answer = fixture_run(fixture, rule, values);
    assert_int_equal(answer.status, ANSWER_OK);
    assert_int_equal(answer.row_count, 1);
    return fixture_repr(fixture, answer.rows[0]);
}

/* A statement that the server refused at first is prepared once, as soon as possible, even if its
 * table changes later. */
static void prepared_when_it_can_be(void **state)
{
    struct fixture fixture = fixture_new();
    struct value seven = value_int(7);
    const char *first = NULL;
    (void)state;
    fixture_open(&fixture, schema, yaml);
    for (int round = 0; round < 3; round++) {
        fails(&fixture, "fill", seven, "42P01");
        fixture_run(&fixture, "make", NULL);
        fixture_run(&fixture, "fill", &seven);
        assert_string_equal(only_row(&fixture, "read", NULL), "(7,)");
        fixture_run(&fixture, "widen", NULL);
        assert_string_equal(only_row(&fixture, "all", NULL), "(7, None)");
        struct answer kept = fixture_run(&fixture, "kept", NULL);
        /* make, make_text, widen, which are never refused; fill, read, all */
        assert_int_equal(kept.row_count, 6);
        const char *last = fixture_repr(&fixture, kept.rows[5]);
        if (first) {
            assert_string_equal(last, first);
        }
        first = last;
        reset(&fixture);
    }
    fixture_close(&fixture);
}

static void error_as_if_parsed_anew(void **state)
{
    struct fixture fixture = fixture_new();
    struct value seven = value_int(7);
    (void)state;
    fixture_open(&fixture, schema, yaml);
    for (int round = 0; round < 2; round++) {
        struct answer answer = fixture_run(&fixture, "fill", &seven);
        assert_string_equal(answer.error.sqlstate, "42P01");
        assert_int_equal(answer.error.position, 13);
        reset(&fixture);
        fixture_run(&fixture, "make", NULL);
        assert_int_equal(fixture_run(&fixture, "fill", &seven).status, ANSWER_OK);
        reset(&fixture);
    }
    fixture_close(&fixture);
}

/* The types of parameters are those of the schema as it stands. */
static void types_follow(void **state)
{
    struct fixture fixture = fixture_new();
    (void)state;
    fixture_open(&fixture, schema, yaml);
    struct value whole = value_int(2);
    struct value half = fixture_eval(&fixture, "1.5");
    struct value word = value_text(&fixture.arena, "word");
    for (int round = 0; round < 2; round++) {
        fixture_run(&fixture, "put", &whole);
        fixture_run(&fixture, "numeric", NULL);
        assert_int_equal(fixture_run(&fixture, "put", &half).status, ANSWER_OK);
        assert_string_equal(only_row(&fixture, "sum", NULL), "(\"3.5\",)");
        reset(&fixture);
        fixture_run(&fixture, "make", NULL);
        assert_int_equal(fixture_run(&fixture, "fill", &whole).status, ANSWER_OK);
        reset(&fixture);
        fixture_run(&fixture, "make_text", NULL);
        assert_int_equal(fixture_run(&fixture, "fill", &word).status, ANSWER_OK);
        assert_string_equal(only_row(&fixture, "read", NULL), "(\"word\",)");
        reset(&fixture);
    }
    fixture_close(&fixture);
}

/* DDL that was rolled back has no effect. */
static void undone(void **state)
{
    struct fixture fixture = fixture_new();
    const struct backend_ops *ops = NULL;
    (void)state;
    fixture_open(&fixture, schema, yaml);
    ops = fixture.backend->ops;
    struct value half = fixture_eval(&fixture, "1.5");
    struct value whole = value_int(2);
    struct session *session = fixture_session(&fixture);
    uint64_t before = session->schema;
    assert_true(ops->guard_begin(fixture.backend, GUARD_MUST_FAIL, &fixture.err));
    backend_ticket ddl = fixture_queue(&fixture, "numeric", NULL, NULL);
    assert_int_not_equal(session->schema, before);
    assert_true(ops->guard_end(fixture.backend, &fixture.err));
    assert_int_equal(session->schema, before);
    assert_int_equal(fixture_take(&fixture, ddl).status, ANSWER_OK);
    assert_int_equal(fixture_run(&fixture, "put", &whole).status, ANSWER_OK);
    assert_true(ops->checkpoint(fixture.backend, 1, &fixture.err));
    fixture_run(&fixture, "numeric", NULL);
    assert_int_equal(fixture_run(&fixture, "put", &half).status, ANSWER_OK);
    size_t index = 1;
    assert_true(ops->rewind(fixture.backend, &index, &fixture.err));
    assert_int_equal(index, 1);
    assert_int_equal(session->schema, before);
    assert_string_equal(only_row(&fixture, "sum", NULL), "(\"2\",)");
    fixture_close(&fixture);
}

/* A recreated type has a new OID each time, which is detected once. */
static void types_made_anew(void **state)
{
    struct fixture fixture = fixture_new();
    (void)state;
    fixture_open(&fixture, schema, yaml);
    struct value sad = value_text(&fixture.arena, "sad");
    for (int round = 0; round < 4; round++) {
        fixture_run(&fixture, "mood", NULL);
        struct answer answer = fixture_run(&fixture, "feel", &sad);
        if (round == 1) {
            assert_int_equal(answer.status, ANSWER_STALE);
        } else {
            assert_int_equal(answer.status, ANSWER_OK);
            assert_string_equal(fixture_repr(&fixture, answer.rows[0]), "(\"sad\",)");
        }
        reset(&fixture);
    }
    fixture_close(&fixture);
}

/* However many schemas the machine makes, the server keeps a bounded number of statements. */
static void bounded(void **state)
{
    struct fixture fixture = fixture_new();
    struct value seven = value_int(7);
    int64_t most = 0;
    (void)state;
    fixture_open(&fixture, schema, yaml);
    for (int round = 0; round < 60; round++) {
        struct value name = value_text(&fixture.arena, arena_printf(&fixture.arena, "t%d", round));
        fixture_run(&fixture, "table", &name);
        fixture_run(&fixture, "make", NULL);
        assert_int_equal(fixture_run(&fixture, "fill", &seven).status, ANSWER_OK);
        assert_int_equal(fixture_run(&fixture, "put", &seven).status, ANSWER_OK);
        struct answer answer = fixture_run(&fixture, "often", NULL);
        most = fixture_value(&answer).as.integer;
        reset(&fixture);
    }
    assert_true(most < 80);
    fixture_close(&fixture);
}

/* On a new connection and in a new transaction, everything is as at the beginning. */
static void begun_again(void **state)
{
    struct fixture fixture = fixture_new();
    struct value seven = value_int(7);
    (void)state;
    fixture_open(&fixture, schema, yaml);
    for (int round = 0; round < 3; round++) {
        const struct backend_ops *ops = fixture.backend->ops;
        fails(&fixture, "fill", seven, "42P01");
        fixture_run(&fixture, "make", NULL);
        assert_int_equal(fixture_run(&fixture, "fill", &seven).status, ANSWER_OK);
        reset(&fixture);
        assert_true((round == 0 ? ops->restart : ops->reconnect)(fixture.backend, &fixture.err));
        assert_true(ops->mark(fixture.backend, &fixture.err));
    }
    fixture_close(&fixture);
}

/* Runs the statement that the application keeps prepared. */
static void runs_held(struct fixture *fixture, const char *sqlstate)
{
    struct value seven = value_int(7);
    struct answer answer = fixture_run(fixture, "held", &seven);
    assert_int_equal(answer.status, *sqlstate ? ANSWER_ERROR : ANSWER_OK);
    assert_string_equal(answer.error.sqlstate, sqlstate);
    assert_int_equal(answer.error.outlived, *sqlstate != '\0');
}

/* The server's refusal of a statement that outlives its schema is an answer, but only where it was
 * prepared before, in the same example and on the same connection. */
static void kept_by_the_application(void **state)
{
    struct fixture fixture = fixture_new();
    const struct backend_ops *ops = NULL;
    size_t index = 1;
    (void)state;
    fixture_open(&fixture, schema, yaml);
    ops = fixture.backend->ops;
    for (int round = 0; round < 3; round++) {
        runs_held(&fixture, "");
        fixture_run(&fixture, "numeric", NULL);
        runs_held(&fixture, "0A000");
        reset(&fixture);
        fixture_run(&fixture, "numeric", NULL);
        runs_held(&fixture, "");
        reset(&fixture);
    }
    runs_held(&fixture, "");
    assert_true(ops->checkpoint(fixture.backend, 1, &fixture.err));
    for (int round = 0; round < 2; round++) {
        fixture_run(&fixture, "numeric", NULL);
        runs_held(&fixture, "0A000");
        assert_true(ops->rewind(fixture.backend, &index, &fixture.err));
        assert_int_equal(index, 1);
    }
    assert_true(ops->reconnect(fixture.backend, &fixture.err));
    assert_true(ops->mark(fixture.backend, &fixture.err));
    fixture_run(&fixture, "numeric", NULL);
    runs_held(&fixture, "");
    fixture_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prepared_when_it_can_be),
        cmocka_unit_test(error_as_if_parsed_anew),
        cmocka_unit_test(types_follow),
        cmocka_unit_test(undone),
        cmocka_unit_test(types_made_anew),
        cmocka_unit_test(bounded),
        cmocka_unit_test(begun_again),
        cmocka_unit_test(kept_by_the_application),
    };
    return cmocka_run_group_tests(tests, fixture_start, fixture_stop);
}
