#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/source.h"

#include <string.h>

static const struct source source = {
    .name = "a.yaml", .text = "one\r\ntwo \xC3\xA9 x\n\nlast", .size = 19};

static void assert_place(size_t offset, size_t line, size_t column, const char *text)
{
    struct source_place place = source_place((struct source_pos){&source, offset});
    assert_int_equal(place.line, line);
    assert_int_equal(place.column, column);
    assert_int_equal(place.line_size, strlen(text));
    assert_memory_equal(place.line_text, text, place.line_size);
}

static void places(void **state)
{
    (void)state;
    assert_int_equal(strlen(source.text), source.size);
    assert_place(0, 1, 1, "one");
    assert_place(2, 1, 3, "one");
    assert_place(4, 1, 5, "one"); /* the newline itself */
    assert_place(5, 2, 1, "two \xC3\xA9 x");
    assert_place(9, 2, 5, "two \xC3\xA9 x");
    assert_place(12, 2, 7, "two \xC3\xA9 x"); /* é is one column */
    assert_place(14, 3, 1, "");
}

static void places_at_the_end(void **state)
{
    (void)state;
    assert_place(15, 4, 1, "last");
    assert_place(19, 4, 5, "last");
    assert_place(1000, 4, 5, "last"); /* past the end: the end */
    static const struct source nothing = {.name = "", .text = "", .size = 0};
    struct source_place place = source_place((struct source_pos){&nothing, 0});
    assert_int_equal(place.line, 1);
    assert_int_equal(place.column, 1);
    assert_int_equal(place.line_size, 0);
}

static void snippets(void **state)
{
    (void)state;
    struct snippet whole = snippet_of_source(&source);
    assert_int_equal(snippet_pos(&whole, 7).offset, 7);
    assert_ptr_equal(snippet_pos(&whole, 7).source, &source);
    struct snippet slice = snippet_slice(&whole, 5, 8);
    assert_int_equal(slice.size, 3);
    assert_memory_equal(slice.text, "two", 3);
    assert_int_equal(snippet_pos(&slice, 1).offset, 6);
    assert_int_equal(snippet_pos(&slice, 99).offset, 8); /* past the end: the end */
    struct snippet inner = snippet_slice(&slice, 2, 3);
    assert_int_equal(snippet_pos(&inner, 0).offset, 7);
}

/* By bytes that stand one after the other, and bytes that are all from one place. */
static void decoded_snippets(void **state)
{
    static const uint32_t all[][9] = {
        {10, 12, 13, 17, 17, 17, 17, 18, 19},
        {5, 5, 5, 5, 5, 5, 5, 5, 5},
        {5, 6, 7, 8, 9, 10, 11, 12, 13},
        {9, 8, 7, 7, 8, 9, 1, 2, 2},
    };
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct arena arena = {0};
        struct snippet snippet = {.source = &source, .text = "abcdefgh", .size = 8};
        snippet_map(&snippet, all[i], &arena);
        struct snippet slice = snippet_slice(&snippet, 1, 7);
        for (size_t j = 0; j < 9; j++) {
            assert_int_equal(snippet_pos(&snippet, j).offset, all[i][j]);
            assert_int_equal(snippet_pos(&slice, j).offset, all[i][j < 6 ? j + 1 : 7]);
        }
        arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places),
        cmocka_unit_test(places_at_the_end),
        cmocka_unit_test(snippets),
        cmocka_unit_test(decoded_snippets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
