/* What the passes share: the best trace so far, and the way to try another one. */
#ifndef SHRINK_SHRINKER_H
#define SHRINK_SHRINKER_H

#include "base/map.h"
#include "shrink/edit.h"
#include "shrink/order.h"
#include "shrink/shrink.h"

#include <assert.h>

struct shrinker {
    const struct shrink_target *target;
    const struct trace *failing; /* as it was found */
    struct trace current;        /* the best so far; moves with every accepted candidate */
    struct shrink_points points; /* of `current` */
    struct arena keep[2];        /* `current` lives in one of them */
    unsigned kept;               /* which */
    struct arena scratch;        /* candidates of the attempt that runs */
    /* Fingerprints of candidates that are known to lead nowhere. */
    struct map tried;
    struct map batched; /* tried along with others (batch.h): most likely nothing */
    struct shrink_stats *stats;
    uint64_t limit;            /* of attempts */
    uint64_t steps_enumerated; /* that pass_enumerate has run */
    bool stopped;              /* by a budget or an error: passes return at once */
    bool failed;               /* by an error: err is set */
    struct error *err;
};

/* Holds `failing`, which has been seen to fail. `stats`, `limit` and `err` are the caller's to set.
 */
void shrinker_begin(struct shrinker *shrinker, const struct shrink_target *target,
                    const struct trace *failing);
void shrinker_end(struct shrinker *shrinker);

/* Candidates, in `scratch`: the current trace, to be changed (edit.h); and without steps
 * [from, to). */
static inline struct trace shrinker_copy(struct shrinker *shrinker)
{
    return edit_copy(&shrinker->scratch, &shrinker->current);
}
static inline struct trace shrinker_without(struct shrinker *shrinker, size_t from, size_t to)
{
    return edit_remove(&shrinker->scratch, &shrinker->current, from, to);
}

/* Runs a candidate unless it is known. True: it fails the same way and is simpler, and is `current`
 * now; indices into the former trace mean nothing then. Candidates live in `scratch`, which is
 * emptied. */
bool shrinker_try(struct shrinker *shrinker, const struct trace *candidate);

/* The same. Where a candidate fails the same way and is no simpler, what was executed goes to
 * `*aside`, in `arena`: something may be left out of it that `current` needs. Else that has no
 * steps. */
bool shrinker_try_aside(struct shrinker *shrinker, const struct trace *candidate,
                        struct arena *arena, struct trace *aside);

/* Runs a trace for what it shows; `current` stays. False: the shrinker is stopped. What comes back
 * is in `scratch`. */
bool shrinker_run(struct shrinker *shrinker, const struct trace *trace, struct shrink_attempt *out);
/* Whether the candidate was neither tried nor put into a batch; from now on it was. */
bool shrinker_batch_anew(struct shrinker *shrinker, const struct trace *candidate);

static inline size_t shrinker_steps(const struct shrinker *shrinker)
{
    return shrinker->current.steps.count;
}

/* Index of the first step that is no initialize step: those before it are never removed. */
static inline size_t shrinker_first(const struct shrinker *shrinker)
{
    return trace_first(&shrinker->current);
}

static inline const struct choices *shrinker_choices(const struct shrinker *shrinker, size_t step)
{
    assert(step < shrinker->current.steps.count);
    return &shrinker->current.steps.items[step].choices;
}

/* Where a choice stands. */
struct place {
    size_t step;
    size_t index;
};
struct places {
    VEC(struct place) items;
};

/* Whether there is a choice: after a success there may be fewer. */
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

/* Where the choices of the current trace are that are `wanted`; NULL: all. */
struct places shrinker_places(const struct shrinker *shrinker,
                              bool (*wanted)(const struct choice *choice), struct arena *arena);

#endif
