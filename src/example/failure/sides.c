/* The two sides of a check that is one comparison, `result.value == len(jobs)`, or of the part of
 * `A if CONDITION else B` that counts. */
#include "example/compare/compare.h"
#include "example/engine.h"
#include "example/failure/fail.h"
#include "lang/syntax/ast.h"

#include <ctype.h>
#include <string.h>

static const char *const operators[BINARY_OPS] = {
    [BINARY_EQUAL] = "==",      [BINARY_NOT_EQUAL] = "!=",  [BINARY_LESS] = "<",
    [BINARY_LESS_EQUAL] = "<=", [BINARY_GREATER] = ">",     [BINARY_GREATER_EQUAL] = ">=",
    [BINARY_IN] = "in",         [BINARY_NOT_IN] = "not in",
};

/* Where the expression begins, at the latest. */
static size_t begin_of(const struct expr *expr)
{
    size_t begin = expr->pos;
    for (size_t i = 0; i < expr->count; i++) {
        size_t inner = expr->items[i] ? begin_of(expr->items[i]) : begin;
        begin = inner < begin ? inner : begin;
    }
    return begin;
}

/* The operand before the operator, without a parenthesis that closes behind it. */
static const char *left_source(struct arena *arena, const struct snippet *snippet,
                               const struct expr *left, size_t end)
{
    size_t least = begin_of(left);
    size_t open = 0;
    while (least > 0 &&
           (snippet->text[least - 1] == '(' || isspace((unsigned char)snippet->text[least - 1]))) {
        least--;
    }
    size_t start = least;
    for (size_t i = end; i-- > least;) {
        if (snippet->text[i] == ')') {
            open++;
        } else if (snippet->text[i] == '(' && open-- == 0) {
            start = i + 1;
            break;
        }
    }
    while (start < end && isspace((unsigned char)snippet->text[start])) {
        start++;
    }
    while (end > start && isspace((unsigned char)snippet->text[end - 1])) {
        end--;
    }
    return arena_strndup(arena, snippet->text + start, end - start);
}

static bool look_at(struct example *example, const struct checked *checked, struct expr *part,
                    struct value *out)
{
    struct lang_state looking = lang_looking(&example->state, &example->arena);
    struct error ignored = {0};
    return lang_look_at(&looking, checked->code, part, checked->locals, &example->arena, out,
                        &ignored);
}

/* True if the expression depends on the answer. */
static bool reads_result(struct example *example, const struct checked *checked, struct expr *part)
{
    struct checked without = *checked;
    struct value ignored;
    if (checked->result == SLOT_NONE) {
        return false;
    }
    without.locals =
        arena_memdup(&example->arena, checked->locals, checked->count * sizeof *checked->locals);
    lang_unset(&without.locals[checked->result]);
    return !look_at(example, &without, part, &ignored);
}

/* The side that does not depend on the answer is the expected one; if that is neither or both, it
 * is the right side. */
static void compare_sides(struct example *example, const struct checked *checked,
                          const struct expr *comparison, const struct value *values,
                          struct comparison *out)
{
    const struct comparing comparing = {example->engine->backend, &example->arena, NULL};
    bool turned = reads_result(example, checked, comparison->items[1]) &&
                  !reads_result(example, checked, comparison->items[0]);
    compare_collections(&comparing, values[!turned], values[turned], out);
}

/* The expression, or the branch of a conditional one that counts; NULL: it can't be known. */
static const struct expr *branch_of(struct example *example, const struct checked *checked)
{
    const struct expr *expr = lang_expression(checked->code);
    while (expr->kind == EXPR_CONDITIONAL) {
        struct value condition;
        if (!look_at(example, checked, expr->items[0], &condition)) {
            return NULL;
        }
        expr = expr->items[value_truth(condition) ? 1 : 2];
    }
    return expr;
}

bool check_sides(struct example *example, const struct checked *checked, struct shown_sides *out,
                 struct comparison *differences)
{
    struct arena *arena = &example->arena;
    const struct expr *expr = branch_of(example, checked);
    struct value values[2];
    enum binary_op op = expr && expr->kind == EXPR_BINARY && expr->count == 2
                            ? expr->as.operators[0].op
                            : BINARY_ADD;
    if (!operators[op] || !look_at(example, checked, expr->items[0], &values[0]) ||
        !look_at(example, checked, expr->items[1], &values[1])) {
        return false;
    }
    *out = (struct shown_sides){
        .source = left_source(arena, lang_snippet(checked->code), expr->items[0],
                              expr->as.operators[0].pos),
        .op = operators[op],
        .left = value_repr_text(arena, values[0]),
        .right = value_repr_text(arena, values[1]),
    };
    if (op == BINARY_EQUAL) {
        compare_sides(example, checked, expr, values, differences);
    }
    return true;
}
