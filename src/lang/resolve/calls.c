/* Steps of pinned examples: calls written as statements. */
#include "lang/resolve/resolve.h"
#include "lang/syntax/parser.h"

#include <string.h>

static bool refuse_call(const struct snippet *snippet, uint32_t pos, const char *message,
                        struct error *err)
{
    (void)error_at(err, ERROR_MACHINE, snippet_pos(snippet, pos), "%s", message);
    return error_hint(err,
                      "a step is written rule(argument=value), or name = rule(argument=value)");
}

/* The call of a statement, or NULL. `*target` is the left side of `=`, or NULL. */
static const struct expr *call_of(const struct stmt *stmt, const struct expr **target)
{
    bool fits = stmt->kind == STMT_ASSIGN || stmt->kind == STMT_EXPR;
    *target = fits ? stmt->target : NULL;
    return fits && stmt->value->kind == EXPR_CALL ? stmt->value : NULL;
}

/* Compiles an argument as separate code. */
static bool compile_arg(const struct resolve_job *job, const struct snippet *snippet,
                        struct expr *value, struct lang_code **out)
{
    struct function *top = ARENA_NEW(job->arena, struct function);
    struct lang_code *code = ARENA_NEW(job->arena, struct lang_code);
    *top = (struct function){.snippet = snippet,
                             .pos = value->pos,
                             .height = value->height,
                             .top = true,
                             .result = value};
    *code = (struct lang_code){.module = job->module, .top = top, .mode = job->mode};
    *out = code;
    return resolve_top(job, top, code);
}

static bool compile_args(const struct resolve_job *job, const struct snippet *snippet,
                         const struct expr *from, struct lang_call *to)
{
    size_t plain = from->as.call.arg_count;
    for (size_t i = 0; i + 1 < from->count; i++) {
        struct lang_call_arg *arg = VEC_PUSH(job->arena, &to->args);
        struct expr *value = from->items[i + 1];
        const struct argument_name *name = i < plain ? NULL : &from->as.call.names[i - plain];
        arg->name = name ? name->name : NULL;
        arg->pos = snippet_pos(snippet, name ? name->pos : value->pos);
        if (!compile_arg(job, snippet, value, &arg->code)) {
            return false;
        }
    }
    return true;
}

static bool compile_call(const struct resolve_job *job, const struct snippet *snippet,
                         const struct stmt *stmt, struct lang_call *out)
{
    const struct expr *target;
    const struct expr *expr = call_of(stmt, &target);
    if (!expr || expr->items[0]->kind != EXPR_NAME || (target && target->kind != EXPR_NAME)) {
        return refuse_call(snippet, stmt->pos, "this is no step", job->err);
    }
    if (expr->as.call.star || expr->as.call.star_star) {
        return refuse_call(snippet, stmt->pos, "a step's arguments are written out, without *",
                           job->err);
    }
    out->function = expr->items[0]->as.name.name;
    out->pos = snippet_pos(snippet, expr->items[0]->pos);
    if (!compile_args(job, snippet, expr, out)) {
        return false;
    }
    size_t slot;
    if (target) {
        out->assigned = target->as.name.name;
        if (!lang_locals_find(job->locals, out->assigned, &slot)) {
            (void)lang_locals_add(job->locals, job->arena, out->assigned);
        }
    }
    return true;
}

bool lang_compile_calls(struct lang_module *module, struct arena *arena, struct lang_locals *locals,
                        const struct snippet *snippet, struct lang_calls *out, struct error *err)
{
    struct resolve_job job = {.module = module,
                              .arena = arena,
                              .locals = locals,
                              .mode = LANG_EXPRESSION,
                              .err = err,
                              .bundle_values = true};
    struct function *top;
    *out = (struct lang_calls){0};
    if (!parse_snippet(arena, snippet, LANG_STEP, &top, err)) {
        return false;
    }
    for (size_t i = 0; i < top->body.count; i++) {
        if (!compile_call(&job, snippet, top->body.items[i], VEC_PUSH(arena, &out->calls))) {
            return false;
        }
    }
    return true;
}
