/* range(start, stop, step): computes its numbers on demand. */
#include "value/object.h"

#include <assert.h>

struct range {
    struct object object;
    int64_t start;
    int64_t stop;
    int64_t step; /* never 0 */
    uint64_t count;
};

static const struct range *range_of(const struct object *object)
{
    return (const struct range *)(const void *)object;
}

static void range_repr(const struct object *object, struct strbuf *out)
{
    const struct range *range = range_of(object);
    strbuf_addf(out, "range(%lld, %lld", (long long)range->start, (long long)range->stop);
    if (range->step != 1) {
        strbuf_addf(out, ", %lld", (long long)range->step);
    }
    strbuf_addc(out, ')');
}

/* Starlark: ranges are equal if they give the same numbers. */
static bool range_equal(const struct object *a, const struct object *b)
{
    const struct range *left = range_of(a);
    const struct range *right = range_of(b);
    return left->count == right->count &&
           (left->count == 0 ||
            (left->start == right->start && (left->count == 1 || left->step == right->step)));
}

static bool range_length(const struct object *object, size_t *out)
{
    *out = range_of(object)->count;
    return true;
}

static bool range_item(const struct object *object, size_t index, struct arena *arena,
                       struct value *out)
{
    assert(index < range_of(object)->count);
    (void)arena;
    const struct range *range = range_of(object);
    /* modulo 2^64, so that no intermediate result overflows; the sum is within the range */
    uint64_t at = (uint64_t)range->start + (uint64_t)index * (uint64_t)range->step;
    *out = value_int((int64_t)at);
    return true;
}

static const struct object_type range_type = {
    .name = "range",
    .repr = range_repr,
    .equal = range_equal,
    .length = range_length,
    .item = range_item,
};

/* The number of steps from start that lie before stop. */
static uint64_t count_between(int64_t start, int64_t stop, int64_t step)
{
    assert(step != 0);
    uint64_t distance = (uint64_t)stop - (uint64_t)start;
    uint64_t stride = (uint64_t)step;
    if (step < 0) {
        distance = 0 - distance;
        stride = 0 - stride;
    }
    bool empty = step < 0 ? start <= stop : start >= stop;
    return empty ? 0 : (distance - 1) / stride + 1;
}

struct value value_range(struct arena *arena, int64_t start, int64_t stop, int64_t step)
{
    struct range *range = ARENA_NEW(arena, struct range);
    *range = (struct range){
        .object = {.type = &range_type},
        .start = start,
        .stop = stop,
        .step = step,
        .count = count_between(start, stop, step),
    };
    return value_object(&range->object);
}

bool range_parts(struct value value, int64_t *start, int64_t *step, size_t *count)
{
    if (value.type != VALUE_OBJECT || value.as.object->type != &range_type) {
        return false;
    }
    const struct range *range = range_of(value.as.object);
    *start = range->start;
    *step = range->step;
    *count = range->count;
    return true;
}
