/* Expressions. */
#include "base/names.h"
#include "lang/syntax/parser.h"

#include "value/number/numeric.h"

#include <string.h>

/* Levels of precedence, the lowest first. */
enum level {
    LEVEL_OR,
    LEVEL_AND,
    LEVEL_NOT,
    LEVEL_COMPARE, /* can't be chained */
    LEVEL_BIT_OR,
    LEVEL_BIT_XOR,
    LEVEL_BIT_AND,
    LEVEL_SHIFT,
    LEVEL_SUM,
    LEVEL_PRODUCT,
    LEVEL_UNARY,
};

static const struct operator_row {
    enum token_kind token;
    enum level level;
    enum binary_op op;
} operators[] = {
    {TOKEN_EQUAL_EQUAL, LEVEL_COMPARE, BINARY_EQUAL},
    {TOKEN_NOT_EQUAL, LEVEL_COMPARE, BINARY_NOT_EQUAL},
    {TOKEN_LESS, LEVEL_COMPARE, BINARY_LESS},
    {TOKEN_LESS_EQUAL, LEVEL_COMPARE, BINARY_LESS_EQUAL},
    {TOKEN_GREATER, LEVEL_COMPARE, BINARY_GREATER},
    {TOKEN_GREATER_EQUAL, LEVEL_COMPARE, BINARY_GREATER_EQUAL},
    {TOKEN_IN, LEVEL_COMPARE, BINARY_IN},
    {TOKEN_NOT, LEVEL_COMPARE, BINARY_NOT_IN}, /* `not in` */
    {TOKEN_IS, LEVEL_COMPARE, BINARY_EQUAL},   /* `is None`; `is not None` */
    {TOKEN_PIPE, LEVEL_BIT_OR, BINARY_OR},
    {TOKEN_CARET, LEVEL_BIT_XOR, BINARY_XOR},
    {TOKEN_AMPERSAND, LEVEL_BIT_AND, BINARY_AND},
    {TOKEN_SHIFT_LEFT, LEVEL_SHIFT, BINARY_SHIFT_LEFT},
    {TOKEN_SHIFT_RIGHT, LEVEL_SHIFT, BINARY_SHIFT_RIGHT},
    {TOKEN_PLUS, LEVEL_SUM, BINARY_ADD},
    {TOKEN_MINUS, LEVEL_SUM, BINARY_SUB},
    {TOKEN_STAR, LEVEL_PRODUCT, BINARY_MUL},
    {TOKEN_SLASH, LEVEL_PRODUCT, BINARY_DIV},
    {TOKEN_SLASH_SLASH, LEVEL_PRODUCT, BINARY_FLOORDIV},
    {TOKEN_PERCENT, LEVEL_PRODUCT, BINARY_MOD},
};

static const struct {
    enum token_kind token;
    enum unary_op op;
} unary_operators[] = {
    {TOKEN_PLUS, UNARY_PLUS},
    {TOKEN_MINUS, UNARY_MINUS},
    {TOKEN_TILDE, UNARY_INVERT},
};

static const struct named_value constant_words[] = {
    {"None", {.type = VALUE_NONE}},
    {"True", {.type = VALUE_BOOL, .as.boolean = true}},
    {"False", {.type = VALUE_BOOL, .as.boolean = false}},
};

static struct expr *parse_level(struct parser *parser, enum level level);

static const struct operator_row *operator_at(const struct parser *parser, enum level level)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (operators[i].token == parser->token.kind && operators[i].level == level) {
            return &operators[i];
        }
    }
    return NULL;
}

static struct expr *constant_expr(struct parser *parser, uint32_t pos, struct value value)
{
    struct expr *expr = expr_new(parser, EXPR_CONSTANT, pos);
    expr->as.constant = value;
    return expr;
}

/* None, True, False, or a name. */
static struct expr *parse_word(struct parser *parser)
{
    uint32_t pos = parser->token.pos;
    const char *name = parser_take_name(parser, "a name");
    size_t word = name_index(name, ROWS_IN(constant_words, name));
    return word < sizeof constant_words / sizeof *constant_words
               ? constant_expr(parser, pos, constant_words[word].value)
               : expr_new_name(parser, name, pos);
}

/* At a comma or at `end`: reads the items after the first one, and takes `end`. */
static struct expr *parse_items(struct parser *parser, enum expr_kind kind, struct expr *first,
                                enum token_kind end, uint32_t pos)
{
    struct expr *expr = expr_new(parser, kind, pos);
    expr_add(parser, expr, first);
    while (parser_take(parser, TOKEN_COMMA) && !parser_at(parser, end)) {
        expr_add(parser, expr, parse_test(parser));
    }
    parser_expect(parser, end, "or ','");
    return expr;
}

static struct expr *parse_parentheses(struct parser *parser)
{
    uint32_t pos = parser->token.pos;
    parser_advance(parser);
    if (parser_take(parser, TOKEN_RPAREN)) {
        return expr_new(parser, EXPR_TUPLE, pos);
    }
    struct expr *first = parse_test(parser);
    if (parser_at(parser, TOKEN_FOR)) {
        parser_fail(parser, pos, "write a list: [x for x in xs]",
                    "a generator expression can only be a call's sole argument");
    }
    if (parser_at(parser, TOKEN_COMMA)) {
        return parse_items(parser, EXPR_TUPLE, first, TOKEN_RPAREN, pos);
    }
    parser_expect(parser, TOKEN_RPAREN, "or ','");
    return first;
}

static struct expr *parse_comprehension(struct parser *parser, enum comprehension_kind kind,
                                        struct expr *key, struct expr *item, enum token_kind end,
                                        uint32_t pos)
{
    struct expr *expr = parse_clauses(parser, kind, key, item, pos);
    parser_expect(parser, end, "behind the comprehension");
    return expr;
}

static struct expr *parse_brackets(struct parser *parser)
{
    uint32_t pos = parser->token.pos;
    parser_advance(parser);
    if (parser_take(parser, TOKEN_RBRACKET)) {
        return expr_new(parser, EXPR_LIST, pos);
    }
    struct expr *first = parse_test(parser);
    if (parser_at(parser, TOKEN_FOR)) {
        return parse_comprehension(parser, COMPREHENSION_LIST, NULL, first, TOKEN_RBRACKET, pos);
    }
    return parse_items(parser, EXPR_LIST, first, TOKEN_RBRACKET, pos);
}

static struct expr *parse_entries(struct parser *parser, struct expr *key, struct expr *value,
                                  uint32_t pos)
{
    struct expr *expr = expr_new(parser, EXPR_DICT, pos);
    expr_add(parser, expr, key);
    expr_add(parser, expr, value);
    while (parser_take(parser, TOKEN_COMMA) && !parser_at(parser, TOKEN_RBRACE)) {
        expr_add(parser, expr, parse_test(parser));
        parser_expect(parser, TOKEN_COLON, "between key and value");
        expr_add(parser, expr, parse_test(parser));
    }
    parser_expect(parser, TOKEN_RBRACE, "or ','");
    return expr;
}

static struct expr *parse_braces(struct parser *parser)
{
    uint32_t pos = parser->token.pos;
    parser_advance(parser);
    if (parser_take(parser, TOKEN_RBRACE)) {
        return expr_new(parser, EXPR_DICT, pos);
    }
    struct expr *item = parse_test(parser);
    struct expr *key = NULL;
    if (parser_take(parser, TOKEN_COLON)) {
        key = item;
        item = parse_test(parser);
    }
    if (parser_at(parser, TOKEN_FOR)) {
        return parse_comprehension(parser, key ? COMPREHENSION_DICT : COMPREHENSION_SET, key, item,
                                   TOKEN_RBRACE, pos);
    }
    return key ? parse_entries(parser, key, item, pos)
               : parse_items(parser, EXPR_SET, item, TOKEN_RBRACE, pos);
}

static struct expr *parse_literal(struct parser *parser)
{
    struct expr *expr = constant_expr(parser, parser->token.pos, parser->token.value);
    parser_advance(parser);
    return expr;
}

/* Refuses `*xs` at the beginning of an expression. */
static struct expr *refuse_star(struct parser *parser)
{
    parser_fail(parser, parser->token.pos,
                "join with +, as in [1] + xs, and take apart by index: xs[0], xs[1:]",
                "'*' unpacks in calls only");
    return expr_new(parser, EXPR_CONSTANT, 0);
}

static struct expr *parse_atom(struct parser *parser)
{
    static const struct {
        enum token_kind token;
        struct expr *(*parse)(struct parser *parser);
    } atoms[] = {
        {TOKEN_NAME, parse_word},          {TOKEN_LITERAL, parse_literal},
        {TOKEN_LPAREN, parse_parentheses}, {TOKEN_LBRACKET, parse_brackets},
        {TOKEN_LBRACE, parse_braces},      {TOKEN_STAR, refuse_star},
    };
    for (size_t i = 0; i < sizeof atoms / sizeof *atoms; i++) {
        if (parser_at(parser, atoms[i].token)) {
            return atoms[i].parse(parser);
        }
    }
    parser_unexpected(parser, "an expression");
    return expr_new(parser, EXPR_CONSTANT, 0);
}

static struct expr *parse_attr(struct parser *parser, struct expr *object)
{
    parser_advance(parser);
    struct expr *expr = expr_new(parser, EXPR_ATTR, object->pos);
    expr_add(parser, expr, object);
    expr->as.attr.name_pos = parser->token.pos;
    expr->as.attr.name = parser_take_name(parser, "a name behind '.'");
    return expr;
}

static struct expr *parse_call(struct parser *parser, struct expr *callee)
{
    uint32_t pos = callee->kind == EXPR_ATTR ? callee->as.attr.name_pos : callee->pos;
    parser_advance(parser);
    struct expr *expr = expr_new(parser, EXPR_CALL, pos);
    expr_add(parser, expr, callee);
    parse_arguments(parser, expr);
    return expr;
}

/* At the first `:`: reads the parts after it. */
static struct expr *parse_slice(struct parser *parser, struct expr *object, struct expr *start,
                                uint32_t pos)
{
    struct expr *expr = expr_new(parser, EXPR_SLICE, pos);
    expr_add(parser, expr, object);
    expr_add(parser, expr, start);
    for (int part = 0; part < 2; part++) {
        bool given = parser_take(parser, TOKEN_COLON) && !parser_at(parser, TOKEN_COLON) &&
                     !parser_at(parser, TOKEN_RBRACKET);
        expr_add(parser, expr, given ? parse_test(parser) : NULL);
    }
    parser_expect(parser, TOKEN_RBRACKET, "");
    return expr;
}

static struct expr *parse_index(struct parser *parser, struct expr *object)
{
    uint32_t pos = parser->token.pos;
    parser_advance(parser);
    struct expr *index = parser_at(parser, TOKEN_COLON) ? NULL : parse_expression(parser);
    if (parser_at(parser, TOKEN_COLON)) {
        return parse_slice(parser, object, index, pos);
    }
    struct expr *expr = expr_new(parser, EXPR_INDEX, pos);
    expr_add(parser, expr, object);
    expr_add(parser, expr, index);
    parser_expect(parser, TOKEN_RBRACKET, "behind the index");
    return expr;
}

struct expr *parse_primary(struct parser *parser)
{
    struct expr *expr = parse_atom(parser);
    for (;;) {
        if (parser_at(parser, TOKEN_DOT)) {
            expr = parse_attr(parser, expr);
        } else if (parser_at(parser, TOKEN_LPAREN)) {
            expr = parse_call(parser, expr);
        } else if (parser_at(parser, TOKEN_LBRACKET)) {
            expr = parse_index(parser, expr);
        } else {
            return expr;
        }
    }
}

/* Makes the sign before a number part of the literal. */
static bool fold_sign(struct parser *parser, enum unary_op op, struct expr *operand)
{
    if (op != UNARY_MINUS || operand->kind != EXPR_CONSTANT ||
        !value_is_number(operand->as.constant)) {
        return false;
    }
    struct value negated;
    if (!number_negate(parser->arena, operand->as.constant, &negated, NULL)) {
        return false;
    }
    operand->as.constant = negated;
    return true;
}

static struct expr *parse_unary_operand(struct parser *parser, enum unary_op op, uint32_t pos,
                                        enum level level)
{
    parser_enter(parser);
    struct expr *operand = parse_level(parser, level);
    parser_leave(parser);
    if (fold_sign(parser, op, operand)) {
        return operand;
    }
    struct expr *expr = expr_new(parser, EXPR_UNARY, pos);
    expr->as.unary = op;
    expr_add(parser, expr, operand);
    return expr;
}

static struct expr *parse_unary(struct parser *parser)
{
    uint32_t pos = parser->token.pos;
    for (size_t i = 0; i < sizeof unary_operators / sizeof *unary_operators; i++) {
        if (parser_take(parser, unary_operators[i].token)) {
            return parse_unary_operand(parser, unary_operators[i].op, pos, LEVEL_UNARY);
        }
    }
    struct expr *expr = parse_primary(parser);
    if (parser_at(parser, TOKEN_STAR_STAR)) {
        parser_unexpected(parser, "an operator");
    }
    return expr;
}

static struct expr *parse_logical(struct parser *parser, enum level level)
{
    enum token_kind word = level == LEVEL_OR ? TOKEN_OR : TOKEN_AND;
    struct expr *first = parse_level(parser, level + 1);
    if (!parser_at(parser, word)) {
        return first;
    }
    struct expr *expr = expr_new(parser, EXPR_LOGICAL, first->pos);
    expr->as.is_or = level == LEVEL_OR;
    expr_add(parser, expr, first);
    while (parser_take(parser, word)) {
        expr_add(parser, expr, parse_level(parser, level + 1));
    }
    return expr;
}

/* Reads [not] None after `is`. */
static void take_is(struct parser *parser, enum binary_op *op)
{
    *op = parser_take(parser, TOKEN_NOT) ? BINARY_NOT_EQUAL : BINARY_EQUAL;
    bool none = parser_at(parser, TOKEN_NAME) && parser->token.end - parser->token.pos == 4 &&
                memcmp(parser->lexer.text + parser->token.pos, "None", 4) == 0;
    if (!none) {
        parser_fail(parser, parser->last.pos, "write == or !=; SQL's NULL is None: `x is None`",
                    "'is' compares with None only");
    }
}

static struct expr_operator take_operator(struct parser *parser, const struct operator_row *row)
{
    struct expr_operator operator= {row->op, parser->token.pos};
    parser_advance(parser);
    if (row->token == TOKEN_IS) {
        take_is(parser, &operator.op);
    } else if (row->token == TOKEN_NOT) {
        parser_expect(parser, TOKEN_IN, "behind 'not'");
    }
    return operator;
}

static struct expr *parse_binary(struct parser *parser, enum level level)
{
    struct expr *first = parse_level(parser, level + 1);
    const struct operator_row *row = operator_at(parser, level);
    if (!row) {
        return first;
    }
    struct expr *expr = expr_new(parser, EXPR_BINARY, first->pos);
    VEC(struct expr_operator) between = {0};
    expr_add(parser, expr, first);
    for (; row; row = operator_at(parser, level)) {
        if (level == LEVEL_COMPARE && between.count > 0) {
            parser_fail(parser, parser->token.pos, "write `a < b and b < c`, or parentheses",
                        "comparisons can't be chained here");
            break;
        }
        *VEC_PUSH(parser->arena, &between) = take_operator(parser, row);
        expr_add(parser, expr, parse_level(parser, level + 1));
    }
    expr->as.operators = between.items;
    return expr;
}

static struct expr *parse_level(struct parser *parser, enum level level)
{
    uint32_t pos = parser->token.pos;
    if (level == LEVEL_OR || level == LEVEL_AND) {
        return parse_logical(parser, level);
    }
    if (level == LEVEL_NOT) {
        return parser_take(parser, TOKEN_NOT)
                   ? parse_unary_operand(parser, UNARY_NOT, pos, LEVEL_NOT)
                   : parse_level(parser, LEVEL_COMPARE);
    }
    return level == LEVEL_UNARY ? parse_unary(parser) : parse_binary(parser, level);
}

struct expr *parse_operand(struct parser *parser)
{
    parser_enter(parser);
    struct expr *expr = parse_level(parser, LEVEL_OR);
    parser_leave(parser);
    return expr;
}

/* After `then`, at `if`. */
static struct expr *parse_conditional(struct parser *parser, struct expr *then)
{
    struct expr *expr = expr_new(parser, EXPR_CONDITIONAL, then->pos);
    parser_advance(parser);
    expr_add(parser, expr, parse_level(parser, LEVEL_OR));
    expr_add(parser, expr, then);
    if (parser_at(parser, TOKEN_END)) {
        parser_unexpected(parser, "'else' (a if condition else b)");
        error_hint(parser->lexer.err, "the other value is never left out: `… else None`");
    }
    parser_expect(parser, TOKEN_ELSE, "(a if condition else b)");
    expr_add(parser, expr, parse_test(parser));
    return expr;
}

struct expr *parse_test(struct parser *parser)
{
    parser_enter(parser);
    struct expr *expr =
        parser_at(parser, TOKEN_LAMBDA) ? parse_lambda(parser) : parse_level(parser, LEVEL_OR);
    if (parser_at(parser, TOKEN_IF)) {
        expr = parse_conditional(parser, expr);
    }
    parser_leave(parser);
    return expr;
}

struct expr *parse_expression(struct parser *parser)
{
    struct expr *first = parse_test(parser);
    if (!parser_at(parser, TOKEN_COMMA)) {
        return first;
    }
    struct expr *expr = expr_new(parser, EXPR_TUPLE, first->pos);
    expr_add(parser, expr, first);
    while (parser_take(parser, TOKEN_COMMA)) {
        expr_add(parser, expr, parse_test(parser));
    }
    return expr;
}
