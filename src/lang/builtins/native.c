#include "lang/builtins/native.h"

#include "value/number/numeric.h"

bool native_positional(const struct native_call *call, const char *name, size_t min, size_t max,
                       struct error *err)
{
    if (call->named_count > 0) {
        return error_set(err, ERROR_MACHINE, "%s() takes no named arguments, but got '%s'", name,
                         call->named[0].name);
    }
    if (call->arg_count >= min && call->arg_count <= max) {
        return true;
    }
    size_t bound = call->arg_count < min ? min : max;
    return error_set(err, ERROR_MACHINE, "%s() takes %s%zu argument%s, but %zu %s given", name,
                     min == max              ? ""
                     : call->arg_count < min ? "at least "
                                             : "at most ",
                     bound, plural(bound), call->arg_count, call->arg_count == 1 ? "was" : "were");
}

bool native_int(const char *name, struct value value, int64_t *out, struct error *err)
{
    if (value.type != VALUE_INT) {
        return error_set(err, ERROR_MACHINE, "%s() wants an int, not %s", name,
                         value_type_name(value));
    }
    return int_fits(value, out) ||
           error_set(err, ERROR_MACHINE, "%s() wants an int of at most 64 bits", name);
}

bool native_string(const char *name, struct value value, const struct string **out,
                   struct error *err)
{
    if (value.type != VALUE_STRING) {
        return error_set(err, ERROR_MACHINE, "%s() wants a string, not %s", name,
                         value_type_name(value));
    }
    *out = value.as.string;
    return true;
}

struct value native_arg(const struct native_call *call, size_t index)
{
    return index < call->arg_count ? call->args[index] : value_none();
}

bool native_place(const char *name, struct value arg, size_t length, size_t *out, struct error *err)
{
    int64_t number;
    if (arg.type == VALUE_NONE) {
        return true;
    }
    if (arg.type != VALUE_INT) {
        return error_set(err, ERROR_MACHINE, "%s() wants an int as place, not %s", name,
                         value_type_name(arg));
    }
    if (!int_fits(arg, &number)) {
        number = number_compare(arg, value_int(0)) < 0 ? INT64_MIN : INT64_MAX;
    }
    if (number < 0) {
        uint64_t back = 0 - (uint64_t)number;
        *out = back > length ? 0 : length - (size_t)back;
    } else {
        *out = (uint64_t)number > length ? length : (size_t)number;
    }
    return true;
}

bool lock_items(struct lang_state *state, struct value value, struct locked_items *out,
                struct error *err)
{
    if (!value_iter_begin(&out->lock, value, state->caller.arena, err)) {
        return false;
    }
    if (!items_of(state, value, &out->items, err)) {
        value_iter_end(&out->lock);
        return false;
    }
    return true;
}

void unlock_items(struct locked_items *items) { value_iter_end(&items->lock); }
