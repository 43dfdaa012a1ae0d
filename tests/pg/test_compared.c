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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(relations_as_they_stand),
        cmocka_unit_test(time_of_the_transaction),
    };
    return cmocka_run_group_tests(tests, fixture_start, fixture_stop);
}
