/* Dicts and sets against known answers and against a plain list of pairs. */
#include "check.h"

static void order_of_insertion(void **state)
{
    (void)state;
    struct value dict = value_dict(&memory);
    struct table *table = dict.as.table;
    struct table_entry *entry;
    assert_true(table_set(table, text("b"), INT(1), NULL));
    assert_true(table_set(table, text("a"), INT(2), NULL));
    assert_true(table_set(table, text("b"), INT(3), NULL));
    assert_repr(dict, "{\"b\": 3, \"a\": 2}");
    assert_true(table_find(table, text("b"), &entry, NULL));
    table_remove(table, entry);
    assert_true(table_set(table, text("b"), INT(4), NULL));
    assert_repr(dict, "{\"a\": 2, \"b\": 4}");
    assert_int_equal(table->count, 2);
    for (int64_t i = 0; i < 100; i++) {
        assert_true(table_set(table, INT(i), INT(i), NULL));
    }
    table_clear(table);
    assert_repr(dict, "{}");
    assert_true(table_find(table, text("b"), &entry, NULL));
    assert_null(entry);
}

static void equal_keys_of_different_types(void **state)
{
    (void)state;
    struct value set = SET(INT(1), number("1.00"), value_float(1.0), value_bool(true), text("1"));
    assert_repr(set, "set([1, True, \"1\"])");
    set = SET(value_none(), value_json_null(), TUPLE(INT(1)), INT(1));
    assert_repr(set, "set([None, json_null, (1,), 1])");
}

static void keys_must_be_hashable(void **state)
{
    (void)state;
    struct error err = {0};
    struct table_entry *entry;
    struct value dict = value_dict(&memory);
    assert_false(table_set(dict.as.table, TUPLE(INT(1), LIST(INT(2))), INT(1), &err));
    assert_int_equal(err.code, ERROR_MACHINE);
    assert_non_null(strstr(err.message, "list"));
    assert_non_null(strstr(err.hint, "tuple"));
    assert_false(table_find(dict.as.table, dict, &entry, &err));
    assert_int_equal(dict.as.table->count, 0);
}

/* A random walk of sets and removals, in a table and in arrays with linear search. */
enum { KEYS = 200, STEPS = 20000 };

struct plain {
    int64_t keys[KEYS];
    int64_t values[KEYS];
    size_t count;
};

static size_t plain_find(const struct plain *plain, int64_t key)
{
    size_t at = 0;
    while (at < plain->count && plain->keys[at] != key) {
        at++;
    }
    return at;
}

static void plain_set(struct plain *plain, int64_t key, int64_t value)
{
    size_t at = plain_find(plain, key);
    plain->keys[at] = key;
    plain->values[at] = value;
    plain->count += at == plain->count;
}

static void plain_remove(struct plain *plain, size_t at)
{
    plain->count--;
    memmove(plain->keys + at, plain->keys + at + 1, (plain->count - at) * sizeof *plain->keys);
    memmove(plain->values + at, plain->values + at + 1,
            (plain->count - at) * sizeof *plain->values);
}

static void assert_same(const struct plain *plain, struct value dict)
{
    const struct table *table = dict.as.table;
    size_t at = 0;
    assert_int_equal(table->count, plain->count);
    const struct table_entry *entry;
    for (size_t i = 0; (entry = table_next(table, &i)); at++) {
        size_t place = table_place(table, entry);
        assert_true(at < plain->count);
        assert_int_equal(entry->key.as.integer, plain->keys[at]);
        assert_int_equal(entry->value.as.integer, plain->values[at]);
        assert_int_equal(i, place + 1);
        assert_ptr_equal(table_at(table, place), entry);
        assert_int_equal(table_position(table, place), at);
        assert_int_equal(table_select(table, at), place);
    }
    assert_int_equal(at, plain->count);
    struct table_entry *first = table_first(table);
    assert_int_equal(first != NULL, plain->count > 0);
    if (first) {
        assert_int_equal(first->key.as.integer, plain->keys[0]);
    }
}

/* A dict of the keys below `under`, which lies over another one. */
static struct value laid_over(int under, struct plain *plain)
{
    struct value below = value_dict(&memory);
    struct value dict = value_dict(&memory);
    for (int64_t key = 0; key < under; key++) {
        assert_true(table_set(below.as.table, INT(key), INT(-key), NULL));
        plain_set(plain, key, -key);
    }
    table_lay_over(dict.as.table, below.as.table);
    return dict;
}

static void random_walk(unsigned short seed, int keys, int under)
{
    unsigned short random[3] = {seed, 2, 3};
    struct plain plain = {.count = 0};
    struct value dict = laid_over(under, &plain);
    bool written[KEYS] = {false};
    for (int step = 0; step < STEPS; step++) {
        int64_t key = nrand48(random) % keys;
        struct table_entry *entry;
        assert_true(table_find(dict.as.table, INT(key), &entry, NULL));
        size_t at = plain_find(&plain, key);
        assert_int_equal(entry != NULL, at < plain.count);
        if (entry && nrand48(random) % 2) {
            table_remove(dict.as.table, entry);
            plain_remove(&plain, at);
        } else {
            assert_true(table_set(dict.as.table, INT(key), INT(step), NULL));
            if (entry && key < under && !written[key]) {
                plain_remove(&plain, at);
            }
            plain_set(&plain, key, step);
        }
        written[key] = true;
        if (step % 97 == 0) {
            assert_same(&plain, dict);
        }
    }
    assert_same(&plain, dict);
    assert_same(&plain, value_copy(&memory, dict));
}

static void random_walks(void **state)
{
    (void)state;
    random_walk(1, 5, 0);
    random_walk(2, 12, 0);
    random_walk(3, KEYS, 0);
}

static void random_walks_over_another_table(void **state)
{
    (void)state;
    random_walk(4, 5, 3);
    random_walk(5, 70, 64);
    random_walk(6, KEYS, 1);
    random_walk(7, KEYS, KEYS);
}

static void what_lies_under_stays_as_it_is(void **state)
{
    (void)state;
    struct table_entry *entry;
    struct value below = value_dict(&memory);
    assert_true(table_set(below.as.table, INT(1), INT(10), NULL));
    assert_true(table_set(below.as.table, INT(2), INT(20), NULL));
    for (int i = 0; i < 2; i++) {
        struct value dict = value_dict(&memory);
        table_lay_over(dict.as.table, below.as.table);
        assert_repr(dict, "{1: 10, 2: 20}");
        assert_true(table_set(dict.as.table, INT(1), INT(11), NULL));
        assert_true(table_find(dict.as.table, INT(2), &entry, NULL));
        table_remove(dict.as.table, entry);
        assert_repr(dict, "{1: 11}");
        table_clear(dict.as.table);
        assert_repr(dict, "{}");
        assert_repr(below, "{1: 10, 2: 20}");
    }
}

/* Repeatedly removing the oldest entry must not become slow because of holes. */
static void queue(void **state)
{
    (void)state;
    struct value set = value_set(&memory);
    for (int64_t i = 0; i < 100000; i++) {
        assert_true(table_set(set.as.table, INT(i), value_none(), NULL));
    }
    for (int64_t i = 0; i < 100000; i++) {
        struct table_entry *first = table_first(set.as.table);
        assert_int_equal(first->key.as.integer, i);
        table_remove(set.as.table, first);
    }
    assert_null(table_first(set.as.table));
    assert_int_equal(set.as.table->count, 0);
}

/* One in, one out: the table must stay small. */
static void memory_stays_bounded(void **state)
{
    (void)state;
    struct value set = value_set(&memory);
    for (int64_t i = 0; i < 100000; i++) {
        assert_true(table_set(set.as.table, INT(i), value_none(), NULL));
        if (i >= 20) {
            table_remove(set.as.table, table_first(set.as.table));
        }
    }
    assert_true(arena_used(&memory) < 65536);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(order_of_insertion),
        TEST(equal_keys_of_different_types),
        TEST(keys_must_be_hashable),
        TEST(random_walks),
        TEST(random_walks_over_another_table),
        TEST(what_lies_under_stays_as_it_is),
        TEST(queue),
        TEST(memory_stays_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
