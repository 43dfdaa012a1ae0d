#include "examine/nearby/fingerprint.h"

#include "base/hash.h"
#include "example/engine.h"
#include "example/step/invariant.h"

/* What is hashed in one example: values; the bytes of a model. */
enum { VISITS_MAX = 1000 * 1000, BYTES_MAX = 4 << 20 };

static struct fingerprints *prints_of(struct observer *observer)
{
    return (struct fingerprints *)(void *)observer;
}

static void on_begin(struct observer *observer, const struct example *example)
{
    struct fingerprints *prints = prints_of(observer);
    (void)example;
    arena_reset(&prints->arena);
    *prints = (struct fingerprints){.observer = *observer, .arena = prints->arena};
}

/* Parts of one state are summed: answers come before or after the model has moved on, depending on
 * how far the client runs ahead. */
static void add(struct fingerprints *prints, size_t number, uint64_t part)
{
    prints->too_large =
        prints->too_large || prints->walk.visits > VISITS_MAX || prints->walk.limit != WALK_FINE;
    while (prints->states.count <= number) {
        *VEC_PUSH(&prints->arena, &prints->states) = 0;
    }
    prints->states.items[number] += hash_mix(part);
    if (prints->too_large) {
        prints->states.count = 0;
    }
}

static uint64_t hash_values(struct fingerprints *prints, uint64_t seed, const struct value *values,
                            size_t count)
{
    uint64_t hash = hash_mix(seed + count);
    if (prints->walk.visits > VISITS_MAX) {
        return 0; /* too large, as `add` will note */
    }
    prints->walk.visits += count;
    for (size_t i = 0; i < count; i++) {
        hash = hash_mix(hash + value_hash_deep(&prints->walk, values[i]));
    }
    return hash;
}

static void on_model(struct observer *observer, const struct example *example)
{
    struct fingerprints *prints = prints_of(observer);
    if (prints->too_large) {
        return;
    }
    const struct lang_state *state = &example->state;
    uint64_t hash = 0;
    prints->too_large = arena_used(&example->arena) > BYTES_MAX;
    for (size_t i = 0; i < lang_module_global_count(state->module); i++) {
        struct value value;
        bool set = lang_get_global(state, i, &value);
        hash = hash_values(prints, hash + i, &value, set);
    }
    add(prints, example->number, hash);
}

/* Rows without their order: a query need not give any. */
static void on_received(struct observer *observer, const struct invariant_check *check,
                        const struct received *received)
{
    struct fingerprints *prints = prints_of(observer);
    const struct invariant *invariant = check->invariant;
    /* one that is not asked after every step would make two states of one */
    if (prints->too_large || invariant->when != WHEN_STEP || invariant->every > 1) {
        return;
    }
    const struct answer *answer = &received->answer;
    uint64_t rows = 0;
    uint64_t hash = hash_values(prints, invariant->index, check->fors, invariant->fors.count);
    for (size_t i = 0; i < answer->row_count; i++) {
        rows += hash_values(prints, hash, &answer->rows[i], 1);
    }
    add(prints, check->number, hash_mix(hash + answer->row_count) + rows);
}

void fingerprints_init(struct fingerprints *prints)
{
    static const struct observer_ops ops = {
        .begin = on_begin, .received = on_received, .model = on_model};
    *prints = (struct fingerprints){.observer = {&ops}};
}

void fingerprints_free(struct fingerprints *prints) { arena_free(&prints->arena); }
