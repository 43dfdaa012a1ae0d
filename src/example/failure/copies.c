/* Copies of the parts of a failure. */
#include "example/failure/failure.h"

static const char *copy_text(struct arena *arena, const char *text)
{
    return text ? arena_strdup(arena, text) : NULL;
}

struct server_error server_error_copy(struct arena *arena, const struct server_error *error)
{
    struct server_error copy = *error;
    const char **const texts[] = {
        &copy.severity,   &copy.message,  &copy.detail, &copy.hint,
        &copy.context,    &copy.schema,   &copy.table,  &copy.column,
        &copy.constraint, &copy.datatype, &copy.place,
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        *texts[i] = copy_text(arena, *texts[i]);
    }
    return copy;
}

struct shown_cell *shown_cells_copy(struct arena *arena, const struct shown_cell *cells,
                                    size_t count)
{
    if (!cells) {
        return NULL;
    }
    struct shown_cell *out = arena_memdup(arena, cells, count * sizeof *cells);
    for (size_t i = 0; i < count; i++) {
        out[i].value = value_copy(arena, cells[i].value);
        out[i].name = copy_text(arena, cells[i].name);
    }
    return out;
}
