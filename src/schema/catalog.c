#include "schema/catalog.h"

#include <assert.h>
#include <string.h>

const struct column_facts *table_column(const struct table_facts *table, const char *name,
                                        struct error *err)
{
    assert(name != NULL);
    const struct column_facts *columns = table->columns.items;
    for (size_t i = 0; i < table->columns.count; i++) {
        if (strcmp(columns[i].name, name) == 0) {
            return &columns[i];
        }
    }
    const char *close = closest_of(name, columns, table->columns.count, sizeof *columns);
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
