#include "lang/builtins/native.h"

#include "value/number/numeric.h"

const struct native_param params_none[] = {{0}};
const struct native_param params_x[] = {{"x", PARAM_REQUIRED, PARAM_POSITIONAL}, {0}};
const struct native_param params_any[] = {{"x", PARAM_OPTIONAL, PARAM_POSITIONAL | PARAM_UNSET},
                                          {0}};
const struct native_param params_rest[] = {{"xs", PARAM_REST, 0}, {0}};
const struct native_param params_items[] = {
    {"items", PARAM_REQUIRED, PARAM_POSITIONAL | PARAM_ITEMS}, {0}};
const struct native_param params_any_items[] = {
    {"items", PARAM_OPTIONAL, PARAM_POSITIONAL | PARAM_UNSET | PARAM_ITEMS}, {0}};
const struct native_param params_rest_items[] = {{"items", PARAM_REST, PARAM_ITEMS}, {0}};

bool native_place(const struct native_call *call, size_t index, size_t length, size_t *out,
                  struct error *err)
{
    struct value arg = call->args[index];
    int64_t number;
    if (arg.type == VALUE_NONE) {
        return true;
    }
    if (arg.type != VALUE_INT) {
        return error_set(err, ERROR_MACHINE, "%s() expects an int as place, not %s",
                         call->function->name, value_type_name(arg));
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

bool native_changes(const struct native_call *call, struct value *out, struct error *err)
{
    *out = value_none();
    return caller_check_mutable(call->caller, call->self, err);
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

void list_reverse(struct list *list)
{
    for (size_t i = 0; i < list->count / 2; i++) {
        struct value swapped = list->items[i];
        list->items[i] = list->items[list->count - 1 - i];
        list->items[list->count - 1 - i] = swapped;
    }
}
