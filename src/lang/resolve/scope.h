/*
 * Scopes, while names are resolved: the variables that are visible at a place, and where they will
 * be at run time.
 *
 * A *scope* is a function (or a snippet's own code) and has the frame's slots. A *names block* is
 * the part of it in which a variable is visible: the function's, or a comprehension's. A variable
 * that an inner function reads moves from its slot to a cell, and so do the names already resolved
 * to the slot.
 */
#ifndef LANG_SCOPE_H
#define LANG_SCOPE_H

#include "lang/resolve/module.h"
#include "lang/resolve/resolve.h"

struct variable {
    const char *name;
    struct variable *next; /* in its block */
    struct scope *scope;
    enum binding binding; /* BIND_LOCAL, BIND_CELL or BIND_STEP */
    uint32_t slot;        /* of the frame or of the step's locals */
    int32_t cell;         /* -1 if no inner function reads it */
    struct expr *uses;    /* names resolved to it in its own scope */
};

struct names_block {
    struct names_block *outer; /* may be of an outer scope */
    struct scope *scope;
    struct variable *variables;
};

struct scope {
    struct scope *outer;
    struct function *function;
    VEC(struct variable *) captured; /* as function->captures */
    VEC(struct variable *) cells;    /* by cell */
};

/* How the code uses a name or a function. */
enum role {
    ROLE_VALUE,  /* any way */
    ROLE_CALLED, /* f(…) */
    ROLE_PASSED, /* to a function that calls it but does not keep it: sorted(key=f) */
    ROLE_BOUND,  /* `name = lambda …` of a global */
};

struct resolver {
    const struct resolve_job *job;
    struct scope *scope;
    struct names_block *block;
    struct names_block *outermost; /* of the snippet: the step's locals are in it */
    const struct expr_call *call;  /* whose callee has ROLE_CALLED */
    VEC(struct lang_text_call) text_calls;
};

/* Adds a variable of the frame to this block, or a local of the step to the outermost block. */
struct variable *scope_add_local(struct resolver *resolver, const char *name);
struct variable *scope_add_step(struct resolver *resolver, const char *name, size_t slot);
/* Searches only this block. */
struct variable *block_find(const struct names_block *block, const char *name);
/* Resolves a name that is read or assigned; false with err if it is unknown. */
bool scope_read(struct resolver *resolver, struct expr *name, enum role role);
bool scope_assign(struct resolver *resolver, struct expr *name);
/* Fills in what is known only at a function's end. */
void scope_finish(struct resolver *resolver);

/* unknown.c: sets the error with its position; always false. */
bool resolver_fail(struct resolver *resolver, uint32_t pos, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Reports an unknown name, with a suggestion; always false. */
bool scope_unknown(struct resolver *resolver, const struct expr *name, enum role role);
#endif
