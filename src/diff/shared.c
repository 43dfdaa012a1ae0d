#include "diff/shared.h"

#include <string.h>

static bool has_column(const struct backend_relation *relation, const char *name)
{
    for (size_t i = 0; i < relation->columns.count; i++) {
        if (strcmp(relation->columns.items[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* In the first one's order of columns, which the second one may have changed. */
static const char *reading_sql(struct arena *arena, const struct backend_relation *before,
                               const struct backend_relation *after)
{
    struct strbuf sql = {0};
    const char *separator = "SELECT ";
    strbuf_adds(&sql, before->columns.count ? "" : "SELECT");
    for (size_t i = 0; i < before->columns.count; i++) {
        if (has_column(after, before->columns.items[i].name)) {
            strbuf_addf(&sql, "%s%s", separator, before->columns.items[i].sql);
            separator = ", ";
        }
    }
    bool none = sql.size == 0;
    strbuf_addf(&sql, "%s FROM %s", none ? "SELECT" : "", before->name);
    const char *text = arena_strdup(arena, strbuf_text(&sql));
    strbuf_free(&sql);
    return text;
}

static const char *place_of(struct arena *arena, const struct backend_relation *relation)
{
    return arena_printf(arena, "%s %s", relation->kind, relation->name);
}

void shared_find(struct arena *arena, const struct backend_relations *before,
                 const struct backend_relations *after, struct shared *out)
{
    size_t i = 0;
    size_t j = 0;
    *out = (struct shared){0};
    while (i < before->items.count && j < after->items.count) {
        const struct backend_relation *a = &before->items.items[i];
        const struct backend_relation *b = &after->items.items[j];
        int order = strcmp(a->name, b->name);
        if (order == 0) {
            *VEC_PUSH(arena, &out->items) =
                (struct shared_relation){place_of(arena, a), reading_sql(arena, a, b), {i, j}};
        } else if (order < 0) {
            *VEC_PUSH(arena, &out->only_before) = place_of(arena, a);
        } else {
            *VEC_PUSH(arena, &out->only_after) = place_of(arena, b);
        }
        i += order <= 0;
        j += order >= 0;
    }
    for (; i < before->items.count; i++) {
        *VEC_PUSH(arena, &out->only_before) = place_of(arena, &before->items.items[i]);
    }
    for (; j < after->items.count; j++) {
        *VEC_PUSH(arena, &out->only_after) = place_of(arena, &after->items.items[j]);
    }
    out->left_out = ARENA_ARRAY(arena, bool, out->items.count + 1);
    out->filled = ARENA_ARRAY(arena, struct backend_filled, out->items.count + 1);
    for (size_t k = 0; k < out->items.count; k++) {
        out->filled[k].relation = out->items.items[k].place;
    }
}

void shared_begin(const struct shared *shared)
{
    for (size_t i = 0; i < shared->items.count; i++) {
        shared->left_out[i] = shared->filled[i].filled = false;
    }
}

static const struct divergence *read_by(struct arena *arena, const struct divergence *divergence,
                                        const char *sql, const struct backend_context *context)
{
    struct divergence *out = arena_memdup(arena, divergence, sizeof *divergence);
    out->sql = sql;
    out->as = context;
    return out;
}

static size_t count_wanted(const struct shared *shared, const bool *wanted)
{
    size_t count = 0;
    for (size_t i = 0; i < shared->items.count; i++) {
        count += !wanted || wanted[i];
    }
    return count;
}

static bool queue_reads(const struct shared *shared, const bool *wanted, struct reader readers[2],
                        size_t count, backend_ticket *tickets, struct error *err)
{
    struct arena arena = {0};
    const char **sql = ARENA_ARRAY(&arena, const char *, count);
    size_t next = 0;
    bool ok = true;
    for (size_t i = 0; i < shared->items.count; i++) {
        if (!wanted || wanted[i]) {
            sql[next++] = shared->items.items[i].sql;
        }
    }
    for (size_t k = 0; k < 2 && ok; k++) {
        const struct backend_queries reads = {sql, count, readers[k].context};
        struct backend *backend = readers[k].backend;
        ok = backend->ops->queue_reads(backend, &reads, &tickets[k * count], err);
        readers[k].failed = !ok;
    }
    arena_free(&arena);
    return ok;
}

bool shared_compare(const struct shared *shared, const bool *wanted,
                    const struct comparing_sides *sides, struct reader readers[2],
                    struct backend_compared *out, struct error *err)
{
    size_t count = count_wanted(shared, wanted);
    size_t next = 0;
    backend_ticket *tickets = ARENA_ARRAY(sides->arena, backend_ticket, 2 * count);
    *out = (struct backend_compared){.relations = shared->filled,
                                     .relation_count = shared->items.count};
    if (!queue_reads(shared, wanted, readers, count, tickets, err)) {
        return false;
    }
    for (size_t i = 0; i < shared->items.count; i++) {
        struct answer answers[2];
        if (wanted && !wanted[i]) {
            continue;
        }
        for (size_t k = 0; k < 2; k++) {
            struct backend *backend = readers[k].backend;
            if (!backend->ops->take(backend, tickets[k * count + next], sides->arena, &answers[k],
                                    err)) {
                readers[k].failed = true;
                return false;
            }
            out->stale = out->stale || answers[k].status == ANSWER_STALE;
        }
        next++;
        const struct shared_relation *relation = &shared->items.items[i];
        bool rows = answers[0].status == ANSWER_OK && answers[0].row_count > 0;
        shared->filled[i].filled = shared->filled[i].filled || rows;
        bool goes_on = !out->divergence || sides->purpose == MEETS;
        if (goes_on && !out->stale && !shared->left_out[i]) {
            enum accepted_parts parts = ACCEPTED_NOTHING;
            struct comparing_sides expecting = *sides;
            expecting.expects = &parts;
            const struct divergence *found = sides_compare(
                &expecting, &(struct asked){.place = relation->place, .partial = true}, &answers[0],
                &answers[1]);
            if (found && !out->divergence) {
                out->divergence = read_by(sides->arena, found, relation->sql, readers[0].context);
            }
            shared->left_out[i] = parts == ACCEPTED_WHOLE;
        }
    }
    if (out->stale) {
        out->divergence = NULL;
    }
    return true;
}
