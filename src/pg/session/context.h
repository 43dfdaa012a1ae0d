/*
 * Contexts: who a statement runs as and what is set, sent only where it changes.
 *
 * One prepared statement sets all: session user (where the machine ever changes it), role, and
 * every setting that the machine names; what a context does not mention gets its *base* value back
 * (what the session began with, '' for a custom setting that had none). set_config's changes
 * last to the end of the transaction or to a rollback, so the states at savepoints are kept here,
 * too.
 *
 * SQL under test may change the same by itself, and nothing tells. Where it can, which the catalog
 * knows when the backend is opened, the state is in doubt from one request to the next, and the
 * context is sent though it seems to be the same.
 *
 * This file sends nothing.
 */
#ifndef PG_CONTEXT_H
#define PG_CONTEXT_H

#include "base/strbuf.h"
#include "base/vec.h"
#include "example/backend.h"
#include "pg/session/statement.h"

#include <stdbool.h>

struct context_name {
    const char *name;
    const char *base;
    bool custom; /* with a dot: any session may make one */
    bool own;    /* we set it, as texts of values depend on it */
};

struct contexts {
    struct arena *arena;
    const char *user;   /* who connected */
    const char *role;   /* the role of contexts that name none: "none", unless settings name one */
    bool session_users; /* some context has one, or SQL under test may change it */
    bool changed;       /* SQL under test may change what is set here */
    bool doubtful;      /* and may have: `current` may not be what the server has */
    VEC(struct context_name) names;
    VEC(struct backend_setting) own; /* of these; see contexts_list_own */
    /* States: the values in the statement's order, each with a NUL. */
    struct strbuf current; /* after all that was sent */
    struct strbuf wanted;  /* being made */
    const char **values;   /* of `wanted`, for sending */
};

/* Collects the names that the machine's contexts use. */
void contexts_init(struct contexts *contexts, const struct statements *statements,
                   struct arena *arena);
/* Adds names that we set ourselves, separated by commas, which SQL under test may change. */
void contexts_add_own(struct contexts *contexts, const char *names);
/* Lists them, after the bases are set. */
void contexts_list_own(struct contexts *contexts);
/* Takes over the names and bases of another session for the same machine. */
void contexts_copy_names(struct contexts *contexts, const struct contexts *from);
void contexts_free(struct contexts *contexts);
/* After the bases are set: the current state is that of no context. */
void contexts_start(struct contexts *contexts);

/* How many parameters the statement has, and its text. */
size_t contexts_count(const struct contexts *contexts);
/* `local`: until the transaction ends. */
void contexts_sql(const struct contexts *contexts, bool local, struct strbuf *out);
/* SQL under test ran since, if any, and what follows is not to see what it left. */
void contexts_doubt(struct contexts *contexts);
/* Makes `wanted` (and `values`) out of a context, which may be NULL. True if it must be sent: it
 * differs from `current`, or `current` is in doubt. */
bool contexts_want(struct contexts *contexts, const struct backend_context *context);
/* The same of a state: a copy of `current`. */
const char *const *contexts_values(struct contexts *contexts, const char *state);
/* `wanted` was sent. */
void contexts_sent(struct contexts *contexts);

/* Whether what a statement means may depend on the context beyond its actor: search_path. */
bool context_changes_names(const struct context *context);

#endif
