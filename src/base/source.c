#include "base/source.h"

#include <assert.h>
#include <string.h>

struct snippet snippet_of_source(const struct source *source)
{
    return (struct snippet){.source = source, .text = source->text, .size = source->size};
}

struct snippet snippet_slice(const struct snippet *snippet, size_t start, size_t end)
{
    assert(start <= end && end <= snippet->size);
    struct snippet slice = *snippet;
    slice.text += start;
    slice.size = end - start;
    slice.base += start;
    if (slice.offsets) {
        slice.offsets += start;
    }
    return slice;
}

struct source_pos snippet_pos(const struct snippet *snippet, size_t offset)
{
    if (offset > snippet->size) {
        offset = snippet->size;
    }
    size_t at = snippet->offsets ? snippet->offsets[offset] : snippet->base + offset;
    return (struct source_pos){.source = snippet->source, .offset = at};
}

size_t source_written_size(const struct source *source)
{
    return source->origin_count ? source->origins[0].from - 1 : source->size;
}

struct source_pos source_written(struct source_pos pos)
{
    const struct source *source = pos.source;
    size_t at = pos.offset;
    for (size_t i = 0; i < source->origin_count && source->origins[i].from <= pos.offset; i++) {
        at = source->origins[i].origin;
    }
    return (struct source_pos){.source = source, .offset = at};
}

struct source_place source_place(struct source_pos pos)
{
    assert(pos.source != NULL);
    const char *text = pos.source->text;
    size_t size = source_written_size(pos.source);
    size_t offset = source_written(pos).offset;
    size_t at = offset < size ? offset : size;
    struct source_place place = {.line = 1, .column = 1};
    size_t start = 0;
    for (const char *end; (end = memchr(text + start, '\n', at - start));) {
        place.line++;
        start = (size_t)(end - text) + 1;
    }
    for (size_t i = start; i < at; i++) {
        /* continuation bytes of UTF-8 are no column of their own */
        place.column += ((unsigned char)text[i] & 0xC0U) != 0x80U;
    }
    const char *end = memchr(text + start, '\n', size - start);
    place.line_text = text + start;
    place.line_size = end ? (size_t)(end - (text + start)) : size - start;
    if (place.line_size && place.line_text[place.line_size - 1] == '\r') {
        place.line_size--;
    }
    return place;
}
