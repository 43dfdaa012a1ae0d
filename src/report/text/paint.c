#include "report/text/text.h"

#include "base/visible.h"

#include <assert.h>

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

void text_addf(struct text *text, const char *format, ...)
{
    struct strbuf line = {0};
    va_list args;
    va_start(args, format);
    strbuf_vaddf(&line, format, args);
    va_end(args);
    visible_add(text->out, VISIBLE_BLOCK, strbuf_text(&line), line.size);
    strbuf_free(&line);
}
