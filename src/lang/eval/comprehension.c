/* Comprehensions: nested loops that fill a list, set or dict. */
#include "lang/eval/interp.h"

#include <assert.h>

static bool run_clause(struct lang_frame *frame, const struct expr_comprehension *comprehension,
                       size_t at, struct value collection, struct error *err);

static bool add_result_item(struct lang_frame *frame,
                            const struct expr_comprehension *comprehension, struct value collection,
                            struct error *err)
{
    struct value key = value_none();
    struct value item;
    if ((comprehension->key && !eval(frame, comprehension->key, &key, err)) ||
        !eval(frame, comprehension->item, &item, err)) {
        return false;
    }
    if (comprehension->kind == COMPREHENSION_LIST) {
        list_append(collection.as.list, item);
        return true;
    }
    bool dict = comprehension->key != NULL;
    uint32_t pos = dict ? comprehension->key->pos : comprehension->item->pos;
    return entry_set(frame->state, collection.as.table, dict ? key : item,
                     dict ? item : value_none(), err) ||
           locate(frame, pos, err);
}

static bool run_loop(struct lang_frame *frame, const struct expr_comprehension *comprehension,
                     size_t at, struct value collection, struct error *err)
{
    const struct clause *clause = &comprehension->clauses[at];
    struct value over;
    struct value_iter iter;
    if (!eval(frame, clause->operand, &over, err)) {
        return false;
    }
    if (!value_iter_begin(&iter, over, frame->state->caller.arena, err)) {
        return locate(frame, clause->operand->pos, err);
    }
    struct value item;
    bool ok = true;
    while (ok && value_iter_next(&iter, &item)) {
        ok = (charge(frame->state, 1, err) || locate(frame, clause->pos, err)) &&
             assign(frame, clause->target, item, err) &&
             run_clause(frame, comprehension, at + 1, collection, err);
    }
    value_iter_end(&iter);
    return ok;
}

static bool run_clause(struct lang_frame *frame, const struct expr_comprehension *comprehension,
                       size_t at, struct value collection, struct error *err)
{
    if (at == comprehension->count) {
        return add_result_item(frame, comprehension, collection, err);
    }
    const struct clause *clause = &comprehension->clauses[at];
    if (clause->target) {
        return run_loop(frame, comprehension, at, collection, err);
    }
    struct value condition;
    return eval(frame, clause->operand, &condition, err) &&
           (!value_truth(condition) || run_clause(frame, comprehension, at + 1, collection, err));
}

bool eval_comprehension(struct lang_frame *frame, const struct expr *expr, struct value *out,
                        struct error *err)
{
    assert(expr->kind == EXPR_COMPREHENSION);
    const struct expr_comprehension *comprehension = &expr->as.comprehension;
    struct arena *arena = frame->state->caller.arena;
    struct value collection = comprehension->kind == COMPREHENSION_LIST  ? value_list(arena)
                              : comprehension->kind == COMPREHENSION_SET ? value_set(arena)
                                                                         : value_dict(arena);
    for (uint32_t i = 0; i < comprehension->slot_count; i++) {
        frame->slots[comprehension->first_slot + i] = unset_value();
    }
    if (!run_clause(frame, comprehension, 0, collection, err)) {
        return false;
    }
    *out = collection;
    return true;
}
