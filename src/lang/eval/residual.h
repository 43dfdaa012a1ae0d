/*
 * Partial evaluation: what is left of an expression when one of the step's locals (`result`) is not
 * known, and all else is. With n = 2 of `result.value == n + 1` there remains `result.value == 3`.
 *
 * Whoever has to say in another language what an expression asks of that local (a replay script, in
 * SQL) starts from here.
 */
#ifndef LANG_RESIDUAL_H
#define LANG_RESIDUAL_H

#include "lang/lang.h"
#include "lang/syntax/ast.h"

enum residual_kind {
    RESIDUAL_VALUE,    /* `value` */
    RESIDUAL_LOCAL,    /* the local that is not known */
    RESIDUAL_VARIABLE, /* `name`, a variable of the RESIDUAL_EACH around it */
    RESIDUAL_ATTR,     /* parts[0].name */
    RESIDUAL_INDEX,    /* parts[0][parts[1]] */
    RESIDUAL_NOT,
    RESIDUAL_MINUS,
    RESIDUAL_BINARY, /* parts[0] op parts[1] */
    RESIDUAL_AND,    /* two parts or more */
    RESIDUAL_OR,
    RESIDUAL_CALL,   /* of a builtin: name(parts…) */
    RESIDUAL_METHOD, /* parts[0].name(parts[1], …) */
    /* [parts[0] for names in parts[1] if parts[2] if …]: a list, or a generator */
    RESIDUAL_EACH,
};

struct residual {
    enum residual_kind kind;
    enum binary_op op;
    const char *name;
    struct value value;
    /* RESIDUAL_EACH: the variables; `unpacks`: each item is taken apart into them. */
    const char *const *names;
    size_t name_count;
    bool unpacks;
    const struct residual *const *parts;
    size_t count;
};

/* What is left of an expression's code where the local `slot` is not known. NULL: it has parts that
 * this can't keep apart (a function of the model that is given the local, a slice of it), or a part
 * of it can't be evaluated. Values keep their origin; where one with an origin is a part of a sum,
 * the sum is left as it stands. All of it is in `arena`; `locals` are those of lang_eval. */
const struct residual *lang_residual(struct lang_state *state, const struct lang_code *code,
                                     struct value *locals, size_t slot, struct arena *arena);

#endif
