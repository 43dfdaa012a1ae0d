#include "base/source.h"

#include "base/vec.h"

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
    return slice;
}

void snippet_map(struct snippet *snippet, const uint32_t *places, struct arena *arena)
{
    VEC(struct snippet_run) runs = {0};
    size_t end = snippet->size + 1;
    for (size_t i = 0, from = 0; i < end; from = i) {
        bool fixed = i + 1 < end && places[i + 1] == places[i];
        for (i++; i < end && places[i] == places[i - 1] + !fixed; i++) {
        }
        *VEC_PUSH(arena, &runs) = (struct snippet_run){(uint32_t)from, places[from], fixed};
    }
    bool whole = runs.count == 1 && !runs.items[0].fixed;
    snippet->base = whole ? places[0] : 0;
    snippet->runs = whole ? NULL : runs.items;
    snippet->run_count = whole ? 0 : runs.count;
}

static size_t place_in_runs(const struct snippet *snippet, size_t at)
{
    size_t low = 0;
    size_t high = snippet->run_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(snippet->runs[middle].from <= at ? &low : &high) = middle;
    }
    const struct snippet_run *run = &snippet->runs[low];
    return run->place + (run->fixed ? 0 : at - run->from);
}

struct source_pos snippet_pos(const struct snippet *snippet, size_t offset)
{
    if (offset > snippet->size) {
        offset = snippet->size;
    }
    size_t at = snippet->base + offset;
    return (struct source_pos){.source = snippet->source,
                               .offset = snippet->runs ? place_in_runs(snippet, at) : at};
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
        /* continuation bytes of UTF-8 are not columns */
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
