#include "sql/tokens.h"

#include "base/names.h"

#include <string.h>

enum { OPERATOR_MAX = 63 }; /* bytes, as a name's */

static bool is_operator_char(char c) { return c && strchr("~!@#^&|`?+-*/%<>=", c) != NULL; }

/* The size of the operator at the start of the run. An operator ends in + or - only if it has a
 * character that no operator of standard SQL has (manual, section 4.1.3). */
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
static bool is_name(const struct sql_list *list, const struct sql_token *token, const char *word)
{
    static const char *const keywords[] = {"MATERIALIZED", "NOT"};
    size_t count = list->tokens.count;
    return token->kind == SQL_TOKEN_WORD &&
           (sql_is(list, count - 1, ".") ||
            (sql_is(list, count - 1, "AS") && !name_is_in(word, NAMES_IN(keywords))));
}

static const char *word_of(const struct sql_list *list, const struct sql_token *token)
{
    if (token->kind != SQL_TOKEN_WORD && token->kind != SQL_TOKEN_SYMBOL) {
        return "";
    }
    char *word = arena_strndup(list->arena, list->text + token->start, token->end - token->start);
    for (char *c = word; *c; c++) {
        *c = *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c;
    }
    return word;
}

/* Joins `..`: the scanner reads two dots, and in `..1` a dot and .1. */
static bool joins_dot(struct sql_list *list, struct sql_token *token)
{
    struct sql_listed *last =
        list->tokens.count ? &list->tokens.items[list->tokens.count - 1] : NULL;
    if (!last || strcmp(last->word, ".") != 0 || last->end != token->start ||
        list->text[token->start] != '.') {
        return false;
    }
    last->word = "..";
    last->end = ++token->start;
    return token->start == token->end;
}

/* Joins the characters of an operator, which the scanner gives one by one. */
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

bool sql_list_read(struct sql_list *list)
{
    struct sql_lexer lexer = {.text = list->text, .size = list->size};
    for (;;) {
        struct sql_token token = sql_lex(&lexer);
        if (token.kind == SQL_TOKEN_END || token.kind == SQL_TOKEN_BAD) {
            return token.kind == SQL_TOKEN_END;
        }
        if (token.kind == SQL_TOKEN_SYMBOL && is_operator_char(list->text[token.start])) {
            join_operator(&lexer, &token);
        }
        if (!joins_dot(list, &token)) {
            const char *word = word_of(list, &token);
            bool name = is_name(list, &token, word);
            size_t index = list->tokens.count;
            *VEC_PUSH(list->arena, &list->tokens) = (struct sql_listed){
                .kind = token.kind,
                .start = token.start,
                .end = token.end,
                .inner_start = token.inner_start,
                .inner_end = token.inner_end,
                .word = word,
                .is_name = name,
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

bool sql_list_match(struct sql_list *list, size_t from, size_t to)
{
    static const char *const closing[] = {")", "]", "END"};
    struct {
        size_t *items;
        size_t count;
        size_t capacity;
    } open = {0};
    for (size_t i = from; i < to; i++) {
        struct sql_listed *token = &list->tokens.items[i];
        token->mate = i;
        if (closing_of(sql_word(list, i))) {
            *VEC_PUSH(list->arena, &open) = i;
        } else if (name_is_in(sql_word(list, i), NAMES_IN(closing))) {
            if (!open.count ||
                !sql_is(list, i, closing_of(sql_word(list, open.items[open.count - 1])))) {
                return false;
            }
            token->mate = open.items[--open.count];
            list->tokens.items[token->mate].mate = i;
        }
    }
    return open.count == 0;
}

const char *sql_word(const struct sql_list *list, size_t index)
{
    bool there = index < list->tokens.count && !list->tokens.items[index].is_name;
    return there ? list->tokens.items[index].word : "";
}

bool sql_is(const struct sql_list *list, size_t index, const char *word)
{
    return strcmp(sql_word(list, index), word) == 0;
}

bool sql_is_kind(const struct sql_list *list, size_t index, enum sql_token_kind kind)
{
    return index < list->tokens.count && list->tokens.items[index].kind == kind;
}

bool sql_is_text(const struct sql_list *list, size_t index, const char *text)
{
    size_t size = strlen(text);
    return index < list->tokens.count &&
           list->tokens.items[index].end - list->tokens.items[index].start == size &&
           memcmp(list->text + list->tokens.items[index].start, text, size) == 0;
}

size_t sql_after(const struct sql_list *list, size_t index)
{
    size_t mate = list->tokens.items[index].mate;
    return (mate > index ? mate : index) + 1;
}

size_t sql_opening(const struct sql_list *list, size_t index)
{
    for (size_t i = index; i-- > 0;) {
        size_t mate = list->tokens.items[i].mate;
        if (mate > i) {
            return i;
        }
        i = mate;
    }
    return index;
}

size_t sql_find(const struct sql_list *list, size_t from, size_t to, const char *word)
{
    size_t brackets = 0;
    size_t cases = 0;
    for (size_t i = from; i < to; i++) {
        if (!brackets && !cases && sql_is(list, i, word)) {
            return i;
        }
        brackets += sql_is(list, i, "(") || sql_is(list, i, "[");
        brackets -= brackets && (sql_is(list, i, ")") || sql_is(list, i, "]"));
        cases += sql_is(list, i, "CASE");
        cases -= cases && sql_is(list, i, "END");
    }
    return to;
}
