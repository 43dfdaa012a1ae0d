#include "init/names.h"

#include "base/map.h"

#include <stdio.h>
#include <string.h>

/* The name of an entry that the line begins, by its size; 0: it begins none. */
static size_t name_of_line(const char *line, size_t size)
{
    static const char indent[] = "  ";
    size_t skipped = sizeof indent - 1;
    bool is_entry = size > skipped + 1 && memcmp(line, indent, skipped) == 0 &&
                    line[skipped] != ' ' && line[skipped] != '#' && line[size - 1] == ':';
    return is_entry ? size - skipped - 1 : 0;
}

/* The name, shortened, with a number behind it if another entry has it. */
static void add_name(struct map *taken, const char *name, size_t size, struct strbuf *out)
{
    char ending[24] = "";
    size_t start = out->size;
    size_t old;
    for (size_t number = 2;; number++) {
        size_t most = NAME_SIZE_MAX - strlen(ending);
        strbuf_add(out, name, size < most ? size : most);
        strbuf_adds(out, ending);
        if (map_set_text(taken, out->data + start, out->size - start, 0, &old)) {
            return;
        }
        strbuf_truncate(out, start);
        (void)snprintf(ending, sizeof ending, "_%zu", number);
    }
}

void names_settle(struct strbuf *out, size_t start)
{
    struct arena arena = {0};
    struct map taken = {.arena = &arena};
    const char *section = arena_strndup(&arena, out->data + start, out->size - start);
    strbuf_truncate(out, start);
    while (*section) {
        size_t size = strcspn(section, "\n");
        size_t name = name_of_line(section, size);
        if (name > 0) {
            strbuf_adds(out, "  ");
            add_name(&taken, section + 2, name, out);
            strbuf_addc(out, ':');
        } else {
            strbuf_add(out, section, size);
        }
        section += size;
        strbuf_add(out, section, *section == '\n');
        section += *section == '\n';
    }
    arena_free(&arena);
}
