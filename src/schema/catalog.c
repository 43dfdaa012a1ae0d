#include "schema/catalog.h"

#include <assert.h>
#include <string.h>

const struct column_facts *table_column(const struct table_facts *table, const char *name,
                                        struct error *err)
{
    assert(name != NULL);
    struct arena arena = {0};
    const char **names = ARENA_ARRAY(&arena, const char *, table->columns.count);
    const struct column_facts *found = NULL;
    for (size_t i = 0; i < table->columns.count; i++) {
        names[i] = table->columns.items[i].name;
        found = strcmp(names[i], name) == 0 ? &table->columns.items[i] : found;
    }
    if (!found) {
        const char *close = closest_name(name, names, table->columns.count);
        error_set(err, ERROR_MACHINE, "table %s has no column '%s'", table->name, name);
        if (close) {
            error_hint(err, "did you mean '%s'?", close);
        }
    }
    arena_free(&arena);
    return found;
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
