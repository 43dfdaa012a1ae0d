#include "mutate/body/tokens.h"

#include "base/names.h"

#include <string.h>

enum { OPERATOR_MAX = 63 }; /* bytes, as a name's */

static bool is_operator_char(char c) { return c && strchr("~!@#^&|`?+-*/%<>=", c) != NULL; }

/* How many bytes of the run are one operator: it ends in + or - only if it has a character that no
 * operator of standard SQL has (manual, section 4.1.3). */
static size_t operator_size(const char *run, size_t size)
{
    while (size > 1 && (run[size - 1] == '+' || run[size - 1] == '-')) {
        bool special = false;
        for (size_t i = 0; i + 1 < size; i++) {
            special = special || strchr("~!@#%^&|`?", run[i]);
        }
        if (special) {
            break;
        }
        size--;
    }
    return size;
}

/* A name follows a dot or AS. */
static bool is_name(const struct body *body, const char *word)
{
    static const char *const keywords[] = {"MATERIALIZED", "NOT"};
    size_t count = body->tokens.count;
    return body_is(body, count - 1, ".") ||
           (body_is(body, count - 1, "AS") && !name_is_in(word, NAMES_IN(keywords)));
}

static const char *word_of(const struct body *body, const struct sql_token *token)
{
    if (token->kind != SQL_TOKEN_WORD && token->kind != SQL_TOKEN_SYMBOL) {
        return "";
    }
    char *word = arena_strndup(body->arena, body->text + token->start, token->end - token->start);
    for (char *c = word; *c; c++) {
        *c = *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c;
    }
    return token->kind == SQL_TOKEN_WORD && is_name(body, word) ? "" : word;
}

/* `..`, of which the scanner makes two dots, and of `..1` a dot and .1. */
static bool joins_dot(struct body *body, struct sql_token *token)
{
    struct body_token *last =
        body->tokens.count ? &body->tokens.items[body->tokens.count - 1] : NULL;
    if (!last || strcmp(last->word, ".") != 0 || last->end != token->start ||
        body->text[token->start] != '.') {
        return false;
    }
    last->word = "..";
    last->end = ++token->start;
    return token->start == token->end;
}

/* Of an operator the scanner gives one character after the other. */
static void join_operator(struct sql_lexer *lexer, struct sql_token *token)
{
    struct sql_lexer ahead = *lexer;
    size_t size = 1;
    for (;;) {
        struct sql_token next = sql_lex(&ahead);
        if (size == OPERATOR_MAX || next.kind != SQL_TOKEN_SYMBOL ||
            next.start != token->start + size || !is_operator_char(lexer->text[next.start])) {
            break;
        }
        size++;
    }
    token->end = token->start + operator_size(lexer->text + token->start, size);
    lexer->at = token->end;
}

bool body_read(struct body *body)
{
    struct sql_lexer lexer = {.text = body->text, .size = body->size};
    for (;;) {
        struct sql_token token = sql_lex(&lexer);
        if (token.kind == SQL_TOKEN_END || token.kind == SQL_TOKEN_BAD) {
            return token.kind == SQL_TOKEN_END;
        }
        if (token.kind == SQL_TOKEN_SYMBOL && is_operator_char(body->text[token.start])) {
            join_operator(&lexer, &token);
        }
        if (!joins_dot(body, &token)) {
            const char *word = word_of(body, &token);
            size_t index = body->tokens.count;
            *VEC_PUSH(body->arena, &body->tokens) = (struct body_token){
                .kind = token.kind,
                .start = token.start,
                .end = token.end,
                .word = word,
                .mate = index,
            };
        }
    }
}

static const char *closing_of(const char *word)
{
    return strcmp(word, "(") == 0      ? ")"
           : strcmp(word, "[") == 0    ? "]"
           : strcmp(word, "CASE") == 0 ? "END"
                                       : NULL;
}

bool body_match(struct body *body, size_t from, size_t to)
{
    static const char *const closing[] = {")", "]", "END"};
    struct {
        size_t *items;
        size_t count;
        size_t capacity;
    } open = {0};
    for (size_t i = from; i < to; i++) {
        struct body_token *token = &body->tokens.items[i];
        token->mate = i;
        if (closing_of(token->word)) {
            *VEC_PUSH(body->arena, &open) = i;
        } else if (name_is_in(token->word, NAMES_IN(closing))) {
            if (!open.count ||
                !body_is(body, i, closing_of(body_word(body, open.items[open.count - 1])))) {
                return false;
            }
            token->mate = open.items[--open.count];
            body->tokens.items[token->mate].mate = i;
        }
    }
    return open.count == 0;
}

const char *body_word(const struct body *body, size_t index)
{
    return index < body->tokens.count ? body->tokens.items[index].word : "";
}

bool body_is(const struct body *body, size_t index, const char *word)
{
    return strcmp(body_word(body, index), word) == 0;
}

bool body_is_kind(const struct body *body, size_t index, enum sql_token_kind kind)
{
    return index < body->tokens.count && body->tokens.items[index].kind == kind;
}

bool body_has(const struct body *body, size_t index, unsigned marks)
{
    return index < body->tokens.count && (body->tokens.items[index].marks & marks);
}

size_t body_after(const struct body *body, size_t index)
{
    size_t mate = body->tokens.items[index].mate;
    return (mate > index ? mate : index) + 1;
}

size_t body_opening(const struct body *body, size_t index)
{
    for (size_t i = index; i-- > 0;) {
        size_t mate = body->tokens.items[i].mate;
        if (mate > i) {
            return i;
        }
        i = mate;
    }
    return index;
}

size_t body_find(const struct body *body, size_t from, size_t to, const char *word)
{
    size_t brackets = 0;
    size_t cases = 0;
    for (size_t i = from; i < to; i++) {
        if (!brackets && !cases && body_is(body, i, word)) {
            return i;
        }
        brackets += body_is(body, i, "(") || body_is(body, i, "[");
        brackets -= brackets && (body_is(body, i, ")") || body_is(body, i, "]"));
        cases += body_is(body, i, "CASE");
        cases -= cases && body_is(body, i, "END");
    }
    return to;
}

char *body_text(const struct body *body, size_t from, size_t to)
{
    size_t start = body->tokens.items[from].start;
    return arena_strndup(body->arena, body->text + start, body->tokens.items[to - 1].end - start);
}

const char *body_cased(const struct body *body, size_t index, const char *keyword)
{
    char first = body->text[body->tokens.items[index].start];
    char *cased = arena_strdup(body->arena, keyword);
    for (char *c = cased; first >= 'a' && first <= 'z' && *c; c++) {
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
    }
    return cased;
}

void body_add(struct body *body, enum body_operator_id id, size_t start, size_t end,
              const char *replacement)
{
    *VEC_PUSH(body->arena, &body->out->items) = (struct body_edit){
        .op = &body_operators[id],
        .start = start,
        .end = end,
        .replacement = replacement,
    };
}

void body_remove(struct body *body, enum body_operator_id id, size_t from, size_t to)
{
    body_add(body, id, body->tokens.items[from].start, body->tokens.items[to].start, "");
}

void body_replace(struct body *body, enum body_operator_id id, size_t from, size_t to,
                  const char *replacement)
{
    body_add(body, id, body->tokens.items[from].start, body->tokens.items[to - 1].end, replacement);
}

void body_cut(struct body *body, enum body_operator_id id, size_t from, size_t to)
{
    size_t start = body->tokens.items[from].start;
    size_t before = start;
    while (before > 0 && sql_is_space(body->text[before - 1])) {
        before--;
    }
    /* A comment keeps the end of its line. */
    if (from > 0 && before == body->tokens.items[from - 1].end) {
        start = before;
    }
    body_add(body, id, start, body->tokens.items[to - 1].end, "");
}
