#include "init/template.h"

#include <assert.h>
#include <string.h>

/* The hole that `text` begins with, and how much of the text it is. */
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

static void add_value(struct strbuf *out, const char *value, size_t indent)
{
    for (const char *c = value; *c; c++) {
        strbuf_addc(out, *c);
        if (*c == '\n' && c[1] != '\n' && c[1] != '\0') {
            strbuf_fill(out, ' ', indent);
        }
    }
}

static void add_line(struct strbuf *out, const char *line, size_t size, const struct hole *holes)
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
        add_value(out, hole->value, indent);
        i += taken - 1;
    }
}

void template_add(struct strbuf *out, const char *text, const struct hole *holes)
{
    while (*text) {
        size_t size = strcspn(text, "\n");
        size += text[size] == '\n';
        add_line(out, text, size, holes);
        text += size;
    }
}

const char *template_text(struct arena *arena, const char *text, const struct hole *holes)
{
    struct strbuf out = {0};
    template_add(&out, text, holes);
    return strbuf_take(&out, arena);
}
