#include "mutate/body/strings.h"

#include "base/names.h"

#include <string.h>

/* Words that a string follows as an operand. Behind any other one it is a part of something:
 * interval '1 day', AT TIME ZONE 'UTC', ESCAPE '!'. */
static const char *const before[] = {"AND",      "OR",        "NOT",   "THEN",   "ELSE",
                                     "WHEN",     "WHERE",     "ON",    "HAVING", "SELECT",
                                     "RETURN",   "RETURNING", "CASE",  "FROM",   "BETWEEN",
                                     "DISTINCT", "LIKE",      "ILIKE", "IN",     "VALUES"};

/* Whether a string behind the token belongs to it: a type, with its modifiers or without. */
static bool takes_string(const struct body *body, size_t index)
{
    return body_has(body, index, BODY_FROZEN) ||
           sql_is_kind(&body->sql, index, SQL_TOKEN_QUOTED_NAME) ||
           (sql_is_kind(&body->sql, index, SQL_TOKEN_WORD) &&
            !name_is_in(sql_word(&body->sql, index), NAMES_IN(before)));
}

/* 'a'::text, or without a cast: '{}'::jsonb is more than a string. */
static bool is_text(const struct body *body, size_t index)
{
    static const char *const types[] = {"TEXT", "VARCHAR", "CHARACTER"};
    return !sql_is(&body->sql, index + 1, "::") ||
           (name_is_in(sql_word(&body->sql, index + 2), NAMES_IN(types)) &&
            !sql_is(&body->sql, index + 3, "::"));
}

/* Not the first argument of a function, which often is a name: nextval('numbers'); nor an item of a
 * list, which is left out as a whole. */
static bool is_operand(const struct body *body, size_t index)
{
    const struct sql_listed *token = &body->sql.tokens.items[index];
    size_t open = sql_opening(&body->sql, index);
    bool lists =
        open < index && (sql_is(&body->sql, open, "[") ||
                         (sql_is(&body->sql, open, "(") && sql_is(&body->sql, open - 1, "IN")));
    bool first = open + 1 == index && sql_is(&body->sql, open, "(") && takes_string(body, open - 1);
    return token->kind == SQL_TOKEN_STRING && body->sql.text[token->start] == '\'' && !lists &&
           !first && !takes_string(body, index - 1) && is_text(body, index);
}

/* Letters, digits and underscores in quotes: a state, a role, a kind. */
static bool is_label(const struct body *body, const struct sql_listed *token)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    return token->end - token->start > 2 &&
           strspn(body->sql.text + token->start + 1, letters) == token->end - token->start - 2;
}

/* Another label of the text, the next one if there is one behind; NULL if there is none. */
static const char *other_label(const struct body *body, size_t index)
{
    const struct sql_listed *token = &body->sql.tokens.items[index];
    const char *text = body_text(body, index, index + 1);
    for (size_t n = 1; n < body->sql.tokens.count && is_label(body, token); n++) {
        size_t other = (index + n) % body->sql.tokens.count;
        if (is_operand(body, other) && is_label(body, &body->sql.tokens.items[other])) {
            const char *label = body_text(body, other, other + 1);
            if (strcmp(label, text) != 0) {
                return label;
            }
        }
    }
    return NULL;
}

void body_strings(struct body *body, size_t index)
{
    const struct sql_listed *token = &body->sql.tokens.items[index];
    if (is_operand(body, index)) {
        const char *label = other_label(body, index);
        bool empty = token->end - token->start == 2;
        body_replace(body, BODY_CHANGE_STRING, index, index + 1,
                     label ? label : (empty ? "'x'" : "''"));
    }
}
