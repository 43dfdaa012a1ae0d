/* Expressions. */
#include "lang/syntax/parser.h"

#include "value/number/numeric.h"

#include <string.h>

/* What binds less comes first. */
enum level {
    LEVEL_OR,
    LEVEL_AND,
    LEVEL_NOT,
    LEVEL_COMPARE, /* not to be chained */
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

static const struct {
    const char *name;
    enum { WORD_NONE, WORD_TRUE, WORD_FALSE } word;
} constant_words[] = {{"None", WORD_NONE}, {"True", WORD_TRUE}, {"False", WORD_FALSE}};

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

static struct expr *constant(struct parser *parser, uint32_t pos, struct value value)
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
    for (size_t i = 0; i < sizeof constant_words / sizeof *constant_words; i++) {
        if (strcmp(constant_words[i].name, name) == 0) {
            return constant(parser, pos,
                            constant_words[i].word == WORD_NONE
                                ? value_none()
                                : value_bool(constant_words[i].word == WORD_TRUE));
        }
    }
    struct expr *expr = expr_new(parser, EXPR_NAME, pos);
    expr->as.name.name = name;
    expr->as.name.cell = -1;
    return expr;
}

/* The items behind the first one, up to `end`, which is taken. At a comma or at `end`. */
static struct expr *parse_items(struct parser *parser, struct expr *expr, struct expr *first,
                                enum token_kind end)
{
    VEC(struct expr *) items = {0};
    *VEC_PUSH(parser->arena, &items) = first;
    while (parser_take(parser, TOKEN_COMMA) && !parser_at(parser, end)) {
        struct expr *item = parse_test(parser);
        if (!item) {
            return NULL;
        }
        *VEC_PUSH(parser->arena, &items) = item;
    }
    for (size_t i = 0; i < items.count; i++) {
        if (!expr_over(parser, expr, items.items[i])) {
            return NULL;
        }
    }
    expr->as.items = (struct expr_items){items.items, items.count};
    return parser_expect(parser, end, "or ','") ? expr : NULL;
}

static struct expr *parse_parentheses(struct parser *parser)
{
    uint32_t pos = parser->token.pos;
    parser_advance(parser);
    if (parser_take(parser, TOKEN_RPAREN)) {
        return expr_new(parser, EXPR_TUPLE, pos);
    }
    struct expr *first = parse_test(parser);
    if (!first) {
        return NULL;
    }
    if (parser_at(parser, TOKEN_FOR)) {
        (void)parser_fail(parser, pos, "a generator expression can only be a call's sole argument");
        error_hint(parser->lexer.err, "write a list: [x for x in xs]");
        return NULL;
    }
    if (parser_at(parser, TOKEN_COMMA)) {
        return parse_items(parser, expr_new(parser, EXPR_TUPLE, pos), first, TOKEN_RPAREN);
    }
    return parser_expect(parser, TOKEN_RPAREN, "or ','") ? first : NULL;
}

static struct expr *parse_comprehension(struct parser *parser, enum comprehension_kind kind,
                                        struct expr_entry item, enum token_kind end, uint32_t pos)
{
    struct expr *expr = parse_clauses(parser, kind, item, pos);
    return expr && parser_expect(parser, end, "behind the comprehension") ? expr : NULL;
}

static struct expr *parse_brackets(struct parser *parser)
{
    uint32_t pos = parser->token.pos;
    parser_advance(parser);
    if (parser_take(parser, TOKEN_RBRACKET)) {
        return expr_new(parser, EXPR_LIST, pos);
    }
    struct expr *first = parse_test(parser);
    if (!first) {
        return NULL;
    }
    if (parser_at(parser, TOKEN_FOR)) {
        return parse_comprehension(parser, COMPREHENSION_LIST, (struct expr_entry){NULL, first},
                                   TOKEN_RBRACKET, pos);
    }
    return parse_items(parser, expr_new(parser, EXPR_LIST, pos), first, TOKEN_RBRACKET);
}

static bool parse_entry(struct parser *parser, struct expr_entry *entry)
{
    if (!entry->key) {
        entry->key = parse_test(parser);
    }
    if (!entry->key || !parser_expect(parser, TOKEN_COLON, "between key and value")) {
        return false;
    }
    entry->value = parse_test(parser);
    return entry->value != NULL;
}

static struct expr *parse_entries(struct parser *parser, struct expr_entry first, uint32_t pos)
{
    struct expr *expr = expr_new(parser, EXPR_DICT, pos);
    VEC(struct expr_entry) entries = {0};
    *VEC_PUSH(parser->arena, &entries) = first;
    while (parser_take(parser, TOKEN_COMMA) && !parser_at(parser, TOKEN_RBRACE)) {
        if (!parse_entry(parser, VEC_PUSH(parser->arena, &entries))) {
            return NULL;
        }
    }
    for (size_t i = 0; i < entries.count; i++) {
        if (!expr_over(parser, expr, entries.items[i].key) ||
            !expr_over(parser, expr, entries.items[i].value)) {
            return NULL;
        }
    }
    expr->as.dict = (struct expr_dict){entries.items, entries.count};
    return parser_expect(parser, TOKEN_RBRACE, "or ','") ? expr : NULL;
}

static struct expr *parse_braces(struct parser *parser)
{
    uint32_t pos = parser->token.pos;
    parser_advance(parser);
    if (parser_take(parser, TOKEN_RBRACE)) {
        return expr_new(parser, EXPR_DICT, pos);
    }
    struct expr_entry entry = {.value = parse_test(parser)};
    if (!entry.value) {
        return NULL;
    }
    enum comprehension_kind kind = COMPREHENSION_SET;
    if (parser_at(parser, TOKEN_COLON)) {
        kind = COMPREHENSION_DICT;
        entry.key = entry.value;
        if (!parse_entry(parser, &entry)) {
            return NULL;
        }
    }
    if (parser_at(parser, TOKEN_FOR)) {
        return parse_comprehension(parser, kind, entry, TOKEN_RBRACE, pos);
    }
    return kind == COMPREHENSION_DICT
               ? parse_entries(parser, entry, pos)
               : parse_items(parser, expr_new(parser, EXPR_SET, pos), entry.value, TOKEN_RBRACE);
}

static struct expr *parse_literal(struct parser *parser)
{
    struct expr *expr = constant(parser, parser->token.pos, parser->token.value);
    parser_advance(parser);
    return expr;
}

/* `*xs` where an expression should begin. */
static struct expr *refuse_star(struct parser *parser)
{
    (void)parser_fail(parser, parser->token.pos, "'*' unpacks in calls only");
    error_hint(parser->lexer.err,
               "join with +, as in [1] + xs, and take apart by index: xs[0], xs[1:]");
    return NULL;
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
    (void)parser_unexpected(parser, "an expression");
    return NULL;
}

static struct expr *parse_attr(struct parser *parser, struct expr *object)
{
    parser_advance(parser);
    struct expr *expr = expr_new(parser, EXPR_ATTR, object->pos);
    expr->as.attr.object = object;
    expr->as.attr.name_pos = parser->token.pos;
    expr->as.attr.name = parser_take_name(parser, "a name behind '.'");
    return expr->as.attr.name && expr_over(parser, expr, object) ? expr : NULL;
}

static struct expr *parse_call(struct parser *parser, struct expr *callee)
{
    uint32_t pos = callee->kind == EXPR_ATTR ? callee->as.attr.name_pos : callee->pos;
    parser_advance(parser);
    struct expr *expr = expr_new(parser, EXPR_CALL, pos);
    expr->as.call.callee = callee;
    return expr_over(parser, expr, callee) && parse_arguments(parser, expr) ? expr : NULL;
}

/* The parts behind the first `:`; at it. */
static struct expr *parse_slice(struct parser *parser, struct expr *object, struct expr *start,
                                uint32_t pos)
{
    struct expr *expr = expr_new(parser, EXPR_SLICE, pos);
    expr->as.slice.object = object;
    expr->as.slice.parts[0] = start;
    for (size_t part = 1; part < 3 && parser_take(parser, TOKEN_COLON); part++) {
        if (parser_at(parser, TOKEN_COLON) || parser_at(parser, TOKEN_RBRACKET)) {
            continue;
        }
        expr->as.slice.parts[part] = parse_test(parser);
        if (!expr->as.slice.parts[part]) {
            return NULL;
        }
    }
    for (size_t part = 0; part < 3; part++) {
        if (!expr_over(parser, expr, expr->as.slice.parts[part])) {
            return NULL;
        }
    }
    return expr_over(parser, expr, object) && parser_expect(parser, TOKEN_RBRACKET, "") ? expr
                                                                                        : NULL;
}

static struct expr *parse_index(struct parser *parser, struct expr *object)
{
    uint32_t pos = parser->token.pos;
    parser_advance(parser);
    if (parser_at(parser, TOKEN_COLON)) {
        return parse_slice(parser, object, NULL, pos);
    }
    struct expr *index = parse_expression(parser);
    if (!index) {
        return NULL;
    }
    if (parser_at(parser, TOKEN_COLON)) {
        return parse_slice(parser, object, index, pos);
    }
    struct expr *expr = expr_new(parser, EXPR_INDEX, pos);
    expr->as.index = (struct expr_index){object, index};
    return expr_over(parser, expr, object) && expr_over(parser, expr, index) &&
                   parser_expect(parser, TOKEN_RBRACKET, "behind the index")
               ? expr
               : NULL;
}

struct expr *parse_primary(struct parser *parser)
{
    struct expr *expr = parse_atom(parser);
    while (expr) {
        if (parser_at(parser, TOKEN_DOT)) {
            expr = parse_attr(parser, expr);
        } else if (parser_at(parser, TOKEN_LPAREN)) {
            expr = parse_call(parser, expr);
        } else if (parser_at(parser, TOKEN_LBRACKET)) {
            expr = parse_index(parser, expr);
        } else {
            break;
        }
    }
    return expr;
}

/* A sign in front of a number is part of the literal. */
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
    if (!parser_enter(parser)) {
        return NULL;
    }
    struct expr *operand = parse_level(parser, level);
    parser_leave(parser);
    if (!operand || fold_sign(parser, op, operand)) {
        return operand;
    }
    struct expr *expr = expr_new(parser, EXPR_UNARY, pos);
    expr->as.unary = (struct expr_unary){op, operand};
    return expr_over(parser, expr, operand) ? expr : NULL;
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
    if (expr && parser_at(parser, TOKEN_STAR_STAR)) {
        (void)parser_unexpected(parser, "an operator");
        return NULL;
    }
    return expr;
}

static struct expr *parse_logical(struct parser *parser, enum level level)
{
    enum token_kind word = level == LEVEL_OR ? TOKEN_OR : TOKEN_AND;
    struct expr *first = parse_level(parser, level + 1);
    if (!first || !parser_at(parser, word)) {
        return first;
    }
    struct expr *expr = expr_new(parser, EXPR_LOGICAL, first->pos);
    VEC(struct expr *) operands = {0};
    *VEC_PUSH(parser->arena, &operands) = first;
    while (parser_take(parser, word)) {
        struct expr *operand = parse_level(parser, level + 1);
        if (!operand) {
            return NULL;
        }
        *VEC_PUSH(parser->arena, &operands) = operand;
    }
    for (size_t i = 0; i < operands.count; i++) {
        if (!expr_over(parser, expr, operands.items[i])) {
            return NULL;
        }
    }
    expr->as.logical = (struct expr_logical){level == LEVEL_OR, operands.items, operands.count};
    return expr;
}

/* Behind `is`: [not] None. */
static bool take_is(struct parser *parser, enum binary_op *op)
{
    *op = parser_take(parser, TOKEN_NOT) ? BINARY_NOT_EQUAL : BINARY_EQUAL;
    bool none = parser_at(parser, TOKEN_NAME) && parser->token.end - parser->token.pos == 4 &&
                memcmp(parser->lexer.text + parser->token.pos, "None", 4) == 0;
    if (none) {
        return true;
    }
    (void)parser_fail(parser, parser->last.pos, "'is' compares with None only");
    return error_hint(parser->lexer.err, "write == or !=; SQL's NULL is None: `x is None`");
}

/* Takes the operator at the level; false where there is none, or after an error. */
static bool take_operator(struct parser *parser, enum level level, struct expr_link *link)
{
    const struct operator_row *row = operator_at(parser, level);
    if (!row) {
        return false;
    }
    *link = (struct expr_link){.op = row->op, .pos = parser->token.pos};
    parser_advance(parser);
    if (row->token == TOKEN_IS) {
        return take_is(parser, &link->op);
    }
    return row->token != TOKEN_NOT || parser_expect(parser, TOKEN_IN, "behind 'not'");
}

static struct expr *refuse_chain(struct parser *parser)
{
    (void)parser_fail(parser, parser->token.pos, "comparisons can't be chained here");
    error_hint(parser->lexer.err, "write `a < b and b < c`, or parentheses");
    return NULL;
}

static struct expr *parse_binary(struct parser *parser, enum level level)
{
    struct expr *first = parse_level(parser, level + 1);
    struct expr_link link;
    if (!first || !take_operator(parser, level, &link)) {
        return parser->lexer.failed ? NULL : first;
    }
    struct expr *expr = expr_new(parser, EXPR_BINARY, first->pos);
    VEC(struct expr_link) links = {0};
    do {
        link.operand = parse_level(parser, level + 1);
        if (!link.operand) {
            return NULL;
        }
        *VEC_PUSH(parser->arena, &links) = link;
        if (level == LEVEL_COMPARE && operator_at(parser, level)) {
            return refuse_chain(parser);
        }
    } while (take_operator(parser, level, &link));
    if (parser->lexer.failed || !expr_over(parser, expr, first)) {
        return NULL;
    }
    for (size_t i = 0; i < links.count; i++) {
        if (!expr_over(parser, expr, links.items[i].operand)) {
            return NULL;
        }
    }
    expr->as.binary = (struct expr_binary){first, links.items, links.count};
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
    if (!parser_enter(parser)) {
        return NULL;
    }
    struct expr *expr = parse_level(parser, LEVEL_OR);
    parser_leave(parser);
    return expr;
}

/* Behind `then`, at `if`. */
static struct expr *parse_conditional(struct parser *parser, struct expr *then)
{
    struct expr *expr = expr_new(parser, EXPR_CONDITIONAL, then->pos);
    expr->as.conditional.then = then;
    parser_advance(parser);
    expr->as.conditional.condition = parse_level(parser, LEVEL_OR);
    if (!expr->as.conditional.condition) {
        return NULL;
    }
    if (parser_at(parser, TOKEN_END)) {
        (void)parser_unexpected(parser, "'else' (a if condition else b)");
        error_hint(parser->lexer.err, "the other value is never left out: `… else None`");
        return NULL;
    }
    if (!parser_expect(parser, TOKEN_ELSE, "(a if condition else b)")) {
        return NULL;
    }
    expr->as.conditional.otherwise = parse_test(parser);
    return expr->as.conditional.otherwise && expr_over(parser, expr, then) &&
                   expr_over(parser, expr, expr->as.conditional.condition) &&
                   expr_over(parser, expr, expr->as.conditional.otherwise)
               ? expr
               : NULL;
}

struct expr *parse_test(struct parser *parser)
{
    if (!parser_enter(parser)) {
        return NULL;
    }
    struct expr *expr =
        parser_at(parser, TOKEN_LAMBDA) ? parse_lambda(parser) : parse_level(parser, LEVEL_OR);
    if (expr && parser_at(parser, TOKEN_IF)) {
        expr = parse_conditional(parser, expr);
    }
    parser_leave(parser);
    return expr;
}

struct expr *parse_expression(struct parser *parser)
{
    struct expr *first = parse_test(parser);
    if (!first || !parser_at(parser, TOKEN_COMMA)) {
        return first;
    }
    struct expr *expr = expr_new(parser, EXPR_TUPLE, first->pos);
    VEC(struct expr *) items = {0};
    *VEC_PUSH(parser->arena, &items) = first;
    while (parser_take(parser, TOKEN_COMMA)) {
        struct expr *item = parse_test(parser);
        if (!item || !expr_over(parser, expr, item)) {
            return NULL;
        }
        *VEC_PUSH(parser->arena, &items) = item;
    }
    expr->as.items = (struct expr_items){items.items, items.count};
    return expr_over(parser, expr, first) ? expr : NULL;
}
