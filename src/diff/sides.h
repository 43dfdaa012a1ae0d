/*
 * A twin from the inside; twin.h says what it is. Its operations are in twin.c, course.c (the
 * set-up, the beginning, the savepoints and the end of examples) and requests.c (what is sent
 * between them).
 */
#ifndef DIFF_SIDES_H
#define DIFF_SIDES_H

#include "diff/changes.h"
#include "diff/constraints.h"
#include "diff/shared.h"
#include "diff/twin.h"

enum side_index { BEFORE, AFTER, MIGRATING, SAME, SIDES };
enum { CONTEXTS_MAX = 8 /* as whom the state is read, beside the owner */ };

struct side {
    struct backend *backend; /* NULL: there is none */
    struct pairs *pairs;     /* with the first side's values */
    int64_t epoch;
    struct loaded loaded[2];    /* when the first side and this one were loaded */
    struct backend_reads reads; /* of its relations, at the mark */
};

/* Whether the state was compared before, so that only what was written since need be read. */
enum looked {
    LOOKED_NEVER,
    LOOKED,
    LOOKED_AT_ANOTHER_SCHEMA, /* it may have changed: what relations read is not known any more */
};

/* A request on its way. */
struct asking {
    const char *asker;
    const char *rule; /* of a step that may be undone; or NULL */
    bool ordered;
    bool checks; /* it is a query that changes nothing */
    bool reads;  /* the same, of the set-up: in the other databases it may fail */
    backend_ticket tickets[SIDES];
    const struct answer *taken; /* before the guard ended; or NULL */
};

/* What is known of the guard that is open. */
struct twin_guard {
    bool open;
    bool undoes;  /* something in it may be accepted: it is taken before the guard ends */
    size_t from;  /* number of the first request in it */
    size_t pairs; /* that there were before it */
};

/* What is known where all sides have a savepoint. */
struct twin_checkpoint {
    size_t index;
    size_t pairs;    /* of the second side */
    size_t contexts; /* that the example had used */
    uint64_t step;
};

struct twin {
    struct backend backend;
    struct side sides[SIDES];
    struct twin_sides options;
    struct backend *origin; /* whose copies the other sides are */
    struct arena arena;     /* until the next set-up: pairs, what is shared */
    struct arena example;   /* until the next example */
    struct shared shared;
    struct constraints constraints;
    struct arena lasting; /* until the twin is closed: `changes` */
    struct changes changes;
    bool changes_known;
    bool marked; /* otherwise, everything goes to all sides */
    /* How the new schema answers the set-up otherwise, though both succeed; or NULL. It is told at
     * the end of the examples: what they do is compared all the same. In `arena`. */
    const struct divergence *begins;
    bool doubts;            /* compares with SAME */
    size_t known;           /* natures when it began to doubt */
    enum side_index second; /* of this example */
    uint64_t step;
    enum looked looked; /* at the state, in this example */
    const char *lost;   /* "old", "new": whose connection; or NULL */
    struct twin_guard guard;
    struct asking last; /* whose step or check it is, for what has no asker of its own */
    VEC(struct asking) asked;
    VEC(struct backend_context) contexts; /* that the example has used, each once */
    struct arena example_before;          /* spare: an example that goes on keeps its contexts */
    VEC(struct twin_checkpoint) checkpoints;
};

static inline struct twin *twin_of(struct backend *backend)
{
    return (struct twin *)(void *)backend;
}

static inline struct backend *twin_first(struct backend *backend)
{
    return twin_of(backend)->sides[BEFORE].backend;
}

/* Whether what is sent now goes to the side. */
bool twin_is_on(const struct twin *twin, size_t side);
/* Passes on what came of a call to that side; says whose connection was lost. */
bool twin_from_side(struct twin *twin, size_t side, bool ok, struct error *err);
struct comparing_sides twin_comparing(struct twin *twin, size_t side, struct arena *arena);
/* The context as the second database knows it: its settings may name values of the first one. */
const struct backend_context *twin_context_after(struct twin *twin, size_t side,
                                                 const struct backend_context *context);
/* Compares with the side, as `sides` says, what is `wanted` (shared_compare). */
bool twin_compare_with(struct twin *twin, size_t side, const struct comparing_sides *sides,
                       const bool *wanted, const struct backend_context *context,
                       struct backend_compared *out, struct error *err);
bool twin_compare_as(struct twin *twin, size_t side, const struct backend_context *context,
                     struct arena *arena, struct backend_compared *out, struct error *err);
/* Whether this example has shown something that differs by nature. */
bool twin_has_learned(const struct twin *twin);
/* Notes as whom the example acts. */
void twin_note_context(struct twin *twin, const struct backend_context *context);
/* The example goes on behind what it has asked, with that many contexts; the rest is freed. */
void twin_keep_contexts(struct twin *twin, size_t count);

/* look.c */
/* At the mark: finds out what the relations read. */
bool twin_watch(struct twin *twin, struct error *err);
/* Compares what the connecting user sees, between two steps of an example. */
bool twin_look(struct twin *twin, struct arena *arena, struct backend_compared *out,
               struct error *err);

/* course.c */
bool twin_prepare(struct backend *backend, struct diagnostics *diagnostics, struct error *err);
bool twin_open(struct backend *backend, const struct machine *machine,
               struct diagnostics *diagnostics, struct error *err);
bool twin_mark(struct backend *backend, struct error *err);
bool twin_restart(struct backend *backend, struct error *err);
bool twin_reconnect(struct backend *backend, struct error *err);
bool twin_wants_restart(struct backend *backend);
void twin_begin(struct backend *backend, bool migrates);
bool twin_reset(struct backend *backend, struct error *err);
bool twin_doubt(struct backend *backend, bool on, bool *found);
bool twin_checkpoint(struct backend *backend, size_t index, struct error *err);
bool twin_rewind(struct backend *backend, size_t *index, struct error *err);
bool twin_migrate_after(struct backend *backend, struct arena *arena, struct backend_compared *out,
                        struct error *err);
const struct backend_concerns *twin_concerns(struct backend *backend);
bool twin_changed_rows(struct backend *backend, size_t *filled, size_t *of, struct error *err);
bool twin_compare(struct backend *backend, enum backend_readers readers, struct arena *arena,
                  struct backend_compared *out, struct error *err);
/* Before a set-up: nothing is known of the databases any more. */
void twin_forget(struct twin *twin);

/* requests.c */
bool twin_accepts(struct backend *backend, const char *rule);
void twin_look_past(struct backend *backend, const struct divergence *told);
bool twin_queue(struct backend *backend, const struct backend_call *call, backend_ticket *ticket,
                struct error *err);
bool twin_queue_deferred(struct backend *backend, const struct backend_context *context,
                         bool begins, backend_ticket *ticket, struct error *err);
bool twin_guard_begin(struct backend *backend, enum backend_guard guard, struct error *err);
bool twin_guard_end(struct backend *backend, struct error *err);
bool twin_take(struct backend *backend, backend_ticket ticket, struct arena *arena,
               struct answer *out, struct error *err);
bool twin_ready(struct backend *backend, backend_ticket ticket);
size_t twin_held(struct backend *backend);
bool twin_rows(struct backend *backend, const struct key_facts *key, struct arena *arena,
               struct value *out, struct error *err);

#endif
