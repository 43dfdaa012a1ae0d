#include "diff/accepted.h"

#include <fnmatch.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct accepted {
    size_t count;
    const struct accepted_difference **items;
    atomic_bool *seen;
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
        free(accepted->items);
        free(accepted->seen);
        free(accepted);
    }
}

size_t accepted_count(const struct accepted *accepted) { return accepted->count; }

const struct accepted_difference *accepted_at(const struct accepted *accepted, size_t index,
                                              bool *seen)
{
    *seen = atomic_load(&accepted->seen[index]);
    return accepted->items[index];
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
    bool found = false;
    for (size_t i = 0; accepted != NULL && i < accepted->count && !found; i++) {
        const char *on = accepted->items[i]->on;
        const char *dot = strrchr(on, '.');
        int size = snprintf(place, sizeof place, "%.*s", dot != NULL ? (int)(dot - on) : 0, on);
        found = matches(on, rule) || matches(on, ASKED_DEFERRED) ||
                (size > 0 && size < PLACE_MAX && matches(place, rule));
    }
    return found;
}

bool accepted_whole(struct accepted *accepted, const struct asked *asked,
                    const struct divergence *divergence)
{
    bool found = false;
    for (size_t i = 0; i < accepted->count; i++) {
        if (is_on(accepted->items[i], asked) && fits(accepted->items[i], divergence)) {
            atomic_store(&accepted->seen[i], true);
            found = true;
        }
    }
    return found;
}

static bool may_differ(const struct accepted *accepted, const struct asked *asked,
                       const struct divergence *divergence, const char *column)
{
    bool may = false;
    for (size_t i = 0; i < accepted->count && !may; i++) {
        may =
            fits(accepted->items[i], divergence) && is_on_column(accepted->items[i], asked, column);
    }
    return may;
}

/* The answer's columns `kept`, in their order. */
static struct answer project(struct arena *arena, const struct answer *answer, const size_t *kept,
                             size_t count)
{
    struct answer out = *answer;
    struct answer_column *columns = ARENA_ARRAY(arena, struct answer_column, count + 1);
    struct value *rows = ARENA_ARRAY(arena, struct value, answer->row_count + 1);
    struct value *items = ARENA_ARRAY(arena, struct value, count + 1);
    const char **names = ARENA_ARRAY(arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++) {
        columns[i] = answer->columns[kept[i]];
        names[i] = columns[i].name;
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

bool accepted_columns(const struct accepted *accepted, const struct comparing_answers *answers,
                      const struct divergence *divergence, struct answer out[2])
{
    const struct answer *const both[2] = {answers->before, answers->after};
    struct arena *arena = answers->sides->arena;
    bool fewer = false;
    for (size_t i = 0; i < 2; i++) {
        size_t *kept = ARENA_ARRAY(arena, size_t, both[i]->column_count + 1);
        size_t count = 0;
        if (both[i]->status != ANSWER_OK) {
            return false;
        }
        for (size_t j = 0; j < both[i]->column_count; j++) {
            if (!may_differ(accepted, answers->asked, divergence, both[i]->columns[j].name)) {
                kept[count++] = j;
            }
        }
        fewer = fewer || count < both[i]->column_count;
        out[i] = project(arena, both[i], kept, count);
    }
    return fewer;
}

void accepted_saw_columns(struct accepted *accepted, const struct comparing_answers *answers,
                          const struct divergence *divergence)
{
    const struct answer *const both[2] = {answers->before, answers->after};
    for (size_t i = 0; i < accepted->count; i++) {
        const struct accepted_difference *one = accepted->items[i];
        for (size_t j = 0; j < both[0]->column_count + both[1]->column_count; j++) {
            bool first = j < both[0]->column_count;
            const struct answer_column *column =
                &both[!first]->columns[first ? j : j - both[0]->column_count];
            if (fits(one, divergence) && is_on_column(one, answers->asked, column->name)) {
                atomic_store(&accepted->seen[i], true);
            }
        }
    }
}
