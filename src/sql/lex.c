#include "sql/lex.h"
#include "base/digits.h"

#include <assert.h>
#include <string.h>

bool sql_is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

/* Every byte of a character outside ASCII may be part of a name. */
static bool is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

bool sql_is_name_char(char c) { return is_name_start(c) || is_digit(c); }

static char upper(char c) { return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c; }

/* The character `ahead` of the current one; NUL past the end. */
static char peek_ahead(const struct sql_lexer *lexer, size_t ahead)
{
    return ahead < lexer->size - lexer->at ? lexer->text[lexer->at + ahead] : '\0';
}

static bool at_text(const struct sql_lexer *lexer, const char *text)
{
    size_t size = strlen(text);
    return lexer->size - lexer->at >= size && !memcmp(lexer->text + lexer->at, text, size);
}

static void skip_line(struct sql_lexer *lexer)
{
    while (lexer->at < lexer->size && lexer->text[lexer->at] != '\n' &&
           lexer->text[lexer->at] != '\r') {
        lexer->at++;
    }
}

/* Comments nest. False if one is not closed. */
static bool skip_comment(struct sql_lexer *lexer)
{
    size_t depth = 0;
    do {
        if (lexer->at == lexer->size) {
            return false;
        }
        if (at_text(lexer, "/*")) {
            depth++;
            lexer->at += 2;
        } else if (at_text(lexer, "*/")) {
            depth--;
            lexer->at += 2;
        } else {
            lexer->at++;
        }
    } while (depth);
    return true;
}

/* Skips white space and comments; false, with the token set, if a comment is not closed. */
static bool skip_blank(struct sql_lexer *lexer, struct sql_token *token)
{
    while (lexer->at < lexer->size) {
        size_t start = lexer->at;
        if (sql_is_space(lexer->text[start])) {
            lexer->at++;
        } else if (at_text(lexer, "--")) {
            skip_line(lexer);
        } else if (at_text(lexer, "/*")) {
            if (!skip_comment(lexer)) {
                *token = (struct sql_token){.kind = SQL_TOKEN_BAD,
                                            .start = start,
                                            .end = lexer->size,
                                            .problem = "a comment (/*) is not closed"};
                return false;
            }
        } else {
            break;
        }
    }
    return true;
}

/* Returns true if a string continues after white space with a newline: 'a'
 *                                                                     'b' */
static bool skip_continuation(struct sql_lexer *lexer)
{
    struct sql_lexer ahead = *lexer;
    bool line_end = false;
    while (ahead.at < ahead.size) {
        if (sql_is_space(ahead.text[ahead.at])) {
            line_end = line_end || ahead.text[ahead.at] == '\n' || ahead.text[ahead.at] == '\r';
            ahead.at++;
        } else if (at_text(&ahead, "--")) {
            skip_line(&ahead);
        } else {
            break;
        }
    }
    if (line_end && peek_ahead(&ahead, 0) == '\'') {
        lexer->at = ahead.at + 1;
        return true;
    }
    return false;
}

/* Moves from after the opening quote to after the closing one; a doubled `quote` stands for itself.
 */
static bool skip_quoted(struct sql_lexer *lexer, char quote, bool backslashes)
{
    while (lexer->at < lexer->size) {
        char c = lexer->text[lexer->at++];
        bool escape = c == '\\' && backslashes && lexer->at < lexer->size;
        if (escape || (c == quote && peek_ahead(lexer, 0) == quote)) {
            lexer->at++;
        } else if (c == quote && !(quote == '\'' && skip_continuation(lexer))) {
            return true;
        }
    }
    return false;
}

static void quoted(struct sql_lexer *lexer, struct sql_token *token, enum sql_token_kind kind,
                   size_t prefix)
{
    char quote = lexer->text[lexer->at + prefix];
    lexer->at += prefix + 1;
    token->inner_start = lexer->at;
    token->kind = kind;
    if (!skip_quoted(lexer, quote, kind == SQL_TOKEN_ESCAPES)) {
        token->kind = SQL_TOKEN_BAD;
        token->problem =
            quote == '"' ? "a quoted name (\") is not closed" : "a string (') is not closed";
    }
    token->inner_end = lexer->at - (token->kind != SQL_TOKEN_BAD);
}

/* The letters before a quote that begin other kinds of strings. */
static const struct {
    char letter;
    enum sql_token_kind kind;
} prefixes[] = {{'E', SQL_TOKEN_ESCAPES},
                {'B', SQL_TOKEN_BITS},
                {'X', SQL_TOKEN_BITS},
                {'N', SQL_TOKEN_STRING}};

static bool prefixed(struct sql_lexer *lexer, struct sql_token *token)
{
    char letter = upper(peek_ahead(lexer, 0));
    if (letter == 'U' && peek_ahead(lexer, 1) == '&' &&
        (peek_ahead(lexer, 2) == '\'' || peek_ahead(lexer, 2) == '"')) {
        quoted(lexer, token,
               peek_ahead(lexer, 2) == '"' ? SQL_TOKEN_QUOTED_NAME : SQL_TOKEN_UNICODE, 2);
        return true;
    }
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        if (letter == prefixes[i].letter && peek_ahead(lexer, 1) == '\'') {
            quoted(lexer, token, prefixes[i].kind, 1);
            return true;
        }
    }
    return false;
}

static void word(struct sql_lexer *lexer, struct sql_token *token)
{
    token->kind = SQL_TOKEN_WORD;
    while (sql_is_name_char(peek_ahead(lexer, 0)) || peek_ahead(lexer, 0) == '$') {
        lexer->at++;
    }
}

static void skip_digits(struct sql_lexer *lexer)
{
    while (is_digit(peek_ahead(lexer, 0))) {
        lexer->at++;
    }
}

/* Reads 12, 1.5, .5 or 1e-3, but only the 1 of `1..10`. */
static void read_number(struct sql_lexer *lexer, struct sql_token *token)
{
    token->kind = SQL_TOKEN_NUMBER;
    skip_digits(lexer);
    if (peek_ahead(lexer, 0) == '.' && peek_ahead(lexer, 1) != '.') {
        lexer->at++;
        skip_digits(lexer);
    }
    if (upper(peek_ahead(lexer, 0)) == 'E') {
        size_t sign = peek_ahead(lexer, 1) == '+' || peek_ahead(lexer, 1) == '-';
        if (is_digit(peek_ahead(lexer, 1 + sign))) {
            lexer->at += 1 + sign;
            skip_digits(lexer);
        }
    }
}

/* The size of `$tag$` at the current place; 0 if there is none. */
static size_t dollar_tag(const struct sql_lexer *lexer)
{
    size_t size = 1;
    if (is_name_start(peek_ahead(lexer, size))) {
        while (sql_is_name_char(peek_ahead(lexer, size))) {
            size++;
        }
    }
    return peek_ahead(lexer, size) == '$' ? size + 1 : 0;
}

static void dollar(struct sql_lexer *lexer, struct sql_token *token)
{
    size_t tag = dollar_tag(lexer);
    if (is_digit(peek_ahead(lexer, 1))) {
        lexer->at++;
        skip_digits(lexer);
        token->kind = SQL_TOKEN_POSITION;
    } else if (!tag) {
        lexer->at++;
    } else {
        const char *opening = lexer->text + lexer->at;
        lexer->at += tag;
        token->inner_start = lexer->at;
        const char *closing =
            memmem(lexer->text + lexer->at, lexer->size - lexer->at, opening, tag);
        lexer->at = closing ? (size_t)(closing - lexer->text) + tag : lexer->size;
        token->inner_end = closing ? lexer->at - tag : lexer->at;
        token->kind = closing ? SQL_TOKEN_DOLLAR : SQL_TOKEN_BAD;
        token->problem = closing ? NULL : "a dollar-quoted string ($…$) is not closed";
    }
}

/* Reads `:name`, `:'name'` or `:"name"`. Between quotes, only a name is a parameter. */
static void read_colon(struct sql_lexer *lexer, struct sql_token *token)
{
    char next = peek_ahead(lexer, 1);
    size_t quote = next == '\'' || next == '"';
    size_t end = 1 + quote;
    if (next == ':' || next == '=') {
        lexer->at += 2;
        return;
    }
    if (is_name_start(peek_ahead(lexer, end))) {
        while (sql_is_name_char(peek_ahead(lexer, end))) {
            end++;
        }
    }
    if (end == 1 + quote || (quote && peek_ahead(lexer, end) != next)) {
        lexer->at++;
        return;
    }
    token->kind = !quote         ? SQL_TOKEN_VALUE
                  : next == '\'' ? SQL_TOKEN_LITERAL
                                 : SQL_TOKEN_IDENTIFIER;
    token->inner_start = lexer->at + 1 + quote;
    token->inner_end = lexer->at + end;
    lexer->at += end + quote;
}

struct sql_token sql_lex(struct sql_lexer *lexer)
{
    assert(lexer->at <= lexer->size);
    struct sql_token token = {.kind = SQL_TOKEN_SYMBOL};
    if (!skip_blank(lexer, &token)) {
        return token;
    }
    token.start = lexer->at;
    char c = peek_ahead(lexer, 0);
    if (lexer->at == lexer->size) {
        token.kind = SQL_TOKEN_END;
    } else if (c == '\'') {
        quoted(lexer, &token, lexer->escapes_in_strings ? SQL_TOKEN_ESCAPES : SQL_TOKEN_STRING, 0);
    } else if (c == '"') {
        quoted(lexer, &token, SQL_TOKEN_QUOTED_NAME, 0);
    } else if (is_name_start(c)) {
        if (!prefixed(lexer, &token)) {
            word(lexer, &token);
        }
    } else if (is_digit(c) || (c == '.' && is_digit(peek_ahead(lexer, 1)))) {
        read_number(lexer, &token);
    } else if (c == '$') {
        dollar(lexer, &token);
    } else if (c == ':') {
        read_colon(lexer, &token);
    } else {
        lexer->at++;
    }
    token.end = lexer->at;
    return token;
}

bool sql_token_is(const struct sql_lexer *lexer, const struct sql_token *token, const char *wanted)
{
    size_t size = strlen(wanted);
    if (token->kind != SQL_TOKEN_WORD || token->end - token->start != size) {
        return false;
    }
    for (size_t i = 0; i < size; i++) {
        if (upper(lexer->text[token->start + i]) != wanted[i]) {
            return false;
        }
    }
    return true;
}

bool sql_token_is_char(const struct sql_lexer *lexer, const struct sql_token *token, char c)
{
    assert(token->start <= token->end && token->end <= lexer->size);
    return token->kind == SQL_TOKEN_SYMBOL && token->end - token->start == 1 &&
           lexer->text[token->start] == c;
}
