/* Calls, parameters, lambdas, and the clauses and targets of loops. */
#include "base/names.h"
#include "lang/syntax/parser.h"

#include <string.h>

struct arguments {
    VEC(struct argument_name) names;
    struct expr *call;
};

/* `name = value`, at `=`. */
static void parse_named(struct parser *parser, struct arguments *arguments, const struct expr *name)
{
    if (name->kind != EXPR_NAME) {
        parser_fail(parser, name->pos, "== compares", "expected an argument's name before '='");
        return;
    }
    if (name_is_in(name->as.name.name, ROWS_OF(arguments->names, name))) {
        parser_fail(parser, name->pos, NULL, "argument '%s' is given twice", name->as.name.name);
    }
    parser_advance(parser);
    *VEC_PUSH(parser->arena, &arguments->names) =
        (struct argument_name){name->as.name.name, name->pos};
    expr_add(parser, arguments->call, parse_test(parser));
}

static void parse_plain(struct parser *parser, struct arguments *arguments)
{
    struct expr_call *call = &arguments->call->as.call;
    struct expr *arg = parse_test(parser);
    if (parser_at(parser, TOKEN_ASSIGN)) {
        parse_named(parser, arguments, arg);
        return;
    }
    if (parser_at(parser, TOKEN_FOR)) {
        uint32_t pos = parser->token.pos;
        bool sole = call->arg_count + arguments->names.count == 0;
        arg = parse_clauses(parser, COMPREHENSION_LIST, NULL, arg, arg->pos);
        if (!sole || !parser_at(parser, TOKEN_RPAREN)) {
            parser_fail(parser, pos, "write a list: [x for x in xs]",
                        "a generator expression can only be a call's sole argument");
        }
    }
    if (arguments->names.count > 0 || call->star || call->star_star) {
        parser_fail(parser, arg->pos, NULL, "a positional argument behind named ones or *");
    }
    call->arg_count++;
    expr_add(parser, arguments->call, arg);
}

static void parse_unpacked(struct parser *parser, struct expr **out)
{
    if (*out) {
        parser_fail(parser, parser->last.pos, NULL, "only one %s may stand in a call",
                    token_kind_text(parser->last.kind));
    }
    *out = parse_test(parser);
}

void parse_arguments(struct parser *parser, struct expr *expr)
{
    struct expr_call *call = &expr->as.call;
    struct arguments arguments = {.call = expr};
    while (!parser_ends(parser, TOKEN_RPAREN)) {
        if (parser_take(parser, TOKEN_STAR)) {
            parse_unpacked(parser, &call->star);
        } else if (parser_take(parser, TOKEN_STAR_STAR)) {
            parse_unpacked(parser, &call->star_star);
        } else {
            parse_plain(parser, &arguments);
        }
        if (!parser_take(parser, TOKEN_COMMA) && !parser_at(parser, TOKEN_RPAREN)) {
            parser_unexpected(parser, "',' or ')' in the call");
        }
    }
    call->names = arguments.names.items;
    call->named_count = arguments.names.count;
    if (call->star) {
        expr_add(parser, expr, call->star);
    }
    if (call->star_star) {
        expr_add(parser, expr, call->star_star);
    }
}

struct parameters {
    VEC(struct native_param) params;
    struct expr *owner; /* of the default values */
    bool starred;       /* after * or *args */
    bool bare;          /* directly after * */
    bool has_default;   /* a parameter that can be given by position has one */
    uint32_t star_pos;
};

/* Checks the order of parameters: plain, with defaults, *args or *, by name only, **kwargs. */
static void check_order(struct parser *parser, const struct parameters *before,
                        const struct native_param *param, const struct expr *standard, uint32_t pos)
{
    for (size_t i = 0; i < before->params.count; i++) {
        const struct native_param *other = &before->params.items[i];
        if (other->kind == PARAM_KEYWORDS) {
            parser_fail(parser, pos, NULL, "nothing may stand behind **%s", other->name);
        }
        if (param->name && strcmp(other->name, param->name) == 0) {
            parser_fail(parser, pos, NULL, "parameter '%s' appears twice", param->name);
        }
    }
    if (before->starred && param->kind == PARAM_REST) {
        parser_fail(parser, pos, NULL, "only one * parameter may stand here");
    }
    if (before->bare && param->kind == PARAM_KEYWORDS) {
        parser_fail(parser, before->star_pos, NULL, "expected a parameter behind '*'");
    }
    if (param->kind == PARAM_REQUIRED && !before->starred && before->has_default && !standard) {
        parser_fail(parser, pos, NULL,
                    "parameter '%s' needs a default value, as those before it have one",
                    param->name);
    }
}

static void parse_parameter(struct parser *parser, struct parameters *out, enum token_kind end)
{
    uint32_t pos = parser->token.pos;
    struct native_param param = {0};
    struct expr *standard = NULL;
    if (parser_take(parser, TOKEN_STAR)) {
        param.kind = PARAM_REST;
    } else if (parser_take(parser, TOKEN_STAR_STAR)) {
        param.kind = PARAM_KEYWORDS;
    }
    bool bare = param.kind == PARAM_REST && !parser_at(parser, TOKEN_NAME);
    if (!bare) {
        param.name = parser_take_name(parser, "a parameter's name");
    }
    if (parser_at(parser, TOKEN_COLON) && end != TOKEN_COLON && param.kind == PARAM_REQUIRED) {
        parser_fail(parser, parser->token.pos, "leave it out",
                    "there are no type annotations here");
    }
    if (param.kind == PARAM_REQUIRED && parser_take(parser, TOKEN_ASSIGN)) {
        standard = parse_test(parser);
    }
    check_order(parser, out, &param, standard, pos);
    if (standard) {
        param.kind = PARAM_OPTIONAL;
        out->has_default = out->has_default || !out->starred;
    }
    param.flags = out->starred ? PARAM_NAMED : 0;
    out->bare = bare;
    if (param.kind == PARAM_REST) {
        out->starred = true;
        out->star_pos = pos;
    }
    if (!bare) {
        *VEC_PUSH(parser->arena, &out->params) = param;
        expr_add(parser, out->owner, standard);
    }
}

struct expr *parse_parameters(struct parser *parser, const char *name, uint32_t pos,
                              enum token_kind end)
{
    struct function *function = parse_function_new(parser, name, pos);
    struct parameters parameters = {.owner = expr_new(parser, EXPR_LAMBDA, pos)};
    while (!parser_ends(parser, end)) {
        parse_parameter(parser, &parameters, end);
        if (!parser_take(parser, TOKEN_COMMA) && !parser_at(parser, end)) {
            parser_unexpected(parser, end == TOKEN_COLON ? "',' or ':' behind a lambda's parameter"
                                                         : "',' or ')' behind a parameter");
        }
    }
    if (parameters.bare) {
        parser_fail(parser, parameters.star_pos, NULL, "expected a parameter behind '*'");
    }
    function->param_count = parameters.params.count;
    *VEC_PUSH(parser->arena, &parameters.params) = (struct native_param){0};
    function->params = parameters.params.items;
    function->standards = parameters.owner->items;
    parameters.owner->as.lambda = function;
    return parameters.owner;
}

struct expr *parse_lambda(struct parser *parser)
{
    uint32_t pos = parser->token.pos;
    parser_advance(parser);
    struct expr *expr = parse_parameters(parser, "lambda", pos, TOKEN_COLON);
    struct function *function = expr->as.lambda;
    function->result = parse_test(parser);
    function->height = function->result->height;
    return expr;
}

struct expr *parse_loop_target(struct parser *parser)
{
    uint32_t pos = parser->token.pos;
    struct expr *first = parse_primary(parser);
    parse_check_target(parser, first);
    if (!parser_at(parser, TOKEN_COMMA)) {
        return first;
    }
    struct expr *expr = expr_new(parser, EXPR_TUPLE, pos);
    expr_add(parser, expr, first);
    while (parser_take(parser, TOKEN_COMMA)) {
        struct expr *item = parse_primary(parser);
        parse_check_target(parser, item);
        expr_add(parser, expr, item);
    }
    return expr;
}

/* Expressions that can't be assigned, and why. */
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

void parse_check_target(struct parser *parser, const struct expr *target)
{
    const char *message = "this can't be assigned";
    const char *hint = "a name, d[key], or several of them with commas can; == compares";
    if (target->kind == EXPR_NAME || target->kind == EXPR_INDEX) {
        return;
    }
    if (target->kind == EXPR_TUPLE || target->kind == EXPR_LIST) {
        for (size_t i = 0; i < target->count; i++) {
            parse_check_target(parser, target->items[i]);
        }
        return;
    }
    for (size_t i = 0; i < sizeof refused_targets / sizeof *refused_targets; i++) {
        if (refused_targets[i].kind == target->kind) {
            message = refused_targets[i].message;
            hint = refused_targets[i].hint;
        }
    }
    parser_fail(parser, target->pos, hint, "%s", message);
}

struct expr *parse_clauses(struct parser *parser, enum comprehension_kind kind, struct expr *key,
                           struct expr *item, uint32_t pos)
{
    struct expr *expr = expr_new(parser, EXPR_COMPREHENSION, pos);
    VEC(struct clause) clauses = {0};
    while (parser_at(parser, TOKEN_FOR) || parser_at(parser, TOKEN_IF)) {
        struct clause clause = {.pos = parser->token.pos};
        if (parser_take(parser, TOKEN_FOR)) {
            clause.target = parse_loop_target(parser);
            parser_expect(parser, TOKEN_IN, "behind the loop's variable");
        } else {
            parser_advance(parser);
        }
        clause.operand = parse_operand(parser);
        expr_over(parser, expr, clause.target);
        expr_over(parser, expr, clause.operand);
        *VEC_PUSH(parser->arena, &clauses) = clause;
    }
    expr->as.comprehension = (struct expr_comprehension){
        .kind = kind, .key = key, .item = item, .clauses = clauses.items, .count = clauses.count};
    expr_over(parser, expr, key);
    expr_over(parser, expr, item);
    expr->height += (uint32_t)clauses.count; /* each clause runs inside the one before it */
    expr_over(parser, expr, NULL);
    return expr;
}
