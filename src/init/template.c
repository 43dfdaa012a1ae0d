#include "init/template.h"

#include <assert.h>
#include <string.h>

static const struct hole *hole_at(const char *text, const struct hole *holes)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz_";
    size_t size = strspn(text + 1, letters);
    while (holes->name &&
           (strlen(holes->name) != size || memcmp(holes->name, text + 1, size) != 0)) {
        holes++;
    }
    assert(holes->name);
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
        const struct hole *hole = hole_at(line + i, holes);
        if (!hole->value) {
            strbuf_truncate(out, start);
            return;
        }
        add_value(out, hole->value, indent);
        i += strlen(hole->name);
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
