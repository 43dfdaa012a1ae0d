/*
 * Parser: tokens to a syntax tree, by recursive descent; binary operators by a table of levels.
 * Names are not resolved here. Parsing ends at the first mistake.
 */
#ifndef LANG_PARSER_H
#define LANG_PARSER_H

#include "lang/lang.h"
#include "lang/syntax/ast.h"
#include "lang/syntax/lexer.h"

struct parser {
    struct lexer lexer;
    struct token token; /* the next one */
    struct token last;  /* the one taken before it */
    struct arena *arena;
    unsigned nesting; /* of the expressions and blocks being read */
    unsigned loops;   /* around this place, in this function */
    bool in_function;
    enum lang_mode mode;
};

/* Reads the whole snippet into the body (or result) of a function without parameters. */
bool parse_snippet(struct arena *arena, const struct snippet *snippet, enum lang_mode mode,
                   struct function **out, struct error *err);

/*
 * Shared by parse_expr.c, parse_call.c and parse_stmt.c. After a mistake, every token is
 * TOKEN_ERROR, and further mistakes are not reported. Functions may therefore continue and return
 * any node, but never NULL; loops end because no token matches.
 */
void parser_advance(struct parser *parser);
bool parser_at(const struct parser *parser, enum token_kind kind);
/* Takes the token if it is of the kind. */
bool parser_take(struct parser *parser, enum token_kind kind);
/* The same, but also true after a mistake, to end a loop. */
bool parser_ends(struct parser *parser, enum token_kind kind);
/* Takes the token, or fails: "expected ')' after ..., found ...". `where` may be "". */
void parser_expect(struct parser *parser, enum token_kind kind, const char *where);
/* `hint` may be NULL. */
void parser_fail(struct parser *parser, uint32_t pos, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Fails with "expected `wanted`, found ..." at the next token, and a hint if one is known. */
void parser_unexpected(struct parser *parser, const char *wanted);
/* Bound the recursion. */
void parser_enter(struct parser *parser);
void parser_leave(struct parser *parser);
/* The name, as a string of the arena. */
const char *parser_take_name(struct parser *parser, const char *wanted);

struct expr *expr_new(struct parser *parser, enum expr_kind kind, uint32_t pos);
struct expr *expr_new_name(struct parser *parser, const char *name, uint32_t pos);
/* Adds an item (may be NULL). */
void expr_add(struct parser *parser, struct expr *parent, struct expr *child);
/* Records that `child` (may be NULL) is part of `parent`; fails if that is too deep. */
void expr_over(struct parser *parser, struct expr *parent, const struct expr *child);

struct expr *parse_expression(struct parser *parser); /* with commas: a tuple */
struct expr *parse_test(struct parser *parser);       /* without */
struct expr *parse_operand(struct parser *parser); /* for `in` and `if` in comprehensions: neither a
                                                      conditional nor a lambda */
struct expr *
parse_primary(struct parser *parser); /* with the calls, indices and attributes after it */
struct expr *parse_loop_target(struct parser *parser);
void parse_check_target(struct parser *parser, const struct expr *target);
/* Reads the clauses after the first item, at `for`. `key` is a dict's, or NULL. */
struct expr *parse_clauses(struct parser *parser, enum comprehension_kind kind, struct expr *key,
                           struct expr *item, uint32_t pos);
/* Reads the arguments after `(`, and `)`. */
void parse_arguments(struct parser *parser, struct expr *call);
/* Reads the parameters up to `end`, and takes `end`. Returns a lambda without a body. */
struct expr *parse_parameters(struct parser *parser, const char *name, uint32_t pos,
                              enum token_kind end);
struct function *parse_function_new(struct parser *parser, const char *name, uint32_t pos);
struct expr *parse_lambda(struct parser *parser);

#endif
