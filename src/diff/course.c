/* The set-up; the beginning, the savepoints and the end of examples. */
#include "diff/constants.h"
#include "diff/sides.h"
#include "example/divergence.h"

#include <string.h>

typedef bool each_side(struct backend *backend, struct error *err);

static bool on_all(struct twin *twin, each_side *do_it, struct error *err)
{
    for (size_t i = 0; i < SIDES; i++) {
        struct backend *backend = twin->sides[i].backend;
        if (backend && !twin_from_side(twin, i, do_it(backend, err), err)) {
            return false;
        }
    }
    return true;
}

static bool do_reset(struct backend *backend, struct error *err)
{
    return backend->ops->reset(backend, err);
}

static bool do_restart(struct backend *backend, struct error *err)
{
    return backend->ops->restart(backend, err);
}

static bool do_reconnect(struct backend *backend, struct error *err)
{
    return backend->ops->reconnect(backend, err);
}

static bool do_mark(struct backend *backend, struct error *err)
{
    return backend->ops->mark(backend, err);
}

bool twin_prepare(struct backend *backend, struct diagnostics *diagnostics, struct error *err)
{
    struct twin *twin = twin_of(backend);
    struct arena arena = {0};
    struct diagnostics ignored = {.arena = &arena};
    bool ok = true;
    for (size_t i = 0; i < SIDES && ok; i++) {
        struct backend *side = twin->sides[i].backend;
        struct diagnostics *to = !diagnostics || i == BEFORE ? diagnostics : &ignored;
        ok = !side || side->ops->prepare(side, to, err);
    }
    arena_free(&arena);
    return ok;
}

void twin_forget(struct twin *twin)
{
    arena_reset(&twin->arena);
    arena_reset(&twin->example);
    twin->constraints = (struct constraints){0};
    twin->marked = false;
    twin->begins = NULL;
    twin->shared = (struct shared){0};
    twin->guard = (struct twin_guard){0};
    twin->lost = NULL;
    twin->second = AFTER;
    twin->asked.items = NULL;
    twin->asked.count = twin->asked.capacity = 0;
    twin->contexts.items = NULL;
    twin->contexts.count = twin->contexts.capacity = 0;
    twin->checkpoints.items = NULL;
    twin->checkpoints.count = twin->checkpoints.capacity = 0;
    for (size_t i = 0; i < SIDES; i++) {
        twin->sides[i].pairs = pairs_new(&twin->arena);
        twin->sides[i].reads = (struct backend_reads){0};
    }
}

static bool find_shared(struct twin *twin, struct error *err)
{
    struct backend_relations relations[2];
    for (size_t i = 0; i < 2; i++) {
        struct backend *backend = twin->sides[i].backend;
        if (!twin_from_side(
                twin, i, backend->ops->relations(backend, &twin->arena, &relations[i], err), err)) {
            return false;
        }
    }
    shared_find(&twin->arena, &relations[BEFORE], &relations[AFTER], &twin->shared);
    return true;
}

/* What differs from the start shows at the end of an example; here, the values that stand for each
 * other become known. Times of rows that are there from the start are those of when each schema was
 * loaded. */
static bool meet(struct twin *twin, size_t side, struct error *err)
{
    struct backend *backend = twin->sides[side].backend;
    struct arena arena = {0};
    struct backend_compared ignored;
    bool ok = twin_from_side(twin, side,
                             backend->ops->epoch(backend, &twin->sides[side].epoch, err), err);
    struct comparing_sides sides = twin_comparing(twin, side, &arena);
    sides.accepted = NULL;
    sides.purpose = MEETS;
    ok = ok && (side == BEFORE || twin_compare_with(twin, side, &sides, NULL, NULL, &ignored, err));
    arena_free(&arena);
    return ok;
}

static bool meet_all(struct twin *twin, struct error *err)
{
    bool ok = find_shared(twin, err);
    for (size_t i = 0; i < SIDES && ok; i++) {
        ok = !twin->sides[i].backend || meet(twin, i, err);
    }
    return ok;
}

/* Everything is said of the first side. What the others refuse is for the examples to find, but
 * their schema must load. */
bool twin_open(struct backend *backend, const struct machine *machine,
               struct diagnostics *diagnostics, struct error *err)
{
    struct twin *twin = twin_of(backend);
    const struct twin_sides *options = &twin->options;
    for (size_t i = 0; i < SIDES; i++) {
        bool wanted = i == SAME || (i == MIGRATING && options->migrates);
        if (wanted && !twin->sides[i].backend) {
            twin->sides[i].backend = options->copy(twin->origin, i == SAME);
        }
        struct backend *side = twin->sides[i].backend;
        if (side && !side->ops->open(side, machine, diagnostics, err)) {
            return false;
        }
    }
    return meet_all(twin, err);
}

/* Once: what restarts load again is the same. */
static bool find_changes(struct twin *twin, struct error *err)
{
    struct backend_parts parts[2];
    for (size_t i = 0; i < 2 && !twin->changes_known; i++) {
        struct backend *side = twin->sides[i].backend;
        if (!twin_from_side(twin, i, side->ops->parts(side, &twin->lasting, &parts[i], err), err)) {
            return false;
        }
    }
    if (!twin->changes_known) {
        struct backend *migrating = twin->sides[MIGRATING].backend;
        struct backend_names written = {0};
        if (migrating) {
            migrating->ops->written(migrating, &twin->lasting, &written);
        }
        changes_find(&twin->lasting, &parts[BEFORE], &parts[AFTER], &written, &twin->changes);
    }
    twin->changes_known = true;
    return true;
}

bool twin_mark(struct backend *backend, struct error *err)
{
    struct twin *twin = twin_of(backend);
    struct backend *const both[] = {twin->sides[BEFORE].backend, twin->sides[AFTER].backend};
    struct pairs *pairs[SIDES];
    for (size_t i = 0; i < SIDES; i++) {
        pairs[i] = twin->sides[i].pairs;
    }
    bool ok = on_all(twin, do_mark, err) && constants_note(both, pairs, SIDES, err) &&
              meet_all(twin, err) && twin_watch(twin, err) && find_changes(twin, err) &&
              constraints_find(&twin->arena, both, twin->options.natures, &twin->constraints, err);
    for (size_t i = 0; i < SIDES; i++) {
        pairs_mark(twin->sides[i].pairs);
    }
    twin->marked = true;
    return ok;
}

bool twin_restart(struct backend *backend, struct error *err)
{
    twin_forget(twin_of(backend));
    return on_all(twin_of(backend), do_restart, err) && meet_all(twin_of(backend), err);
}

bool twin_reconnect(struct backend *backend, struct error *err)
{
    twin_forget(twin_of(backend));
    return on_all(twin_of(backend), do_reconnect, err) && meet_all(twin_of(backend), err);
}

bool twin_wants_restart(struct backend *backend)
{
    struct twin *twin = twin_of(backend);
    bool wants = false;
    for (size_t i = 0; i < SIDES; i++) {
        struct backend *side = twin->sides[i].backend;
        wants = wants || (side && side->ops->wants_restart(side));
    }
    return wants;
}

void twin_begin(struct backend *backend, bool migrates)
{
    struct twin *twin = twin_of(backend);
    bool can_migrate =
        twin->sides[MIGRATING].backend != NULL && !natures_begins_migrated(twin->options.natures);
    size_t open = twin->checkpoints.count;
    twin->second = twin->doubts ? SAME : migrates && can_migrate ? MIGRATING : AFTER;
    twin->guard = (struct twin_guard){0};
    shared_begin(&twin->shared);
    twin->step = open ? twin->checkpoints.items[open - 1].step : 0;
    twin->looked = LOOKED_NEVER;
}

bool twin_reset(struct backend *backend, struct error *err)
{
    struct twin *twin = twin_of(backend);
    bool ok = true;
    for (size_t i = 0; i < SIDES && ok; i++) {
        ok = !twin_is_on(twin, i) ||
             twin_from_side(twin, i, do_reset(twin->sides[i].backend, err), err);
        pairs_back(twin->sides[i].pairs);
    }
    arena_reset(&twin->example);
    twin->asked.items = NULL;
    twin->asked.count = twin->asked.capacity = 0;
    twin->contexts.items = NULL;
    twin->contexts.count = twin->contexts.capacity = 0;
    twin->checkpoints.count = 0;
    return ok;
}

bool twin_doubt(struct backend *backend, bool on, bool *found)
{
    struct twin *twin = twin_of(backend);
    twin->doubts = on && twin->sides[SAME].backend;
    *found = twin_has_learned(twin);
    twin->known = natures_changes(twin->options.natures);
    return twin->sides[SAME].backend != NULL;
}

/* All answers of earlier steps have been taken. */
bool twin_checkpoint(struct backend *backend, size_t index, struct error *err)
{
    struct twin *twin = twin_of(backend);
    bool ok = true;
    for (size_t i = 0; i < SIDES && ok; i++) {
        struct backend *side = twin->sides[i].backend;
        ok = !twin_is_on(twin, i) ||
             twin_from_side(twin, i, side->ops->checkpoint(side, index, err), err);
    }
    *VEC_PUSH(&twin->arena, &twin->checkpoints) = (struct twin_checkpoint){
        index, pairs_count(twin->sides[twin->second].pairs), twin->contexts.count, twin->step};
    return ok;
}

/* A side may lack the savepoint that another one has: all go back to one that each has. */
static bool rewind_sides(struct twin *twin, size_t *index, struct error *err)
{
    size_t last;
    do {
        last = *index;
        for (size_t i = 0; i < SIDES; i++) {
            struct backend *side = twin->sides[i].backend;
            if (twin_is_on(twin, i) &&
                !twin_from_side(twin, i, side->ops->rewind(side, index, err), err)) {
                return false;
            }
        }
    } while (*index != last);
    return true;
}

bool twin_rewind(struct backend *backend, size_t *index, struct error *err)
{
    struct twin *twin = twin_of(backend);
    size_t open = twin->checkpoints.count;
    if (!rewind_sides(twin, index, err)) {
        return false;
    }
    while (open > 0 && twin->checkpoints.items[open - 1].index > *index) {
        open--;
    }
    if (*index == 0 || open == 0) {
        return twin_reset(backend, err);
    }
    twin->checkpoints.count = open;
    const struct twin_checkpoint *checkpoint = &twin->checkpoints.items[open - 1];
    pairs_cut(twin->sides[twin->second].pairs, checkpoint->pairs);
    twin_keep_contexts(twin, checkpoint->contexts);
    return true;
}

bool twin_migrate_after(struct backend *backend, struct arena *arena, struct backend_compared *out,
                        struct error *err)
{
    struct twin *twin = twin_of(backend);
    struct backend *side = twin->sides[MIGRATING].backend;
    struct answer *answer = ARENA_NEW(arena, struct answer);
    *out = (struct backend_compared){0};
    if (twin->second != MIGRATING) {
        return true;
    }
    if (!twin_from_side(twin, MIGRATING, side->ops->migrate(side, arena, answer, err), err)) {
        return false;
    }
    if (answer->status == ANSWER_ERROR) {
        const struct asked asked = {.place = "migration"};
        struct divergence *divergence = ARENA_NEW(arena, struct divergence);
        *divergence = (struct divergence){
            .kind = DIVERGES_MIGRATE,
            .place = asked.place,
            .before = "no error",
            .after = arena_printf(arena, "%s: %s", answer->error.sqlstate, answer->error.message),
            .error_after = &answer->error,
        };
        struct accepted *accepted = twin->options.accepted;
        out->parts = accepted && accepted_whole(accepted, &asked, divergence);
        out->divergence = out->parts ? NULL : divergence;
    }
    return true;
}

const struct backend_concerns *twin_concerns(struct backend *backend)
{
    return &twin_of(backend)->changes.concerns;
}

/* How many of the tables have rows, as one query. */
static const char *rows_query(const struct changes *changes, struct arena *arena, size_t *count)
{
    enum { TABLES_MAX = 50 /* a function takes 100 arguments */ };
    struct strbuf sql = {0};
    *count = changes->tables.count < TABLES_MAX ? changes->tables.count : TABLES_MAX;
    for (size_t i = 0; i < *count; i++) {
        strbuf_addf(&sql, "%sCASE WHEN EXISTS (SELECT FROM %s) THEN 1 END",
                    i ? ", " : "SELECT pg_catalog.num_nonnulls(",
                    changes->tables.items[i] + strlen("table "));
    }
    const char *text = arena_printf(arena, "%s)", strbuf_text(&sql));
    strbuf_free(&sql);
    return text;
}

bool twin_changed_rows(struct backend *backend, size_t *filled, size_t *of, struct error *err)
{
    struct twin *twin = twin_of(backend);
    struct backend *before = twin->sides[BEFORE].backend;
    struct arena arena = {0};
    const char *sql = rows_query(&twin->changes, &arena, of);
    const struct backend_queries reads = {&sql, 1, NULL};
    backend_ticket ticket;
    struct answer answer;
    bool ok =
        *of == 0 || twin_from_side(twin, BEFORE,
                                   before->ops->queue_reads(before, &reads, &ticket, err) &&
                                       before->ops->take(before, ticket, &arena, &answer, err),
                                   err);
    bool known = ok && *of > 0 && answer.status == ANSWER_OK;
    *filled = known ? (size_t)answer.rows[0].as.tuple->items[0].as.integer : 0;
    arena_free(&arena);
    return ok;
}

/* The divergence with the name of whom it shows to. */
static const struct divergence *seen_as(struct arena *arena, const struct divergence *divergence,
                                        const struct backend_context *context)
{
    struct divergence *out = arena_memdup(arena, divergence, sizeof *out);
    out->context = arena_printf(arena, "as %s", context->role ? context->role : "owner");
    for (size_t i = 0; i < context->setting_count; i++) {
        *VEC_PUSH(arena, &out->settings) =
            (struct shown_setting){context->settings[i].name, context->settings[i].value};
    }
    return out;
}

bool twin_compare(struct backend *backend, enum backend_readers readers, struct arena *arena,
                  struct backend_compared *out, struct error *err)
{
    struct twin *twin = twin_of(backend);
    if (twin->second == SAME && twin_has_learned(twin)) {
        *out = (struct backend_compared){0};
        return true;
    }
    if (!(readers == READERS_OWNER ? twin_look(twin, arena, out, err)
                                   : twin_compare_as(twin, twin->second, NULL, arena, out, err))) {
        return false;
    }
    size_t others = readers == READERS_ALL ? twin->contexts.count : 0;
    for (size_t i = 0; i < others && !out->divergence && !out->stale; i++) {
        const struct backend_context *context = &twin->contexts.items[i];
        if (!twin_compare_as(twin, twin->second, context, arena, out, err)) {
            return false;
        }
        if (out->divergence) {
            out->divergence = seen_as(arena, out->divergence, context);
        }
    }
    if (readers == READERS_ALL && twin->second == AFTER && !out->divergence && !out->stale) {
        out->divergence = twin->begins;
    }
    return true;
}
