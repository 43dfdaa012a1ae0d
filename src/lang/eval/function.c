/* Functions of the language as values, and calling them. */
#include "lang/eval/interp.h"

#include <assert.h>
#include <string.h>

struct function_value {
    struct object object;
    const struct function *function;
    const struct value *standards; /* default values, by parameter */
    struct value **captures;
};

static const struct function_value *function_of(const struct object *object)
{
    return (const struct function_value *)(const void *)object;
}

static void function_repr(const struct object *object, struct strbuf *out)
{
    strbuf_addf(out, "<function %s>", function_of(object)->function->name);
}

/* Functions are equal only to themselves, but the hash must not depend on their address. */
static bool function_hash(const struct object *object, uint64_t *out)
{
    *out = function_of(object)->function->pos;
    return true;
}

static bool function_equal(const struct object *a, const struct object *b) { return a == b; }

static void begin_slots(struct lang_state *state, struct lang_frame *frame)
{
    uint32_t count = frame->function->slot_count;
    frame->slots = stack_push(state, count * sizeof *frame->slots);
    for (uint32_t i = 0; i < count; i++) {
        frame->slots[i] = unset_value();
    }
}

/* Cells are in the arena, because functions made in the frame may outlive it. */
static void begin_cells(struct lang_state *state, struct lang_frame *frame)
{
    const struct function *function = frame->function;
    const struct value *starts = function->top ? frame->locals : frame->slots;
    if (function->cell_count == 0) {
        return;
    }
    frame->cells = ARENA_ARRAY(state->caller.arena, struct value, function->cell_count);
    for (uint32_t i = 0; i < function->cell_count; i++) {
        int32_t start = function->cell_starts[i];
        frame->cells[i] = starts && start >= 0 ? starts[start] : unset_value();
    }
}

static bool too_deep(const char *what, unsigned limit, struct error *err)
{
    (void)error_set(err, ERROR_LIMIT, "%s are nested deeper than %u", what, limit);
    return error_hint(err, "a limit of the model language");
}

/* Runs all statements; the result is the last one's value if it is an expression. */
static bool run_statements(struct lang_frame *frame, struct value *out, struct error *err)
{
    struct block body = frame->function->body;
    const struct stmt *last = body.count ? body.items[body.count - 1] : NULL;
    *out = value_none();
    if (!frame->function->top || !last || last->kind != STMT_EXPR) {
        return exec_block(frame, &body, out, err) != FLOW_ERROR;
    }
    body.count--;
    return exec_block(frame, &body, out, err) != FLOW_ERROR && eval(frame, last->value, out, err);
}

static bool run_function(struct lang_state *state, struct lang_frame *frame, struct value *out,
                         struct error *err)
{
    assert(frame->function != NULL);
    const struct function *function = frame->function;
    frame->outer = state->frame;
    frame->state = state;
    if (state->levels + function->height > state->limits.levels) {
        return too_deep("the expressions of all calls under way", state->limits.levels, err);
    }
    state->frame = frame;
    state->levels += function->height;
    bool ok = function->result ? eval(frame, function->result, out, err)
                               : run_statements(frame, out, err);
    state->levels -= function->height;
    state->frame = frame->outer;
    return ok;
}

bool frame_run(struct lang_state *state, struct lang_frame *frame, const struct native_call *args,
               const struct value *standards, struct value *out, struct error *err)
{
    const struct function *function = frame->function;
    struct stack_mark mark = stack_mark(state);
    begin_slots(state, frame);
    bool ok =
        !args || native_bind(function->name, function->params, args, standards, frame->slots, err);
    if (ok) {
        begin_cells(state, frame);
        ok = run_function(state, frame, out, err);
    }
    stack_pop(state, mark);
    return ok;
}

/* Starlark: a function may not call itself, directly or through others. */
static bool check_recursion(const struct lang_state *state, const struct function *function,
                            struct error *err)
{
    for (const struct lang_frame *frame = state->frame; frame; frame = frame->outer) {
        if (frame->function == function) {
            (void)error_set(err, ERROR_MACHINE, "function '%s' calls itself", function->name);
            return error_hint(err, "there is no recursion here: write a loop");
        }
    }
    return true;
}

static bool function_call(struct object *object, const struct native_call *args, struct value *out,
                          struct error *err)
{
    const struct function_value *callee = function_of(object);
    struct lang_state *state = (struct lang_state *)args->caller;
    struct lang_frame frame = {.function = callee->function,
                               .captures = (struct value *const *)callee->captures};
    return check_recursion(state, callee->function, err) &&
           frame_run(state, &frame, args, callee->standards, out, err);
}

static const struct object_type function_type = {
    .name = "function",
    .repr = function_repr,
    .equal = function_equal,
    .hash = function_hash,
    .call = function_call,
};

static bool eval_standards(struct lang_frame *frame, const struct function *function,
                           struct value *standards, struct error *err)
{
    for (size_t i = 0; i < function->param_count; i++) {
        const struct expr *standard = function->standards[i];
        if (standard && !eval(frame, standard, &standards[i], err)) {
            return false;
        }
    }
    return true;
}

bool function_new(struct lang_frame *frame, const struct function *function, struct value *out,
                  struct error *err)
{
    struct arena *arena = frame->state->caller.arena;
    struct function_value *made = ARENA_NEW(arena, struct function_value);
    struct value *standards = ARENA_ARRAY(arena, struct value, function->param_count);
    if (!eval_standards(frame, function, standards, err)) {
        return false;
    }
    made->object.type = &function_type;
    made->function = function;
    made->standards = standards;
    made->captures = ARENA_ARRAY(arena, struct value *, function->captures.count);
    for (size_t i = 0; i < function->captures.count; i++) {
        const struct capture *capture = &function->captures.items[i];
        made->captures[i] = capture->from == CAPTURE_CELL ? &frame->cells[capture->slot]
                                                          : frame->captures[capture->slot];
    }
    *out = value_object(&made->object);
    return true;
}

bool call_value(struct lang_state *state, struct value callee, const struct native_call *call,
                struct value *out, struct error *err)
{
    if (callee.type != VALUE_OBJECT || !callee.as.object->type->call) {
        return error_set(err, ERROR_MACHINE, "a value of type %s can't be called",
                         value_type_name(callee));
    }
    if (state->depth >= state->limits.depth) {
        return too_deep("calls", state->limits.depth, err);
    }
    state->depth++; /* native functions that call each other have no frames */
    bool ok = callee.as.object->type->call(callee.as.object, call, out, err);
    state->depth--;
    return ok;
}
