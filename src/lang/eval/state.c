/* A state: its limits, its stack, and errors with their place. */
#include "lang/eval/interp.h"
#include "value/number/numeric.h"

#include <assert.h>

enum {
    STACK_CHUNK = 16 * 1024,
    STACK_ALIGN = 16,
    STACK_LINES_MAX = 20,
    PART_BYTES = 64,
    LIMB_STEPS = 8, /* to write a digit of 64 bits */
    LINEAR_LIMBS = 8,
    SQUARE_LIMBS = 128, /* products of two limbs in a step */
    LIMB_DIGITS = 19,   /* decimal ones, about */
    MEBIBYTE = 1 << 20
};

const struct lang_limits lang_default_limits = {
    .steps = 10000000,
    .depth = 200,
    .levels = 2000,
    .bytes = (size_t)64 * MEBIBYTE,
};

struct lang_stack {
    struct lang_stack *outer;
    struct lang_stack *inner; /* kept for reuse */
    size_t size;
    size_t used;
    _Alignas(STACK_ALIGN) unsigned char data[];
};

void lang_unset(struct value *local) { *local = unset_value(); }

bool lang_is_unset(struct value local) { return is_unset(local); }

static struct lang_stack *stack_chunk(struct lang_state *state, struct lang_stack *outer,
                                      size_t size)
{
    struct lang_stack *chunk = arena_alloc(state->arena, sizeof *chunk + size);
    *chunk = (struct lang_stack){.outer = outer, .size = size};
    return chunk;
}

void stack_begin(struct lang_state *state) { state->stack = stack_chunk(state, NULL, STACK_CHUNK); }

struct stack_mark stack_mark(const struct lang_state *state)
{
    assert(state->stack != NULL);
    return (struct stack_mark){state->stack, state->stack->used};
}

/* Returns a chunk with room after the innermost one, and reuses the one kept there if it is large
 * enough. */
static struct lang_stack *stack_grow(struct lang_state *state, size_t size)
{
    struct lang_stack *kept = state->stack->inner;
    if (!kept || kept->size < size) {
        kept = stack_chunk(state, state->stack, size > STACK_CHUNK ? size : STACK_CHUNK);
        state->stack->inner = kept;
    }
    kept->used = 0;
    state->stack = kept;
    return kept;
}

void *stack_push(struct lang_state *state, size_t size)
{
    size_t padded = (size + STACK_ALIGN - 1) & ~(size_t)(STACK_ALIGN - 1);
    struct lang_stack *chunk = state->stack;
    if (chunk->size - chunk->used < padded) {
        chunk = stack_grow(state, padded);
    }
    void *data = chunk->data + chunk->used;
    chunk->used += padded;
    return data;
}

void stack_pop(struct lang_state *state, struct stack_mark mark)
{
    assert(mark.used <= mark.chunk->used);
    state->stack = mark.chunk;
    state->stack->used = mark.used;
}

bool limit_reached(struct lang_state *state, struct error *err)
{
    if (state->steps > state->limits.steps) {
        (void)error_set(err, ERROR_LIMIT, "more than %llu evaluation steps in one example",
                        (unsigned long long)state->limits.steps);
        return error_hint(err, "a limit of the model language; loop over less");
    }
    bool small = state->limits.bytes < MEBIBYTE;
    (void)error_set(err, ERROR_LIMIT, "values of more than %zu %s in one example",
                    small ? state->limits.bytes : state->limits.bytes / MEBIBYTE,
                    small ? "bytes" : "MiB");
    err->too_large = true;
    return error_hint(err, "a limit of the model language; keep less");
}

bool charge(struct lang_state *state, uint64_t steps, struct error *err)
{
    uint64_t left = state->limits.steps - state->steps;
    if (state->steps <= state->limits.steps && steps <= left) {
        state->steps += steps;
        return true;
    }
    state->steps = state->limits.steps + 1;
    return limit_reached(state, err);
}

bool room(struct lang_state *state, uint64_t bytes, struct error *err)
{
    size_t used = arena_used(state->caller.arena) - state->bytes_before;
    return (used <= state->limits.bytes && bytes <= state->limits.bytes - used) ||
           limit_reached(state, err);
}

bool room_for(struct lang_state *state, uint64_t count, uint64_t size, struct error *err)
{
    uint64_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        bytes = UINT64_MAX;
    }
    return room(state, bytes, err);
}

enum { WEIGH_DEPTH_MAX = 200 };

static uint64_t number_scale(struct value number)
{
    return number.type == VALUE_NUMERIC ? (uint64_t)number.as.numeric->scale : 0;
}

uint64_t linear_steps(struct value a, struct value b)
{
    return (number_limbs(a) + number_limbs(b)) / LINEAR_LIMBS;
}

uint64_t square_steps(uint64_t limbs) { return limbs * limbs / SQUARE_LIMBS; }

uint64_t product_steps(struct value a, struct value b)
{
    uint64_t left = number_scale(a);
    uint64_t right = number_scale(b);
    uint64_t gap = (left > right ? left - right : right - left) / LIMB_DIGITS;
    return linear_steps(a, b) + square_steps(number_limbs(a) + number_limbs(b) + gap);
}

uint64_t number_text_steps(struct value number)
{
    uint64_t limbs = number_limbs(number);
    return limbs > 1 ? limbs * LIMB_STEPS + 2 * square_steps(limbs) : 0;
}

uint64_t digits_steps(size_t digits) { return digits / 8 + 2 * square_steps(digits / LIMB_DIGITS); }

/* Counts the parts of a value, up to a bound and to WEIGH_DEPTH_MAX levels (the value module stops
 * there, too). */
static void weigh_value(struct value value, unsigned depth, uint64_t bound, uint64_t *parts)
{
    ++*parts;
    if (*parts > bound || depth == WEIGH_DEPTH_MAX) {
        return;
    }
    if (value.type == VALUE_INT || value.type == VALUE_NUMERIC) {
        *parts += number_text_steps(value);
    } else if (value.type == VALUE_STRING) {
        *parts += value.as.string->size / PART_BYTES;
    } else if (value.type == VALUE_BYTES) {
        *parts += value.as.bytes->size / PART_BYTES;
    }
    struct value_parts inside = {.of = value};
    struct value part;
    while (value_parts_next(&inside, &part)) {
        weigh_value(part, depth + 1, bound, parts);
    }
}

bool charge_value(struct lang_state *state, struct value value, struct error *err)
{
    bool small = (value.type == VALUE_INT && !(value.flags & VALUE_BIG)) ||
                 (value.type == VALUE_STRING && value.as.string->size < PART_BYTES);
    if (small || value.type < VALUE_INT || value.type > VALUE_MULTIPLE) {
        return true;
    }
    uint64_t parts = 0;
    weigh_value(value, 0, state->limits.steps, &parts);
    return charge(state, parts - 1, err);
}

static const char *function_name(const struct lang_frame *frame)
{
    return frame->function->top ? "the code outside functions" : frame->function->name;
}

static void stack_line(const struct lang_frame *frame, uint32_t at, struct error *err)
{
    struct source_pos pos = snippet_pos(frame->function->snippet, at);
    struct source_place place = source_place(pos);
    error_detail(err, "%s:%zu:%zu in %s", pos.source->name, place.line, place.column,
                 function_name(frame));
}

bool locate(struct lang_frame *frame, uint32_t pos, struct error *err)
{
    assert(pos <= frame->function->snippet->size);
    if (!err || err->pos.source) {
        return false;
    }
    err->pos = snippet_pos(frame->function->snippet, pos);
    if (!frame->outer) {
        return false; /* without a call, the position is enough */
    }
    unsigned lines = 0;
    for (const struct lang_frame *f = frame; f && lines < STACK_LINES_MAX; f = f->outer) {
        stack_line(f, f == frame ? pos : f->at, err);
        lines++;
    }
    return false;
}

bool raise_at(struct lang_frame *frame, uint32_t pos, struct error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)error_vat(err, ERROR_MACHINE, (struct source_pos){0}, format, args);
    va_end(args);
    return locate(frame, pos, err);
}
