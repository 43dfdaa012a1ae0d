/*
 * Sequences set before each step, so that two databases which do the same draw the same numbers:
 * one whose schema has a trigger or a rejected insert more would be a number ahead for ever. No
 * rollback undoes it, but sequences.c and restore.c put sequences back from wherever they stand. In
 * a database that was named nothing does, so nothing is set there.
 *
 * A step sends one statement, without waiting. It names sequences, as an example may make them
 * anew. After DDL the catalog is asked what there is, once for each schema.
 */
#include "pg/session/queries.h"
#include "pg/session/session.h"

#include <inttypes.h>
#include <stdio.h>

enum { ALIGNMENTS_MAX = 64 };

void session_forget_alignments(struct session *session) { session->alignments.count = 0; }

static const struct alignment *find(const struct session *session)
{
    for (size_t i = 0; i < session->alignments.count; i++) {
        if (session->alignments.items[i].schema == session->schema) {
            return &session->alignments.items[i];
        }
    }
    return NULL;
}

/* Of the schema as it is, in `arena` if it is one too many. What is kept for the one at the mark is
 * prepared. */
static bool learn(struct session *session, struct arena *arena, struct alignment *out,
                  struct error *err)
{
    bool keeps = session->alignments.count < ALIGNMENTS_MAX;
    *out = (struct alignment){.schema = session->schema};
    if (!wire_drain(&session->wire, err)) {
        return false;
    }
    if (session->failed) {
        return true;
    }
    if (!session_value(session, query_align, NULL, keeps ? &session->arena : arena, &out->sql,
                       err)) {
        return false;
    }
    if (!keeps) {
        return true;
    }
    bool prepares = out->sql && session->schema == session->at_mark.schema && !session->deallocated;
    if (prepares) {
        (void)snprintf(out->name, sizeof out->name, "pgfsm_align_%zu", ++session->aligned);
    }
    *VEC_PUSH(&session->arena, &session->alignments) = *out;
    return !prepares || wire_parse(&session->wire, out->name, out->sql,
                                   session_fixed_call(session, FIXED_ALIGN), err);
}

static bool send(struct session *session, const struct alignment *alignment, uint64_t step,
                 struct error *err)
{
    char number[24];
    const char *value = number;
    const struct wire_params params = {.count = 1, .values = &value};
    const struct wire_call call = session_fixed_call(session, FIXED_ALIGN);
    (void)snprintf(number, sizeof number, "%" PRIu64, step);
    return *alignment->name && !session->deallocated
               ? wire_execute(&session->wire, alignment->name, &params, call, err)
               : wire_run(&session->wire, alignment->sql, &params, call, err);
}

static bool set_sequences(struct session *session, uint64_t step, struct error *err)
{
    struct arena arena = {0};
    struct alignment learnt;
    const struct alignment *alignment = find(session);
    bool done = alignment || learn(session, &arena, &learnt, err);
    alignment = alignment ? alignment : &learnt;
    done = done && (!alignment->sql || send(session, alignment, step, err));
    arena_free(&arena);
    return done;
}

/* As the connecting user, whose sequences and tables they are. */
bool session_align(struct backend *backend, uint64_t step, struct error *err)
{
    struct session *session = session_of(backend);
    const struct alignment *known = find(session);
    bool nothing = known && !known->sql && !session->options.perturbed;
    if (!session->scratch.target || session->failed || nothing) {
        return true;
    }
    if (!session_begin_check(session, err)) {
        return false;
    }
    contexts_doubt(&session->contexts);
    return session_context(session, NULL, err) && set_sequences(session, step, err) &&
           session_rearrange(session, err);
}
