#include "report/text/text.h"

#include "base/utf8.h"
#include "base/visible.h"

#include <assert.h>
#include <string.h>

enum {
    WARNING_INDENT = 19, /* of what is said behind the title */
    WIDTH_UNKNOWN = 100,
    TITLE_WIDTH = 32, /* with the blanks around it: more is no title */
    ROOM_LEAST = 20,  /* characters of a line, behind any indentation */
};

static const char *const colors[] = {
    [PAINT_NONE] = "",         [PAINT_GOOD] = "\x1b[32m", [PAINT_BAD] = "\x1b[1;31m",
    [PAINT_WARN] = "\x1b[33m", [PAINT_DIM] = "\x1b[2m",
};

void text_paint(struct text *text, enum paint paint, const char *string)
{
    assert((size_t)paint < sizeof colors / sizeof *colors);
    strbuf_adds(text->out, text->options->color ? colors[paint] : "");
    visible_adds(text->out, VISIBLE_LINE, string);
    strbuf_adds(text->out, text->options->color && paint != PAINT_NONE ? "\x1b[0m" : "");
}

__attribute__((format(printf, 2, 0))) static void add(struct text *text, const char *format,
                                                      va_list args)
{
    struct strbuf line = {0};
    strbuf_vaddf(&line, format, args);
    visible_add(text->out, VISIBLE_BLOCK, strbuf_text(&line), line.size);
    strbuf_free(&line);
}

void text_addf(struct text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(text, format, args);
    va_end(args);
}

__attribute__((format(printf, 4, 0))) static void
tell(struct text *text, enum paint paint, const char *title, const char *format, va_list args)
{
    if (text->warned) {
        struct strbuf message = {0};
        strbuf_vaddf(&message, format, args);
        text->warned(text->host, title, strbuf_text(&message));
        strbuf_free(&message);
        return;
    }
    size_t start = text->out->size;
    strbuf_adds(text->out, "    ");
    text_paint(text, paint, arena_printf(&text->scratch, "%-13s", title));
    strbuf_adds(text->out, "  ");
    add(text, format, args);
    strbuf_addc(text->out, '\n');
    text_fold(text, start, WARNING_INDENT);
}

void text_warn(struct text *text, const char *title, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    tell(text, PAINT_WARN, title, format, args);
    va_end(args);
}

void text_note(struct text *text, const char *title, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    tell(text, PAINT_DIM, title, format, args);
    va_end(args);
}

/* Bytes of the line that take up `room` characters, with the escapes between them. */
static size_t bytes_of(const char *line, size_t size, size_t room)
{
    size_t width = 0;
    for (size_t i = 0; i < size;) {
        if (line[i] == '\x1b') {
            const char *end = memchr(line + i, 'm', size - i);
            i = end ? (size_t)(end - line) + 1 : size;
            continue;
        }
        bool starts = ((unsigned char)line[i] & 0xC0) != 0x80;
        if (starts && width++ == room) {
            return i;
        }
        i++;
    }
    return size;
}

/* Characters, without escapes for colours. */
static size_t width_of(const char *text, size_t size)
{
    size_t width = 0;
    for (size_t i = 0; i < size;) {
        const char *escape = memchr(text + i, '\x1b', size - i);
        size_t plain = escape ? (size_t)(escape - text) - i : size - i;
        width += utf8_length(text + i, plain);
        i += plain;
        const char *end = i < size ? memchr(text + i, 'm', size - i) : NULL;
        i = end ? (size_t)(end - text) + 1 : size;
    }
    return width;
}

size_t text_width(const struct text *text)
{
    return text->options->width ? text->options->width : WIDTH_UNKNOWN;
}

/* Where a line that is too long is broken: at the last space before which it fits, if that is
 * behind the first `least` bytes, or else where it is full. */
static size_t break_of(const char *line, size_t size, size_t least, size_t room)
{
    size_t full = bytes_of(line, size, room);
    for (size_t i = full; i > least; i--) {
        if (line[i] == ' ' && line[i - 1] != ' ') {
            return i;
        }
    }
    return full;
}

static size_t blanks_at(const char *line, size_t size, size_t at)
{
    size_t end = at;
    while (end < size && line[end] == ' ') {
        end++;
    }
    return end - at;
}

/* Where the text behind the title of a line begins: "  also     fails: …", "       table   …". */
static size_t hang_of(const char *line, size_t size)
{
    size_t blank = blanks_at(line, size, 0);
    for (size_t i = blank; i < size && i < TITLE_WIDTH; i++) {
        size_t gap = blanks_at(line, size, i);
        if (gap >= 2) {
            size_t hang = width_of(line, i + gap);
            return hang <= TITLE_WIDTH ? hang : blank + 2;
        }
    }
    return blank + 2;
}

static void fold_line(struct text *text, const char *line, size_t size, size_t indent)
{
    size_t room = text->options->width;
    indent = indent == TEXT_HANG ? hang_of(line, size) : indent;
    indent = room > indent + ROOM_LEAST ? indent : 2;
    size_t least = bytes_of(line, size, indent);
    while (room > 0 && bytes_of(line, size, room) < size) {
        size_t end = break_of(line, size, least, room);
        strbuf_add(text->out, line, end);
        strbuf_addc(text->out, '\n');
        strbuf_fill(text->out, ' ', indent);
        end += blanks_at(line, size, end);
        line += end;
        size -= end;
        least = 0;
        room = text->options->width > indent ? text->options->width - indent : 1;
    }
    strbuf_add(text->out, line, size);
    strbuf_addc(text->out, '\n');
}

void text_fold(struct text *text, size_t start, size_t indent)
{
    struct strbuf lines = {0};
    if (!text->options->width) {
        return;
    }
    strbuf_add(&lines, text->out->data + start, text->out->size - start);
    text->out->size = start;
    for (size_t at = 0; at < lines.size;) {
        size_t size = strcspn(lines.data + at, "\n");
        fold_line(text, lines.data + at, size, indent);
        at += size + 1;
    }
    strbuf_free(&lines);
}
