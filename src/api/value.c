#include "api/model.h"

#include "base/utf8.h"
#include "value/number/numeric.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct pgfsm_value *lent(const struct value *value)
{
    return (const struct pgfsm_value *)(const void *)value;
}

static struct value value_of(const struct pgfsm_value *value)
{
    return value ? value->value : value_none();
}

static struct pgfsm_value *made(struct pgfsm_call *call, struct value value)
{
    struct pgfsm_value *out = ARENA_NEW(call->arena, struct pgfsm_value);
    out->value = value;
    return out;
}

enum pgfsm_type pgfsm_value_type(const struct pgfsm_value *value)
{
    static const enum pgfsm_type types[VALUE_TYPES] = {
        [VALUE_NONE] = PGFSM_TYPE_NONE,   [VALUE_BOOL] = PGFSM_TYPE_BOOL,
        [VALUE_INT] = PGFSM_TYPE_INT,     [VALUE_NUMERIC] = PGFSM_TYPE_NUMERIC,
        [VALUE_FLOAT] = PGFSM_TYPE_FLOAT, [VALUE_STRING] = PGFSM_TYPE_TEXT,
        [VALUE_BYTES] = PGFSM_TYPE_BYTES, [VALUE_JSON_NULL] = PGFSM_TYPE_OTHER,
        [VALUE_LIST] = PGFSM_TYPE_LIST,   [VALUE_TUPLE] = PGFSM_TYPE_LIST,
        [VALUE_DICT] = PGFSM_TYPE_DICT,   [VALUE_SET] = PGFSM_TYPE_SET,
        [VALUE_BAG] = PGFSM_TYPE_LIST,    [VALUE_MULTIPLE] = PGFSM_TYPE_LIST,
        [VALUE_ERROR] = PGFSM_TYPE_OTHER, [VALUE_OBJECT] = PGFSM_TYPE_OTHER};
    return types[value_of(value).type];
}

/* Arguments and their values in C. */

const struct pgfsm_value *pgfsm_arg(struct pgfsm_call *call, const char *name)
{
    for (size_t i = 0; name && call->params[i].name; i++) {
        if (strcmp(call->params[i].name, name) == 0) {
            return lent(&call->args[i]);
        }
    }
    if (name) {
        call_fail(call, "it has no parameter '%s'", name);
    } else {
        call_fail(call, "pgfsm_arg() was given no name");
    }
    return NULL;
}

/* "argument 'id'", or "a value" that is none. */
static const char *called(const struct pgfsm_call *call, const struct pgfsm_value *value)
{
    for (size_t i = 0; call->params[i].name; i++) {
        if (lent(&call->args[i]) == value) {
            return arena_printf(call->arena, "argument '%s'", call->params[i].name);
        }
    }
    return "a value";
}

/* Notes that the value is not what was asked for. */
static void refuse(struct pgfsm_call *call, const struct pgfsm_value *value, const char *wanted)
{
    if (!call->failed) {
        call_fail(call, "%s is %s, not %s", called(call, value), value_type_name(value_of(value)),
                  wanted);
    }
}

bool pgfsm_value_to_bool(struct pgfsm_call *call, const struct pgfsm_value *value)
{
    struct value is = value_of(value);
    if (is.type != VALUE_BOOL) {
        refuse(call, value, "a bool");
    }
    return is.type == VALUE_BOOL && is.as.boolean;
}

int64_t pgfsm_value_to_int(struct pgfsm_call *call, const struct pgfsm_value *value)
{
    struct value is = value_of(value);
    int64_t out = 0;
    if (is.type != VALUE_INT || !int_fits(is, &out)) {
        refuse(call, value, "an int of 64 bits");
    }
    return out;
}

double pgfsm_value_to_double(struct pgfsm_call *call, const struct pgfsm_value *value)
{
    struct value is = value_of(value);
    if (!value_is_number(is)) {
        refuse(call, value, "a number");
        return 0;
    }
    return number_to_double(is);
}

const char *pgfsm_value_to_text(struct pgfsm_call *call, const struct pgfsm_value *value)
{
    struct value is = value_of(value);
    if (is.type == VALUE_STRING) {
        return value_cstr(is);
    }
    if (value_is_number(is)) {
        struct strbuf text = {0};
        number_text(is, &text);
        return strbuf_take(&text, call->arena);
    }
    if (is.type != VALUE_NONE) {
        refuse(call, value, "a string, a number or None");
        return "";
    }
    return NULL;
}

/* value * 10^places */
static struct value scaled_of(struct pgfsm_call *call, struct value value, unsigned places)
{
    char power[16];
    struct value ten;
    int size = snprintf(power, sizeof power, "1e%u", places);
    bool fine = numeric_from_text(call->arena, power, (size_t)size, &ten, NULL) &&
                number_arith(call->arena, ARITH_MUL, value, ten, &value, NULL);
    return fine ? value : value_none();
}

int64_t pgfsm_value_to_scaled(struct pgfsm_call *call, const struct pgfsm_value *value,
                              unsigned places)
{
    struct value is = value_of(value);
    struct value whole = value_none();
    int64_t out = 0;
    bool exact = is.type == VALUE_INT || is.type == VALUE_NUMERIC;
    struct value scaled = exact ? scaled_of(call, is, places) : value_none();
    if (scaled.type == VALUE_NONE || !int_from_number(call->arena, scaled, &whole, NULL) ||
        number_compare(whole, scaled) != 0 || !int_fits(whole, &out)) {
        refuse(call, value,
               arena_printf(call->arena, "an exact number of at most %u decimal places, in 64 bits",
                            places));
    }
    return out;
}

const void *pgfsm_value_to_bytes(struct pgfsm_call *call, const struct pgfsm_value *value,
                                 size_t *size)
{
    struct value is = value_of(value);
    if (size) {
        *size = is.type == VALUE_BYTES ? is.as.bytes->size : 0;
    }
    if (is.type != VALUE_BYTES && is.type != VALUE_NONE) {
        refuse(call, value, "bytes or None");
    }
    return is.type == VALUE_BYTES ? is.as.bytes->data : NULL;
}

bool pgfsm_arg_bool(struct pgfsm_call *call, const char *name)
{
    const struct pgfsm_value *value = pgfsm_arg(call, name);
    return pgfsm_value_to_bool(call, value);
}

int64_t pgfsm_arg_int(struct pgfsm_call *call, const char *name)
{
    const struct pgfsm_value *value = pgfsm_arg(call, name);
    return pgfsm_value_to_int(call, value);
}

double pgfsm_arg_double(struct pgfsm_call *call, const char *name)
{
    const struct pgfsm_value *value = pgfsm_arg(call, name);
    return pgfsm_value_to_double(call, value);
}

int64_t pgfsm_arg_scaled(struct pgfsm_call *call, const char *name, unsigned places)
{
    const struct pgfsm_value *value = pgfsm_arg(call, name);
    return pgfsm_value_to_scaled(call, value, places);
}

const char *pgfsm_arg_text(struct pgfsm_call *call, const char *name)
{
    const struct pgfsm_value *value = pgfsm_arg(call, name);
    return value ? pgfsm_value_to_text(call, value) : "";
}

/* Items. */

size_t pgfsm_value_count(const struct pgfsm_value *value)
{
    struct value is = value_of(value);
    return value_is_table(is) ? is.as.table->count : value_items(is).count;
}

/* The entry at `index` of a dict or set; NULL if there is none. */
static const struct table_entry *entry_at(struct value table, size_t index)
{
    const struct table *of = table.as.table;
    return table_at(of, table_select(of, index));
}

const struct pgfsm_value *pgfsm_value_item(const struct pgfsm_value *value, size_t index)
{
    struct value is = value_of(value);
    if (index >= pgfsm_value_count(value)) {
        return NULL;
    }
    return lent(value_is_table(is) ? &entry_at(is, index)->key : &value_items(is).items[index]);
}

const struct pgfsm_value *pgfsm_value_item_value(const struct pgfsm_value *value, size_t index)
{
    struct value is = value_of(value);
    bool dict = is.type == VALUE_DICT && index < is.as.table->count;
    return dict ? lent(&entry_at(is, index)->value) : NULL;
}

const struct pgfsm_value *pgfsm_value_field(const struct pgfsm_value *value, const char *name)
{
    struct value is = value_of(value);
    const bool row = is.type == VALUE_TUPLE && is.as.tuple->names;
    if (!name) {
        return NULL;
    }
    for (size_t i = 0; row && i < is.as.tuple->count; i++) {
        if (strcmp(is.as.tuple->names[i], name) == 0) {
            return lent(&is.as.tuple->items[i]);
        }
    }
    const struct table_entry *entry = NULL;
    size_t at = 0;
    while (is.type == VALUE_DICT && (entry = table_next(is.as.table, &at)) &&
           !value_is_string(entry->key, name)) {
    }
    return entry ? lent(&entry->value) : NULL;
}

/* New values. */

struct pgfsm_value *pgfsm_value_bool(struct pgfsm_call *call, bool value)
{
    return made(call, value_bool(value));
}

struct pgfsm_value *pgfsm_value_int(struct pgfsm_call *call, int64_t value)
{
    return made(call, value_int(value));
}

struct pgfsm_value *pgfsm_value_double(struct pgfsm_call *call, double value)
{
    return made(call, value_float(value));
}

struct pgfsm_value *pgfsm_value_numeric(struct pgfsm_call *call, const char *digits)
{
    struct value value = value_none();
    if (!digits) {
        call_fail(call, "pgfsm_value_numeric() was given no text");
    } else if (!numeric_from_text(call->arena, digits, strlen(digits), &value, NULL)) {
        call_fail(call, "pgfsm_value_numeric() was given '%s', which is no number", digits);
    }
    return made(call, value);
}

struct pgfsm_value *pgfsm_value_scaled(struct pgfsm_call *call, int64_t value, unsigned places)
{
    return pgfsm_value_numeric(call, arena_printf(call->arena, "%" PRId64 "e-%u", value, places));
}

struct pgfsm_value *pgfsm_value_text(struct pgfsm_call *call, const char *text)
{
    size_t size = text ? strlen(text) : 0;
    if (!text) {
        return made(call, value_none());
    }
    if (utf8_invalid_at(text, size) < size) {
        call_fail(call, "pgfsm_value_text() was given a text that is not UTF-8");
        size = 0;
    }
    return made(call, value_string(call->arena, text, size));
}

struct pgfsm_value *pgfsm_value_bytes(struct pgfsm_call *call, const void *data, size_t size)
{
    if (!data && size > 0) {
        call_fail(call, "pgfsm_value_bytes() was given a size, but no data");
        size = 0;
    }
    return made(call, value_bytes(call->arena, data, size));
}

struct pgfsm_value *pgfsm_value_tuple(struct pgfsm_call *call,
                                      const struct pgfsm_value *const *items, size_t count)
{
    if (!items && count > 0) {
        call_fail(call, "pgfsm_value_tuple() was given a count, but no items");
        count = 0;
    }
    struct value *values = ARENA_ARRAY(call->arena, struct value, count);
    for (size_t i = 0; i < count; i++) {
        values[i] = value_of(items[i]);
    }
    return made(call, value_tuple(call->arena, values, count));
}

struct pgfsm_value *pgfsm_value_list(struct pgfsm_call *call)
{
    return made(call, value_list(call->arena));
}

struct pgfsm_value *pgfsm_value_set(struct pgfsm_call *call)
{
    return made(call, value_set(call->arena));
}

struct pgfsm_value *pgfsm_value_bag(struct pgfsm_call *call)
{
    return made(call, value_bag(value_list(call->arena).as.list));
}

struct pgfsm_value *pgfsm_value_dict(struct pgfsm_call *call)
{
    return made(call, value_dict(call->arena));
}

static bool is_new(const struct pgfsm_call *call, struct value value)
{
    const struct container *container = value_container(value);
    return container && container->arena == call->arena;
}

/* Sets an entry of a table; a list or the like is no key. */
static void set_entry(struct pgfsm_call *call, struct table *table, struct value key,
                      struct value value)
{
    if (!call->failed && !table_set(table, key, value, call->err)) {
        call_fail(call, "%s can't be an item of a set or a key of a dict", value_type_name(key));
    }
}

void pgfsm_value_add(struct pgfsm_call *call, struct pgfsm_value *to,
                     const struct pgfsm_value *item)
{
    struct value into = value_of(to);
    if (is_new(call, into) && into.type == VALUE_SET) {
        set_entry(call, into.as.table, value_of(item), value_none());
    } else if (is_new(call, into) && (into.type == VALUE_LIST || into.type == VALUE_BAG)) {
        list_append(into.as.list, value_of(item));
    } else {
        call_fail(call, "pgfsm_value_add() needs a new list, set or bag");
    }
}

void pgfsm_value_put(struct pgfsm_call *call, struct pgfsm_value *to, const struct pgfsm_value *key,
                     const struct pgfsm_value *value)
{
    struct value into = value_of(to);
    if (is_new(call, into) && into.type == VALUE_DICT) {
        set_entry(call, into.as.table, value_of(key), value_of(value));
    } else {
        call_fail(call, "pgfsm_value_put() needs a new dict");
    }
}

void pgfsm_call_fail(struct pgfsm_call *call, const char *message)
{
    call_fail(call, "%s", message ? message : "pgfsm_call_fail() was given no message");
}

void *pgfsm_call_alloc(struct pgfsm_call *call, size_t size)
{
    return arena_zalloc(call->kept, size);
}
