/* What the methods of strings share. */
#include "lang/builtins/string_methods.h"

#include <assert.h>
#include <string.h>

enum { BYTES_PER_STEP = 16 };

bool string_begin(const struct native_call *call, const char *name, size_t max, struct text *self,
                  struct error *err)
{
    assert(call->self.type == VALUE_STRING);
    const struct string *string = call->self.as.string;
    *self = (struct text){string->data, string->size};
    return native_positional(call, name, 0, max, err) &&
           charge(native_state(call), string->size / BYTES_PER_STEP, err);
}

bool string_arg(const struct native_call *call, const char *name, size_t index, struct text *out,
                struct error *err)
{
    const struct string *string;
    if (index >= call->arg_count) {
        return error_set(err, ERROR_MACHINE, "%s() is missing an argument, a string", name);
    }
    if (!native_string(name, call->args[index], &string, err)) {
        return false;
    }
    *out = (struct text){string->data, string->size};
    return charge(native_state(call), string->size, err); /* a search prepares what it looks for */
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

const char *text_find(struct text whole, struct text part)
{
    return memmem(whole.data, whole.size, part.data, part.size);
}

bool charge_find_last(const struct native_call *call, struct text whole, struct text part,
                      struct error *err)
{
    uint64_t bytes;
    bool huge = __builtin_mul_overflow((uint64_t)whole.size, (uint64_t)part.size, &bytes);
    return charge(native_state(call), huge ? UINT64_MAX : bytes / 4096, err);
}

const char *text_find_last(struct text whole, struct text part)
{
    for (size_t end = whole.size; end >= part.size; end--) {
        const char *place = whole.data + end - part.size;
        if (memcmp(place, part.data, part.size) == 0) {
            return place;
        }
        if (end == 0) {
            break;
        }
    }
    return NULL;
}
