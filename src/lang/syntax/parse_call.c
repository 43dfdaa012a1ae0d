/* Calls, parameters, lambdas, and the clauses and targets of loops. */
#include "lang/syntax/parser.h"

#include <string.h>

struct arguments {
    VEC(struct expr *) args;
    VEC(struct named_expr) named;
};

/* Behind the first argument, at `for`. */
static struct expr *parse_generator(struct parser *parser, struct expr *item, size_t before)
{
    uint32_t pos = parser->token.pos;
    struct expr *expr =
        parse_clauses(parser, COMPREHENSION_LIST, (struct expr_entry){NULL, item}, item->pos);
    if (expr && (before > 0 || !parser_at(parser, TOKEN_RPAREN))) {
        (void)parser_fail(parser, pos, "a generator expression can only be a call's sole argument");
        error_hint(parser->lexer.err, "write a list: [x for x in xs]");
        return NULL;
    }
    return expr;
}

/* `name = value`, at `=`. */
static bool parse_named(struct parser *parser, struct arguments *arguments, const struct expr *name)
{
    if (name->kind != EXPR_NAME) {
        (void)parser_fail(parser, name->pos, "an argument's name is wanted before '='");
        return error_hint(parser->lexer.err, "== compares");
    }
    for (size_t i = 0; i < arguments->named.count; i++) {
        if (strcmp(arguments->named.items[i].name, name->as.name.name) == 0) {
            return parser_fail(parser, name->pos, "argument '%s' is given twice",
                               name->as.name.name);
        }
    }
    parser_advance(parser);
    struct expr *value = parse_test(parser);
    if (!value) {
        return false;
    }
    *VEC_PUSH(parser->arena, &arguments->named) =
        (struct named_expr){name->as.name.name, name->pos, value};
    return true;
}

static bool parse_plain(struct parser *parser, struct arguments *arguments,
                        const struct expr_call *call)
{
    struct expr *arg = parse_test(parser);
    if (!arg) {
        return false;
    }
    if (parser_at(parser, TOKEN_ASSIGN)) {
        return parse_named(parser, arguments, arg);
    }
    if (parser_at(parser, TOKEN_FOR)) {
        arg = parse_generator(parser, arg, arguments->args.count + arguments->named.count);
        if (!arg) {
            return false;
        }
    }
    if (arguments->named.count > 0 || call->star || call->star_star) {
        return parser_fail(parser, arg->pos, "a positional argument behind named ones or *");
    }
    *VEC_PUSH(parser->arena, &arguments->args) = arg;
    return true;
}

static bool parse_unpacked(struct parser *parser, struct expr **out)
{
    if (*out) {
        return parser_fail(parser, parser->last.pos, "only one %s may stand in a call",
                           token_kind_text(parser->last.kind));
    }
    *out = parse_test(parser);
    return *out != NULL;
}

static bool parse_argument(struct parser *parser, struct arguments *arguments,
                           struct expr_call *call)
{
    if (parser_take(parser, TOKEN_STAR)) {
        return parse_unpacked(parser, &call->star);
    }
    if (parser_take(parser, TOKEN_STAR_STAR)) {
        return parse_unpacked(parser, &call->star_star);
    }
    return parse_plain(parser, arguments, call);
}

bool parse_arguments(struct parser *parser, struct expr *expr)
{
    struct expr_call *call = &expr->as.call;
    struct arguments arguments = {0};
    while (!parser_take(parser, TOKEN_RPAREN)) {
        if (!parse_argument(parser, &arguments, call)) {
            return false;
        }
        if (!parser_take(parser, TOKEN_COMMA) && !parser_at(parser, TOKEN_RPAREN)) {
            return parser_unexpected(parser, "',' or ')' in the call");
        }
    }
    bool ok = expr_over(parser, expr, call->star) && expr_over(parser, expr, call->star_star);
    for (size_t i = 0; ok && i < arguments.args.count; i++) {
        ok = expr_over(parser, expr, arguments.args.items[i]);
    }
    for (size_t i = 0; ok && i < arguments.named.count; i++) {
        ok = expr_over(parser, expr, arguments.named.items[i].value);
    }
    call->args = arguments.args.items;
    call->arg_count = arguments.args.count;
    call->named = arguments.named.items;
    call->named_count = arguments.named.count;
    return ok;
}

/* `*`, `*name` or `**name`; kind PLAIN with no name for a bare `*`. */
static bool parse_star_parameter(struct parser *parser, struct parameter *parameter)
{
    parameter->kind = parser->last.kind == TOKEN_STAR_STAR ? PARAMETER_STAR_STAR : PARAMETER_STAR;
    if (parameter->kind == PARAMETER_STAR && !parser_at(parser, TOKEN_NAME)) {
        return true;
    }
    parameter->name = parser_take_name(parser, "a parameter's name");
    return parameter->name != NULL;
}

static bool parse_plain_parameter(struct parser *parser, struct parameter *parameter,
                                  enum token_kind end)
{
    parameter->name = parser_take_name(parser, "a parameter's name");
    if (!parameter->name) {
        return false;
    }
    if (parser_at(parser, TOKEN_COLON) && end != TOKEN_COLON) {
        (void)parser_fail(parser, parser->token.pos, "there are no type annotations here");
        return error_hint(parser->lexer.err, "leave it out");
    }
    if (parser_take(parser, TOKEN_ASSIGN)) {
        parameter->standard = parse_test(parser);
        return parameter->standard != NULL;
    }
    return true;
}

static bool parse_parameter(struct parser *parser, struct parameter *parameter, enum token_kind end)
{
    parameter->pos = parser->token.pos;
    if (parser_take(parser, TOKEN_STAR) || parser_take(parser, TOKEN_STAR_STAR)) {
        return parse_star_parameter(parser, parameter);
    }
    return parse_plain_parameter(parser, parameter, end);
}

static bool is_default_missing(const struct parameter *parameter, bool defaults)
{
    return parameter->kind == PARAMETER_PLAIN && defaults && !parameter->standard;
}

/* The rules of order: plain, with defaults, *args or *, keyword-only, **kwargs. */
static bool check_order(struct parser *parser, const struct parameter *parameter,
                        const struct parameter *before, size_t count)
{
    bool defaults = false;
    for (size_t i = 0; i < count; i++) {
        defaults = defaults || (before[i].kind == PARAMETER_PLAIN && before[i].standard);
        if (before[i].kind == PARAMETER_STAR_STAR) {
            return parser_fail(parser, parameter->pos, "nothing may stand behind **%s",
                               before[i].name);
        }
        if (before[i].kind == PARAMETER_STAR && parameter->kind == PARAMETER_STAR) {
            return parser_fail(parser, parameter->pos, "only one * parameter may stand here");
        }
        if (before[i].name && parameter->name && strcmp(before[i].name, parameter->name) == 0) {
            return parser_fail(parser, parameter->pos, "parameter '%s' stands here twice",
                               parameter->name);
        }
    }
    return !is_default_missing(parameter, defaults) ||
           parser_fail(parser, parameter->pos,
                       "parameter '%s' needs a default value, as those before it have one",
                       parameter->name);
}

/* Keyword-only ones are told from plain ones by a star before them; a bare star itself goes. */
static bool settle_parameters(struct parser *parser, struct function *function)
{
    size_t kept = 0;
    bool starred = false;
    for (size_t i = 0; i < function->parameter_count; i++) {
        struct parameter parameter = function->parameters[i];
        if (parameter.kind == PARAMETER_PLAIN && starred) {
            parameter.kind = PARAMETER_KEYWORD_ONLY;
        }
        starred = starred || parameter.kind == PARAMETER_STAR;
        function->positional_count += parameter.kind == PARAMETER_PLAIN;
        if (parameter.name) {
            function->parameters[kept++] = parameter;
        } else if (i + 1 == function->parameter_count ||
                   function->parameters[i + 1].kind != PARAMETER_PLAIN) {
            return parser_fail(parser, parameter.pos, "a parameter is wanted behind '*'");
        }
    }
    function->parameter_count = kept;
    function->simple = kept == function->positional_count;
    return true;
}

bool parse_parameters(struct parser *parser, struct function *function, enum token_kind end)
{
    VEC(struct parameter) parameters = {0};
    bool starred = false;
    while (!parser_take(parser, end)) {
        struct parameter parameter = {0};
        if (!parse_parameter(parser, &parameter, end)) {
            return false;
        }
        struct parameter checked = parameter;
        checked.kind =
            starred && parameter.kind == PARAMETER_PLAIN ? PARAMETER_KEYWORD_ONLY : parameter.kind;
        if (!check_order(parser, &checked, parameters.items, parameters.count)) {
            return false;
        }
        starred = starred || parameter.kind == PARAMETER_STAR;
        *VEC_PUSH(parser->arena, &parameters) = parameter;
        if (parameter.standard) {
            function_over(function, parameter.standard->height);
        }
        if (!parser_take(parser, TOKEN_COMMA) && !parser_at(parser, end)) {
            return parser_unexpected(parser, end == TOKEN_COLON
                                                 ? "',' or ':' behind a lambda's parameter"
                                                 : "',' or ')' behind a parameter");
        }
    }
    function->parameters = parameters.items;
    function->parameter_count = parameters.count;
    return settle_parameters(parser, function);
}

struct expr *parse_lambda(struct parser *parser)
{
    struct expr *expr = expr_new(parser, EXPR_LAMBDA, parser->token.pos);
    parser_advance(parser);
    struct function *function = parse_function_new(parser, "lambda", expr->pos);
    expr->as.lambda = function;
    if (!parse_parameters(parser, function, TOKEN_COLON)) {
        return NULL;
    }
    unsigned loops = parser->loops;
    bool in_function = parser->in_function;
    parser->loops = 0;
    parser->in_function = true;
    function->result = parse_test(parser);
    parser->loops = loops;
    parser->in_function = in_function;
    if (!function->result) {
        return NULL;
    }
    function_over(function, function->result->height);
    for (size_t i = 0; i < function->parameter_count; i++) {
        if (!expr_over(parser, expr, function->parameters[i].standard)) {
            return NULL;
        }
    }
    return expr;
}

struct expr *parse_loop_target(struct parser *parser)
{
    uint32_t pos = parser->token.pos;
    struct expr *first = parse_primary(parser);
    if (!first || !parse_check_target(parser, first) || !parser_at(parser, TOKEN_COMMA)) {
        return parser->lexer.failed ? NULL : first;
    }
    struct expr *expr = expr_new(parser, EXPR_TUPLE, pos);
    VEC(struct expr *) items = {0};
    *VEC_PUSH(parser->arena, &items) = first;
    while (parser_take(parser, TOKEN_COMMA)) {
        struct expr *item = parse_primary(parser);
        if (!item || !parse_check_target(parser, item) || !expr_over(parser, expr, item)) {
            return NULL;
        }
        *VEC_PUSH(parser->arena, &items) = item;
    }
    expr->as.items = (struct expr_items){items.items, items.count};
    return expr_over(parser, expr, first) ? expr : NULL;
}

/* What can't be assigned, and why. */
static const struct {
    enum expr_kind kind;
    const char *message;
    const char *hint;
} refused_targets[] = {
    {EXPR_ATTR, "an attribute can't be assigned", "keep records as dicts: d[\"name\"] = value"},
    {EXPR_SLICE, "a slice can't be assigned", "build a new list: xs = xs[:i] + ys + xs[j:]"},
    {EXPR_CALL, "a call can't be assigned", "== compares; d[key] = value sets an entry"},
    {EXPR_CONSTANT, "a literal can't be assigned", "== compares"},
};

bool parse_check_target(struct parser *parser, const struct expr *target)
{
    if (target->kind == EXPR_NAME || target->kind == EXPR_INDEX) {
        return true;
    }
    if (target->kind == EXPR_TUPLE || target->kind == EXPR_LIST) {
        for (size_t i = 0; i < target->as.items.count; i++) {
            if (!parse_check_target(parser, target->as.items.items[i])) {
                return false;
            }
        }
        return true;
    }
    for (size_t i = 0; i < sizeof refused_targets / sizeof *refused_targets; i++) {
        if (refused_targets[i].kind == target->kind) {
            (void)parser_fail(parser, target->pos, "%s", refused_targets[i].message);
            return error_hint(parser->lexer.err, "%s", refused_targets[i].hint);
        }
    }
    (void)parser_fail(parser, target->pos, "this can't be assigned");
    return error_hint(parser->lexer.err,
                      "a name, d[key], or several of them with commas can; == compares");
}

static bool parse_clause(struct parser *parser, struct clause *clause)
{
    clause->pos = parser->token.pos;
    if (parser_take(parser, TOKEN_FOR)) {
        clause->target = parse_loop_target(parser);
        if (!clause->target || !parser_expect(parser, TOKEN_IN, "behind the loop's variable")) {
            return false;
        }
    } else {
        parser_advance(parser);
    }
    clause->operand = parse_operand(parser);
    return clause->operand != NULL;
}

struct expr *parse_clauses(struct parser *parser, enum comprehension_kind kind,
                           struct expr_entry item, uint32_t pos)
{
    struct expr *expr = expr_new(parser, EXPR_COMPREHENSION, pos);
    VEC(struct clause) clauses = {0};
    while (parser_at(parser, TOKEN_FOR) || parser_at(parser, TOKEN_IF)) {
        struct clause *clause = VEC_PUSH(parser->arena, &clauses);
        if (!parse_clause(parser, clause) || !expr_over(parser, expr, clause->target) ||
            !expr_over(parser, expr, clause->operand)) {
            return NULL;
        }
    }
    expr->as.comprehension = (struct expr_comprehension){.kind = kind,
                                                         .key = item.key,
                                                         .item = item.value,
                                                         .clauses = clauses.items,
                                                         .count = clauses.count};
    if (!expr_over(parser, expr, item.key) || !expr_over(parser, expr, item.value)) {
        return NULL;
    }
    expr->height += (uint32_t)clauses.count; /* each clause runs inside the one before it */
    return expr_over(parser, expr, NULL) ? expr : NULL;
}
