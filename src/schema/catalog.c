#include "schema/catalog.h"

#include "base/names.h"

#include <assert.h>
#include <string.h>

const struct column_facts *table_column(const struct table_facts *table, const char *name,
                                        struct error *err)
{
    assert(name != NULL);
    size_t index = name_index(name, ROWS_OF(table->columns, name));
    if (index < table->columns.count) {
        return &table->columns.items[index];
    }
    const char *close =
        closest_of(name, table->columns.items, table->columns.count, sizeof *table->columns.items);
    error_set(err, ERROR_MACHINE, "table %s has no column '%s'", table->name, name);
    if (close) {
        error_hint(err, "did you mean '%s'?", close);
    }
    return NULL;
}

size_t key_column(const struct key_facts *key, size_t column)
{
    for (size_t i = 0; i < key->columns.count; i++) {
        if (key->columns.items[i] == column) {
            return i;
        }
    }
    return SIZE_MAX;
}

bool catalog_split(struct arena *arena, const char *text, const char **table, const char **column)
{
    const char *dot = strrchr(text, '.');
    if (!dot) {
        return false;
    }
    *table = arena_strndup(arena, text, (size_t)(dot - text));
    *column = dot + 1;
    return true;
}
