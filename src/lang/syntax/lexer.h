/*
 * Lexer: a snippet's text to tokens, one at a time.
 *
 * Newlines and indentation are tokens, as in Python. Inside brackets, and everywhere in an
 * expression (`layout` LEX_EXPRESSION), a newline is a space. Literals become values. After the
 * first mistake, every token is TOKEN_ERROR.
 */
#ifndef LANG_LEXER_H
#define LANG_LEXER_H

#include "base/arena.h"
#include "base/error.h"
#include "base/source.h"
#include "lang/syntax/token.h"

enum { LEX_NESTING_MAX = 200 };

enum lex_layout { LEX_STATEMENTS, LEX_EXPRESSION };

struct lexer {
    const struct snippet *snippet;
    struct arena *arena; /* of the literals' values */
    struct error *err;
    const char *text;
    uint32_t size;
    uint32_t at;
    bool failed;
    bool line_start; /* the next token is preceded by indentation */
    bool line_empty; /* no token on this line yet, so its end is not a NEWLINE */
    enum lex_layout layout;
    unsigned dedents; /* pending */
    unsigned indent_count;
    uint32_t indents[LEX_NESTING_MAX + 1];
    unsigned bracket_count;
    uint32_t brackets[LEX_NESTING_MAX]; /* where they were opened */
};

/* False with err if the text is not UTF-8, holds a NUL, or is larger than 2^31 bytes. */
bool lexer_begin(struct lexer *lexer, const struct snippet *snippet, enum lex_layout layout,
                 struct arena *arena, struct error *err);
void lexer_next(struct lexer *lexer, struct token *token);
/* lex_literal.c: sets the error, with its position, if it is the first one, and makes every further
 * token TOKEN_ERROR. Always false. */
bool lexer_fail(struct lexer *lexer, uint32_t pos, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same, with a hint (may be NULL). */
bool lexer_vfail(struct lexer *lexer, uint32_t pos, const char *hint, const char *format,
                 va_list args) __attribute__((format(printf, 4, 0)));
/* Reads a number, or a string or bytes literal, at lexer->at; false after lexer_fail. */
bool lexer_number(struct lexer *lexer, struct token *token);
/* The size of the prefix (r, b, rb, br, or a refused one: f, u) if a string starts here. */
bool lexer_string_starts(const struct lexer *lexer, uint32_t *prefix_size);
bool lexer_string(struct lexer *lexer, uint32_t prefix_size, struct token *token);

#endif
