#include "schema/types.h"

#include "base/names.h"
#include "value/number/numeric.h"

#include <assert.h>
#include <string.h>

#define OCTET "(\\d|[1-9]\\d|1\\d\\d|2[0-4]\\d|25[0-5])"
#define OCTETS OCTET "\\." OCTET "\\." OCTET "\\."
#define WORD16 "[1-9a-f][0-9a-f]{0,3}"
#define PLUS "[1-9]\\d{0,3}(\\.[1-9])?"
#define NUMBER "(0|-?" PLUS ")"
#define POINT "\\(" NUMBER "," NUMBER "\\)"

static const struct type_row types[] = {
    {"int2", TYPE_INT2, NULL},
    {"int4", TYPE_INT4, NULL},
    {"int8", TYPE_INT8, NULL},
    {"oid", TYPE_OID, NULL},
    {"numeric", TYPE_NUMERIC, NULL},
    {"money", TYPE_MONEY, NULL},
    {"float4", TYPE_FLOAT, NULL},
    {"float8", TYPE_FLOAT, NULL},
    {"text", TYPE_TEXT, NULL},
    {"varchar", TYPE_TEXT, NULL},
    {"bpchar", TYPE_TEXT, NULL},
    {"citext", TYPE_TEXT, NULL},
    {"name", TYPE_NAME, NULL},
    {"char", TYPE_PATTERN, "[0-9A-Za-z !-/]"},
    {"date", TYPE_DATE, NULL},
    {"time", TYPE_TIME, NULL},
    {"timetz", TYPE_TIME, NULL},
    {"timestamp", TYPE_TIMESTAMP, NULL},
    {"timestamptz", TYPE_TIMESTAMP, NULL},
    {"interval", TYPE_INTERVAL, NULL},
    {"bool", TYPE_BOOL, NULL},
    {"bytea", TYPE_BYTES, NULL},
    {"bit", TYPE_BITS, NULL},
    {"varbit", TYPE_BITS, NULL},
    {"uuid", TYPE_UUID, NULL},
    {"json", TYPE_JSON, NULL},
    {"jsonb", TYPE_JSON, NULL},
    {"xml", TYPE_PATTERN, "<a>[a-z ]{0,9}</a>|<b/>|[a-z]{1,9}"},
    {"inet", TYPE_PATTERN, OCTETS OCTET "(/(\\d|[12]\\d|3[01]))?|" WORD16 "(:" WORD16 "){7}"},
    {"cidr", TYPE_PATTERN, OCTETS "(0/24|" OCTET "/32)"},
    {"macaddr", TYPE_PATTERN, "[0-9a-f]{2}(:[0-9a-f]{2}){5}"},
    {"macaddr8", TYPE_PATTERN, "[0-9a-f]{2}(:[0-9a-f]{2}){7}"},
    {"tsvector", TYPE_PATTERN, "('[a-m]{1,5}'( '[n-z]{1,5}')?)?"},
    {"tsquery", TYPE_PATTERN, "'[a-z]{1,5}'( [&|] '[a-z]{1,5}')?"},
    {"pg_lsn", TYPE_PATTERN, "[1-9A-F][0-9A-F]{0,7}/[1-9A-F][0-9A-F]{0,7}"},
    {"point", TYPE_PATTERN, POINT},
    {"lseg", TYPE_PATTERN, "\\[" POINT "," POINT "\\]"},
    {"box", TYPE_PATTERN, "\\(" PLUS "," PLUS "\\),\\(-" PLUS ",-" PLUS "\\)"},
    {"line", TYPE_PATTERN, "\\{" PLUS "," NUMBER "," NUMBER "\\}"},
    {"path", TYPE_PATTERN, "\\(" POINT "," POINT "\\)|\\[" POINT "," POINT "\\]"},
    {"polygon", TYPE_PATTERN, "\\(" POINT "," POINT "," POINT "\\)"},
    {"circle", TYPE_PATTERN, "<" POINT "," PLUS ">"},
    {"hstore", TYPE_PATTERN, "(\"[a-z]{1,3}\"=>(\"[a-z]{0,5}\"|NULL))?"},
    {"ltree", TYPE_PATTERN, "[a-z]{1,5}(\\.[a-z]{1,5}){0,3}"},
};

const struct type_row *type_row(const struct column_facts *column)
{
    assert(column->type != NULL);
    size_t index = name_index(column->type, ROWS_IN(types, name));
    return index < sizeof types / sizeof *types ? &types[index] : NULL;
}

/* Of a type without a row: a pattern that is not known. */
static enum type_form form_of(const struct column_facts *column)
{
    const struct type_row *row = type_row(column);
    return row ? row->form : TYPE_PATTERN;
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
    if (form <= TYPE_FLOAT) {
        value = check_number(arena, text, &value) ? value : value_none();
        bool real = form == TYPE_FLOAT && value.type != VALUE_NONE;
        return real ? value_float(number_to_double(value)) : value;
    }
    if (form == TYPE_BOOL) {
        return value_bool(text[0] == 't');
    }
    bool zoned = (form == TYPE_TIME || form == TYPE_TIMESTAMP) && size > 3 &&
                 strcmp(text + size - 3, "+00") == 0; /* the zone is UTC's */
    return zoned ? value_string(arena, text, size - 3) : value;
}

bool column_is_ordered(const struct column_facts *column)
{
    return column->shape == SHAPE_SCALAR &&
           (column->labels.count > 0 || form_of(column) < TYPE_UNORDERED);
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
    bool known = column->labels.count > 0 || type_row(column) != NULL ||
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
