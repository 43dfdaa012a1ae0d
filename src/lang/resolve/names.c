/* The names that statements bind. */
#include "lang/resolve/resolve.h"

bool names_of_target(const struct expr *target, enum name_use use, name_visit *visit,
                     struct resolver *resolver)
{
    if (target->kind == EXPR_NAME) {
        return visit(resolver, target, use);
    }
    if (target->kind == EXPR_TUPLE || target->kind == EXPR_LIST) {
        for (size_t i = 0; i < target->count; i++) {
            if (!names_of_target(target->items[i], use, visit, resolver)) {
                return false;
            }
        }
    }
    return true;
}

static bool names_of_statement(const struct stmt *stmt, name_visit *visit,
                               struct resolver *resolver)
{
    enum name_use use = stmt->kind == STMT_FOR   ? NAME_LOOPED
                        : stmt->kind == STMT_DEF ? NAME_DEFINED
                                                 : NAME_ASSIGNED;
    bool ok = !stmt->target || names_of_target(stmt->target, use, visit, resolver);
    for (size_t i = 0; ok && i < stmt->branch_count; i++) {
        ok = names_bound(&stmt->branches[i].body, visit, resolver);
    }
    return ok;
}

bool names_bound(const struct block *block, name_visit *visit, struct resolver *resolver)
{
    for (size_t i = 0; i < block->count; i++) {
        if (!names_of_statement(block->items[i], visit, resolver)) {
            return false;
        }
    }
    return true;
}
