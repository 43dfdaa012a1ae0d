#include "machine/sql/sql.h"

#include "base/strbuf.h"
#include "base/utf8.h"
#include "sql/lex.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The meaning of a character after a backslash in E'…' (manual, section 4.1.2.2). */
static char simple_escape(char c)
{
    static const char from[] = "bfnrt";
    static const char to[] = "\b\f\n\r\t";
    const char *at = c ? strchr(from, c) : NULL;
    return at ? to[at - from] : c;
}

/* A string's text with its escapes resolved. False if it has a numeric escape or continues on
 * another line, because such a constant is rarely a useful value. */
static bool unquote_string(const char *text, size_t size, bool escapes, struct strbuf *out)
{
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        if (c == '\'') {
            i++; /* skips the second of a pair; at the end of a part, something else follows */
            if (i == size || text[i] != '\'') {
                return false;
            }
        } else if (c == '\\' && escapes) {
            c = ++i < size ? text[i] : '\\';
            if (strchr("01234567xuU", c)) {
                return false;
            }
            c = simple_escape(c);
        }
        strbuf_addc(out, c);
    }
    return utf8_invalid_at(strbuf_text(out), out->size) == out->size &&
           !memchr(strbuf_text(out), '\0', out->size);
}

static void add_int(const char *text, size_t size, bool negative, struct arena *arena,
                    struct sql_literals *out)
{
    char digits[24] = "-";
    if (size > sizeof digits - 2 || strspn(text, "0123456789") < size) {
        return;
    }
    memcpy(digits + negative, text, size);
    digits[size + negative] = '\0';
    errno = 0;
    long long number = strtoll(digits, NULL, 10);
    if (!errno) {
        *VEC_PUSH(arena, &out->ints) = number;
    }
}

void sql_collect_literals(const struct snippet *snippet, struct arena *arena,
                          struct sql_literals *out)
{
    struct sql_lexer lexer = {.text = snippet->text, .size = snippet->size};
    struct strbuf text = {0};
    bool minus = false;
    for (;;) {
        struct sql_token token = sql_lex(&lexer);
        const char *inner = lexer.text + token.inner_start;
        size_t size = token.inner_end - token.inner_start;
        if (token.kind == SQL_TOKEN_END || token.kind == SQL_TOKEN_BAD) {
            break;
        }
        if (token.kind == SQL_TOKEN_STRING || token.kind == SQL_TOKEN_ESCAPES) {
            strbuf_clear(&text);
            if (unquote_string(inner, size, token.kind == SQL_TOKEN_ESCAPES, &text)) {
                *VEC_PUSH(arena, &out->strings) = strbuf_copy(&text, arena);
            }
        } else if (token.kind == SQL_TOKEN_NUMBER) {
            add_int(lexer.text + token.start, token.end - token.start, minus, arena, out);
        }
        minus = sql_token_is_char(&lexer, &token, '-');
    }
    strbuf_free(&text);
}
