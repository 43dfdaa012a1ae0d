#include "api/mutants.h"

#include "base/file.h"
#include "base/names.h"
#include "base/path.h"
#include "mutate/body.h"
#include "mutate/locate.h"

#include <string.h>

static bool list_of_catalog(struct backend *backend, struct arena *arena, struct mutation *out,
                            struct error *err)
{
    struct pg_mutant *rows = NULL;
    size_t count = 0;
    if (!pg_mutants(backend, arena, &rows, &count, err)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        *VEC_PUSH(arena, &out->mutants) = (struct mutant){
            .operator= rows[i].operator,
            .kind = rows[i].kind,
            .object = rows[i].object,
            .relation = rows[i].relation,
            .was = rows[i].was,
            .becomes = rows[i].becomes,
            .ddl = rows[i].ddl,
            .equivalent = rows[i].equivalent,
        };
    }
    return true;
}

/* The lines of the text around a range, without white space around them. */
static const char *lines_around(struct arena *arena, const char *text, size_t start, size_t end)
{
    static const char spaces[] = " \t\r\n";
    while (start > 0 && text[start - 1] != '\n') {
        start--;
    }
    end += strcspn(text + end, "\n");
    while (start < end && strchr(spaces, text[start])) {
        start++;
    }
    while (start < end && strchr(spaces, text[end - 1])) {
        end--;
    }
    return arena_strndup(arena, text + start, end - start);
}

/* How often the lines of a mutant stand in the text before an edit. */
static size_t count_earlier(const char *text, size_t before, const char *lines)
{
    size_t size = strlen(lines);
    size_t count = 0;
    for (const char *at = text;
         size && (at = strstr(at, lines)) && (size_t)(at - text) + size <= before; at += size) {
        count++;
    }
    return count;
}

static struct mutant mutant_of(const struct pg_body *body, const struct body_edit *edit,
                               struct arena *arena)
{
    const char *edited = body_edited(body->source, strlen(body->source), edit, arena);
    size_t end = edit->start + strlen(edit->replacement);
    const char *was = lines_around(arena, body->source, edit->start, edit->end);
    return (struct mutant){
        .operator= edit->op->name,
        .kind = body->kind,
        .object = body->object,
        .relation = body->relation,
        .was = was,
        .becomes = lines_around(arena, edited, edit->start, end),
        .ddl = arena_printf(arena, "%s%s%s", body->before, edited, body->after),
        .earlier = count_earlier(body->source, edit->start, was),
    };
}

/* One session never notices that a lock is missing. */
static bool list_of_bodies(struct backend *backend, struct arena *arena, struct mutation *out,
                           struct error *err)
{
    struct pg_body *rows = NULL;
    size_t count = 0;
    if (!pg_bodies(backend, arena, &rows, &count, err)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        struct body_edits edits = {0};
        body_edits((enum body_kind)name_index(rows[i].what, NAMES_IN(body_kind_names)),
                   rows[i].source, strlen(rows[i].source), rows[i].others, arena, &edits);
        for (size_t j = 0; j < edits.items.count; j++) {
            if (!edits.items.items[j].op->concerns_others) {
                *VEC_PUSH(arena, &out->mutants) = mutant_of(&rows[i], &edits.items.items[j], arena);
            }
        }
    }
    return true;
}

bool mutants_list(struct backend *backend, struct arena *arena, struct mutation *out,
                  struct error *err)
{
    if (!list_of_catalog(backend, arena, out, err) || !list_of_bodies(backend, arena, out, err)) {
        return false;
    }
    mutants_identify(out->mutants.items, out->mutants.count, arena);
    return true;
}

enum { SOURCE_BYTES = 64 << 20 /* of a schema file, at most */ };

struct sources {
    struct arena *arena;
    VEC(const struct source *) items;
};

static void read_source(void *host, const char *path)
{
    struct sources *sources = host;
    struct strbuf text = {0};
    struct error err;
    if (file_load(path, SOURCE_BYTES, &text, &err)) {
        struct source *source = ARENA_NEW(sources->arena, struct source);
        size_t size = text.size;
        *source = (struct source){.name = path_plain(sources->arena, path),
                                  .text = strbuf_copy(&text, sources->arena),
                                  .size = size};
        *VEC_PUSH(sources->arena, &sources->items) = source;
    }
    strbuf_free(&text);
}

void mutants_find(struct mutation *mutation, const char *const *files, size_t count,
                  struct arena *arena)
{
    struct sources sources = {.arena = arena};
    pg_files(files, count, read_source, &sources);
    mutants_locate(mutation->mutants.items, mutation->mutants.count, sources.items.items,
                   sources.items.count, arena);
}
