#include "value/object.h"

#include <assert.h>

bool value_has_items(struct value over)
{
    size_t count;
    return over.type != VALUE_STRING &&
           (over.type != VALUE_OBJECT || over.as.object->type->item != NULL) &&
           value_length(over, &count, NULL);
}

bool value_hint_items(struct value over, struct error *err)
{
    if (over.type == VALUE_STRING) {
        error_hint(err, "use s.elems() for the characters of a string, s.split() for its words");
    } else if (over.type == VALUE_OBJECT && over.as.object->type->call) {
        error_hint(err, "it is the function itself, not its result: call it with ()");
    }
    return false;
}

bool value_iter_begin(struct value_iter *iter, struct value over, struct arena *arena,
                      struct error *err)
{
    *iter = (struct value_iter){.over = over, .arena = arena};
    struct container *container = value_container(over);
    if (value_is_table(over)) {
        iter->count = table_places(over.as.table);
    } else if (!value_has_items(over) || !value_length(over, &iter->count, NULL)) {
        (void)error_set(err, ERROR_MACHINE, "cannot loop over a value of type %s",
                        value_type_name(over));
        return value_hint_items(over, err);
    }
    if (container) {
        container->iterating++;
    }
    return true;
}

bool value_iter_next(struct value_iter *iter, struct value *item)
{
    assert(iter->next <= iter->count);
    struct value over = iter->over;
    if (value_is_table(over)) {
        const struct table_entry *entry = table_next(over.as.table, &iter->next);
        if (entry) {
            *item = entry->key;
        }
        return entry != NULL;
    }
    if (iter->next >= iter->count) {
        return false;
    }
    size_t at = iter->next++;
    if (over.type == VALUE_BYTES) {
        *item = value_int(over.as.bytes->data[at]);
    } else if (over.type == VALUE_OBJECT) {
        return over.as.object->type->item(over.as.object, at, iter->arena, item);
    } else {
        *item = value_items(over).items[at];
    }
    return true;
}

void value_iter_end(struct value_iter *iter)
{
    struct container *container = value_container(iter->over);
    assert(!container || container->iterating > 0);
    if (container) {
        container->iterating--;
    }
}
