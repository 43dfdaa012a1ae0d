#include "value/object.h"

#include <assert.h>

/* The counter that keeps a collection from being changed, or NULL where nothing can. */
static unsigned *lock_of(struct value over)
{
    if (over.type == VALUE_LIST || over.type == VALUE_BAG || over.type == VALUE_MULTIPLE) {
        return &over.as.list->iterating;
    }
    if (over.type == VALUE_DICT || over.type == VALUE_SET) {
        return &over.as.table->iterating;
    }
    return NULL;
}

/* Of what has a length. */
static bool has_items(struct value over)
{
    return over.type != VALUE_STRING &&
           (over.type != VALUE_OBJECT || over.as.object->type->item != NULL);
}

static bool not_iterable(struct value over, struct error *err)
{
    (void)error_set(err, ERROR_MACHINE, "cannot loop over a value of type %s",
                    value_type_name(over));
    if (over.type == VALUE_STRING) {
        error_hint(err, "use s.elems() for the characters of a string, s.split() for its words");
    } else if (native_function_of(over)) {
        error_hint(err, "it is the function itself: call it, %s()", native_function_of(over)->name);
    }
    return false;
}

bool value_iter_begin(struct value_iter *iter, struct value over, struct arena *arena,
                      struct error *err)
{
    *iter = (struct value_iter){.over = over, .arena = arena};
    unsigned *lock = lock_of(over);
    if (over.type == VALUE_DICT || over.type == VALUE_SET) {
        iter->count = over.as.table->used;
    } else if (!has_items(over) || !value_length(over, &iter->count, NULL)) {
        return not_iterable(over, err);
    }
    if (lock) {
        ++*lock;
    }
    return true;
}

static bool next_entry(struct value_iter *iter, struct value *item)
{
    const struct table_entry *entries = iter->over.as.table->entries;
    while (iter->next < iter->count && !entries[iter->next].live) {
        iter->next++;
    }
    if (iter->next == iter->count) {
        return false;
    }
    *item = entries[iter->next++].key;
    return true;
}

bool value_iter_next(struct value_iter *iter, struct value *item)
{
    assert(iter->next <= iter->count);
    struct value over = iter->over;
    if (over.type == VALUE_DICT || over.type == VALUE_SET) {
        return next_entry(iter, item);
    }
    if (iter->next >= iter->count) {
        return false;
    }
    size_t at = iter->next++;
    if (over.type == VALUE_TUPLE) {
        *item = over.as.tuple->items[at];
    } else if (over.type == VALUE_BYTES) {
        *item = value_int(over.as.bytes->data[at]);
    } else if (over.type == VALUE_OBJECT) {
        return over.as.object->type->item(over.as.object, at, iter->arena, item);
    } else {
        *item = over.as.list->items[at];
    }
    return true;
}

void value_iter_end(struct value_iter *iter)
{
    assert(!lock_of(iter->over) || *lock_of(iter->over) > 0);
    unsigned *lock = lock_of(iter->over);
    if (lock) {
        --*lock;
    }
}
