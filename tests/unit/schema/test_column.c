/* column() and row() over a catalog that is defined here. tests/pg/strategies.sh compares them with
 * a server's. */
#include "schema/catalog.h"
#include "support/drawing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DRAWS = 300 };

static struct column_facts facts(const char *name, const char *type)
{
    return (struct column_facts){.name = name,
                                 .type = type,
                                 .type_name = type,
                                 .length = -1,
                                 .precision = -1,
                                 .fraction = -1};
}

static void add_check(struct column_facts *column, enum check_kind kind, const char *value)
{
    struct check_facts check = {.kind = kind};
    *VEC_PUSH(&test_arena, &check.values) = value;
    *VEC_PUSH(&test_arena, &column->checks) = check;
}

/* The one table, `t`, and how many rows its foreign keys may refer to: (10, "a"), (20, "b"), … */
static struct table_facts table;
static size_t existing;

static struct column_facts *add_column(struct column_facts column)
{
    struct column_facts *added = VEC_PUSH(&test_arena, &table.columns);
    *added = column;
    return added;
}

static bool find(void *host, const char *name, const struct table_facts **out, struct error *err)
{
    (void)host;
    *out = &table;
    return strcmp(name, "t") == 0 || error_set(err, ERROR_MACHINE, "there is no table '%s'", name);
}

static bool rows(void *host, const struct key_facts *key, struct arena *arena, struct value *out,
                 struct error *err)
{
    (void)host, (void)err;
    static const char *const letters[] = {"a", "b", "c", "d"};
    *out = value_list(arena);
    for (size_t i = 0; i < existing; i++) {
        struct value items[] = {value_int((int64_t)(i + 1) * 10), value_text(arena, letters[i])};
        list_append(out->as.list, value_tuple(arena, items, key->columns.count));
    }
    return true;
}

static const struct draw_catalog catalog = {NULL, find, rows};

static int clear(void **state)
{
    table = (struct table_facts){.name = "t"};
    existing = 0;
    return drawing_clear(state);
}

static int begin(void **state)
{
    (void)state;
    table = (struct table_facts){.name = "t"};
    existing = 3;
    return 0;
}

static struct column_facts *add_part(struct column_facts *column, enum type_shape shape,
                                     struct column_facts part)
{
    struct column_facts *added = VEC_PUSH(&test_arena, &column->parts);
    column->shape = shape;
    *added = part;
    return added;
}

static struct value column(const char *name) { return strategy("column", "", text(name), NULL); }

static struct value draw_from(struct drawer *drawer, struct value from)
{
    drawer->catalog = &catalog;
    return draw_ok(drawer, from);
}

static void assert_simplest(struct value from, const char *expected)
{
    assert_repr(draw_from(replay_drawer(NULL), from), expected);
}

static void null_is_drawn_where_it_may_be(void **state)
{
    (void)state;
    add_column(facts("a", "int4"));
    add_column(facts("b", "int4"))->not_null = true;
    struct drawer *drawer = test_drawer(1);
    unsigned nulls = 0;
    for (int i = 0; i < DRAWS; i++) {
        nulls += draw_from(drawer, column("t.a")).type == VALUE_NONE;
        assert_int_equal(draw_from(drawer, column("t.b")).type, VALUE_INT);
    }
    assert_in_range(nulls, DRAWS / 8, DRAWS / 2);
    assert_simplest(column("t.a"), "None");
    assert_simplest(column("t.b"), "0");
}

static void numbers_keep_type_and_checks(void **state)
{
    (void)state;
    struct column_facts *small = add_column(facts("small", "int2"));
    small->not_null = true;
    struct column_facts *between = add_column(facts("between", "int4"));
    between->not_null = true;
    add_check(between, CHECK_ABOVE, "2");
    add_check(between, CHECK_AT_MOST, "7.5");
    add_check(between, CHECK_NOT_IN, "5");
    struct column_facts *exact = add_column(facts("exact", "numeric"));
    exact->not_null = true;
    exact->precision = 4;
    exact->scale = 2;
    add_check(exact, CHECK_ABOVE, "-1.5");
    struct drawer *drawer = test_drawer(2);
    bool seen[8] = {false};
    for (int i = 0; i < DRAWS; i++) {
        int64_t drawn = draw_from(drawer, column("t.small")).as.integer;
        assert_true(drawn >= INT16_MIN && drawn <= INT16_MAX);
        drawn = draw_from(drawer, column("t.between")).as.integer;
        assert_in_range(drawn, 3, 7);
        seen[drawn] = true;
        double number = strtod(repr(draw_from(drawer, column("t.exact"))), NULL);
        assert_true(number > -1.5 && number <= 99.99);
    }
    assert_true(seen[3] && seen[4] && !seen[5] && seen[6] && seen[7]);
    assert_simplest(column("t.between"), "3");
    assert_simplest(column("t.exact"), "0.00");
}

static void texts_keep_length_pattern_and_constants(void **state)
{
    (void)state;
    struct column_facts *sized = add_column(facts("sized", "varchar"));
    sized->not_null = true;
    sized->length = 4;
    add_check(sized, CHECK_LENGTH_AT_LEAST, "2");
    struct column_facts *code = add_column(facts("code", "varchar"));
    code->not_null = true;
    code->length = 5;
    add_check(code, CHECK_MATCHES, "^[A-Z]+-[0-9]$");
    struct column_facts *one = add_column(facts("one", "text"));
    one->not_null = true;
    add_check(one, CHECK_IN, "x");
    *VEC_PUSH(&test_arena, &one->checks.items[0].values) = "y";
    struct column_facts *label = add_column(facts("label", "mood"));
    label->not_null = true;
    *VEC_PUSH(&test_arena, &label->labels) = "sad";
    *VEC_PUSH(&test_arena, &label->labels) = "ok";
    struct drawer *drawer = test_drawer(3);
    for (int i = 0; i < DRAWS; i++) {
        assert_in_range(draw_from(drawer, column("t.sized")).as.string->length, 2, 4);
        const struct string *drawn = draw_from(drawer, column("t.code")).as.string;
        assert_in_range(drawn->length, 3, 5);
        assert_true(drawn->data[drawn->size - 2] == '-');
    }
    assert_simplest(column("t.sized"), "\"00\"");
    assert_simplest(column("t.code"), "\"A-0\"");
    assert_simplest(column("t.one"), "\"x\"");
    assert_simplest(column("t.label"), "\"sad\"");
}

static void floats_keep_strict_bounds_from_the_simplest_on(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        table.columns.count = 0;
        struct column_facts *added = add_column(facts("x", i == 0 ? "float8" : "float4"));
        added->not_null = true;
        add_check(added, CHECK_ABOVE, "0");
        add_check(added, CHECK_BELOW, "0.5");
        assert_simplest(column("t.x"),
                        i == 0 ? "float(\"5e-324\")" : "float(\"1.401298464324817e-45\")");
        struct drawer *drawer = test_drawer(11);
        for (int j = 0; j < DRAWS; j++) {
            double drawn = draw_from(drawer, column("t.x")).as.real;
            assert_true(drawn > 0 && drawn < 0.5);
        }
    }
}

static void times_keep_strict_bounds_from_the_simplest_on(void **state)
{
    (void)state;
    static const struct {
        const char *type, *bound;
        enum check_kind kind;
        int64_t fraction;
        const char *simplest;
    } cases[] = {
        {"date", "2000-01-01", CHECK_BELOW, -1, "\"1999-12-31\""},
        {"date", "2020-02-28", CHECK_ABOVE, -1, "\"2020-02-29\""},
        {"time", "10:00:00", CHECK_ABOVE, 0, "\"10:00:01\""},
        {"timestamptz", "1999-12-31 22:00:00+00", CHECK_BELOW, 3, "\"1999-12-31 00:00:00\""},
        {"interval", "00:00:00", CHECK_ABOVE, 6, "\"1 day\""},
        {"interval", "1 mon", CHECK_ABOVE, 0, "\"31 days\""},
        {"interval", "178000000 years", CHECK_BELOW, 0, "\"00:00:00\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        table.columns.count = 0;
        struct column_facts *added = add_column(facts("x", cases[i].type));
        added->not_null = true;
        added->fraction = cases[i].fraction;
        add_check(added, cases[i].kind, cases[i].bound);
        assert_simplest(column("t.x"), cases[i].simplest);
    }
}

static void nothing_is_beyond_the_last_time(void **state)
{
    (void)state;
    static const struct {
        const char *type;
        const char *bound;
        enum check_kind kind;
    } cases[] = {
        {"time", "23:59:59.999999", CHECK_ABOVE},
        {"time", "00:00:00", CHECK_BELOW},
        {"date", "0001-01-01", CHECK_BELOW},
        {"timestamp", "9999-12-31 23:59:59.999999", CHECK_ABOVE},
        {"interval", "2562047788:00:54.775807", CHECK_ABOVE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct value out;
        struct drawer *drawer = test_drawer(1);
        table.columns.count = 0;
        struct column_facts *added = add_column(facts("a", cases[i].type));
        added->not_null = true;
        add_check(added, cases[i].kind, cases[i].bound);
        drawer->catalog = &catalog;
        assert_int_equal(draw_result(drawer, column("t.a"), &out), DRAW_EMPTY);
    }
}

static void add_key(size_t first, size_t count)
{
    struct key_facts *key = VEC_PUSH(&test_arena, &table.keys);
    *key = (struct key_facts){0};
    for (size_t i = 0; i < count; i++) {
        *VEC_PUSH(&test_arena, &key->columns) = first + i;
    }
}

static void foreign_keys_come_from_rows_that_exist(void **state)
{
    (void)state;
    add_column(facts("id", "int4"))->left_out = true;
    add_column(facts("a", "int4"))->not_null = true;
    add_column(facts("b", "text"))->not_null = true;
    add_column(facts("c", "int4"))->not_null = true;
    add_key(1, 2);
    struct value row = strategy("row", "", text("t"), NULL);
    struct drawer *drawer = test_drawer(4);
    unsigned of_key[3] = {0};
    for (int i = 0; i < DRAWS; i++) {
        const char *drawn = repr(draw_from(drawer, row));
        assert_null(strstr(drawn, "\"id\""));
        of_key[0] += strstr(drawn, "{\"a\": 10, \"b\": \"a\", \"c\": ") == drawn;
        of_key[1] += strstr(drawn, "{\"a\": 20, \"b\": \"b\", \"c\": ") == drawn;
        of_key[2] += strstr(drawn, "{\"a\": 30, \"b\": \"c\", \"c\": ") == drawn;
    }
    assert_int_equal(of_key[0] + of_key[1] + of_key[2], DRAWS);
    assert_true(of_key[0] > 50 && of_key[1] > 50 && of_key[2] > 50);
    assert_simplest(row, "{\"a\": 10, \"b\": \"a\", \"c\": 0}");
    /* without a row it can't be drawn, unless it may be NULL */
    struct value out;
    existing = 0;
    assert_int_equal(draw_result(drawer, row, &out), DRAW_EMPTY);
    table.columns.items[1].not_null = table.columns.items[2].not_null = false;
    assert_simplest(row, "{\"a\": None, \"b\": None, \"c\": 0}");
}

static void a_row_may_leave_columns_to_others(void **state)
{
    (void)state;
    add_column(facts("id", "int4"))->not_null = true;
    add_column(facts("a", "int4"))->not_null = true;
    add_column(facts("b", "text"))->not_null = true;
    add_key(1, 2);
    existing = 0; /* so that the foreign key can't be drawn */
    struct value without = value_list(&test_arena);
    list_append(without.as.list, text("a"));
    struct value row = strategy("row", "without", without, "table", text("t"), NULL);
    struct drawer *drawer = test_drawer(4);
    assert_simplest(row, "{\"id\": 0, \"b\": \"\"}");
    struct value drawn = draw_from(drawer, row);
    struct drawer *inverting = replay_drawer(NULL);
    struct inverted inverted;
    struct value out;
    struct error err = {0};
    inverting->catalog = &catalog;
    drawer_begin(inverting);
    assert_int_equal(strategy_invert(inverting, row, 1, drawn, &inverted, &err), DRAW_OK);
    assert_string_equal(repr(draw_from(replay_drawer(inverting->record), row)), repr(drawn));
    list_append(without.as.list, text("nothing"));
    drawer_begin(drawer);
    assert_int_equal(strategy_draw(drawer, row, 1, &out, &err), DRAW_ERROR);
    assert_string_equal(err.message, "table t has no column 'nothing'");
    const struct error *mistake =
        strategy_error("row", "table", text("t"), "without", value_int(1), NULL);
    assert_non_null(strstr(mistake->message, "a list of strings, names of columns"));
}

/* Of keys (a, b) and (b, c): (1, 1) leaves the second none. */
static bool overlapping(void *host, const struct key_facts *key, struct arena *arena,
                        struct value *out, struct error *err)
{
    (void)host, (void)err;
    static const int64_t first[][2] = {{1, 1}, {1, 2}, {7, 3}};
    static const int64_t second[][2] = {{2, 30}, {2, 40}, {3, 50}, {9, 90}};
    const int64_t(*of)[2] = key->columns.items[0] == 0 ? first : second;
    size_t count = key->columns.items[0] == 0 ? 3 : 4;
    *out = value_list(arena);
    for (size_t i = 0; i < count; i++) {
        struct value items[] = {value_int(of[i][0]), value_int(of[i][1])};
        list_append(out->as.list, value_tuple(arena, items, 2));
    }
    return true;
}

static void keys_that_share_columns_agree(void **state)
{
    (void)state;
    static const struct draw_catalog shared = {NULL, find, overlapping};
    for (const char *const *name = (const char *const[]){"a", "b", "c", NULL}; *name; name++) {
        add_column(facts(*name, "int4"))->not_null = true;
    }
    add_key(0, 2);
    add_key(1, 2);
    struct value row = strategy("row", "", text("t"), NULL);
    struct drawer *drawer = test_drawer(8);
    drawer->catalog = &shared;
    unsigned seen[3] = {0};
    for (int i = 0; i < DRAWS; i++) {
        const char *drawn = repr(draw_ok(drawer, row));
        seen[0] += strcmp(drawn, "{\"a\": 1, \"b\": 2, \"c\": 30}") == 0;
        seen[1] += strcmp(drawn, "{\"a\": 1, \"b\": 2, \"c\": 40}") == 0;
        seen[2] += strcmp(drawn, "{\"a\": 7, \"b\": 3, \"c\": 50}") == 0;
    }
    assert_int_equal(seen[0] + seen[1] + seen[2], DRAWS);
    assert_true(seen[0] && seen[1] && seen[2]);
    /* one column is enough to leave a key open, but of MATCH FULL all are */
    table.columns.items[2].not_null = false;
    drawer = replay_drawer(NULL);
    drawer->catalog = &shared;
    assert_repr(draw_ok(drawer, row), "{\"a\": 1, \"b\": 1, \"c\": None}");
    table.keys.items[1].full = true;
    assert_repr(draw_ok(drawer, row), "{\"a\": 1, \"b\": 2, \"c\": 30}");
}

static void types_made_of_others_have_values_of_their_parts(void **state)
{
    (void)state;
    struct column_facts *range = add_column(facts("range", "int4range"));
    range->not_null = true;
    add_check(add_part(range, SHAPE_RANGE, facts("", "int4")), CHECK_AT_LEAST, "0");
    struct column_facts *times = add_column(facts("times", "tsrange"));
    times->not_null = true;
    add_part(times, SHAPE_RANGE, facts("", "timestamp"))->fraction = 0;
    struct column_facts *list = add_column(facts("list", "_percent"));
    list->not_null = true;
    add_check(add_part(list, SHAPE_ARRAY, facts("", "int4")), CHECK_IN, "7");
    add_check(list, CHECK_LENGTH_AT_LEAST, "2");
    add_check(list, CHECK_LENGTH_AT_MOST, "3");
    assert_simplest(column("t.range"), "\"empty\"");
    assert_simplest(column("t.list"), "[7, 7]");
    struct drawer *drawer = test_drawer(9);
    for (int i = 0; i < DRAWS; i++) {
        const char *drawn = value_cstr(draw_from(drawer, column("t.range")));
        int low = -1;
        int high = 0;
        assert_true(sscanf(drawn, "[%d,%d)", &low, &high) < 2 || (low >= 0 && low < high));
        drawn = value_cstr(draw_from(drawer, column("t.times")));
        assert_null(strchr(drawn, '.'));
        drawn = repr(draw_from(drawer, column("t.list")));
        assert_true(strcmp(drawn, "[7, 7]") == 0 || strcmp(drawn, "[7, 7, 7]") == 0);
    }
}

static void what_cannot_be_drawn_is_left_to_the_table(void **state)
{
    (void)state;
    add_column(facts("a", "int4"))->not_null = true;
    add_column(facts("nullable", "geometry"));
    struct column_facts *other = add_column(facts("other", "geometry"));
    other->not_null = other->has_default = true;
    struct value row = strategy("row", "", text("t"), NULL);
    assert_simplest(row, "{\"a\": 0, \"nullable\": None}");
}

static void a_row_goes_into_one_of_the_partitions(void **state)
{
    (void)state;
    add_column(facts("year", "int4"))->not_null = true;
    for (int i = 0; i < 2; i++) {
        struct column_facts *partition =
            arena_memdup(&test_arena, table.columns.items, sizeof *partition);
        add_check(partition, CHECK_IN, i == 0 ? "2020" : "2022");
        *VEC_PUSH(&test_arena, &table.partitions) = partition;
    }
    struct value row = strategy("row", "", text("t"), NULL);
    struct drawer *drawer = test_drawer(10);
    unsigned seen[2] = {0};
    for (int i = 0; i < DRAWS; i++) {
        const char *drawn = repr(draw_from(drawer, row));
        seen[0] += strcmp(drawn, "{\"year\": 2020}") == 0;
        seen[1] += strcmp(drawn, "{\"year\": 2022}") == 0;
    }
    assert_int_equal(seen[0] + seen[1], DRAWS);
    assert_true(seen[0] && seen[1]);
    struct value wanted = draw_from(replay_drawer(NULL), row);
    struct inverted inverted;
    struct error err;
    struct drawer *inverting = replay_drawer(NULL);
    inverting->catalog = &catalog;
    drawer_begin(inverting);
    assert_true(table_set(wanted.as.table, text("year"), value_int(2022), &err));
    assert_int_equal(strategy_invert(inverting, row, 1, wanted, &inverted, &err), DRAW_OK);
    assert_repr(draw_from(replay_drawer(inverting->record), row), "{\"year\": 2022}");
}

static void what_is_drawn_can_be_inverted(void **state)
{
    (void)state;
    struct column_facts *a = add_column(facts("a", "numeric"));
    add_check(a, CHECK_AT_LEAST, "0");
    add_column(facts("b", "timestamptz"))->not_null = true;
    add_column(facts("c", "int8"));
    add_part(add_column(facts("d", "_text")), SHAPE_ARRAY, facts("", "text"));
    struct column_facts *e = add_column(facts("e", "address"));
    add_part(e, SHAPE_COMPOSITE, facts("street", "text"));
    add_part(e, SHAPE_COMPOSITE, facts("number", "int4"));
    add_column(facts("f", "timestamp"))->fraction = 3;
    add_key(2, 1);
    struct value row = strategy("row", "", text("t"), NULL);
    struct drawer *drawer = test_drawer(5);
    for (int i = 0; i < DRAWS; i++) {
        struct value drawn = draw_from(drawer, row);
        struct inverted inverted;
        struct error err;
        struct drawer *inverting = replay_drawer(NULL);
        inverting->catalog = &catalog;
        drawer_begin(inverting);
        assert_int_equal(strategy_invert(inverting, row, 1, drawn, &inverted, &err), DRAW_OK);
        assert_string_equal(repr(draw_from(replay_drawer(inverting->record), row)), repr(drawn));
    }
}

static void mistakes_are_named(void **state)
{
    (void)state;
    add_column(facts("email", "text"));
    add_column(facts("shape", "geometry"))->not_null = true;
    static const struct {
        const char *name, *message;
    } cases[] = {
        {"t.emial", "column(): table t has no column 'emial'"},
        {"u.email", "column(): there is no table 'u'"},
        {"t.shape", "there is no strategy for the type geometry of column shape"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drawer *drawer = test_drawer(6);
        struct value out;
        struct error err = {0};
        drawer->catalog = &catalog;
        drawer_begin(drawer);
        assert_int_equal(strategy_draw(drawer, column(cases[i].name), 1, &out, &err), DRAW_ERROR);
        assert_string_equal(err.message, cases[i].message);
        drawer->catalog = NULL;
        assert_int_equal(strategy_draw(drawer, column(cases[i].name), 1, &out, &err), DRAW_ERROR);
        assert_string_equal(err.message, "column() needs a database");
    }
    assert_string_equal(strategy_error("column", "", text("email"), NULL)->message,
                        "column() name must be a string such as \"users.email\", not string");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(null_is_drawn_where_it_may_be, begin, clear),
        cmocka_unit_test_setup_teardown(numbers_keep_type_and_checks, begin, clear),
        cmocka_unit_test_setup_teardown(texts_keep_length_pattern_and_constants, begin, clear),
        cmocka_unit_test_setup_teardown(foreign_keys_come_from_rows_that_exist, begin, clear),
        cmocka_unit_test_setup_teardown(a_row_may_leave_columns_to_others, begin, clear),
        cmocka_unit_test_setup_teardown(floats_keep_strict_bounds_from_the_simplest_on, begin,
                                        clear),
        cmocka_unit_test_setup_teardown(nothing_is_beyond_the_last_time, begin, clear),
        cmocka_unit_test_setup_teardown(times_keep_strict_bounds_from_the_simplest_on, begin,
                                        clear),
        cmocka_unit_test_setup_teardown(keys_that_share_columns_agree, begin, clear),
        cmocka_unit_test_setup_teardown(types_made_of_others_have_values_of_their_parts, begin,
                                        clear),
        cmocka_unit_test_setup_teardown(what_cannot_be_drawn_is_left_to_the_table, begin, clear),
        cmocka_unit_test_setup_teardown(a_row_goes_into_one_of_the_partitions, begin, clear),
        cmocka_unit_test_setup_teardown(what_is_drawn_can_be_inverted, begin, clear),
        cmocka_unit_test_setup_teardown(mistakes_are_named, begin, clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
