/* pgfsm_machine_build: a table of paths and texts becomes YAML, which is read like any other. */
#include "api/errors.h"
#include "api/machine.h"
#include "base/digits.h"

#include <pgfsm/machine.h>

#include <string.h>

enum { DEEP_MAX = 100 }; /* names in a path */

struct builder {
    const struct pgfsm_entry *entries;
    size_t count;
    struct strbuf text;
};

static void write_quoted(struct strbuf *out, const char *text, size_t size)
{
    strbuf_addc(out, '"');
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (byte == '\n') {
            strbuf_adds(out, "\\n");
        } else if (byte < ' ' || byte == 0x7f) {
            strbuf_addf(out, "\\x%02x", byte);
        } else {
            strbuf_addf(out, "%s%c", byte == '"' || byte == '\\' ? "\\" : "", byte);
        }
    }
    strbuf_addc(out, '"');
}

/* The size of the name at `at` in the entry's path; 0 where the path ends. */
static size_t name_size(const struct pgfsm_entry *entry, size_t at)
{
    return at <= strlen(entry->path) ? strcspn(entry->path + at, "/") : 0;
}

/* Whether two entries have the first `size` bytes of their paths in common, up to a name's end. */
static bool shares(const struct pgfsm_entry *a, const struct pgfsm_entry *b, size_t size)
{
    return strncmp(a->path, b->path, size) == 0 && strcspn(b->path + size, "/") == 0;
}

/* The parts of what the first `size` bytes of an entry's path name, each with those below it. */
static void write_parts(struct builder *builder, size_t first, size_t size, size_t depth)
{
    const struct pgfsm_entry *parent = &builder->entries[first];
    const size_t at = size ? size + 1 : 0;
    for (size_t i = first; i < builder->count; i++) {
        const struct pgfsm_entry *entry = &builder->entries[i];
        if (size && !shares(parent, entry, size)) {
            continue;
        }
        size_t name = at + name_size(entry, at);
        size_t before = first;
        while (before < i && !shares(entry, &builder->entries[before], name)) {
            before++;
        }
        if (before < i) {
            continue; /* written with that one */
        }
        strbuf_addf(&builder->text, "%*s", (int)(2 * depth), "");
        if (is_digit(entry->path[at])) {
            strbuf_adds(&builder->text, "-");
        } else {
            write_quoted(&builder->text, entry->path + at, name - at);
            strbuf_adds(&builder->text, ":");
        }
        if (entry->path[name]) {
            strbuf_adds(&builder->text, "\n");
            write_parts(builder, i, name, depth + 1);
        } else {
            strbuf_adds(&builder->text, " ");
            entry->text ? write_quoted(&builder->text, entry->text, strlen(entry->text))
                        : strbuf_adds(&builder->text, "null");
            strbuf_adds(&builder->text, "\n");
        }
    }
}

static const char *mistake_of_path(const char *path)
{
    size_t names = 1;
    for (const char *at = path; *at; at++) {
        names += *at == '/';
    }
    if (names > DEEP_MAX) {
        return "is too long";
    }
    return *path == '/' || strstr(path, "//") || !*path || path[strlen(path) - 1] == '/'
               ? "has an empty name"
               : NULL;
}

/* What is wrong with an entry beside an earlier one; or NULL. */
static const char *mistake_beside(const struct pgfsm_entry *entry, const struct pgfsm_entry *other)
{
    size_t size = strlen(entry->path);
    size_t others = strlen(other->path);
    if (size == others && strcmp(entry->path, other->path) == 0) {
        return "is there twice";
    }
    return shares(entry, other, size) || shares(other, entry, others)
               ? "is or has a part of something that is a text already"
               : NULL;
}

static bool check_entries(const struct builder *builder, struct pgfsm_errors *errors)
{
    for (size_t i = 0; i < builder->count; i++) {
        const struct pgfsm_entry *entry = &builder->entries[i];
        const char *mistake = mistake_of_path(entry->path);
        for (size_t j = 0; j < i && !mistake; j++) {
            mistake = mistake_beside(entry, &builder->entries[j]);
        }
        if (mistake) {
            return errors_addf(errors, ERROR_USAGE, "the path '%s' %s", entry->path, mistake);
        }
    }
    return true;
}

bool pgfsm_machine_build(struct pgfsm_machine **out, const char *name,
                         const struct pgfsm_entry *entries, const struct pgfsm_model *model,
                         struct pgfsm_errors *errors)
{
    struct builder builder = {.entries = entries};
    *out = NULL;
    while (entries[builder.count].path) {
        builder.count++;
    }
    if (!check_entries(&builder, errors)) {
        return false;
    }
    if (builder.count) {
        write_parts(&builder, 0, 0, 0);
    }
    bool built =
        pgfsm_machine_read(out, name, strbuf_text(&builder.text), builder.text.size, model, errors);
    strbuf_free(&builder.text);
    return built;
}
