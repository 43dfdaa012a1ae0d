/*
 * The syntax tree. The parser makes it, the resolver completes it (names become slots), and the
 * evaluator runs it. It lives in the arena given to lang_compile and does not change afterwards.
 *
 * Positions are bytes from the start of the function's snippet. `height` is the number of nested
 * expressions, itself included; it bounds the depth of the evaluator's recursion.
 */
#ifndef LANG_AST_H
#define LANG_AST_H

#include "base/source.h"
#include "base/vec.h"
#include "lang/syntax/token.h"
#include "value/object.h"

struct expr;
struct stmt;
struct function;

enum { AST_HEIGHT_MAX = 200 };

enum expr_kind {
    EXPR_CONSTANT,
    EXPR_NAME,
    EXPR_TUPLE,
    EXPR_LIST,
    EXPR_SET,
    EXPR_DICT,
    EXPR_COMPREHENSION,
    EXPR_UNARY,
    EXPR_BINARY,
    EXPR_LOGICAL,
    EXPR_CONDITIONAL,
    EXPR_LAMBDA,
    EXPR_CALL,
    EXPR_ATTR,
    EXPR_INDEX,
    EXPR_SLICE,
    EXPR_KINDS
};

/* The place of a name's value. */
enum binding {
    BIND_NONE,   /* not resolved yet */
    BIND_VALUE,  /* a builtin or constant: in the node */
    BIND_GLOBAL, /* state->globals[slot] */
    BIND_STEP,   /* the step's locals[slot] */
    BIND_LOCAL,  /* the frame's slots[slot] */
    BIND_CELL,   /* the frame's cells[slot]: a local that an inner function reads, too */
    BIND_FREE,   /* the function's captures[slot]: a cell of an outer function */
};

struct expr_name {
    const char *name;
    enum binding binding;
    uint32_t slot;
    /* BIND_STEP: an assignment also sets cells[cell], which an inner function reads. */
    int32_t cell;
    struct value value;
    struct expr *next_use; /* of the same variable; for the resolver */
};

enum unary_op { UNARY_PLUS, UNARY_MINUS, UNARY_INVERT, UNARY_NOT };

enum binary_op {
    BINARY_ADD, /* up to the shifts in the order of TOKEN_PLUS_ASSIGN … */
    BINARY_SUB,
    BINARY_MUL,
    BINARY_DIV,
    BINARY_FLOORDIV,
    BINARY_MOD,
    BINARY_AND,
    BINARY_OR,
    BINARY_XOR,
    BINARY_SHIFT_LEFT,
    BINARY_SHIFT_RIGHT,
    BINARY_EQUAL,
    BINARY_NOT_EQUAL,
    BINARY_LESS,
    BINARY_LESS_EQUAL,
    BINARY_GREATER,
    BINARY_GREATER_EQUAL,
    BINARY_IN,
    BINARY_NOT_IN,
    BINARY_OPS
};

/* An operator between two operands. */
struct expr_operator {
    enum binary_op op;
    uint32_t pos;
};

enum comprehension_kind { COMPREHENSION_LIST, COMPREHENSION_SET, COMPREHENSION_DICT };

/* `for target in operand`, or `if operand` (target NULL). */
struct clause {
    struct expr *target;
    struct expr *operand;
    uint32_t pos;
};

struct expr_comprehension {
    enum comprehension_kind kind;
    struct expr *key; /* of a dict */
    struct expr *item;
    struct clause *clauses; /* the first is a `for` */
    size_t count;
    /* Frame slots of its variables, which are unset before each run. */
    uint32_t first_slot;
    uint32_t slot_count;
};

struct argument_name {
    const char *name;
    uint32_t pos;
};

struct expr_call {
    size_t arg_count; /* by position */
    struct argument_name *names;
    size_t named_count;
    struct expr *star;      /* *args, or NULL */
    struct expr *star_star; /* **kwargs, or NULL */
};

struct expr_attr {
    const char *name;
    uint32_t name_pos;
    const struct native_function **methods; /* of that name, by type; the resolver sets it */
};

/*
 * An expression. `items` are its subexpressions, and `as` holds the rest:
 *
 * tuple, list, set  the items
 *     dict              key, value, key, value, …
 *     unary, attr       the operand; the object
 *     binary            operand (operator operand)…, from left to right: operators of one level
 *                       stand side by side, so that a long sum is not deep
 *     logical           the operands
 *     conditional       condition, value if it is true, value if not
 *     lambda            its parameters' default values; NULL where there is none
 *     call              the callee, arguments by position, those by name, *args, **kwargs
 *     index             object, index
 *     slice             object, start, stop, step; NULL where one is left out
 */
struct expr {
    enum expr_kind kind;
    uint32_t pos;
    uint32_t height;
    struct expr **items;
    size_t count, capacity;
    union {
        struct value constant;
        struct expr_name name;
        struct expr_comprehension comprehension;
        enum unary_op unary;
        struct expr_operator *operators; /* of a binary one; one less than operands */
        bool is_or;                      /* of a logical one: and, or */
        struct function *lambda;
        struct expr_call call;
        struct expr_attr attr;
    } as;
};

enum stmt_kind {
    STMT_EXPR,
    STMT_ASSIGN,
    STMT_AUGMENT,
    STMT_IF,
    STMT_FOR,
    STMT_DEF,
    STMT_RETURN,
    STMT_BREAK,
    STMT_CONTINUE,
    STMT_PASS,
    STMT_KINDS
};

struct block {
    struct stmt **items;
    size_t count, capacity;
    uint32_t height;
};

/* A body and its condition, which is NULL for `else` and for loops. */
struct branch {
    struct expr *condition;
    struct block body;
};

/* Members that a kind of statement does not use are NULL or 0. */
struct stmt {
    enum stmt_kind kind;
    uint32_t pos;
    uint32_t height;
    struct expr *target; /* the assigned names or index, a loop's variables, a def's name */
    struct expr *value;  /* the expression that is evaluated, assigned, returned or looped over; a
                            def's function, as a lambda */
    enum binary_op op;   /* of STMT_AUGMENT */
    uint32_t op_pos;
    struct branch *branches; /* `if` and its `elif`s in order, then `else`; a loop's body */
    size_t branch_count;
};

/* Where the frame that makes a function finds a capture. */
struct capture {
    enum { CAPTURE_CELL, CAPTURE_FREE } from;
    uint32_t slot;
};

/* Slots without duplicates. */
struct slots {
    size_t *items;
    size_t count, capacity;
};

static inline bool slots_hold(const struct slots *slots, size_t slot)
{
    size_t i = 0;
    while (i < slots->count && slots->items[i] != slot) {
        i++;
    }
    return i < slots->count;
}

/* The names that a function and its inner functions read. */
struct uses {
    struct slots globals;
    struct slots locals; /* of the step */
};

/* A def, a lambda, or a snippet's own code (which has no parameters). */
struct function {
    const char *name;
    const struct snippet *snippet;
    uint32_t pos;
    uint32_t height;                   /* of its body */
    const struct native_param *params; /* the frame's first slots; ends with name NULL */
    struct expr *const *standards;     /* their default values; NULL where there is none */
    size_t param_count;
    bool top; /* a snippet's own code */
    struct block body;
    struct expr *result; /* of a lambda or an expression; otherwise NULL */
    uint32_t slot_count;
    uint32_t cell_count;
    int32_t *cell_starts; /* per cell: the parameter (of top code: the step's local) that it starts
                             as, or -1 */
    VEC(struct capture) captures;
    struct uses uses;
};

#endif
