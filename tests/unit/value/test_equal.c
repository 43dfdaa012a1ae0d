/* Equality, hashes and order: known answers, and that the three agree with one another. */
#include "check.h"

#include "value/json/json.h"

#include <float.h>
#include <math.h>

static uint64_t hash_of(struct value value)
{
    uint64_t hash = 0;
    struct error err;
    if (!value_hash(value, &hash, &err)) {
        fail_msg("%s: %s", repr(value), err.message);
    }
    return hash;
}

static int order(struct value a, struct value b)
{
    int out = 99;
    struct error err;
    if (!value_compare(a, b, &out, &err)) {
        fail_msg("%s and %s: %s", repr(a), repr(b), err.message);
    }
    return (out > 0) - (out < 0);
}

/* In ascending order; numbers in one row are equal. The floats are exact where a decimal is named.
 */
static void numbers_across_types(void **state)
{
    (void)state;
    const struct value rows[][4] = {
        {number("-Infinity"), value_float(-(double)INFINITY)},
        {number("-1e400"), number("-1e400")},
        {value_float(-DBL_MAX), value_float(-DBL_MAX)},
        {integer("-18446744073709551616"), number("-18446744073709551616.0"), value_float(-0x1p64)},
        {INT(INT64_MIN), number("-9223372036854775808"), value_float(-0x1p63)},
        {INT(INT64_MIN + 1), number("-9223372036854775807.00")},
        {INT(-1), number("-1.0"), value_float(-1), number("-1")},
        {number("-0.5"), value_float(-0.5), number("-0.50")},
        {number("-1e-400"), number("-1e-400")},
        {INT(0), number("0.000"), value_float(0.0), value_float(-0.0)},
        {value_float(5e-324), value_float(5e-324)},
        {number("0.1"), number("0.10")},
        {value_float(0.1), number("0.1000000000000000055511151231257827021181583404541015625")},
        {number("0.11"), number("0.110")},
        {INT(1), number("1"), value_float(1), number("1.000000000000000000000000000000")},
        {number("1.00000000000000000001"), number("1.00000000000000000001")},
        {INT(9007199254740992), value_float(0x1p53)},
        {INT(9007199254740993), number("9007199254740993.0")},
        {value_float(0x1p53 + 2), INT(9007199254740994)},
        {INT(INT64_MAX), number("9223372036854775807")},
        {value_float(0x1p63), integer("9223372036854775808"), number("9223372036854775808.0")},
        {integer("100000000000000000000000"), number("1e23")},
        {integer("100000000000000008388608"), value_float(1.0000000000000001e23)},
        {number("1e400"), number("1e400")},
        {number("Infinity"), value_float((double)INFINITY)},
        {number("NaN"), value_float((double)NAN)},
    };
    size_t count = sizeof rows / sizeof *rows;
    for (size_t i = 0; i < count * 4; i++) {
        for (size_t k = 0; k < count * 4; k++) {
            struct value a = rows[i / 4][i % 4];
            struct value b = rows[k / 4][k % 4];
            if (a.type == VALUE_NONE || b.type == VALUE_NONE) {
                continue;
            }
            int expected = (i / 4 > k / 4) - (i / 4 < k / 4);
            if (order(a, b) != expected) {
                fail_msg("%s and %s: %d, not %d", repr(a), repr(b), order(a, b), expected);
            }
            assert_int_equal(value_equal(a, b), expected == 0);
            assert_true(expected != 0 || hash_of(a) == hash_of(b));
        }
    }
}

/* Values that all differ. */
static void different_types_differ(void **state)
{
    (void)state;
    struct value empty = value_list(&memory);
    const struct value all[] = {
        value_none(),
        value_json_null(),
        value_bool(false),
        value_bool(true),
        INT(0),
        INT(1),
        text(""),
        text("0"),
        value_bytes(&memory, "", 0),
        value_bytes(&memory, "0", 1),
        empty,
        value_tuple(&memory, NULL, 0),
        value_dict(&memory),
        value_set(&memory),
        value_bag(empty.as.list),
        (struct value){.type = VALUE_MULTIPLE, .as.list = empty.as.list},
        TUPLE(value_none()),
        LIST(value_none()),
        value_range(&memory, 0, 0, 1),
    };
    size_t count = sizeof all / sizeof *all;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < count; k++) {
            assert_int_equal(value_equal(all[i], all[k]), i == k);
        }
    }
}

static struct value dict_of(const char *json)
{
    struct value value;
    struct error err;
    if (!json_decode(&memory, json, strlen(json), &value, &err)) {
        fail_msg("%s: %s", json, err.message);
    }
    return value;
}

static void containers(void **state)
{
    (void)state;
    assert_true(value_equal(LIST(INT(1), text("a")), LIST(number("1.0"), text("a"))));
    assert_false(value_equal(LIST(INT(1), INT(2)), LIST(INT(2), INT(1))));
    assert_false(value_equal(LIST(INT(1)), LIST(INT(1), INT(1))));
    assert_true(value_equal(SET(INT(1), INT(2)), SET(INT(2), INT(1))));
    assert_false(value_equal(SET(INT(1), INT(2)), SET(INT(2), INT(3))));
    assert_false(value_equal(SET(INT(1)), SET(INT(1), INT(2))));
    assert_true(
        value_equal(dict_of("{\"a\": 1, \"b\": [2]}"), dict_of("{\"b\": [2.0], \"a\": 1}")));
    assert_false(value_equal(dict_of("{\"a\": 1}"), dict_of("{\"a\": 2}")));
    assert_false(value_equal(dict_of("{\"a\": 1}"), dict_of("{\"b\": 1}")));
    assert_false(value_equal(dict_of("{\"a\": null}"), dict_of("{\"b\": null}")));
    static const char *const names[] = {"id"};
    const struct value one = INT(1);
    assert_true(value_equal(value_row(&memory, &one, names, 1), TUPLE(INT(1))));
    assert_int_equal(hash_of(value_row(&memory, &one, names, 1)), hash_of(TUPLE(number("1.0"))));
    assert_true(value_equal(text("a\xC3\xA9"), text("a\xC3\xA9")));
    assert_false(value_equal(text("a"), text("ab")));
    assert_false(value_equal(value_bytes(&memory, "a", 1), value_bytes(&memory, "b", 1)));
    struct error_value missing = {.condition = text("no_data_found"), .table = text("t")};
    struct error_value again = missing;
    struct value error = value_error(&memory, &missing);
    assert_true(value_equal(error, value_error(&memory, &again)));
    assert_int_equal(hash_of(error), hash_of(value_error(&memory, &again)));
    again.table = text("u");
    assert_false(value_equal(error, value_error(&memory, &again)));
}

static struct value bag_of(const struct value *items, size_t count)
{
    return value_bag(list_of(items, count).as.list);
}

#define BAG(...) bag_of(ITEMS(__VA_ARGS__))

static void bags(void **state)
{
    (void)state;
    struct value a = LIST(INT(1));
    struct value b = LIST(INT(2));
    assert_true(value_equal(BAG(a, b, a), BAG(a, a, b)));
    assert_false(value_equal(BAG(a, b, b), BAG(a, a, b)));
    assert_false(value_equal(BAG(a), BAG(a, a)));
    assert_true(
        value_equal(BAG(INT(1), number("1.0"), text("x")), BAG(text("x"), value_float(1), INT(1))));
    assert_true(value_equal(BAG(dict_of("{\"a\": [1], \"b\": 2}"), value_none()),
                            BAG(value_none(), dict_of("{\"b\": 2, \"a\": [1]}"))));
    assert_true(
        value_equal(BAG(BAG(a, b), SET(INT(1), INT(2))), BAG(SET(INT(2), INT(1)), BAG(b, a))));
    assert_false(value_equal(BAG(BAG(a, b)), BAG(BAG(a, a))));
    /* ranges have no hash, so that only equality tells them apart */
    struct value one = value_range(&memory, 0, 1, 1);
    struct value two = value_range(&memory, 0, 2, 1);
    assert_true(value_equal(BAG(one, two, two, one), BAG(two, one, one, two)));
    assert_false(value_equal(BAG(one, two, two), BAG(two, one, one)));
    assert_false(value_equal(BAG(one, one), BAG(one, two)));
    /* big ones of few and of many different items, shuffled */
    struct value many = value_list(&memory);
    struct value shuffled = value_list(&memory);
    for (int64_t i = 0; i < 20000; i++) {
        list_append(many.as.list, LIST(INT(i)));
        list_append(shuffled.as.list, LIST(INT(i * 7919 % 20000)));
    }
    assert_true(value_equal(value_bag(many.as.list), value_bag(shuffled.as.list)));
    shuffled.as.list->items[0] = LIST(INT(-1));
    assert_false(value_equal(value_bag(many.as.list), value_bag(shuffled.as.list)));
}

static void hashes(void **state)
{
    (void)state;
    assert_true(hash_of(text("ab")) != hash_of(text("ba")));
    assert_true(hash_of(text("abcdefgh")) != hash_of(text("abcdefghi")));
    assert_true(hash_of(TUPLE(INT(1), INT(2))) != hash_of(TUPLE(INT(2), INT(1))));
    assert_true(hash_of(TUPLE(INT(1))) != hash_of(INT(1)));
    assert_true(hash_of(INT(1)) != hash_of(INT(-1)));
    assert_true(hash_of(value_none()) != hash_of(value_json_null()));
    assert_true(hash_of(value_bytes(&memory, "a", 1)) != hash_of(value_bytes(&memory, "b", 1)));
    assert_true(hash_of(value_bytes(&memory, "a", 1)) != hash_of(text("a")));
    /* the same in every run and at every address: the value decides */
    uint64_t first = hash_of(TUPLE(text("key"), INT(7), value_none()));
    arena_reset(&memory);
    (void)arena_alloc(&memory, 48);
    assert_int_equal(first, hash_of(TUPLE(text("key"), INT(7), value_none())));
    struct error err = {0};
    uint64_t hash;
    struct value list = value_list(&memory);
    const struct value unhashable[] = {
        list,
        value_dict(&memory),
        value_set(&memory),
        value_bag(list.as.list),
        (struct value){.type = VALUE_MULTIPLE, .as.list = list.as.list},
        TUPLE(INT(1), TUPLE(list)),
        value_range(&memory, 0, 3, 1)};
    for (size_t i = 0; i < sizeof unhashable / sizeof *unhashable; i++) {
        assert_false(value_hash(unhashable[i], &hash, &err));
        assert_int_equal(err.code, ERROR_MACHINE);
    }
}

/* Few collisions among typical keys of models. */
static void hashes_spread(void **state)
{
    (void)state;
    enum { COUNT = 20000, BUCKETS = 32768 };
    unsigned char *taken = arena_zalloc(&memory, BUCKETS);
    size_t used = 0;
    for (int64_t i = 0; i < COUNT; i++) {
        struct value key = i % 2 ? INT(i * 1024) : text(arena_printf(&memory, "user_%d", (int)i));
        unsigned char *bucket = &taken[hash_of(key) % BUCKETS];
        used += !*bucket;
        *bucket = 1;
    }
    /* a random function leaves BUCKETS * (1 - e^(-COUNT / BUCKETS)) = 14968 in use */
    assert_true(used > 14500);
}

static void orders(void **state)
{
    (void)state;
    assert_int_equal(order(text("a"), text("b")), -1);
    assert_int_equal(order(text("a"), text("aa")), -1);
    assert_int_equal(order(text("\xC3\xA9"), text("z")), 1);
    assert_int_equal(order(text("\xEF\xBF\xBD"), text("\xF0\x9F\x98\x80")),
                     -1); /* UTF-16 says no */
    assert_int_equal(order(text(""), text("")), 0);
    assert_int_equal(order(value_bool(false), value_bool(true)), -1);
    assert_int_equal(order(value_bytes(&memory, "\x7F", 1), value_bytes(&memory, "\x80", 1)), -1);
    assert_int_equal(order(LIST(INT(1), INT(2)), LIST(INT(1), INT(3))), -1);
    assert_int_equal(order(LIST(INT(1)), LIST(INT(1), INT(0))), -1);
    assert_int_equal(order(TUPLE(value_none(), INT(2)), TUPLE(value_none(), INT(1))), 1);
    assert_int_equal(order(TUPLE(INT(1), text("a")), TUPLE(number("1.0"), text("a"))), 0);
}

static void no_orders(void **state)
{
    (void)state;
    const struct value pairs[][2] = {
        {value_none(), value_none()},
        {value_none(), INT(1)},
        {INT(1), text("1")},
        {value_bool(true), INT(1)},
        {LIST(INT(1)), TUPLE(INT(1))},
        {value_dict(&memory), value_dict(&memory)},
        {value_set(&memory), value_set(&memory)},
        {TUPLE(INT(1), value_none()), TUPLE(INT(1), INT(2))},
        {value_json_null(), value_json_null()},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        int out;
        struct error err = {0};
        assert_false(value_compare(pairs[i][0], pairs[i][1], &out, &err));
        assert_int_equal(err.code, ERROR_MACHINE);
    }
    struct error err;
    assert_false(value_compare(INT(1), text("1"), &(int){0}, &err));
    assert_string_equal(err.message, "cannot order int and string");
}

static void sameness(void **state)
{
    (void)state;
    struct value list = LIST(INT(1));
    struct value tuple = TUPLE(INT(1));
    assert_true(value_same(list, list));
    assert_false(value_same(list, LIST(INT(1))));
    assert_true(value_same(tuple, tuple));
    assert_true(value_same(text("a"), text("a")));
    struct value set = value_set(&memory);
    struct value range = value_range(&memory, 0, 1, 1);
    assert_true(value_same(set, set));
    assert_false(value_same(set, value_set(&memory)));
    assert_true(value_same(range, range));
    assert_false(value_same(range, value_range(&memory, 0, 1, 1)));
    assert_string_equal(value_cstr(text("a")), "a");
    assert_true(value_is_string(text("a"), "a"));
    assert_false(value_is_string(text("a"), "ab"));
    assert_false(value_is_string(INT(1), "1"));
    assert_false(value_same(INT(1), number("1")));
    assert_true(value_same(value_none(), value_none()));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(numbers_across_types),
        TEST(different_types_differ),
        TEST(containers),
        TEST(bags),
        TEST(hashes),
        TEST(hashes_spread),
        TEST(orders),
        TEST(no_orders),
        TEST(sameness),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
