/* The last resort of what is long still: variations by several edits at once, several of them in
 * one attempt. */
#include "shrink/batch.h"
#include "shrink/shrinker.h"
#include "shrink/variation.h"

enum {
    VARIED_MIN_STEPS = 8, /* what is shorter, other passes find */
    VARIED_MAX_STEPS = 20,
    DRAWS_MAX = 20000, /* most are known, or come to nothing: they cost no attempt */
    BATCHES_MAX = 100,
    MISTAKEN_MAX = 3, /* batches that failed without a member that does: they are not independent */
};

/* As many new variations as fit into one attempt, in `arena`; what is made on the way to them, too.
 */
static struct batch next_batch(struct shrinker *shrinker, struct variation *variation,
                               size_t *draws, struct arena *arena)
{
    struct batch batch = {0};
    size_t longest = shrinker_steps(shrinker) - shrinker_first(shrinker) - 1;
    while (*draws < DRAWS_MAX &&
           batch.whole.steps.count - batch.first + longest <= shrinker->target->steps_max) {
        struct arena_mark mark = arena_mark(arena);
        struct trace variant;
        (*draws)++;
        if (variation_next(variation, arena, &variant) && shrinker_batch_anew(shrinker, &variant)) {
            batch_add(&batch, arena, &variant);
        } else {
            arena_rewind(arena, mark);
        }
    }
    return batch;
}

/* True: one of them fails by itself, and is `current` now. */
static bool try_batch(struct shrinker *shrinker, const struct batch *batch, size_t *mistaken)
{
    struct shrink_attempt result;
    if (!shrinker_run(shrinker, &batch->whole, &result) || !result.same) {
        return false;
    }
    const struct batch_member *member = batch_ended_in(batch, &result.trace);
    if (member && shrinker_try(shrinker, &member->trace)) {
        return true;
    }
    (*mistaken)++;
    return false;
}

void pass_variations(struct shrinker *shrinker)
{
    size_t length = shrinker_steps(shrinker) - shrinker_first(shrinker);
    if (length < VARIED_MIN_STEPS || length > VARIED_MAX_STEPS || shrinker->target->at_end ||
        shrinker->target->steps_max < length) {
        return;
    }
    struct arena known = {0};
    struct arena arena = {0};
    struct variation variation =
        variation_of(&shrinker->current, shrinker->target->collections, &known);
    size_t draws = variation_pays(&variation, &known) ? 0 : DRAWS_MAX;
    size_t mistaken = 0;
    bool found = false;
    for (size_t i = 0; i < BATCHES_MAX && !found && !shrinker->stopped; i++) {
        struct batch batch = next_batch(shrinker, &variation, &draws, &arena);
        if (batch.members.count == 0 || mistaken == MISTAKEN_MAX) {
            break;
        }
        found = try_batch(shrinker, &batch, &mistaken);
        arena_reset(&arena);
        arena_reset(&shrinker->scratch);
    }
    arena_free(&arena);
    arena_free(&known);
}
