/* Which names statements bind. */
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

static bool names_of_branches(const struct stmt *stmt, name_visit *visit, struct resolver *resolver)
{
    for (size_t i = 0; i < stmt->as.branches.count; i++) {
        if (!names_bound(&stmt->as.branches.items[i].body, visit, resolver)) {
            return false;
        }
    }
    return true;
}

static bool names_of_statement(const struct stmt *stmt, name_visit *visit,
                               struct resolver *resolver)
{
    switch (stmt->kind) {
    case STMT_ASSIGN:
        return names_of_target(stmt->as.assign.target, NAME_ASSIGNED, visit, resolver);
    case STMT_AUGMENT:
        return names_of_target(stmt->as.augment.target, NAME_ASSIGNED, visit, resolver);
    case STMT_FOR:
        return names_of_target(stmt->as.loop.target, NAME_LOOPED, visit, resolver) &&
               names_bound(&stmt->as.loop.body, visit, resolver);
    case STMT_DEF:
        return names_of_target(stmt->as.def.target, NAME_DEFINED, visit, resolver);
    case STMT_IF:
        return names_of_branches(stmt, visit, resolver);
    case STMT_EXPR:
    case STMT_RETURN:
    case STMT_BREAK:
    case STMT_CONTINUE:
    case STMT_PASS:
    case STMT_KINDS:
    default:
        return true;
    }
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
