/*
 * Edits of bodies: the small faults that can be put into the text of an expression, a query or a
 * PL/pgSQL function.
 *
 * An edit replaces one range of bytes, between tokens, and nothing else. It follows tokens and the
 * outline of statements, not PostgreSQL's grammar: the server may refuse what comes out. In doubt
 * it leaves a text alone: in a body that is not understood as a whole there are no edits.
 *
 * Never edited: comments, strings that are names or parts of types (nextval('a'), interval '1
 * day'), what EXECUTE runs, RAISE, type modifiers, assignments and named arguments; names, but
 * those of columns and parameters of one type.
 */
#ifndef MUTATE_BODY_H
#define MUTATE_BODY_H

#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>

enum body_kind {
    BODY_EXPRESSION, /* of a policy, a CHECK, a trigger's WHEN, an index's predicate, a default */
    BODY_QUERY,      /* an SQL function's statements, or its BEGIN ATOMIC or RETURN */
    BODY_ROWS,       /* the same, of a function that returns a set */
    BODY_VIEW,       /* a query whose columns keep their names */
    BODY_PLPGSQL,
    BODY_KINDS
};
extern const char *const body_kind_names[BODY_KINDS]; /* "expression", "query", … */

struct body_operator {
    const char *name;     /* "drop-conjunct" */
    const char *what;     /* for a list of operators */
    bool concerns_others; /* only what runs at the same time can notice: it drops locks */
};
/* All operators; the last one's name is NULL. */
extern const struct body_operator body_operators[];

struct body_edit {
    const struct body_operator *op;
    size_t start; /* bytes from the text's start; equal to `end` where something is inserted */
    size_t end;
    const char *replacement; /* in the arena; "": the range is removed */
};
struct body_edits {
    VEC(struct body_edit) items;
};

/* Adds the edits of a text, in its order. `others`: names that can be mistaken for others, a line
 * for each: "table.column other", ".parameter other"; the same name where there is none. */
void body_edits(enum body_kind kind, const char *text, size_t size, const char *others,
                struct arena *arena, struct body_edits *out);
/* The text with one edit in it. */
char *body_edited(const char *text, size_t size, const struct body_edit *edit, struct arena *arena);

#endif
