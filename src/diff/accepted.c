#include "diff/accepted.h"

#include <fnmatch.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What has been told, and is looked past. */
struct told {
    const struct divergence *divergence;
    VEC(const char *) places; /* where it was met since then */
};

struct accepted {
    size_t count;
    const struct accepted_difference **items;
    atomic_bool *seen;
    pthread_mutex_t lock; /* of the following */
    struct arena arena;
    VEC(struct told) told;
    atomic_bool looks_past; /* something was told; read without the lock */
};

static void add(struct accepted *accepted, const struct accepted_differences *list)
{
    for (size_t i = 0; i < list->items.count; i++) {
        accepted->items[accepted->count++] = &list->items.items[i];
    }
}

struct accepted *accepted_new(const struct accepted_differences *of_machine,
                              const struct accepted_differences *of_file)
{
    size_t count = of_machine->items.count + of_file->items.count;
    struct accepted *accepted = memory_alloc(sizeof *accepted);
    *accepted = (struct accepted){
        .items = memory_alloc((count + 1) * sizeof *accepted->items),
        .seen = memory_alloc((count + 1) * sizeof *accepted->seen),
    };
    (void)pthread_mutex_init(&accepted->lock, NULL);
    add(accepted, of_machine);
    add(accepted, of_file);
    for (size_t i = 0; i < count; i++) {
        atomic_init(&accepted->seen[i], false);
    }
    return accepted;
}

void accepted_free(struct accepted *accepted)
{
    if (accepted != NULL) {
        (void)pthread_mutex_destroy(&accepted->lock);
        arena_free(&accepted->arena);
        free(accepted->items);
        free(accepted->seen);
        free(accepted);
    }
}

static struct told *find_told(struct accepted *accepted, const struct divergence *divergence)
{
    struct told *found = NULL;
    for (size_t i = 0; i < accepted->told.count && found == NULL; i++) {
        struct told *told = &accepted->told.items[i];
        found = divergence_same_cause(told->divergence, divergence) ? told : NULL;
    }
    return found;
}

void accepted_look_past(struct accepted *accepted, const struct divergence *told)
{
    (void)pthread_mutex_lock(&accepted->lock);
    if (find_told(accepted, told) == NULL) {
        *VEC_PUSH(&accepted->arena, &accepted->told) =
            (struct told){.divergence = divergence_copy(&accepted->arena, told)};
        atomic_store(&accepted->looks_past, true);
    }
    (void)pthread_mutex_unlock(&accepted->lock);
}

const char *const *accepted_met(struct accepted *accepted, const struct divergence *told,
                                size_t *count)
{
    (void)pthread_mutex_lock(&accepted->lock);
    const struct told *found = find_told(accepted, told);
    *count = found != NULL ? found->places.count : 0;
    const char *const *places = found != NULL ? found->places.items : NULL;
    (void)pthread_mutex_unlock(&accepted->lock);
    return places;
}

static bool has_place(const struct told *told, const char *place)
{
    bool found = false;
    for (size_t i = 0; i < told->places.count && !found; i++) {
        found = strcmp(told->places.items[i], place) == 0;
    }
    return found;
}

/* Whether it has been told; notes that it was met at the place. */
static bool was_told(struct accepted *accepted, const struct divergence *divergence)
{
    if (!atomic_load(&accepted->looks_past) || !divergence_shows_always(divergence)) {
        return false;
    }
    (void)pthread_mutex_lock(&accepted->lock);
    struct told *told = find_told(accepted, divergence);
    if (told != NULL && !has_place(told, divergence->place)) {
        *VEC_PUSH(&accepted->arena, &told->places) =
            arena_strdup(&accepted->arena, divergence->place);
    }
    (void)pthread_mutex_unlock(&accepted->lock);
    return told != NULL;
}

size_t accepted_count(const struct accepted *accepted) { return accepted->count; }

const struct accepted_difference *accepted_at(const struct accepted *accepted, size_t index,
                                              bool *seen)
{
    *seen = atomic_load(&accepted->seen[index]);
    return accepted->items[index];
}

void accepted_mark(struct accepted *accepted, size_t index)
{
    atomic_store(&accepted->seen[index], true);
}

/* A name can have brackets, which mean something else in a glob. */
static bool matches(const char *glob, const char *text)
{
    return text != NULL && (strcmp(glob, text) == 0 || fnmatch(glob, text, 0) == 0);
}

static bool fits_outcome(const char *glob, const char *text, const struct server_error *error)
{
    return glob == NULL || matches(glob, text) || (error != NULL && matches(glob, error->sqlstate));
}

static bool fits(const struct accepted_difference *one, const struct divergence *divergence)
{
    return (one->kind == NULL || strcmp(one->kind, divergence_kind_name(divergence->kind)) == 0) &&
           fits_outcome(one->from, divergence->before, divergence->error_before) &&
           fits_outcome(one->to, divergence->after, divergence->error_after);
}

static bool is_on(const struct accepted_difference *one, const struct asked *asked)
{
    return matches(one->on, asked->place) || (asked->rule != NULL && matches(one->on, asked->rule));
}

enum { PLACE_MAX = 512 /* longer names of columns are not looked for */ };

static bool is_on_column(const struct accepted_difference *one, const struct asked *asked,
                         const char *column)
{
    char text[PLACE_MAX];
    int size = snprintf(text, sizeof text, "%s.%s", asked->place, column);
    return size > 0 && size < PLACE_MAX && matches(one->on, text);
}

bool accepted_of_rule(const struct accepted *accepted, const char *rule)
{
    char place[PLACE_MAX];
    bool found = accepted != NULL && atomic_load(&accepted->looks_past);
    for (size_t i = 0; accepted != NULL && i < accepted->count && !found; i++) {
        const char *on = accepted->items[i]->on;
        const char *dot = strrchr(on, '.');
        int size = snprintf(place, sizeof place, "%.*s", dot != NULL ? (int)(dot - on) : 0, on);
        found = matches(on, rule) || matches(on, ASKED_DEFERRED) ||
                (size > 0 && size < PLACE_MAX && matches(place, rule));
    }
    return found;
}

/* Of a column's name or type, and of nothing else. */
static bool is_of_type(const struct accepted_difference *one, const struct divergence *divergence)
{
    return divergence->kind == DIVERGES_COLUMN && one->kind != NULL;
}

bool accepted_whole(struct accepted *accepted, const struct asked *asked,
                    const struct divergence *divergence)
{
    bool found = divergence->kind == DIVERGES_MISSING && was_told(accepted, divergence);
    for (size_t i = 0; i < accepted->count; i++) {
        const struct accepted_difference *one = accepted->items[i];
        if (is_on(one, asked) && fits(one, divergence) && !is_of_type(one, divergence)) {
            atomic_store(&accepted->seen[i], true);
            found = true;
        }
    }
    return found;
}

/* Whether the entry accepts that the column differs as the divergence says. */
static bool is_for(const struct accepted_difference *one, const struct asked *asked,
                   const struct divergence *divergence, const char *column)
{
    bool named =
        is_on_column(one, asked, column) || (is_of_type(one, divergence) && is_on(one, asked));
    return named && fits(one, divergence) &&
           (divergence->column == NULL || strcmp(divergence->column, column) == 0);
}

enum may_differ { MAY_NOT, MAY_IN_TYPE, MAY_IN_ALL };

static enum may_differ may_differ(struct accepted *accepted, const struct asked *asked,
                                  const struct divergence *divergence, const char *column)
{
    enum may_differ may = MAY_NOT;
    for (size_t i = 0; i < accepted->count && may != MAY_IN_ALL; i++) {
        if (is_for(accepted->items[i], asked, divergence, column)) {
            may = is_of_type(accepted->items[i], divergence) ? MAY_IN_TYPE : MAY_IN_ALL;
        }
    }
    if (may == MAY_NOT && divergence->column != NULL && strcmp(divergence->column, column) == 0 &&
        was_told(accepted, divergence)) {
        may = MAY_IN_TYPE;
    }
    return may;
}

/* The answer's columns `kept`, in their order; that of the name of `typed` with its type. */
static struct answer project(struct arena *arena, const struct answer *answer, const size_t *kept,
                             size_t count, const struct answer_column *typed)
{
    struct answer out = *answer;
    struct answer_column *columns = ARENA_ARRAY(arena, struct answer_column, count + 1);
    struct value *rows = ARENA_ARRAY(arena, struct value, answer->row_count + 1);
    struct value *items = ARENA_ARRAY(arena, struct value, count + 1);
    const char **names = ARENA_ARRAY(arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++) {
        columns[i] = answer->columns[kept[i]];
        names[i] = columns[i].name;
        if (typed != NULL && strcmp(names[i], typed->name) == 0) {
            columns[i].type_name = typed->type_name;
        }
    }
    for (size_t i = 0; i < answer->row_count; i++) {
        for (size_t j = 0; j < count; j++) {
            items[j] = answer->rows[i].as.tuple->items[kept[j]];
        }
        rows[i] = value_row(arena, items, names, count);
    }
    out.columns = columns;
    out.column_count = count;
    out.rows = rows;
    out.copies = NULL;
    return out;
}

static const struct answer_column *column_of(const struct answer *answer, const char *name)
{
    const struct answer_column *found = NULL;
    for (size_t i = 0; name != NULL && i < answer->column_count && found == NULL; i++) {
        found = strcmp(answer->columns[i].name, name) == 0 ? &answer->columns[i] : NULL;
    }
    return found;
}

/* The column before, if both answers have it and its type alone may differ; else NULL. */
static const struct answer_column *typed_column(struct accepted *accepted,
                                                const struct comparing_answers *answers,
                                                const struct divergence *divergence)
{
    const struct answer_column *before = column_of(answers->before, divergence->column);
    bool typed = before != NULL && column_of(answers->after, before->name) != NULL &&
                 may_differ(accepted, answers->asked, divergence, before->name) == MAY_IN_TYPE;
    return typed ? before : NULL;
}

bool accepted_columns(struct accepted *accepted, const struct comparing_answers *answers,
                      const struct divergence *divergence, struct answer out[2])
{
    const struct answer *const both[2] = {answers->before, answers->after};
    struct arena *arena = answers->sides->arena;
    if (both[0]->status != ANSWER_OK || both[1]->status != ANSWER_OK) {
        return false;
    }
    const struct answer_column *typed = typed_column(accepted, answers, divergence);
    bool fewer = false;
    for (size_t i = 0; i < 2; i++) {
        size_t *kept = ARENA_ARRAY(arena, size_t, both[i]->column_count + 1);
        size_t count = 0;
        for (size_t j = 0; j < both[i]->column_count; j++) {
            const char *name = both[i]->columns[j].name;
            if (typed != NULL ||
                may_differ(accepted, answers->asked, divergence, name) == MAY_NOT) {
                kept[count++] = j;
            }
        }
        fewer = fewer || count < both[i]->column_count;
        out[i] = project(arena, both[i], kept, count, typed);
    }
    return typed != NULL || fewer;
}

bool accepted_saw_columns(struct accepted *accepted, const struct comparing_answers *answers,
                          const struct divergence *divergence)
{
    const struct answer *const both[2] = {answers->before, answers->after};
    bool typed = true;
    for (size_t i = 0; i < accepted->count; i++) {
        const struct accepted_difference *one = accepted->items[i];
        for (size_t j = 0; j < both[0]->column_count + both[1]->column_count; j++) {
            bool first = j < both[0]->column_count;
            const struct answer_column *column =
                &both[!first]->columns[first ? j : j - both[0]->column_count];
            if (is_for(one, answers->asked, divergence, column->name)) {
                atomic_store(&accepted->seen[i], true);
                typed = typed && is_of_type(one, divergence);
            }
        }
    }
    return typed;
}
