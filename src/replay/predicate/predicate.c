/*
 * A check of the model's language as a condition in SQL.
 *
 * None is NULL, but the model's == and != know no third truth value: where NULL makes a difference
 * the condition says IS NULL, IS DISTINCT FROM or IS NOT TRUE. What the model refuses (None < 1)
 * is NULL here; whoever asks takes that for "does not hold".
 */
#include "replay/predicate/term.h"

#include <string.h>

static bool write_condition(struct predicate *to, const struct residual *residual, bool negated,
                            struct strbuf *out);

/* Comparisons. */

static const struct {
    enum binary_op op;
    enum binary_op inverse; /* holds where it does not */
    enum binary_op turned;  /* with its sides exchanged */
    const char *sql;
} comparisons[] = {
    {BINARY_EQUAL, BINARY_NOT_EQUAL, BINARY_EQUAL, "="},
    {BINARY_NOT_EQUAL, BINARY_EQUAL, BINARY_NOT_EQUAL, "<>"},
    {BINARY_LESS, BINARY_GREATER_EQUAL, BINARY_GREATER, "<"},
    {BINARY_GREATER_EQUAL, BINARY_LESS, BINARY_LESS_EQUAL, ">="},
    {BINARY_GREATER, BINARY_LESS_EQUAL, BINARY_LESS, ">"},
    {BINARY_LESS_EQUAL, BINARY_GREATER, BINARY_GREATER_EQUAL, "<="},
};
enum { COMPARISONS = sizeof comparisons / sizeof *comparisons };

/* The comparison's row, or COMPARISONS. */
static size_t comparison_of(enum binary_op op)
{
    size_t i = 0;
    while (i < COMPARISONS && comparisons[i].op != op) {
        i++;
    }
    return i;
}

static bool is_value(const struct residual *residual, enum value_type type)
{
    return residual->kind == RESIDUAL_VALUE && residual->value.type == type;
}

static bool write_null_test(struct predicate *to, const struct residual *residual, bool null,
                            struct strbuf *out)
{
    struct term term;
    struct cell cell;
    if (answer_find_cell(to, residual, &cell)) {
        cell_write(to, &cell, out); /* of any type */
    } else if (!term_write(to, residual, &term, out)) {
        return false;
    }
    strbuf_adds(out, null ? " IS NULL" : " IS NOT NULL");
    return true;
}

/* result.flag == True */
static bool write_bool_test(struct predicate *to, const struct residual *residual, bool equal,
                            bool wanted, struct strbuf *out)
{
    struct term term;
    bool plain = equal && !wanted;
    strbuf_adds(out, plain ? "NOT " : "");
    if (!term_write(to, residual, &term, out) || term.class != TERM_BOOL) {
        return false;
    }
    strbuf_adds(out, equal ? "" : wanted ? " IS NOT TRUE" : " IS NOT FALSE");
    return true;
}

/* What stands between two terms; NULL: they can't be compared. */
static const char *operator_between(size_t comparison, const struct term *left,
                                    const struct term *right)
{
    bool texts = (left->class == TERM_TEXT || left->class == TERM_OTHER) &&
                 (right->class == TERM_TEXT || right->class == TERM_OTHER);
    bool numbers = left->class == TERM_NUMBER && right->class == TERM_NUMBER;
    enum binary_op op = comparisons[comparison].op;
    if (!texts && !numbers) {
        return NULL;
    }
    if (op == BINARY_NOT_EQUAL && !(left->filled && right->filled)) {
        return "IS DISTINCT FROM";
    }
    if (op == BINARY_EQUAL && !left->filled && !right->filled) {
        return "IS NOT DISTINCT FROM";
    }
    return comparisons[comparison].sql;
}

static bool is_order(enum binary_op op) { return op != BINARY_EQUAL && op != BINARY_NOT_EQUAL; }

/* A float's column needs the constant as a constant of its own type: real 0.1 is not numeric 0.1.
 */
static void add_right(const struct term *left, const struct term *right, const char *text,
                      struct strbuf *out)
{
    bool quotes = right->literal && right->class == TERM_NUMBER && left->column &&
                  left->column->class == COLUMN_FLOAT && *text != '\'' && *text != ':';
    strbuf_addf(out, quotes ? "'%s'" : "%s", text);
}

static bool write_comparison(struct predicate *to, size_t comparison, const struct residual *a,
                             const struct residual *b, struct strbuf *out)
{
    struct term left;
    struct term right;
    struct strbuf text = {0};
    bool written = term_write(to, a, &left, out) && term_write(to, b, &right, &text);
    const char *op = written ? operator_between(comparison, &left, &right) : NULL;
    if (op) {
        bool texts = left.class != TERM_NUMBER;
        strbuf_adds(out, texts && is_order(comparisons[comparison].op) ? " COLLATE \"C\" " : " ");
        strbuf_addf(out, "%s ", op);
        add_right(&left, &right, strbuf_text(&text), out);
    }
    strbuf_free(&text);
    return op != NULL;
}

/* result.row == (1, "a"): each column. */
static bool write_row_test(struct predicate *to, const struct residual *row, struct value wanted,
                           bool equal, struct strbuf *out)
{
    size_t count = to->statement->columns.count;
    struct cell cell;
    if (!answer_find_row(to, row, &cell) || wanted.as.tuple->count != count || count == 0) {
        return false;
    }
    strbuf_adds(out, count > 1 ? "(" : "");
    for (size_t i = 0; i < count; i++) {
        const struct residual place = {.kind = RESIDUAL_VALUE, .value = value_int((int64_t)i)};
        const struct residual *const parts[] = {row, &place};
        const struct residual item = {.kind = RESIDUAL_INDEX, .parts = parts, .count = 2};
        const struct residual value = {.kind = RESIDUAL_VALUE, .value = wanted.as.tuple->items[i]};
        const struct residual *const sides[] = {&item, &value};
        const struct residual same = {
            .kind = RESIDUAL_BINARY, .op = BINARY_EQUAL, .parts = sides, .count = 2};
        strbuf_adds(out, i == 0 ? "" : equal ? " AND " : " OR ");
        if (!write_condition(to, &same, !equal, out)) {
            return false;
        }
    }
    strbuf_adds(out, count > 1 ? ")" : "");
    return true;
}

static bool write_compared(struct predicate *to, const struct residual *residual, size_t comparison,
                           struct strbuf *out)
{
    const struct residual *a = residual->parts[0];
    const struct residual *b = residual->parts[1];
    if (a->kind == RESIDUAL_VALUE) { /* 1 == result.value reads better the other way round */
        comparison = comparison_of(comparisons[comparison].turned);
        a = residual->parts[1];
        b = residual->parts[0];
    }
    bool equal = comparisons[comparison].op == BINARY_EQUAL;
    if (is_order(comparisons[comparison].op)) {
        return write_comparison(to, comparison, a, b, out);
    }
    if (is_value(b, VALUE_NONE)) {
        return write_null_test(to, a, equal, out);
    }
    if (is_value(b, VALUE_BOOL)) {
        return write_bool_test(to, a, equal, value_truth(b->value), out);
    }
    if (is_value(b, VALUE_TUPLE)) {
        return write_row_test(to, a, b->value, equal, out);
    }
    if (is_value(b, VALUE_LIST) && b->value.as.list->count == 0 && answer_is_rows(a)) {
        count_write(to, out);
        strbuf_adds(out, equal ? " = 0" : " > 0");
        return true;
    }
    return write_comparison(to, comparison, a, b, out);
}

/* Membership. */

struct members {
    bool none; /* None is one of them */
    size_t count;
};

static bool add_member(struct predicate *to, enum term_class class, struct value item,
                       struct members *members, struct strbuf *out)
{
    struct term term;
    if (item.type == VALUE_NONE) {
        members->none = true;
        return true;
    }
    strbuf_adds(out, members->count++ ? ", " : "");
    return constant_write(to, item, &term, out) &&
           (class == TERM_NUMBER) == (term.class == TERM_NUMBER);
}

static bool write_members(struct predicate *to, enum term_class class, struct value container,
                          struct members *members, struct strbuf *out)
{
    struct value_iter iter;
    struct value item;
    struct error ignored = {0};
    if (container.type == VALUE_STRING ||
        !value_iter_begin(&iter, container, &to->script->arena, &ignored)) {
        return false;
    }
    bool written = true;
    while (written && value_iter_next(&iter, &item)) {
        written = add_member(to, class, item, members, out);
    }
    value_iter_end(&iter);
    return written;
}

/* The model knows whether NULL is among them; to SQL's IN that is unknown. */
static void add_membership(const char *term, const char *list, const struct members *members,
                           bool inside, struct strbuf *out)
{
    if (members->count == 0 && !members->none) {
        strbuf_adds(out, inside ? "false" : "true");
    } else if (members->count == 0) {
        strbuf_addf(out, "%s%s", term, inside ? " IS NULL" : " IS NOT NULL");
    } else if (inside) {
        strbuf_addf(out, members->none ? "(%s IN (%s) OR %s IS NULL)" : "%s IN (%s)", term, list,
                    term);
    } else if (members->none) {
        strbuf_addf(out, "%s NOT IN (%s)", term, list); /* of NULL NULL, which is not true */
    } else {
        strbuf_addf(out, "(%s NOT IN (%s) OR %s IS NULL)", term, list, term);
    }
}

/* "@" in result.value */
static bool write_part_test(struct predicate *to, const struct residual *part,
                            const struct residual *whole, bool inside, struct strbuf *out)
{
    struct term text;
    struct term found;
    strbuf_adds(out, "strpos(");
    bool written = term_write(to, whole, &text, out) && text.class == TERM_TEXT && !text.literal;
    strbuf_adds(out, ", ");
    written = written && term_write(to, part, &found, out) && found.class == TERM_TEXT;
    strbuf_adds(out, inside ? ") > 0" : ") = 0");
    return written;
}

static bool write_membership(struct predicate *to, const struct residual *residual, bool inside,
                             struct strbuf *out)
{
    const struct residual *item = residual->parts[0];
    const struct residual *container = residual->parts[1];
    if (is_value(item, VALUE_STRING)) {
        return write_part_test(to, item, container, inside, out);
    }
    struct strbuf list = {0};
    struct strbuf text = {0};
    struct members members = {0};
    struct term term;
    bool written = container->kind == RESIDUAL_VALUE && term_write(to, item, &term, &text) &&
                   term.class != TERM_BOOL && term.class != TERM_OPAQUE &&
                   write_members(to, term.class, container->value, &members, &list);
    if (written) {
        add_membership(strbuf_text(&text), strbuf_text(&list), &members, inside, out);
    }
    strbuf_free(&list);
    strbuf_free(&text);
    return written;
}

/* Conditions. */

/* all(row.n > 0 for row in result.rows): no row is there for which it is not true. */
static bool write_quantified(struct predicate *to, const struct residual *residual, bool negated,
                             struct strbuf *out)
{
    const struct residual *each = residual->parts[0];
    bool all = strcmp(residual->name, "all") == 0;
    if (each->kind != RESIDUAL_EACH || !answer_is_rows(each->parts[1]) || to->each) {
        return false;
    }
    to->others = true;
    to->each = each;
    strbuf_adds(out, all == negated ? "EXISTS (SELECT" : "NOT EXISTS (SELECT");
    answer_write_from(to, out);
    bool written = filters_write(to, each, out);
    strbuf_adds(out, each->count > 2 ? " AND (" : " WHERE (");
    written = written && write_condition(to, each->parts[0], false, out);
    strbuf_adds(out, all ? ") IS NOT TRUE)" : "))");
    to->each = NULL;
    return written;
}

static bool write_joined(struct predicate *to, const struct residual *residual, bool negated,
                         struct strbuf *out)
{
    bool is_or = (residual->kind == RESIDUAL_OR) != negated;
    for (size_t i = 0; i < residual->count; i++) {
        const struct residual *part = residual->parts[i];
        bool nested =
            part->kind == RESIDUAL_AND || part->kind == RESIDUAL_OR || part->kind == RESIDUAL_NOT;
        strbuf_adds(out, i == 0 ? "" : is_or ? " OR " : " AND ");
        strbuf_adds(out, nested ? "(" : "");
        if (!write_condition(to, part, negated, out)) {
            return false;
        }
        strbuf_adds(out, nested ? ")" : "");
    }
    return true;
}

/* A term where a condition is wanted. */
static bool write_truth(struct predicate *to, const struct residual *residual, bool negated,
                        struct strbuf *out)
{
    struct strbuf text = {0};
    struct term term;
    bool written = term_write(to, residual, &term, &text) && !term.literal;
    const char *value = strbuf_text(&text);
    if (written && term.class == TERM_BOOL) {
        strbuf_addf(out, "%s%s", value, negated ? " IS NOT TRUE" : "");
    } else if (written && term.class == TERM_NUMBER) {
        strbuf_addf(out, negated ? "coalesce(%s, 0) = 0" : "%s <> 0", value);
    } else if (written && term.class == TERM_TEXT) {
        strbuf_addf(out, negated ? "coalesce(%s, '') = ''" : "%s <> ''", value);
    } else {
        written = false;
    }
    strbuf_free(&text);
    return written;
}

static bool write_starts(struct predicate *to, const struct residual *residual, bool negated,
                         struct strbuf *out)
{
    struct term text;
    struct term start;
    if (strcmp(residual->name, "startswith") != 0 || residual->count != 2) {
        return false;
    }
    strbuf_adds(out, negated ? "NOT starts_with(" : "starts_with(");
    bool written = term_write(to, residual->parts[0], &text, out) && text.class == TERM_TEXT;
    strbuf_adds(out, ", ");
    written = written && term_write(to, residual->parts[1], &start, out);
    strbuf_addc(out, ')');
    return written && start.class == TERM_TEXT;
}

static bool write_binary(struct predicate *to, const struct residual *residual, bool negated,
                         struct strbuf *out)
{
    if (residual->op == BINARY_IN || residual->op == BINARY_NOT_IN) {
        return write_membership(to, residual, (residual->op == BINARY_IN) != negated, out);
    }
    size_t comparison = comparison_of(residual->op);
    if (comparison == COMPARISONS) {
        return write_truth(to, residual, negated, out);
    }
    if (negated) {
        comparison = comparison_of(comparisons[comparison].inverse);
    }
    return write_compared(to, residual, comparison, out);
}

static bool write_condition(struct predicate *to, const struct residual *residual, bool negated,
                            struct strbuf *out)
{
    switch (residual->kind) {
    case RESIDUAL_VALUE:
        strbuf_adds(out, value_truth(residual->value) != negated ? "true" : "false");
        return true;
    case RESIDUAL_NOT:
        return write_condition(to, residual->parts[0], !negated, out);
    case RESIDUAL_AND:
    case RESIDUAL_OR:
        return write_joined(to, residual, negated, out);
    case RESIDUAL_BINARY:
        return write_binary(to, residual, negated, out);
    case RESIDUAL_METHOD:
        return write_starts(to, residual, negated, out);
    case RESIDUAL_CALL:
        if (residual->count == 1 &&
            (!strcmp(residual->name, "all") || !strcmp(residual->name, "any"))) {
            return write_quantified(to, residual, negated, out);
        }
        return write_truth(to, residual, negated, out);
    case RESIDUAL_ATTR:
        if (answer_is_rows(residual)) {
            count_write(to, out);
            strbuf_adds(out, negated ? " = 0" : " > 0");
            return true;
        }
        return write_truth(to, residual, negated, out);
    case RESIDUAL_LOCAL:
    case RESIDUAL_VARIABLE:
    case RESIDUAL_INDEX:
    case RESIDUAL_MINUS:
    case RESIDUAL_EACH:
    default:
        return write_truth(to, residual, negated, out);
    }
}

bool predicate_write(struct predicate *to, const struct residual *residual, struct strbuf *out)
{
    struct strbuf text = {0};
    to->form = PREDICATE_ANY;
    to->condition = write_condition;
    bool written = residual && write_condition(to, residual, false, &text);
    if (written && !to->others && to->counts != to->only) {
        strbuf_clear(&text);
        to->form = to->counts ? PREDICATE_COUNT : PREDICATE_ROW;
        written = write_condition(to, residual, false, &text);
    }
    if (written) {
        strbuf_add(out, strbuf_text(&text), text.size);
    }
    strbuf_free(&text);
    return written;
}
