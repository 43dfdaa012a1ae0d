#include "value/value.h"

#include "base/utf8.h"
#include "value/number/numeric.h"
#include "value/object.h"

#include <assert.h>
#include <string.h>

struct value value_none(void) { return (struct value){.type = VALUE_NONE}; }

struct value value_json_null(void) { return (struct value){.type = VALUE_JSON_NULL}; }

struct value value_bool(bool boolean)
{
    return (struct value){.type = VALUE_BOOL, .as.boolean = boolean};
}

struct value value_int(int64_t integer)
{
    return (struct value){.type = VALUE_INT, .as.integer = integer};
}

struct value value_float(double real)
{
    return (struct value){.type = VALUE_FLOAT, .as.real = real};
}

struct value value_string(struct arena *arena, const char *data, size_t size)
{
    assert(data != NULL || size == 0);
    struct string *string = arena_alloc(arena, sizeof *string + size + 1);
    string->size = size;
    string->length = utf8_length(data, size);
    if (size) {
        memcpy(string->data, data, size);
    }
    string->data[size] = '\0';
    return (struct value){.type = VALUE_STRING, .as.string = string};
}

struct value value_text(struct arena *arena, const char *text)
{
    assert(text != NULL);
    return value_string(arena, text, strlen(text));
}

struct value value_bytes(struct arena *arena, const void *data, size_t size)
{
    assert(data != NULL || size == 0);
    struct bytes *bytes = arena_alloc(arena, sizeof *bytes + size);
    bytes->size = size;
    if (size) {
        memcpy(bytes->data, data, size);
    }
    return (struct value){.type = VALUE_BYTES, .as.bytes = bytes};
}

struct value value_row(struct arena *arena, const struct value *items, const char *const *names,
                       size_t count)
{
    assert(items != NULL || count == 0);
    struct tuple *tuple = ARENA_NEW(arena, struct tuple);
    tuple->count = count;
    tuple->items = arena_memdup(arena, items, count * sizeof *items);
    tuple->names = names;
    return (struct value){.type = VALUE_TUPLE, .as.tuple = tuple};
}

struct value value_tuple(struct arena *arena, const struct value *items, size_t count)
{
    return value_row(arena, items, NULL, count);
}

struct value value_list(struct arena *arena)
{
    struct list *list = ARENA_NEW(arena, struct list);
    list->base.arena = arena;
    return (struct value){.type = VALUE_LIST, .as.list = list};
}

static struct value new_table(struct arena *arena, enum value_type type)
{
    struct table *table = ARENA_NEW(arena, struct table);
    table->base.arena = arena;
    return (struct value){.type = type, .as.table = table};
}

struct value value_dict(struct arena *arena) { return new_table(arena, VALUE_DICT); }

struct value value_set(struct arena *arena) { return new_table(arena, VALUE_SET); }

struct value value_bag(struct list *list)
{
    assert(list != NULL);
    return (struct value){.type = VALUE_BAG, .as.list = list};
}

#ifndef NDEBUG
static bool string_or_none(struct value value)
{
    return value.type == VALUE_STRING || value.type == VALUE_NONE;
}
#endif

struct value value_error(struct arena *arena, const struct error_value *error)
{
    assert(string_or_none(error->condition) && string_or_none(error->constraint));
    assert(string_or_none(error->message) && string_or_none(error->table));
    return (struct value){.type = VALUE_ERROR,
                          .as.error = arena_memdup(arena, error, sizeof *error)};
}

struct value value_object(struct object *object)
{
    assert(object != NULL && object->type != NULL);
    return (struct value){.type = VALUE_OBJECT, .as.object = object};
}

void list_append(struct list *list, struct value item)
{
    assert(list->base.arena != NULL && list->count <= list->capacity);
    assert(!list->base.frozen && list->base.iterating == 0);
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 4;
        struct value *items = ARENA_ARRAY(list->base.arena, struct value, capacity);
        if (list->count) {
            memcpy(items, list->items, list->count * sizeof *items);
        }
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = item;
}

/* The types' names, and the parts that they share. */
static const struct {
    const char *name;
    enum holding { HOLDS_NOTHING, HOLDS_LIST, HOLDS_TUPLE, HOLDS_TABLE } holding;
} types[VALUE_TYPES] = {
    [VALUE_NONE] = {"NoneType", HOLDS_NOTHING}, [VALUE_BOOL] = {"bool", HOLDS_NOTHING},
    [VALUE_INT] = {"int", HOLDS_NOTHING},       [VALUE_NUMERIC] = {"numeric", HOLDS_NOTHING},
    [VALUE_FLOAT] = {"float", HOLDS_NOTHING},   [VALUE_STRING] = {"string", HOLDS_NOTHING},
    [VALUE_BYTES] = {"bytes", HOLDS_NOTHING},   [VALUE_JSON_NULL] = {"json_null", HOLDS_NOTHING},
    [VALUE_LIST] = {"list", HOLDS_LIST},        [VALUE_TUPLE] = {"tuple", HOLDS_TUPLE},
    [VALUE_DICT] = {"dict", HOLDS_TABLE},       [VALUE_SET] = {"set", HOLDS_TABLE},
    [VALUE_BAG] = {"bag", HOLDS_LIST},          [VALUE_MULTIPLE] = {"multiple", HOLDS_LIST},
    [VALUE_ERROR] = {"error", HOLDS_NOTHING},   [VALUE_OBJECT] = {"object", HOLDS_NOTHING},
};

const char *value_type_name(struct value value)
{
    if (value.type == VALUE_OBJECT) {
        return value.as.object->type->name;
    }
    return (unsigned)value.type < VALUE_TYPES ? types[value.type].name : "unset";
}

static enum holding holding(struct value value)
{
    return (unsigned)value.type < VALUE_TYPES ? types[value.type].holding : HOLDS_NOTHING;
}

bool value_is_table(struct value value) { return holding(value) == HOLDS_TABLE; }

struct container *value_container(struct value value)
{
    return holding(value) == HOLDS_LIST    ? &value.as.list->base
           : holding(value) == HOLDS_TABLE ? &value.as.table->base
                                           : NULL;
}

struct items value_items(struct value value)
{
    return holding(value) == HOLDS_LIST ? (struct items){value.as.list->items, value.as.list->count}
           : holding(value) == HOLDS_TUPLE
               ? (struct items){value.as.tuple->items, value.as.tuple->count}
               : (struct items){0};
}

bool value_parts_next(struct value_parts *parts, struct value *part)
{
    if (value_is_table(parts->of)) {
        size_t at = parts->next / 2;
        const struct table_entry *entry = table_next(parts->of.as.table, &at);
        if (entry) { /* `at` is now behind it */
            bool key = parts->next % 2 == 0;
            *part = key ? entry->key : entry->value;
            parts->next = key ? 2 * at - 1 : 2 * at;
        }
        return entry != NULL;
    }
    struct items items = value_items(parts->of);
    if (parts->next < items.count) {
        *part = items.items[parts->next++];
        return true;
    }
    return false;
}

bool value_check_mutable(struct value value, struct error *err)
{
    const struct container *container = value_container(value);
    if (!container) {
        return error_set(err, ERROR_MACHINE, "a %s cannot be changed", value_type_name(value));
    }
    if (holding(value) == HOLDS_LIST && value.as.list->kind) {
        (void)error_set(err, ERROR_MACHINE, "%s", value.as.list->kind->fixed);
        return error_hint(err, "%s", value.as.list->kind->hint);
    }
    if (container->frozen) {
        return error_set(err, ERROR_MACHINE, "cannot change a frozen %s", value_type_name(value));
    }
    if (container->kept) {
        (void)error_set(err, ERROR_MACHINE, "cannot change a %s that another object keeps",
                        value_type_name(value));
        return error_hint(err, "call a method of that object, such as insert, update or delete");
    }
    if (container->iterating) {
        (void)error_set(err, ERROR_MACHINE, "cannot change a %s while a loop runs over it",
                        value_type_name(value));
        return error_hint(err, "loop over a copy: list(x)");
    }
    return true;
}

bool value_length(struct value value, size_t *out, struct error *err)
{
    if (holding(value) == HOLDS_LIST || holding(value) == HOLDS_TUPLE) {
        *out = value_items(value).count;
    } else if (holding(value) == HOLDS_TABLE) {
        *out = value.as.table->count;
    } else if (value.type == VALUE_STRING) {
        *out = value.as.string->length;
    } else if (value.type == VALUE_BYTES) {
        *out = value.as.bytes->size;
    } else if (value.type == VALUE_OBJECT && value.as.object->type->length) {
        return value.as.object->type->length(value.as.object, out) ||
               error_set(err, ERROR_MACHINE, "this %s has no length", value_type_name(value));
    } else {
        return error_set(err, ERROR_MACHINE, "a value of type %s has no length",
                         value_type_name(value));
    }
    return true;
}

static bool object_truth(const struct object *object)
{
    size_t length = 0;
    if (object->type->truth) {
        return object->type->truth(object);
    }
    if (object->type->length && object->type->length(object, &length)) {
        return length > 0;
    }
    return true;
}

bool value_truth(struct value value)
{
    size_t length = 0;
    switch (value.type) {
    case VALUE_NONE:
    case VALUE_JSON_NULL:
        return false;
    case VALUE_BOOL:
        return value.as.boolean;
    case VALUE_INT:
        return value.flags & VALUE_BIG || value.as.integer != 0;
    case VALUE_NUMERIC:
        return value.as.numeric->kind != NUMERIC_FINITE || value.as.numeric->coefficient.size != 0;
    case VALUE_FLOAT:
        return value.as.real < 0 || value.as.real > 0 || value.as.real != value.as.real;
    case VALUE_OBJECT:
        return object_truth(value.as.object);
    case VALUE_STRING:
    case VALUE_BYTES:
    case VALUE_LIST:
    case VALUE_TUPLE:
    case VALUE_DICT:
    case VALUE_SET:
    case VALUE_BAG:
    case VALUE_MULTIPLE:
    case VALUE_ERROR:
    default:
        return !value_length(value, &length, NULL) || length > 0;
    }
}

const char *value_cstr(struct value string)
{
    assert(string.type == VALUE_STRING);
    return string.as.string->data;
}

bool value_is_string(struct value value, const char *text)
{
    return value.type == VALUE_STRING && strcmp(value.as.string->data, text) == 0;
}

bool value_is_number(struct value value)
{
    return value.type == VALUE_INT || value.type == VALUE_NUMERIC || value.type == VALUE_FLOAT;
}
