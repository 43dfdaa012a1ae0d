#include "layout/layout.h"

#include "base/file.h"
#include "base/path.h"

#include <fnmatch.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { HEAD_SIZE = 1 << 16, JOURNAL_SIZE_MAX = 16 << 20 };

static const char journal_name[] = "meta/_journal.json";

static size_t slashes(const char *text, size_t size)
{
    size_t count = 0;
    for (size_t i = 0; i < size; i++) {
        count += text[i] == '/';
    }
    return count;
}

/* The last parts of a path, with so many slashes between them; NULL if it has not so many. */
static const char *last_parts(const char *path, size_t count)
{
    const char *at = path + strlen(path);
    for (size_t left = count + 1; at > path; at--) {
        left -= at[-1] == '/';
        if (left == 0) {
            return at;
        }
    }
    return slashes(path, strlen(path)) == count ? path : NULL;
}

/* The next of the patterns, in a buffer; false at the end. */
static bool next_pattern(const char **patterns, char *out, size_t out_size)
{
    size_t size = *patterns ? strcspn(*patterns, "|") : 0;
    if (size == 0 || size >= out_size) {
        return false;
    }
    memcpy(out, *patterns, size);
    out[size] = '\0';
    *patterns += size + ((*patterns)[size] == '|');
    return true;
}

bool layout_matches(const char *patterns, const char *path, bool whole, bool deep)
{
    char pattern[64];
    bool matches = false;
    while (!matches && next_pattern(&patterns, pattern, sizeof pattern)) {
        const char *end = last_parts(path, slashes(pattern, strlen(pattern)));
        matches = end && (deep || !whole || end == path) &&
                  fnmatch(pattern, end, FNM_PATHNAME | FNM_PERIOD) == 0;
    }
    return matches;
}

static bool folder_fits(const char *patterns, const char *folder)
{
    char pattern[64];
    bool fits = !patterns;
    while (!fits && next_pattern(&patterns, pattern, sizeof pattern)) {
        fits = fnmatch(pattern, folder, 0) == 0;
    }
    return fits;
}

static const char *path_in(const struct layout_names *names, const char *name, struct arena *arena)
{
    return *names->folder ? arena_printf(arena, "%s/%s", names->folder, name) : name;
}

/* True if a line of the text is a comment that begins with the words, in any case. */
static bool has_comment(const char *text, const char *words)
{
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *at = line;
        while (strncmp(at, "--", 2) == 0 || *at == ' ' || *at == '\t') {
            at += 1 + (*at == '-');
        }
        if (at > line && strncasecmp(at, words, strlen(words)) == 0) {
            return true;
        }
    }
    return false;
}

static bool has_mark(const struct layout *layout, const char *path)
{
    struct strbuf text = {0};
    struct error ignored;
    bool of_file = layout->files != NULL;
    bool has = file_head(path, HEAD_SIZE, &text, &ignored) &&
               (of_file ? has_comment(strbuf_text(&text), layout->mark)
                        : strstr(strbuf_text(&text), layout->mark) != NULL);
    strbuf_free(&text);
    return has;
}

/* The first or the last of the names that match. */
struct matched {
    const char *first;
    const char *last;
    size_t count;
};

static struct matched match(const struct layout_names *names, const char *patterns, bool deep)
{
    struct matched out = {0};
    for (size_t i = 0; i < names->items.count; i++) {
        const char *name = names->items.items[i];
        if (layout_matches(patterns, name, names->all, deep)) {
            out.first = out.first ? out.first : name;
            out.last = name;
            out.count++;
        }
    }
    return out;
}

/* Files that a glob names, instead of a list of all. */
static bool exists(const struct layout_names *names, const char *pattern, struct arena *arena)
{
    glob_t found = {0};
    bool is = glob(path_in(names, pattern, arena), GLOB_NOSORT, NULL, &found) == 0;
    globfree(&found);
    return is;
}

static bool marker_fits(const struct layout *layout, const struct layout_names *names,
                        struct arena *arena)
{
    if (!layout->marker) {
        return true;
    }
    if (!names->all) {
        return exists(names, layout->marker, arena);
    }
    struct matched found = match(names, layout->marker, false);
    return found.count > 0 &&
           (layout->files || !layout->mark || has_mark(layout, path_in(names, found.first, arena)));
}

static bool is_alone(const struct layout *layout, const struct layout_names *names)
{
    for (size_t i = 0; i < names->items.count; i++) {
        const char *name = names->items.items[i];
        if (path_ends_in(name, ".sql") && (!names->all || !strchr(name, '/')) &&
            !layout_matches(layout->files, name, names->all, false) &&
            !layout_matches(layout->back, name, names->all, false)) {
            return false;
        }
    }
    return true;
}

static bool files_fit(const struct layout *layout, const struct layout_names *names,
                      struct arena *arena)
{
    if (!layout->files) {
        return true;
    }
    struct matched found = match(names, layout->files, layout->deep);
    return found.count > 0 &&
           (!layout->mark || has_mark(layout, path_in(names, found.first, arena)) ||
            has_mark(layout, path_in(names, found.last, arena))) &&
           (!layout->alone || is_alone(layout, names));
}

bool layout_fits(const struct layout *row, const struct layout_names *names, const char *absolute,
                 struct arena *arena)
{
    return folder_fits(row->folder, absolute) && (row->files || names->all) &&
           marker_fits(row, names, arena) && files_fit(row, names, arena);
}

bool layout_is_file(const struct layout *layout)
{
    return layout->files && !strpbrk(layout->files, "*?[");
}

const struct layout *layout_of(const struct layout_names *names, struct arena *arena)
{
    const char *absolute = path_absolute(arena, *names->folder ? names->folder : ".");
    for (const struct layout *row = layout_table; absolute && row->tool; row++) {
        if (!layout_is_file(row) && row->rank != RANK_CODE &&
            layout_fits(row, names, absolute, arena)) {
            return row;
        }
    }
    return NULL;
}

static bool is_among(const struct layout_names *names, const char *name)
{
    for (size_t i = 0; i < names->items.count; i++) {
        if (strcmp(names->items.items[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/* True for a way back whatever the tool: 1.down.sql beside 1.up.sql, down.sql beside up.sql. */
static bool is_way_back(const struct layout_names *names, const char *name, struct arena *arena)
{
    static const char down[] = "down.sql";
    size_t size = strlen(name);
    size_t stem = size - strlen(down);
    if (size < strlen(down) || strcmp(name + stem, down) != 0 ||
        (stem > 0 && !strchr("./", name[stem - 1]))) {
        return false;
    }
    return is_among(names, arena_printf(arena, "%.*sup.sql", (int)stem, name));
}

/* Names the files of the journal, in its order: Drizzle writes an entry for each, {…, "tag": …}. */
static bool read_journal(const char *path, struct arena *arena, struct layout_files *out,
                         struct error *err)
{
    static const char key[] = "\"tag\"";
    struct strbuf text = {0};
    bool read = file_load(path, JOURNAL_SIZE_MAX, &text, err);
    const char *folder = path_folder(arena, path_folder(arena, path));
    for (const char *at = strbuf_text(&text); read && (at = strstr(at, key));) {
        at += strlen(key);
        at += strspn(at, ": \t\r\n");
        size_t size = strcspn(at + (*at == '"'), "\"/");
        *VEC_PUSH(arena, &out->paths) =
            arena_printf(arena, "%s/%.*s.sql", folder, (int)size, at + (*at == '"'));
    }
    strbuf_free(&text);
    return read;
}

static void sort(const struct layout *layout, struct layout_files *files)
{
    static int (*const orders[])(const void *a, const void *b) = {
        [ORDER_TEXT] = path_order_as_text,
        [ORDER_WITHOUT_HYPHENS] = path_order_without_hyphens,
    };
    enum layout_order order = layout ? layout->order : ORDER_NATURAL;
    bool has = (size_t)order < sizeof orders / sizeof *orders && orders[order];
    if (files->paths.count > 0) {
        qsort(files->paths.items, files->paths.count, sizeof *files->paths.items,
              has ? orders[order] : path_order);
    }
    if (order == ORDER_VERSIONS) {
        layout_sort_versions(files);
    }
}

static const char *order_of(const struct layout *layout, struct arena *arena)
{
    switch (layout ? layout->order : ORDER_NATURAL) {
    case ORDER_NATURAL:
        return "in natural order: 2.sql comes before 10.sql";
    case ORDER_TEXT:
    case ORDER_WITHOUT_HYPHENS:
        return arena_printf(arena, "sorted as text, as %s does: 10.sql comes before 2.sql",
                            layout->tool);
    case ORDER_VERSIONS:
        return "by version, as Flyway does: V2 comes before V10, and R__ comes last";
    case ORDER_JOURNAL:
        return arena_printf(arena, "in the order of %s", journal_name);
    case ORDER_PLAN:
        break;
    }
    return NULL;
}

/* Puts the files that the journal names first, in its order. */
static void sort_by_journal(const struct layout_names *names, struct arena *arena,
                            struct layout_files *files)
{
    struct layout_files journal = {0};
    struct error ignored;
    size_t placed = 0;
    (void)read_journal(path_in(names, journal_name, arena), arena, &journal, &ignored);
    for (size_t i = 0; i < journal.paths.count; i++) {
        for (size_t j = placed; j < files->paths.count; j++) {
            const char *path = files->paths.items[j];
            if (strcmp(last_parts(path, 0), last_parts(journal.paths.items[i], 0)) == 0) {
                memmove(files->paths.items + placed + 1, files->paths.items + placed,
                        (j - placed) * sizeof *files->paths.items);
                files->paths.items[placed++] = path;
            }
        }
    }
}

void layout_sort(const struct layout_names *names, struct arena *arena, struct layout_files *out)
{
    const struct layout *layout = layout_of(names, arena);
    *out = (struct layout_files){.layout = layout, .order = order_of(layout, arena)};
    for (size_t i = 0; i < names->items.count; i++) {
        const char *name = names->items.items[i];
        if (!is_way_back(names, name, arena) &&
            !(layout && layout_matches(layout->back, name, false, layout->deep))) {
            *VEC_PUSH(arena, &out->paths) = path_in(names, name, arena);
        }
    }
    sort(layout, out);
    if (layout && layout->order == ORDER_JOURNAL) {
        sort_by_journal(names, arena, out);
    }
}

/* What the row's tool reads instead of the folder: a journal, a plan. */
static bool read_listed(const struct layout *layout, const struct layout_names *names,
                        struct arena *arena, struct layout_files *out, struct error *err)
{
    const char *path = path_in(names, match(names, layout->marker, false).first, arena);
    return layout->order == ORDER_PLAN ? layout_read_plan(path, arena, out, err)
                                       : read_journal(path, arena, out, err);
}

bool layout_read(const struct layout *layout, const struct layout_names *names, struct arena *arena,
                 struct layout_files *out, struct error *err)
{
    *out = (struct layout_files){.layout = layout, .order = order_of(layout, arena)};
    if (layout->order == ORDER_JOURNAL || layout->order == ORDER_PLAN) {
        return read_listed(layout, names, arena, out, err);
    }
    for (size_t i = 0; i < names->items.count; i++) {
        const char *name = names->items.items[i];
        if (layout_matches(layout->files, name, true, layout->deep) &&
            !layout_matches(layout->back, name, true, layout->deep)) {
            *VEC_PUSH(arena, &out->paths) = path_in(names, name, arena);
        }
    }
    sort(layout, out);
    return true;
}
