#include "report/text/text.h"

#include "base/utf8.h"
#include "base/visible.h"

#include <assert.h>
#include <string.h>

static const char *const colors[] = {
    [PAINT_GOOD] = "\x1b[32m",
    [PAINT_BAD] = "\x1b[1;31m",
    [PAINT_WARN] = "\x1b[33m",
    [PAINT_DIM] = "\x1b[2m",
};

void text_paint(struct text *text, enum paint paint, const char *string)
{
    assert((size_t)paint < sizeof colors / sizeof *colors);
    strbuf_adds(text->out, text->options->color ? colors[paint] : "");
    visible_adds(text->out, VISIBLE_LINE, string);
    strbuf_adds(text->out, text->options->color ? "\x1b[0m" : "");
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

void text_warn(struct text *text, const char *title, const char *format, ...)
{
    va_list args;
    if (text->warned) {
        struct strbuf message = {0};
        va_start(args, format);
        strbuf_vaddf(&message, format, args);
        va_end(args);
        text->warned(text->host, title, strbuf_text(&message));
        strbuf_free(&message);
        return;
    }
    strbuf_adds(text->out, "    ");
    text_paint(text, PAINT_WARN, arena_printf(&text->scratch, "%-13s", title));
    strbuf_adds(text->out, "  ");
    va_start(args, format);
    add(text, format, args);
    va_end(args);
    strbuf_addc(text->out, '\n');
}

void text_wrap(struct text *text, size_t at, const char *words)
{
    static const char indent[] = "\n      ";
    size_t width = text->options->width ? text->options->width : SIZE_MAX;
    for (const char *word = words; *word;) {
        size_t size = strcspn(word, " ");
        size_t length = utf8_length(word, size);
        bool fits = word == words || at + 1 + length <= width;
        strbuf_adds(text->out, word == words ? "" : fits ? " " : indent);
        strbuf_add(text->out, word, size);
        at = fits ? at + (word != words) + length : sizeof indent - 2 + length;
        word += size + (word[size] == ' ');
    }
    strbuf_addc(text->out, '\n');
}
