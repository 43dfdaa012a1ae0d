/* Short ways to make values and to check them by their text. */
#ifndef TESTS_VALUE_CHECK_H
#define TESTS_VALUE_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "value/number/numeric.h"
#include "value/object.h"
#include "value/value.h"

#include <stdlib.h>
#include <string.h>

/* Holds all memory of a test; tear_down frees it. */
static struct arena memory;

static inline int tear_down(void **state)
{
    (void)state;
    arena_free(&memory);
    return 0;
}

#define TEST(function) cmocka_unit_test_teardown(function, tear_down)

static inline const char *repr(struct value value)
{
    struct strbuf buf = {0};
    value_repr(value, &buf);
    const char *text = strbuf_copy(&buf, &memory);
    strbuf_free(&buf);
    return text;
}

static inline struct value text(const char *data) { return value_text(&memory, data); }

static inline struct value number(const char *data)
{
    struct value value;
    struct error err;
    if (!numeric_from_text(&memory, data, strlen(data), &value, &err)) {
        fail_msg("numeric %s: %s", data, err.message);
    }
    return value;
}

static inline struct value integer(const char *data)
{
    struct value value;
    struct error err;
    if (!int_from_text(&memory, data, strlen(data), 0, &value, &err)) {
        fail_msg("int %s: %s", data, err.message);
    }
    return value;
}

static inline struct value list_of(const struct value *items, size_t count)
{
    struct value list = value_list(&memory);
    for (size_t i = 0; i < count; i++) {
        list_append(list.as.list, items[i]);
    }
    return list;
}

static inline struct value set_of(const struct value *items, size_t count)
{
    struct value set = value_set(&memory);
    for (size_t i = 0; i < count; i++) {
        assert_true(table_set(set.as.table, items[i], value_none(), NULL));
    }
    return set;
}

/* LIST(a, b), TUPLE(a, b), SET(a, b) */
#define ITEMS(...)                                                                                 \
    (const struct value[]){__VA_ARGS__},                                                           \
        sizeof((const struct value[]){__VA_ARGS__}) / sizeof(struct value)
#define LIST(...) list_of(ITEMS(__VA_ARGS__))
#define TUPLE(...) value_tuple(&memory, ITEMS(__VA_ARGS__))
#define SET(...) set_of(ITEMS(__VA_ARGS__))
#define INT(i) value_int(i)

#define assert_repr(value, expected) assert_string_equal(repr(value), expected)

#endif
