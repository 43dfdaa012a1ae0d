#include "init/template.h"

#include "base/utf8.h"
#include "base/visible.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

/* The hole that `text` begins with, and its size in the text. */
static const struct hole *hole_at(const char *text, const struct hole *holes, size_t *taken)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz_";
    bool braces = text[1] == '{';
    const char *name = text + 1 + braces;
    size_t size = strspn(name, letters);
    while (holes->name && (strlen(holes->name) != size || memcmp(holes->name, name, size) != 0)) {
        holes++;
    }
    assert(holes->name);
    *taken = 1 + size + 2 * (size_t)braces;
    return holes;
}

/* The size of a quoted text, with the quotes; of the rest if it is not closed. */
static size_t quoted_size(const char *text)
{
    const char *end = text + 1;
    while (*end && (*end != *text || end[1] == *text)) {
        end += *end == *text ? 2 : 1;
    }
    return (size_t)(end - text) + (*end != '\0');
}

static bool has_hidden(const char *text, size_t size)
{
    uint32_t code;
    for (size_t i = 0; i < size; i += utf8_decode(text + i, size - i, &code)) {
        if (!utf8_decode(text + i, size - i, &code) || visible_hides(code)) {
            return true;
        }
    }
    return false;
}

/* Appends a name or a constant of SQL. Newlines and control characters are escaped, because YAML
 * would change or refuse them. */
static void add_quoted(struct strbuf *out, const char *text, size_t size)
{
    bool is_name = *text == '"';
    uint32_t code;
    if (!has_hidden(text, size)) {
        strbuf_add(out, text, size);
        return;
    }
    bool has_prefix = !is_name && out->size > 0 && out->data[out->size - 1] == 'E';
    strbuf_adds(out, is_name ? "U&" : has_prefix ? "" : "E");
    for (size_t i = 0, step; i < size; i += step) {
        step = utf8_decode(text + i, size - i, &code);
        step = step ? step : 1;
        if (visible_hides(code)) {
            strbuf_addf(out, is_name ? "\\%04" PRIx32 : "\\u%04" PRIx32, code);
        } else {
            strbuf_adds(out, !has_prefix && text[i] == '\\' ? "\\" : "");
            strbuf_add(out, text + i, step);
        }
    }
}

static void add_hole(struct strbuf *out, const char *value, size_t indent)
{
    for (const char *c = value; *c; c++) {
        if (*c == '\'' || *c == '"') {
            size_t size = quoted_size(c);
            add_quoted(out, c, size);
            c += size - 1;
            continue;
        }
        strbuf_addc(out, *c);
        if (*c == '\n' && c[1] != '\n' && c[1] != '\0') {
            strbuf_fill(out, ' ', indent);
        }
    }
}

static void add_template_line(struct strbuf *out, const char *line, size_t size,
                              const struct hole *holes)
{
    size_t start = out->size;
    size_t indent = strspn(line, " ");
    for (size_t i = 0; i < size; i++) {
        if (line[i] != '$') {
            strbuf_addc(out, line[i]);
            continue;
        }
        size_t taken;
        const struct hole *hole = hole_at(line + i, holes, &taken);
        if (!hole->value) {
            strbuf_truncate(out, start);
            return;
        }
        add_hole(out, hole->value, indent);
        i += taken - 1;
    }
}

void template_add(struct strbuf *out, const char *text, const struct hole *holes)
{
    while (*text) {
        size_t size = strcspn(text, "\n");
        size += text[size] == '\n';
        add_template_line(out, text, size, holes);
        text += size;
    }
}

const char *template_text(struct arena *arena, const char *text, const struct hole *holes)
{
    struct strbuf out = {0};
    template_add(&out, text, holes);
    return strbuf_take(&out, arena);
}
