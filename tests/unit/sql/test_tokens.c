/* SQL text as a list of tokens. */
#include "sql/tokens.h"

#include "base/strbuf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct arena arena;

static int clear(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static struct sql_list list_of(const char *text, bool closed)
{
    struct sql_list list = {.text = text, .size = strlen(text), .arena = &arena};
    assert_int_equal(sql_list_read(&list), closed);
    return list;
}

/* The tokens' words, separated by spaces; _ for one that is not a keyword. */
static const char *words_of(const char *text)
{
    struct strbuf out = {0};
    const struct sql_list list = list_of(text, true);
    for (size_t i = 0; i < list.tokens.count; i++) {
        const char *word = sql_word(&list, i);
        strbuf_adds(&out, i ? " " : "");
        strbuf_adds(&out, *word ? word : "_");
    }
    return strbuf_take(&out, &arena);
}

static void test_words(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"select A from \"b\"", "SELECT A FROM _"},
        {"SELECT 'and' AS end, t.case", "SELECT _ AS _ , T . _"},
        {"WITH q AS NOT MATERIALIZED (", "WITH Q AS NOT MATERIALIZED ("},
        {"a <= b AND c ~~* 'x%'::text", "A <= B AND C ~~* _ :: TEXT"},
        {"a>-1 AND b @- 1", "A > - _ AND B @- _"},
        {"1..n /* > */ LOOP -- >", "_ .. N LOOP"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(words_of(cases[i][0]), cases[i][1]);
    }
    (void)list_of("SELECT 'a", false);
}

static void test_brackets(void **state)
{
    (void)state;
    struct sql_list list = list_of("f(a, CASE WHEN b THEN c[1] END, d), e", true);
    size_t count = list.tokens.count;
    assert_true(sql_list_match(&list, 0, count));
    assert_int_equal(sql_after(&list, 0), 1);
    assert_true(sql_is(&list, sql_after(&list, 1), ","));
    assert_int_equal(sql_find(&list, 0, count, ","), sql_after(&list, 1));
    assert_int_equal(sql_find(&list, 0, count, "THEN"), count);
    assert_int_equal(sql_opening(&list, sql_find(&list, 4, count, "CASE") + 1), 4);
    assert_int_equal(sql_opening(&list, count - 1), count - 1);
    assert_true(sql_is_text(&list, count - 1, "e"));
    assert_false(sql_is(&list, count, "E"));
    assert_string_equal(sql_word(&list, SIZE_MAX), "");
    list = list_of("(a]", true);
    assert_false(sql_list_match(&list, 0, list.tokens.count));
    list = list_of("CASE WHEN a", true);
    assert_false(sql_list_match(&list, 0, list.tokens.count));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_words, clear),
        cmocka_unit_test_teardown(test_brackets, clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
