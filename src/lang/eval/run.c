/* A state of one example, and running code in it. */
#include "lang/eval/interp.h"
#include "lang/resolve/module.h"

#include <assert.h>

static bool state_call(struct caller *caller, struct value callee, const struct value *args,
                       size_t count, struct value *out, struct error *err)
{
    struct lang_state *state = (struct lang_state *)caller;
    struct native_call call = {.caller = caller, .args = args, .arg_count = count};
    struct stack_mark mark = stack_mark(state);
    bool ok = call_value(state, callee, &call, out, err);
    stack_pop(state, mark);
    return ok;
}

void lang_state_begin(struct lang_state *state, const struct lang_module *module,
                      struct arena *arena, void *host)
{
    struct lang_zone **zones = ARENA_NEW(arena, struct lang_zone *);
    *state = (struct lang_state){.caller = {.arena = arena, .host = host, .call = state_call},
                                 .arena = arena,
                                 .module = module,
                                 .limits = lang_default_limits,
                                 .zones = zones,
                                 .bytes_before = arena_used(arena)};
    size_t count = module->globals.count;
    state->globals = ARENA_ARRAY(arena, struct value, count);
    for (size_t i = 0; i < count; i++) {
        lang_unset(&state->globals[i]);
    }
    stack_begin(state);
}

void lang_set_global(struct lang_state *state, size_t slot, struct value value)
{
    assert(slot < state->module->globals.count);
    state->globals[slot] = value;
}

bool lang_get_global(const struct lang_state *state, size_t slot, struct value *out)
{
    assert(slot < state->module->globals.count);
    *out = state->globals[slot];
    if (is_unset(*out)) {
        *out = value_none();
        return false;
    }
    return true;
}

struct value *lang_copy_globals(struct lang_state *state)
{
    struct arena *arena = state->caller.arena;
    size_t count = state->module->globals.count;
    size_t used = arena_used(arena);
    struct value all = value_tuple(arena, state->globals, count);
    struct value copy = value_copy(arena, all);
    struct value *globals = arena_memdup(arena, copy.as.tuple->items, count * sizeof *globals);
    state->bytes_before += arena_used(arena) - used;
    return globals;
}

bool lang_eval(struct lang_state *state, const struct lang_code *code, struct value *locals,
               struct value *out, struct error *err)
{
    assert(code->module == state->module);
    struct lang_frame frame = {.function = code->top, .locals = locals};
    return frame_run(state, &frame, NULL, NULL, out, err) || locate(&frame, 0, err);
}

/* bytes_before is shifted, modulo 2^64, so that the example's use so far counts in the other arena,
 * too. */
static void look_in(struct lang_state *state, struct arena *arena)
{
    size_t used = arena_used(state->caller.arena) - state->bytes_before;
    state->caller.arena = arena;
    state->caller.looking = true;
    state->bytes_before = arena_used(arena) - used;
}

bool lang_look(struct lang_state *state, const struct lang_code *code, struct value *locals,
               struct arena *arena, struct value *out, struct error *err)
{
    assert(code->mode == LANG_EXPRESSION);
    struct arena *home = state->caller.arena;
    size_t before = state->bytes_before;
    bool looking = state->caller.looking;
    look_in(state, arena);
    bool ok = lang_eval(state, code, locals, out, err);
    state->caller.arena = home;
    state->caller.looking = looking;
    state->bytes_before = before;
    return ok;
}

struct lang_state lang_looking(const struct lang_state *state, struct arena *arena)
{
    struct lang_state looking = *state;
    look_in(&looking, arena);
    looking.print = NULL;
    return looking;
}

struct expr *lang_expression(const struct lang_code *code)
{
    assert(code->mode == LANG_EXPRESSION);
    return code->top->result;
}

bool lang_look_at(struct lang_state *state, const struct lang_code *code, struct expr *part,
                  struct value *locals, struct arena *arena, struct value *out, struct error *err)
{
    struct function top = *code->top;
    struct lang_code alone = *code;
    top.result = part;
    alone.top = &top;
    return lang_look(state, &alone, locals, arena, out, err);
}

bool lang_exec(struct lang_state *state, const struct lang_code *code, struct value *locals,
               struct error *err)
{
    struct value ignored;
    return lang_eval(state, code, locals, &ignored, err);
}
