/*
 * Tokens of the model language. token.c has the tables of their spellings, and of Python's
 * spellings that this language lacks, with replacements.
 */
#ifndef LANG_TOKEN_H
#define LANG_TOKEN_H

#include "value/value.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum token_kind {
    TOKEN_ERROR, /* the lexer's error is set */
    TOKEN_END,
    TOKEN_NEWLINE,
    TOKEN_INDENT,
    TOKEN_DEDENT,
    TOKEN_NAME,
    TOKEN_LITERAL, /* number, string or bytes: `value` */

    TOKEN_AND,
    TOKEN_BREAK,
    TOKEN_CONTINUE,
    TOKEN_DEF,
    TOKEN_ELIF,
    TOKEN_ELSE,
    TOKEN_FOR,
    TOKEN_IF,
    TOKEN_IN,
    TOKEN_IS,
    TOKEN_LAMBDA,
    TOKEN_NOT,
    TOKEN_OR,
    TOKEN_PASS,
    TOKEN_RETURN,

    TOKEN_LPAREN,
    TOKEN_RPAREN,
    TOKEN_LBRACKET,
    TOKEN_RBRACKET,
    TOKEN_LBRACE,
    TOKEN_RBRACE,
    TOKEN_COMMA,
    TOKEN_COLON,
    TOKEN_SEMICOLON,
    TOKEN_DOT,

    TOKEN_PLUS,
    TOKEN_MINUS,
    TOKEN_STAR,
    TOKEN_STAR_STAR, /* in calls and parameters only */
    TOKEN_SLASH,
    TOKEN_SLASH_SLASH,
    TOKEN_PERCENT,
    TOKEN_AMPERSAND,
    TOKEN_PIPE,
    TOKEN_CARET,
    TOKEN_SHIFT_LEFT,
    TOKEN_SHIFT_RIGHT,
    TOKEN_TILDE,

    TOKEN_LESS,
    TOKEN_GREATER,
    TOKEN_LESS_EQUAL,
    TOKEN_GREATER_EQUAL,
    TOKEN_EQUAL_EQUAL,
    TOKEN_NOT_EQUAL,

    TOKEN_ASSIGN,
    TOKEN_PLUS_ASSIGN, /* from here on as in enum binary_op */
    TOKEN_MINUS_ASSIGN,
    TOKEN_STAR_ASSIGN,
    TOKEN_SLASH_ASSIGN,
    TOKEN_SLASH_SLASH_ASSIGN,
    TOKEN_PERCENT_ASSIGN,
    TOKEN_AMPERSAND_ASSIGN,
    TOKEN_PIPE_ASSIGN,
    TOKEN_CARET_ASSIGN,
    TOKEN_SHIFT_LEFT_ASSIGN,
    TOKEN_SHIFT_RIGHT_ASSIGN,

    TOKEN_KINDS
};

struct token {
    enum token_kind kind;
    uint32_t pos;       /* bytes from the snippet's start */
    uint32_t end;       /* after its last byte */
    struct value value; /* of a literal */
};

/* A spelling of Python or another language that is refused, and its replacement. */
struct refusal {
    const char *text;
    const char *message;
    const char *hint;
};

/* How a token of the kind reads in messages: "'('", "a name", "the end of the line". */
const char *token_kind_text(enum token_kind kind);
/* The keyword, or TOKEN_NAME for any other word. */
enum token_kind token_keyword(const char *word, size_t size);
/* The reserved word's refusal, or NULL. */
const struct refusal *token_refused_word(const char *word, size_t size);
/* The longest punctuation that `text` starts with, and its size in *length; TOKEN_ERROR if there is
 * none. */
enum token_kind token_punctuation(const char *text, size_t size, size_t *length);
/* A refused spelling that `text` starts with, such as `++` or `&&`; NULL if none. */
const struct refusal *token_refused_punctuation(const char *text, size_t size);
/* The replacement for a name or a function of another language or library, or for a method that no
 * type has here; NULL if none is known. */
enum foreign { FOREIGN_NAME, FOREIGN_FUNCTION, FOREIGN_METHOD };
const char *token_hint(enum foreign kind, const char *name);

/* The size of the letter, digit or _ that `text` starts with; 0 if it starts with another
 * character. Digits do not count if this is a name's `first` character. */
size_t name_character(const char *text, size_t size, bool first);

#endif
