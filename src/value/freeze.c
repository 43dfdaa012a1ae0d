#include "base/map.h"
#include "base/vec.h"
#include "value/value.h"

/* Containers still to be frozen, a stack; `tuples` have no mark of their own. */
struct freezing {
    struct arena scratch;
    VEC(struct value) todo;
    struct map tuples; /* by address */
};

/* Marks the value frozen; whether it was not and holds something. */
static bool mark(struct freezing *freezing, struct value value)
{
    if (value.type == VALUE_LIST || value.type == VALUE_BAG || value.type == VALUE_MULTIPLE) {
        bool was = value.as.list->frozen;
        value.as.list->frozen = true;
        return !was && value.as.list->count;
    }
    if (value.type == VALUE_DICT || value.type == VALUE_SET) {
        bool was = value.as.table->frozen;
        value.as.table->frozen = true;
        return !was && value.as.table->count && value.type == VALUE_DICT;
    }
    if (value.type == VALUE_TUPLE && value.as.tuple->count) {
        size_t before = freezing->tuples.count;
        (void)map_add(&freezing->tuples, (uintptr_t)value.as.tuple);
        return freezing->tuples.count > before;
    }
    return false;
}

static void add(struct freezing *freezing, struct value value)
{
    if (mark(freezing, value)) {
        *VEC_PUSH(&freezing->scratch, &freezing->todo) = value;
    }
}

static void add_parts(struct freezing *freezing, struct value value)
{
    if (value.type == VALUE_DICT) {
        const struct table *table = value.as.table;
        for (size_t i = table->first; i < table->used; i++) {
            add(freezing, table->entries[i].value); /* keys can't change anyway */
        }
        return;
    }
    bool is_tuple = value.type == VALUE_TUPLE;
    const struct value *items = is_tuple ? value.as.tuple->items : value.as.list->items;
    size_t count = is_tuple ? value.as.tuple->count : value.as.list->count;
    for (size_t i = 0; i < count; i++) {
        add(freezing, items[i]);
    }
}

void value_freeze(struct value value)
{
    struct freezing freezing = {0};
    freezing.tuples.arena = &freezing.scratch;
    add(&freezing, value);
    while (freezing.todo.count) {
        add_parts(&freezing, freezing.todo.items[--freezing.todo.count]);
    }
    arena_free(&freezing.scratch);
}
