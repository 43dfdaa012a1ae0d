/*
 * Only what SQL can ask exactly is taken: what the script then calls fixed is fixed for the model,
 * too. A part of the check that does not depend on the answer is one that can be evaluated without
 * it.
 */
#include "replay/recording/record_check.h"

#include "base/words.h"
#include "lang/syntax/ast.h"
#include "value/walk.h"

#include <string.h>

enum { FLOAT_INTEGER_MAX = 1 << 30 }; /* far below where a float has gaps between integers */

struct reading {
    const struct untrue_check *check;
    const struct recording_text *recording;
    struct recorded_check *out;
};

static bool is_computed(const struct reading *reading, struct expr *expr);

static bool evaluate(const struct untrue_check *check, struct expr *expr, struct arena *arena,
                     struct value *out)
{
    struct error ignored;
    return lang_look_at(check->state, check->code, expr, check->locals, arena, out, &ignored);
}

/* Whether the database made it up, or a part of it. */
static bool holds_made_up(struct walk *walk, struct value value)
{
    if (value_origin(value)) {
        return true;
    }
    if (!walk_enter(walk, value)) {
        return true; /* who knows */
    }
    struct value_parts parts = {.of = value};
    struct value part;
    bool made_up = false;
    while (!made_up && value_parts_next(&parts, &part)) {
        made_up = holds_made_up(walk, part);
    }
    walk_leave(walk);
    return made_up;
}

static bool is_made_up(struct value value) { return holds_made_up(&(struct walk){0}, value); }

/* What a function of the machine, or a comprehension, may read. */
static bool reads_made_up(const struct reading *reading)
{
    const struct lang_state *state = reading->check->state;
    bool made_up = false;
    for (size_t i = 0; i < reading->check->count && !made_up; i++) {
        struct value value = reading->check->locals[i];
        made_up = !is_unset(value) && is_made_up(value);
    }
    for (size_t i = 0; i < lang_module_global_count(state->module) && !made_up; i++) {
        struct value value;
        made_up = lang_get_global(state, i, &value) && is_made_up(value);
    }
    return made_up;
}

/* Of a call; NULL: a function of the machine's own. */
static const char *called(const struct expr *expr)
{
    const struct expr *callee = expr->items[0];
    return callee->kind == EXPR_ATTR ? callee->as.attr.name
           : callee->kind == EXPR_NAME && callee->as.name.binding == BIND_VALUE
               ? callee->as.name.name
               : NULL;
}

/* Whether its value is one of its parts, or made of them as they are, or a number of them: so that
 * what is made up in it is still known as such. */
static bool keeps_parts(const struct reading *reading, const struct expr *expr)
{
    static const char calls[] = "len|list|tuple|set|bag|reversed|keys|values|items|get";
    struct value value;
    switch (expr->kind) {
    case EXPR_CONSTANT:
    case EXPR_NAME:
    case EXPR_TUPLE:
    case EXPR_LIST:
    case EXPR_SET:
    case EXPR_DICT:
    case EXPR_CONDITIONAL:
    case EXPR_ATTR:
        return true;
    case EXPR_INDEX:
        return evaluate(reading->check, expr->items[0], reading->recording->arena, &value) &&
               value.type != VALUE_STRING && value.type != VALUE_BYTES;
    case EXPR_CALL:
        return called(expr) && word_is_in(called(expr), calls);
    case EXPR_COMPREHENSION:
    case EXPR_UNARY:
    case EXPR_BINARY:
    case EXPR_LOGICAL:
    case EXPR_LAMBDA:
    case EXPR_SLICE:
    case EXPR_KINDS:
    default:
        return false;
    }
}

typedef bool part_test(const struct reading *reading, struct expr *part);

static bool any_part(const struct reading *reading, const struct expr *expr, part_test *test)
{
    bool any = false;
    for (size_t i = 0; i < expr->count && !any; i++) {
        struct expr *part = expr->items[i];
        if (expr->kind == EXPR_CALL && i == 0) { /* of a method its object */
            part = part->kind == EXPR_ATTR ? part->items[0] : NULL;
        }
        any = part && test(reading, part);
    }
    return any;
}

/* Whether it is made up, or follows from what is. */
static bool depends(const struct reading *reading, struct expr *expr)
{
    struct value value;
    if (keeps_parts(reading, expr)) {
        return !evaluate(reading->check, expr, reading->recording->arena, &value) ||
               is_made_up(value) || any_part(reading, expr, is_computed);
    }
    bool own = expr->kind == EXPR_COMPREHENSION || expr->kind == EXPR_LAMBDA ||
               (expr->kind == EXPR_CALL && !called(expr));
    return (own && reads_made_up(reading)) || any_part(reading, expr, depends);
}

/* Whether something in it was worked out from what is made up, and does not show it. */
static bool is_computed(const struct reading *reading, struct expr *expr)
{
    return keeps_parts(reading, expr) ? any_part(reading, expr, is_computed)
                                      : depends(reading, expr);
}

/* A part that is the same in another run of the script: `first + 1` is not, where the database made
 * up `first`. */
static bool read_constant(const struct reading *reading, struct expr *expr, struct value *out)
{
    return evaluate(reading->check, expr, reading->recording->arena, out) &&
           !is_computed(reading, expr);
}

/* Parts of the answer. */

/* Whether it is result.NAME. */
static bool is_result(const struct reading *reading, const struct expr *expr, const char *name)
{
    const struct expr *object = expr->kind == EXPR_ATTR ? expr->items[0] : NULL;
    return object && strcmp(expr->as.attr.name, name) == 0 && object->kind == EXPR_NAME &&
           object->as.name.binding == BIND_STEP && object->as.name.slot == reading->check->slot;
}

static bool find_name(const struct answer *answer, const char *name, size_t *out)
{
    size_t found = 0;
    for (size_t i = 0; i < answer->column_count; i++) {
        if (strcmp(answer->columns[i].name, name) == 0) {
            *out = i;
            found++;
        }
    }
    return found == 1;
}

/* result.row[0], result.row["name"] */
static bool find_index(const struct reading *reading, struct expr *index, size_t *out)
{
    const struct answer *answer = reading->check->answer;
    const int64_t count = (int64_t)answer->column_count;
    struct value value;
    if (!read_constant(reading, index, &value)) {
        return false;
    }
    if (value.type == VALUE_STRING) {
        return find_name(answer, value_cstr(value), out);
    }
    if (value.type != VALUE_INT || (value.flags & VALUE_BIG)) {
        return false;
    }
    *out = (size_t)(value.as.integer < 0 ? value.as.integer + count : value.as.integer);
    return value.as.integer >= -count && value.as.integer < count;
}

static bool is_length_of_rows(const struct reading *reading, const struct expr *expr)
{
    const struct expr *callee = expr->kind == EXPR_CALL ? expr->items[0] : NULL;
    return callee && callee->kind == EXPR_NAME && callee->as.name.binding == BIND_VALUE &&
           strcmp(callee->as.name.name, "len") == 0 && expr->as.call.arg_count == 1 &&
           is_result(reading, expr->items[1], "rows");
}

/* What is compared. */
static bool read_subject(const struct reading *reading, const struct expr *expr,
                         struct recorded_comparison *out)
{
    const struct answer *answer = reading->check->answer;
    if (is_result(reading, expr, "count")) {
        out->counts = true;
        return answer->count >= 0 &&
               (answer->column_count == 0 || answer->count == (int64_t)answer->row_count);
    }
    if (is_length_of_rows(reading, expr)) {
        out->counts = true;
        return answer->column_count > 0;
    }
    if (is_result(reading, expr, "value")) {
        return answer->column_count == 1;
    }
    if (expr->kind == EXPR_ATTR && is_result(reading, expr->items[0], "row")) {
        return find_name(answer, expr->as.attr.name, &out->column);
    }
    return expr->kind == EXPR_INDEX && is_result(reading, expr->items[0], "row") &&
           find_index(reading, expr->items[1], &out->column);
}

/* Comparisons. */

static const struct {
    const char *sql;
    enum binary_op inverse; /* holds where it does not */
    enum binary_op turned;  /* with its sides exchanged */
} operators[BINARY_OPS] = {
    [BINARY_EQUAL] = {"=", BINARY_NOT_EQUAL, BINARY_EQUAL},
    [BINARY_NOT_EQUAL] = {"<>", BINARY_EQUAL, BINARY_NOT_EQUAL},
    [BINARY_LESS] = {"<", BINARY_GREATER_EQUAL, BINARY_GREATER},
    [BINARY_LESS_EQUAL] = {"<=", BINARY_GREATER, BINARY_GREATER_EQUAL},
    [BINARY_GREATER] = {">", BINARY_LESS_EQUAL, BINARY_LESS},
    [BINARY_GREATER_EQUAL] = {">=", BINARY_LESS, BINARY_LESS_EQUAL},
    [BINARY_IN] = {"IN", BINARY_NOT_IN, BINARY_OPS},
    [BINARY_NOT_IN] = {"NOT IN", BINARY_IN, BINARY_OPS},
};

static bool is_small(struct value value)
{
    return value.type == VALUE_INT && !(value.flags & VALUE_BIG) &&
           value.as.integer <= FLOAT_INTEGER_MAX && value.as.integer >= -FLOAT_INTEGER_MAX;
}

/* The cast with which a column is compared with the value as the model compares them; NULL: there
 * is none. Casts of some types to text do not give what the model has. */
static const char *cast_for(const struct answer_column *column, struct value value)
{
    static const char *const other[] = {"bpchar", "\"char\"", "inet", "cidr"};
    const char *type = column->type_name;
    bool text = value.type == VALUE_STRING;
    switch (column->class) {
    case COLUMN_NUMBER:
        if (value.type == VALUE_BOOL) {
            return strcmp(type, "boolean") == 0 ? "" : NULL;
        }
        return (value.type == VALUE_INT || value.type == VALUE_NUMERIC) &&
                       strcmp(type, "boolean") != 0 && strcmp(type, "oid") != 0
                   ? "::numeric"
                   : NULL;
    case COLUMN_FLOAT:
        return value.type == VALUE_FLOAT || is_small(value) ? "::pg_catalog.text::pg_catalog.float8"
                                                            : NULL;
    case COLUMN_OTHER:
        for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
            text = text && strncmp(type, other[i], strlen(other[i])) != 0;
        }
        return text ? "::pg_catalog.text COLLATE pg_catalog.\"C\"" : NULL;
    case COLUMN_TEXT:
        return text ? "::pg_catalog.text COLLATE pg_catalog.\"C\"" : NULL;
    case COLUMN_JSON:
    case COLUMN_BYTES:
    case COLUMN_CONTAINER:
    default:
        return NULL;
    }
}

static bool add_value(const struct reading *reading, struct value value,
                      struct recorded_comparison *to)
{
    struct arena *arena = reading->recording->arena;
    const struct answer_column *column = &reading->check->answer->columns[to->column];
    struct error ignored;
    struct strbuf text = {0};
    to->cast = to->counts ? "" : cast_for(column, value);
    if (!to->cast || (to->counts && !is_small(value))) {
        return false;
    }
    struct recorded_value *out = VEC_PUSH(arena, &to->values);
    *out = (struct recorded_value){.type = value.type == VALUE_BOOL ? "boolean" : "integer"};
    if (value.type == VALUE_STRING) {
        return recorded_value_make(reading->recording, (struct text_form){0}, value, out, &ignored);
    }
    value_str(value, &text);
    *VEC_PUSH(arena, &out->parts) = (struct recorded_part){
        .text = strbuf_copy(&text, arena), .size = text.size, .cell = value_origin(value)};
    strbuf_free(&text);
    return true;
}

/* Of IN and NOT IN. */
static bool add_values(const struct reading *reading, struct value container, bool *none,
                       struct recorded_comparison *to)
{
    struct value_iter iter;
    struct value item;
    struct error ignored;
    if (!value_iter_begin(&iter, container, reading->recording->arena, &ignored)) {
        return false;
    }
    bool added = iter.count > 0;
    while (added && value_iter_next(&iter, &item)) {
        *none = *none || item.type == VALUE_NONE;
        added = item.type == VALUE_NONE || add_value(reading, item, to);
    }
    value_iter_end(&iter);
    return added;
}

static bool add_comparison(const struct reading *reading, enum binary_op op, struct value value,
                           struct recorded_comparison *comparison)
{
    bool equality = op == BINARY_EQUAL || op == BINARY_NOT_EQUAL;
    bool none = equality && value.type == VALUE_NONE;
    comparison->op = operators[op].sql;
    if (op == BINARY_IN || op == BINARY_NOT_IN) {
        equality = true;
        if (!add_values(reading, value, &none, comparison)) {
            return false;
        }
    } else if (!none && !add_value(reading, value, comparison)) {
        return false;
    }
    comparison->null = equality && none != (op == BINARY_NOT_EQUAL || op == BINARY_NOT_IN);
    *VEC_PUSH(reading->recording->arena, &reading->out->comparisons) = *comparison;
    return !(none && comparison->counts);
}

/* What the model takes for false in a column, but None. */
static struct value zero_of(const struct answer_column *column, struct arena *arena)
{
    bool number = column->class == COLUMN_NUMBER || column->class == COLUMN_FLOAT;
    return !number                                     ? value_text(arena, "")
           : strcmp(column->type_name, "boolean") == 0 ? value_bool(false)
                                                       : value_int(0);
}

/* A part of the answer, where a condition is expected. */
static bool read_truth(const struct reading *reading, const struct expr *expr, bool negated)
{
    struct arena *arena = reading->recording->arena;
    struct recorded_comparison comparison = {0};
    bool rows = is_result(reading, expr, "rows");
    comparison.counts = rows;
    if (!rows && !read_subject(reading, expr, &comparison)) {
        return false;
    }
    if (comparison.counts) {
        return add_comparison(reading, negated ? BINARY_EQUAL : BINARY_NOT_EQUAL, value_int(0),
                              &comparison);
    }
    struct value falses = value_list(arena);
    list_append(falses.as.list, value_none());
    list_append(falses.as.list,
                zero_of(&reading->check->answer->columns[comparison.column], arena));
    return add_comparison(reading, negated ? BINARY_IN : BINARY_NOT_IN, falses, &comparison);
}

static bool read_binary(const struct reading *reading, const struct expr *binary, bool negated)
{
    struct recorded_comparison comparison = {0};
    struct expr *subject = binary->items[0];
    struct expr *other = binary->items[1];
    enum binary_op op = binary->as.operators[0].op;
    struct value value;
    if (binary->count != 2 || !operators[op].sql) {
        return false;
    }
    if (read_constant(reading, subject, &value)) {
        subject = other;
        op = operators[op].turned;
    } else if (!read_constant(reading, other, &value)) {
        return false;
    }
    if (op == BINARY_OPS) {
        return false;
    }
    op = negated ? operators[op].inverse : op;
    if (is_result(reading, subject, "rows") && value.type == VALUE_LIST &&
        value.as.list->count == 0 && (op == BINARY_EQUAL || op == BINARY_NOT_EQUAL)) {
        return read_truth(reading, subject, op == BINARY_EQUAL);
    }
    return read_subject(reading, subject, &comparison) &&
           add_comparison(reading, op, value, &comparison);
}

static bool read_condition(const struct reading *reading, struct expr *expr, bool negated)
{
    struct value value;
    if (read_constant(reading, expr, &value)) {
        return value_truth(value) != negated;
    }
    if (expr->kind == EXPR_UNARY && expr->as.unary == UNARY_NOT) {
        return read_condition(reading, expr->items[0], !negated);
    }
    if (expr->kind == EXPR_BINARY) {
        return read_binary(reading, expr, negated);
    }
    if (expr->kind != EXPR_LOGICAL) {
        return read_truth(reading, expr, negated);
    }
    /* One of several has other rules where there is not one row, or NULL. */
    bool read = expr->as.is_or == negated;
    for (size_t i = 0; i < expr->count && read; i++) {
        read = read_condition(reading, expr->items[i], negated);
    }
    return read;
}

bool check_reads_answer(const struct untrue_check *check, struct arena *arena)
{
    struct value ignored;
    return !evaluate(check, lang_expression(check->code), arena, &ignored);
}

void record_comparisons(const struct recording_text *recording, const struct untrue_check *check,
                        struct recorded_check *out)
{
    const struct reading reading = {check, recording, out};
    if (!read_condition(&reading, lang_expression(check->code), false)) {
        out->comparisons.count = 0;
    }
}
