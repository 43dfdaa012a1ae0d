#include "base/map.h"
#include "init/brief.h"
#include "init/facts.h"
#include "init/init.h"

#include <string.h>

/* The size of the lines from `at` to the next line with at most `deep` leading spaces: an entry
 * with its content, or a comment. */
static size_t entry_size(const char *at, size_t deep)
{
    size_t size = strcspn(at, "\n");
    size += at[size] == '\n';
    while (at[size] && (at[size] == '\n' || strspn(at + size, " ") > deep)) {
        size += strcspn(at + size, "\n");
        size += at[size] == '\n';
    }
    return size;
}

static bool is_comment(const char *entry) { return entry[strspn(entry, " ")] == '#'; }

/* The name of an entry: "  name:". */
static size_t name_size(const char *entry) { return strcspn(entry, ":\n"); }

/* The entries of a part of a machine, by its key, "rules:". An empty text if the part is missing.
 */
static const char *part_of(const char *text, const char *key)
{
    size_t size = strlen(key);
    while (*text) {
        if (strncmp(text, key, size) == 0) {
            return text + size + strcspn(text + size, "\n") + 1;
        }
        text += entry_size(text, 0);
    }
    return text;
}

/* Collects the entries of a part by their texts. */
static void collect_entries(const char *part, struct map *texts)
{
    while (*part == ' ') {
        size_t size = entry_size(part, 2);
        (void)map_set_text(texts, part, size, 0, NULL);
        part += size;
    }
}

static bool has_entry(const struct map *texts, const char *text, size_t size)
{
    size_t number;
    return map_get_text(texts, text, size, &number);
}

/* The part's key, before the first of its entries. */
static void add_part_key(const char *key, size_t start, struct strbuf *out)
{
    if (out->size == start) {
        strbuf_addf(out, "%s\n", key);
    }
}

/* Appends entries that are missing or different in the generated part, and, without a value, those
 * that only the generated part has. */
static void add_differences(const char *whole, const char *made, const char *key,
                            struct strbuf *out)
{
    struct arena arena = {0};
    struct map texts = {.arena = &arena};
    struct map names = {.arena = &arena};
    size_t start = out->size;
    bool any = false; /* something other than comments */
    const char *part = part_of(whole, key);
    collect_entries(part_of(made, key), &texts);
    for (size_t size; *part == ' '; part += size) {
        size = entry_size(part, 2);
        if (!is_comment(part)) {
            (void)map_set_text(&names, part, name_size(part), 0, NULL);
        }
        if (!has_entry(&texts, part, size)) {
            add_part_key(key, start, out);
            strbuf_add(out, part, size);
            any = any || !is_comment(part);
        }
    }
    part = part_of(made, key);
    for (size_t size; *part == ' '; part += size) {
        size = entry_size(part, 2);
        if (!is_comment(part) && !has_entry(&names, part, name_size(part))) {
            add_part_key(key, start, out);
            strbuf_addf(out, "%.*s: null\n", (int)name_size(part), part);
            any = true;
        }
    }
    if (out->size > start && !any) {
        size_t line = strlen(key) + 1;
        memmove(out->data + start, out->data + start + line, out->size - start - line + 1);
        out->size -= line;
    }
    arena_free(&arena);
}

/* True if the part is the same in both. */
static bool is_same_part(const char *whole, const char *made, const char *key)
{
    const char *one = part_of(whole, key);
    const char *other = part_of(made, key);
    while (*one == ' ' && *other == ' ') {
        size_t size = entry_size(one, 1);
        if (entry_size(other, 1) != size || memcmp(one, other, size) != 0) {
            return false;
        }
        one += size;
        other += size;
    }
    return *one != ' ' && *other != ' ';
}

static const char explanation[] =
    "# What the schema says. It stands for a model of the tables, rules that insert, update and\n"
    "# delete, and invariants; `pgfsm expand` shows them. A rule or an invariant of the same "
    "name,\n"
    "# below, replaces one; `name: null` leaves it out.\n";

void init_shorten(struct value facts, const struct strbuf *whole, struct strbuf *out)
{
    static const char *const same[] = {"model:", "contexts:", "initialize:"};
    struct arena arena = {0};
    struct strbuf made = {0};
    struct error err;
    const char *table;
    struct value brief = brief_of(facts, &arena);
    bool stands = init_expand(brief, &arena, &made, NULL, &table, &err);
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        stands = stands && is_same_part(whole->data, strbuf_text(&made), same[i]);
    }
    const char *model = strstr(whole->data, "\nmodel:");
    if (stands && model) { /* otherwise write it in full, because it must pass */
        strbuf_add(out, whole->data, (size_t)(model - whole->data) + 1);
        strbuf_adds(out, explanation);
        brief_write(brief, out);
        add_differences(whole->data, made.data, "rules:", out);
        add_differences(whole->data, made.data, "invariants:", out);
    } else {
        strbuf_add(out, whole->data, whole->size);
    }
    strbuf_free(&made);
    arena_free(&arena);
}
