/* Kinds of characters and their other case; known answers from the Unicode charts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <unicase.h>

#include "lang/builtins/unicode.h"

static void case_mappings(void **state)
{
    (void)state;
    static const struct {
        uint32_t lower;
        uint32_t upper;
    } pairs[] = {{'a', 'A'},        {'z', 'Z'},       {0xE9, 0xC9},     {0xFF, 0x178},
                 {0x101, 0x100},    {0x3B1, 0x391},   {0x44F, 0x42F},   {0x1E01, 0x1E00},
                 {0x10D0, 0x1C90},  {0x1F80, 0x1F88}, {0x24D0, 0x24B6}, {0x10428, 0x10400},
                 {0x1E922, 0x1E900}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        assert_int_equal(uc_toupper(pairs[i].lower), pairs[i].upper);
        assert_int_equal(uc_tolower(pairs[i].upper), pairs[i].lower);
        assert_int_equal(uc_toupper(pairs[i].upper), pairs[i].upper);
        assert_int_equal(uc_tolower(pairs[i].lower), pairs[i].lower);
    }
    assert_int_equal(uc_toupper(0xDF), 0xDF);   /* ß has no single upper case letter of its own */
    assert_int_equal(uc_tolower(0x130), 0x69);  /* İ */
    assert_int_equal(uc_toupper(0x131), 0x49);  /* ı */
    assert_int_equal(uc_tolower(0x212A), 0x6B); /* the Kelvin sign */
    assert_int_equal(uc_totitle(0x1C6), 0x1C5); /* ǆ */
    assert_int_equal(uc_toupper(0x1C6), 0x1C4);
    assert_int_equal(uc_toupper('1'), '1');
    assert_int_equal(uc_toupper(0x10FFFF), 0x10FFFF);
}

static void kinds(void **state)
{
    (void)state;
    assert_true(unicode_is_alpha('a'));
    assert_true(unicode_is_alpha(0x4E2D));
    assert_true(unicode_is_alpha(0x20000));
    assert_true(unicode_is_alpha(0x5D0));
    assert_false(unicode_is_alpha('1'));
    assert_false(unicode_is_alpha(0x301));
    assert_false(unicode_is_alpha(0x201C));
    assert_true(unicode_is_mark(0x301));
    assert_false(unicode_is_mark('a'));
    assert_true(unicode_is_digit('0'));
    assert_true(unicode_is_digit(0x663));
    assert_false(unicode_is_digit(0xBD));
    assert_true(unicode_is_space(' '));
    assert_true(unicode_is_space(0xA0));
    assert_true(unicode_is_space(0x3000));
    assert_false(unicode_is_space(0x200B));
    assert_true(unicode_is_upper('A'));
    assert_true(unicode_is_lower(0xDF));
    assert_true(unicode_is_title(0x1C5));
    assert_false(unicode_is_upper(0x1C5));
    assert_false(unicode_is_lower(0x4E2D));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(case_mappings), cmocka_unit_test(kinds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
