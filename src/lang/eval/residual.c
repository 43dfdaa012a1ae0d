#include "lang/eval/residual.h"

#include "lang/eval/interp.h"
#include "lang/resolve/module.h"

#include <assert.h>

/* The expression's run, of which parts are evaluated. */
struct run {
    struct lang_frame frame;
    struct arena *arena; /* of what comes out */
    size_t slot;
    bool inside; /* a RESIDUAL_EACH, whose variables are not known either */
};

static const struct residual *left_of(struct run *run, const struct expr *expr);

static bool is_unknown(const struct run *run, const struct expr *expr)
{
    const struct expr_name *name = &expr->as.name;
    return (name->binding == BIND_STEP && name->slot == run->slot) ||
           (name->binding != BIND_STEP && name->binding != BIND_GLOBAL &&
            name->binding != BIND_VALUE && run->inside);
}

static bool any_unknown(const struct run *run, const struct expr *expr);

static bool any_of(const struct run *run, struct expr *const *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (items[i] && any_unknown(run, items[i])) {
            return true;
        }
    }
    return false;
}

static bool any_in_call(const struct run *run, const struct expr_call *call)
{
    for (size_t i = 0; i < call->named_count; i++) {
        if (any_unknown(run, call->named[i].value)) {
            return true;
        }
    }
    struct expr *const stars[] = {call->callee, call->star, call->star_star};
    return any_of(run, call->args, call->arg_count) || any_of(run, stars, 3);
}

static bool any_in_comprehension(const struct run *run,
                                 const struct expr_comprehension *comprehension)
{
    for (size_t i = 0; i < comprehension->count; i++) {
        if (any_unknown(run, comprehension->clauses[i].operand)) {
            return true;
        }
    }
    struct expr *const items[] = {comprehension->key, comprehension->item};
    return any_of(run, items, 2);
}

static bool any_in_binary(const struct run *run, const struct expr_binary *binary)
{
    for (size_t i = 0; i < binary->count; i++) {
        if (any_unknown(run, binary->links[i].operand)) {
            return true;
        }
    }
    return any_unknown(run, binary->first);
}

static bool any_in_dict(const struct run *run, const struct expr_dict *dict)
{
    for (size_t i = 0; i < dict->count; i++) {
        if (any_unknown(run, dict->entries[i].key) || any_unknown(run, dict->entries[i].value)) {
            return true;
        }
    }
    return false;
}

/* Whether its value follows from what is not known. A lambda may read it: it counts as if it did.
 */
static bool any_unknown(const struct run *run, const struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_CONSTANT:
        return false;
    case EXPR_NAME:
        return is_unknown(run, expr);
    case EXPR_TUPLE:
    case EXPR_LIST:
    case EXPR_SET:
        return any_of(run, expr->as.items.items, expr->as.items.count);
    case EXPR_DICT:
        return any_in_dict(run, &expr->as.dict);
    case EXPR_COMPREHENSION:
        return any_in_comprehension(run, &expr->as.comprehension);
    case EXPR_UNARY:
        return any_unknown(run, expr->as.unary.operand);
    case EXPR_BINARY:
        return any_in_binary(run, &expr->as.binary);
    case EXPR_LOGICAL:
        return any_of(run, expr->as.logical.operands, expr->as.logical.count);
    case EXPR_CONDITIONAL:
        return any_of(run,
                      (struct expr *const[]){expr->as.conditional.condition,
                                             expr->as.conditional.then,
                                             expr->as.conditional.otherwise},
                      3);
    case EXPR_CALL:
        return any_in_call(run, &expr->as.call);
    case EXPR_ATTR:
        return any_unknown(run, expr->as.attr.object);
    case EXPR_INDEX:
        return any_unknown(run, expr->as.index.object) || any_unknown(run, expr->as.index.index);
    case EXPR_SLICE:
        return any_unknown(run, expr->as.slice.object) || any_of(run, expr->as.slice.parts, 3);
    case EXPR_LAMBDA:
    case EXPR_KINDS:
    default:
        return true;
    }
}

/* Building. */

static const struct residual *build(struct run *run, struct residual residual,
                                    const struct residual *const *parts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!parts[i]) {
            return NULL;
        }
    }
    residual.parts = arena_memdup(run->arena, parts, count * sizeof(const struct residual *));
    residual.count = count;
    return arena_memdup(run->arena, &residual, sizeof residual);
}

static const struct residual *of_value(struct run *run, struct value value)
{
    return build(run,
                 (struct residual){.kind = RESIDUAL_VALUE, .value = value_copy(run->arena, value)},
                 NULL, 0);
}

static const struct residual *evaluated(struct run *run, const struct expr *expr)
{
    struct value value;
    struct error ignored = {0};
    return eval(&run->frame, expr, &value, &ignored) ? of_value(run, value) : NULL;
}

/* Kinds of expression. */

static const struct residual *left_of_unary(struct run *run, const struct expr *expr)
{
    const struct expr_unary *unary = &expr->as.unary;
    const struct residual *operand = left_of(run, unary->operand);
    if (unary->op != UNARY_NOT && unary->op != UNARY_MINUS) {
        return NULL;
    }
    enum residual_kind kind = unary->op == UNARY_NOT ? RESIDUAL_NOT : RESIDUAL_MINUS;
    return build(run, (struct residual){.kind = kind}, &operand, 1);
}

static const struct residual *left_of_binary(struct run *run, const struct expr *expr)
{
    const struct expr_binary *binary = &expr->as.binary;
    const struct residual *left = left_of(run, binary->first);
    for (size_t i = 0; i < binary->count; i++) {
        const struct residual *const parts[] = {left, left_of(run, binary->links[i].operand)};
        left = build(run, (struct residual){.kind = RESIDUAL_BINARY, .op = binary->links[i].op},
                     parts, 2);
    }
    return left;
}

static const struct residual *left_of_logical(struct run *run, const struct expr *expr)
{
    const struct expr_logical *logical = &expr->as.logical;
    enum residual_kind kind = logical->is_or ? RESIDUAL_OR : RESIDUAL_AND;
    VEC(const struct residual *) parts = {0};
    for (size_t i = 0; i < logical->count; i++) {
        const struct residual *part = left_of(run, logical->operands[i]);
        if (part && part->kind == RESIDUAL_VALUE) {
            if (value_truth(part->value) == logical->is_or) {
                /* What comes behind it is never reached. */
                *VEC_PUSH(run->arena, &parts) = part;
                break;
            }
            if (i + 1 < logical->count) {
                continue; /* it is not what comes out */
            }
        }
        *VEC_PUSH(run->arena, &parts) = part;
    }
    return parts.count == 1 ? parts.items[0]
                            : build(run, (struct residual){.kind = kind}, parts.items, parts.count);
}

/* `a if c else b`, as one of the two where c is known, else as (c and a) or (not c and b): a
 * condition that holds in the same cases. */
static const struct residual *left_of_conditional(struct run *run, const struct expr *expr)
{
    const struct expr_conditional *conditional = &expr->as.conditional;
    const struct residual *condition = left_of(run, conditional->condition);
    if (!condition) {
        return NULL;
    }
    if (condition->kind == RESIDUAL_VALUE) {
        return left_of(run,
                       value_truth(condition->value) ? conditional->then : conditional->otherwise);
    }
    const struct residual *inverse =
        build(run, (struct residual){.kind = RESIDUAL_NOT}, &condition, 1);
    const struct residual *const then[] = {condition, left_of(run, conditional->then)};
    const struct residual *const otherwise[] = {inverse, left_of(run, conditional->otherwise)};
    const struct residual and = {.kind = RESIDUAL_AND};
    const struct residual *const both[] = {build(run, and, then, 2), build(run, and, otherwise, 2)};
    return build(run, (struct residual){.kind = RESIDUAL_OR}, both, 2);
}

static const struct residual *left_of_call(struct run *run, const struct expr *expr)
{
    const struct expr_call *call = &expr->as.call;
    const struct expr *callee = call->callee;
    struct residual out = {.kind = RESIDUAL_CALL};
    VEC(const struct residual *) parts = {0};
    if (call->named_count || call->star || call->star_star) {
        return NULL;
    }
    if (callee->kind == EXPR_NAME && callee->as.name.binding == BIND_VALUE) {
        out.name = callee->as.name.name;
    } else if (callee->kind == EXPR_ATTR) {
        out = (struct residual){.kind = RESIDUAL_METHOD, .name = callee->as.attr.name};
        *VEC_PUSH(run->arena, &parts) = left_of(run, callee->as.attr.object);
    } else {
        return NULL;
    }
    for (size_t i = 0; i < call->arg_count; i++) {
        *VEC_PUSH(run->arena, &parts) = left_of(run, call->args[i]);
    }
    return build(run, out, parts.items, parts.count);
}

/* The names of a comprehension's variables; false where it is no list of names. */
static bool read_names(struct run *run, struct expr *target, struct residual *out)
{
    VEC(const char *) names = {0};
    out->unpacks = target->kind == EXPR_TUPLE || target->kind == EXPR_LIST;
    struct expr *const one[] = {target};
    struct expr *const *items = out->unpacks ? target->as.items.items : one;
    size_t count = out->unpacks ? target->as.items.count : 1;
    for (size_t i = 0; i < count; i++) {
        if (items[i]->kind != EXPR_NAME) {
            return false;
        }
        *VEC_PUSH(run->arena, &names) = items[i]->as.name.name;
    }
    out->names = names.items;
    out->name_count = count;
    return true;
}

static const struct residual *left_of_comprehension(struct run *run, const struct expr *expr)
{
    const struct expr_comprehension *comprehension = &expr->as.comprehension;
    const struct clause *first = &comprehension->clauses[0];
    struct residual out = {.kind = RESIDUAL_EACH};
    VEC(const struct residual *) parts = {0};
    if (run->inside || comprehension->kind != COMPREHENSION_LIST ||
        !read_names(run, first->target, &out)) {
        return NULL;
    }
    const struct residual *operand = left_of(run, first->operand);
    run->inside = true;
    *VEC_PUSH(run->arena, &parts) = left_of(run, comprehension->item);
    *VEC_PUSH(run->arena, &parts) = operand;
    for (size_t i = 1; i < comprehension->count; i++) {
        const struct clause *clause = &comprehension->clauses[i];
        *VEC_PUSH(run->arena, &parts) = clause->target ? NULL : left_of(run, clause->operand);
    }
    run->inside = false;
    return build(run, out, parts.items, parts.count);
}

static const struct residual *left_of_name(struct run *run, const struct expr *expr)
{
    bool local = expr->as.name.binding == BIND_STEP;
    return build(run,
                 (struct residual){.kind = local ? RESIDUAL_LOCAL : RESIDUAL_VARIABLE,
                                   .name = expr->as.name.name},
                 NULL, 0);
}

static const struct residual *left_of_unknown(struct run *run, const struct expr *expr)
{
    const struct residual *parts[2];
    switch (expr->kind) {
    case EXPR_NAME:
        return left_of_name(run, expr);
    case EXPR_UNARY:
        return left_of_unary(run, expr);
    case EXPR_BINARY:
        return left_of_binary(run, expr);
    case EXPR_LOGICAL:
        return left_of_logical(run, expr);
    case EXPR_CONDITIONAL:
        return left_of_conditional(run, expr);
    case EXPR_CALL:
        return left_of_call(run, expr);
    case EXPR_COMPREHENSION:
        return left_of_comprehension(run, expr);
    case EXPR_ATTR:
        parts[0] = left_of(run, expr->as.attr.object);
        return build(run, (struct residual){.kind = RESIDUAL_ATTR, .name = expr->as.attr.name},
                     parts, 1);
    case EXPR_INDEX:
        parts[0] = left_of(run, expr->as.index.object);
        parts[1] = left_of(run, expr->as.index.index);
        return build(run, (struct residual){.kind = RESIDUAL_INDEX}, parts, 2);
    case EXPR_CONSTANT:
    case EXPR_TUPLE:
    case EXPR_LIST:
    case EXPR_SET:
    case EXPR_DICT:
    case EXPR_LAMBDA:
    case EXPR_SLICE:
    case EXPR_KINDS:
    default:
        return NULL;
    }
}

/* Whether it is a sum like `first + 1` where `first` came from the database: another run has
 * another one. */
static bool is_sum_of_origins(const struct residual *sum)
{
    bool found = false;
    for (; sum && sum->kind == RESIDUAL_BINARY; sum = sum->parts[0]) {
        bool adds = sum->op == BINARY_ADD || sum->op == BINARY_SUB || sum->op == BINARY_MUL;
        if (!adds || sum->parts[1]->kind != RESIDUAL_VALUE) {
            return false;
        }
        found = found || value_origin(sum->parts[1]->value);
    }
    return sum && sum->kind == RESIDUAL_VALUE && (found || value_origin(sum->value));
}

static const struct residual *left_of(struct run *run, const struct expr *expr)
{
    if (any_unknown(run, expr)) {
        return left_of_unknown(run, expr);
    }
    const struct residual *sum = expr->kind == EXPR_BINARY ? left_of_binary(run, expr) : NULL;
    return is_sum_of_origins(sum) ? sum : evaluated(run, expr);
}

const struct residual *lang_residual(struct lang_state *state, const struct lang_code *code,
                                     struct value *locals, size_t slot, struct arena *arena)
{
    assert(code->mode == LANG_EXPRESSION);
    struct lang_frame *outer = state->frame;
    bool looking = state->caller.looking;
    struct stack_mark mark = stack_mark(state);
    struct run run = {
        .frame = {.function = code->top, .locals = locals, .outer = outer, .state = state},
        .arena = arena,
        .slot = slot,
    };
    frame_begin(state, &run.frame);
    state->frame = &run.frame;
    state->caller.looking = true;
    state->levels += code->top->height;
    const struct residual *left = code->top->result ? left_of(&run, code->top->result) : NULL;
    state->levels -= code->top->height;
    state->caller.looking = looking;
    state->frame = outer;
    stack_pop(state, mark);
    return left;
}
