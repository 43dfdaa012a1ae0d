/* Calls: the callee, its arguments, and the call itself. */
#include "lang/builtins/methods.h"
#include "lang/eval/interp.h"

#include <assert.h>
#include <string.h>

struct arguments {
    struct value *args;
    size_t count;
    struct named_value *named;
    size_t named_count;
};

/* *args behind the positional ones: all move to a place that holds both. */
static bool unpack_star(struct lang_frame *frame, const struct expr *star,
                        struct arguments *arguments, struct error *err)
{
    struct lang_state *state = frame->state;
    struct value value;
    struct items items;
    if (!eval(frame, star, &value, err)) {
        return false;
    }
    if (!items_of(state, value, &items, err) ||
        !room_for(state, items.count + arguments->count, sizeof(struct value), err)) {
        return locate(frame, star->pos, err);
    }
    size_t count = arguments->count + items.count;
    struct value *all = stack_push(state, count * sizeof *all);
    memcpy(all, arguments->args, arguments->count * sizeof *all);
    if (items.count) {
        memcpy(all + arguments->count, items.items, items.count * sizeof *all);
    }
    arguments->args = all;
    arguments->count = count;
    return true;
}

static bool is_given(const struct arguments *arguments, const char *name)
{
    for (size_t i = 0; i < arguments->named_count; i++) {
        if (strcmp(arguments->named[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool add_named(struct lang_frame *frame, const struct expr *at,
                      const struct table_entry *entry, struct arguments *arguments,
                      struct error *err)
{
    if (entry->key.type != VALUE_STRING) {
        return raise_at(frame, at->pos, err, "the keys behind ** must be strings, not %s",
                        value_type_name(entry->key));
    }
    const char *name = value_cstr(entry->key);
    if (is_given(arguments, name)) {
        return raise_at(frame, at->pos, err, "argument '%s' is given twice", name);
    }
    arguments->named[arguments->named_count++] = (struct named_value){name, entry->value};
    return true;
}

static bool unpack_star_star(struct lang_frame *frame, const struct expr *star_star,
                             struct arguments *arguments, struct error *err)
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
    uint64_t pairs = (uint64_t)table->count * (table->count + arguments->named_count);
    if (!charge(frame->state, pairs, err)) { /* each is compared with those before it */
        return locate(frame, star_star->pos, err);
    }
    struct named_value *all =
        stack_push(frame->state, (arguments->named_count + table->count) * sizeof *all);
    memcpy(all, arguments->named, arguments->named_count * sizeof *all);
    arguments->named = all;
    const struct table_entry *entry;
    for (size_t i = 0; (entry = table_next(table, &i));) {
        if (!add_named(frame, star_star, entry, arguments, err)) {
            return false;
        }
    }
    return true;
}

static bool eval_arguments(struct lang_frame *frame, const struct expr *expr,
                           struct arguments *arguments, struct error *err)
{
    const struct expr_call *call = &expr->as.call;
    arguments->count = call->arg_count;
    arguments->args = stack_push(frame->state, call->arg_count * sizeof *arguments->args);
    for (size_t i = 0; i < call->arg_count; i++) {
        if (!eval(frame, expr->items[1 + i], &arguments->args[i], err)) {
            return false;
        }
    }
    arguments->named_count = call->named_count;
    arguments->named = stack_push(frame->state, call->named_count * sizeof *arguments->named);
    for (size_t i = 0; i < call->named_count; i++) {
        arguments->named[i].name = call->names[i].name;
        if (!eval(frame, expr->items[1 + call->arg_count + i], &arguments->named[i].value, err)) {
            return false;
        }
    }
    return (!call->star || unpack_star(frame, call->star, arguments, err)) &&
           (!call->star_star || unpack_star_star(frame, call->star_star, arguments, err));
}

/* What is called: any value, or a method that need not become one. */
struct callee {
    struct value value;
    const struct native_function *method; /* NULL: `value` is called; else it is the self */
};

static bool eval_callee(struct lang_frame *frame, const struct expr *expr, struct callee *callee,
                        struct error *err)
{
    callee->method = NULL;
    if (expr->kind != EXPR_ATTR) {
        return eval(frame, expr, &callee->value, err);
    }
    const struct expr_attr *attr = &expr->as.attr;
    struct value object;
    if (!eval(frame, expr->items[0], &object, err)) {
        return false;
    }
    enum method_type type = method_type_of(object);
    if (type != METHOD_TYPES && attr->methods[type]) {
        *callee = (struct callee){object, attr->methods[type]};
        return true;
    }
    return attr_get(frame->state, object, attr->name, &callee->value, err) ||
           locate(frame, attr->name_pos, err);
}

static bool make_call(struct lang_frame *frame, const struct expr *expr,
                      const struct callee *callee, struct value *out, struct error *err)
{
    struct lang_state *state = frame->state;
    struct arguments arguments;
    if (!eval_arguments(frame, expr, &arguments, err)) {
        return false;
    }
    struct native_call call = {.caller = &state->caller,
                               .self = callee->method ? callee->value : value_none(),
                               .args = arguments.args,
                               .arg_count = arguments.count,
                               .named = arguments.named,
                               .named_count = arguments.named_count};
    frame->at = expr->pos;
    bool ok = callee->method ? native_run(callee->method, &call, out, err)
                             : call_value(state, callee->value, &call, out, err);
    return ok || locate(frame, expr->pos, err);
}

bool eval_call(struct lang_frame *frame, const struct expr *expr, struct value *out,
               struct error *err)
{
    assert(expr->kind == EXPR_CALL);
    struct callee callee;
    if (!eval_callee(frame, expr->items[0], &callee, err)) {
        return false;
    }
    struct stack_mark mark = stack_mark(frame->state);
    bool ok = make_call(frame, expr, &callee, out, err);
    stack_pop(frame->state, mark);
    return ok;
}
