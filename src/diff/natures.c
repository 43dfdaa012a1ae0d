#include "diff/natures.h"

#include "base/arena.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES_MAX = 200 };

struct natures {
    pthread_mutex_t lock;
    struct arena arena;
    VEC(struct natural_place) all; /* by place and column */
    VEC(struct natural_rename) renames;
    VEC(struct natural_place) kept; /* of `all`; see natures_keep */
    size_t renames_kept;
    atomic_size_t changes;
    atomic_size_t count; /* of `all`, to be read without the lock */
    atomic_bool begins_migrated;
    atomic_bool full;
};

struct natures *natures_new(void)
{
    struct natures *natures = memory_alloc(sizeof *natures);
    *natures = (struct natures){0};
    (void)pthread_mutex_init(&natures->lock, NULL);
    return natures;
}

void natures_free(struct natures *natures)
{
    if (natures != NULL) {
        (void)pthread_mutex_destroy(&natures->lock);
        arena_free(&natures->arena);
        free(natures);
    }
}

size_t natures_changes(struct natures *natures) { return atomic_load(&natures->changes); }

bool natures_begin_migrated(struct natures *natures)
{
    return !atomic_exchange(&natures->begins_migrated, true);
}

bool natures_begins_migrated(struct natures *natures)
{
    return atomic_load(&natures->begins_migrated);
}

bool natures_any(struct natures *natures) { return atomic_load(&natures->count) > 0; }

static int compare_names(const char *a, const char *b)
{
    return a == NULL || b == NULL ? (a != NULL) - (b != NULL) : strcmp(a, b);
}

void natures_keep(struct natures *natures)
{
    (void)pthread_mutex_lock(&natures->lock);
    natures->kept.count = 0;
    for (size_t i = 0; i < natures->all.count; i++) {
        *VEC_PUSH(&natures->arena, &natures->kept) = natures->all.items[i];
    }
    natures->renames_kept = natures->renames.count;
    (void)pthread_mutex_unlock(&natures->lock);
}

void natures_forget(struct natures *natures)
{
    (void)pthread_mutex_lock(&natures->lock);
    size_t kept = 0;
    for (size_t i = 0; i < natures->renames.count; i++) {
        const struct natural_rename at = natures->renames.items[i];
        if (i < natures->renames_kept || strcmp(at.before, at.after) == 0) {
            natures->renames.items[kept++] = at;
        }
    }
    natures->renames.count = kept;
    natures->all.count = 0;
    for (size_t i = 0; i < natures->kept.count; i++) {
        *VEC_PUSH(&natures->arena, &natures->all) = natures->kept.items[i];
    }
    atomic_store(&natures->count, natures->all.count);
    atomic_store(&natures->full, false);
    (void)pthread_mutex_unlock(&natures->lock);
}

/* The index of the first one that is not less. */
static size_t lower_bound(const struct natures *natures, const char *place, const char *column,
                          bool *found)
{
    size_t low = 0;
    size_t high = natures->all.count;
    *found = false;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct natural_place *at = &natures->all.items[middle];
        int order = strcmp(at->place, place);
        order = order == 0 ? compare_names(at->column, column) : order;
        *found = *found || order == 0;
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

enum nature natures_of(struct natures *natures, const char *place, const char *column)
{
    if (!natures_any(natures)) {
        return NATURE_EQUAL;
    }
    (void)pthread_mutex_lock(&natures->lock);
    bool found = false;
    size_t i = lower_bound(natures, place, column, &found);
    enum nature nature = found ? natures->all.items[i].nature : NATURE_EQUAL;
    (void)pthread_mutex_unlock(&natures->lock);
    return nature;
}

/* What is no column ("(error)") and the order are compared, or not: no values become pairs. */
static enum nature first_step(const char *column)
{
    return column == NULL || column[0] == '(' ? NATURE_FREE : NATURE_PAIRED;
}

/* To that nature, if it is strict, and else by a step if that is looser. */
static bool loosen(struct natures *natures, const char *place, const char *column,
                   enum nature first)
{
    bool found = false;
    size_t i = lower_bound(natures, place, column, &found);
    if (found) {
        struct natural_place *at = &natures->all.items[i];
        bool looser = at->nature != NATURE_FREE && first > NATURE_MADE;
        if (looser) {
            at->nature = at->nature == NATURE_MADE ? first : NATURE_FREE;
        }
        return looser;
    }
    if (natures->all.count == PLACES_MAX) {
        atomic_store(&natures->full, true);
        return false;
    }
    (void)VEC_PUSH(&natures->arena, &natures->all);
    struct natural_place *at = &natures->all.items[i];
    memmove(at + 1, at, (natures->all.count - 1 - i) * sizeof *at);
    *at = (struct natural_place){arena_strdup(&natures->arena, place),
                                 column == NULL ? NULL : arena_strdup(&natures->arena, column),
                                 first};
    atomic_store(&natures->count, natures->all.count);
    return true;
}

bool natures_loosen(struct natures *natures, const char *place, const char *column)
{
    (void)pthread_mutex_lock(&natures->lock);
    bool looser = loosen(natures, place, column, first_step(column));
    atomic_fetch_add(&natures->changes, looser);
    (void)pthread_mutex_unlock(&natures->lock);
    return looser;
}

bool natures_make(struct natures *natures, const char *place, const char *column)
{
    (void)pthread_mutex_lock(&natures->lock);
    bool looser = loosen(natures, place, column, NATURE_MADE);
    atomic_fetch_add(&natures->changes, looser);
    (void)pthread_mutex_unlock(&natures->lock);
    return looser;
}

void natures_give_up(struct natures *natures, const char *place)
{
    (void)pthread_mutex_lock(&natures->lock);
    (void)loosen(natures, place, NATURES_ALL, NATURE_FREE);
    (void)pthread_mutex_unlock(&natures->lock);
}

bool natures_full(struct natures *natures) { return atomic_load(&natures->full); }

size_t natures_list(struct natures *natures, struct arena *arena, struct natural_place **out)
{
    (void)pthread_mutex_lock(&natures->lock);
    size_t count = natures->all.count;
    *out = ARENA_ARRAY(arena, struct natural_place, count + 1);
    for (size_t i = 0; i < count; i++) {
        const struct natural_place *at = &natures->all.items[i];
        (*out)[i] = (struct natural_place){
            arena_strdup(arena, at->place),
            at->column == NULL ? NULL : arena_strdup(arena, at->column), at->nature};
    }
    (void)pthread_mutex_unlock(&natures->lock);
    return count;
}

/* Returns true if the two are partners already, or neither has one, and then makes them so. */
static bool rename_both(struct natures *natures, const char *table, const char *before,
                        const char *after)
{
    for (size_t i = 0; i < natures->renames.count; i++) {
        const struct natural_rename *at = &natures->renames.items[i];
        if (strcmp(at->table, table) == 0 &&
            (strcmp(at->before, before) == 0 || strcmp(at->after, after) == 0)) {
            return strcmp(at->before, before) == 0 && strcmp(at->after, after) == 0;
        }
    }
    *VEC_PUSH(&natures->arena, &natures->renames) = (struct natural_rename){
        arena_strdup(&natures->arena, table), arena_strdup(&natures->arena, before),
        arena_strdup(&natures->arena, after)};
    return true;
}

bool natures_rename(struct natures *natures, const char *table, const char *before,
                    const char *after)
{
    (void)pthread_mutex_lock(&natures->lock);
    bool partners = rename_both(natures, table, before, after);
    (void)pthread_mutex_unlock(&natures->lock);
    return partners;
}

size_t natures_renames(struct natures *natures, struct arena *arena, struct natural_rename **out)
{
    (void)pthread_mutex_lock(&natures->lock);
    size_t count = 0;
    *out = ARENA_ARRAY(arena, struct natural_rename, natures->renames.count + 1);
    for (size_t i = 0; i < natures->renames.count; i++) {
        const struct natural_rename *at = &natures->renames.items[i];
        if (strcmp(at->before, at->after) != 0) {
            (*out)[count++] = (struct natural_rename){arena_strdup(arena, at->table),
                                                      arena_strdup(arena, at->before),
                                                      arena_strdup(arena, at->after)};
        }
    }
    (void)pthread_mutex_unlock(&natures->lock);
    return count;
}
