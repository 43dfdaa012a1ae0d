/* An operand is a number of an answer (a cell), one that no answer has a part in (a constant), or
 * another value of `let`. The model's numbers are exact, so SQL computes with numeric. */
#include "replay/recording/record_computed.h"

#include "example/state.h"
#include "example/step/step.h"
#include "lang/syntax/ast.h"

#include <string.h>

enum { DEPTH_MAX = 50 };

struct computing {
    struct example *example;
    const struct step *step;
    struct arena *arena;
    struct recorded_value *out;
    bool answers; /* it has a cell */
};

static const struct named_code *let_of(const struct step *step, size_t slot)
{
    const struct statement_list *statements = &step->rule->statements;
    for (size_t i = 0; i < statements->count; i++) {
        for (size_t k = 0; k < statements->items[i].lets.count; k++) {
            if (statements->items[i].lets.items[k].slot == slot) {
                return &statements->items[i].lets.items[k];
            }
        }
    }
    return NULL;
}

static void add_text(struct computing *computing, const char *text)
{
    *VEC_PUSH(computing->arena, &computing->out->computed) =
        (struct recorded_part){.text = text, .size = strlen(text)};
}

static bool is_exact(struct value value)
{
    return value.type == VALUE_INT || value.type == VALUE_NUMERIC;
}

/* The text is quoted, as the sign of a negative number could become part of an operator. */
static bool add_number(struct computing *computing, struct value value)
{
    struct strbuf text = {0};
    unsigned cell = value_origin(value);
    value_str(value, &text);
    if (cell) {
        *VEC_PUSH(computing->arena, &computing->out->computed) = (struct recorded_part){
            .text = strbuf_copy(&text, computing->arena), .size = text.size, .cell = cell};
        computing->answers = true;
    } else {
        add_text(computing, arena_printf(computing->arena, "'%s'", strbuf_text(&text)));
    }
    strbuf_free(&text);
    add_text(computing, "::pg_catalog.numeric");
    return true;
}

static bool add_expression(struct computing *computing, const struct lang_code *code,
                           struct expr *expr, int depth);

static bool add_operands(struct computing *computing, const struct lang_code *code,
                         struct expr *expr, int depth)
{
    static const char *const operators[BINARY_OPS] = {[BINARY_ADD] = " OPERATOR(pg_catalog.+) ",
                                                      [BINARY_SUB] = " OPERATOR(pg_catalog.-) ",
                                                      [BINARY_MUL] = " OPERATOR(pg_catalog.*) "};
    /* operators of one name have one level in SQL, whatever they do: from left to right */
    for (size_t i = 1; i < expr->count; i++) {
        add_text(computing, "(");
    }
    for (size_t i = 0; i < expr->count; i++) {
        const char *op = i ? operators[expr->as.operators[i - 1].op] : "";
        if (!op) {
            return false;
        }
        add_text(computing, op);
        if (!add_expression(computing, code, expr->items[i], depth)) {
            return false;
        }
        add_text(computing, i ? ")" : "");
    }
    return true;
}

static bool add_expression(struct computing *computing, const struct lang_code *code,
                           struct expr *expr, int depth)
{
    struct example *example = computing->example;
    struct value value;
    struct error ignored;
    const struct named_code *let = expr->kind == EXPR_NAME && expr->as.name.binding == BIND_STEP
                                       ? let_of(computing->step, expr->as.name.slot)
                                       : NULL;
    if (depth >= DEPTH_MAX) {
        return false;
    }
    if (let && !value_origin(computing->step->locals[let->slot])) {
        return add_expression(computing, let->code, lang_expression(let->code), depth + 1);
    }
    if (expr->kind == EXPR_BINARY) {
        return add_operands(computing, code, expr, depth + 1);
    }
    return (expr->kind == EXPR_NAME || expr->kind == EXPR_CONSTANT || expr->kind == EXPR_ATTR ||
            expr->kind == EXPR_INDEX) &&
           lang_look_at(&example->state, code, expr, computing->step->locals, computing->arena,
                        &value, &ignored) &&
           is_exact(value) && add_number(computing, value);
}

void record_computed(struct example *example, const struct step *step, size_t slot,
                     struct arena *arena, struct recorded_value *out)
{
    const struct named_code *let = let_of(step, slot);
    struct computing computing = {.example = example, .step = step, .arena = arena, .out = out};
    bool number = let && is_exact(step->locals[slot]) && !value_origin(step->locals[slot]);
    if (!number || !add_expression(&computing, let->code, lang_expression(let->code), 0) ||
        !computing.answers) {
        out->computed.count = 0;
    }
}
