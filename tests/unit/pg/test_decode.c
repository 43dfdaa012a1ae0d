/* Text forms to values and back, without a server: texts that the server never sends, and hostile
 * bytes. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "pg/types/decode.h"
#include "pg/types/encode.h"

#include <stdio.h>
#include <string.h>

enum { INT4 = 23, INT4_ARRAY = 1007, TEXT_ARRAY = 1009, BYTEA = 17, RECORD = 2249, JSON = 114 };

struct bench {
    struct arena arena;
    struct types types;
    struct decoder decoder;
    struct error err;
};

static void start(struct bench *bench)
{
    *bench = (struct bench){0};
    types_init(&bench->types);
    bench->decoder = (struct decoder){.types = &bench->types, .arena = &bench->arena};
}

static void stop(struct bench *bench)
{
    types_free(&bench->types);
    arena_free(&bench->arena);
}

static bool decode(struct bench *bench, uint32_t oid, const char *text, struct value *out)
{
    return decode_value(&bench->decoder, types_get(&bench->types, oid), text, strlen(text), out,
                        &bench->err);
}

/* Texts that are invalid for their type: an error, but never a crash or a wrong value. */
static const struct {
    uint32_t oid;
    const char *text;
} broken[] = {
    {INT4, ""},           {INT4, "-"},          {INT4, "1x"},        {INT4_ARRAY, ""},
    {INT4_ARRAY, "{"},    {INT4_ARRAY, "{1"},   {INT4_ARRAY, "{1,"}, {INT4_ARRAY, "{1}}"},
    {INT4_ARRAY, "{{1}"}, {INT4_ARRAY, "[0:1"}, {TEXT_ARRAY, "{\""}, {TEXT_ARRAY, "{\"a\\"},
    {TEXT_ARRAY, "{a\\"}, {BYTEA, "\\"},        {BYTEA, "\\x0"},     {BYTEA, "\\x0g"},
    {BYTEA, "\\400"},     {BYTEA, "a\\01"},     {BYTEA, "\\008"},    {RECORD, ""},
    {RECORD, "("},        {RECORD, "(a"},       {RECORD, "(a,"},     {RECORD, "(\"a)"},
    {RECORD, "(a))"},
};

static void broken_texts(void **state)
{
    struct bench bench;
    (void)state;
    start(&bench);
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        struct value value;
        bench.err = (struct error){0};
        if (decode(&bench, broken[i].oid, broken[i].text, &value)) {
            fail_msg("%s was taken", broken[i].text);
        }
        assert_true(bench.err.code != ERROR_NONE);
    }
    stop(&bench);
}

static void deep_nesting(void **state)
{
    struct bench bench;
    struct value value;
    char text[4096];
    (void)state;
    start(&bench);
    memset(text, '{', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_false(decode(&bench, INT4_ARRAY, text, &value));
    stop(&bench);
}

static bool is_text(struct bench *bench, struct value value, const char *text)
{
    return value_equal(value, value_string(&bench->arena, text, strlen(text)));
}

/* The server accepts JSON that a value can't hold; it stays text. */
static void json_that_no_value_holds(void **state)
{
    static const char *const texts[] = {"\"\\ud800\"", "\"\\u0000\"", "{\"a\": 1e400000}"};
    struct bench bench;
    struct value value;
    char deep[2 * 201 + 1];
    (void)state;
    start(&bench);
    memset(deep, '[', 201);
    memset(deep + 201, ']', 201);
    deep[sizeof deep - 1] = '\0';
    assert_true(decode(&bench, JSON, deep, &value));
    assert_true(is_text(&bench, value, deep));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_true(decode(&bench, JSON, texts[i], &value));
        assert_true(is_text(&bench, value, texts[i]));
    }
    deep[2 * 201 - 1] = '\0';
    assert_true(decode(&bench, JSON, deep + 1, &value));
    assert_int_equal(value.type, VALUE_LIST);
    stop(&bench);
}

/* As bytea_output = escape gives it. */
static void escaped_bytes(void **state)
{
    struct bench bench;
    struct value value;
    (void)state;
    start(&bench);
    assert_true(decode(&bench, BYTEA, "a\\\\\\000\\377x", &value));
    assert_true(value_equal(value, value_bytes(&bench.arena, "a\\\0\377x", 5)));
    assert_true(decode(&bench, BYTEA, "", &value));
    assert_true(value_equal(value, value_bytes(&bench.arena, "", 0)));
    stop(&bench);
}

/* Each prefix of a text, and each byte of it changed: reading stops at its end (the sanitizers
 * check). */
static void damaged_texts(void **state)
{
    static const char *const texts[] = {
        "{1,NULL,{2,3}}",
        "{\"a\\\"b\",\"c\\\\\",NULL,\"\"}",
        "[2:3]={1,2}",
        "(1,\"a \"\"b\\\\\",,)",
    };
    static const char bytes[] = "{}(),\"\\=[]:N\x80";
    struct bench bench;
    (void)state;
    start(&bench);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        size_t size = strlen(texts[i]);
        const struct type *type = types_get(&bench.types, *texts[i] == '(' ? RECORD : TEXT_ARRAY);
        for (size_t at = 0; at < size; at++) {
            for (size_t j = 0; j < sizeof bytes; j++) {
                struct value value;
                char *copy = arena_strndup(&bench.arena, texts[i], size);
                copy[at] = bytes[j];
                (void)decode_value(&bench.decoder, type, copy, size, &value, &bench.err);
                (void)decode_value(&bench.decoder, type, copy, at, &value, &bench.err);
            }
        }
    }
    stop(&bench);
}

/* A type that refers to itself, as a table's row type may through an array. */
static void types_in_a_circle(void **state)
{
    struct bench bench;
    struct value value;
    (void)state;
    start(&bench);
    types_add(&bench.types, (const char *const[]){"5000", "node", "c", "0", ",", "0", "{23,5001}"});
    types_add(&bench.types, (const char *const[]){"5001", "node[]", "b", "5000", ",", "0", "{}"});
    types_add(&bench.types, (const char *const[]){"5002", "dom", "d", "0", ",", "5003", "{}"});
    types_add(&bench.types, (const char *const[]){"5003", "dom2", "d", "0", ",", "5002", "{}"});
    assert_false(type_is_plain(&bench.types, types_get(&bench.types, 5000)));
    assert_true(decode(&bench, 5000, "(1,\"{\"\"(2,)\"\"}\")", &value));
    const struct tuple *outer = value.as.tuple;
    assert_int_equal(outer->items[1].as.list->items[0].as.tuple->items[0].as.integer, 2);
    assert_true(types_get(&bench.types, 5002) != NULL);
    stop(&bench);
}

/* Many types: the table grows and finds each. */
static void many_types(void **state)
{
    struct bench bench;
    (void)state;
    start(&bench);
    for (unsigned i = 20000; i < 25000; i++) {
        char oid[16];
        (void)snprintf(oid, sizeof oid, "%u", i);
        types_add(&bench.types, (const char *const[]){oid, oid, "e", "0", ",", "0", "{}"});
    }
    for (unsigned i = 20000; i < 25000; i++) {
        assert_int_equal(types_find(&bench.types, i)->oid, i);
    }
    assert_null(types_find(&bench.types, 25000));
    assert_null(types_find(&bench.types, 0));
    assert_string_equal(types_find(&bench.types, INT4)->name, "integer");
    types_clear(&bench.types);
    assert_null(types_find(&bench.types, 20000));
    assert_string_equal(types_find(&bench.types, INT4)->name, "integer");
    stop(&bench);
}

static struct value nested_list(struct arena *arena, int depth)
{
    struct value value = value_list(arena);
    for (int i = 0; i < depth; i++) {
        struct value outer = value_list(arena);
        list_append(outer.as.list, value);
        value = outer;
    }
    return value;
}

static void lists_nested_too_deeply(void **state)
{
    struct bench bench;
    struct strbuf out = {0};
    (void)state;
    start(&bench);
    struct value value = nested_list(&bench.arena, 1000);
    assert_int_equal(
        encode_value(&bench.types, types_get(&bench.types, INT4_ARRAY), value, &out, &bench.err),
        ENCODED_FAILED);
    assert_int_equal(bench.err.code, ERROR_LIMIT);
    strbuf_free(&out);
    stop(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_texts),
        cmocka_unit_test(deep_nesting),
        cmocka_unit_test(json_that_no_value_holds),
        cmocka_unit_test(escaped_bytes),
        cmocka_unit_test(damaged_texts),
        cmocka_unit_test(types_in_a_circle),
        cmocka_unit_test(many_types),
        cmocka_unit_test(lists_nested_too_deeply),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
