#include "mutate/body/conditions.h"

static bool joins(const struct body *body, size_t index, const char *word)
{
    return sql_is(&body->sql, index, word) && !body_has(body, index, BODY_FROZEN | BODY_RANGE);
}

static void without_parentheses(const struct body *body, size_t *from, size_t *to)
{
    while (*to - *from > 2 && sql_is(&body->sql, *from, "(") &&
           sql_after(&body->sql, *from) == *to) {
        ++*from;
        --*to;
    }
}

void body_condition(struct body *body, size_t from, size_t to, unsigned always)
{
    size_t inner = from;
    size_t end = to;
    if (from >= to || body_has(body, from, BODY_FROZEN)) {
        return;
    }
    without_parentheses(body, &inner, &end);
    if (end - inner == 1 &&
        (sql_is(&body->sql, inner, "TRUE") || sql_is(&body->sql, inner, "FALSE"))) {
        return;
    }
    if (always & BODY_ALWAYS_TRUE) {
        body_replace(body, BODY_CONDITION_TRUE, from, to, "true");
    }
    if (always & BODY_ALWAYS_FALSE) {
        body_replace(body, BODY_CONDITION_FALSE, from, to, "false");
    }
}

/* Leaves out each of what the word joins, where there are several. */
static void drop_each(struct body *body, size_t from, size_t to, const char *word,
                      enum body_operator_id id)
{
    size_t start = from;
    for (size_t i = from; i <= to; i = i < to ? sql_after(&body->sql, i) : i + 1) {
        if (i < to && !joins(body, i, word)) {
            continue;
        }
        if (start > from && start < i) {
            body_cut(body, id, start - 1, i);
        } else if (start < i && i + 1 < to) {
            body_remove(body, id, start, i + 1);
        }
        start = i + 1;
    }
}

void body_operands(struct body *body, size_t from, size_t to)
{
    size_t start = from;
    if (from >= to || body_has(body, from, BODY_FROZEN)) {
        return;
    }
    drop_each(body, from, to, "OR", BODY_DROP_DISJUNCT);
    for (size_t i = from; i < to; i = sql_after(&body->sql, i)) {
        if (joins(body, i, "OR")) {
            drop_each(body, start, i, "AND", BODY_DROP_CONJUNCT);
            start = i + 1;
        }
    }
    drop_each(body, start, to, "AND", BODY_DROP_CONJUNCT);
}

void body_items(struct body *body, size_t from, size_t to)
{
    drop_each(body, from, to, ",", BODY_DROP_ITEM);
}

void body_columns(struct body *body, size_t from, size_t to)
{
    drop_each(body, from, to, ",", BODY_DROP_ASSIGNMENT);
}

bool body_has_operands(const struct body *body, size_t from, size_t to)
{
    without_parentheses(body, &from, &to);
    for (size_t i = from; i < to; i = sql_after(&body->sql, i)) {
        if (joins(body, i, "AND") || joins(body, i, "OR")) {
            return true;
        }
    }
    return false;
}
