#include "lang/resolve/check_call.h"

#include "base/words.h"
#include "lang/builtins/methods.h"
#include "lang/eval/interp.h"

#include <assert.h>
#include <string.h>

enum {
    HEIGHT_MAX = 16,     /* of expressions that are tried: inner calls are tried separately, too */
    STEPS_MAX = 10000,   /* of one trial */
    BYTES_MAX = 1 << 20, /* the same */
    TRIALS_MAX =
        1 << 20, /* steps of all trials of a module; later mistakes show when the code runs */
};

/* True if the function reads neither the model nor outer variables, and has no default values. */
static bool is_constant_function(const struct function *function)
{
    bool plain = function->captures.count == 0 && function->uses.globals.count == 0 &&
                 function->uses.locals.count == 0;
    for (size_t i = 0; plain && i < function->param_count; i++) {
        plain = function->params[i].kind == PARAM_REQUIRED;
    }
    return plain;
}

/* fail() fails on purpose, and functions with output must only run when the code does. */
static bool is_constant_name(const struct expr_name *name)
{
    return name->binding == BIND_VALUE && strcmp(name->name, "fail") != 0 &&
           strcmp(name->name, "print") != 0;
}

bool expr_is_constant(const struct expr *expr)
{
    static const bool kinds[EXPR_KINDS] = {
        [EXPR_CONSTANT] = true, [EXPR_TUPLE] = true, [EXPR_LIST] = true,
        [EXPR_SET] = true,      [EXPR_DICT] = true,  [EXPR_UNARY] = true,
        [EXPR_BINARY] = true,   [EXPR_CALL] = true,  [EXPR_ATTR] = true,
    };
    bool constant = expr->kind == EXPR_NAME     ? is_constant_name(&expr->as.name)
                    : expr->kind == EXPR_LAMBDA ? is_constant_function(expr->as.lambda)
                                                : kinds[expr->kind];
    for (size_t i = 0; constant && i < expr->count; i++) {
        constant = !expr->items[i] || expr_is_constant(expr->items[i]);
    }
    return constant;
}

/* The builtin that is called, by its name or as a function of the module `*self`; or NULL. */
static const struct native_function *builtin_called(const struct expr *callee, struct value *self)
{
    bool attr = callee->kind == EXPR_ATTR;
    const struct expr *name = attr ? callee->items[0] : callee;
    if (name->kind != EXPR_NAME || name->as.name.binding != BIND_VALUE) {
        return NULL;
    }
    *self = attr ? name->as.name.value : value_none();
    return attr ? native_find(own_methods(*self), callee->as.attr.name)
                : native_function_of(name->as.name.value);
}

/* Checks only the names and the number of arguments, whatever their values. */
static bool check_shape(const struct expr *expr, struct arena *arena, struct error *err)
{
    const struct expr_call *call = &expr->as.call;
    struct value self;
    const struct native_function *function = builtin_called(expr->items[0], &self);
    if (!function || !function->params || call->star || call->star_star) {
        return true;
    }
    struct caller caller = {.arena = arena};
    struct named_value *named = ARENA_ARRAY(arena, struct named_value, call->named_count);
    size_t count = 0;
    while (function->params[count].name) {
        count++;
    }
    for (size_t i = 0; i < call->named_count; i++) {
        named[i] = (struct named_value){call->names[i].name, value_none()};
    }
    struct native_call shape = {.caller = &caller,
                                .self = self,
                                .args = ARENA_ARRAY(arena, struct value, call->arg_count),
                                .arg_count = call->arg_count,
                                .named = named,
                                .named_count = call->named_count};
    return native_bind(function->name, function->params, &shape, NULL,
                       ARENA_ARRAY(arena, struct value, count), err);
}

static bool is_known_method(const struct lang_module *module, const struct expr_attr *attr)
{
    bool known = false;
    for (size_t i = 0; i < module->methods.count; i++) {
        known = known || native_find(module->methods.items[i], attr->name);
    }
    for (size_t type = 0; type < VALUE_TYPES; type++) {
        known = known || attr->methods[type];
    }
    return known;
}

static const char *closest_method(const struct lang_module *module, const char *name,
                                  struct arena *arena)
{
    VEC(const char *) names = {0};
    for (size_t i = 0; i < VALUE_TYPES + module->methods.count; i++) {
        const struct native_function *m =
            i < VALUE_TYPES ? method_tables[i] : module->methods.items[i - VALUE_TYPES];
        for (; m && m->name; m++) {
            *VEC_PUSH(arena, &names) = m->name;
        }
    }
    return closest_name(name, names.items, names.count);
}

/* Checks that some value has the method. A module (`json`) has its own methods; the trial checks
 * those. */
static bool check_method(const struct call_place *place, const struct expr *callee,
                         struct arena *arena, struct error *err)
{
    const struct lang_module *module = place->module;
    const struct expr_attr *attr = &callee->as.attr;
    if (callee->kind != EXPR_ATTR || module->methods.count == 0 || is_known_method(module, attr) ||
        expr_is_constant(callee->items[0])) {
        return true;
    }
    const char *hint = token_hint(FOREIGN_METHOD, attr->name);
    bool value = word_is_in(attr->name, "rows|row|value|columns"); /* of `result` */
    const char *close = hint || value ? NULL : closest_method(module, attr->name, arena);
    (void)error_at(err, ERROR_MACHINE, snippet_pos(place->function->snippet, attr->name_pos),
                   "no value has a method '%s'%s%s%s", attr->name, close ? ", did you mean '" : "",
                   close ? close : "", close ? "'?" : "");
    if (value) {
        error_hint(err, "it is a value and is not called: result.%s", attr->name);
    } else if (hint) {
        error_hint(err, "%s", hint);
    }
    return false;
}

/* Evaluates a constant expression. Reaching a limit is not a mistake. */
static bool try_constant(const struct call_place *place, struct expr *expr, struct arena *arena,
                         struct error *err)
{
    struct lang_module *module = place->module;
    struct lang_state state;
    struct value ignored;
    struct function alone = {.name = place->function->name,
                             .snippet = place->function->snippet,
                             .pos = expr->pos,
                             .height = expr->height,
                             .top = true,
                             .result = expr};
    struct lang_code code = {.module = module, .top = &alone, .mode = LANG_EXPRESSION};
    if (module->tried >= TRIALS_MAX || expr->height > HEIGHT_MAX || !expr_is_constant(expr)) {
        return true;
    }
    lang_state_begin(&state, module, arena, NULL);
    state.limits.steps = STEPS_MAX;
    state.limits.bytes = BYTES_MAX;
    bool ok = lang_eval(&state, &code, NULL, &ignored, err) || err->code == ERROR_LIMIT;
    module->tried += state.steps;
    return ok;
}

static bool check_expr(const struct call_place *place, struct expr *expr, struct arena *arena,
                       struct error *err)
{
    struct expr *callee = expr->items[0];
    if (!check_shape(expr, arena, err)) {
        err->pos = snippet_pos(place->function->snippet, expr->pos);
        return false;
    }
    return check_method(place, callee, arena, err) &&
           (callee->kind != EXPR_ATTR || try_constant(place, callee, arena, err)) &&
           try_constant(place, expr, arena, err);
}

bool call_check(const struct call_place *place, struct expr *call, struct error *err)
{
    assert(call->kind == EXPR_CALL);
    struct arena arena = {0};
    struct error found = {0};
    bool ok = check_expr(place, call, &arena, &found);
    arena_free(&arena);
    if (!ok && err) {
        *err = found;
    }
    return ok;
}
