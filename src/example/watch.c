#include "example/watch.h"

#include "base/hash.h"
#include "example/engine.h"
#include "example/step/invariant.h"

/* What is hashed in one example: values; the bytes of a model. */
enum { WATCH_VISITS_MAX = 1000 * 1000, WATCH_BYTES_MAX = 4 << 20 };

void watch_begin(struct watch *watch)
{
    arena_reset(&watch->arena);
    *watch = (struct watch){.on = watch->on, .arena = watch->arena};
}

void watch_free(struct watch *watch) { arena_free(&watch->arena); }

/* Parts of one state are summed: answers come before or after the model has moved on, depending on
 * how far the client runs ahead. */
static void add(struct watch *watch, size_t number, uint64_t part)
{
    watch->too_large =
        watch->too_large || watch->walk.visits > WATCH_VISITS_MAX || watch->walk.limit != WALK_FINE;
    while (watch->states.count <= number) {
        *VEC_PUSH(&watch->arena, &watch->states) = 0;
    }
    watch->states.items[number] += hash_mix(part);
    if (watch->too_large) {
        watch->states.count = 0;
    }
}

static uint64_t hash_values(struct watch *watch, uint64_t seed, const struct value *values,
                            size_t count)
{
    uint64_t hash = hash_mix(seed + count);
    watch->walk.visits += count;
    for (size_t i = 0; i < count; i++) {
        hash = hash_mix(hash + value_hash_deep(&watch->walk, values[i]));
    }
    return hash;
}

void watch_model(struct example *example)
{
    struct watch *watch = &example->engine->watch;
    if (!watch->on || watch->too_large) {
        return;
    }
    const struct lang_state *state = &example->state;
    uint64_t hash = 0;
    watch->too_large = arena_used(&example->arena) > WATCH_BYTES_MAX;
    for (size_t i = 0; i < lang_module_global_count(state->module); i++) {
        struct value value;
        bool set = lang_get_global(state, i, &value);
        hash = hash_values(watch, hash + i, &value, set);
    }
    add(watch, example->number, hash);
}

/* Rows without their order: a query need not give any. */
void watch_answer(struct example *example, const struct invariant_check *check,
                  const struct received *received)
{
    struct watch *watch = &example->engine->watch;
    const struct invariant *invariant = check->invariant;
    /* one that is not asked after every step would make two states of one */
    if (!watch->on || watch->too_large || invariant->when != WHEN_STEP || invariant->every > 1) {
        return;
    }
    const struct answer *answer = &received->answer;
    uint64_t rows = 0;
    uint64_t hash = hash_values(watch, invariant->index, check->fors, invariant->fors.count);
    for (size_t i = 0; i < answer->row_count; i++) {
        rows += hash_values(watch, hash, &answer->rows[i], 1);
    }
    add(watch, check->number, hash_mix(hash + answer->row_count) + rows);
}
