#include "value/value.h"

/* The room also bounds the depth of the recursion. */
static bool count_data(struct value value, size_t *room)
{
    if (*room == 0 || value.type == VALUE_OBJECT) {
        return false;
    }
    --*room;
    struct value_parts parts = {.of = value};
    struct value part;
    while (value_parts_next(&parts, &part)) {
        if (!count_data(part, room)) {
            return false;
        }
    }
    return true;
}

bool value_is_data(struct value value, size_t parts) { return count_data(value, &parts); }
