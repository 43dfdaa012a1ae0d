/* Statements, and whole snippets. */
#include "lang/syntax/parser.h"

#include <string.h>

static const struct {
    enum token_kind token;
    enum binary_op op;
} augmented[] = {
    {TOKEN_PLUS_ASSIGN, BINARY_ADD},
    {TOKEN_MINUS_ASSIGN, BINARY_SUB},
    {TOKEN_STAR_ASSIGN, BINARY_MUL},
    {TOKEN_SLASH_ASSIGN, BINARY_DIV},
    {TOKEN_SLASH_SLASH_ASSIGN, BINARY_FLOORDIV},
    {TOKEN_PERCENT_ASSIGN, BINARY_MOD},
    {TOKEN_AMPERSAND_ASSIGN, BINARY_AND},
    {TOKEN_PIPE_ASSIGN, BINARY_OR},
    {TOKEN_CARET_ASSIGN, BINARY_XOR},
    {TOKEN_SHIFT_LEFT_ASSIGN, BINARY_SHIFT_LEFT},
    {TOKEN_SHIFT_RIGHT_ASSIGN, BINARY_SHIFT_RIGHT},
};

static struct stmt *stmt_new(struct parser *parser, enum stmt_kind kind)
{
    struct stmt *stmt = ARENA_NEW(parser->arena, struct stmt);
    stmt->kind = kind;
    stmt->pos = parser->token.pos;
    stmt->height = 1;
    return stmt;
}

static bool stmt_over(struct parser *parser, struct stmt *stmt, uint32_t height)
{
    if (height >= stmt->height) {
        stmt->height = height + 1;
    }
    return stmt->height <= AST_HEIGHT_MAX ||
           parser_fail(parser, stmt->pos, "nested deeper than %d", AST_HEIGHT_MAX);
}

static bool stmt_over_expr(struct parser *parser, struct stmt *stmt, const struct expr *expr)
{
    return expr && stmt_over(parser, stmt, expr->height);
}

static struct stmt *parse_return(struct parser *parser)
{
    struct stmt *stmt = stmt_new(parser, STMT_RETURN);
    if (!parser->in_function) {
        (void)parser_fail(parser, stmt->pos, "'return' outside a function");
        error_hint(parser->lexer.err,
                   "a value is kept by assigning it; what a rule puts into a bundle is `returns`");
        return NULL;
    }
    parser_advance(parser);
    if (parser_at(parser, TOKEN_NEWLINE) || parser_at(parser, TOKEN_SEMICOLON) ||
        parser_at(parser, TOKEN_END)) {
        return stmt;
    }
    stmt->as.expr = parse_expression(parser);
    return stmt_over_expr(parser, stmt, stmt->as.expr) ? stmt : NULL;
}

static struct stmt *parse_word_stmt(struct parser *parser, enum stmt_kind kind)
{
    struct stmt *stmt = stmt_new(parser, kind);
    if (kind != STMT_PASS && parser->loops == 0) {
        (void)parser_fail(parser, stmt->pos, "%s outside a loop",
                          token_kind_text(parser->token.kind));
        return NULL;
    }
    parser_advance(parser);
    return stmt;
}

static struct stmt *parse_break(struct parser *parser)
{
    return parse_word_stmt(parser, STMT_BREAK);
}

static struct stmt *parse_continue(struct parser *parser)
{
    return parse_word_stmt(parser, STMT_CONTINUE);
}

static struct stmt *parse_pass(struct parser *parser) { return parse_word_stmt(parser, STMT_PASS); }

/* Behind the target, at `=`. */
static struct stmt *parse_assign(struct parser *parser, struct stmt *stmt, struct expr *target)
{
    if (!parse_check_target(parser, target)) {
        return NULL;
    }
    parser_advance(parser);
    stmt->kind = STMT_ASSIGN;
    stmt->as.assign.target = target;
    stmt->as.assign.value = parse_expression(parser);
    if (parser_at(parser, TOKEN_ASSIGN)) {
        (void)parser_fail(parser, parser->token.pos, "assignments can't be chained here");
        error_hint(parser->lexer.err, "write two statements; == compares");
        return NULL;
    }
    return stmt_over_expr(parser, stmt, target) &&
                   stmt_over_expr(parser, stmt, stmt->as.assign.value)
               ? stmt
               : NULL;
}

/* Behind the target, at `+=` or the like. */
static struct stmt *parse_augment(struct parser *parser, struct stmt *stmt, struct expr *target,
                                  enum binary_op op)
{
    if (!parse_check_target(parser, target)) {
        return NULL;
    }
    if (target->kind != EXPR_NAME && target->kind != EXPR_INDEX) {
        (void)parser_fail(parser, target->pos, "only one name or index can stand before %s",
                          token_kind_text(parser->token.kind));
        return NULL;
    }
    stmt->kind = STMT_AUGMENT;
    stmt->as.augment.op_pos = parser->token.pos;
    parser_advance(parser);
    stmt->as.augment.target = target;
    stmt->as.augment.op = op;
    stmt->as.augment.value = parse_expression(parser);
    return stmt_over_expr(parser, stmt, target) &&
                   stmt_over_expr(parser, stmt, stmt->as.augment.value)
               ? stmt
               : NULL;
}

static struct stmt *parse_expr_stmt(struct parser *parser)
{
    struct stmt *stmt = stmt_new(parser, STMT_EXPR);
    struct expr *expr = parse_expression(parser);
    if (!expr) {
        return NULL;
    }
    if (parser_at(parser, TOKEN_ASSIGN)) {
        return parse_assign(parser, stmt, expr);
    }
    for (size_t i = 0; i < sizeof augmented / sizeof *augmented; i++) {
        if (parser_at(parser, augmented[i].token)) {
            return parse_augment(parser, stmt, expr, augmented[i].op);
        }
    }
    if (parser_at(parser, TOKEN_COLON) && expr->kind == EXPR_NAME) {
        (void)parser_fail(parser, parser->token.pos, "there are no type annotations here");
        error_hint(parser->lexer.err, "write %s = value", expr->as.name.name);
        return NULL;
    }
    stmt->as.expr = expr;
    return stmt_over_expr(parser, stmt, expr) ? stmt : NULL;
}

static struct stmt *parse_simple(struct parser *parser)
{
    static const struct {
        enum token_kind token;
        struct stmt *(*parse)(struct parser *parser);
    } simple[] = {
        {TOKEN_RETURN, parse_return},
        {TOKEN_BREAK, parse_break},
        {TOKEN_CONTINUE, parse_continue},
        {TOKEN_PASS, parse_pass},
    };
    for (size_t i = 0; i < sizeof simple / sizeof *simple; i++) {
        if (parser_at(parser, simple[i].token)) {
            return simple[i].parse(parser);
        }
    }
    return parse_expr_stmt(parser);
}

struct statements {
    VEC(struct stmt *) items;
    uint32_t height;
};

static bool add_statement(struct parser *parser, struct statements *out, struct stmt *stmt)
{
    if (!stmt) {
        return false;
    }
    *VEC_PUSH(parser->arena, &out->items) = stmt;
    if (stmt->height > out->height) {
        out->height = stmt->height;
    }
    return true;
}

/* simple; simple; … to the end of the line. */
static bool parse_line(struct parser *parser, struct statements *out)
{
    do {
        if (!add_statement(parser, out, parse_simple(parser))) {
            return false;
        }
    } while (parser_take(parser, TOKEN_SEMICOLON) && !parser_at(parser, TOKEN_NEWLINE));
    return parser_take(parser, TOKEN_NEWLINE) || parser_unexpected(parser, "the end of the line");
}

static void take_statements(struct statements *statements, struct block *out, uint32_t *height)
{
    *out = (struct block){statements->items.items, statements->items.count};
    if (statements->height > *height) {
        *height = statements->height;
    }
}

static bool parse_block(struct parser *parser, enum token_kind end, struct block *out,
                        uint32_t *height);

/* Behind `if …`, `for …`, `def …`: a colon, then a block or the rest of the line. */
static bool parse_suite(struct parser *parser, const char *behind, struct block *out,
                        uint32_t *height)
{
    if (!parser_expect(parser, TOKEN_COLON, behind)) {
        return false;
    }
    if (!parser_take(parser, TOKEN_NEWLINE)) {
        struct statements line = {0};
        bool ok = parse_line(parser, &line);
        take_statements(&line, out, height);
        return ok;
    }
    if (!parser_take(parser, TOKEN_INDENT)) {
        (void)parser_unexpected(parser, "an indented block");
        return false;
    }
    return parse_block(parser, TOKEN_DEDENT, out, height);
}

static struct stmt *parse_if(struct parser *parser)
{
    struct stmt *stmt = stmt_new(parser, STMT_IF);
    VEC(struct branch) branches = {0};
    uint32_t height = 0;
    bool last = false;
    do {
        last = parser_at(parser, TOKEN_ELSE);
        parser_advance(parser);
        struct branch *branch = VEC_PUSH(parser->arena, &branches);
        if (!last) {
            branch->condition = parse_expression(parser);
            if (!stmt_over_expr(parser, stmt, branch->condition)) {
                return NULL;
            }
        }
        if (!parse_suite(parser, last ? "behind 'else'" : "behind the condition", &branch->body,
                         &height)) {
            return NULL;
        }
    } while (!last && (parser_at(parser, TOKEN_ELIF) || parser_at(parser, TOKEN_ELSE)));
    stmt->as.branches.items = branches.items;
    stmt->as.branches.count = branches.count;
    return stmt_over(parser, stmt, height) ? stmt : NULL;
}

static struct stmt *parse_for(struct parser *parser)
{
    struct stmt *stmt = stmt_new(parser, STMT_FOR);
    parser_advance(parser);
    stmt->as.loop.target = parse_loop_target(parser);
    if (!stmt_over_expr(parser, stmt, stmt->as.loop.target) ||
        !parser_expect(parser, TOKEN_IN, "behind the loop's variable")) {
        return NULL;
    }
    stmt->as.loop.operand = parse_expression(parser);
    uint32_t height = 0;
    parser->loops++;
    bool ok = stmt_over_expr(parser, stmt, stmt->as.loop.operand) &&
              parse_suite(parser, "behind the loop", &stmt->as.loop.body, &height);
    parser->loops--;
    if (ok && parser_at(parser, TOKEN_ELSE)) {
        (void)parser_fail(parser, parser->token.pos, "a loop has no 'else' here");
        return NULL;
    }
    return ok && stmt_over(parser, stmt, height) ? stmt : NULL;
}

static bool parse_function_body(struct parser *parser, struct function *function)
{
    unsigned loops = parser->loops;
    bool in_function = parser->in_function;
    parser->loops = 0;
    parser->in_function = true;
    bool ok = parse_suite(parser, "behind the parameters", &function->body, &function->height);
    parser->loops = loops;
    parser->in_function = in_function;
    return ok;
}

static struct stmt *parse_def(struct parser *parser)
{
    struct stmt *stmt = stmt_new(parser, STMT_DEF);
    parser_advance(parser);
    struct expr *target = expr_new(parser, EXPR_NAME, parser->token.pos);
    target->as.name.name = parser_take_name(parser, "the function's name");
    target->as.name.cell = -1;
    if (!target->as.name.name) {
        return NULL;
    }
    struct function *function = parse_function_new(parser, target->as.name.name, target->pos);
    stmt->as.def.target = target;
    stmt->as.def.function = function;
    if (!parser_expect(parser, TOKEN_LPAREN, "behind the function's name") ||
        !parse_parameters(parser, function, TOKEN_RPAREN)) {
        return NULL;
    }
    for (size_t i = 0; i < function->parameter_count; i++) {
        const struct expr *standard = function->parameters[i].standard;
        if (standard && !stmt_over(parser, stmt, standard->height)) {
            return NULL;
        }
    }
    return parse_function_body(parser, function) ? stmt : NULL;
}

static bool parse_statement(struct parser *parser, struct statements *out)
{
    static const struct {
        enum token_kind token;
        struct stmt *(*parse)(struct parser *parser);
    } compound[] = {
        {TOKEN_IF, parse_if},
        {TOKEN_FOR, parse_for},
        {TOKEN_DEF, parse_def},
    };
    for (size_t i = 0; i < sizeof compound / sizeof *compound; i++) {
        if (parser_at(parser, compound[i].token)) {
            return add_statement(parser, out, compound[i].parse(parser));
        }
    }
    if (parser_at(parser, TOKEN_INDENT)) {
        return parser_fail(parser, parser->token.pos, "this line is indented without a reason");
    }
    if (parser_at(parser, TOKEN_ELSE) || parser_at(parser, TOKEN_ELIF)) {
        return parser_fail(parser, parser->token.pos, "%s without an 'if' before it",
                           token_kind_text(parser->token.kind));
    }
    return parse_line(parser, out);
}

static bool parse_block(struct parser *parser, enum token_kind end, struct block *out,
                        uint32_t *height)
{
    struct statements statements = {0};
    if (!parser_enter(parser)) {
        return false;
    }
    while (!parser_take(parser, end)) {
        if (parser->lexer.failed || !parse_statement(parser, &statements)) {
            return false;
        }
    }
    parser_leave(parser);
    take_statements(&statements, out, height);
    return true;
}

static bool read_expression(struct parser *parser, struct function *top)
{
    if (parser_at(parser, TOKEN_END)) {
        return parser_fail(parser, parser->token.pos, "an expression is missing here");
    }
    top->result = parse_expression(parser);
    if (!top->result) {
        return false;
    }
    function_over(top, top->result->height);
    return parser_take(parser, TOKEN_END) || parser_unexpected(parser, "the end of the expression");
}

bool parse_snippet(struct arena *arena, const struct snippet *snippet, enum lang_mode mode,
                   struct function **out, struct error *err)
{
    struct parser parser = {.arena = arena, .mode = mode};
    enum lex_layout layout = mode == LANG_EXPRESSION ? LEX_EXPRESSION : LEX_STATEMENTS;
    if (!lexer_begin(&parser.lexer, snippet, layout, arena, err)) {
        return false;
    }
    parser_advance(&parser);
    struct function *top = parse_function_new(&parser, NULL, 0);
    top->top = true;
    *out = top;
    return mode == LANG_EXPRESSION ? read_expression(&parser, top)
                                   : parse_block(&parser, TOKEN_END, &top->body, &top->height);
}
