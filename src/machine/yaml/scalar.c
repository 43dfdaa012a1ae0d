/*
 * Where each byte of a scalar's value stands in the file.
 *
 * libyaml gives the value and where it begins, not how it was written. So the raw text is decoded a
 * second time, noting places; each character is compared with libyaml's on the way. Where they
 * differ (a rule of YAML's that is not known here) no places are given.
 */
#include "machine/yaml/document.h"

#include "base/digits.h"
#include "base/utf8.h"

#include <assert.h>
#include <string.h>

struct decoding {
    const struct source *source;
    size_t at;  /* in the source */
    size_t end; /* bound of the raw text */
    const struct node *node;
    size_t written; /* bytes of node->text */
    uint32_t *offsets;
};

/* Folded line breaks: the first, and those of empty lines after it. */
struct breaks {
    size_t first;      /* offset */
    size_t first_size; /* bytes; 0: none */
    size_t rest;       /* offset of the second */
    size_t rest_end;
};

/* Writes characters that the value must go on with; false if it does not. */
static bool emit(struct decoding *decoding, const char *text, size_t size, size_t offset)
{
    assert(decoding->written <= decoding->node->size);
    const struct node *node = decoding->node;
    if (size > node->size - decoding->written ||
        memcmp(node->text + decoding->written, text, size) != 0) {
        return false;
    }
    for (size_t i = 0; i < size; i++) {
        decoding->offsets[decoding->written++] = (uint32_t)offset;
    }
    return true;
}

/* Bytes of the line break at `at`: \n, \r\n, \r, NEL, LS, PS (YAML 1.1, section 4.1.3); 0: none. */
static size_t break_size(const struct decoding *decoding, size_t at)
{
    assert(at <= decoding->end);
    const char *text = decoding->source->text + at;
    size_t left = decoding->end - at;
    if (!left) {
        return 0;
    }
    if (text[0] == '\r') {
        return left > 1 && text[1] == '\n' ? 2 : 1;
    }
    if (left > 1 && !memcmp(text, "\xC2\x85", 2)) {
        return 2;
    }
    if (left > 2 && (!memcmp(text, "\xE2\x80\xA8", 3) || !memcmp(text, "\xE2\x80\xA9", 3))) {
        return 3;
    }
    return text[0] == '\n';
}

static bool is_blank(const struct decoding *decoding)
{
    char c = decoding->at < decoding->end ? decoding->source->text[decoding->at] : '\0';
    return c == ' ' || c == '\t';
}

/* LS and PS stay, other breaks become \n. */
static bool emit_break(struct decoding *decoding, size_t offset, size_t size)
{
    return size == 3 ? emit(decoding, decoding->source->text + offset, size, offset)
                     : emit(decoding, "\n", 1, offset);
}

static bool emit_breaks(struct decoding *decoding, size_t start, size_t end)
{
    for (size_t at = start; at < end;) {
        size_t size = break_size(decoding, at);
        if (size && !emit_break(decoding, at, size)) {
            return false;
        }
        at += size ? size : 1; /* white space before a break of an empty line is dropped */
    }
    return true;
}

/* One break becomes a space; of several the first is dropped; LS and PS stay. */
static bool emit_folded(struct decoding *decoding, const struct breaks *breaks)
{
    if (breaks->first_size == 3 &&
        !emit(decoding, decoding->source->text + breaks->first, 3, breaks->first)) {
        return false;
    }
    size_t before = decoding->written;
    if (!emit_breaks(decoding, breaks->rest, breaks->rest_end)) {
        return false;
    }
    return breaks->first_size == 3 || decoding->written > before ||
           emit(decoding, " ", 1, breaks->first);
}

/* White space in a plain or quoted scalar: as it is within a line, folded at its end. `escaped`: a
 * backslash stood before the break, which then leaves nothing. */
static bool read_white(struct decoding *decoding, bool escaped)
{
    struct breaks breaks = {.first_size = escaped};
    size_t start = decoding->at;
    while (decoding->at < decoding->end) {
        size_t size = break_size(decoding, decoding->at);
        if (size && !breaks.first_size) {
            breaks.first = decoding->at;
            breaks.first_size = size;
            breaks.rest = breaks.rest_end = decoding->at + size;
        } else if (size) {
            breaks.rest = breaks.rest ? breaks.rest : decoding->at;
            breaks.rest_end = decoding->at + size;
        } else if (!is_blank(decoding)) {
            break;
        }
        decoding->at += size ? size : 1;
    }
    if (escaped) {
        return emit_breaks(decoding, breaks.rest, breaks.rest_end);
    }
    if (breaks.first_size) {
        return emit_folded(decoding, &breaks);
    }
    for (size_t at = start; at < decoding->at; at++) {
        if (!emit(decoding, decoding->source->text + at, 1, at)) {
            return false;
        }
    }
    return true;
}

static bool read_character(struct decoding *decoding)
{
    uint32_t code;
    size_t size =
        utf8_decode(decoding->source->text + decoding->at, decoding->end - decoding->at, &code);
    size_t start = decoding->at;
    decoding->at += size;
    return size && emit(decoding, decoding->source->text + start, size, start);
}

/* The single-character escapes of YAML 1.1, section 5.6, and what they stand for. */
static const struct {
    char letter;
    const char *text;
} escapes[] = {
    {'0', ""},
    {'a', "\a"},
    {'b', "\b"},
    {'t', "\t"},
    {'\t', "\t"},
    {'n', "\n"},
    {'v', "\v"},
    {'f', "\f"},
    {'r', "\r"},
    {'e', "\x1B"},
    {' ', " "},
    {'"', "\""},
    {'/', "/"},
    {'\\', "\\"},
    {'N', "\xC2\x85"},
    {'_', "\xC2\xA0"},
    {'L', "\xE2\x80\xA8"},
    {'P', "\xE2\x80\xA9"},
};

static bool read_hex(struct decoding *decoding, size_t start, size_t digits)
{
    uint32_t code = 0;
    char text[UTF8_MAX];
    for (size_t i = 0; i < digits && decoding->at < decoding->end; i++, decoding->at++) {
        code = code << 4 | digit_value(decoding->source->text[decoding->at]);
    }
    size_t size = utf8_encode(code, text);
    return size && emit(decoding, text, size, start);
}

static bool read_escape(struct decoding *decoding)
{
    size_t start = decoding->at++;
    if (break_size(decoding, decoding->at)) {
        decoding->at += break_size(decoding, decoding->at);
        return read_white(decoding, true);
    }
    char c = decoding->at < decoding->end ? decoding->source->text[decoding->at++] : '\0';
    if (c == 'x' || c == 'u' || c == 'U') {
        return read_hex(decoding, start, c == 'x' ? 2 : c == 'u' ? 4 : 8);
    }
    for (size_t i = 0; i < sizeof escapes / sizeof escapes[0]; i++) {
        if (escapes[i].letter == c) {
            return *escapes[i].text &&
                   emit(decoding, escapes[i].text, strlen(escapes[i].text), start);
        }
    }
    return false;
}

static bool read_single_quote(struct decoding *decoding)
{
    size_t start = decoding->at;
    decoding->at += 2;
    return emit(decoding, "'", 1, start);
}

/* Plain and quoted: from behind the opening quote to the end, or the closing quote. */
static bool decode_flow(struct decoding *decoding)
{
    enum node_style style = decoding->node->style;
    decoding->at += style != STYLE_PLAIN;
    decoding->end -= style != STYLE_PLAIN;
    while (decoding->at < decoding->end) {
        char c = decoding->source->text[decoding->at];
        bool ok = is_blank(decoding) || break_size(decoding, decoding->at)
                      ? read_white(decoding, false)
                  : c == '\\' && style == STYLE_DOUBLE_QUOTED ? read_escape(decoding)
                  : c == '\'' && style == STYLE_SINGLE_QUOTED ? read_single_quote(decoding)
                                                              : read_character(decoding);
        if (!ok) {
            return false;
        }
    }
    return true;
}

/* Up to `indent` spaces. Gives how many there were. */
static size_t skip_indent(struct decoding *decoding, size_t indent)
{
    size_t count = 0;
    while (count < indent && decoding->at < decoding->end &&
           decoding->source->text[decoding->at] == ' ') {
        decoding->at++;
        count++;
    }
    return count;
}

/* Breaks of empty lines, with up to `indent` spaces before each; then the next line's indentation,
 * of which the size is returned. */
static size_t read_block_breaks(struct decoding *decoding, size_t indent, struct breaks *breaks)
{
    breaks->rest = breaks->rest_end = decoding->at;
    for (;;) {
        size_t spaces = skip_indent(decoding, indent);
        size_t size = break_size(decoding, decoding->at);
        if (!size) {
            return spaces;
        }
        decoding->at += size;
        breaks->rest_end = decoding->at;
    }
}

/* Between two lines of a block scalar. */
static bool join_lines(struct decoding *decoding, const struct breaks *breaks, bool fold)
{
    if (fold) {
        return emit_folded(decoding, breaks);
    }
    return (!breaks->first_size || emit_break(decoding, breaks->first, breaks->first_size)) &&
           emit_breaks(decoding, breaks->rest, breaks->rest_end);
}

/* A line of a block scalar to its end, and the break there. */
static bool read_block_line(struct decoding *decoding, struct breaks *breaks)
{
    while (decoding->at < decoding->end && !break_size(decoding, decoding->at)) {
        if (!read_character(decoding)) {
            return false;
        }
    }
    breaks->first = decoding->at;
    breaks->first_size = break_size(decoding, decoding->at);
    decoding->at += breaks->first_size;
    return true;
}

/* Lines with `indent` spaces before them, from behind the header. The value's end tells how the
 * last breaks are chomped. */
static bool decode_lines(struct decoding *decoding, size_t indent)
{
    struct breaks breaks = {0};
    bool folds = decoding->node->style == STYLE_FOLDED;
    bool blank_before = true; /* the last line began with white space: it is not folded */
    while (read_block_breaks(decoding, indent, &breaks) == indent && decoding->at < decoding->end) {
        bool blank = is_blank(decoding);
        bool fold = folds && breaks.first_size && breaks.first_size < 3 && !blank && !blank_before;
        if (!join_lines(decoding, &breaks, fold) || !read_block_line(decoding, &breaks)) {
            return false;
        }
        blank_before = blank;
    }
    return decoding->written == decoding->node->size || !breaks.first_size ||
           (emit_break(decoding, breaks.first, breaks.first_size) &&
            (decoding->written == decoding->node->size ||
             emit_breaks(decoding, breaks.rest, breaks.rest_end)));
}

enum { INDENT_TRIES = 10 };

/* Block scalars. How far they are indented is seen at the first line that is not empty; with an
 * explicit indentation (|2) that line has further spaces of its own, so fewer are tried. */
static bool decode_block(struct decoding *decoding)
{
    decoding->end = decoding->source->size;
    while (decoding->at < decoding->end && !break_size(decoding, decoding->at)) {
        decoding->at++;
    }
    decoding->at += break_size(decoding, decoding->at);
    struct decoding ahead = *decoding;
    struct breaks breaks;
    size_t indent = read_block_breaks(&ahead, decoding->source->size, &breaks);
    for (size_t tries = 0; indent && tries < INDENT_TRIES; tries++, indent--) {
        ahead = *decoding;
        if (decode_lines(&ahead, indent) && ahead.written == decoding->node->size) {
            *decoding = ahead;
            return true;
        }
    }
    return false;
}

static struct snippet scalar_snippet(const struct source *source, const struct node *node,
                                     struct arena *arena)
{
    struct decoding decoding = {
        .source = source, .at = node->start, .end = node->end, .node = node};
    decoding.offsets = ARENA_ARRAY(arena, uint32_t, node->size + 1);
    bool block = node->style == STYLE_LITERAL || node->style == STYLE_FOLDED;
    bool known = block ? decode_block(&decoding) : decode_flow(&decoding);
    if (!known || decoding.written != node->size) {
        for (size_t i = 0; i < node->size; i++) {
            decoding.offsets[i] = (uint32_t)node->start;
        }
    }
    size_t last = node->size ? decoding.offsets[node->size - 1] : (uint32_t)node->start;
    bool in_line = known && !block;
    decoding.offsets[node->size] = (uint32_t)(in_line ? decoding.at : last);
    return (struct snippet){.source = source,
                            .text = node->text,
                            .size = node->size,
                            .base = node->start,
                            .offsets = decoding.offsets};
}

struct snippet node_snippet(const struct source *source, const struct node *node,
                            struct arena *arena)
{
    if (node->kind == NODE_SCALAR) {
        return scalar_snippet(source, node, arena);
    }
    return (struct snippet){
        .source = source,
        .text = arena_strndup(arena, source->text + node->start, node->end - node->start),
        .size = node->end - node->start,
        .base = node->start};
}
