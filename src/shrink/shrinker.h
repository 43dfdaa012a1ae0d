/* What the passes share: the best trace so far, and the way to try another one. */
#ifndef SHRINK_SHRINKER_H
#define SHRINK_SHRINKER_H

#include "base/map.h"
#include "shrink/edit.h"
#include "shrink/order.h"
#include "shrink/shrink.h"

struct shrinker {
    const struct shrink_target *target;
    const struct trace *failing; /* as it was found */
    struct trace current;        /* the best so far; moves with every accepted candidate */
    struct arena keep[2];        /* `current` lives in one of them */
    unsigned kept;               /* which */
    struct arena scratch;        /* candidates of the attempt that runs */
    /* Fingerprints of candidates that are known to lead nowhere. */
    struct map tried;
    struct map batched; /* tried along with others (batch.h): most likely nothing */
    struct shrink_stats *stats;
    uint64_t limit;         /* of attempts */
    uint64_t steps_enumerated; /* that pass_enumerate has run */
    bool stopped;           /* by a budget or an error: passes return at once */
    bool failed;            /* by an error: err is set */
    struct error *err;
};

/* Runs a candidate unless it is known. True: it fails the same way and is simpler, and is `current`
 * now; indices into the former trace mean nothing then. Candidates live in `scratch`, which is
 * emptied. */
bool shrinker_try(struct shrinker *shrinker, const struct trace *candidate);

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
size_t shrinker_first(const struct shrinker *shrinker);

/* A pass tries candidates made from `current` until none of its kind helps. */
typedef void shrink_pass(struct shrinker *shrinker);

shrink_pass pass_suggestions;
shrink_pass pass_slice;
shrink_pass pass_values;
shrink_pass pass_chunks;
shrink_pass pass_single_steps;
shrink_pass pass_pairs_of_steps;
shrink_pass pass_triples_of_steps;
shrink_pass pass_last_step;
shrink_pass pass_remove_and_change;
shrink_pass pass_swap_steps;
shrink_pass pass_redirect_and_remove;
shrink_pass pass_rank_references;
shrink_pass pass_merge_references;
shrink_pass pass_swap_values;
shrink_pass pass_oldest_references;
shrink_pass pass_everything_simplest;
shrink_pass pass_columns;
shrink_pass pass_ranks;
shrink_pass pass_absorb;
shrink_pass pass_items;
shrink_pass pass_descend;
shrink_pass pass_hand_up;
shrink_pass pass_arguments;
shrink_pass pass_equal_values;
shrink_pass pass_pairs_of_numbers;
shrink_pass pass_simpler_rules;
shrink_pass pass_two_by_one;
shrink_pass pass_enumerate;

/* What made the value: values made alike are taken to be of one collection. By position: the
 * collection. */
size_t shrinker_maker(const struct trace *trace, const struct reference *reference);
/* The trace without step `index`; references to its values stand for `to` instead. In `scratch`. */
struct trace shrinker_bypass(struct shrinker *shrinker, size_t index, const struct reference *to);

#endif
