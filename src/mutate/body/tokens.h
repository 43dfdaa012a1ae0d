/*
 * A body as tokens, and the edits that are found in it.
 *
 * Unlike those of sql/lex.h, an operator is one token, however long, and so is `..`.
 * Indexes behind the last token are allowed: nothing stands there.
 */
#ifndef MUTATE_TOKENS_H
#define MUTATE_TOKENS_H

#include "mutate/body.h"
#include "mutate/body/operators.h"
#include "sql/lex.h"

enum body_mark {
    BODY_FROZEN = 1, /* not to be edited */
    BODY_RANGE = 2,  /* the AND of BETWEEN */
    BODY_SET = 4,    /* the = of UPDATE's SET */
};

struct body_token {
    enum sql_token_kind kind;
    unsigned marks;
    size_t start;
    size_t end;
    /* A word in upper case, a symbol or an operator; "" for anything else, and for a word that is
     * a name, as it follows a dot or AS. */
    const char *word;
    size_t mate; /* of a bracket, CASE and END: the other one; otherwise its own index */
};

struct body {
    const char *text;
    size_t size;
    const char *others; /* see body_edits */
    bool keeps_names;   /* what it selects has names that others know */
    struct arena *arena;
    struct body_edits *out;
    VEC(struct body_token) tokens;
};

/* Reads the text. False if something in it is not closed. */
bool body_read(struct body *body);
/* Finds the mates of the tokens [from, to). False if there is one without. */
bool body_match(struct body *body, size_t from, size_t to);

/* "" where there is no token. */
const char *body_word(const struct body *body, size_t index);
bool body_is(const struct body *body, size_t index, const char *word);
bool body_is_kind(const struct body *body, size_t index, enum sql_token_kind kind);
/* Whether the token has one of the marks. */
bool body_has(const struct body *body, size_t index, unsigned marks);
/* The index behind the token, or behind what it opens. */
size_t body_after(const struct body *body, size_t index);
/* The bracket that holds the token, or CASE; the token itself if there is none. */
size_t body_opening(const struct body *body, size_t index);
/* The first token with that word in [from, to), outside of brackets and CASE … END; `to` if there
 * is none. It needs no mates. */
size_t body_find(const struct body *body, size_t from, size_t to, const char *word);

/* The bytes of the tokens [from, to). */
char *body_text(const struct body *body, size_t from, size_t to);
/* The keyword in the case of the token's. */
const char *body_cased(const struct body *body, size_t index, const char *keyword);

void body_add(struct body *body, enum body_operator_id id, size_t start, size_t end,
              const char *replacement);
/* Removes everything from the token's first byte to the other one's first byte. */
void body_remove(struct body *body, enum body_operator_id id, size_t from, size_t to);
/* Removes the tokens [from, to), and the white space before them. */
void body_cut(struct body *body, enum body_operator_id id, size_t from, size_t to);
/* Replaces the tokens [from, to). */
void body_replace(struct body *body, enum body_operator_id id, size_t from, size_t to,
                  const char *replacement);

#endif
