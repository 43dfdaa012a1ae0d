/* Expressions. */
#include "lang/builtins/methods.h"
#include "lang/eval/interp.h"

#include <assert.h>

typedef bool evaluator(struct lang_frame *frame, const struct expr *expr, struct value *out,
                       struct error *err);

static bool eval_constant(struct lang_frame *frame, const struct expr *expr, struct value *out,
                          struct error *err)
{
    (void)frame;
    (void)err;
    *out = expr->as.constant;
    return true;
}

bool eval_expr_name(struct lang_frame *frame, const struct expr *expr, struct value *out,
                    struct error *err)
{
    assert(expr->kind == EXPR_NAME);
    const struct expr_name *name = &expr->as.name;
    *out = name->binding == BIND_VALUE ? name->value : *name_place(frame, name);
    return !is_unset(*out) || raise_at(frame, expr->pos, err, "'%s' is read before it is assigned",
                                       expr->as.name.name);
}

static bool eval_tuple(struct lang_frame *frame, const struct expr *expr, struct value *out,
                       struct error *err)
{
    struct lang_state *state = frame->state;
    struct stack_mark mark = stack_mark(state);
    struct value *items = stack_push(state, expr->count * sizeof *items);
    bool ok = true;
    for (size_t i = 0; ok && i < expr->count; i++) {
        ok = eval(frame, expr->items[i], &items[i], err);
    }
    if (ok) {
        *out = value_tuple(state->caller.arena, items, expr->count);
    }
    stack_pop(state, mark);
    return ok;
}

static bool eval_list(struct lang_frame *frame, const struct expr *expr, struct value *out,
                      struct error *err)
{
    *out = value_list(frame->state->caller.arena);
    for (size_t i = 0; i < expr->count; i++) {
        struct value item;
        if (!eval(frame, expr->items[i], &item, err)) {
            return false;
        }
        list_append(out->as.list, item);
    }
    return true;
}

static bool eval_set(struct lang_frame *frame, const struct expr *expr, struct value *out,
                     struct error *err)
{
    struct value set = value_set(frame->state->caller.arena);
    for (size_t i = 0; i < expr->count; i++) {
        struct value item;
        if (!eval(frame, expr->items[i], &item, err)) {
            return false;
        }
        if (!entry_set(frame->state, set.as.table, item, value_none(), err)) {
            return locate(frame, expr->items[i]->pos, err);
        }
    }
    *out = set;
    return true;
}

static bool key_twice(struct lang_frame *frame, uint32_t pos, struct value key, struct error *err)
{
    struct strbuf text = {0};
    value_repr(key, &text);
    (void)raise_at(frame, pos, err, "the key %.100s appears twice in this dict",
                   strbuf_text(&text));
    strbuf_free(&text);
    return false;
}

static bool eval_dict(struct lang_frame *frame, const struct expr *expr, struct value *out,
                      struct error *err)
{
    struct value dict = value_dict(frame->state->caller.arena);
    for (size_t i = 0; i < expr->count; i += 2) {
        struct value key;
        struct value value;
        uint32_t pos = expr->items[i]->pos;
        if (!eval(frame, expr->items[i], &key, err) ||
            !eval(frame, expr->items[i + 1], &value, err)) {
            return false;
        }
        if (!entry_set(frame->state, dict.as.table, key, value, err)) {
            return locate(frame, pos, err);
        }
        if (dict.as.table->count == i / 2) {
            return key_twice(frame, pos, key, err);
        }
    }
    *out = dict;
    return true;
}

static bool eval_unary(struct lang_frame *frame, const struct expr *expr, struct value *out,
                       struct error *err)
{
    struct value operand;
    return eval(frame, expr->items[0], &operand, err) &&
           (unary_apply(frame->state, expr->as.unary, operand, out, err) ||
            locate(frame, expr->pos, err));
}

static bool eval_binary(struct lang_frame *frame, const struct expr *expr, struct value *out,
                        struct error *err)
{
    struct value left;
    if (!eval(frame, expr->items[0], &left, err)) {
        return false;
    }
    for (size_t i = 1; i < expr->count; i++) {
        const struct expr_operator *operator= & expr->as.operators[i - 1];
        struct value right;
        struct value result;
        if (!eval(frame, expr->items[i], &right, err)) {
            return false;
        }
        if (!binary_apply(frame->state, operator->op, left, right, &result, err)) {
            return locate(frame, operator->pos, err);
        }
        left = result;
    }
    *out = left;
    return true;
}

static bool eval_logical(struct lang_frame *frame, const struct expr *expr, struct value *out,
                         struct error *err)
{
    for (size_t i = 0; i < expr->count; i++) {
        if (!eval(frame, expr->items[i], out, err)) {
            return false;
        }
        if (value_truth(*out) == expr->as.is_or) {
            break;
        }
    }
    return true;
}

static bool eval_conditional(struct lang_frame *frame, const struct expr *expr, struct value *out,
                             struct error *err)
{
    struct value condition;
    return eval(frame, expr->items[0], &condition, err) &&
           eval(frame, expr->items[value_truth(condition) ? 1 : 2], out, err);
}

static bool eval_lambda(struct lang_frame *frame, const struct expr *expr, struct value *out,
                        struct error *err)
{
    return function_new(frame, expr->as.lambda, out, err);
}

static bool eval_attr(struct lang_frame *frame, const struct expr *expr, struct value *out,
                      struct error *err)
{
    struct value object;
    return eval(frame, expr->items[0], &object, err) &&
           (attr_get(frame->state, object, expr->as.attr.name, out, err) ||
            locate(frame, expr->as.attr.name_pos, err));
}

static bool eval_index(struct lang_frame *frame, const struct expr *expr, struct value *out,
                       struct error *err)
{
    struct value object;
    struct value index;
    return eval(frame, expr->items[0], &object, err) && eval(frame, expr->items[1], &index, err) &&
           (index_get(frame->state, object, index, out, err) || locate(frame, expr->pos, err));
}

static bool eval_slice(struct lang_frame *frame, const struct expr *expr, struct value *out,
                       struct error *err)
{
    struct value parts[4] = {0}; /* VALUE_NONE */
    for (size_t i = 0; i < 4; i++) {
        if (expr->items[i] && !eval(frame, expr->items[i], &parts[i], err)) {
            return false;
        }
    }
    return slice_get(frame->state, parts[0], &parts[1], out, err) || locate(frame, expr->pos, err);
}

static evaluator *const evaluators[EXPR_KINDS] = {
    [EXPR_CONSTANT] = eval_constant,
    [EXPR_NAME] = eval_expr_name,
    [EXPR_TUPLE] = eval_tuple,
    [EXPR_LIST] = eval_list,
    [EXPR_SET] = eval_set,
    [EXPR_DICT] = eval_dict,
    [EXPR_COMPREHENSION] = eval_comprehension,
    [EXPR_UNARY] = eval_unary,
    [EXPR_BINARY] = eval_binary,
    [EXPR_LOGICAL] = eval_logical,
    [EXPR_CONDITIONAL] = eval_conditional,
    [EXPR_LAMBDA] = eval_lambda,
    [EXPR_CALL] = eval_call,
    [EXPR_ATTR] = eval_attr,
    [EXPR_INDEX] = eval_index,
    [EXPR_SLICE] = eval_slice,
};

bool eval(struct lang_frame *frame, const struct expr *expr, struct value *out, struct error *err)
{
    if (!within_limits(frame->state)) {
        (void)limit_reached(frame->state, err);
        return locate(frame, expr->pos, err);
    }
    return evaluators[expr->kind](frame, expr, out, err);
}
