#include "diff/twin.h"

#include "diff/sides.h"

#include <stdlib.h>

static bool twin_pending(struct backend *backend)
{
    return twin_first(backend)->ops->pending(twin_first(backend));
}

static struct backend_prepared twin_prepared(struct backend *backend)
{
    return twin_first(backend)->ops->prepared(twin_first(backend));
}

static const char *twin_lost(struct backend *backend) { return twin_of(backend)->lost; }

static bool twin_equal(struct backend *backend, uint32_t type, const struct value *expected,
                       const struct value *actual, size_t count, bool *same, struct error *err)
{
    return twin_first(backend)->ops->equal(twin_first(backend), type, expected, actual, count, same,
                                           err);
}

static bool twin_encode(struct backend *backend, uint32_t type, struct value value,
                        struct strbuf *out, bool *null, struct error *err)
{
    return twin_first(backend)->ops->encode(twin_first(backend), type, value, out, null, err);
}

static const char *twin_type_name(struct backend *backend, uint32_t type)
{
    return twin_first(backend)->ops->type_name(twin_first(backend), type);
}

static struct backend_deferral twin_deferral(struct backend *backend)
{
    return twin_first(backend)->ops->deferral(twin_first(backend));
}

static struct backend_changes twin_changes(struct backend *backend)
{
    return twin_first(backend)->ops->changes(twin_first(backend));
}

static const char *const *twin_warnings(struct backend *backend)
{
    return twin_first(backend)->ops->warnings(twin_first(backend));
}

static bool is_among(const struct value *values, size_t count, struct value value)
{
    for (size_t i = 0; i < count; i++) {
        if (value_equal(values[i], value)) {
            return true;
        }
    }
    return false;
}

typedef const struct value *pool_of(struct backend *backend, size_t *count);

/* The literals of both schemas. Those that only the new one has are half of them: a longer list, a
 * higher limit. */
static const struct value *pool_both(struct twin *twin, pool_of *before, pool_of *after,
                                     size_t *count)
{
    VEC(struct value) all = {0};
    VEC(struct value) added = {0};
    size_t after_count;
    const struct value *old = before(twin->sides[BEFORE].backend, count);
    const struct value *new = after(twin->sides[AFTER].backend, &after_count);
    for (size_t i = 0; i < after_count; i++) {
        if (!is_among(old, *count, new[i])) {
            *VEC_PUSH(&twin->lasting, &added) = new[i];
        }
    }
    for (size_t i = 0; i < *count; i++) {
        *VEC_PUSH(&twin->lasting, &all) = old[i];
        if (added.count) {
            *VEC_PUSH(&twin->lasting, &all) = added.items[i % added.count];
        }
    }
    for (size_t i = *count; i < added.count; i++) {
        *VEC_PUSH(&twin->lasting, &all) = added.items[i];
    }
    *count = all.count;
    return all.items;
}

static const struct value *twin_pool_strings(struct backend *backend, size_t *count)
{
    struct twin *twin = twin_of(backend);
    return pool_both(twin, twin->sides[BEFORE].backend->ops->pool_strings,
                     twin->sides[AFTER].backend->ops->pool_strings, count);
}

static const struct value *twin_pool_ints(struct backend *backend, size_t *count)
{
    struct twin *twin = twin_of(backend);
    return pool_both(twin, twin->sides[BEFORE].backend->ops->pool_ints,
                     twin->sides[AFTER].backend->ops->pool_ints, count);
}

static bool twin_coverage(struct backend *backend, struct arena *arena,
                          struct backend_coverage *out, struct error *err)
{
    return twin_first(backend)->ops->coverage(twin_first(backend), arena, out, err);
}

static bool twin_table(struct backend *backend, const char *name, const struct table_facts **out,
                       struct error *err)
{
    return twin_first(backend)->ops->table(twin_first(backend), name, out, err);
}

static void twin_leave(struct backend *backend)
{
    struct twin *twin = twin_of(backend);
    for (size_t i = 0; i < SIDES; i++) {
        if (twin->sides[i].backend) {
            twin->sides[i].backend->ops->leave(twin->sides[i].backend);
        }
    }
}

static void twin_close(struct backend *backend)
{
    struct twin *twin = twin_of(backend);
    twin_leave(backend);
    for (size_t i = SIDES; i-- > 0;) { /* copies before what they are of */
        if (twin->sides[i].backend) {
            twin->sides[i].backend->ops->close(twin->sides[i].backend);
        }
    }
    arena_free(&twin->arena);
    arena_free(&twin->example);
    arena_free(&twin->example_before);
    arena_free(&twin->lasting);
    free(twin);
}

#define TWIN_OPS                                                                                   \
    .open = twin_open, .pending = twin_pending, .prepare = twin_prepare,                           \
    .prepared = twin_prepared, .mark = twin_mark, .reset = twin_reset,                             \
    .wants_restart = twin_wants_restart, .restart = twin_restart, .reconnect = twin_reconnect,     \
    .queue = twin_queue, .queue_deferred = twin_queue_deferred, .guard_begin = twin_guard_begin,   \
    .guard_end = twin_guard_end, .take = twin_take, .ready = twin_ready, .held = twin_held,        \
    .accepts = twin_accepts, .look_past = twin_look_past, .lost = twin_lost, .begin = twin_begin,  \
    .doubt = twin_doubt, .concerns = twin_concerns, .changed_rows = twin_changed_rows,             \
    .migrate_after = twin_migrate_after, .compare = twin_compare, .equal = twin_equal,             \
    .encode = twin_encode, .type_name = twin_type_name, .deferral = twin_deferral,                 \
    .changes = twin_changes, .warnings = twin_warnings, .pool_strings = twin_pool_strings,         \
    .pool_ints = twin_pool_ints, .coverage = twin_coverage, .table = twin_table,                   \
    .rows = twin_rows, .leave = twin_leave, .close = twin_close

struct backend *twin_new(const struct twin_sides *sides)
{
    static const struct backend_ops plain = {TWIN_OPS};
    static const struct backend_ops with_savepoints = {TWIN_OPS, .checkpoint = twin_checkpoint,
                                                       .rewind = twin_rewind};
    struct twin *twin = memory_alloc(sizeof *twin);
    *twin =
        (struct twin){.backend.ops = sides->before->ops->checkpoint ? &with_savepoints : &plain};
    twin->sides[BEFORE].backend = sides->before;
    twin->sides[AFTER].backend = sides->after;
    twin->origin = sides->before;
    twin->options = *sides;
    twin_forget(twin);
    return &twin->backend;
}

size_t twin_copies(const struct twin_sides *sides) { return sides->migrates ? 2 : 1; }

static struct backend *copy_side(const struct twin *twin, enum side_index side)
{
    struct backend *of = side == AFTER ? twin->sides[AFTER].backend : twin->origin;
    return twin->sides[side].backend ? twin->options.copy(of, side == SAME) : NULL;
}

struct backend *twin_clone(struct backend *of)
{
    struct twin *twin = twin_of(of);
    struct twin_sides sides = twin->options;
    struct backend *copies[SIDES];
    bool whole = true;
    for (size_t i = 0; i < SIDES; i++) {
        copies[i] = whole ? copy_side(twin, (enum side_index)i) : NULL;
        whole = whole && !copies[i] == !twin->sides[i].backend;
    }
    for (size_t i = SIDES; i-- > 0 && !whole;) {
        if (copies[i]) {
            copies[i]->ops->close(copies[i]);
        }
    }
    if (!whole) {
        return NULL;
    }
    sides.before = copies[BEFORE];
    sides.after = copies[AFTER];
    struct backend *clone = twin_new(&sides);
    twin_of(clone)->origin = twin->origin;
    twin_of(clone)->sides[MIGRATING].backend = copies[MIGRATING];
    twin_of(clone)->sides[SAME].backend = copies[SAME];
    return clone;
}

struct backend *twin_side(struct backend *backend, size_t index)
{
    const struct twin *twin = twin_of(backend);
    for (size_t i = 0; i < SIDES; i++) {
        if (twin->sides[i].backend && index-- == 0) {
            return twin->sides[i].backend;
        }
    }
    return NULL;
}

bool twin_doubts(struct backend *backend) { return twin_of(backend)->sides[SAME].backend != NULL; }

bool twin_migrates(struct backend *backend)
{
    return twin_of(backend)->sides[MIGRATING].backend != NULL;
}

const char *twin_shared(struct backend *backend, size_t index)
{
    const struct shared *shared = &twin_of(backend)->shared;
    return index < shared->items.count ? shared->items.items[index].place : NULL;
}

const struct changes *twin_differs(struct backend *backend) { return &twin_of(backend)->changes; }

const char *const *twin_unshared(struct backend *backend, size_t side, size_t *count)
{
    const struct shared *shared = &twin_of(backend)->shared;
    *count = side == BEFORE ? shared->only_before.count : shared->only_after.count;
    return side == BEFORE ? shared->only_before.items : shared->only_after.items;
}
