#include "replay/quote.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef void quoting(struct strbuf *out, const char *text);

static void literal(struct strbuf *out, const char *text)
{
    quote_literal(out, text, strlen(text));
}

static void check(quoting *quote, const char *text, const char *expected)
{
    struct strbuf out = {0};
    quote(&out, text);
    assert_string_equal(strbuf_text(&out), expected);
    strbuf_free(&out);
}

static void literals(void **state)
{
    (void)state;
    check(literal, "", "''");
    check(literal, "plain", "'plain'");
    check(literal, "it's", "'it''s'");
    check(literal, "a\\b", "'a\\b'");
    check(literal, ":name \\! $$", "':name \\! $$'");
    check(literal, "\xc3\xa9", "'\xc3\xa9'");
}

/* In a text with an escape, quotes and backslashes are escaped for E''. */
static void literals_with_escapes(void **state)
{
    (void)state;
    check(literal, "a\nb", "E'a\\nb'");
    check(literal, "\r\t", "E'\\r\\t'");
    check(literal, "it's\n\\", "E'it''s\\n\\\\'");
    check(literal,
          "\x01"
          "1",
          "E'\\x011'");
    check(literal, "\x7f", "E'\\x7f'");
    check(literal, "\xe2\x80\xae", "E'\\u202e'");
    check(literal, "\xc2\x85", "E'\\u0085'");
}

static void identifiers(void **state)
{
    (void)state;
    check(quote_identifier, "users_1", "users_1");
    check(quote_identifier, "user", "\"user\"");
    check(quote_identifier, "Users", "\"Users\"");
    check(quote_identifier, "1st", "\"1st\"");
    check(quote_identifier, "a\"b", "\"a\"\"b\"");
    check(quote_identifier, "", "\"\"");
}

static void casts(void **state)
{
    (void)state;
    check(quote_cast, "integer", "::integer");
    check(quote_cast, "timestamp with time zone", "::timestamp with time zone");
    check(quote_cast, "text", "::pg_catalog.text");
    check(quote_cast, "uuid[]", "::pg_catalog.uuid[]");
    check(quote_cast, "\"char\"", "::pg_catalog.\"char\"");
    check(quote_cast, "mood", "::mood");
    check(quote_cast, "app.text", "::app.text");
}

static void arguments(void **state)
{
    (void)state;
    check(quote_argument, "../sql/a.sql", "../sql/a.sql");
    check(quote_argument, "my file's.sql", "'my file''s.sql'");
    check(quote_argument, "a\\b", "'a\\\\b'");
    check(quote_argument, "a\n\\! x", "'a\\x0a\\\\! x'");
    check(quote_argument, "`ls`", "'`ls`'");
    check(quote_argument, ":x", "':x'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(literals),    cmocka_unit_test(literals_with_escapes),
        cmocka_unit_test(identifiers), cmocka_unit_test(casts),
        cmocka_unit_test(arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
