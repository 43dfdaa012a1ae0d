#include "diff/form.h"

#include "base/hash.h"
#include "value/number/numeric.h"

#include <math.h>
#include <string.h>

enum { DEPTH_MAX = 200 };

static uint64_t combine(uint64_t a, uint64_t b) { return hash_mix(a * 31 + b); }

static uint64_t key_form(struct value key)
{
    const char *text = key.type == VALUE_STRING ? key.as.string->data : "0";
    return strpbrk(text, "0123456789") == NULL ? hash_text(text) : 0;
}

static uint64_t form(struct value value, unsigned depth)
{
    struct value_parts parts = {.of = value};
    struct value part;
    if (value.type == VALUE_NUMERIC) {
        return value.as.numeric->kind == NUMERIC_FINITE ? (uint64_t)value.as.numeric->scale : 0;
    }
    if (value.type == VALUE_FLOAT) {
        return value.as.real == 0 && signbit(value.as.real);
    }
    uint64_t hash = 0;
    for (bool key = true; depth < DEPTH_MAX && value_parts_next(&parts, &part); key = !key) {
        hash =
            combine(hash, value.type == VALUE_DICT && key ? key_form(part) : form(part, depth + 1));
    }
    return combine(hash, value.type == VALUE_DICT && value.as.table->base.repeats);
}

uint64_t value_form(struct value value) { return form(value, 0); }

static bool repeats(struct value value, unsigned depth)
{
    struct value_parts parts = {.of = value};
    struct value part;
    bool found = value.type == VALUE_DICT && value.as.table->base.repeats;
    while (!found && depth < DEPTH_MAX && value_parts_next(&parts, &part)) {
        found = repeats(part, depth + 1);
    }
    return found;
}

bool value_form_repeats(struct value value) { return repeats(value, 0); }
