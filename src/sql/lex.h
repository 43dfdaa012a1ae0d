/*
 * Tokens of SQL, as PostgreSQL 15's and psql's scanners see them (manual, section 4.1; psql's
 * manual page, "Variables"). White space and comments are between tokens. Nothing is copied: a
 * token is a range of bytes.
 *
 * This module must not know statements: machine/sql/sql.c groups tokens.
 */
#ifndef SQL_LEX_H
#define SQL_LEX_H

#include <stdbool.h>
#include <stddef.h>

enum sql_token_kind {
    SQL_TOKEN_END,
    SQL_TOKEN_WORD,        /* a name or keyword without quotes */
    SQL_TOKEN_QUOTED_NAME, /* "…", U&"…" */
    SQL_TOKEN_STRING,      /* '…', N'…': only '' is an escape */
    SQL_TOKEN_ESCAPES,     /* E'…', or '…' if standard_conforming_strings is off */
    SQL_TOKEN_UNICODE,     /* U&'…' */
    SQL_TOKEN_BITS,        /* B'…', X'…' */
    SQL_TOKEN_DOLLAR,      /* $tag$…$tag$ */
    SQL_TOKEN_NUMBER,
    SQL_TOKEN_POSITION,   /* $1 */
    SQL_TOKEN_VALUE,      /* :name */
    SQL_TOKEN_LITERAL,    /* :'name' */
    SQL_TOKEN_IDENTIFIER, /* :"name" */
    SQL_TOKEN_SYMBOL,     /* any other character; `::` and `:=` are one */
    SQL_TOKEN_BAD,        /* something that is not closed, see `problem`; the last token */
};

struct sql_token {
    enum sql_token_kind kind;
    size_t start; /* bytes from the text's start */
    size_t end;
    size_t inner_start; /* in strings and parameters: without quotes, prefix and colon; in a */
    size_t
        inner_end; /* continued string ('a' 'b' on two lines): from the first to the last quote */
    const char *problem;
};

struct sql_lexer {
    const char *text;
    size_t size;
    size_t at;
    bool escapes_in_strings; /* standard_conforming_strings is off */
};

struct sql_token sql_lex(struct sql_lexer *lexer);
/* Returns true if the token is that word, ignoring case; `word` is upper case. */
bool sql_token_is(const struct sql_lexer *lexer, const struct sql_token *token, const char *word);
/* Returns true if the token is that one character. */
bool sql_token_is_char(const struct sql_lexer *lexer, const struct sql_token *token, char c);
/* Returns true if a name may contain the character after its first one (without PostgreSQL's `$`).
 */
bool sql_is_name_char(char c);
bool sql_is_space(char c);

#endif
