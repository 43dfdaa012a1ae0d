#include "lang/resolve/scope.h"

#include <assert.h>
#include <string.h>

static struct variable *add_variable(struct resolver *resolver, struct names_block *block,
                                     const char *name)
{
    assert(block != NULL && block->scope != NULL);
    struct variable *variable = ARENA_NEW(resolver->job->arena, struct variable);
    *variable = (struct variable){
        .name = name, .next = block->variables, .scope = block->scope, .cell = -1};
    block->variables = variable;
    return variable;
}

struct variable *scope_add_local(struct resolver *resolver, const char *name)
{
    struct variable *variable = add_variable(resolver, resolver->block, name);
    variable->binding = BIND_LOCAL;
    variable->slot = resolver->scope->function->slot_count++;
    return variable;
}

struct variable *scope_add_step(struct resolver *resolver, const char *name, size_t slot)
{
    assert(slot <= UINT32_MAX);
    struct variable *variable = add_variable(resolver, resolver->outermost, name);
    variable->binding = BIND_STEP;
    variable->slot = (uint32_t)slot;
    return variable;
}

struct variable *block_find(const struct names_block *block, const char *name)
{
    struct variable *variable = block->variables;
    while (variable && strcmp(variable->name, name) != 0) {
        variable = variable->next;
    }
    return variable;
}

static struct variable *find_variable(struct resolver *resolver, const char *name)
{
    const struct resolve_job *job = resolver->job;
    struct variable *found = NULL;
    for (const struct names_block *block = resolver->block; block && !found; block = block->outer) {
        found = block_find(block, name);
    }
    if (!found && job->bundle_values && module_names_bundle_value(job->module, name)) {
        found = scope_add_step(resolver, name, lang_locals_add(job->locals, job->arena, name));
    }
    return found;
}

static void bind_to(struct expr *name, const struct variable *variable)
{
    assert(name->kind == EXPR_NAME);
    assert(variable->binding != BIND_CELL || variable->cell >= 0);
    name->as.name.binding = variable->binding;
    name->as.name.slot = variable->binding == BIND_CELL ? (uint32_t)variable->cell : variable->slot;
    name->as.name.cell = variable->cell;
}

/* Moves a variable that an inner function reads to a cell. */
static void move_to_cell(struct resolver *resolver, struct variable *variable)
{
    if (variable->cell >= 0) {
        return;
    }
    variable->cell = (int32_t)variable->scope->cells.count;
    *VEC_PUSH(resolver->job->arena, &variable->scope->cells) = variable;
    if (variable->binding == BIND_LOCAL) {
        variable->binding = BIND_CELL;
    }
    for (struct expr *use = variable->uses; use; use = use->as.name.next_use) {
        bind_to(use, variable);
    }
}

/* The index among the scope's captures. */
static uint32_t capture(struct resolver *resolver, struct scope *scope, struct variable *variable)
{
    assert(scope != NULL && scope != variable->scope);
    assert(variable->cell >= 0);
    for (size_t i = 0; i < scope->captured.count; i++) {
        if (scope->captured.items[i] == variable) {
            return (uint32_t)i;
        }
    }
    struct capture made = {.from = CAPTURE_CELL, .slot = (uint32_t)variable->cell};
    if (scope->outer != variable->scope) {
        made.from = CAPTURE_FREE;
        made.slot = capture(resolver, scope->outer, variable);
    }
    struct arena *arena = resolver->job->arena;
    *VEC_PUSH(arena, &scope->captured) = variable;
    *VEC_PUSH(arena, &scope->function->captures) = made;
    return (uint32_t)scope->captured.count - 1;
}

/* Records a read of a global or of a local of the step, for the function and its outer functions.
 */
static void note_read(struct resolver *resolver, enum binding binding, size_t slot)
{
    assert(binding == BIND_GLOBAL || binding == BIND_STEP);
    for (struct scope *scope = resolver->scope; scope; scope = scope->outer) {
        struct uses *uses = &scope->function->uses;
        struct slots *slots = binding == BIND_GLOBAL ? &uses->globals : &uses->locals;
        if (!slots_hold(slots, slot)) {
            *VEC_PUSH(resolver->job->arena, slots) = slot;
        }
    }
}

static void use_variable(struct resolver *resolver, struct expr *name, struct variable *variable)
{
    if (variable->scope == resolver->scope) {
        bind_to(name, variable);
        name->as.name.next_use = variable->uses;
        variable->uses = name;
        return;
    }
    move_to_cell(resolver, variable);
    name->as.name.binding = BIND_FREE;
    name->as.name.slot = capture(resolver, resolver->scope, variable);
}

bool scope_read(struct resolver *resolver, struct expr *expr, enum role role)
{
    assert(expr->kind == EXPR_NAME);
    struct expr_name *name = &expr->as.name;
    struct variable *variable = find_variable(resolver, name->name);
    size_t slot;
    if (variable) {
        use_variable(resolver, expr, variable);
        if (variable->binding == BIND_STEP) {
            note_read(resolver, BIND_STEP, variable->slot);
        }
        return true;
    }
    if (lang_module_find_global(resolver->job->module, name->name, &slot)) {
        name->binding = BIND_GLOBAL;
        name->slot = (uint32_t)slot;
        note_read(resolver, BIND_GLOBAL, slot);
        if (role == ROLE_VALUE) {
            resolver->job->module->globals.items[slot].kept = true;
        }
        return true;
    }
    if (module_builtin(resolver->job->module, name->name, &name->value)) {
        name->binding = BIND_VALUE;
        return true;
    }
    return scope_unknown(resolver, expr, role);
}

bool scope_assign(struct resolver *resolver, struct expr *expr)
{
    assert(expr->kind == EXPR_NAME);
    struct expr_name *name = &expr->as.name;
    struct variable *variable = find_variable(resolver, name->name);
    if (variable) {
        use_variable(resolver, expr, variable);
        return true;
    }
    size_t slot;
    if (!lang_module_find_global(resolver->job->module, name->name, &slot)) {
        return scope_unknown(resolver, expr, ROLE_VALUE);
    }
    name->binding = BIND_GLOBAL;
    name->slot = (uint32_t)slot;
    return true;
}

/* Sets the first value of each cell: a parameter, a step's local, or unset. */
void scope_finish(struct resolver *resolver)
{
    struct scope *scope = resolver->scope;
    struct function *function = scope->function;
    function->cell_count = (uint32_t)scope->cells.count;
    function->cell_starts = ARENA_ARRAY(resolver->job->arena, int32_t, scope->cells.count);
    for (size_t i = 0; i < scope->cells.count; i++) {
        const struct variable *variable = scope->cells.items[i];
        bool starts = variable->binding == BIND_STEP ||
                      (variable->slot < function->param_count && !function->top);
        function->cell_starts[i] = starts ? (int32_t)variable->slot : -1;
    }
}
