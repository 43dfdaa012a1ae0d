/* Calls: the callee, its arguments, and the call itself. */
#include "base/names.h"
#include "lang/builtins/methods.h"
#include "lang/eval/interp.h"

#include <assert.h>
#include <string.h>

/* Appends *args to the positional arguments; all move to a larger place. */
static bool unpack_star(struct lang_frame *frame, const struct expr *star, struct native_call *call,
                        struct error *err)
{
    struct lang_state *state = frame->state;
    struct value value;
    struct items items;
    if (!eval(frame, star, &value, err)) {
        return false;
    }
    if (!items_of(state, value, &items, err) ||
        !room_for(state, items.count + call->arg_count, sizeof(struct value), err)) {
        return locate(frame, star->pos, err);
    }
    struct value *all = stack_push(state, (call->arg_count + items.count) * sizeof *all);
    memcpy(all, call->args, call->arg_count * sizeof *all);
    if (items.count) {
        memcpy(all + call->arg_count, items.items, items.count * sizeof *all);
    }
    call->args = all;
    call->arg_count += items.count;
    return true;
}

static bool unpack_star_star(struct lang_frame *frame, const struct expr *star_star,
                             struct native_call *call, struct error *err)
{
    struct value value;
    if (!eval(frame, star_star, &value, err)) {
        return false;
    }
    if (value.type != VALUE_DICT) {
        return raise_at(frame, star_star->pos, err, "expected a dict behind **, not %s",
                        value_type_name(value));
    }
    const struct table *table = value.as.table;
    uint64_t pairs = (uint64_t)table->count * (table->count + call->named_count);
    if (!charge(frame->state, pairs, err)) { /* each name is compared with those before it */
        return locate(frame, star_star->pos, err);
    }
    struct named_value *all =
        stack_push(frame->state, (call->named_count + table->count) * sizeof *all);
    memcpy(all, call->named, call->named_count * sizeof *all);
    call->named = all;
    const struct table_entry *entry;
    for (size_t i = 0; (entry = table_next(table, &i));) {
        if (entry->key.type != VALUE_STRING) {
            return raise_at(frame, star_star->pos, err,
                            "the keys behind ** must be strings, not %s",
                            value_type_name(entry->key));
        }
        const char *name = value_cstr(entry->key);
        if (name_is_in(name, all, call->named_count, sizeof *all,
                       offsetof(struct named_value, name))) {
            return raise_at(frame, star_star->pos, err, "argument '%s' is given twice", name);
        }
        all[call->named_count++] = (struct named_value){name, entry->value};
    }
    return true;
}

static bool eval_arguments(struct lang_frame *frame, const struct expr *expr,
                           struct native_call *call, struct error *err)
{
    const struct expr_call *from = &expr->as.call;
    struct expr *const *items = expr->items + 1;
    struct value *args = stack_push(frame->state, from->arg_count * sizeof *args);
    struct named_value *named = stack_push(frame->state, from->named_count * sizeof *named);
    for (size_t i = 0; i < from->arg_count; i++) {
        if (!eval(frame, *items++, &args[i], err)) {
            return false;
        }
    }
    for (size_t i = 0; i < from->named_count; i++) {
        named[i].name = from->names[i].name;
        if (!eval(frame, *items++, &named[i].value, err)) {
            return false;
        }
    }
    call->args = args;
    call->arg_count = from->arg_count;
    call->named = named;
    call->named_count = from->named_count;
    return (!from->star || unpack_star(frame, from->star, call, err)) &&
           (!from->star_star || unpack_star_star(frame, from->star_star, call, err));
}

/* Evaluates the callee: any value, or a method that need not become a value (call->function). */
static bool eval_callee(struct lang_frame *frame, const struct expr *expr, struct native_call *call,
                        struct value *callee, struct error *err)
{
    if (expr->kind != EXPR_ATTR) {
        return eval(frame, expr, callee, err);
    }
    const struct expr_attr *attr = &expr->as.attr;
    struct value object;
    if (!eval(frame, expr->items[0], &object, err)) {
        return false;
    }
    call->function = attr->methods[object.type];
    if (call->function) {
        call->self = object;
        return true;
    }
    return attr_get(frame->state, object, attr->name, callee, err) ||
           locate(frame, attr->name_pos, err);
}

bool eval_call(struct lang_frame *frame, const struct expr *expr, struct value *out,
               struct error *err)
{
    assert(expr->kind == EXPR_CALL);
    struct lang_state *state = frame->state;
    struct native_call call = {.caller = &state->caller};
    struct value callee;
    if (!eval_callee(frame, expr->items[0], &call, &callee, err)) {
        return false;
    }
    struct stack_mark mark = stack_mark(state);
    bool ok = eval_arguments(frame, expr, &call, err);
    if (ok) {
        frame->at = expr->pos;
        ok = (call.function ? native_run(call.function, &call, out, err)
                            : call_value(state, callee, &call, out, err)) ||
             locate(frame, expr->pos, err);
    }
    stack_pop(state, mark);
    return ok;
}
