/* Helpers of the methods of strings. */
#include "lang/builtins/string_methods.h"

#include "base/utf8.h"

#include <assert.h>
#include <string.h>

enum { BYTES_PER_STEP = 16 };

struct text text_of(struct value string)
{
    assert(string.type == VALUE_STRING);
    return (struct text){string.as.string->data, string.as.string->size};
}

bool string_begin(const struct native_call *call, struct text *self, struct text *part,
                  struct error *err)
{
    *self = text_of(call->self);
    if (part) {
        *part = text_of(call->args[0]);
    }
    /* a search prepares a table from the part */
    return charge(native_state(call), self->size / BYTES_PER_STEP + (part ? part->size : 0), err);
}

struct value string_new(const struct native_call *call, struct text text)
{
    return value_string(call->caller->arena, text.data, text.size);
}

bool string_take(const struct native_call *call, struct strbuf *text, struct value *out,
                 struct error *err)
{
    bool ok = room(native_state(call), text->size, err);
    if (ok) {
        *out = value_string(call->caller->arena, strbuf_text(text), text->size);
    }
    strbuf_free(text);
    return ok;
}

struct text text_cut(struct text *text, size_t size, bool at_end)
{
    assert(size <= text->size);
    struct text piece = {text->data + (at_end ? text->size - size : 0), size};
    text->data += at_end ? 0 : size;
    text->size -= size;
    return piece;
}

struct text text_next(struct text *text, uint32_t *code)
{
    size_t size = utf8_decode(text->data, text->size, code);
    if (size == 0) {
        *code = UNICODE_REPLACEMENT;
    }
    return text_cut(text, size ? size : 1, false);
}

bool charge_find_last(const struct native_call *call, struct text whole, struct text part,
                      struct error *err)
{
    uint64_t bytes;
    bool huge = __builtin_mul_overflow((uint64_t)whole.size, (uint64_t)part.size, &bytes);
    return charge(native_state(call), huge ? UINT64_MAX : bytes / 4096, err);
}

const char *text_find(struct text whole, struct text part, bool last)
{
    if (!last) {
        return memmem(whole.data, whole.size, part.data, part.size);
    }
    for (size_t places = whole.size < part.size ? 0 : whole.size - part.size + 1; places > 0;) {
        const char *place = whole.data + --places;
        if (memcmp(place, part.data, part.size) == 0) {
            return place;
        }
    }
    return NULL;
}
