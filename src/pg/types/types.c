#include "pg/types/types.h"

#include <stdlib.h>
#include <string.h>

enum { NESTING_MAX = 16 };

static struct type *add_type(struct types *types, uint32_t oid, const char *name,
                             enum type_kind kind)
{
    struct type *type = ARENA_NEW(&types->arena, struct type);
    *type = (struct type){.oid = oid, .name = name, .kind = kind, .delimiter = ','};
    map_add(&types->by_oid, oid)->to.pointer = type;
    return type;
}

void types_init(struct types *types)
{
    *types = (struct types){0};
    types_clear(types);
}

void types_clear(struct types *types)
{
    arena_reset(&types->arena);
    map_free(&types->by_oid);
    for (size_t i = 0; i < pgtype_count; i++) {
        const struct pgtype *row = &pgtypes[i];
        if (row->oid) {
            add_type(types, row->oid, row->title, row->kind);
        }
        if (row->array) {
            add_type(types, row->array, row->array_title, TYPE_ARRAY)->element = row->oid;
        }
    }
}

void types_free(struct types *types)
{
    map_free(&types->by_oid);
    arena_free(&types->arena);
}

static const struct type *known(const struct types *types, uint32_t oid)
{
    const struct map_entry *entry = map_find(&types->by_oid, oid);
    return entry ? entry->to.pointer : NULL;
}

const struct type *types_find(const struct types *types, uint32_t oid)
{
    const struct type *type = known(types, oid);
    for (int depth = 0; type && type->base && depth < NESTING_MAX; depth++) {
        const struct type *base = known(types, type->base);
        if (!base) {
            return NULL;
        }
        type = base;
    }
    return type;
}

const struct type *types_get(const struct types *types, uint32_t oid)
{
    static const struct type unknown = {.name = "unknown", .kind = TYPE_OTHER, .delimiter = ','};
    const struct type *type = types_find(types, oid);
    if (!type && types->others) {
        type = types_find(types->others, oid);
    }
    return type ? type : &unknown;
}

static uint32_t read_oid(const char *text) { return (uint32_t)strtoul(text, NULL, 10); }

/* OIDs out of the text form of oid[]: "{23,25}". */
static void read_fields(struct types *types, struct type *type, const char *text)
{
    size_t most = strlen(text) / 2 + 1;
    uint32_t *fields = ARENA_ARRAY(&types->arena, uint32_t, most);
    for (const char *at = text; *at && *at != '}';) {
        char *end = NULL;
        uint32_t oid = (uint32_t)strtoul(at + 1, &end, 10);
        if (oid != 0) {
            fields[type->field_count++] = oid;
        }
        at = end;
    }
    type->fields = fields;
}

void types_add(struct types *types, const char *const row[TYPES_COLUMNS])
{
    uint32_t oid = read_oid(row[0]);
    uint32_t element = read_oid(row[3]);
    if (known(types, oid)) {
        return;
    }
    enum type_kind kind = element ? TYPE_ARRAY : *row[2] == 'c' ? TYPE_TUPLE : TYPE_OTHER;
    struct type *type = add_type(types, oid, arena_strdup(&types->arena, row[1]), kind);
    type->element = element;
    type->delimiter = *row[4];
    type->base = read_oid(row[5]);
    if (kind == TYPE_TUPLE) {
        read_fields(types, type, row[6]);
    }
}

enum column_class type_class(const struct type *type)
{
    static const enum column_class classes[] = {
        [TYPE_INT] = COLUMN_NUMBER,      [TYPE_NUMERIC] = COLUMN_NUMBER,
        [TYPE_FLOAT] = COLUMN_FLOAT,     [TYPE_BOOL] = COLUMN_NUMBER,
        [TYPE_TEXT] = COLUMN_TEXT,       [TYPE_JSON] = COLUMN_JSON,
        [TYPE_BYTES] = COLUMN_BYTES,     [TYPE_ARRAY] = COLUMN_CONTAINER,
        [TYPE_TUPLE] = COLUMN_CONTAINER, [TYPE_RECORD] = COLUMN_CONTAINER,
        [TYPE_VOID] = COLUMN_OTHER,      [TYPE_OTHER] = COLUMN_OTHER,
    };
    return classes[type->kind];
}

static bool is_plain(const struct types *types, const struct type *type, int depth)
{
    enum column_class class = type_class(type);
    if (class != COLUMN_CONTAINER) {
        return class == COLUMN_NUMBER || class == COLUMN_TEXT || class == COLUMN_BYTES;
    }
    if (depth > NESTING_MAX) {
        return false;
    }
    if (type->kind == TYPE_ARRAY) {
        return is_plain(types, types_get(types, type->element), depth + 1);
    }
    for (size_t i = 0; i < type->field_count; i++) {
        if (!is_plain(types, types_get(types, type->fields[i]), depth + 1)) {
            return false;
        }
    }
    return true;
}

bool type_is_plain(const struct types *types, const struct type *type)
{
    return is_plain(types, type, 0);
}
