#include "diff/changes.h"

#include "base/map.h"
#include "base/words.h"

#include <ctype.h>
#include <string.h>

enum { CENTRAL_MIN = 3 /* tables that refer to a central one */ };

/* What objects of one name have to do with others. Those with the same name count as one. */
struct named {
    const char *name;
    const char *table; /* of both databases: "table public.orders"; or NULL */
    bool inner;        /* a function or a type: what has to do with it is changed by it */
    bool changed;
    bool near;
    size_t referring;  /* tables whose constraints mention it */
    VEC(size_t) names; /* that its definitions mention, by index */
    VEC(size_t) is_in; /* whose definitions mention it */
};

struct finding {
    struct arena scratch;
    struct map index; /* of a name in `named` */
    VEC(struct named) named;
};

static const char *lower(struct arena *arena, const char *name)
{
    char *text = arena_strdup(arena, name);
    for (char *c = text; *c; c++) {
        *c = (char)tolower((unsigned char)*c);
    }
    return text;
}

static bool is_kind(const char *object, const char *kind)
{
    size_t size = strlen(kind);
    return strncmp(object, kind, size) == 0 && object[size] == ' ';
}

static bool is_inner(const char *object)
{
    return is_kind(object, "function") || is_kind(object, "type");
}

static struct named *named_of(struct finding *finding, const char *name)
{
    size_t index;
    name = lower(&finding->scratch, name);
    if (!map_get_text(&finding->index, name, strlen(name), &index)) {
        index = finding->named.count;
        (void)map_set_text(&finding->index, name, strlen(name), index, NULL);
        *VEC_PUSH(&finding->scratch, &finding->named) = (struct named){.name = name};
    }
    return &finding->named.items[index];
}

/* Parts from `from` on that are of the same object. */
static size_t end_of_object(const struct backend_parts *parts, size_t from)
{
    size_t to = from;
    while (to < parts->items.count &&
           strcmp(parts->items.items[to].object, parts->items.items[from].object) == 0) {
        to++;
    }
    return to;
}

static int compare_parts(const struct backend_part *a, const struct backend_part *b)
{
    int order = strcmp(a->kind, b->kind);
    return order ? order : strcmp(a->definition, b->definition);
}

static void add_kind(struct arena *arena, struct changed_object *object, const char *kind)
{
    size_t count = object->kinds.count;
    if (count == 0 || strcmp(object->kinds.items[count - 1], kind) != 0) {
        *VEC_PUSH(arena, &object->kinds) = kind;
    }
}

/* Parts of one database, of one object. */
struct span {
    const struct backend_part *items;
    size_t count;
};

static struct span span_of(const struct backend_parts *parts, size_t from)
{
    return (struct span){parts->items.items + from, end_of_object(parts, from) - from};
}

/* Of an object that both have. */
static void compare_object(struct arena *arena, struct span before, struct span after,
                           struct changes *out)
{
    struct changed_object object = {.object = before.items[0].object, .on = CHANGED_BOTH};
    size_t i = 0;
    size_t j = 0;
    while (i < before.count || j < after.count) {
        int order = i == before.count  ? 1
                    : j == after.count ? -1
                                       : compare_parts(&before.items[i], &after.items[j]);
        if (order) {
            add_kind(arena, &object, order < 0 ? before.items[i].kind : after.items[j].kind);
        }
        i += order <= 0;
        j += order >= 0;
    }
    if (object.kinds.count) {
        *VEC_PUSH(arena, &out->items) = object;
    }
}

static void note_single(struct arena *arena, const char *object, enum changed_on on,
                        struct changes *out)
{
    if (is_inner(object)) {
        *VEC_PUSH(arena, &out->items) = (struct changed_object){.object = object, .on = on};
    }
}

/* Of an object that one or both have: `order` says which, as in comparing them. `found`: it
 * differs. */
static void note_name(struct finding *finding, const struct backend_part *part, int order,
                      bool found)
{
    struct named *named = named_of(finding, part->name);
    named->inner = named->inner || is_inner(part->object);
    named->changed = named->changed || found;
    if (order == 0 && is_kind(part->object, "table")) {
        named->table = part->object;
    }
}

static void compare_objects(struct arena *arena, struct finding *finding,
                            const struct backend_parts *before, const struct backend_parts *after,
                            struct changes *out)
{
    size_t i = 0;
    size_t j = 0;
    while (i < before->items.count || j < after->items.count) {
        struct span a = span_of(before, i);
        struct span b = span_of(after, j);
        int order = !a.count ? 1 : !b.count ? -1 : strcmp(a.items[0].object, b.items[0].object);
        size_t known = out->items.count;
        if (order == 0) {
            compare_object(arena, a, b, out);
        } else {
            note_single(arena, order < 0 ? a.items[0].object : b.items[0].object,
                        order < 0 ? CHANGED_ONLY_BEFORE : CHANGED_ONLY_AFTER, out);
        }
        note_name(finding, order <= 0 ? &a.items[0] : &b.items[0], order, out->items.count > known);
        i += order <= 0 ? a.count : 0;
        j += order >= 0 ? b.count : 0;
    }
}

static void note_written(struct finding *finding, const struct backend_names *written)
{
    for (size_t i = 0; i < written->items.count; i++) {
        struct named *named = named_of(finding, written->items.items[i]);
        named->changed = named->changed || named->table;
    }
}

static void link(struct finding *finding, size_t from, size_t to)
{
    struct named *named = &finding->named.items[from];
    for (size_t i = 0; i < named->names.count; i++) {
        if (named->names.items[i] == to) {
            return;
        }
    }
    *VEC_PUSH(&finding->scratch, &named->names) = to;
    *VEC_PUSH(&finding->scratch, &finding->named.items[to].is_in) = from;
}

/* A table counts once for each other one to which its constraints refer. */
static void link_part(struct finding *finding, const struct backend_part *part)
{
    struct words words = {.text = part->definition, .size = strlen(part->definition)};
    size_t from = (size_t)(named_of(finding, part->name) - finding->named.items);
    size_t to;
    while (next_word(&words)) {
        if (map_get_text(&finding->index, words.word, strlen(words.word), &to) && to != from) {
            size_t links = finding->named.items[from].names.count;
            link(finding, from, to);
            finding->named.items[to].referring += strcmp(part->kind, "constraint") == 0 &&
                                                  finding->named.items[from].names.count > links;
        }
    }
}

static void link_all(struct finding *finding, const struct backend_parts *parts)
{
    for (size_t i = 0; i < parts->items.count; i++) {
        link_part(finding, &parts->items.items[i]);
    }
}

/* What a changed function or type is a part of is changed, too, and so on. */
static void spread(struct finding *finding)
{
    VEC(size_t) open = {0};
    for (size_t i = 0; i < finding->named.count; i++) {
        if (finding->named.items[i].changed) {
            *VEC_PUSH(&finding->scratch, &open) = i;
        }
    }
    for (size_t i = 0; i < open.count; i++) {
        const struct named *named = &finding->named.items[open.items[i]];
        for (size_t j = 0; named->inner && j < named->is_in.count; j++) {
            struct named *other = &finding->named.items[named->is_in.items[j]];
            if (!other->changed) {
                other->changed = true;
                *VEC_PUSH(&finding->scratch, &open) = named->is_in.items[j];
            }
        }
    }
}

/* Of a changed function, also the functions that use the same tables: they make its rows. */
static void find_near(struct finding *finding)
{
    for (size_t i = 0; i < finding->named.count; i++) {
        const struct named *named = &finding->named.items[i];
        for (size_t j = 0; named->changed && j < named->is_in.count; j++) {
            finding->named.items[named->is_in.items[j]].near = true;
        }
        for (size_t j = 0; named->changed && j < named->names.count; j++) {
            struct named *used = &finding->named.items[named->names.items[j]];
            used->near = true;
            for (size_t k = 0; named->inner && used->table && k < used->is_in.count; k++) {
                struct named *other = &finding->named.items[used->is_in.items[k]];
                other->near = other->near || other->inner;
            }
        }
    }
}

static void write_out(struct arena *arena, const struct finding *finding, struct changes *out)
{
    for (size_t i = 0; i < finding->named.count; i++) {
        const struct named *named = &finding->named.items[i];
        if (named->changed) {
            *VEC_PUSH(arena, &out->concerns.changed) = arena_strdup(arena, named->name);
        } else if (named->near) {
            *VEC_PUSH(arena, &out->concerns.near) = arena_strdup(arena, named->name);
        }
        if (named->table && named->changed) {
            *VEC_PUSH(arena, &out->tables) = named->table;
        }
        if (named->table && named->referring >= CENTRAL_MIN) {
            *VEC_PUSH(arena, &out->central) = named->table;
        }
    }
    for (size_t i = 0; out->tables.count == 0 && i < finding->named.count; i++) {
        const struct named *named = &finding->named.items[i];
        if (named->table && named->near) {
            *VEC_PUSH(arena, &out->tables) = named->table;
        }
    }
}

/* Of both servers; the row without an object is the first. */
static bool same_version(const struct backend_parts *before, const struct backend_parts *after)
{
    return before->items.count && after->items.count &&
           strcmp(before->items.items[0].definition, after->items.items[0].definition) == 0;
}

void changes_find(struct arena *arena, const struct backend_parts *before,
                  const struct backend_parts *after, const struct backend_names *written,
                  struct changes *out)
{
    struct finding finding = {0};
    finding.index.arena = &finding.scratch;
    *out = (struct changes){0};
    if (same_version(before, after)) {
        compare_objects(arena, &finding, before, after, out);
        note_written(&finding, written);
        link_all(&finding, before);
        link_all(&finding, after);
        spread(&finding);
        find_near(&finding);
        write_out(arena, &finding, out);
    }
    arena_free(&finding.scratch);
}
