#include "base/map.h"
#include "base/vec.h"
#include "value/value.h"

/* A stack of containers that are not frozen yet. Tuples have no flag, so `tuples` remembers them.
 */
struct freezing {
    struct arena scratch;
    VEC(struct value) todo;
    struct map tuples; /* by address */
};

/* Marks the value as frozen. True if it was not, and its parts need freezing. */
static bool mark_frozen(struct freezing *freezing, struct value value)
{
    struct container *container = value_container(value);
    if (container) {
        bool was = container->frozen;
        container->frozen = true;
        return !was && value.type != VALUE_SET; /* the items of a set are immutable */
    }
    if (value.type == VALUE_TUPLE) {
        size_t before = freezing->tuples.count;
        (void)map_add(&freezing->tuples, (uintptr_t)value.as.tuple);
        return freezing->tuples.count > before;
    }
    return false;
}

static void add_container(struct freezing *freezing, struct value value)
{
    if (mark_frozen(freezing, value)) {
        *VEC_PUSH(&freezing->scratch, &freezing->todo) = value;
    }
}

void value_freeze(struct value value)
{
    struct freezing freezing = {0};
    freezing.tuples.arena = &freezing.scratch;
    add_container(&freezing, value);
    while (freezing.todo.count) {
        struct value_parts parts = {.of = freezing.todo.items[--freezing.todo.count]};
        struct value part;
        while (value_parts_next(&parts, &part)) {
            add_container(&freezing, part);
        }
    }
    arena_free(&freezing.scratch);
}
