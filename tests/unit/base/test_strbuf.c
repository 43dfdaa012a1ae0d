#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "base/vec.h"

#include <string.h>

static void empty(void **state)
{
    (void)state;
    struct strbuf buf = {0};
    struct arena arena = {0};
    assert_string_equal(strbuf_text(&buf), "");
    assert_string_equal(strbuf_copy(&buf, &arena), "");
    strbuf_clear(&buf);
    strbuf_truncate(&buf, 0);
    assert_int_equal(strbuf_column(&buf), 0);
    strbuf_free(&buf);
    strbuf_add(&buf, NULL, 0);
    assert_non_null(buf.data);
    assert_string_equal(buf.data, "");
    strbuf_free(&buf);
    strbuf_free(&buf);
    arena_free(&arena);
}

static void appending(void **state)
{
    (void)state;
    struct strbuf buf = {0};
    strbuf_adds(&buf, "ab");
    strbuf_addc(&buf, 'c');
    assert_int_equal(strbuf_column(&buf), 3);
    strbuf_addc(&buf, '\n');
    assert_int_equal(strbuf_column(&buf), 0);
    strbuf_truncate(&buf, 3);
    strbuf_fill(&buf, '-', 3);
    strbuf_fill(&buf, '+', 0);
    strbuf_addf(&buf, "%04d%s", 42, "");
    strbuf_addf(&buf, "%s", "");
    assert_string_equal(strbuf_text(&buf), "abc---0042");
    assert_int_equal(buf.size, 10);
    strbuf_addi(&buf, 0);
    strbuf_addi(&buf, -907);
    strbuf_addi(&buf, INT64_MAX);
    strbuf_addi(&buf, INT64_MIN);
    assert_string_equal(buf.data + 10, "0-9079223372036854775807-9223372036854775808");
    strbuf_truncate(&buf, 3);
    assert_string_equal(strbuf_text(&buf), "abc");
    strbuf_truncate(&buf, 100); /* not more than there is */
    assert_int_equal(buf.size, 3);
    strbuf_clear(&buf);
    assert_string_equal(strbuf_text(&buf), "");
    strbuf_free(&buf);
}

static void any_bytes(void **state)
{
    (void)state;
    struct strbuf buf = {0};
    struct arena arena = {0};
    strbuf_add(&buf, "a\0b", 3);
    strbuf_addc(&buf, '\0');
    assert_int_equal(buf.size, 4);
    assert_memory_equal(buf.data, "a\0b\0", 5);
    assert_memory_equal(strbuf_copy(&buf, &arena), "a\0b\0", 5);
    strbuf_free(&buf);
    arena_free(&arena);
}

static void growing(void **state)
{
    (void)state;
    struct strbuf buf = {0};
    for (int i = 0; i < 10000; i++) {
        strbuf_addf(&buf, "%d,", i % 10);
        assert_int_equal(buf.data[buf.size], '\0');
    }
    assert_int_equal(buf.size, 20000);
    strbuf_addf(&buf, "%50000d", 1); /* more than twice what there was */
    assert_int_equal(strlen(buf.data), 70000);
    assert_memory_equal(buf.data + 19998, "9, ", 3);
    strbuf_free(&buf);
}

struct pair {
    int64_t a;
    int64_t b;
};

static void vector(void **state)
{
    (void)state;
    struct arena arena = {0};
    VEC(struct pair) items = {0};
    for (int64_t i = 0; i < 1000; i++) {
        assert_int_equal(VEC_PUSH(&arena, &items)->b, 0); /* zeroed */
        items.items[items.count - 1].a = i;
        items.items[items.count - 1].b = -1;
    }
    assert_int_equal(items.count, 1000);
    for (int64_t i = 0; i < 1000; i++) {
        assert_int_equal(items.items[i].a, i);
    }
    items.count = 0; /* used again: still zeroed */
    assert_int_equal(VEC_PUSH(&arena, &items)->b, 0);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty),   cmocka_unit_test(appending), cmocka_unit_test(any_bytes),
        cmocka_unit_test(growing), cmocka_unit_test(vector),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
