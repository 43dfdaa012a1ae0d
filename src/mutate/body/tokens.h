/* A body as tokens, and the edits that are found in it. */
#ifndef MUTATE_TOKENS_H
#define MUTATE_TOKENS_H

#include "mutate/body.h"
#include "mutate/body/operators.h"
#include "sql/tokens.h"

enum body_mark {
    BODY_FROZEN = 1, /* not to be edited */
    BODY_RANGE = 2,  /* the AND of BETWEEN */
    BODY_SET = 4,    /* the = of UPDATE's SET */
};

struct body {
    struct sql_list sql;
    const char *others; /* see body_edits */
    bool keeps_names;   /* what it selects has names that others know */
    struct body_edits *out;
};

/* Whether the token has one of the marks. */
bool body_has(const struct body *body, size_t index, unsigned marks);

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
