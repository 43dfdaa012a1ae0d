/*
 * Scopes, while names are resolved: which variables a place sees, and where each will be at run
 * time.
 *
 * A *scope* is a function (or a snippet's own code) and has the frame's slots; a *names block* is a
 * part of it in which variables are known: the function's own, or a comprehension's. A variable
 * that an inner function reads moves from its slot to a cell; the names that were resolved to
 * the slot before that are changed then.
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
    int32_t cell;         /* -1: no inner function reads it */
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

/* How a name or function is used where it stands. */
enum role {
    ROLE_VALUE,  /* any way */
    ROLE_CALLED, /* f(…) */
    ROLE_PASSED, /* to a function that calls it and forgets it: sorted(key=f) */
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

/* A variable of the frame, in this block; a local of the step, in the outermost one. */
struct variable *scope_add_local(struct resolver *resolver, const char *name);
struct variable *scope_add_step(struct resolver *resolver, const char *name, size_t slot);
/* In this block only. */
struct variable *block_find(const struct names_block *block, const char *name);
/* Resolves a name as reading or assigning; false with err where nothing has it. */
bool scope_read(struct resolver *resolver, struct expr *name, enum role role);
bool scope_assign(struct resolver *resolver, struct expr *name);
/* Fills in what is known only at a function's end. */
void scope_finish(struct resolver *resolver);

/* unknown.c: sets the error with its position; always false. */
bool resolver_fail(struct resolver *resolver, uint32_t pos, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Reports a name that nothing has, with what may have been meant; always false. */
bool scope_unknown(struct resolver *resolver, const struct expr *name, enum role role);
#endif
