#include "init/names.h"

#include <stdio.h>
#include <string.h>

/* The size of the entry's name that the line begins with; 0 if it is not an entry. */
static size_t name_of_line(const char *line, size_t size)
{
    static const char indent[] = "  ";
    size_t skipped = sizeof indent - 1;
    bool is_entry = size > skipped + 1 && memcmp(line, indent, skipped) == 0 &&
                    line[skipped] != ' ' && line[skipped] != '#' && line[size - 1] == ':';
    return is_entry ? size - skipped - 1 : 0;
}

/* Appends the name, shortened, with a number if another entry has it. */
static void add_unique_name(struct names *names, const char *name, size_t size)
{
    struct strbuf *out = names->out;
    char ending[24] = "";
    size_t start = out->size;
    size_t old;
    for (size_t number = 2;; number++) {
        size_t most = NAME_SIZE_MAX - strlen(ending);
        strbuf_add(out, name, size < most ? size : most);
        strbuf_adds(out, ending);
        const char *whole = arena_strndup(&names->arena, out->data + start, out->size - start);
        if (map_set_text(&names->taken, whole, out->size - start, 0, &old)) {
            return;
        }
        strbuf_truncate(out, start);
        (void)snprintf(ending, sizeof ending, "_%zu", number);
    }
}

struct names names_begin(struct strbuf *out)
{
    return (struct names){.out = out, .from = out->size};
}

void names_settle(struct names *names)
{
    struct arena arena = {0};
    struct strbuf *out = names->out;
    const char *section = arena_strndup(&arena, out->data + names->from, out->size - names->from);
    strbuf_truncate(out, names->from);
    names->taken.arena = &names->arena;
    while (*section) {
        size_t size = strcspn(section, "\n");
        size_t name = name_of_line(section, size);
        if (name > 0) {
            strbuf_adds(out, "  ");
            add_unique_name(names, section + 2, name);
            strbuf_addc(out, ':');
        } else {
            strbuf_add(out, section, size);
        }
        section += size;
        strbuf_add(out, section, *section == '\n');
        section += *section == '\n';
    }
    names->from = out->size;
    arena_free(&arena);
}

void names_end(struct names *names) { arena_free(&names->arena); }
