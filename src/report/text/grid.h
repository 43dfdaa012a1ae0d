/*
 * Grid: a table of texts. Each column is as wide as its widest cell; a column whose cells are all
 * empty is omitted.
 */
#ifndef REPORT_GRID_H
#define REPORT_GRID_H

#include "base/strbuf.h"
#include "base/vec.h"

enum grid_align { GRID_LEFT, GRID_RIGHT };

struct grid_column {
    const char *title;
    enum grid_align align;
};

struct grid {
    struct arena *arena;
    const struct grid_column *columns;
    size_t column_count;
    VEC(const char *) cells; /* row by row */
};

/* Adds the next cell; the text must live as long as the grid. */
void grid_add(struct grid *grid, const char *text);
/* Appends titles and rows, indented by `indent` spaces, with two spaces between columns. */
void grid_write(const struct grid *grid, size_t indent, struct strbuf *out);
/* The same after an empty line, indented by four spaces; nothing if there is no row. */
void grid_write_below(const struct grid *grid, struct strbuf *out);

#endif
