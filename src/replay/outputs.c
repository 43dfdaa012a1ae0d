/* Compares what a script for two databases printed on each. */
#include "base/vec.h"
#include "replay/replay.h"

#include <string.h>

enum { TABLE_MAX = 1 << 22 /* cells; of longer outputs, the middle differs as a whole */ };

struct line {
    const char *text;
    size_t size;
};
struct lines {
    VEC(struct line) items;
};

/* Both outputs, and for each place in both how many lines from there on are common. */
struct outputs {
    struct arena arena;
    struct lines before;
    struct lines after;
    size_t *common; /* NULL: too many */
};

static void split(struct arena *arena, const char *text, struct lines *out)
{
    while (*text) {
        size_t size = strcspn(text, "\n");
        *VEC_PUSH(arena, &out->items) = (struct line){text, size};
        text += size + (text[size] == '\n');
    }
}

static bool is_same(const struct outputs *outputs, size_t i, size_t j)
{
    const struct line a = outputs->before.items.items[i];
    const struct line b = outputs->after.items.items[j];
    return a.size == b.size && memcmp(a.text, b.text, a.size) == 0;
}

static size_t *common_at(const struct outputs *outputs, size_t i, size_t j)
{
    return &outputs->common[i * (outputs->after.items.count + 1) + j];
}

static void find_common(struct outputs *outputs)
{
    size_t rows = outputs->before.items.count;
    size_t columns = outputs->after.items.count;
    if ((rows + 1) * (columns + 1) > TABLE_MAX) {
        return;
    }
    outputs->common = ARENA_ARRAY(&outputs->arena, size_t, (rows + 1) * (columns + 1));
    for (size_t i = rows; i-- > 0;) {
        for (size_t j = columns; j-- > 0;) {
            size_t down = *common_at(outputs, i + 1, j);
            size_t right = *common_at(outputs, i, j + 1);
            *common_at(outputs, i, j) = is_same(outputs, i, j)
                                            ? *common_at(outputs, i + 1, j + 1) + 1
                                        : down > right ? down
                                                       : right;
        }
    }
}

static void add_line(struct strbuf *out, const char *mark, struct line line)
{
    strbuf_adds(out, mark);
    strbuf_add(out, line.text, line.size);
    strbuf_addc(out, '\n');
}

static void add_differences(const struct outputs *outputs, struct strbuf *out)
{
    size_t rows = outputs->before.items.count;
    size_t columns = outputs->after.items.count;
    size_t i = 0;
    size_t j = 0;
    while (i < rows || j < columns) {
        if (i < rows && j < columns && is_same(outputs, i, j)) {
            i++;
            j++;
        } else if (i < rows && (j == columns || !outputs->common ||
                                *common_at(outputs, i + 1, j) >= *common_at(outputs, i, j + 1))) {
            add_line(out, "- ", outputs->before.items.items[i++]);
        } else {
            add_line(out, "+ ", outputs->after.items.items[j++]);
        }
    }
}

void replay_compare(const char *before, const char *after, struct strbuf *out)
{
    struct outputs outputs = {0};
    split(&outputs.arena, before, &outputs.before);
    split(&outputs.arena, after, &outputs.after);
    find_common(&outputs);
    add_differences(&outputs, out);
    arena_free(&outputs.arena);
}
