/* Assignment: names, indices, unpacking, and `x op= y`. */
#include "lang/eval/interp.h"

#include <assert.h>

static void assign_name(struct lang_frame *frame, const struct expr_name *name, struct value value)
{
    *name_place(frame, name) = value;
    if (name->binding == BIND_STEP && name->cell >= 0) {
        frame->cells[name->cell] = value;
    }
}

static bool assign_index(struct lang_frame *frame, const struct expr *target, struct value value,
                         struct error *err)
{
    struct value object;
    struct value index;
    return eval(frame, target->items[0], &object, err) &&
           eval(frame, target->items[1], &index, err) &&
           (index_set(frame->state, object, index, value, err) || locate(frame, target->pos, err));
}

static bool unpack(struct lang_frame *frame, const struct expr *target, struct value value,
                   struct error *err)
{
    size_t wanted = target->count;
    size_t count;
    struct items items;
    if (value.type == VALUE_STRING || !value_length(value, &count, NULL)) {
        (void)raise_at(frame, target->pos, err, "a value of type %s can't be unpacked",
                       value_type_name(value));
        return error_hint(err,
                          "a loop over a dict gives its keys; d.items() gives keys and values");
    }
    if (count != wanted) {
        return raise_at(frame, target->pos, err, "%zu value%s can't be unpacked into %zu name%s",
                        count, plural(count), wanted, plural(wanted));
    }
    if (!items_of(frame->state, value, &items, err)) {
        return locate(frame, target->pos, err);
    }
    struct stack_mark mark = stack_mark(frame->state);
    struct value *copy = stack_push(frame->state, count * sizeof *copy);
    for (size_t i = 0; i < count; i++) {
        copy[i] = items.items[i]; /* `xs[0], xs[1] = xs` changes the list that it reads */
    }
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        ok = assign(frame, target->items[i], copy[i], err);
    }
    stack_pop(frame->state, mark);
    return ok;
}

bool assign(struct lang_frame *frame, const struct expr *target, struct value value,
            struct error *err)
{
    if (target->kind == EXPR_NAME) {
        assign_name(frame, &target->as.name, value);
        return true;
    }
    return target->kind == EXPR_INDEX ? assign_index(frame, target, value, err)
                                      : unpack(frame, target, value, err);
}

/* `a op= b`: a list, set or dict is changed in place, anything else gives a new value. */
static bool augment(struct lang_state *state, enum binary_op op, struct value *a, struct value b,
                    struct error *err)
{
    if (a->type == VALUE_LIST && op == BINARY_ADD) {
        return caller_check_mutable(&state->caller, *a, err) &&
               list_extend(state, a->as.list, b, err);
    }
    bool set = a->type == VALUE_SET && b.type == VALUE_SET &&
               (op == BINARY_OR || op == BINARY_AND || op == BINARY_SUB || op == BINARY_XOR);
    bool dict = a->type == VALUE_DICT && b.type == VALUE_DICT && op == BINARY_OR;
    if (set || dict) {
        return caller_check_mutable(&state->caller, *a, err) &&
               tables_update(state, op, *a, b, err);
    }
    struct value old = *a;
    return binary_apply(state, op, old, b, a, err);
}

static bool augment_index(struct lang_frame *frame, const struct stmt *stmt, struct error *err)
{
    const struct expr *target = stmt->target;
    struct value object;
    struct value index;
    struct value value;
    struct value operand;
    if (!eval(frame, target->items[0], &object, err) ||
        !eval(frame, target->items[1], &index, err)) {
        return false;
    }
    if (!index_get(frame->state, object, index, &value, err)) {
        return locate(frame, target->pos, err);
    }
    if (!eval(frame, stmt->value, &operand, err)) {
        return false;
    }
    if (!augment(frame->state, stmt->op, &value, operand, err)) {
        return locate(frame, stmt->op_pos, err);
    }
    return index_set(frame->state, object, index, value, err) || locate(frame, target->pos, err);
}

bool exec_augment(struct lang_frame *frame, const struct stmt *stmt, struct error *err)
{
    assert(stmt->kind == STMT_AUGMENT);
    const struct expr *target = stmt->target;
    struct value value;
    struct value operand;
    if (target->kind == EXPR_INDEX) {
        return augment_index(frame, stmt, err);
    }
    if (!eval_expr_name(frame, target, &value, err) || !eval(frame, stmt->value, &operand, err)) {
        return false;
    }
    if (!augment(frame->state, stmt->op, &value, operand, err)) {
        return locate(frame, stmt->op_pos, err);
    }
    assign_name(frame, &target->as.name, value);
    return true;
}
