#include "report/text/grid.h"

#include "base/utf8.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

void grid_add(struct grid *grid, const char *text) { *VEC_PUSH(grid->arena, &grid->cells) = text; }

static size_t length(const char *text) { return utf8_length(text, strlen(text)); }

/* 0: all of its cells are empty. */
static size_t column_width(const struct grid *grid, size_t column)
{
    assert(column < grid->column_count);
    size_t width = 0;
    for (size_t i = column; i < grid->cells.count; i += grid->column_count) {
        size_t cell = length(grid->cells.items[i]);
        width = cell > width ? cell : width;
    }
    size_t title = length(grid->columns[column].title);
    return width && title > width ? title : width;
}

static void write_cell(const char *text, enum grid_align align, size_t width, struct strbuf *out)
{
    assert(length(text) <= width);
    size_t blank = width - length(text);
    strbuf_fill(out, ' ', align == GRID_RIGHT ? blank : 0);
    strbuf_adds(out, text);
    strbuf_fill(out, ' ', align == GRID_LEFT ? blank : 0);
}

static void end_line(struct strbuf *out)
{
    size_t size = out->size;
    while (size && out->data[size - 1] == ' ') {
        size--;
    }
    strbuf_truncate(out, size);
    strbuf_addc(out, '\n');
}

/* Row 0 holds the titles. */
static void write_row(const struct grid *grid, const size_t *widths, size_t row, size_t indent,
                      struct strbuf *out)
{
    strbuf_fill(out, ' ', indent);
    for (size_t i = 0; i < grid->column_count; i++) {
        if (widths[i]) {
            const char *text = row ? grid->cells.items[(row - 1) * grid->column_count + i]
                                   : grid->columns[i].title;
            write_cell(text, grid->columns[i].align, widths[i], out);
            strbuf_adds(out, "  ");
        }
    }
    end_line(out);
}

void grid_write(const struct grid *grid, size_t indent, struct strbuf *out)
{
    if (!grid->column_count) {
        return;
    }
    size_t *widths = ARENA_ARRAY(grid->arena, size_t, grid->column_count);
    for (size_t i = 0; i < grid->column_count; i++) {
        widths[i] = column_width(grid, i);
    }
    for (size_t row = 0; row <= grid->cells.count / grid->column_count; row++) {
        write_row(grid, widths, row, indent, out);
    }
}

void grid_write_below(const struct grid *grid, struct strbuf *out)
{
    if (grid->cells.count) {
        strbuf_addc(out, '\n');
        grid_write(grid, 4, out);
    }
}
