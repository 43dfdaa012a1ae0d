/*
 * Grid: a table of texts in columns as wide as their widest cell. The first column and those marked
 * are set to the left, numbers to the right; a column whose cells are all empty is left out.
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

/* Adds the next cell; the text is copied. */
void grid_add(struct grid *grid, const char *text);
/* Adds the text, and frees it. */
void grid_take(struct grid *grid, struct strbuf *text);
void grid_add_count(struct grid *grid, uint64_t count);
/* Made safe to show. */
void grid_add_name(struct grid *grid, const char *name);
/* Appends titles and rows, each behind `indent` spaces, columns two spaces apart. */
void grid_write(const struct grid *grid, size_t indent, struct strbuf *out);
/* The same below an empty line, behind four spaces; nothing where there is no row. */
void grid_write_below(const struct grid *grid, struct strbuf *out);

#endif
