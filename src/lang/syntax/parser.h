/*
 * Parser: tokens to a syntax tree, by recursive descent; binary operators by a table of levels.
 * Names are not resolved here. The first mistake ends it.
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
    unsigned nesting; /* of expressions and blocks that are being read */
    unsigned loops;   /* around this place, in this function */
    bool in_function;
    enum lang_mode mode;
};

/* Reads the whole snippet into the body (or result) of a function without parameters. */
bool parse_snippet(struct arena *arena, const struct snippet *snippet, enum lang_mode mode,
                   struct function **out, struct error *err);

/*
 * Shared by parse_expr.c, parse_call.c and parse_stmt.c. After a mistake every further token is
 * TOKEN_ERROR, and further mistakes are not reported: so functions go on as if nothing had
 * happened, and return some node (never NULL). Loops end as no token is theirs.
 */
void parser_advance(struct parser *parser);
bool parser_at(const struct parser *parser, enum token_kind kind);
/* Takes the token if it is of the kind. */
bool parser_take(struct parser *parser, enum token_kind kind);
/* The same, and true after a mistake: for loops. */
bool parser_ends(struct parser *parser, enum token_kind kind);
/* Takes it, or fails: "expected ')' after ..., found ...". `where` may be "". */
void parser_expect(struct parser *parser, enum token_kind kind, const char *where);
/* `hint` may be NULL. */
void parser_fail(struct parser *parser, uint32_t pos, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* "expected `wanted`, found ..." at the next token, with a hint where one is known. */
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
/* Notes that `child` (may be NULL) lies in `parent`; fails where that is too deep. */
void expr_over(struct parser *parser, struct expr *parent, const struct expr *child);

struct expr *parse_expression(struct parser *parser); /* with commas: a tuple */
struct expr *parse_test(struct parser *parser);       /* without */
struct expr *parse_operand(struct parser *parser);    /* of `in` and `if` in comprehensions: no
                                                          conditional, no lambda */
struct expr *parse_primary(struct parser *parser);    /* with calls, indices, attributes behind */
struct expr *parse_loop_target(struct parser *parser);
void parse_check_target(struct parser *parser, const struct expr *target);
/* Behind the first item, at `for`: reads the clauses. `key`: of a dict, or NULL. */
struct expr *parse_clauses(struct parser *parser, enum comprehension_kind kind, struct expr *key,
                           struct expr *item, uint32_t pos);
/* Behind `(`: reads the arguments and `)`. */
void parse_arguments(struct parser *parser, struct expr *call);
/* Parameters up to `end`, which is taken: a lambda without a body. */
struct expr *parse_parameters(struct parser *parser, const char *name, uint32_t pos,
                              enum token_kind end);
struct function *parse_function_new(struct parser *parser, const char *name, uint32_t pos);
struct expr *parse_lambda(struct parser *parser);

#endif
