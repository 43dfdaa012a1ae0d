/* Accepts only checks that SQL can express exactly: a comparison of the answer's only value, or of
 * its number of rows, with a value that is the same in each run of the script. */
#include "replay/recording/record_check.h"

#include "lang/syntax/ast.h"

#include <string.h>

enum { FLOAT_INTEGER_MAX = 1 << 30 }; /* far below where a float has gaps between integers */

static bool evaluate(const struct untrue_check *check, struct expr *expr, struct arena *arena,
                     struct value *out)
{
    struct error ignored;
    return lang_look_at(check->state, check->code, expr, check->locals, arena, out, &ignored);
}

bool check_reads_answer(const struct untrue_check *check, struct arena *arena)
{
    struct value ignored;
    return !evaluate(check, lang_expression(check->code), arena, &ignored);
}

/* True for result.NAME. */
static bool is_result(const struct untrue_check *check, const struct expr *expr, const char *name)
{
    const struct expr *object = expr->kind == EXPR_ATTR ? expr->items[0] : NULL;
    return object && strcmp(expr->as.attr.name, name) == 0 && object->kind == EXPR_NAME &&
           object->as.name.binding == BIND_STEP && object->as.name.slot == check->slot;
}

static bool is_small(struct value value)
{
    return value.type == VALUE_INT && !(value.flags & VALUE_BIG) &&
           value.as.integer <= FLOAT_INTEGER_MAX && value.as.integer >= -FLOAT_INTEGER_MAX;
}

/* The cast with which SQL compares the column and the value like the model; NULL if there is none.
 * For some types, a cast to text differs from the model's text. */
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
        return is_small(value) ? "::pg_catalog.text::pg_catalog.float8" : NULL;
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

static bool make_value(const struct recording_text *recording, struct value value,
                       struct recorded_value *out)
{
    struct arena *arena = recording->arena;
    struct error ignored;
    struct strbuf text = {0};
    if (value.type == VALUE_STRING) {
        return recorded_value_make(recording, (struct text_form){0}, value, out, &ignored);
    }
    value_str(value, &text);
    *out = (struct recorded_value){.type = value.type == VALUE_BOOL ? "boolean" : "integer"};
    *VEC_PUSH(arena, &out->parts) = (struct recorded_part){
        .text = strbuf_copy(&text, arena), .size = text.size, .cell = value_origin(value)};
    strbuf_free(&text);
    return true;
}

/* Reads the left side: `counts` is true for the number of rows. */
static bool read_subject(const struct untrue_check *check, const struct expr *expr, bool *counts)
{
    const struct answer *answer = check->answer;
    *counts = is_result(check, expr, "count");
    return *counts ? answer->count >= 0 &&
                         (answer->column_count == 0 || answer->count == (int64_t)answer->row_count)
                   : answer->column_count == 1 && is_result(check, expr, "value");
}

/* Reads a constant, or a variable of the model. */
static bool read_constant(const struct untrue_check *check, struct expr *expr, struct arena *arena,
                          struct value *out)
{
    return (expr->kind == EXPR_CONSTANT || expr->kind == EXPR_NAME) &&
           evaluate(check, expr, arena, out);
}

const struct recorded_comparison *record_comparison(const struct recording_text *recording,
                                                    const struct untrue_check *check)
{
    static const char *const operators[BINARY_OPS] = {
        [BINARY_EQUAL] = "=",       [BINARY_NOT_EQUAL] = "<>", [BINARY_LESS] = "<",
        [BINARY_LESS_EQUAL] = "<=", [BINARY_GREATER] = ">",    [BINARY_GREATER_EQUAL] = ">="};
    const struct expr *expr = lang_expression(check->code);
    struct recorded_comparison *out = ARENA_NEW(recording->arena, struct recorded_comparison);
    struct value constant;
    *out = (struct recorded_comparison){0};
    if (expr->kind != EXPR_BINARY || expr->count != 2 ||
        !read_subject(check, expr->items[0], &out->counts) ||
        !read_constant(check, expr->items[1], recording->arena, &constant)) {
        return NULL;
    }
    enum binary_op op = expr->as.operators[0].op;
    bool equality = op == BINARY_EQUAL || op == BINARY_NOT_EQUAL;
    bool none = equality && constant.type == VALUE_NONE;
    out->op = operators[op];
    out->null = equality && none != (op == BINARY_NOT_EQUAL);
    out->value.null = none;
    out->cast = out->counts ? (is_small(constant) ? "" : NULL)
                : none      ? ""
                            : cast_for(&check->answer->columns[0], constant);
    bool asked = out->op && out->cast && (none || make_value(recording, constant, &out->value));
    return asked ? out : NULL;
}
