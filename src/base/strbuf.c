#include "base/strbuf.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for `extra` more bytes and the NUL. */
static void reserve(struct strbuf *buf, size_t extra)
{
    if (extra > SIZE_MAX / 4 || buf->size > SIZE_MAX / 4) {
        memory_exhausted();
    }
    size_t need = buf->size + extra + 1;
    if (need <= buf->capacity) {
        return;
    }
    size_t capacity = buf->capacity ? buf->capacity * 2 : 64;
    if (capacity < need) {
        capacity = need;
    }
    buf->data = memory_realloc(buf->data, capacity);
    buf->capacity = capacity;
}

void strbuf_add(struct strbuf *buf, const char *data, size_t size)
{
    assert(data != NULL || size == 0);
    reserve(buf, size);
    if (size) {
        memcpy(buf->data + buf->size, data, size);
    }
    buf->size += size;
    buf->data[buf->size] = '\0';
}

void strbuf_adds(struct strbuf *buf, const char *text)
{
    assert(text != NULL);
    strbuf_add(buf, text, strlen(text));
}

void strbuf_addc(struct strbuf *buf, char c) { strbuf_add(buf, &c, 1); }

void strbuf_addi(struct strbuf *buf, int64_t number)
{
    enum { DIGITS_MAX = 20 };
    char digits[DIGITS_MAX];
    size_t at = sizeof digits;
    uint64_t left = number < 0 ? -(uint64_t)number : (uint64_t)number;
    do {
        digits[--at] = (char)('0' + left % 10);
        left /= 10;
    } while (left);
    if (number < 0) {
        digits[--at] = '-';
    }
    strbuf_add(buf, digits + at, sizeof digits - at);
}

void strbuf_fill(struct strbuf *buf, char c, size_t count)
{
    reserve(buf, count);
    memset(buf->data + buf->size, c, count);
    buf->size += count;
    buf->data[buf->size] = '\0';
}

void strbuf_vaddf(struct strbuf *buf, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int size = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (size <= 0) {
        return;
    }
    reserve(buf, (size_t)size);
    (void)vsnprintf(buf->data + buf->size, (size_t)size + 1, format, args);
    buf->size += (size_t)size;
}

void strbuf_addf(struct strbuf *buf, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    strbuf_vaddf(buf, format, args);
    va_end(args);
}

void strbuf_add_indented(struct strbuf *buf, const char *text)
{
    while (*text) {
        size_t size = strcspn(text, "\n");
        strbuf_addf(buf, "  %.*s\n", (int)size, text);
        text += size + (text[size] == '\n');
    }
}

void strbuf_clear(struct strbuf *buf) { strbuf_truncate(buf, 0); }

void strbuf_truncate(struct strbuf *buf, size_t size)
{
    if (buf->data && size <= buf->size) {
        buf->size = size;
        buf->data[size] = '\0';
    }
}

size_t strbuf_column(const struct strbuf *buf)
{
    size_t column = 0;
    while (column < buf->size && buf->data[buf->size - 1 - column] != '\n') {
        column++;
    }
    return column;
}

const char *strbuf_text(const struct strbuf *buf) { return buf->data ? buf->data : ""; }

char *strbuf_copy(const struct strbuf *buf, struct arena *arena)
{
    return arena_strndup(arena, strbuf_text(buf), buf->size);
}

char *strbuf_take(struct strbuf *buf, struct arena *arena)
{
    char *copy = strbuf_copy(buf, arena);
    strbuf_free(buf);
    return copy;
}

void strbuf_free(struct strbuf *buf)
{
    free(buf->data);
    *buf = (struct strbuf){0};
}
