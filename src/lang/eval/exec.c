/* Statements. */
#include "lang/eval/interp.h"

static enum flow flow_of(bool ok) { return ok ? FLOW_NEXT : FLOW_ERROR; }

static enum flow exec_if(struct lang_frame *frame, const struct stmt *stmt, struct value *out,
                         struct error *err)
{
    for (size_t i = 0; i < stmt->branch_count; i++) {
        const struct branch *branch = &stmt->branches[i];
        struct value condition = value_bool(true);
        if (branch->condition && !eval(frame, branch->condition, &condition, err)) {
            return FLOW_ERROR;
        }
        if (value_truth(condition)) {
            return exec_block(frame, &branch->body, out, err);
        }
    }
    return FLOW_NEXT;
}

static enum flow run_loop(struct lang_frame *frame, const struct stmt *stmt,
                          struct value_iter *iter, struct value *out, struct error *err)
{
    struct value item;
    while (value_iter_next(iter, &item)) {
        if (!assign(frame, stmt->target, item, err)) {
            return FLOW_ERROR;
        }
        enum flow flow = exec_block(frame, &stmt->branches[0].body, out, err);
        if (flow == FLOW_BREAK) {
            return FLOW_NEXT;
        }
        if (flow == FLOW_ERROR || flow == FLOW_RETURN) {
            return flow;
        }
    }
    return FLOW_NEXT;
}

static enum flow exec_for(struct lang_frame *frame, const struct stmt *stmt, struct value *out,
                          struct error *err)
{
    struct value over;
    struct value_iter iter;
    if (!eval(frame, stmt->value, &over, err)) {
        return FLOW_ERROR;
    }
    if (!value_iter_begin(&iter, over, frame->state->caller.arena, err)) {
        (void)locate(frame, stmt->value->pos, err);
        return FLOW_ERROR;
    }
    enum flow flow = run_loop(frame, stmt, &iter, out, err);
    value_iter_end(&iter);
    return flow;
}

static bool exec_assign(struct lang_frame *frame, const struct stmt *stmt, struct error *err)
{
    struct value value;
    return eval(frame, stmt->value, &value, err) && assign(frame, stmt->target, value, err);
}

static enum flow exec_statement(struct lang_frame *frame, const struct stmt *stmt,
                                struct value *out, struct error *err)
{
    struct value ignored;
    switch (stmt->kind) {
    case STMT_EXPR:
        return flow_of(eval(frame, stmt->value, &ignored, err));
    case STMT_ASSIGN:
    case STMT_DEF:
        return flow_of(exec_assign(frame, stmt, err));
    case STMT_AUGMENT:
        return flow_of(exec_augment(frame, stmt, err));
    case STMT_IF:
        return exec_if(frame, stmt, out, err);
    case STMT_FOR:
        return exec_for(frame, stmt, out, err);
    case STMT_RETURN:
        *out = value_none();
        return !stmt->value || eval(frame, stmt->value, out, err) ? FLOW_RETURN : FLOW_ERROR;
    case STMT_BREAK:
        return FLOW_BREAK;
    case STMT_CONTINUE:
        return FLOW_CONTINUE;
    case STMT_PASS:
    case STMT_KINDS:
    default:
        return FLOW_NEXT;
    }
}

enum flow exec_block(struct lang_frame *frame, const struct block *block, struct value *out,
                     struct error *err)
{
    for (size_t i = 0; i < block->count; i++) {
        const struct stmt *stmt = block->items[i];
        if (!within_limits(frame->state)) {
            (void)limit_reached(frame->state, err);
            (void)locate(frame, stmt->pos, err);
            return FLOW_ERROR;
        }
        enum flow flow = exec_statement(frame, stmt, out, err);
        if (flow != FLOW_NEXT) {
            return flow;
        }
    }
    return FLOW_NEXT;
}
