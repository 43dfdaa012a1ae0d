#include "pg/types/types.h"

#include <stdlib.h>
#include <string.h>

/* pg_type.dat: OID, name as sql/types.sql gives it, kind; and the array type over it. */
static const struct builtin {
    uint32_t oid;
    const char *name;
    enum type_kind kind;
    uint32_t array;
    const char *array_name;
} builtins[] = {
    {16, "boolean", TYPE_BOOL, 1000, "boolean[]"},
    {17, "bytea", TYPE_BYTES, 1001, "bytea[]"},
    {18, "\"char\"", TYPE_OTHER, 1002, "\"char\"[]"},
    {19, "name", TYPE_TEXT, 1003, "name[]"},
    {20, "bigint", TYPE_INT, 1016, "bigint[]"},
    {21, "smallint", TYPE_INT, 1005, "smallint[]"},
    {23, "integer", TYPE_INT, 1007, "integer[]"},
    {25, "text", TYPE_TEXT, 1009, "text[]"},
    {26, "oid", TYPE_INT, 1028, "oid[]"},
    {114, "json", TYPE_JSON, 199, "json[]"},
    {700, "real", TYPE_FLOAT, 1021, "real[]"},
    {701, "double precision", TYPE_FLOAT, 1022, "double precision[]"},
    {705, "unknown", TYPE_TEXT, 0, NULL},
    {1042, "bpchar", TYPE_OTHER, 1014, "bpchar[]"},
    {1043, "character varying", TYPE_TEXT, 1015, "character varying[]"},
    {1082, "date", TYPE_OTHER, 1182, "date[]"},
    {1083, "time without time zone", TYPE_OTHER, 1183, "time without time zone[]"},
    {1114, "timestamp without time zone", TYPE_OTHER, 1115, "timestamp without time zone[]"},
    {1184, "timestamp with time zone", TYPE_OTHER, 1185, "timestamp with time zone[]"},
    {1186, "interval", TYPE_OTHER, 1187, "interval[]"},
    {1266, "time with time zone", TYPE_OTHER, 1270, "time with time zone[]"},
    {1700, "numeric", TYPE_NUMERIC, 1231, "numeric[]"},
    {2249, "record", TYPE_RECORD, 2287, "record[]"},
    {2275, "cstring", TYPE_TEXT, 1263, "cstring[]"},
    {2278, "void", TYPE_VOID, 0, NULL},
    {2950, "uuid", TYPE_OTHER, 2951, "uuid[]"},
    {3802, "jsonb", TYPE_JSON, 3807, "jsonb[]"},
};

enum { NESTING_MAX = 16 };

static struct type *add(struct types *types, uint32_t oid, const char *name, enum type_kind kind)
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
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
        const struct builtin *builtin = &builtins[i];
        add(types, builtin->oid, builtin->name, builtin->kind);
        if (builtin->array) {
            add(types, builtin->array, builtin->array_name, TYPE_ARRAY)->element = builtin->oid;
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
    struct type *type = add(types, oid, arena_strdup(&types->arena, row[1]), kind);
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
