#include "value/value.h"

static bool count_data(struct value value, size_t *room);

static bool count_items(const struct value *items, size_t count, size_t *room)
{
    for (size_t i = 0; i < count; i++) {
        if (!count_data(items[i], room)) {
            return false;
        }
    }
    return true;
}

static bool count_entries(const struct table *table, size_t *room)
{
    for (size_t i = table->first; i < table->used; i++) {
        const struct table_entry *entry = &table->entries[i];
        if (entry->live && (!count_data(entry->key, room) || !count_data(entry->value, room))) {
            return false;
        }
    }
    return true;
}

/* The room also bounds how deep it goes. */
static bool count_data(struct value value, size_t *room)
{
    if (*room == 0) {
        return false;
    }
    --*room;
    switch (value.type) {
    case VALUE_TUPLE:
        return count_items(value.as.tuple->items, value.as.tuple->count, room);
    case VALUE_LIST:
    case VALUE_BAG:
    case VALUE_MULTIPLE:
        return count_items(value.as.list->items, value.as.list->count, room);
    case VALUE_DICT:
    case VALUE_SET:
        return count_entries(value.as.table, room);
    case VALUE_OBJECT:
        return false;
    case VALUE_NONE:
    case VALUE_BOOL:
    case VALUE_INT:
    case VALUE_NUMERIC:
    case VALUE_FLOAT:
    case VALUE_STRING:
    case VALUE_BYTES:
    case VALUE_JSON_NULL:
    case VALUE_ERROR:
        break;
    }
    return true;
}

bool value_is_data(struct value value, size_t parts) { return count_data(value, &parts); }
