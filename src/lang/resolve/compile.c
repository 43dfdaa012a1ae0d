/* Compiling (parse, then resolve), and questions about the form of code. */
#include "base/words.h"
#include "lang/resolve/check_call.h"
#include "lang/resolve/resolve.h"
#include "lang/syntax/parser.h"

#include <assert.h>
#include <string.h>

bool lang_compile(struct lang_module *module, struct arena *arena, struct lang_locals *locals,
                  enum lang_mode mode, const struct snippet *snippet, struct lang_code **out,
                  struct error *err)
{
    assert(module != NULL && arena != NULL);
    assert(locals != NULL || mode != LANG_STEP);
    struct resolve_job job = {
        .module = module, .arena = arena, .locals = locals, .mode = mode, .err = err};
    struct function *top;
    struct lang_code *code = ARENA_NEW(arena, struct lang_code);
    if (!parse_snippet(arena, snippet, mode, &top, err) || !resolve_top(&job, top, code)) {
        return false;
    }
    code->module = module;
    code->top = top;
    code->mode = mode;
    *out = code;
    return true;
}

void lang_declare(struct lang_module *module, struct arena *arena, struct lang_locals *locals,
                  const struct snippet *snippet)
{
    struct error ignored = {0};
    struct resolve_job job = {
        .module = module, .arena = arena, .locals = locals, .mode = LANG_TOP, .err = &ignored};
    struct function *top;
    if (parse_snippet(arena, snippet, LANG_TOP, &top, &ignored)) {
        (void)resolve_declare(&job, top);
    }
}

/* The expression, if the code is nothing else; otherwise NULL. */
static const struct expr *sole_expr(const struct lang_code *code)
{
    const struct function *top = code->top;
    bool statement = !top->result && top->body.count == 1 && top->body.items[0]->kind == STMT_EXPR;
    return statement ? top->body.items[0]->value : top->result;
}

const char *lang_sole_name(const struct lang_code *code)
{
    const struct expr *expr = sole_expr(code);
    return expr && expr->kind == EXPR_NAME ? expr->as.name.name : NULL;
}

bool lang_is_display(const struct lang_code *code)
{
    const struct expr *expr = sole_expr(code);
    return expr && (expr->kind == EXPR_LIST || expr->kind == EXPR_SET || expr->kind == EXPR_DICT);
}

static bool gives_list(const struct expr *expr);

static bool any_gives_list(const struct expr *expr, size_t first)
{
    bool any = false;
    for (size_t i = first; i < expr->count; i++) {
        any = any || gives_list(expr->items[i]);
    }
    return any;
}

static bool is_sum(const struct expr *expr)
{
    bool sum = true;
    for (size_t i = 0; i + 1 < expr->count; i++) {
        sum = sum && expr->as.operators[i].op == BINARY_ADD;
    }
    return sum;
}

/* True if the expression is a call of this function of the language. */
static bool calls_function(const struct expr *expr, const char *functions)
{
    const struct expr *callee = expr->kind == EXPR_CALL ? expr->items[0] : NULL;
    return callee && callee->kind == EXPR_NAME && callee->as.name.binding == BIND_VALUE &&
           word_is_in(callee->as.name.name, functions);
}

/* Does not look into the model's functions. */
static bool gives_list(const struct expr *expr)
{
    if (expr->kind == EXPR_LIST) {
        return expr->count > 1;
    }
    if (expr->kind == EXPR_COMPREHENSION) {
        return expr->as.comprehension.kind == COMPREHENSION_LIST;
    }
    if (expr->kind == EXPR_CONDITIONAL) {
        return any_gives_list(expr, 1);
    }
    return expr->kind == EXPR_BINARY ? is_sum(expr) && any_gives_list(expr, 0)
                                     : calls_function(expr, "list|reversed|sorted");
}

bool lang_gives_list(const struct lang_code *code)
{
    const struct expr *expr = sole_expr(code);
    return expr && gives_list(expr);
}

static bool is_written_error(struct value value)
{
    return value.type == VALUE_STRING || value.type == VALUE_ERROR;
}

static bool gives_error(const struct expr *expr);

static bool all_give_error(const struct expr *expr, size_t first)
{
    bool all = expr->count > first;
    for (size_t i = first; i < expr->count; i++) {
        all = all && gives_error(expr->items[i]);
    }
    return all;
}

static bool gives_error(const struct expr *expr)
{
    bool list = expr->kind == EXPR_TUPLE || expr->kind == EXPR_LIST || expr->kind == EXPR_SET;
    if (list || expr->kind == EXPR_CONDITIONAL) {
        return all_give_error(expr, list ? 0 : 1);
    }
    if (expr->kind == EXPR_CONSTANT) {
        return is_written_error(expr->as.constant);
    }
    bool named = expr->kind == EXPR_NAME && expr->as.name.binding == BIND_VALUE;
    return named ? is_written_error(expr->as.name.value) : calls_function(expr, "error");
}

bool lang_gives_error(const struct lang_code *code)
{
    const struct expr *expr = sole_expr(code);
    return expr && gives_error(expr);
}

bool lang_gives_nothing(const struct lang_code *code)
{
    const struct expr *expr = sole_expr(code);
    bool empty = expr && expr->kind == EXPR_LIST && expr->count == 0;
    return empty || (expr && expr->kind == EXPR_CONSTANT && !value_truth(expr->as.constant));
}

const char *lang_sole_call(const struct lang_code *code, const char *function)
{
    const struct expr *expr = sole_expr(code);
    if (!expr || expr->kind != EXPR_CALL) {
        return NULL;
    }
    const struct expr *callee = expr->items[0];
    bool fits = callee->kind == EXPR_NAME && strcmp(callee->as.name.name, function) == 0 &&
                expr->count == 2 && expr->as.call.arg_count == 1 &&
                expr->items[1]->kind == EXPR_NAME;
    return fits ? expr->items[1]->as.name.name : NULL;
}

bool lang_is_constant(const struct lang_code *code)
{
    const struct expr *expr = sole_expr(code);
    bool constant = expr && expr->kind == EXPR_NAME && expr->as.name.binding == BIND_VALUE;
    return expr && (expr->kind == EXPR_CONSTANT || constant);
}

bool lang_is_fixed(const struct lang_code *code)
{
    const struct expr *expr = sole_expr(code);
    return expr && expr_is_constant(expr);
}

const char *lang_called(const struct lang_code *code)
{
    const struct expr *expr = sole_expr(code);
    const struct expr *callee = expr && expr->kind == EXPR_CALL ? expr->items[0] : NULL;
    bool builtin = callee && callee->kind == EXPR_NAME && callee->as.name.binding == BIND_VALUE;
    return builtin ? callee->as.name.name : NULL;
}

const struct lang_text_call *lang_text_calls(const struct lang_code *code, size_t *count)
{
    *count = code->text_call_count;
    return code->text_calls;
}

const char *lang_constant_text(const struct lang_code *code)
{
    const struct expr *expr = sole_expr(code);
    bool text = expr && expr->kind == EXPR_CONSTANT && expr->as.constant.type == VALUE_STRING;
    return text ? value_cstr(expr->as.constant) : NULL;
}

const struct snippet *lang_snippet(const struct lang_code *code) { return code->top->snippet; }
