/*
 * Source text, and where a piece of it came from.
 *
 * A *source* is a whole file (or an argument) as it was read. A *snippet* is a text decoded from
 * it, such as an expression in a YAML scalar. Each byte of a snippet has a place in the source, so
 * that an error inside an expression points into the YAML file. A position is a byte offset into a
 * source; line and column are computed on demand.
 */
#ifndef BASE_SOURCE_H
#define BASE_SOURCE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From `from` on, the text was generated from the text at `origin`. */
struct source_origin {
    size_t from, origin; /* bytes */
};

struct source {
    const char *name; /* as the user wrote it: "machines/a.yaml", "<argument>" */
    const char *text; /* `size` bytes and a NUL; must outlive every position in it */
    size_t size;
    /* Origins of the generated text, in order. It follows the user's text and a newline. */
    const struct source_origin *origins;
    size_t origin_count;
};

struct source_pos {
    const struct source *source; /* NULL: no position */
    size_t offset;               /* bytes; past the end stands for the end */
};

/* Bytes of a snippet, up to the next run: consecutive bytes of the source, or all from one place.
 */
struct snippet_run {
    uint32_t from;
    uint32_t place;
    bool fixed;
};

struct snippet {
    const struct source *source;
    const char *text; /* decoded; `size` bytes and a NUL */
    size_t size;
    size_t base; /* without runs, text[i] is byte base + i of the source */
    const struct snippet_run *runs;
    size_t run_count;
};

/* A whole source as one snippet. */
struct snippet snippet_of_source(const struct source *source);
/* Sets the place of each byte of the text, and of its end: `size` + 1 places, which are not kept.
 */
void snippet_map(struct snippet *snippet, const uint32_t *places, struct arena *arena);
/* Bytes [start, end) of a snippet, as a snippet; the text is not copied (so it has no NUL of its
 * own). */
struct snippet snippet_slice(const struct snippet *snippet, size_t start, size_t end);
/* The position in the file of byte `offset` of the snippet, or of its end. */
struct source_pos snippet_pos(const struct snippet *snippet, size_t offset);

/* The position to show to a user: for generated text, where its origin is. */
struct source_pos source_written(struct source_pos pos);
/* The number of bytes that the user wrote. */
size_t source_written_size(const struct source *source);

struct source_place {
    size_t line;   /* from 1 */
    size_t column; /* from 1, in code points */
    const char *line_text;
    size_t line_size; /* bytes, without the line's end */
};

/* Line, column and the line's text of the position to show to a user. `pos.source` must not be
 * NULL. */
struct source_place source_place(struct source_pos pos);

#endif
