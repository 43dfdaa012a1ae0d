/* Values in both directions: from columns and to parameters. Expected values are literals; for
 * parameters, the server's text of the value is compared. */
#include "pg/fixture.h"

#include <stdio.h>
#include <string.h>

static const char schema[] =
    "CREATE TYPE mood AS ENUM ('sad', 'ok', 'it''s \"fine\"');\n"
    "CREATE DOMAIN percent AS numeric(5, 2) CHECK (VALUE <= 100);\n"
    "CREATE DOMAIN moods AS mood[];\n"
    "CREATE TYPE point2 AS (x int, y numeric);\n"
    "CREATE TYPE nested AS (name text, at point2, tags text[], m mood, p "
    "percent, b bytea, j jsonb);\n"
    "CREATE TABLE holds (id int, pair point2, gone int);\n"
    "ALTER TABLE holds DROP COLUMN gone;\n"
    "CREATE FUNCTION nothing() RETURNS void LANGUAGE sql AS '';\n"
    "CREATE FUNCTION nothing_either() RETURNS void LANGUAGE plpgsql AS 'BEGIN END';\n"
    "CREATE SCHEMA \"odd name\";\n"
    "CREATE TYPE \"odd name\".\"odd type\" AS (\"a b\" int[]);\n";

/* SQL of one column, and the value that it gives, as a text of the model language. */
static const struct {
    const char *sql;
    const char *value;
    const char *type;
    enum column_class class;
} columns[] = {
    {"SELECT 1::int2", "1", "smallint", COLUMN_NUMBER},
    {"SELECT -2147483648", "-2147483648", "integer", COLUMN_NUMBER},
    {"SELECT 9223372036854775807", "9223372036854775807", "bigint", COLUMN_NUMBER},
    {"SELECT '-9223372036854775808'::bigint", "-9223372036854775808", "bigint", COLUMN_NUMBER},
    {"SELECT 4294967295::oid", "4294967295", "oid", COLUMN_NUMBER},
    {"SELECT 1.50", "1.50", "numeric", COLUMN_NUMBER},
    {"SELECT 1e30::numeric", "1000000000000000000000000000000.", "numeric", COLUMN_NUMBER},
    {"SELECT 'NaN'::numeric", "numeric('NaN')", "numeric", COLUMN_NUMBER},
    {"SELECT 0.1::float4", "float('0.1')", "real", COLUMN_FLOAT},
    {"SELECT 1e300::float8", "float('1e300')", "double precision", COLUMN_FLOAT},
    {"SELECT '-Infinity'::float8", "float('-Infinity')", "double precision", COLUMN_FLOAT},
    {"SELECT true", "True", "boolean", COLUMN_NUMBER},
    {"SELECT NULL::bool", "None", "boolean", COLUMN_NUMBER},
    {"SELECT ''::text", "''", "text", COLUMN_TEXT},
    {"SELECT E'a\\n\\t\\\\\"''{},()'", "'a\\n\\t\\\\\"\\'{},()'", "text", COLUMN_TEXT},
    {"SELECT U&'\\+01F600 e\\0301 \\202E'", "'\\U0001F600 e\\u0301 \\u202e'", "text", COLUMN_TEXT},
    {"SELECT 'a'::varchar(3)", "'a'", "character varying", COLUMN_TEXT},
    {"SELECT 'a'::char(3)", "'a  '", "bpchar", COLUMN_OTHER},
    {"SELECT 'a'::name", "'a'", "name", COLUMN_TEXT},
    {"SELECT 'a'::\"char\"", "'a'", "\"char\"", COLUMN_OTHER},
    {"SELECT '\\x00ff5c'::bytea", "bytes([0, 255, 92])", "bytea", COLUMN_BYTES},
    {"SELECT ''::bytea", "bytes([])", "bytea", COLUMN_BYTES},
    {"SELECT '{\"a\": [1, 2.50, null, \"x\"]}'::json", "{'a': [1, 2.50, None, 'x']}", "json",
     COLUMN_JSON},
    {"SELECT 'null'::jsonb", "json_null", "jsonb", COLUMN_JSON},
    {"SELECT NULL::jsonb", "None", "jsonb", COLUMN_JSON},
    {"SELECT '\"x\"'::jsonb", "'x'", "jsonb", COLUMN_JSON},
    {"SELECT '12345678901234567890.5'::jsonb", "12345678901234567890.5", "jsonb", COLUMN_JSON},
    {"SELECT '{}'::int[]", "[]", "integer[]", COLUMN_CONTAINER},
    {"SELECT ARRAY[1, NULL, 3]", "[1, None, 3]", "integer[]", COLUMN_CONTAINER},
    {"SELECT ARRAY[[1, 2], [3, 4]]", "[[1, 2], [3, 4]]", "integer[]", COLUMN_CONTAINER},
    {"SELECT '[0:1][5:6]={{1,2},{3,4}}'::int[]", "[[1, 2], [3, 4]]", "integer[]", COLUMN_CONTAINER},
    {"SELECT ARRAY['NULL', NULL, '', ' a', 'a,b', '{}', E'\"\\\\', 'é']",
     "['NULL', None, '', ' a', 'a,b', '{}', '\"\\\\', 'é']", "text[]", COLUMN_CONTAINER},
    {"SELECT ARRAY['{\"a\":[1,\"b\"]}'::jsonb]", "[{'a': [1, 'b']}]", "jsonb[]", COLUMN_CONTAINER},
    {"SELECT ARRAY['\\x5c22'::bytea]", "[bytes([92, 34])]", "bytea[]", COLUMN_CONTAINER},
    {"SELECT ARRAY[1.50, 2]", "[1.50, 2]", "numeric[]", COLUMN_CONTAINER},
    {"SELECT ARRAY[box '(1,1),(0,0)', box '(2,2),(1,1)']", "['(1,1),(0,0)', '(2,2),(1,1)']",
     "box[]", COLUMN_CONTAINER},
    {"SELECT '1 2'::int2vector", "'1 2'", "int2vector", COLUMN_OTHER},
    {"SELECT point '(1,2)'", "'(1,2)'", "point", COLUMN_OTHER},
    {"SELECT (1, 2.5)::point2", "(1, 2.5)", "point2", COLUMN_CONTAINER},
    {"SELECT (NULL, 2.5)::point2", "(None, 2.5)", "point2", COLUMN_CONTAINER},
    {"SELECT ARRAY[(1, 2)::point2, NULL]", "[(1, 2), None]", "point2[]", COLUMN_CONTAINER},
    {"SELECT ('a\"b\\', (1, 2), ARRAY['x', 'y z'], 'ok', 5, '\\x00', '{\"k\": 1}')::nested",
     "('a\"b\\\\', (1, 2), ['x', 'y z'], 'ok', 5.00, bytes([0]), {'k': 1})", "nested",
     COLUMN_CONTAINER},
    {"SELECT (1, (2, 3))::holds", "(1, (2, 3))", "holds", COLUMN_CONTAINER},
    {"SELECT ROW(ARRAY[1])::\"odd name\".\"odd type\"", "([1],)", "\"odd name\".\"odd type\"",
     COLUMN_CONTAINER},
    {"SELECT (1, 'a', NULL, '')", "('1', 'a', None, '')", "record", COLUMN_CONTAINER},
    {"SELECT 'sad'::mood", "'sad'", "mood", COLUMN_OTHER},
    {"SELECT ARRAY['it''s \"fine\"'::mood]", "['it\\'s \"fine\"']", "mood[]", COLUMN_CONTAINER},
    {"SELECT ARRAY[12.5::percent]", "[12.50]", NULL, COLUMN_CONTAINER},
    {"SELECT '{sad}'::moods", "['sad']", "mood[]", COLUMN_CONTAINER},
    {"SELECT uuid '6EC0BD7F-11C0-43DA-975E-2A8AD9EBAE0B'", "'6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b'",
     "uuid", COLUMN_OTHER},
    {"SELECT timestamptz '2020-02-03 04:05:06.7+02'", "'2020-02-03 02:05:06.7+00'",
     "timestamp with time zone", COLUMN_OTHER},
    {"SELECT date '0044-03-15 BC'", "'0044-03-15 BC'", "date", COLUMN_OTHER},
    {"SELECT interval '1 year 2 mons -3 days 04:05:06'", "'1 year 2 mons -3 days +04:05:06'",
     "interval", COLUMN_OTHER},
    {"SELECT int4range(1, 3)", "'[1,3)'", "int4range", COLUMN_OTHER},
    {"SELECT B'101'", "'101'", "\"bit\"", COLUMN_OTHER},
    {"SELECT inet '10.0.0.1/8'", "'10.0.0.1/8'", "inet", COLUMN_OTHER},
    {"SELECT xml '<a>&amp;</a>'", "'<a>&amp;</a>'", "xml", COLUMN_OTHER},
    {"SELECT nothing()", "None", "void", COLUMN_OTHER},
    {"SELECT nothing_either()", "None", "void", COLUMN_OTHER},
    {"SELECT NULL", "None", "text", COLUMN_TEXT},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static const char *yaml_quoted(struct fixture *fixture, const char *text)
{
    struct strbuf out = {0};
    for (const char *at = text; *at; at++) {
        strbuf_fill(&out, *at, *at == '\'' ? 2 : 1);
    }
    const char *quoted = arena_printf(&fixture->arena, "'%s'", strbuf_text(&out));
    strbuf_free(&out);
    return quoted;
}

/* A value of a literal that the model language has no form for itself. */
static struct value expected_value(struct fixture *fixture, const char *text)
{
    if (strcmp(text, "json_null") == 0) {
        return value_json_null();
    }
    return fixture_eval(fixture, text);
}

static void columns_give(void **state)
{
    struct fixture fixture = fixture_new();
    struct strbuf yaml = {0};
    (void)state;
    strbuf_adds(&yaml, "rules:\n");
    for (size_t i = 0; i < COLUMNS; i++) {
        strbuf_addf(&yaml, "  r%zu: {sql: %s}\n", i, yaml_quoted(&fixture, columns[i].sql));
    }
    fixture_open(&fixture, schema, strbuf_text(&yaml));
    for (size_t i = 0; i < COLUMNS; i++) {
        char rule[16];
        (void)snprintf(rule, sizeof rule, "r%zu", i);
        struct answer answer = fixture_run(&fixture, rule, NULL);
        struct value expected = expected_value(&fixture, columns[i].value);
        struct value actual = fixture_value(&answer);
        if (!value_equal(expected, actual) || expected.type != actual.type) {
            fail_msg("%s: %s is not %s", columns[i].sql, fixture_repr(&fixture, actual),
                     columns[i].value);
        }
        assert_int_equal(answer.columns[0].class, columns[i].class);
        if (columns[i].type) {
            assert_string_equal(answer.columns[0].type_name, columns[i].type);
        }
    }
    strbuf_free(&yaml);
    fixture_close(&fixture);
}

/* A parameter's type, a value, and the server's text of it, or NULL. */
static const struct {
    const char *type;
    const char *value;
    const char *text;
} params[] = {
    {"int", "None", NULL},
    {"int", "-5", "-5"},
    {"int", "3.0", "3"},
    {"int", "'7'", "7"},
    {"bigint", "9223372036854775807", "9223372036854775807"},
    {"numeric", "10000000000000000000000000000000.000", "10000000000000000000000000000000.000"},
    {"numeric", "numeric('NaN')", "NaN"},
    {"numeric", "float('0.1')", "0.1"},
    {"float8", "1.50", "1.5"},
    {"float8", "float('NaN')", "NaN"},
    {"float4", "float('-0.0')", "-0"},
    {"bool", "True", "true"},
    {"bool", "'off'", "false"},
    {"text", "''", ""},
    {"text", "'\\'\"\\\\ %_ \\n{}(),$1 :x \\U0001F600 e\\u0301 \\u202e'",
     "'\"\\ %_ \n{}(),$1 :x \xF0\x9F\x98\x80 e\xCC\x81 \xE2\x80\xAE"},
    {"text", "12", "12"},
    {"text", "1.50", "1.50"},
    {"text", "True", "true"},
    {"text", "{'sub': 'a'}", "{\"sub\":\"a\"}"},
    {"bytea", "bytes([0, 92, 39, 255])", "\\x005c27ff"},
    {"bytea", "bytes([])", "\\x"},
    {"json", "{'a': [1, 2.50, None, True]}", "{\"a\":[1,2.50,null,true]}"},
    {"jsonb", "'a string'", "\"a string\""},
    {"jsonb", "[1, [2]]", "[1, [2]]"},
    {"jsonb", "(1, 2)", "[1, 2]"},
    {"jsonb", "5", "5"},
    {"jsonb", "None", NULL},
    {"int[]", "[]", "{}"},
    {"int[]", "[1, None, 3]", "{1,NULL,3}"},
    {"int[]", "[[1, 2], [3, 4]]", "{{1,2},{3,4}}"},
    {"int[]", "set([1])", "{1}"},
    {"int[]", "range(3)", "{0,1,2}"},
    {"int[]", "'{4,5}'", "{4,5}"},
    {"text[]", "['', 'NULL', None, 'a\"b\\\\c', ' x', '{', ',', 'é']",
     "{\"\",\"NULL\",NULL,\"a\\\"b\\\\c\",\" x\",\"{\",\",\",é}"},
    {"jsonb[]", "[{'a': [1]}, [2], 'x']", "{\"{\\\"a\\\": [1]}\",[2],\"\\\"x\\\"\"}"},
    {"bytea[]", "[bytes([1])]", "{\"\\\\x01\"}"},
    {"mood[]", "['sad', 'it\\'s \"fine\"']", "{sad,\"it's \\\"fine\\\"\"}"},
    {"box[]", "['(1,1),(0,0)', '(2,2),(1,1)']", "{(1,1),(0,0);(2,2),(1,1)}"},
    {"mood", "'ok'", "ok"},
    {"point2", "(1, 2.5)", "(1,2.5)"},
    {"point2", "(None, None)", "(,)"},
    {"point2[]", "[(1, 2), (3, None)]", "{\"(1,2)\",\"(3,)\"}"},
    {"nested", "('a\"b\\\\,', (1, 2), ['x', 'y\"z'], 'ok', 5, bytes([0]), {'k': [1]})",
     "(\"a\"\"b\\\\,\",\"(1,2)\",\"{x,\"\"y\\\\\"\"z\"\"}\",ok,5.00,\"\\\\x00\",\"{\"\"k\"\": "
     "[1]}\")"},
    {"percent", "12.5", "12.50"},
    {"uuid", "'6EC0BD7F-11C0-43DA-975E-2A8AD9EBAE0B'", "6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b"},
    {"date", "'2020-01-02'", "2020-01-02"},
    {"money", "12.5", "$12.50"},
    {"int4range", "'[1,3)'", "[1,3)"},
};
enum { PARAMS = sizeof params / sizeof *params };

static void read_params(struct fixture *fixture)
{
    struct strbuf yaml = {0};
    strbuf_adds(&yaml, "model: x = None\nrules:\n");
    for (size_t i = 0; i < PARAMS; i++) {
        strbuf_addf(&yaml, "  r%zu: {sql: 'SELECT (:x::%s)::text'}\n", i, params[i].type);
    }
    fixture_open(fixture, schema, strbuf_text(&yaml));
    strbuf_free(&yaml);
}

static void params_take(void **state)
{
    struct fixture fixture = fixture_new();
    (void)state;
    read_params(&fixture);
    for (size_t i = 0; i < PARAMS; i++) {
        char rule[16];
        (void)snprintf(rule, sizeof rule, "r%zu", i);
        struct value value = fixture_eval(&fixture, params[i].value);
        struct answer answer = fixture_run(&fixture, rule, &value);
        struct value actual = fixture_value(&answer);
        struct value expected =
            params[i].text ? value_text(&fixture.arena, params[i].text) : value_none();
        if (!value_equal(expected, actual)) {
            fail_msg("%s as %s: %s", params[i].value, params[i].type,
                     fixture_repr(&fixture, actual));
        }
    }
    fixture_close(&fixture);
}

static const struct {
    const char *type;
    const char *value;
    const char *message;
} mistakes[] = {
    {"int", "[1]", "parameter :x: a list has no form in type integer"},
    {"int", "1.5", "parameter :x: 1.5 is not a whole number, which type integer needs"},
    {"int", "True", "parameter :x: a bool has no form in type integer"},
    {"uuid", "{}", "parameter :x: a dict has no form in type uuid"},
    {"text", "[1]", "parameter :x: a list has no form in type text"},
    {"text", "bytes([1])", "parameter :x: a bytes has no form in type text"},
    {"int[]", "[[1], [2, 3]]",
     "parameter :x: the lists in a list for type integer[] must all have the same length"},
    {"int[]", "[[1], 2]",
     "parameter :x: the lists in a list for type integer[] must all have the same length"},
    {"point2", "(1,)", "parameter :x: a tuple of 1 for type point2, which has 2 fields"},
    {"point2", "[1, 2]", "parameter :x: a list has no form in type point2"},
};
enum { MISTAKES = sizeof mistakes / sizeof *mistakes };

/* A value that has no form in the type is a mistake in the machine, and its place is the
 * parameter's. */
static void params_refuse(void **state)
{
    struct fixture fixture = fixture_new();
    struct strbuf yaml = {0};
    (void)state;
    strbuf_adds(&yaml, "model: x = None\nrules:\n");
    for (size_t i = 0; i < MISTAKES; i++) {
        strbuf_addf(&yaml, "  r%zu: {sql: 'SELECT (:x::%s)::text'}\n", i, mistakes[i].type);
    }
    fixture_open(&fixture, schema, strbuf_text(&yaml));
    for (size_t i = 0; i < MISTAKES; i++) {
        char rule[16];
        backend_ticket ticket;
        (void)snprintf(rule, sizeof rule, "r%zu", i);
        struct value value = fixture_eval(&fixture, mistakes[i].value);
        const struct backend_call call = {
            .sql = fixture_rule(&fixture, rule)->statements.items[0].sql,
            .values = &value,
        };
        assert_false(fixture.backend->ops->queue(fixture.backend, &call, &ticket, &fixture.err));
        assert_int_equal(fixture.err.code, ERROR_MACHINE);
        assert_string_equal(fixture.err.message, mistakes[i].message);
        /* machine:, schema:, model:, rules:, and the lines before it. */
        assert_int_equal(source_place(fixture.err.pos).line, 5 + i);
    }
    strbuf_free(&yaml);
    fixture_close(&fixture);
}

/* The server refuses a value that does not fit the type, and a rule may predict that. */
static void server_refuses(void **state)
{
    struct fixture fixture = fixture_new();
    (void)state;
    fixture_open(&fixture, NULL, "model: x = None\nrules:\n  r: {sql: 'SELECT :x::int2'}\n");
    struct value value = value_int(70000);
    struct answer answer = fixture_run(&fixture, "r", &value);
    assert_string_equal(answer.error.sqlstate, "22003");
    fixture_close(&fixture);
}

/* Megabytes in both directions at once, more than any buffer holds. */
static void large_values(void **state)
{
    enum { SIZE = 3 << 20, COUNT = 12 };
    struct fixture fixture = fixture_new();
    backend_ticket tickets[COUNT];
    (void)state;
    fixture_open(&fixture, NULL,
                 "model: x = None\nrules:\n  t: {sql: 'SELECT :x::text'}\n"
                 "  b: {sql: 'SELECT :x::bytea'}\n");
    char *text = arena_alloc(&fixture.arena, SIZE);
    memset(text, 'x', SIZE);
    const struct value values[] = {value_string(&fixture.arena, text, SIZE),
                                   value_bytes(&fixture.arena, text, SIZE)};
    for (int i = 0; i < COUNT; i++) {
        tickets[i] = fixture_queue(&fixture, i % 2 ? "b" : "t", &values[i % 2], NULL);
    }
    for (int i = 0; i < COUNT; i++) {
        struct answer answer = fixture_take(&fixture, tickets[i]);
        assert_true(value_equal(fixture_value(&answer), values[i % 2]));
    }
    fixture_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_give),  cmocka_unit_test(params_take),
        cmocka_unit_test(params_refuse), cmocka_unit_test(server_refuses),
        cmocka_unit_test(large_values),
    };
    return cmocka_run_group_tests(tests, fixture_start, fixture_stop);
}
