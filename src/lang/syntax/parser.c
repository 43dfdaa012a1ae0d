/* The parser's tools. */
#include "lang/syntax/parser.h"

#include "base/words.h"

#include <assert.h>
#include <string.h>

void parser_advance(struct parser *parser)
{
    parser->last = parser->token;
    lexer_next(&parser->lexer, &parser->token);
}

bool parser_at(const struct parser *parser, enum token_kind kind)
{
    return parser->token.kind == kind;
}

bool parser_take(struct parser *parser, enum token_kind kind)
{
    if (!parser_at(parser, kind)) {
        return false;
    }
    parser_advance(parser);
    return true;
}

bool parser_ends(struct parser *parser, enum token_kind kind)
{
    return parser->lexer.failed || parser_take(parser, kind);
}

void parser_fail(struct parser *parser, uint32_t pos, const char *hint, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)lexer_vfail(&parser->lexer, pos, hint, format, args);
    va_end(args);
    parser->token.kind = TOKEN_ERROR;
}

/* True if the two bytes before the token are `++` or `--`. */
static bool after_doubled_sign(const struct parser *parser)
{
    uint32_t end = parser->last.end;
    const char *text = parser->lexer.text;
    return (parser->last.kind == TOKEN_PLUS || parser->last.kind == TOKEN_MINUS) && end >= 2 &&
           text[end - 1] == text[end - 2];
}

/* True if the line has `-- `, which begins a comment in SQL, before the token. */
static bool behind_dashes(const struct parser *parser)
{
    const char *text = parser->lexer.text;
    uint32_t at = parser->token.pos;
    while (at > 0 && text[at - 1] != '\n') {
        at--;
    }
    return memmem(text + at, parser->token.pos - at, "-- ", 3) != NULL;
}

/* True if the token is an operator in SQL's spelling: AND. */
static bool keyword_in_capitals(const struct parser *parser)
{
    const struct token *token = &parser->token;
    return words_hold("AND|OR|NOT|IN|IS", parser->lexer.text + token->pos, token->end - token->pos);
}

static const char *hint_for(const struct parser *parser)
{
    enum token_kind found = parser->token.kind;
    enum token_kind last = parser->last.kind;
    if (after_doubled_sign(parser)) {
        return "there is no ++ or --: write x += 1; a comment starts with #";
    }
    if (behind_dashes(parser)) {
        return "a comment begins with #, not with --";
    }
    if (last == TOKEN_COMMA &&
        (found == TOKEN_NEWLINE || found == TOKEN_END || found == TOKEN_ASSIGN)) {
        return "a tuple of one is written (x,)";
    }
    if (found == TOKEN_ASSIGN) {
        return parser->mode == LANG_EXPRESSION ? "an expression is expected here; == compares"
                                               : "== compares";
    }
    if (found == TOKEN_NAME && keyword_in_capitals(parser)) {
        return "write `and`, `or`, `not`, `in`, `is` in small letters";
    }
    if (found == TOKEN_LITERAL && last == TOKEN_LITERAL) {
        return "strings are joined by +";
    }
    if (found == TOKEN_STAR_STAR) {
        return "there is no ** operator here: multiply (x * x), or shift (1 << n) for powers of 2";
    }
    if (found == TOKEN_LITERAL && last == TOKEN_NAME) {
        return "a call is written with parentheses: f(x)";
    }
    return NULL;
}

/* A hint at a bracket that was opened on an earlier line, which is probably the mistake. */
static const char *hint_at_bracket(const struct parser *parser)
{
    const struct lexer *lexer = &parser->lexer;
    uint32_t opened = lexer->bracket_count ? lexer->brackets[lexer->bracket_count - 1] : 0;
    if (lexer->bracket_count == 0 ||
        !memchr(lexer->text + opened, '\n', parser->token.pos - opened)) {
        return NULL;
    }
    struct source_place place = source_place(snippet_pos(lexer->snippet, opened));
    return arena_printf(parser->arena, "the '%c' of line %zu, column %zu is not closed yet",
                        lexer->text[opened], place.line, place.column);
}

void parser_unexpected(struct parser *parser, const char *wanted)
{
    if (parser->lexer.failed) {
        return;
    }
    const struct token *found = &parser->token;
    const char *bracket = hint_at_bracket(parser);
    uint32_t size = found->end - found->pos;
    bool spelled = found->kind == TOKEN_NAME || found->kind == TOKEN_LITERAL;
    const char *text = spelled && size > 0 && size <= 40
                           ? arena_strndup(parser->arena, parser->lexer.text + found->pos, size)
                           : token_kind_text(found->kind);
    parser_fail(parser, found->pos, bracket ? bracket : hint_for(parser), "expected %s, found %s",
                wanted, text);
}

void parser_expect(struct parser *parser, enum token_kind kind, const char *where)
{
    if (!parser_take(parser, kind)) {
        parser_unexpected(parser, arena_printf(parser->arena, "%s%s%s", token_kind_text(kind),
                                               *where ? " " : "", where));
    }
}

static void too_deep(struct parser *parser, uint32_t pos)
{
    parser_fail(parser, pos, NULL, "nested deeper than %d", AST_HEIGHT_MAX);
}

void parser_enter(struct parser *parser)
{
    if (++parser->nesting > AST_HEIGHT_MAX) {
        too_deep(parser, parser->token.pos);
    }
}

void parser_leave(struct parser *parser)
{
    assert(parser->nesting > 0);
    parser->nesting--;
}

const char *parser_take_name(struct parser *parser, const char *wanted)
{
    if (!parser_take(parser, TOKEN_NAME)) {
        parser_unexpected(parser, wanted);
        return "";
    }
    return arena_strndup(parser->arena, parser->lexer.text + parser->last.pos,
                         parser->last.end - parser->last.pos);
}

struct expr *expr_new(struct parser *parser, enum expr_kind kind, uint32_t pos)
{
    assert(kind < EXPR_KINDS);
    struct expr *expr = ARENA_NEW(parser->arena, struct expr);
    expr->kind = kind;
    expr->pos = pos;
    expr->height = 1;
    return expr;
}

struct expr *expr_new_name(struct parser *parser, const char *name, uint32_t pos)
{
    struct expr *expr = expr_new(parser, EXPR_NAME, pos);
    expr->as.name.name = name;
    expr->as.name.cell = -1;
    return expr;
}

void expr_over(struct parser *parser, struct expr *parent, const struct expr *child)
{
    if (child && child->height >= parent->height) {
        parent->height = child->height + 1;
    }
    if (parent->height > AST_HEIGHT_MAX) {
        too_deep(parser, parent->pos);
    }
}

void expr_add(struct parser *parser, struct expr *parent, struct expr *child)
{
    *VEC_PUSH(parser->arena, parent) = child;
    expr_over(parser, parent, child);
}

struct function *parse_function_new(struct parser *parser, const char *name, uint32_t pos)
{
    struct function *function = ARENA_NEW(parser->arena, struct function);
    function->name = name;
    function->snippet = parser->lexer.snippet;
    function->pos = pos;
    return function;
}
