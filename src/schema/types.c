#include "schema/types.h"

#include "value/number/numeric.h"

#include <assert.h>
#include <string.h>

const struct pgtype *column_type(const struct column_facts *column)
{
    assert(column->type != NULL);
    const struct pgtype *type = pgtype_named(column->type);
    return type->form ? type : NULL;
}

/* The form of an unknown type is unknown. */
static enum type_form form_of(const struct column_facts *column)
{
    const struct pgtype *type = column_type(column);
    return type ? type->form : FORM_PATTERN;
}

bool check_number(struct arena *arena, const char *text, struct value *out)
{
    struct error ignored;
    return int_from_text(arena, text, strlen(text), 10, out, &ignored) ||
           numeric_from_text(arena, text, strlen(text), out, &ignored);
}

struct value check_constant(struct arena *arena, const struct column_facts *column,
                            const char *text)
{
    assert(text != NULL);
    enum type_form form = form_of(column);
    size_t size = strlen(text);
    struct value value = value_text(arena, text);
    if (form <= FORM_FLOAT) {
        value = check_number(arena, text, &value) ? value : value_none();
        bool real = form == FORM_FLOAT && value.type != VALUE_NONE;
        return real ? value_float(number_to_double(value)) : value;
    }
    if (form == FORM_BOOL) {
        return value_bool(text[0] == 't');
    }
    bool zoned = (form == FORM_TIME || form == FORM_TIMESTAMP) && size > 3 &&
                 strcmp(text + size - 3, "+00") == 0; /* the time zone is UTC */
    return zoned ? value_string(arena, text, size - 3) : value;
}

bool column_is_ordered(const struct column_facts *column)
{
    return column->shape == SHAPE_SCALAR &&
           (column->labels.count > 0 || form_of(column) < FORM_UNORDERED);
}

const struct check_facts *check_of_kind(const struct column_facts *column, enum check_kind kind)
{
    for (size_t i = 0; i < column->checks.count; i++) {
        if (column->checks.items[i].kind == kind) {
            return &column->checks.items[i];
        }
    }
    return NULL;
}

bool column_is_known(const struct column_facts *column)
{
    bool known = column->labels.count > 0 || column_type(column) != NULL ||
                 check_of_kind(column, CHECK_IN) != NULL;
    if (column->shape != SHAPE_SCALAR) {
        known = true;
    }
    for (size_t i = 0; i < column->parts.count; i++) {
        known = known && column_is_known(&column->parts.items[i]);
    }
    return known;
}

bool column_unknown_type(const struct column_facts *column, struct error *err)
{
    error_set(err, ERROR_MACHINE, "there is no strategy for the type %s of column %s",
              column->type_name, column->name);
    return error_hint(err, "write one yourself, such as sampled_from([\"…\", \"…\"])");
}

bool column_check_type(const struct table_facts *table, const struct column_facts *column,
                       bool alone, struct error *err)
{
    assert(column >= table->columns.items && column < table->columns.items + table->columns.count);
    size_t place = (size_t)(column - table->columns.items);
    bool passed = !alone && (column->left_out || column->has_default || !column->not_null);
    for (size_t i = 0; i < table->keys.count && !passed; i++) {
        passed = key_column(&table->keys.items[i], place) != SIZE_MAX;
    }
    return passed || column_is_known(column) || column_unknown_type(column, err);
}
