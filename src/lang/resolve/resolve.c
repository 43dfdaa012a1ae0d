#include "lang/resolve/resolve.h"

#include "base/words.h"
#include "lang/builtins/methods.h"
#include "lang/resolve/check_call.h"
#include "lang/resolve/scope.h"

#include <string.h>

/* `expr` may be NULL. */
static bool resolve_expr(struct resolver *resolver, struct expr *expr, enum role role);
static bool resolve_block(struct resolver *resolver, const struct block *block);

/* Names are searched linearly. No program written by hand has this many. */
enum { VARIABLES_MAX = 2000 };

static bool check_count(struct resolver *resolver, const struct expr *expr, size_t count)
{
    return count < VARIABLES_MAX ||
           resolver_fail(resolver, expr->pos, "more than 2000 variables in one place");
}

static bool declare_in_function(struct resolver *resolver, const struct expr *expr,
                                enum name_use use)
{
    const char *name = expr->as.name.name;
    size_t slot;
    if (block_find(resolver->block, name)) {
        return true;
    }
    if (use == NAME_ASSIGNED && lang_module_find_global(resolver->job->module, name, &slot)) {
        (void)resolver_fail(resolver, expr->pos,
                            "function '%s' can't assign '%s', a variable of the model",
                            resolver->scope->function->name, name);
        return error_hint(
            resolver->job->err,
            "change what it holds (%s[key] = x, %s.append(x), ...) or return the new value; "
            "a variable of the function's own needs another name",
            name, name);
    }
    if (!check_count(resolver, expr, resolver->scope->function->slot_count)) {
        return false;
    }
    (void)scope_add_local(resolver, name);
    return true;
}

static bool refuse_fixed(struct resolver *resolver, const struct expr *expr,
                         enum lang_global_kind kind)
{
    if (kind == LANG_CLOCK) {
        (void)resolver_fail(resolver, expr->pos, "'%s' is the clock's time and can't be assigned",
                            expr->as.name.name);
        return error_hint(resolver->job->err, "a rule moves the clock with `advance`");
    }
    (void)resolver_fail(resolver, expr->pos, "'%s' is a bundle and can't be assigned",
                        expr->as.name.name);
    return error_hint(resolver->job->err, "a rule adds to it with target: %s", expr->as.name.name);
}

/* Declares a name bound by a snippet's own code, as a global or as a local of the step. */
static bool declare_in_top(struct resolver *resolver, const struct expr *expr, enum name_use use)
{
    (void)use;
    const struct resolve_job *job = resolver->job;
    const char *name = expr->as.name.name;
    size_t slot;
    if (block_find(resolver->block, name)) {
        return true;
    }
    if (lang_module_find_global(job->module, name, &slot)) {
        enum lang_global_kind kind = lang_module_global_kind(job->module, slot);
        return kind == LANG_VARIABLE || refuse_fixed(resolver, expr, kind);
    }
    size_t count = job->mode == LANG_TOP ? lang_module_global_count(job->module)
                   : job->locals         ? job->locals->names.count
                                         : resolver->scope->function->slot_count;
    if (!check_count(resolver, expr, count)) {
        return false;
    }
    if (job->mode == LANG_TOP) {
        (void)lang_module_global(job->module, name, LANG_VARIABLE);
    } else if (job->locals) {
        (void)scope_add_step(resolver, name, lang_locals_add(job->locals, job->arena, name));
    } else {
        (void)scope_add_local(resolver, name);
    }
    return true;
}

static bool resolve_function_body(struct resolver *resolver, struct function *function)
{
    for (size_t i = 0; i < function->param_count; i++) {
        (void)scope_add_local(resolver, function->params[i].name);
    }
    return names_bound(&function->body, declare_in_function, resolver) &&
           resolve_expr(resolver, function->result, ROLE_VALUE) &&
           resolve_block(resolver, &function->body);
}

static bool resolve_function(struct resolver *resolver, struct function *function)
{
    for (size_t i = 0; i < function->param_count; i++) {
        if (!resolve_expr(resolver, function->standards[i], ROLE_VALUE)) {
            return false;
        }
    }
    struct scope scope = {.outer = resolver->scope, .function = function};
    struct names_block block = {.outer = resolver->block, .scope = &scope};
    resolver->scope = &scope;
    resolver->block = &block;
    bool ok = resolve_function_body(resolver, function);
    scope_finish(resolver);
    resolver->scope = scope.outer;
    resolver->block = block.outer;
    return ok;
}

/* Records a function that may be kept in any data structure. */
static void keep_function(struct resolver *resolver, const struct function *function)
{
    struct lang_module *module = resolver->job->module;
    *VEC_PUSH(module->arena, &module->kept) = function;
}

static bool resolve_lambda(struct resolver *resolver, struct expr *expr, enum role role)
{
    if (role == ROLE_VALUE) {
        keep_function(resolver, expr->as.lambda);
    }
    return resolve_function(resolver, expr->as.lambda);
}

/* How a call uses functions among its arguments. In an expression, calls other than methods that
 * store their argument can only return it to the host, which draws from it at once. */
static enum role role_of_arguments(const struct resolver *resolver, const struct expr *callee)
{
    static const char callers[] = "sorted|min|max|map|filter";
    static const char storing[] = "append|extend|insert|add|update|union|setdefault";
    bool builtin = callee->kind == EXPR_NAME && callee->as.name.binding == BIND_VALUE;
    if (builtin && word_is_in(callee->as.name.name, callers)) {
        return ROLE_PASSED;
    }
    bool expression = resolver->job->mode == LANG_EXPRESSION && !resolver->scope->outer;
    bool forgets =
        builtin || (callee->kind == EXPR_ATTR && !word_is_in(callee->as.attr.name, storing));
    return expression && forgets ? ROLE_PASSED : ROLE_VALUE;
}

static bool resolve_call(struct resolver *resolver, const struct expr *expr)
{
    const struct expr_call *call = &expr->as.call;
    resolver->call = call;
    if (!resolve_expr(resolver, expr->items[0], ROLE_CALLED)) {
        return false;
    }
    enum role role = role_of_arguments(resolver, expr->items[0]);
    for (size_t i = 1; i < expr->count; i++) {
        bool unpacked = i > call->arg_count + call->named_count;
        if (!resolve_expr(resolver, expr->items[i], unpacked ? ROLE_VALUE : role)) {
            return false;
        }
    }
    return true;
}

static bool resolve_target(struct resolver *resolver, struct expr *target)
{
    if (target->kind == EXPR_NAME) {
        return scope_assign(resolver, target);
    }
    if (target->kind == EXPR_INDEX) {
        return resolve_expr(resolver, target, ROLE_VALUE);
    }
    for (size_t i = 0; i < target->count; i++) {
        if (!resolve_target(resolver, target->items[i])) {
            return false;
        }
    }
    return true;
}

static bool declare_loop_variable(struct resolver *resolver, const struct expr *expr,
                                  enum name_use use)
{
    (void)use;
    if (!block_find(resolver->block, expr->as.name.name)) {
        (void)scope_add_local(resolver, expr->as.name.name);
    }
    return true;
}

/* Resolves the clauses after the first operand, then the item. */
static bool resolve_clauses(struct resolver *resolver, struct expr_comprehension *comprehension)
{
    comprehension->first_slot = resolver->scope->function->slot_count;
    for (size_t i = 0; i < comprehension->count; i++) {
        const struct expr *target = comprehension->clauses[i].target;
        if (target) {
            (void)names_of_target(target, NAME_LOOPED, declare_loop_variable, resolver);
        }
    }
    comprehension->slot_count = resolver->scope->function->slot_count - comprehension->first_slot;
    for (size_t i = 0; i < comprehension->count; i++) {
        struct clause *clause = &comprehension->clauses[i];
        if ((i > 0 && !resolve_expr(resolver, clause->operand, ROLE_VALUE)) ||
            (clause->target && !resolve_target(resolver, clause->target))) {
            return false;
        }
    }
    return resolve_expr(resolver, comprehension->key, ROLE_VALUE) &&
           resolve_expr(resolver, comprehension->item, ROLE_VALUE);
}

static bool resolve_comprehension(struct resolver *resolver,
                                  struct expr_comprehension *comprehension)
{
    if (!resolve_expr(resolver, comprehension->clauses[0].operand, ROLE_VALUE)) {
        return false;
    }
    struct names_block block = {.outer = resolver->block, .scope = resolver->scope};
    resolver->block = &block;
    bool ok = resolve_clauses(resolver, comprehension);
    resolver->block = block.outer;
    return ok;
}

static bool resolve_items(struct resolver *resolver, const struct expr *expr)
{
    for (size_t i = 0; i < expr->count; i++) {
        if (!resolve_expr(resolver, expr->items[i], ROLE_VALUE)) {
            return false;
        }
    }
    return true;
}

/* Records a call of a builtin with a literal text, such as column("users.email"). Always true. */
static bool note_text_call(struct resolver *resolver, const struct expr *call)
{
    const struct expr *callee = call->items[0];
    const struct expr *text = call->as.call.arg_count ? call->items[1] : NULL;
    if (text && text->kind == EXPR_CONSTANT && text->as.constant.type == VALUE_STRING &&
        callee->kind == EXPR_NAME && callee->as.name.binding == BIND_VALUE) {
        *VEC_PUSH(resolver->job->arena, &resolver->text_calls) =
            (struct lang_text_call){callee->as.name.name, value_cstr(text->as.constant),
                                    snippet_pos(resolver->scope->function->snippet, text->pos)};
    }
    return true;
}

static bool check_call(const struct resolver *resolver, struct expr *call)
{
    const struct resolve_job *job = resolver->job;
    struct call_place place = {job->module, resolver->scope->function};
    return call_check(&place, call, job->err);
}

static bool resolve_attr(struct resolver *resolver, struct expr *expr)
{
    const struct native_function **methods =
        ARENA_ARRAY(resolver->job->arena, const struct native_function *, VALUE_TYPES);
    for (size_t type = 0; type < VALUE_TYPES; type++) {
        methods[type] = native_find(method_tables[type], expr->as.attr.name);
    }
    expr->as.attr.methods = methods;
    return resolve_items(resolver, expr);
}

static bool resolve_expr(struct resolver *resolver, struct expr *expr, enum role role)
{
    if (!expr) {
        return true;
    }
    if (expr->kind == EXPR_NAME) {
        return scope_read(resolver, expr, role);
    }
    if (expr->kind == EXPR_COMPREHENSION) {
        return resolve_comprehension(resolver, &expr->as.comprehension);
    }
    if (expr->kind == EXPR_LAMBDA) {
        return resolve_lambda(resolver, expr, role);
    }
    if (expr->kind == EXPR_CALL) {
        return resolve_call(resolver, expr) && note_text_call(resolver, expr) &&
               check_call(resolver, expr);
    }
    return expr->kind == EXPR_ATTR ? resolve_attr(resolver, expr) : resolve_items(resolver, expr);
}

/* Records the kind of value that a statement assigns to globals. */
static void note_data(struct resolver *resolver, const struct expr *target)
{
    if (target->kind == EXPR_NAME && target->as.name.binding == BIND_GLOBAL) {
        resolver->job->module->globals.items[target->as.name.slot].data = true;
    } else if (target->kind == EXPR_TUPLE || target->kind == EXPR_LIST) {
        for (size_t i = 0; i < target->count; i++) {
            note_data(resolver, target->items[i]);
        }
    }
}

static void note_function(struct resolver *resolver, const struct expr *target,
                          const struct function *function)
{
    struct lang_module *module = resolver->job->module;
    if (target->as.name.binding == BIND_GLOBAL) {
        struct global *global = &module->globals.items[target->as.name.slot];
        *VEC_PUSH(module->arena, &global->functions) = function;
    } else {
        keep_function(resolver, function);
    }
}

static bool resolve_statement(struct resolver *resolver, const struct stmt *stmt)
{
    struct expr *target = stmt->target;
    bool lambda = (stmt->kind == STMT_ASSIGN || stmt->kind == STMT_DEF) &&
                  target->kind == EXPR_NAME && stmt->value->kind == EXPR_LAMBDA;
    /* `x += 1` reads x, too */
    bool ok = resolve_expr(resolver, stmt->value, lambda ? ROLE_BOUND : ROLE_VALUE) &&
              (stmt->kind == STMT_AUGMENT ? resolve_expr(resolver, target, ROLE_VALUE)
                                          : !target || resolve_target(resolver, target));
    if (ok && lambda) {
        note_function(resolver, target, stmt->value->as.lambda);
    } else if (ok && target) {
        note_data(resolver, target);
    }
    for (size_t i = 0; ok && i < stmt->branch_count; i++) {
        ok = resolve_expr(resolver, stmt->branches[i].condition, ROLE_VALUE) &&
             resolve_block(resolver, &stmt->branches[i].body);
    }
    return ok;
}

static bool resolve_block(struct resolver *resolver, const struct block *block)
{
    for (size_t i = 0; i < block->count; i++) {
        if (!resolve_statement(resolver, block->items[i])) {
            return false;
        }
    }
    return true;
}

/* The step's locals are in the outermost block, and the names that the code binds are added to it.
 */
static bool declare_top(struct resolver *resolver, const struct function *top)
{
    const struct lang_locals *locals = resolver->job->locals;
    for (size_t i = 0; locals && i < locals->names.count; i++) {
        (void)scope_add_step(resolver, locals->names.items[i], i);
    }
    return names_bound(&top->body, declare_in_top, resolver);
}

bool resolve_declare(const struct resolve_job *job, struct function *top)
{
    struct scope scope = {.function = top};
    struct names_block block = {.scope = &scope};
    struct resolver resolver = {.job = job, .scope = &scope, .block = &block, .outermost = &block};
    return declare_top(&resolver, top);
}

bool resolve_top(const struct resolve_job *job, struct function *top, struct lang_code *code)
{
    struct scope scope = {.function = top};
    struct names_block block = {.scope = &scope};
    struct resolver resolver = {.job = job, .scope = &scope, .block = &block, .outermost = &block};
    bool ok = declare_top(&resolver, top) && resolve_expr(&resolver, top->result, ROLE_VALUE) &&
              resolve_block(&resolver, &top->body);
    scope_finish(&resolver);
    code->text_calls = resolver.text_calls.items;
    code->text_call_count = resolver.text_calls.count;
    return ok;
}
