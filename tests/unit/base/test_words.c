#include "base/words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void words_are_found_whole(void **state)
{
    (void)state;
    static const char list[] = "bit varying|bit|name";
    assert_true(word_is_in("bit varying", list));
    assert_true(word_is_in("bit", list));
    assert_true(word_is_in("name", list));
    assert_true(words_hold(list, "name[]", 4));
    assert_false(word_is_in("", list));
    assert_false(word_is_in("nam", list));
    assert_false(word_is_in("varying", list));
    assert_false(word_is_in("names", list));
    assert_false(word_is_in("bit|name", list));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(words_are_found_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
