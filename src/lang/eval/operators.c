/* Operators: the types that each accepts, and the operation on them. */
#include "lang/eval/interp.h"

#include "value/number/numeric.h"

typedef bool binary_fn(struct lang_state *state, enum binary_op op, struct value a, struct value b,
                       struct value *out, struct error *err);

static binary_fn add_values, subtract_values, multiply_values, arithmetic, modulo_values, bitwise,
    shift_values, same, ordered, contained;

static const struct operator
{
    const char *text;
    binary_fn *apply;
    enum arith_op arith;
    enum bit_op bits;
}
operators[BINARY_OPS] = {
    [BINARY_ADD] = {"+", add_values, ARITH_ADD, 0},
    [BINARY_SUB] = {"-", subtract_values, ARITH_SUB, 0},
    [BINARY_MUL] = {"*", multiply_values, ARITH_MUL, 0},
    [BINARY_DIV] = {"/", arithmetic, ARITH_DIV, 0},
    [BINARY_FLOORDIV] = {"//", arithmetic, ARITH_FLOORDIV, 0},
    [BINARY_MOD] = {"%", modulo_values, ARITH_MOD, 0},
    [BINARY_AND] = {"&", bitwise, 0, BIT_AND},
    [BINARY_OR] = {"|", bitwise, 0, BIT_OR},
    [BINARY_XOR] = {"^", bitwise, 0, BIT_XOR},
    [BINARY_SHIFT_LEFT] = {"<<", shift_values, 0, BIT_SHIFT_LEFT},
    [BINARY_SHIFT_RIGHT] = {">>", shift_values, 0, BIT_SHIFT_RIGHT},
    [BINARY_EQUAL] = {"==", same, 0, 0},
    [BINARY_NOT_EQUAL] = {"!=", same, 0, 0},
    [BINARY_LESS] = {"<", ordered, 0, 0},
    [BINARY_LESS_EQUAL] = {"<=", ordered, 0, 0},
    [BINARY_GREATER] = {">", ordered, 0, 0},
    [BINARY_GREATER_EQUAL] = {">=", ordered, 0, 0},
    [BINARY_IN] = {"in", contained, 0, 0},
    [BINARY_NOT_IN] = {"not in", contained, 0, 0},
};

static const struct {
    const char *text;
    const char *wants;
} unary_operators[] = {
    [UNARY_PLUS] = {"+", "a number"},
    [UNARY_MINUS] = {"-", "a number"},
    [UNARY_INVERT] = {"~", "an int"},
    [UNARY_NOT] = {"not", ""},
};

static bool mismatch(enum binary_op op, struct value a, struct value b, struct error *err)
{
    (void)error_set(err, ERROR_MACHINE, "operator %s does not take %s and %s", operators[op].text,
                    value_type_name(a), value_type_name(b));
    if (a.type == VALUE_NONE || b.type == VALUE_NONE) {
        error_hint(err, "None is SQL's NULL: test for it first, as in `x if y is None else x + y`");
    } else if (op == BINARY_ADD && (a.type == VALUE_STRING || b.type == VALUE_STRING)) {
        error_hint(err, "str(x) makes a string");
    } else if (a.type == VALUE_BOOL && b.type == VALUE_BOOL) {
        error_hint(err, "write and, or, !=");
    } else if (op == BINARY_ADD && a.type == b.type &&
               (a.type == VALUE_SET || a.type == VALUE_DICT)) {
        error_hint(err, "write a | b");
    } else if (op == BINARY_ADD && a.type == VALUE_SET) {
        error_hint(err, "s.add(x) adds one item, s | {x, y} several");
    }
    return false;
}

static bool numbers(struct value a, struct value b)
{
    return value_is_number(a) && value_is_number(b);
}

/* Charges for large numbers, and counts the digits of numerics for every operation. */
static bool charge_numbers(struct lang_state *state, enum binary_op op, struct value a,
                           struct value b, struct error *err)
{
    bool linear = a.type == VALUE_INT && b.type == VALUE_INT && op != BINARY_MUL &&
                  op != BINARY_DIV && op != BINARY_FLOORDIV && op != BINARY_MOD;
    return charge(state, linear ? linear_steps(a, b) : product_steps(a, b), err);
}

static bool arithmetic(struct lang_state *state, enum binary_op op, struct value a, struct value b,
                       struct value *out, struct error *err)
{
    if (!numbers(a, b)) {
        return mismatch(op, a, b, err);
    }
    return charge_numbers(state, op, a, b, err) &&
           number_arith(state->caller.arena, operators[op].arith, a, b, out, err);
}

/* Adds ints, if they and their sum fit 64 bits. */
static bool add_small(struct value a, struct value b, struct value *out)
{
    int64_t sum;
    if (a.type != VALUE_INT || b.type != VALUE_INT || (a.flags | b.flags) & VALUE_BIG ||
        __builtin_add_overflow(a.as.integer, b.as.integer, &sum)) {
        return false;
    }
    *out = value_int(sum);
    return true;
}

static bool add_values(struct lang_state *state, enum binary_op op, struct value a, struct value b,
                       struct value *out, struct error *err)
{
    if (add_small(a, b, out)) {
        return true;
    }
    if (a.type == b.type && is_sequence(a)) {
        return sequence_add(state, a, b, out, err);
    }
    return arithmetic(state, op, a, b, out, err);
}

static bool subtract_values(struct lang_state *state, enum binary_op op, struct value a,
                            struct value b, struct value *out, struct error *err)
{
    return a.type == VALUE_SET && b.type == VALUE_SET ? tables_apply(state, op, a, b, out, err)
                                                      : arithmetic(state, op, a, b, out, err);
}

static bool multiply_values(struct lang_state *state, enum binary_op op, struct value a,
                            struct value b, struct value *out, struct error *err)
{
    if (is_sequence(a) && b.type == VALUE_INT) {
        return sequence_repeat(state, a, b, out, err);
    }
    if (is_sequence(b) && a.type == VALUE_INT) {
        return sequence_repeat(state, b, a, out, err);
    }
    return arithmetic(state, op, a, b, out, err);
}

static bool modulo_values(struct lang_state *state, enum binary_op op, struct value a,
                          struct value b, struct value *out, struct error *err)
{
    return a.type == VALUE_STRING ? format_percent(state, a, b, out, err)
                                  : arithmetic(state, op, a, b, out, err);
}

typedef bool join_fn(struct arena *arena, struct value a, struct value b, struct value *out,
                     struct error *err);

static join_fn *join_of(struct value value)
{
    if (value.type == VALUE_LIST && value.as.list->kind) {
        return value.as.list->kind->join;
    }
    return value.type == VALUE_OBJECT ? value.as.object->type->join : NULL;
}

static bool bitwise(struct lang_state *state, enum binary_op op, struct value a, struct value b,
                    struct value *out, struct error *err)
{
    if (a.type == VALUE_INT && b.type == VALUE_INT) {
        return charge_numbers(state, op, a, b, err) &&
               number_bits(state->caller.arena, operators[op].bits, a, b, out, err);
    }
    bool sets = a.type == VALUE_SET && b.type == VALUE_SET;
    bool dicts = a.type == VALUE_DICT && b.type == VALUE_DICT && op == BINARY_OR;
    if (sets || dicts) {
        return tables_apply(state, op, a, b, out, err);
    }
    join_fn *join = join_of(a) ? join_of(a) : join_of(b);
    if (op == BINARY_OR && join) {
        return join(state->caller.arena, a, b, out, err);
    }
    return mismatch(op, a, b, err);
}

static bool shift_values(struct lang_state *state, enum binary_op op, struct value a,
                         struct value b, struct value *out, struct error *err)
{
    if (a.type != VALUE_INT || b.type != VALUE_INT) {
        return mismatch(op, a, b, err);
    }
    return number_bits(state->caller.arena, operators[op].bits, a, b, out, err) &&
           charge_numbers(state, op, a, *out, err);
}

static bool same(struct lang_state *state, enum binary_op op, struct value a, struct value b,
                 struct value *out, struct error *err)
{
    bool result;
    if (!equal(state, a, b, &result, err)) {
        return false;
    }
    *out = value_bool(result == (op == BINARY_EQUAL));
    return true;
}

static bool ordered(struct lang_state *state, enum binary_op op, struct value a, struct value b,
                    struct value *out, struct error *err)
{
    int sign;
    if (!order(state, a, b, &sign, err)) {
        return false;
    }
    *out = value_bool(op == BINARY_LESS         ? sign < 0
                      : op == BINARY_LESS_EQUAL ? sign <= 0
                      : op == BINARY_GREATER    ? sign > 0
                                                : sign >= 0);
    return true;
}

static bool contained(struct lang_state *state, enum binary_op op, struct value a, struct value b,
                      struct value *out, struct error *err)
{
    bool result;
    if (!sequence_contains(state, b, a, &result, err)) {
        return false;
    }
    *out = value_bool(result == (op == BINARY_IN));
    return true;
}

bool binary_apply(struct lang_state *state, enum binary_op op, struct value a, struct value b,
                  struct value *out, struct error *err)
{
    return operators[op].apply(state, op, a, b, out, err);
}

bool unary_apply(struct lang_state *state, enum unary_op op, struct value operand,
                 struct value *out, struct error *err)
{
    if (op == UNARY_NOT) {
        *out = value_bool(!value_truth(operand));
        return true;
    }
    bool fits = op == UNARY_INVERT ? operand.type == VALUE_INT : value_is_number(operand);
    if (!fits) {
        return error_set(err, ERROR_MACHINE, "operator %s takes %s, not %s",
                         unary_operators[op].text, unary_operators[op].wants,
                         value_type_name(operand));
    }
    if (op == UNARY_PLUS) {
        *out = operand;
        return true;
    }
    if (!charge(state, linear_steps(operand, operand), err)) {
        return false;
    }
    return op == UNARY_MINUS ? number_negate(state->caller.arena, operand, out, err)
                             : number_invert(state->caller.arena, operand, out, err);
}
