/*
 * Statements: templates as they go to the server.
 *
 * A statement is a template for one *actor*: the user it runs as (session user and role). Plans
 * depend on the actor where row security does, so each actor's copy is prepared under a name of its
 * own and keeps its plan.
 *
 * Where the machine changes the schema itself, what a statement means depends on the *schema*, too,
 * a number that stands for the DDL that ran before it: a column's type may be another one, and so
 * the parameter's, or a table may be there only now. The statement as it was prepared first then
 * has *variants*, each prepared under its own name where the schema is first met: an example that
 * does the same DDL later finds it ready, though the table is another one by then. (The server
 * parses a kept statement again where what it names has changed, by name, with the types of
 * parameters that it had.)
 *
 * This file sends nothing.
 */
#ifndef PG_STATEMENT_H
#define PG_STATEMENT_H

#include "base/strbuf.h"
#include "base/vec.h"
#include "machine/machine.h"
#include "pg/types/types.h"
#include "value/value.h"

#include <libpq-fe.h>

enum statement_state {
    STATEMENT_NEW,      /* not prepared yet */
    STATEMENT_PREPARED, /* under its name, its parameters' types known */
    STATEMENT_LATER,    /* refused or stale, which DDL of the machine may change: by variants */
    STATEMENT_VOLATILE, /* can't be kept: parsed anew for every call (text differs, stale plan) */
};

struct statement {
    const struct sql_template *sql;
    size_t actor; /* index in statements.actors */
    enum statement_state state;
    uint64_t schema; /* in which it was prepared; of a variant: for which it is */
    char name[72];
    size_t param_count;
    uint32_t *params;       /* types, by order of the values */
    bool taken;             /* the server took it, or a variant of it, in the schema at the mark */
    bool no_value;          /* it returns no column, or one of type void first */
    struct statement *next; /* of the same template; of a variant: the next one */
    struct statement *base; /* of a variant; else NULL */
    struct statement *variants;
    size_t variant_count;
};

/* A statement that the session keeps prepared, as an application does: as it ran first. */
struct held_statement {
    const struct statement *base;
    struct statement *used; /* it or a variant */
    uint64_t schema;        /* in which it ran first */
};

struct actor {
    const char *session_user; /* NULL: who connected */
    const char *role;         /* NULL: the session user */
    bool ran;                 /* a statement was sent as it */
};

/* A place where a machine uses a template. */
enum use_kind { USE_DATASET, USE_INITIALIZE, USE_RULE, USE_INVARIANT };
struct use {
    enum use_kind kind;
    const struct sql_template *sql;
    const struct context *context; /* or NULL */
    bool feeds;                    /* its first column goes to a target */
};

struct statements {
    struct arena *arena;
    VEC(struct use) uses;     /* all of the machine's statements, in order */
    VEC(struct actor) actors; /* 0: the connecting user */
    struct statement **by_template;
    size_t template_count;
    VEC(struct held_statement) held; /* in this example and on this connection, in order */
    /* There is a migration: few schemas, each met again and again. So every statement is prepared
     * for each of them, and a plan that gets stale in one is still good in the others. */
    bool few_schemas;
};

/* Whether it runs before the rules. */
static inline bool use_sets_up(const struct use *use)
{
    return use->kind == USE_DATASET || use->kind == USE_INITIALIZE;
}

/* Lists the machine's statements, and prepares none. */
void statements_init(struct statements *statements, const struct machine *machine,
                     struct arena *arena);
/* The actor of a use; false if it is known only when the use runs. */
bool use_actor(const struct use *use, struct actor *out);
/* The actor's index; a new one is added. Its names are copied. */
size_t statements_actor(struct statements *statements, const struct actor *actor);
/* The template's statement for the actor, which is made if it is new. */
struct statement *statements_get(struct statements *statements, const struct sql_template *sql,
                                 size_t actor);
/* Whether the server took the actor's statement in the schema at the mark. */
bool statements_taken(const struct statements *statements, const struct sql_template *sql,
                      const struct actor *actor);
/* The statement itself or its variant, whichever fits the schema. */
struct statement *statements_in_schema(struct statements *statements, struct statement *statement,
                                       uint64_t schema);
/* The same for an application that keeps it prepared: as it ran first. `*outlives`: the schema has
 * changed since. */
struct statement *statements_hold(struct statements *statements, struct statement *statement,
                                  uint64_t schema, bool *outlives);
/* The server refused it, or its plan no longer fits what it is about. `may_change`: the machine has
 * DDL. A variant that gets stale is the last of them: what it is about is made anew each time. */
void statement_refused(struct statement *statement, bool may_change);
void statement_stale(const struct statements *statements, struct statement *statement,
                     bool may_change);
/* The schema after a statement of DDL: of its template, or of what it became by pasting. */
uint64_t schema_after(uint64_t schema, const struct sql_template *sql, const struct strbuf *text);
/* The server forgot all of them. */
void statements_forget(struct statements *statements);

/* Appends the text for the server: $n for values, pasted values quoted by libpq for the connection.
 * `values` has one per piece that is no SQL_TEXT; it may be NULL where nothing is pasted. False: a
 * value that can't be pasted. */
struct statement_sink {
    PGconn *conn; /* may be NULL if nothing is pasted */
    struct strbuf *text;
    uint32_t
        *widths; /* gets how many characters stand for each piece that is no SQL_TEXT; or NULL */
};
bool statement_text(const struct sql_template *sql, const struct value *values,
                    const struct statement_sink *out, struct error *err);
/* Pieces that are no SQL_TEXT. */
size_t statement_slots(const struct sql_template *sql);

/* Where character `position` (from 1) of the sent text stands in the template's snippet, from 1 in
 * characters; 0 stays 0. `widths` as statement_text gave them; NULL where nothing was pasted. */
int statement_position(const struct sql_template *sql, int position, const uint32_t *widths);
/* The same place in the file. */
struct source_pos statement_place(const struct sql_template *sql, int snippet_position);

#endif
