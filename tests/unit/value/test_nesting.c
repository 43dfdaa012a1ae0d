/* Values nested very deep, values that hold themselves, and values that share parts in a huge tree:
 * no crash and no hang, and impossible operations report an error. */
#include "check.h"

#include "value/json/json.h"

static struct value deep_list(size_t depth)
{
    struct value value = INT(1);
    for (size_t i = 0; i < depth; i++) {
        value = LIST(value);
    }
    return value;
}

static struct value deep_tuple(size_t depth)
{
    struct value value = INT(1);
    for (size_t i = 0; i < depth; i++) {
        value = TUPLE(value);
    }
    return value;
}

static struct value own_list(void)
{
    struct value list = LIST(INT(1));
    list_append(list.as.list, list);
    return list;
}

static struct value own_dict(void)
{
    struct value dict = value_dict(&memory);
    assert_true(table_set(dict.as.table, text("me"), LIST(dict), NULL));
    return dict;
}

/* 2^depth leaves. */
static struct value shared_tuple(size_t depth)
{
    struct value value = INT(1);
    for (size_t i = 0; i < depth; i++) {
        value = TUPLE(value, value);
    }
    return value;
}

static struct value shared_list(size_t depth)
{
    struct value value = INT(1);
    for (size_t i = 0; i < depth; i++) {
        value = LIST(value, value);
    }
    return value;
}

static void assert_limit(struct error *err, const char *part)
{
    assert_int_equal(err->code, ERROR_LIMIT);
    assert_non_null(strstr(err->message, part));
}

static void within_bounds(void **state)
{
    (void)state;
    uint64_t hash;
    bool same = false;
    struct error err;
    int order = 9;
    assert_true(value_equal_checked(deep_list(200), deep_list(200), &same, &err));
    assert_true(same);
    assert_true(value_equal(deep_tuple(200), deep_tuple(200)));
    assert_true(value_hash(deep_tuple(200), &hash, &err));
    assert_true(value_compare(deep_list(199), deep_list(199), &order, &err));
    assert_int_equal(order, 0);
    assert_int_equal(strlen(repr(deep_list(200))), 401);
}

static void too_deep(void **state)
{
    (void)state;
    uint64_t hash;
    bool same;
    int order;
    struct error err;
    assert_false(value_equal_checked(deep_list(100000), deep_list(100000), &same, &err));
    assert_limit(&err, "nested deeper than 200");
    assert_false(value_equal(deep_list(100000), deep_list(100000)));
    assert_false(value_hash(deep_tuple(100000), &hash, &err));
    assert_limit(&err, "nested deeper than 200");
    assert_false(value_compare(deep_list(100000), deep_list(100000), &order, &err));
    assert_limit(&err, "nested deeper than 200");
    assert_false(
        value_equal(value_bag(deep_list(100000).as.list), value_bag(deep_list(100000).as.list)));
    struct value low = deep_list(250); /* the first difference is below 200 */
    struct value high = deep_list(250);
    struct value inner = low;
    while (inner.as.list->items[0].type == VALUE_LIST) {
        inner = inner.as.list->items[0];
    }
    inner.as.list->items[0] = INT(0);
    assert_false(value_compare(low, high, &order, &err));
    assert_limit(&err, "nested deeper than 200");
    assert_int_equal(strlen(repr(deep_list(100000))), 403); /* 200 brackets and ... */
    assert_repr(LIST(deep_list(0), INT(2)), "[1, 2]");
    struct value list = LIST(deep_list(300), INT(2)); /* what stands beside is still written */
    assert_non_null(strstr(repr(list), "...]]]"));
    assert_non_null(strstr(repr(list), "], 2]"));
}

static void holding_itself(void **state)
{
    (void)state;
    bool same;
    struct error err;
    assert_repr(own_list(), "[1, [...]]");
    assert_repr(own_dict(), "{\"me\": [{...}]}");
    struct value list = own_list();
    assert_true(value_equal(list, list));
    assert_false(value_equal_checked(own_list(), own_list(), &same, &err));
    assert_limit(&err, "nested deeper");
    value_freeze(list);
    assert_false(value_check_mutable(list, NULL));
    value_freeze(own_dict());
    assert_repr(value_copy(&memory, list), "[1, [...]]");
    struct value copy = value_copy(&memory, own_dict());
    assert_ptr_equal(copy.as.table->entries[0].value.as.list->items[0].as.table, copy.as.table);
    /* twice in one list, but not in itself */
    struct value twice = LIST(INT(1));
    assert_repr(LIST(twice, twice), "[[1], [1]]");
}

static void shared_parts(void **state)
{
    (void)state;
    bool same;
    uint64_t hash;
    struct error err;
    struct value tuple = shared_tuple(100);
    assert_false(value_equal_checked(tuple, shared_tuple(100), &same, &err));
    assert_limit(&err, "parts");
    assert_false(value_hash(tuple, &hash, &err));
    assert_limit(&err, "parts");
    struct value bag = LIST(shared_list(100));
    struct value other = LIST(shared_list(100));
    assert_false(value_equal(value_bag(bag.as.list), value_bag(other.as.list)));
    size_t before = arena_used(&memory);
    struct value copy = value_copy(&memory, shared_list(100));
    value_freeze(copy);
    value_freeze(value_copy(&memory, tuple));
    assert_true(arena_used(&memory) - before < 100000);
    assert_true(value_equal(shared_list(10), value_copy(&memory, shared_list(10))));
}

/* Their texts are limited, too. */
static void shared_parts_as_text(void **state)
{
    (void)state;
    struct strbuf buf = {0};
    struct error err;
    value_repr(shared_list(100), &buf);
    assert_true(buf.size < 70000000);
    assert_non_null(strstr(buf.data, "..."));
    strbuf_clear(&buf);
    assert_false(json_encode(shared_list(100), &buf, &err));
    assert_limit(&err, "parts");
    assert_true(buf.size < 70000000);
    strbuf_free(&buf);
}

/* One long part, many times. */
static void long_parts(void **state)
{
    (void)state;
    char *data = arena_alloc(&memory, 1 << 20);
    memset(data, 'x', 1 << 20);
    struct value list = value_list(&memory);
    struct value string = value_string(&memory, data, 1 << 20);
    struct value dict = value_dict(&memory);
    for (int64_t i = 0; i < 1000; i++) {
        list_append(list.as.list, string);
        assert_true(table_set(dict.as.table, INT(i), string, NULL));
    }
    size_t before = arena_used(&memory);
    assert_true(value_equal(value_copy(&memory, list), list));
    assert_true(arena_used(&memory) - before < 2 << 20);
    struct strbuf buf = {0};
    struct error err;
    value_repr(list, &buf);
    assert_true(buf.size < 66 << 20);
    assert_string_equal(buf.data + buf.size - 5, " ...]");
    strbuf_clear(&buf);
    value_repr(LIST(dict, dict), &buf);
    assert_true(buf.size < 66 << 20);
    assert_string_equal(buf.data + buf.size - 6, " ...}]");
    strbuf_clear(&buf);
    assert_false(json_encode(list, &buf, &err));
    assert_limit(&err, "64 MiB");
    strbuf_free(&buf);
}

static void deep_copies(void **state)
{
    (void)state;
    struct value copy = value_copy(&memory, deep_list(100000));
    size_t depth = 0;
    value_freeze(copy);
    for (; copy.type == VALUE_LIST; copy = copy.as.list->items[0]) {
        assert_true(copy.as.list->base.frozen);
        depth++;
    }
    assert_int_equal(depth, 100000);
    copy = value_copy(&memory, deep_tuple(100000));
    value_freeze(copy);
}

static void json_is_bounded(void **state)
{
    (void)state;
    struct strbuf buf = {0};
    struct error err;
    struct value out;
    assert_true(json_encode(deep_list(200), &buf, &err));
    strbuf_clear(&buf);
    assert_false(json_encode(deep_list(201), &buf, &err));
    assert_limit(&err, "nested deeper");
    strbuf_clear(&buf);
    assert_false(json_encode(own_dict(), &buf, &err));
    strbuf_clear(&buf);
    strbuf_fill(&buf, '[', 1000000);
    assert_false(json_decode(&memory, buf.data, buf.size, &out, &err));
    assert_non_null(strstr(err.message, "nested deeper than 200"));
    strbuf_clear(&buf);
    strbuf_fill(&buf, '[', 200);
    strbuf_fill(&buf, ']', 200);
    assert_true(json_decode(&memory, buf.data, buf.size, &out, &err));
    strbuf_clear(&buf);
    for (int i = 0; i < 300; i++) { /* beside one another is no depth */
        strbuf_adds(&buf, i ? ",[]" : "[[]");
    }
    strbuf_addc(&buf, ']');
    assert_true(json_decode(&memory, buf.data, buf.size, &out, &err));
    strbuf_free(&buf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(within_bounds),        TEST(too_deep),   TEST(holding_itself), TEST(shared_parts),
        TEST(shared_parts_as_text), TEST(long_parts), TEST(deep_copies),    TEST(json_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
