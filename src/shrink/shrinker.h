/* Shared by the passes: the best trace so far, and functions to try another one. */
#ifndef SHRINK_SHRINKER_H
#define SHRINK_SHRINKER_H

#include "base/map.h"
#include "shrink/edit.h"
#include "shrink/order.h"
#include "shrink/shrink.h"

#include <assert.h>

struct shrinker {
    const struct shrink_target *target;
    const struct trace *failing; /* the original trace */
    struct trace current;        /* the best so far; moves with every accepted candidate */
    struct shrink_points points; /* of `current` */
    struct arena keep[2];        /* `current` lives in one of them */
    unsigned kept;               /* the index of that one */
    struct arena scratch;        /* for the candidates of the current attempt */
    /* Fingerprints of candidates that did not help. */
    struct map tried;
    struct map batched; /* tried in a batch (batch.h), and probably useless */
    struct shrink_stats *stats;
    uint64_t limit;            /* of attempts */
    uint64_t steps_enumerated; /* run by pass_enumerate */
    bool stopped;              /* by a budget or an error; passes return at once */
    bool failed;               /* by an error; err is set */
    struct error *err;
};

/* Begins with `failing`, which has failed when it ran. The caller sets `stats`, `limit` and `err`.
 */
void shrinker_begin(struct shrinker *shrinker, const struct shrink_target *target,
                    const struct trace *failing);
void shrinker_end(struct shrinker *shrinker);

/* Candidates, in `scratch`: a copy of the current trace to change (edit.h), and the trace without
 * steps [from, to). */
static inline struct trace shrinker_copy(struct shrinker *shrinker)
{
    return edit_copy(&shrinker->scratch, &shrinker->current);
}
static inline struct trace shrinker_without(struct shrinker *shrinker, size_t from, size_t to)
{
    return edit_remove(&shrinker->scratch, &shrinker->current, from, to);
}

/* Runs a candidate, unless it was tried before. Returns true if it fails in the same way and is
 * simpler; it is then `current`, and indices into the former trace are invalid. Candidates live in
 * `scratch`, which is emptied. */
bool shrinker_try(struct shrinker *shrinker, const struct trace *candidate);

/* The same. If the candidate fails in the same way but is not simpler, `*aside` becomes the
 * executed trace, in `arena`: steps may be removable from it that `current` needs. Otherwise
 * `*aside` has no steps. */
bool shrinker_try_aside(struct shrinker *shrinker, const struct trace *candidate,
                        struct arena *arena, struct trace *aside);

/* Runs a trace for its result; `current` stays. False if the shrinker is stopped. The result is in
 * `scratch`. */
bool shrinker_run(struct shrinker *shrinker, const struct trace *trace, struct shrink_attempt *out);
/* Returns true if the candidate was neither tried nor put into a batch, and marks it as batched. */
bool shrinker_batch_anew(struct shrinker *shrinker, const struct trace *candidate);

static inline size_t shrinker_steps(const struct shrinker *shrinker)
{
    return shrinker->current.steps.count;
}

/* Index of the first step after initialize; the steps before it are never removed. */
static inline size_t shrinker_first(const struct shrinker *shrinker)
{
    return trace_first(&shrinker->current);
}

static inline const struct choices *shrinker_choices(const struct shrinker *shrinker, size_t step)
{
    assert(step < shrinker->current.steps.count);
    return &shrinker->current.steps.items[step].choices;
}

/* The place of a choice. */
struct place {
    size_t step;
    size_t index;
};
struct places {
    VEC(struct place) items;
};

/* Returns true if there is a choice at the place: after a success there may be fewer. */
static inline bool shrinker_has(const struct shrinker *shrinker, struct place place)
{
    return place.step < shrinker_steps(shrinker) &&
           place.index < shrinker_choices(shrinker, place.step)->items.count;
}

static inline const struct choice *choice_at(const struct shrinker *shrinker, struct place place)
{
    assert(place.index < shrinker_choices(shrinker, place.step)->items.count);
    return &shrinker_choices(shrinker, place.step)->items.items[place.index];
}

/* The places of the current trace's choices for which `wanted` is true; NULL: of all. */
struct places shrinker_places(const struct shrinker *shrinker,
                              bool (*wanted)(const struct choice *choice), struct arena *arena);

#endif
