/*
 * SQL text as a list of tokens, with matching brackets.
 *
 * Unlike in sql/lex.h, an operator is one token, and so is `..`. Indexes past the last token are
 * allowed and mean that there is no token.
 */
#ifndef SQL_TOKENS_H
#define SQL_TOKENS_H

#include "base/vec.h"
#include "sql/lex.h"

struct sql_listed {
    enum sql_token_kind kind;
    unsigned marks; /* for the code that reads the text */
    size_t start, end;
    size_t inner_start, inner_end; /* as in struct sql_token */
    /* A word in upper case, a symbol or an operator; "" for anything else. */
    const char *word;
    bool is_name; /* a word after a dot or AS, which is not a keyword */
    size_t mate;  /* the matching bracket, CASE or END; for other tokens, their own index */
};

struct sql_list {
    const char *text;
    size_t size;
    struct arena *arena;
    VEC(struct sql_listed) tokens;
};

/* Reads the text. False if something in it is not closed. */
bool sql_list_read(struct sql_list *list);
/* Finds the mates of the tokens [from, to). False if one has none. */
bool sql_list_match(struct sql_list *list, size_t from, size_t to);

/* The token's word; "" for a name, and past the last token. */
const char *sql_word(const struct sql_list *list, size_t index);
bool sql_is(const struct sql_list *list, size_t index, const char *word);
bool sql_is_kind(const struct sql_list *list, size_t index, enum sql_token_kind kind);
/* Returns true if the token is exactly that text. */
bool sql_is_text(const struct sql_list *list, size_t index, const char *text);
/* The index after the token, or after the bracket or CASE that it opens. */
size_t sql_after(const struct sql_list *list, size_t index);
/* The bracket that holds the token, or CASE; the token itself if there is none. */
size_t sql_opening(const struct sql_list *list, size_t index);
/* The first token with that word in [from, to), outside of brackets and CASE … END; `to` if there
 * is none. It needs no mates. */
size_t sql_find(const struct sql_list *list, size_t from, size_t to, const char *word);

#endif
