/*
 * A text of SQL as a list of tokens, with the brackets that belong together.
 *
 * Unlike those of sql/lex.h, an operator is one token, however long, and so is `..`. Indexes behind
 * the last token are allowed: nothing stands there.
 */
#ifndef SQL_TOKENS_H
#define SQL_TOKENS_H

#include "base/vec.h"
#include "sql/lex.h"

struct sql_listed {
    enum sql_token_kind kind;
    unsigned marks; /* those of whoever reads the text */
    size_t start, end;
    size_t inner_start, inner_end; /* as in struct sql_token */
    /* A word in upper case, a symbol or an operator; "" for anything else. */
    const char *word;
    bool is_name; /* a word that follows a dot or AS: no keyword */
    size_t mate;  /* of a bracket, CASE and END: the other one; otherwise its own index */
};

struct sql_list {
    const char *text;
    size_t size;
    struct arena *arena;
    VEC(struct sql_listed) tokens;
};

/* Reads the text. False if something in it is not closed. */
bool sql_list_read(struct sql_list *list);
/* Finds the mates of the tokens [from, to). False if there is one without. */
bool sql_list_match(struct sql_list *list, size_t from, size_t to);

/* "" where there is no token, and for a name. */
const char *sql_word(const struct sql_list *list, size_t index);
bool sql_is(const struct sql_list *list, size_t index, const char *word);
bool sql_is_kind(const struct sql_list *list, size_t index, enum sql_token_kind kind);
/* Whether the token is that text, as it is written. */
bool sql_is_text(const struct sql_list *list, size_t index, const char *text);
/* The index behind the token, or behind what it opens. */
size_t sql_after(const struct sql_list *list, size_t index);
/* The bracket that holds the token, or CASE; the token itself if there is none. */
size_t sql_opening(const struct sql_list *list, size_t index);
/* The first token with that word in [from, to), outside of brackets and CASE … END; `to` if there
 * is none. It needs no mates. */
size_t sql_find(const struct sql_list *list, size_t from, size_t to, const char *word);

#endif
