/* Statements, and whole snippets. */
#include "lang/syntax/parser.h"

#include <string.h>

_Static_assert((int)TOKEN_SHIFT_RIGHT_ASSIGN - (int)TOKEN_PLUS_ASSIGN ==
                   (int)BINARY_SHIFT_RIGHT - (int)BINARY_ADD,
               "the tokens of `x op= y` are in the order of enum binary_op");

static struct stmt *stmt_new(struct parser *parser, enum stmt_kind kind)
{
    struct stmt *stmt = ARENA_NEW(parser->arena, struct stmt);
    stmt->kind = kind;
    stmt->pos = parser->token.pos;
    stmt->height = 1;
    return stmt;
}

static void stmt_over(struct parser *parser, struct stmt *stmt, uint32_t height)
{
    if (height >= stmt->height) {
        stmt->height = height + 1;
    }
    if (stmt->height > AST_HEIGHT_MAX) {
        parser_fail(parser, stmt->pos, NULL, "nested deeper than %d", AST_HEIGHT_MAX);
    }
}

static void set_target(struct parser *parser, struct stmt *stmt, struct expr *target)
{
    stmt->target = target;
    stmt_over(parser, stmt, target->height);
}

static void set_value(struct parser *parser, struct stmt *stmt, struct expr *value)
{
    stmt->value = value;
    stmt_over(parser, stmt, value->height);
}

static struct stmt *parse_return(struct parser *parser)
{
    struct stmt *stmt = stmt_new(parser, STMT_RETURN);
    if (!parser->in_function) {
        parser_fail(parser, stmt->pos,
                    "a value is kept by assigning it; what a rule puts into a bundle is `returns`",
                    "'return' outside a function");
    }
    parser_advance(parser);
    if (!parser_at(parser, TOKEN_NEWLINE) && !parser_at(parser, TOKEN_SEMICOLON) &&
        !parser_at(parser, TOKEN_END)) {
        set_value(parser, stmt, parse_expression(parser));
    }
    return stmt;
}

static struct stmt *parse_word_stmt(struct parser *parser, enum stmt_kind kind)
{
    struct stmt *stmt = stmt_new(parser, kind);
    if (kind != STMT_PASS && parser->loops == 0) {
        parser_fail(parser, stmt->pos, NULL, "%s outside a loop",
                    token_kind_text(parser->token.kind));
    }
    parser_advance(parser);
    return stmt;
}

/* After the target, at `=`. */
static struct stmt *parse_assign(struct parser *parser, struct stmt *stmt, struct expr *target)
{
    parse_check_target(parser, target);
    parser_advance(parser);
    stmt->kind = STMT_ASSIGN;
    set_target(parser, stmt, target);
    set_value(parser, stmt, parse_expression(parser));
    if (parser_at(parser, TOKEN_ASSIGN)) {
        parser_fail(parser, parser->token.pos, "write two statements; == compares",
                    "assignments can't be chained here");
    }
    return stmt;
}

/* After the target, at `+=` or the like. */
static struct stmt *parse_augment(struct parser *parser, struct stmt *stmt, struct expr *target,
                                  enum binary_op op)
{
    parse_check_target(parser, target);
    if (target->kind != EXPR_NAME && target->kind != EXPR_INDEX) {
        parser_fail(parser, target->pos, NULL, "only one name or index can stand before %s",
                    token_kind_text(parser->token.kind));
    }
    stmt->kind = STMT_AUGMENT;
    stmt->op = op;
    stmt->op_pos = parser->token.pos;
    parser_advance(parser);
    set_target(parser, stmt, target);
    set_value(parser, stmt, parse_expression(parser));
    return stmt;
}

static struct stmt *parse_expr_stmt(struct parser *parser)
{
    struct stmt *stmt = stmt_new(parser, STMT_EXPR);
    struct expr *expr = parse_expression(parser);
    if (parser_at(parser, TOKEN_ASSIGN)) {
        return parse_assign(parser, stmt, expr);
    }
    enum token_kind next = parser->token.kind;
    if (next >= TOKEN_PLUS_ASSIGN && next <= TOKEN_SHIFT_RIGHT_ASSIGN) {
        return parse_augment(parser, stmt, expr, BINARY_ADD + (next - TOKEN_PLUS_ASSIGN));
    }
    if (parser_at(parser, TOKEN_COLON) && expr->kind == EXPR_NAME) {
        parser_fail(parser, parser->token.pos,
                    arena_printf(parser->arena, "write %s = value", expr->as.name.name),
                    "there are no type annotations here");
    }
    set_value(parser, stmt, expr);
    return stmt;
}

static struct stmt *parse_simple(struct parser *parser)
{
    static const struct {
        enum token_kind token;
        enum stmt_kind kind;
    } words[] = {
        {TOKEN_BREAK, STMT_BREAK}, {TOKEN_CONTINUE, STMT_CONTINUE}, {TOKEN_PASS, STMT_PASS}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (parser_at(parser, words[i].token)) {
            return parse_word_stmt(parser, words[i].kind);
        }
    }
    return parser_at(parser, TOKEN_RETURN) ? parse_return(parser) : parse_expr_stmt(parser);
}

static void add_statement(struct parser *parser, struct block *out, struct stmt *stmt)
{
    *VEC_PUSH(parser->arena, out) = stmt;
    if (stmt->height > out->height) {
        out->height = stmt->height;
    }
}

/* Reads simple statements separated by semicolons, up to the end of the line. */
static void parse_line(struct parser *parser, struct block *out)
{
    do {
        add_statement(parser, out, parse_simple(parser));
    } while (parser_take(parser, TOKEN_SEMICOLON) && !parser_at(parser, TOKEN_NEWLINE));
    if (!parser_take(parser, TOKEN_NEWLINE)) {
        parser_unexpected(parser, "the end of the line");
    }
}

static void parse_block(struct parser *parser, enum token_kind end, struct block *out);

/* After `if …`, `for …`, `def …`: reads a colon, then a block or the rest of the line. */
static void parse_suite(struct parser *parser, const char *behind, struct block *out)
{
    parser_expect(parser, TOKEN_COLON, behind);
    if (!parser_take(parser, TOKEN_NEWLINE)) {
        parse_line(parser, out);
        return;
    }
    if (!parser_take(parser, TOKEN_INDENT)) {
        parser_unexpected(parser, "an indented block");
    }
    parse_block(parser, TOKEN_DEDENT, out);
}

static struct stmt *parse_if(struct parser *parser)
{
    struct stmt *stmt = stmt_new(parser, STMT_IF);
    VEC(struct branch) branches = {0};
    bool last = false;
    do {
        last = parser_at(parser, TOKEN_ELSE);
        parser_advance(parser);
        struct branch *branch = VEC_PUSH(parser->arena, &branches);
        if (!last) {
            branch->condition = parse_expression(parser);
            stmt_over(parser, stmt, branch->condition->height);
        }
        parse_suite(parser, last ? "behind 'else'" : "behind the condition", &branch->body);
        stmt_over(parser, stmt, branch->body.height);
    } while (!last && (parser_at(parser, TOKEN_ELIF) || parser_at(parser, TOKEN_ELSE)));
    stmt->branches = branches.items;
    stmt->branch_count = branches.count;
    return stmt;
}

static struct stmt *parse_for(struct parser *parser)
{
    struct stmt *stmt = stmt_new(parser, STMT_FOR);
    parser_advance(parser);
    set_target(parser, stmt, parse_loop_target(parser));
    parser_expect(parser, TOKEN_IN, "behind the loop's variable");
    set_value(parser, stmt, parse_expression(parser));
    stmt->branches = ARENA_NEW(parser->arena, struct branch);
    stmt->branch_count = 1;
    parser->loops++;
    parse_suite(parser, "behind the loop", &stmt->branches->body);
    parser->loops--;
    stmt_over(parser, stmt, stmt->branches->body.height);
    if (parser_at(parser, TOKEN_ELSE)) {
        parser_fail(parser, parser->token.pos, NULL, "a loop has no 'else' here");
    }
    return stmt;
}

static struct stmt *parse_def(struct parser *parser)
{
    struct stmt *stmt = stmt_new(parser, STMT_DEF);
    parser_advance(parser);
    uint32_t pos = parser->token.pos;
    const char *name = parser_take_name(parser, "the function's name");
    set_target(parser, stmt, expr_new_name(parser, name, pos));
    parser_expect(parser, TOKEN_LPAREN, "behind the function's name");
    set_value(parser, stmt, parse_parameters(parser, name, pos, TOKEN_RPAREN));
    struct function *function = stmt->value->as.lambda;
    unsigned loops = parser->loops;
    bool in_function = parser->in_function;
    parser->loops = 0;
    parser->in_function = true;
    parse_suite(parser, "behind the parameters", &function->body);
    function->height = function->body.height;
    parser->loops = loops;
    parser->in_function = in_function;
    return stmt;
}

static void parse_statement(struct parser *parser, struct block *out)
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
            add_statement(parser, out, compound[i].parse(parser));
            return;
        }
    }
    if (parser_at(parser, TOKEN_INDENT)) {
        parser_fail(parser, parser->token.pos, NULL, "this line is indented without a reason");
    }
    if (parser_at(parser, TOKEN_ELSE) || parser_at(parser, TOKEN_ELIF)) {
        parser_fail(parser, parser->token.pos, NULL, "%s without an 'if' before it",
                    token_kind_text(parser->token.kind));
    }
    parse_line(parser, out);
}

static void parse_block(struct parser *parser, enum token_kind end, struct block *out)
{
    parser_enter(parser);
    while (!parser_ends(parser, end)) {
        parse_statement(parser, out);
    }
    parser_leave(parser);
}

static void read_expression(struct parser *parser, struct function *top)
{
    if (parser_at(parser, TOKEN_END)) {
        parser_fail(parser, parser->token.pos, NULL, "an expression is missing here");
    }
    top->result = parse_expression(parser);
    top->height = top->result->height;
    if (!parser_take(parser, TOKEN_END)) {
        parser_unexpected(parser, "the end of the expression");
    }
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
    if (mode == LANG_EXPRESSION) {
        read_expression(&parser, top);
    } else {
        parse_block(&parser, TOKEN_END, &top->body);
        top->height = top->body.height;
    }
    return !parser.lexer.failed;
}
