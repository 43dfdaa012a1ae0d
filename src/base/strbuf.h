/*
 * String buffer: a growing array of bytes, always followed by a NUL.
 *
 * It owns its memory (malloc) until strbuf_free or strbuf_take. `{0}` is valid and empty; `data` is
 * NULL only until the first write, use strbuf_text for a string that is never NULL. It may contain
 * any bytes, also NUL: only `size` counts.
 */
#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H

#include "base/arena.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf {
    char *data;
    size_t size;
    size_t capacity;
};

void strbuf_add(struct strbuf *buf, const char *data, size_t size);
void strbuf_adds(struct strbuf *buf, const char *text);
void strbuf_addc(struct strbuf *buf, char c);
/* Appends the number in decimal. */
void strbuf_addi(struct strbuf *buf, int64_t number);
/* Appends `c` `count` times. */
void strbuf_fill(struct strbuf *buf, char c, size_t count);
void strbuf_addf(struct strbuf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Appends the lines of `text`, each behind two spaces. */
void strbuf_add_indented(struct strbuf *buf, const char *text);
void strbuf_vaddf(struct strbuf *buf, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
/* Keeps the memory, forgets the bytes. */
void strbuf_clear(struct strbuf *buf);
/* Cuts to `size` bytes; does nothing if there are fewer. */
void strbuf_truncate(struct strbuf *buf, size_t size);
const char *strbuf_text(const struct strbuf *buf);
/* How many bytes there are behind the last newline. */
size_t strbuf_column(const struct strbuf *buf);
/* A copy in the arena; the buffer keeps its bytes. */
char *strbuf_copy(const struct strbuf *buf, struct arena *arena);
/* The same, and frees the buffer. */
char *strbuf_take(struct strbuf *buf, struct arena *arena);
void strbuf_free(struct strbuf *buf);

/* The plural ending of a noun for that count: "" or "s". */
static inline const char *plural(size_t count) { return count == 1 ? "" : "s"; }

#endif
