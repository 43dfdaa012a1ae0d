#include "trace/ids.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

bool value_is_id(struct value value)
{
    enum { SHORTEST = 8 };
    if (value.type != VALUE_STRING || value.as.string->size < SHORTEST) {
        return false;
    }
    bool digit = false;
    for (size_t i = 0; i < value.as.string->size; i++) {
        unsigned char c = (unsigned char)value.as.string->data[i];
        if (!isalnum(c) && (!c || !strchr("_-.:", c))) {
            return false;
        }
        digit = digit || isdigit(c);
    }
    return digit;
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

const struct shown_arg *id_at(const struct shown_arg *names, size_t count, const char *text,
                              size_t at, size_t size)
{
    assert(at <= size);
    for (size_t i = 0; i < count; i++) {
        const struct string *id = names[i].value.as.string;
        if (id->size <= size - at && memcmp(id->data, text + at, id->size) == 0 &&
            !(at && is_word(text[at - 1])) &&
            !(at + id->size < size && is_word(text[at + id->size]))) {
            return &names[i];
        }
    }
    return NULL;
}
