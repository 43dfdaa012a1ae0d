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

static struct value read_name(const struct lang_frame *frame, const struct expr_name *name)
{
    switch (name->binding) {
    case BIND_GLOBAL:
        return frame->state->globals[name->slot];
    case BIND_STEP:
        return frame->locals[name->slot];
    case BIND_LOCAL:
        return frame->slots[name->slot];
    case BIND_CELL:
        return frame->cells[name->slot];
    case BIND_FREE:
        return *frame->captures[name->slot];
    case BIND_NONE:
    case BIND_VALUE:
    default:
        return name->value;
    }
}

bool eval_expr_name(struct lang_frame *frame, const struct expr *expr, struct value *out,
                    struct error *err)
{
    assert(expr->kind == EXPR_NAME);
    *out = read_name(frame, &expr->as.name);
    return !is_unset(*out) || raise_at(frame, expr->pos, err, "'%s' is read before it is assigned",
                                       expr->as.name.name);
}

static bool eval_items(struct lang_frame *frame, const struct expr *expr, struct value *items,
                       struct error *err)
{
    for (size_t i = 0; i < expr->as.items.count; i++) {
        if (!eval(frame, expr->as.items.items[i], &items[i], err)) {
            return false;
        }
    }
    return true;
}

static bool eval_tuple(struct lang_frame *frame, const struct expr *expr, struct value *out,
                       struct error *err)
{
    struct lang_state *state = frame->state;
    struct stack_mark mark = stack_mark(state);
    struct value *items = stack_push(state, expr->as.items.count * sizeof *items);
    bool ok = eval_items(frame, expr, items, err);
    if (ok) {
        *out = value_tuple(state->caller.arena, items, expr->as.items.count);
    }
    stack_pop(state, mark);
    return ok;
}

static bool eval_list(struct lang_frame *frame, const struct expr *expr, struct value *out,
                      struct error *err)
{
    *out = value_list(frame->state->caller.arena);
    for (size_t i = 0; i < expr->as.items.count; i++) {
        struct value item;
        if (!eval(frame, expr->as.items.items[i], &item, err)) {
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
    for (size_t i = 0; i < expr->as.items.count; i++) {
        struct value item;
        if (!eval(frame, expr->as.items.items[i], &item, err)) {
            return false;
        }
        if (!entry_set(frame->state, set.as.table, item, value_none(), err)) {
            return locate(frame, expr->as.items.items[i]->pos, err);
        }
    }
    *out = set;
    return true;
}

static bool add_entry(struct lang_frame *frame, const struct expr_entry *entry, struct table *table,
                      struct error *err)
{
    struct value key;
    struct value value;
    if (!eval(frame, entry->key, &key, err) || !eval(frame, entry->value, &value, err)) {
        return false;
    }
    size_t before = table->count;
    if (!entry_set(frame->state, table, key, value, err)) {
        return locate(frame, entry->key->pos, err);
    }
    if (table->count == before) {
        struct strbuf text = {0};
        value_repr(key, &text);
        (void)raise_at(frame, entry->key->pos, err, "the key %.100s stands twice in this dict",
                       strbuf_text(&text));
        strbuf_free(&text);
        return false;
    }
    return true;
}

static bool eval_dict(struct lang_frame *frame, const struct expr *expr, struct value *out,
                      struct error *err)
{
    struct value dict = value_dict(frame->state->caller.arena);
    for (size_t i = 0; i < expr->as.dict.count; i++) {
        if (!add_entry(frame, &expr->as.dict.entries[i], dict.as.table, err)) {
            return false;
        }
    }
    *out = dict;
    return true;
}

static bool eval_unary(struct lang_frame *frame, const struct expr *expr, struct value *out,
                       struct error *err)
{
    struct value operand;
    return eval(frame, expr->as.unary.operand, &operand, err) &&
           (unary_apply(frame->state, expr->as.unary.op, operand, out, err) ||
            locate(frame, expr->pos, err));
}

static bool eval_binary(struct lang_frame *frame, const struct expr *expr, struct value *out,
                        struct error *err)
{
    struct value left;
    if (!eval(frame, expr->as.binary.first, &left, err)) {
        return false;
    }
    for (size_t i = 0; i < expr->as.binary.count; i++) {
        const struct expr_link *link = &expr->as.binary.links[i];
        struct value right;
        struct value result;
        if (!eval(frame, link->operand, &right, err)) {
            return false;
        }
        if (!binary_apply(frame->state, link->op, left, right, &result, err)) {
            return locate(frame, link->pos, err);
        }
        left = result;
    }
    *out = left;
    return true;
}

static bool eval_logical(struct lang_frame *frame, const struct expr *expr, struct value *out,
                         struct error *err)
{
    for (size_t i = 0; i < expr->as.logical.count; i++) {
        if (!eval(frame, expr->as.logical.operands[i], out, err)) {
            return false;
        }
        if (value_truth(*out) == expr->as.logical.is_or) {
            break;
        }
    }
    return true;
}

static bool eval_conditional(struct lang_frame *frame, const struct expr *expr, struct value *out,
                             struct error *err)
{
    struct value condition;
    if (!eval(frame, expr->as.conditional.condition, &condition, err)) {
        return false;
    }
    return eval(frame,
                value_truth(condition) ? expr->as.conditional.then : expr->as.conditional.otherwise,
                out, err);
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
    return eval(frame, expr->as.attr.object, &object, err) &&
           (attr_get(frame->state, object, expr->as.attr.name, out, err) ||
            locate(frame, expr->as.attr.name_pos, err));
}

static bool eval_index(struct lang_frame *frame, const struct expr *expr, struct value *out,
                       struct error *err)
{
    struct value object;
    struct value index;
    return eval(frame, expr->as.index.object, &object, err) &&
           eval(frame, expr->as.index.index, &index, err) &&
           (index_get(frame->state, object, index, out, err) || locate(frame, expr->pos, err));
}

static bool eval_slice(struct lang_frame *frame, const struct expr *expr, struct value *out,
                       struct error *err)
{
    struct value object;
    struct value parts[3] = {value_none(), value_none(), value_none()};
    if (!eval(frame, expr->as.slice.object, &object, err)) {
        return false;
    }
    for (size_t i = 0; i < 3; i++) {
        const struct expr *part = expr->as.slice.parts[i];
        if (part && !eval(frame, part, &parts[i], err)) {
            return false;
        }
    }
    return slice_get(frame->state, object, parts, out, err) || locate(frame, expr->pos, err);
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
