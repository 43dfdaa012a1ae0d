#include "mutate/body/numbers.h"

#include "base/digits.h"
#include "base/names.h"

#include <stdlib.h>
#include <string.h>

enum { DIGITS_MAX = 18 };

struct number {
    bool negative;
    long long whole;
    const char *fraction; /* with its dot, or "" */
};

static bool read_number(struct arena *arena, const char *text, size_t size, struct number *out)
{
    const char *end = text + size;
    const char *at = text;
    *out = (struct number){.negative = size > 0 && *text == '-'};
    at += out->negative;
    const char *digits = at;
    while (at < end && is_digit(*at)) {
        at++;
    }
    if (at == digits || at - digits > DIGITS_MAX) {
        return false;
    }
    out->whole = strtoll(arena_strndup(arena, digits, (size_t)(at - digits)), NULL, 10);
    out->fraction = arena_strndup(arena, at, (size_t)(end - at));
    return *out->fraction == '\0' ||
           (*out->fraction == '.' &&
            out->fraction[1 + strspn(out->fraction + 1, "0123456789")] == 0);
}

/* The number further from 0 or nearer to it by 1; NULL where that would be beyond 0 and is not -1.
 */
static const char *moved(struct arena *arena, const struct number *number, int by)
{
    struct number to = *number;
    to.whole += by;
    if (to.whole < 0) {
        if (*number->fraction) {
            return NULL;
        }
        to.whole = 1;
        to.negative = !to.negative;
    }
    bool zero = to.whole == 0 && !*to.fraction;
    return arena_printf(arena, "%s%lld%s", to.negative && !zero ? "-" : "", to.whole, to.fraction);
}

static void add_moved(struct body *body, size_t index, size_t start, size_t end)
{
    bool quoted = sql_is_kind(&body->sql, index, SQL_TOKEN_STRING);
    bool bound = sql_is(&body->sql, index - 1, "LIMIT") || sql_is(&body->sql, index - 1, "OFFSET");
    struct number number;
    if (!read_number(body->sql.arena, body->sql.text + start, end - start, &number)) {
        return;
    }
    for (int by = 1; by >= -1; by -= 2) {
        const char *text = moved(body->sql.arena, &number, by);
        bool below = text && *text == '-' && !quoted;
        if (text && !(below && bound)) {
            body_add(body, BODY_MOVE_NUMBER, start, end,
                     below ? arena_printf(body->sql.arena, "(%s)", text) : text);
        }
    }
}

void body_numbers(struct body *body, size_t index, size_t to)
{
    static const char *const types[] = {"INTEGER", "BIGINT", "SMALLINT",
                                        "NUMERIC", "DOUBLE", "REAL"};
    const struct sql_listed *token = &body->sql.tokens.items[index];
    const struct sql_listed *next = index + 1 < to ? token + 1 : NULL;
    if (token->kind == SQL_TOKEN_NUMBER) {
        /* of 0x1F and 1_000 it is a part */
        if (!next || next->start > token->end || next->kind != SQL_TOKEN_WORD) {
            add_moved(body, index, token->start, token->end);
        }
    } else if (token->kind == SQL_TOKEN_STRING && sql_is(&body->sql, index + 1, "::") &&
               name_is_in(sql_word(&body->sql, index + 2), NAMES_IN(types)) &&
               body->sql.text[token->start] == '\'') {
        add_moved(body, index, token->start + 1, token->end - 1);
    }
}
