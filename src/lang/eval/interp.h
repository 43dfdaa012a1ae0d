/*
 * The interpreter's inside: frames, limits, errors with their place, and the evaluator's parts.
 *
 * A function returns false with err if the evaluation fails. The innermost expression adds the
 * position and the call stack to err, once (locate). Errors of builtins and of the value module
 * have none before that.
 */
#ifndef LANG_INTERP_H
#define LANG_INTERP_H

#include "lang/lang.h"
#include "lang/syntax/ast.h"

#include <assert.h>

/* A running call of a function, or of a snippet's code. */
struct lang_frame {
    struct lang_frame *outer; /* its caller */
    struct lang_state *state;
    const struct function *function;
    struct value *slots;           /* parameters, then locals, then comprehensions' variables */
    struct value *cells;           /* locals that inner functions read, too */
    struct value *const *captures; /* cells of outer functions */
    struct value *locals;          /* the step's; of a snippet's code only */
    uint32_t at;                   /* the call being made from here */
};

/* The place of a variable. Builtins and constants (BIND_VALUE) have none. */
static inline struct value *name_place(const struct lang_frame *frame, const struct expr_name *name)
{
    assert(name->binding > BIND_VALUE);
    switch (name->binding) {
    case BIND_GLOBAL:
        return &frame->state->globals[name->slot];
    case BIND_STEP:
        return &frame->locals[name->slot];
    case BIND_CELL:
        return &frame->cells[name->slot];
    case BIND_FREE:
        return frame->captures[name->slot];
    case BIND_LOCAL:
    case BIND_NONE:
    case BIND_VALUE:
    default:
        return &frame->slots[name->slot];
    }
}

/* state.c: memory for arguments and slots, released in the reverse order. */
void stack_begin(struct lang_state *state);
struct stack_mark {
    struct lang_stack *chunk;
    size_t used;
};
struct stack_mark stack_mark(const struct lang_state *state);
void *stack_push(struct lang_state *state, size_t size);
void stack_pop(struct lang_state *state, struct stack_mark mark);

/* Limits. Each returns false with ERROR_LIMIT if the limit is reached. */
bool charge(struct lang_state *state, uint64_t steps, struct error *err);
/* Checks that `bytes` more bytes of values are allowed. Call it before you make a value that could
 * be huge. */
bool room(struct lang_state *state, uint64_t bytes, struct error *err);
bool room_for(struct lang_state *state, uint64_t count, uint64_t size, struct error *err);
/* Charges a step for each part of a value, before it is compared, hashed or written. */
bool charge_value(struct lang_state *state, struct value value, struct error *err);
/* Steps for an operation whose time grows linearly with the numbers' digits, or with their square.
 */
uint64_t linear_steps(struct value a, struct value b);
uint64_t product_steps(struct value a, struct value b);
uint64_t square_steps(uint64_t limbs);
/* Steps for writing a number, and for reading this many digits. */
uint64_t number_text_steps(struct value number);
uint64_t digits_steps(size_t digits);
/* One step of the evaluator. */
bool limit_reached(struct lang_state *state, struct error *err);

static inline bool within_limits(struct lang_state *state)
{
    return ++state->steps <= state->limits.steps &&
           state->caller.arena->used - state->bytes_before <= state->limits.bytes;
}

/* Gives err its position and call stack if it has none; always false. */
bool locate(struct lang_frame *frame, uint32_t pos, struct error *err);
/* Sets an error with the position. Always false. */
bool raise_at(struct lang_frame *frame, uint32_t pos, struct error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* eval.c */
bool eval(struct lang_frame *frame, const struct expr *expr, struct value *out, struct error *err);
bool eval_expr_name(struct lang_frame *frame, const struct expr *expr, struct value *out,
                    struct error *err);
/* eval_call.c */
bool eval_call(struct lang_frame *frame, const struct expr *expr, struct value *out,
               struct error *err);
/* comprehension.c */
bool eval_comprehension(struct lang_frame *frame, const struct expr *expr, struct value *out,
                        struct error *err);

/* assign.c */
bool assign(struct lang_frame *frame, const struct expr *target, struct value value,
            struct error *err);
bool exec_augment(struct lang_frame *frame, const struct stmt *stmt, struct error *err);

/* exec.c */
enum flow { FLOW_ERROR, FLOW_NEXT, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN };
/* `out` gets what `return` returns. */
enum flow exec_block(struct lang_frame *frame, const struct block *block, struct value *out,
                     struct error *err);

/* function.c */
bool function_new(struct lang_frame *frame, const struct function *function, struct value *out,
                  struct error *err);
/* Calls any value, with the arguments of struct native_call (self is not read). Errors that arise
 * in the call itself have no position yet. */
bool call_value(struct lang_state *state, struct value callee, const struct native_call *call,
                struct value *out, struct error *err);
/* Runs a frame's function; `frame` has function, locals and captures set. `args` holds the
 * arguments of a call, including default values; NULL for a snippet's code. */
bool frame_run(struct lang_state *state, struct lang_frame *frame, const struct native_call *args,
               const struct value *standards, struct value *out, struct error *err);

/* operators.c */
bool binary_apply(struct lang_state *state, enum binary_op op, struct value a, struct value b,
                  struct value *out, struct error *err);
bool unary_apply(struct lang_state *state, enum unary_op op, struct value operand,
                 struct value *out, struct error *err);
/* sequence.c */
bool sequence_add(struct lang_state *state, struct value a, struct value b, struct value *out,
                  struct error *err);
bool sequence_repeat(struct lang_state *state, struct value sequence, struct value count,
                     struct value *out, struct error *err);
bool sequence_contains(struct lang_state *state, struct value container, struct value item,
                       bool *out, struct error *err);
bool is_sequence(struct value value); /* a string, bytes, a list or a tuple, which + joins */
bool equal(struct lang_state *state, struct value a, struct value b, bool *out, struct error *err);
bool order(struct lang_state *state, struct value a, struct value b, int *out, struct error *err);
/* index.c */
bool index_get(struct lang_state *state, struct value object, struct value index, struct value *out,
               struct error *err);
bool index_set(struct lang_state *state, struct value object, struct value index,
               struct value value, struct error *err);
bool slice_get(struct lang_state *state, struct value object, const struct value parts[3],
               struct value *out, struct error *err);
/* attr.c */
bool attr_get(struct lang_state *state, struct value object, const char *name, struct value *out,
              struct error *err);
/* The unsorted names of an object's attributes and methods; in the state's arena. */
size_t attr_names(struct lang_state *state, struct value object, const char ***out);

/* tables.c: dicts and sets. Charges for their keys. */
bool entry_set(struct lang_state *state, struct table *table, struct value key, struct value value,
               struct error *err);
bool entry_find(struct lang_state *state, const struct table *table, struct value key,
                struct table_entry **out, struct error *err);
/* Sets the error that a dict has no such key. Always false. */
bool no_such_key(struct value key, const char *hint, struct error *err);
/* A new set of the items of any value that `for` accepts. */
bool set_of(struct lang_state *state, struct value value, struct value *out, struct error *err);
/* s | t, s & t, s - t, s ^ t of sets; `|` of dicts, too. */
bool tables_apply(struct lang_state *state, enum binary_op op, struct value a, struct value b,
                  struct value *out, struct error *err);
/* The same, changing `a`. */
bool tables_update(struct lang_state *state, enum binary_op op, struct value a, struct value b,
                   struct error *err);

/* items.c */
/* The items of any value that `for` accepts; charges a step for each. A list gives its own array,
 * so code that calls back must copy it or lock the list. */
bool items_of(struct lang_state *state, struct value value, struct items *out, struct error *err);
/* The same as a new list. */
bool list_of(struct lang_state *state, struct value value, struct value *out, struct error *err);
bool list_extend(struct lang_state *state, struct list *list, struct value value,
                 struct error *err);

/* format.c */
bool format_percent(struct lang_state *state, struct value format, struct value args,
                    struct value *out, struct error *err);
bool format_braces(const struct native_call *call, struct value *out, struct error *err);
/* Appends a value's text; false if the text is larger than the remaining room. */
bool write_text(struct lang_state *state, struct value value, struct strbuf *out,
                struct error *err);

#endif
