#include "example/compare/compare.h"

#include "support/eval.h"
#include "support/fake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A comparison: the expected value, the query's result, and the verdict. */
struct compared {
    const char *expected; /* an expression of the model language */
    const char *columns;  /* of the query; "" for a statement that returns none */
    const char *rows;
    /* "" where they are equal; else "expected/actual" and the differences: - missing, + unexpected,
     * ~ changed, with @ and the place where order counts */
    const char *verdict;
};

static const struct compared shapes[] = {
    /* a scalar: one row, one column */
    {"1", "n int4", "[(1,)]", ""},
    {"1", "n int4", "[(2,)]", "1/2"},
    {"1", "n int4", "[]", "1/no rows"},
    {"1", "n int4", "[(1,), (2,)]", "1/2 rows +2"},
    {"None", "n int4", "[(None,)]", ""},
    {"None", "n int4", "[(0,)]", "None/0"},
    {"None", "n int4", "[]", "None/no rows"},
    {"0", "n int4", "[(None,)]", "0/None"},
    {"1", "n numeric", "[(numeric('1.00'),)]", ""},
    {"True", "b bool", "[(True,)]", ""},
    {"True", "b bool", "[(False,)]", "True/False"},
    {"'a'", "t text", "[('a',)]", ""},
    {"'a'", "t text", "[('A',)]", "\"a\"/\"A\""},
    /* a tuple: one row */
    {"(1, 'a')", "n int4, t text", "[(1, 'a')]", ""},
    {"(1, 'a')", "n int4, t text", "[(1, 'b')]", "1 row/1 row ~(1, !\"a\")>(1, !\"b\")"},
    {"(1, 'a')", "n int4, t text", "[]", "1 row/no rows -(1, \"a\")"},
    {"(1, None)", "n int4, t text", "[(1, None)]", ""},
    {"([1, 2],)", "a int4[]", "[([1, 2],)]", ""},
    {"([1, 2],)", "a int4[]", "[([2, 1],)]", "[1, 2]/[2, 1]"},
    /* a set: any order, none twice */
    {"set()", "n int4", "[]", ""},
    {"set([1, 2])", "n int4", "[(2,), (1,)]", ""},
    {"set([1, 2])", "n int4", "[(1,)]", "2 rows/1 row -2"},
    {"set([1])", "n int4", "[(1,), (2,)]", "1 row/2 rows +2"},
    {"set([1])", "n int4", "[(1,), (1,)]", "1 row/2 rows +1"},
    {"set([1, 2])", "n int4", "[(1,), (3,)]", "2 rows/2 rows -2 +3"},
    {"set([9, 10, 2])", "n int4", "[(30,), (4,), (10,)]", "3 rows/3 rows -2 -9 +4 +30"},
    {"set([(2, None), (2, 'b'), (1, 'c')])", "n int4, t text", "[(2, 'a'), (1, None), (1, 'a')]",
     "3 rows/3 rows -(1, \"c\") -(2, None) -(2, \"b\") +(1, None) +(1, \"a\") +(2, \"a\")"},
    {"set([(1, 'a'), (2, 'b')])", "n int4, t text", "[(2, 'b'), (1, 'a')]", ""},
    {"set([(1, 'a')])", "n int4, t text", "[(1, 'b')]", "1 row/1 row ~(1, !\"a\")>(1, !\"b\")"},
    {"set([None])", "n int4", "[(None,)]", ""},
    {"set([numeric('1.0')])", "n int4", "[(1,)]", ""},
    /* a list: in order */
    {"[]", "n int4", "[]", ""},
    {"[]", "n int4", "[(1,)]", "no rows/1 row +1@1"},
    {"[1, 2]", "n int4", "[(1,), (2,)]", ""},
    {"[1, 2]", "n int4", "[(2,), (1,)]", "2 rows/2 rows ~1>2@1 ~2>1@2"},
    {"[1, 2, 3]", "n int4", "[(1,), (3,)]", "3 rows/2 rows -2@2"},
    {"[1, 3]", "n int4", "[(1,), (2,), (3,)]", "2 rows/3 rows +2@2"},
    {"[1, 1]", "n int4", "[(1,)]", "2 rows/1 row -1@2"},
    {"[(1, 'a'), (2, 'b')]", "n int4, t text", "[(1, 'a'), (2, 'c')]",
     "2 rows/2 rows ~(2, !\"b\")>(2, !\"c\")@2"},
    {"range(2)", "n int4", "[(0,), (1,)]", ""},
    /* a bag: any order, as often as written */
    {"bag([1, 1, 2])", "n int4", "[(1,), (2,), (1,)]", ""},
    {"bag([1, 1, 2])", "n int4", "[(1,), (2,), (2,)]", "3 rows/3 rows -1 +2"},
    {"bag([([1],), ([1],)])", "a int4[]", "[([1],), ([1],)]", ""},
    {"bag([([1],), ([2],)])", "a int4[]", "[([1],), ([1],)]", "2 rows/2 rows -[2] +[1]"},
    {"bag([(1, {'a': 1})])", "n int4, j jsonb", "[(1, {'a': 1})]", ""},
    /* a missing and an unexpected row are one that was changed where their first columns, as many
       as it takes, are those of no other */
    {"set([(1, 'a'), (2, 'b')])", "n int4, t text", "[(1, 'c'), (3, 'b')]",
     "2 rows/2 rows ~(1, !\"a\")>(1, !\"c\") -(2, \"b\") +(3, \"b\")"},
    {"set([(1, 1, 'a'), (1, 2, 'a')])", "n int4, m int4, t text", "[(1, 1, 'b'), (1, 2, 'b')]",
     "2 rows/2 rows ~(1, 1, !\"a\")>(1, 1, !\"b\") ~(1, 2, !\"a\")>(1, 2, !\"b\")"},
    {"set([(1, 1, 'a')])", "n int4, m int4, t text", "[(1, 2, 'b'), (1, 3, 'b')]",
     "1 row/2 rows -(1, 1, \"a\") +(1, 2, \"b\") +(1, 3, \"b\")"},
    {"set([(None, 'a')])", "n int4, t text", "[(None, 'b')]",
     "1 row/1 row -(None, \"a\") +(None, \"b\")"},
    /* or where what tells them apart looks alike */
    {"set(['3', 'x'])", "n int4", "[(3,), (4,)]", "2 rows/2 rows ~\"3\">3 -\"x\" +4"},
    /* by the server a column may be the same, whatever its text is */
    {"set([(1, 'ANN', 'a')])", "n int4, c citext, t text", "[(1, 'ann', 'b')]",
     "1 row/1 row ~(1, \"ANN\", !\"a\")>(1, \"ann\", !\"b\")"},
    /* a dict: key and value */
    {"{}", "k text, v int4", "[]", ""},
    {"{'a': 1, 'b': 2}", "k text, v int4", "[('b', 2), ('a', 1)]", ""},
    {"{'a': 1}", "k text, v int4", "[('a', 2)]", "1 row/1 row ~(\"a\", !1)>(\"a\", !2)"},
    {"{'a': 1}", "k text, v int4", "[('b', 1)]", "1 row/1 row -(\"a\", 1) +(\"b\", 1)"},
    {"{'a': 1}", "k text, v int4", "[('a', 1), ('a', 1)]", "1 row/2 rows +(\"a\", 1)"},
    {"{'a': (1, 2)}", "k text, v int4, w int4", "[('a', 1, 2)]", ""},
    {"{('a', 1): 2}", "k text, l int4, v int4", "[('a', 1, 2)]", ""},
    {"{('a', 1): 2}", "k text, l int4, v int4", "[('a', 1, 3)]",
     "1 row/1 row ~(\"a\", 1, !2)>(\"a\", 1, !3)"},
    {"{'a': None}", "k text, v int4", "[('a', None)]", ""},
    /* no columns at all */
    {"[]", "", "[]", ""},
    {"set()", "", "[]", ""},
};

static const struct compared cells[] = {
    /* numbers by value, text by character */
    {"1", "n int8", "[(1,)]", ""},
    {"numeric('0.1')", "n numeric", "[(numeric('0.10'),)]", ""},
    {"'1'", "n int4", "[(1,)]", "\"1\"/1"},
    {"1", "t text", "[('1',)]", "1/\"1\""},
    /* floats in the column's type */
    {"0.1", "f float8", "[(float('0.1'),)]", ""},
    {"0.1", "f float4", "[(float('0.1'),)]", ""},
    {"float('0.1')", "f float4", "[(float('0.10000000149011612'),)]", ""},
    {"float('0.1')", "f float8", "[(float('0.10000000149011612'),)]",
     "float(\"0.1\")/float(\"0.10000000149011612\")"},
    {"float('NaN')", "f float8", "[(float('NaN'),)]", ""},
    {"1", "f float8", "[(float('1'),)]", ""},
    {"float('3.4028234663852886e+38')", "f float4", "[(float('3.4028235e+38'),)]", ""},
    {"float('1e300')", "f float4", "[(float('Infinity'),)]",
     "float(\"1e+300\")/float(\"Infinity\")"},
    {"set([0.1])", "f float4", "[(float('0.1'),)]", ""},
    /* json by structure, its null inside and outside */
    {"({'a': [1, None]},)", "j jsonb", "[({'a': [1, None]},)]", ""},
    {"({'a': (1, json_null)},)", "j jsonb", "[({'a': [1, None]},)]", ""},
    {"({'b': 1, 'a': 2},)", "j jsonb", "[({'a': 2, 'b': 1},)]", ""},
    {"({'a': 1},)", "j jsonb", "[({'a': 1, 'b': 1},)]", "{\"a\": 1}/{\"a\": 1, \"b\": 1}"},
    {"json_null", "j jsonb", "[(json_null,)]", ""},
    {"None", "j jsonb", "[(json_null,)]", "None/json_null"},
    {"json_null", "j jsonb", "[(None,)]", "json_null/None"},
    {"'x'", "j jsonb", "[('x',)]", ""},
    {"numeric('1.0')", "j jsonb", "[(1,)]", ""},
    {"bag([({'a': 1},), ({'a': 2},)])", "j jsonb", "[({'a': 2},), ({'a': 1},)]", ""},
    /* the expected value is written like the actual one, so that the texts differ only where the
     * values do */
    {"({'z': 1, 'n': {'y': 1, 'x': True}, 'a': 2},)", "j jsonb",
     "[({'a': 2, 'n': {'x': False, 'y': 1}, 'z': 1},)]",
     "{\"a\": 2, \"n\": {\"x\": True, \"y\": 1}, \"z\": 1}/"
     "{\"a\": 2, \"n\": {\"x\": False, \"y\": 1}, \"z\": 1}"},
    {"([{'b': 1, 'a': 2}, {'d': 3, 'c': 4}, 5],)", "j jsonb",
     "[([{'a': 2, 'b': 1}, {'c': 4, 'd': 0}],)]",
     "[{\"a\": 2, \"b\": 1}, {\"c\": 4, \"d\": 3}, 5]/"
     "[{\"a\": 2, \"b\": 1}, {\"c\": 4, \"d\": 0}]"},
    {"({'only': 1, 'too': 2, 'b': 3, 'a': 4},)", "j jsonb", "[({'a': 4, 'b': 3, 'c': 5},)]",
     "{\"a\": 4, \"b\": 3, \"only\": 1, \"too\": 2}/{\"a\": 4, \"b\": 3, \"c\": 5}"},
    {"({'a': (1, json_null, numeric('2.0')), 'b': 1},)", "j jsonb",
     "[({'a': [1, None, 2], 'b': 0},)]",
     "{\"a\": [1, None, 2], \"b\": 1}/{\"a\": [1, None, 2], \"b\": 0}"},
    {"bag([(1, {'b': 1, 'a': 2}, 'x')])", "n int4, j jsonb, t text", "[(1, {'a': 3, 'b': 1}, 'y')]",
     "1 row/1 row ~(1, !{\"a\": 2, \"b\": 1}, !\"x\")>(1, !{\"a\": 3, \"b\": 1}, !\"y\")"},
    {"{1: ({'b': 1, 'a': 2},)}", "n int4, j jsonb", "[(1, {'a': 3, 'b': 1})]",
     "1 row/1 row ~(1, !{\"a\": 2, \"b\": 1})>(1, !{\"a\": 3, \"b\": 1})"},
    {"[({'b': 1, 'a': 2},)]", "j jsonb", "[({'a': 3, 'b': 1},)]",
     "1 row/1 row ~{\"a\": 2, \"b\": 1}>{\"a\": 3, \"b\": 1}@1"},
    {"((1, numeric('2.0'), 3),)", "a int4[]", "[([1, 2, 4],)]", "[1, 2, 3]/[1, 2, 4]"},
    /* containers item by item */
    {"([1, None],)", "a int4[]", "[([1, None],)]", ""},
    {"([1],)", "a int4[]", "[([None],)]", "[1]/[None]"},
    {"([1],)", "a int4[]", "[([1, 1],)]", "[1]/[1, 1]"},
    {"([[1], [2]],)", "a int4[]", "[([[1], [2]],)]", ""},
    {"((1, 2),)", "a int4[]", "[([1, 2],)]", ""},
    {"((1, 'a'),)", "p pair", "[((1, 'a'),)]", ""},
    {"((1, 'a'),)", "p pair", "[((1, 'b'),)]", "(1, \"a\")/(1, \"b\")"},
    {"((1, True, 'a', None),)", "r record", "[(('1', 't', 'a', None),)]", ""},
    {"((1,),)", "r record", "[(('2',),)]", "(1,)/(\"2\",)"},
    {"(['a'],)", "a text[]", "[(['A'],)]", "[\"a\"]/[\"A\"]"},
    /* bytes */
    {"b'a'", "b bytea", "[(b'a',)]", ""},
    {"b'a'", "b bytea", "[(b'b',)]", "b\"a\"/b\"b\""},
    /* cases that only the server can decide */
    {"'2020-01-01'", "t timestamptz", "[('2020-01-01 00:00:00+00',)]", ""},
    {"'2020-01-02'", "t timestamptz", "[('2020-01-01 00:00:00+00',)]",
     "\"2020-01-02\"/\"2020-01-01 00:00:00+00\""},
    {"None", "t timestamptz", "[('2020-01-01 00:00:00+00',)]", "None/\"2020-01-01 00:00:00+00\""},
    {"'ANN'", "t citext", "[('ann',)]", ""},
    {"set(['ANN', 'bob'])", "t citext", "[('Bob',), ('ann',)]", ""},
    {"set([(1, 'ANN'), (2, 'ann')])", "n int4, t citext", "[(2, 'Ann'), (1, 'ann')]", ""},
    {"set([(1, 'ANN'), (2, 'x')])", "n int4, t citext", "[(2, 'y'), (1, 'ann')]",
     "2 rows/2 rows ~(2, !\"x\")>(2, !\"y\")"},
    {"['ANN', 'bob']", "t citext", "[('ann',), ('Bob',)]", ""},
    {"{'ANN': 1}", "t citext, n int4", "[('ann', 1)]", ""},
    {"bag(['a', 'A'])", "t citext", "[('a',), ('a',)]", ""},
    {"bag(['a', 'A'])", "t citext", "[('a',), ('b',)]", "2 rows/2 rows -\"A\" +\"b\""},
    {"(['2020-01-01'],)", "a timestamptz[]", "[(['2020-01-01 00:00:00+00'],)]", ""},
};

/* Mistakes: not a verdict but an error; `verdict` is a part of the message and of the hint. */
static const struct compared mistakes[] = {
    {"[[1, 2]]", "a int4[]", "[([1, 2],)]",
     "a row in expect is a list, but the query returns 1 column"},
    {"bag([{'a': 1}])", "j jsonb", "[({'a': 1},)]", "a row in expect is a dict"},
    {"{1: {'a': 1}}", "n int4, j jsonb", "[(1, {'a': 1})]",
     "a value in the expected dict is a dict, but 1 column is left for it"},
    {"{1: [1]}", "n int4, a int4[]", "[]", "write {key: (x,)}"},
    {"{(1, 2): [1]}", "n int4, m int4, a int4[]", "[]", "a value in the expected dict is a list"},
    {"{1: (2, 3)}", "n int4, m int4", "[]",
     "a value in the expected dict has 2 columns, but 1 column is left for it"},
    {"{(1, 2): 3, 4: 5}", "n int4, m int4, o int4", "[]",
     "a key in the expected dict is a single value of type int, but the first key has 2 columns"},
    {"[{'a': 1}]", "j jsonb", "[]", "(x,)"},
    {"{'a': 1}", "j jsonb", "[({'a': 1},)]", "(x,)"},
    {"(1, 2)", "n int4", "[(1,)]", "a row in expect has 2 columns, but the query returns 1 column"},
    {"set([(1, 2)])", "n int4", "[(1,)]",
     "a row in expect has 2 columns, but the query returns 1 column"},
    {"1", "n int4, m int4", "[(1, 2)]",
     "a row in expect is a single value of type int, but the query returns 2 columns"},
    {"[1]", "n int4, m int4", "[(1, 2)]", "write a tuple"},
    {"{'a': 1}", "k text, v int4, w int4", "[('a', 1, 2)]",
     "a value in the expected dict is a single value of type int, but 2 columns are left for it"},
    {"{('a', 1): 2}", "k text, v int4", "[]", "a dict with 2 key columns"},
    {"1", "", "[]", "the statement returns none"},
    {"set([1])", "", "[]", "RETURNING"},
    {"len", "n int4", "[(1,)]", "which no query can return"},
    {"error('P0001')", "n int4", "[(1,)]", "which no query can return"},
};

struct fixture {
    struct arena arena;
    struct fake fake;
};

static const struct fake_script no_script[] = {{NULL, NULL}};

static int setup(void **state)
{
    struct fixture *fixture = memory_alloc(sizeof *fixture);
    *fixture = (struct fixture){0};
    fake_init(&fixture->fake, no_script, NULL, 0);
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    fake_free(&fixture->fake);
    arena_free(&fixture->arena);
    free(fixture);
    return 0;
}

static struct answer answer_of(struct fixture *fixture, const struct compared *compared)
{
    struct fake_reply reply = {.fake = &fixture->fake};
    fake_rows(&reply, compared->columns, compared->rows);
    reply.answer.rows = reply.rows.items;
    reply.answer.row_count = reply.rows.count;
    return reply.answer;
}

static bool compare(struct fixture *fixture, const struct compared *compared, const char *sql,
                    struct comparison *out, struct error *err)
{
    struct answer answer = answer_of(fixture, compared);
    struct value expected = test_eval(&fixture->arena, compared->expected);
    struct snippet snippet = {.text = sql, .size = sql ? strlen(sql) : 0};
    struct comparing comparing = {&fixture->fake.backend, &fixture->arena, sql ? &snippet : NULL};
    return compare_answer(&comparing, expected, &answer, out, err);
}

/* A cell that differs has ! before it. */
static void add_cells(const struct shown_cell *row, size_t count, struct strbuf *out)
{
    strbuf_adds(out, count > 1 ? "(" : "");
    for (size_t i = 0; i < count; i++) {
        strbuf_adds(out, i ? ", " : "");
        strbuf_adds(out, row[i].differs && count > 1 ? "!" : "");
        value_repr(row[i].value, out);
    }
    strbuf_adds(out, count > 1 ? ")" : "");
}

static void add_difference(const struct difference *difference, size_t columns, struct strbuf *out)
{
    strbuf_addc(out, ' ');
    strbuf_addc(out, "-+~"[difference->kind]);
    if (difference->expected) {
        add_cells(difference->expected, columns, out);
    }
    if (difference->kind == DIFFERENCE_CHANGED) {
        strbuf_addc(out, '>');
    }
    if (difference->actual) {
        add_cells(difference->actual, columns, out);
    }
    if (difference->place) {
        strbuf_addf(out, "@%d", (int)difference->place);
    }
}

static void verdict_of(const struct comparison *comparison, struct strbuf *out)
{
    if (comparison->equal) {
        return;
    }
    strbuf_addf(out, "%s/%s", comparison->expected, comparison->actual);
    for (size_t i = 0; i < comparison->differences.count; i++) {
        add_difference(&comparison->differences.items[i], comparison->column_count, out);
    }
}

static void check_verdicts(struct fixture *fixture, const struct compared *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct comparison comparison;
        struct error err;
        struct strbuf verdict = {0};
        if (!compare(fixture, &list[i], NULL, &comparison, &err)) {
            fail_msg("%s with %s: %s", list[i].expected, list[i].rows, err.message);
        }
        verdict_of(&comparison, &verdict);
        if (strcmp(strbuf_text(&verdict), list[i].verdict) != 0) {
            fail_msg("%s with %s: %s", list[i].expected, list[i].rows, strbuf_text(&verdict));
        }
        strbuf_free(&verdict);
    }
}

static void test_shapes(void **state)
{
    check_verdicts(*state, shapes, sizeof shapes / sizeof shapes[0]);
}

static void test_cells(void **state)
{
    check_verdicts(*state, cells, sizeof cells / sizeof cells[0]);
}

static void test_mistakes(void **state)
{
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        struct comparison comparison;
        struct error err;
        if (compare(*state, &mistakes[i], NULL, &comparison, &err)) {
            fail_msg("%s is no mistake", mistakes[i].expected);
        }
        assert_int_equal(err.code, ERROR_MACHINE);
        if (!strstr(err.message, mistakes[i].verdict) && !strstr(err.hint, mistakes[i].verdict)) {
            fail_msg("%s: %s (%s)", mistakes[i].expected, err.message, err.hint);
        }
    }
}

static void test_hints(void **state)
{
    static const struct {
        struct compared compared;
        const char *sql;
        const char *hint; /* a part of it; NULL: none */
    } hints[] = {
        {{"['a', 'B']", "t text", "[('B',), ('a',)]", ""}, "SELECT t FROM x", "without ORDER BY"},
        {{"['a', 'B']", "t text", "[('B',), ('a',)]", ""}, "SELECT t FROM x Order by t", "COLLATE"},
        {{"['a', 'B']", "t text", "[('B',), ('c',)]", ""}, "SELECT t FROM x", NULL},
        {{"[1, 2]", "a int4[]", "[([1, 2],)]", ""}, "SELECT a", "(x,)"},
        {{"set([1])", "n int4", "[(1,), (1,)]", ""}, "SELECT n", "more than once"},
        {{"set([1])", "n int4", "[(1,), (2,)]", ""}, "SELECT n", NULL},
        {{"'1'", "n int4", "[(1,)]", ""},
         "SELECT n",
         "column n (int4): the model has a value of type string, the database one of type int"},
        {{"set(['1'])", "n int4", "[(1,)]", ""}, "SELECT n", "type string"},
        {{"set([(1, 'a'), (2, 3)])", "n int4, t text", "[(2, '3'), (1, 'b')]", ""},
         "SELECT n, t",
         "column t (text): the model has a value of type int"},
        {{"'1.50'", "n numeric", "[(numeric('1.5'),)]", ""}, "SELECT n", "type string"},
        {{"'t'", "b bool", "[(True,)]", ""},
         "SELECT b",
         "type string, the database one of type bool"},
        {{"None", "t text", "[('NULL',)]", ""},
         "SELECT t",
         "the model has NULL (None), the database a text"},
        {{"''", "t text", "[(None,)]", ""},
         "SELECT t",
         "the model has an empty text, the database NULL (None)"},
        {{"json_null", "j jsonb", "[(None,)]", ""},
         "SELECT j",
         "the model has the null of json (json_null), the database NULL (None)"},
        {{"'a'", "t text", "[('a  ',)]", ""},
         "SELECT t",
         "ends with no white space, the database's with 2 white-space characters"},
        {{"set([(1, 'caf\u00e9')])", "n int4, t text", "[(1, 'cafe\u0301')]", ""},
         "SELECT n, t",
         "at character 4 the model has U+00E9, the database U+0065 U+0301"},
        {{"'pay'", "t text", "[('p\u0430y',)]", ""},
         "SELECT t",
         "at character 2 the model has U+0061, the database U+0430"},
        {{"'ab'", "t text", "[('a\u200bb',)]", ""},
         "SELECT t",
         "the model has no such character, the database U+200B"},
        {{"'ab'", "t text", "[('ac',)]", ""}, "SELECT t", NULL},
        {{"(1, 'a')", "n int4, t text", "[(1, 'b')]", ""}, "SELECT n, t", NULL},
    };
    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++) {
        struct comparison comparison;
        struct error err;
        assert_true(compare(*state, &hints[i].compared, hints[i].sql, &comparison, &err));
        assert_false(comparison.equal);
        if (!hints[i].hint) {
            assert_null(comparison.hint);
        } else if (!comparison.hint || !strstr(comparison.hint, hints[i].hint)) {
            fail_msg("%s: %s", hints[i].compared.expected,
                     comparison.hint ? comparison.hint : "no hint");
        }
    }
}

static void test_no_rows(void **state)
{
    struct fixture *fixture = *state;
    struct compared compared = {"[]", "n int4", "[]", ""};
    struct comparing comparing = {&fixture->fake.backend, &fixture->arena, NULL};
    struct comparison comparison;
    struct answer answer = answer_of(fixture, &compared);
    compare_no_rows(&comparing, &answer, &comparison);
    assert_true(comparison.equal);
    compared.rows = "[(1,), (2,)]";
    answer = answer_of(fixture, &compared);
    compare_no_rows(&comparing, &answer, &comparison);
    struct strbuf verdict = {0};
    verdict_of(&comparison, &verdict);
    assert_string_equal(strbuf_text(&verdict), "no rows/2 rows +1 +2");
    strbuf_free(&verdict);
}

static void test_many_differences(void **state)
{
    struct compared compared = {"set(range(100))", "n int4", "[(n,) for n in range(100, 200)]", ""};
    struct comparison comparison;
    struct error err;
    assert_true(compare(*state, &compared, NULL, &comparison, &err));
    assert_int_equal(comparison.difference_count, 200);
    assert_int_equal(comparison.differences.count, DIFFERENCES_MAX);
}

static void test_long_values(void **state)
{
    struct compared compared = {"'ä' * 2000", "t text", "[('x',)]", ""};
    struct comparison comparison;
    struct error err;
    assert_true(compare(*state, &compared, NULL, &comparison, &err));
    assert_int_equal(strlen(comparison.expected), 4002); /* whoever shows it cuts it */
}

/* The server is asked about what is left over alone, and about many pairs at once. */
static void test_asking(void **state)
{
    struct fixture *fixture = *state;
    static const struct {
        struct compared compared;
        size_t asked;
    } cases[] = {
        {{"set(['a', 'b'])", "t citext", "[('b',), ('a',)]", ""}, 0},
        {{"set(['a', 'B'])", "t citext", "[('b',), ('a',)]", ""}, 1},
        {{"set([str(n) + 'a' for n in range(50)])", "t citext",
          "[(str(n) + 'A',) for n in range(50)]", ""},
         1},
        {{"set([str(n) + 'a' for n in range(100)])", "t citext",
          "[(str(n) + 'A',) for n in range(100)]", ""},
         3},
        {{"set([(n, 'a') for n in range(100)])", "n int4, t citext",
          "[(n, 'A') for n in range(100)]", ""},
         1},
        {{"set(['a'])", "t text", "[('b',)]", "1 row/1 row -\"a\" +\"b\""}, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture->fake.asked = 0;
        check_verdicts(fixture, &cases[i].compared, 1);
        if (fixture->fake.asked > cases[i].asked) {
            fail_msg("%s: asked %zu times", cases[i].compared.expected, fixture->fake.asked);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_shapes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_cells, setup, teardown),
        cmocka_unit_test_setup_teardown(test_mistakes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_hints, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_rows, setup, teardown),
        cmocka_unit_test_setup_teardown(test_many_differences, setup, teardown),
        cmocka_unit_test_setup_teardown(test_long_values, setup, teardown),
        cmocka_unit_test_setup_teardown(test_asking, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
