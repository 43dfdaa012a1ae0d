#include "diff/twin.h"

#include "diff/constraints.h"
#include "diff/shared.h"
#include "example/divergence.h"
#include "example/setup/prefix.h"
#include "machine/sql/sql_study.h"

#include <stdlib.h>
#include <string.h>

enum side_index { BEFORE, AFTER, MIGRATING, SAME, SIDES };
enum { CONTEXTS_MAX = 8 /* as whom the state is read, beside the owner */ };

struct side {
    struct backend *backend; /* NULL: there is none */
    struct pairs *pairs;     /* with the first side's values */
    int64_t epoch;
};

/* A request on its way. */
struct asking {
    const char *asker;
    const char *rule; /* of a step that may be undone; or NULL */
    bool ordered;
    bool checks; /* it is a query that changes nothing */
    backend_ticket tickets[SIDES];
    const struct answer *taken; /* before the guard ended; or NULL */
};

/* What is known of the guard that is open. */
struct twin_guard {
    bool open;
    bool undoes;  /* something in it may be accepted: it is taken before the guard ends */
    size_t from;  /* number of the first request in it */
    size_t pairs; /* that there were before it */
};

/* What is known where all sides have a savepoint. */
struct twin_checkpoint {
    size_t index;
    size_t pairs;    /* of the second side */
    size_t contexts; /* that the example had used */
    uint64_t step;
};

struct twin {
    struct backend backend;
    struct side sides[SIDES];
    struct twin_sides options;
    struct backend *origin; /* whose copies the other sides are */
    struct arena arena;     /* until the next set-up: pairs, what is shared */
    struct arena example;   /* until the next example */
    struct shared shared;
    struct constraints constraints;
    bool marked; /* otherwise, everything goes to all sides */
    /* How the new schema answers the set-up otherwise, though both succeed; or NULL. It is told at
     * the end of the examples: what they do is compared all the same. In `arena`. */
    const struct divergence *begins;
    bool doubts;            /* compares with SAME */
    size_t known;           /* natures when it began to doubt */
    enum side_index second; /* of this example */
    uint64_t step;
    const char *lost; /* "old", "new": whose connection; or NULL */
    struct twin_guard guard;
    struct asking last; /* whose step or check it is, for what has no asker of its own */
    VEC(struct asking) asked;
    VEC(struct backend_context) contexts; /* that the example has used, each once */
    struct arena example_before;          /* spare: an example that goes on keeps its contexts */
    VEC(struct twin_checkpoint) checkpoints;
};

static struct twin *twin_of(struct backend *backend) { return (struct twin *)(void *)backend; }

static struct backend *first(struct backend *backend)
{
    return twin_of(backend)->sides[BEFORE].backend;
}

/* Whether what is sent now goes to the side. */
static bool is_on(const struct twin *twin, size_t side)
{
    return twin->sides[side].backend &&
           (!twin->marked || side == BEFORE || side == (size_t)twin->second);
}

/* Passes on what came of a call to that side; says whose connection was lost. */
static bool from_side(struct twin *twin, size_t side, bool ok, struct error *err)
{
    if (!ok && err->code == ERROR_CONNECTION) {
        twin->lost = side == AFTER || side == MIGRATING ? "new" : "old";
        error_context(err, "the %s database", twin->lost);
    }
    return ok;
}

/* --- all sides alike --- */

typedef bool each_side(struct backend *backend, struct error *err);

static bool on_all(struct twin *twin, each_side *do_it, struct error *err)
{
    for (size_t i = 0; i < SIDES; i++) {
        struct backend *backend = twin->sides[i].backend;
        if (backend && !from_side(twin, i, do_it(backend, err), err)) {
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

/* --- set-up --- */

static bool twin_pending(struct backend *backend)
{
    return first(backend)->ops->pending(first(backend));
}

static bool twin_prepare(struct backend *backend, struct diagnostics *diagnostics,
                         struct error *err)
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

static struct backend_prepared twin_prepared(struct backend *backend)
{
    return first(backend)->ops->prepared(first(backend));
}

/* Before a set-up: nothing is known of the databases any more. */
static void forget(struct twin *twin)
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
    }
}

static struct comparing_sides comparing(const struct twin *twin, size_t side, struct arena *arena)
{
    return (struct comparing_sides){
        .arena = arena,
        .pairs = twin->sides[side].pairs,
        .natures = twin->options.natures,
        .constraints = &twin->constraints,
        .purpose = side == SAME ? LEARNS : COMPARES,
        .epoch_before = twin->sides[BEFORE].epoch,
        .epoch_after = twin->sides[side].epoch,
        .messages = twin->options.messages,
        .accepted = side != SAME ? twin->options.accepted : NULL,
    };
}

/* The context as the second database knows it: its settings may name values of the first one. */
static const struct backend_context *context_after(struct twin *twin, size_t side,
                                                   const struct backend_context *context)
{
    if (!context || context->setting_count == 0) {
        return context;
    }
    struct backend_context *out = arena_memdup(&twin->example, context, sizeof *context);
    struct backend_setting *settings =
        ARENA_ARRAY(&twin->example, struct backend_setting, context->setting_count);
    for (size_t i = 0; i < context->setting_count; i++) {
        struct value value = pairs_after(twin->sides[side].pairs, &twin->example,
                                         value_text(&twin->example, context->settings[i].value));
        settings[i] = (struct backend_setting){context->settings[i].name, value.as.string->data};
    }
    out->settings = settings;
    return out;
}

/* Compares with the side, as `sides` says. */
static bool compare_with(struct twin *twin, size_t side, const struct comparing_sides *sides,
                         const struct backend_context *context, struct backend_compared *out,
                         struct error *err)
{
    struct reader readers[] = {
        {twin->sides[BEFORE].backend, context, false},
        {twin->sides[side].backend, context_after(twin, side, context), false},
    };
    bool ok = shared_compare(&twin->shared, sides, readers, out, err);
    return from_side(twin, readers[0].failed ? (size_t)BEFORE : side, ok, err);
}

static bool compare_as(struct twin *twin, size_t side, const struct backend_context *context,
                       struct arena *arena, struct backend_compared *out, struct error *err)
{
    const struct comparing_sides sides = comparing(twin, side, arena);
    return compare_with(twin, side, &sides, context, out, err);
}

static bool find_shared(struct twin *twin, struct error *err)
{
    struct backend_relations relations[2];
    for (size_t i = 0; i < 2; i++) {
        struct backend *backend = twin->sides[i].backend;
        if (!from_side(twin, i, backend->ops->relations(backend, &twin->arena, &relations[i], err),
                       err)) {
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
    struct natures *natures = natures_new();
    struct comparing_sides sides = comparing(twin, side, &arena);
    sides.natures = natures;
    sides.accepted = NULL;
    sides.purpose = LEARNS_TIMES;
    bool ok =
        from_side(twin, side, backend->ops->epoch(backend, &twin->sides[side].epoch, err), err) &&
        (side == BEFORE || compare_with(twin, side, &sides, NULL, &ignored, err));
    sides.purpose = MEETS;
    ok = ok && (side == BEFORE || compare_with(twin, side, &sides, NULL, &ignored, err));
    natures_free(natures);
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
static bool twin_open(struct backend *backend, const struct machine *machine,
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

static bool twin_mark(struct backend *backend, struct error *err)
{
    struct twin *twin = twin_of(backend);
    struct backend *const both[] = {twin->sides[BEFORE].backend, twin->sides[AFTER].backend};
    bool ok = on_all(twin, do_mark, err) && meet_all(twin, err) &&
              constraints_find(&twin->arena, both, twin->options.natures, &twin->constraints, err);
    for (size_t i = 0; i < SIDES; i++) {
        pairs_mark(twin->sides[i].pairs);
    }
    twin->marked = true;
    return ok;
}

static bool twin_restart(struct backend *backend, struct error *err)
{
    forget(twin_of(backend));
    return on_all(twin_of(backend), do_restart, err) && meet_all(twin_of(backend), err);
}

static bool twin_reconnect(struct backend *backend, struct error *err)
{
    forget(twin_of(backend));
    return on_all(twin_of(backend), do_reconnect, err) && meet_all(twin_of(backend), err);
}

static bool twin_wants_restart(struct backend *backend)
{
    struct twin *twin = twin_of(backend);
    bool wants = false;
    for (size_t i = 0; i < SIDES; i++) {
        struct backend *side = twin->sides[i].backend;
        wants = wants || (side && side->ops->wants_restart(side));
    }
    return wants;
}

/* --- an example --- */

static void twin_begin(struct backend *backend, bool migrates)
{
    struct twin *twin = twin_of(backend);
    bool can_migrate = twin->sides[MIGRATING].backend != NULL;
    size_t open = twin->checkpoints.count;
    twin->second = twin->doubts ? SAME : migrates && can_migrate ? MIGRATING : AFTER;
    twin->guard = (struct twin_guard){0};
    for (size_t i = 0; i < twin->shared.items.count; i++) {
        twin->shared.left_out[i] = false;
    }
    twin->step = open ? twin->checkpoints.items[open - 1].step : 0;
}

static bool twin_reset(struct backend *backend, struct error *err)
{
    struct twin *twin = twin_of(backend);
    bool ok = true;
    for (size_t i = 0; i < SIDES && ok; i++) {
        ok = !is_on(twin, i) || from_side(twin, i, do_reset(twin->sides[i].backend, err), err);
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

/* Whether this example has shown something that differs by nature. */
static bool has_learned(const struct twin *twin)
{
    return natures_changes(twin->options.natures) != twin->known;
}

static bool twin_doubt(struct backend *backend, bool on, bool *found)
{
    struct twin *twin = twin_of(backend);
    twin->doubts = on && twin->sides[SAME].backend;
    *found = has_learned(twin);
    twin->known = natures_changes(twin->options.natures);
    return twin->sides[SAME].backend != NULL;
}

static bool same_text(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

static bool same_context(const struct backend_context *a, const struct backend_context *b)
{
    bool same = same_text(a->role, b->role) && same_text(a->session_user, b->session_user) &&
                a->setting_count == b->setting_count;
    for (size_t i = 0; same && i < a->setting_count; i++) {
        same = same_text(a->settings[i].name, b->settings[i].name) &&
               same_text(a->settings[i].value, b->settings[i].value);
    }
    return same;
}

static const char *keep_text(struct twin *twin, const char *text)
{
    return text ? arena_strdup(&twin->example, text) : NULL;
}

static void add_context(struct twin *twin, const struct backend_context *context)
{
    struct backend_setting *settings =
        ARENA_ARRAY(&twin->example, struct backend_setting, context->setting_count);
    for (size_t i = 0; i < context->setting_count; i++) {
        settings[i] = (struct backend_setting){keep_text(twin, context->settings[i].name),
                                               keep_text(twin, context->settings[i].value)};
    }
    *VEC_PUSH(&twin->example, &twin->contexts) = (struct backend_context){
        .role = keep_text(twin, context->role),
        .session_user = keep_text(twin, context->session_user),
        .settings = settings,
        .setting_count = context->setting_count,
    };
}

/* Notes as whom the example acts. */
static void note_context(struct twin *twin, const struct backend_context *context)
{
    if (!context || twin->contexts.count >= CONTEXTS_MAX) {
        return;
    }
    for (size_t i = 0; i < twin->contexts.count; i++) {
        if (same_context(&twin->contexts.items[i], context)) {
            return;
        }
    }
    add_context(twin, context);
}

/* The example goes on behind what it has asked, with that many contexts; the rest is freed. */
static void keep_contexts(struct twin *twin, size_t count)
{
    const struct backend_context *contexts = twin->contexts.items;
    struct arena before = twin->example;
    twin->example = twin->example_before;
    twin->example_before = before;
    twin->asked.items = NULL;
    twin->asked.count = twin->asked.capacity = 0;
    twin->contexts.items = NULL;
    twin->contexts.count = twin->contexts.capacity = 0;
    for (size_t i = 0; i < count; i++) {
        add_context(twin, &contexts[i]);
    }
    arena_reset(&twin->example_before);
}

/* All answers of earlier steps have been taken. */
static bool twin_checkpoint(struct backend *backend, size_t index, struct error *err)
{
    struct twin *twin = twin_of(backend);
    bool ok = true;
    for (size_t i = 0; i < SIDES && ok; i++) {
        struct backend *side = twin->sides[i].backend;
        ok = !is_on(twin, i) || from_side(twin, i, side->ops->checkpoint(side, index, err), err);
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
            if (is_on(twin, i) && !from_side(twin, i, side->ops->rewind(side, index, err), err)) {
                return false;
            }
        }
    } while (*index != last);
    return true;
}

static bool twin_rewind(struct backend *backend, size_t *index, struct error *err)
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
    keep_contexts(twin, checkpoint->contexts);
    return true;
}

static struct asking *ask(struct twin *twin, backend_ticket *ticket)
{
    *ticket = twin->asked.count;
    return VEC_PUSH(&twin->example, &twin->asked);
}

static size_t value_count(const struct sql_template *sql)
{
    size_t count = 0;
    for (size_t i = 0; i < sql->pieces.count; i++) {
        count += sql->pieces.items[i].kind != SQL_TEXT;
    }
    return count;
}

static bool queue_after(struct twin *twin, size_t side, const struct backend_call *call,
                        backend_ticket *ticket, struct error *err)
{
    struct backend *to = twin->sides[side].backend;
    struct pairs *pairs = twin->sides[side].pairs;
    struct backend_call after = *call;
    size_t count = value_count(call->sql);
    struct value *values = ARENA_ARRAY(&twin->example, struct value, count);
    for (size_t i = 0; i < count; i++) {
        values[i] = pairs_after(pairs, &twin->example, call->values[i]);
        pairs_sent(pairs, call->values[i]);
    }
    after.values = values;
    after.context = context_after(twin, side, call->context);
    after.types = NULL;
    return to->ops->queue(to, &after, ticket, err);
}

/* Before a step: both draw the same numbers from their sequences. */
static bool align(struct twin *twin, const struct backend_call *call, struct error *err)
{
    bool ok = true;
    if (call->begins != BEGINS_STEP) {
        return true;
    }
    twin->step++;
    for (size_t i = 0; i < SIDES && ok; i++) {
        struct backend *side = twin->sides[i].backend;
        ok = !is_on(twin, i) || !side->ops->align ||
             from_side(twin, i, side->ops->align(side, twin->step, err), err);
    }
    return ok;
}

static bool twin_accepts(struct backend *backend, const char *rule)
{
    const struct twin *twin = twin_of(backend);
    return twin->marked && rule && accepted_of_rule(twin->options.accepted, rule);
}

static bool twin_queue(struct backend *backend, const struct backend_call *call,
                       backend_ticket *ticket, struct error *err)
{
    struct twin *twin = twin_of(backend);
    struct backend *before = first(backend);
    note_context(twin, call->context);
    struct asking *asking = ask(twin, ticket);
    if (call->begins != BEGINS_NOTHING) {
        twin->last.checks = call->begins == BEGINS_CHECK;
    }
    twin->last.rule = twin->last.checks ? NULL : call->asker;
    *asking = twin->last;
    asking->asker = call->asker ? call->asker : "dataset";
    asking->ordered = !sql_has_no_order(&call->sql->snippet);
    twin->guard.undoes = twin->guard.undoes || twin_accepts(backend, call->asker);
    bool ok = align(twin, call, err) &&
              from_side(twin, BEFORE,
                        before->ops->queue(before, call, &asking->tickets[BEFORE], err), err);
    for (size_t i = AFTER; i < SIDES && ok; i++) {
        ok = !is_on(twin, i) ||
             from_side(twin, i, queue_after(twin, i, call, &asking->tickets[i], err), err);
    }
    return ok;
}

static bool twin_queue_deferred(struct backend *backend, const struct backend_context *context,
                                bool begins, backend_ticket *ticket, struct error *err)
{
    struct twin *twin = twin_of(backend);
    struct asking *asking = ask(twin, ticket);
    bool ok = true;
    *asking = twin->last;
    asking->asker = ASKED_DEFERRED;
    for (size_t i = 0; i < SIDES && ok; i++) {
        struct backend *side = twin->sides[i].backend;
        const struct backend_context *as = i == BEFORE ? context : context_after(twin, i, context);
        ok = !is_on(twin, i) ||
             from_side(twin, i,
                       side->ops->queue_deferred(side, as, begins, &asking->tickets[i], err), err);
    }
    return ok;
}

/* Of the set-up, which all examples share: a difference there would leave nothing to compare. */
static void keep_for_the_end(struct twin *twin, struct answer *out)
{
    if (twin->marked || out->status != ANSWER_OK || out->after->status != ANSWER_OK) {
        return;
    }
    if (out->divergence && !twin->begins) {
        twin->begins = divergence_copy(&twin->arena, out->divergence);
    }
    out->divergence = NULL;
}

/* What the two answers come to: a step that is accepted to differ is undone, or else the two part.
 */
static void compare_both(struct twin *twin, const struct comparing_sides *with,
                         const struct asking *asking, struct answer *out,
                         const struct answer *after)
{
    enum accepted_parts accepted = ACCEPTED_NOTHING;
    struct comparing_sides sides = *with;
    const struct asked asked = {
        .place = asking->asker, .ordered = asking->ordered, .rule = asking->rule};
    bool both_raised = out->status == ANSWER_ERROR && after->status == ANSWER_ERROR;
    bool begins = !twin->marked && out->status == ANSWER_OK && after->status == ANSWER_OK;
    sides.accepted = twin->marked || begins ? with->accepted : NULL;
    sides.expects = &accepted;
    out->after = after;
    out->divergence = sides_compare(&sides, &asked, out, after);
    if (begins) {
        return;
    }
    out->undone = accepted && !asking->checks && twin->guard.open && !twin->options.commits;
    out->parts = !out->divergence && !out->undone &&
                 (sides_part(out, after) || (accepted && !asking->checks && !both_raised));
}

static bool take_both(struct twin *twin, backend_ticket ticket, struct arena *arena,
                      struct answer *out, struct error *err)
{
    struct backend *before = twin->sides[BEFORE].backend;
    const struct asking asking = twin->asked.items[ticket];
    if (!from_side(twin, BEFORE, before->ops->take(before, asking.tickets[BEFORE], arena, out, err),
                   err)) {
        return false;
    }
    for (size_t i = AFTER; i < SIDES; i++) {
        struct backend *side = twin->sides[i].backend;
        const struct comparing_sides sides = comparing(twin, i, arena);
        struct answer *after = ARENA_NEW(arena, struct answer);
        if (!is_on(twin, i)) {
            continue;
        }
        if (!from_side(twin, i, side->ops->take(side, asking.tickets[i], arena, after, err), err)) {
            return false;
        }
        if (out->status == ANSWER_STALE || after->status == ANSWER_STALE) {
            out->status = ANSWER_STALE;
        } else if (out->after) { /* of the set-up: a database with the old schema */
            struct answer ignored = *out;
            compare_both(twin, &sides, &asking, &ignored, after);
        } else if (i != SAME || !has_learned(twin)) {
            compare_both(twin, &sides, &asking, out, after);
            keep_for_the_end(twin, out);
        }
    }
    return true;
}

static struct answer copy_answer(struct arena *arena, const struct answer *answer)
{
    struct answer out = answer_copy(arena, answer);
    if (answer->status == ANSWER_ERROR) {
        out.error = server_error_copy(arena, &answer->error);
    }
    return out;
}

/* Takes what is in the guard. Where a difference is accepted, both sides undo all of it, and what
 * follows in the guard is not compared. */
static bool settle_guard(struct twin *twin, struct error *err)
{
    bool undone = false;
    for (size_t i = twin->guard.from; i < twin->asked.count; i++) {
        struct answer *answer = ARENA_NEW(&twin->example, struct answer);
        if (!take_both(twin, i, &twin->example, answer, err)) {
            return false;
        }
        if (undone) {
            answer->divergence = NULL;
            answer->parts = false;
        }
        undone = undone || answer->undone;
        twin->asked.items[i].taken = answer;
    }
    for (size_t i = 0; undone && i < SIDES; i++) {
        if (is_on(twin, i)) {
            twin->sides[i].backend->ops->guard_undo(twin->sides[i].backend);
        }
    }
    if (undone) {
        pairs_cut(twin->sides[twin->second].pairs, twin->guard.pairs);
    }
    return true;
}

static bool twin_guard_begin(struct backend *backend, enum backend_guard guard, struct error *err)
{
    struct twin *twin = twin_of(backend);
    bool ok = true;
    twin->guard = (struct twin_guard){.open = true,
                                      .from = twin->asked.count,
                                      .pairs = pairs_count(twin->sides[twin->second].pairs)};
    for (size_t i = 0; i < SIDES && ok; i++) {
        struct backend *side = twin->sides[i].backend;
        ok = !is_on(twin, i) || from_side(twin, i, side->ops->guard_begin(side, guard, err), err);
    }
    return ok;
}

static bool twin_guard_end(struct backend *backend, struct error *err)
{
    struct twin *twin = twin_of(backend);
    bool ok = !twin->guard.undoes || settle_guard(twin, err);
    for (size_t i = 0; i < SIDES && ok; i++) {
        struct backend *side = twin->sides[i].backend;
        ok = !is_on(twin, i) || from_side(twin, i, side->ops->guard_end(side, err), err);
    }
    twin->guard = (struct twin_guard){0};
    return ok;
}

static bool twin_take(struct backend *backend, backend_ticket ticket, struct arena *arena,
                      struct answer *out, struct error *err)
{
    const struct answer *taken = twin_of(backend)->asked.items[ticket].taken;
    if (!taken) {
        return take_both(twin_of(backend), ticket, arena, out, err);
    }
    *out = copy_answer(arena, taken);
    if (taken->after) {
        const struct answer after = copy_answer(arena, taken->after);
        out->after = arena_memdup(arena, &after, sizeof after);
    }
    out->divergence = taken->divergence ? divergence_copy(arena, taken->divergence) : NULL;
    return true;
}

static bool twin_ready(struct backend *backend, backend_ticket ticket)
{
    struct twin *twin = twin_of(backend);
    const struct asking *asking = &twin->asked.items[ticket];
    bool ready = true;
    for (size_t i = 0; i < SIDES; i++) {
        struct backend *side = twin->sides[i].backend;
        ready = ready && (!is_on(twin, i) || side->ops->ready(side, asking->tickets[i]));
    }
    return ready;
}

static size_t twin_held(struct backend *backend)
{
    struct twin *twin = twin_of(backend);
    size_t held = 0;
    for (size_t i = 0; i < SIDES; i++) {
        struct backend *side = twin->sides[i].backend;
        held += is_on(twin, i) && side->ops->held ? side->ops->held(side) : 0;
    }
    return held;
}

static bool twin_migrate_after(struct backend *backend, struct arena *arena,
                               struct backend_compared *out, struct error *err)
{
    struct twin *twin = twin_of(backend);
    struct backend *side = twin->sides[MIGRATING].backend;
    struct answer *answer = ARENA_NEW(arena, struct answer);
    *out = (struct backend_compared){0};
    if (twin->second != MIGRATING) {
        return true;
    }
    if (!from_side(twin, MIGRATING, side->ops->migrate(side, arena, answer, err), err)) {
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

static bool twin_compare(struct backend *backend, enum backend_readers readers, struct arena *arena,
                         struct backend_compared *out, struct error *err)
{
    struct twin *twin = twin_of(backend);
    if (twin->second == SAME && has_learned(twin)) {
        *out = (struct backend_compared){0};
        return true;
    }
    if (!compare_as(twin, twin->second, NULL, arena, out, err)) {
        return false;
    }
    size_t others = readers == READERS_ALL ? twin->contexts.count : 0;
    for (size_t i = 0; i < others && !out->divergence && !out->stale; i++) {
        const struct backend_context *context = &twin->contexts.items[i];
        if (!compare_as(twin, twin->second, context, arena, out, err)) {
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

static const char *twin_lost(struct backend *backend) { return twin_of(backend)->lost; }

/* --- of the first side --- */

static bool twin_equal(struct backend *backend, uint32_t type, const struct value *expected,
                       const struct value *actual, size_t count, bool *same, struct error *err)
{
    return first(backend)->ops->equal(first(backend), type, expected, actual, count, same, err);
}

static bool twin_encode(struct backend *backend, uint32_t type, struct value value,
                        struct strbuf *out, bool *null, struct error *err)
{
    return first(backend)->ops->encode(first(backend), type, value, out, null, err);
}

static const char *twin_type_name(struct backend *backend, uint32_t type)
{
    return first(backend)->ops->type_name(first(backend), type);
}

static struct backend_deferral twin_deferral(struct backend *backend)
{
    return first(backend)->ops->deferral(first(backend));
}

static struct backend_changes twin_changes(struct backend *backend)
{
    return first(backend)->ops->changes(first(backend));
}

static const char *const *twin_warnings(struct backend *backend)
{
    return first(backend)->ops->warnings(first(backend));
}

static const struct value *twin_pool_strings(struct backend *backend, size_t *count)
{
    return first(backend)->ops->pool_strings(first(backend), count);
}

static const struct value *twin_pool_ints(struct backend *backend, size_t *count)
{
    return first(backend)->ops->pool_ints(first(backend), count);
}

static bool twin_coverage(struct backend *backend, struct arena *arena,
                          struct backend_coverage *out, struct error *err)
{
    return first(backend)->ops->coverage(first(backend), arena, out, err);
}

static bool twin_table(struct backend *backend, const char *name, const struct table_facts **out,
                       struct error *err)
{
    return first(backend)->ops->table(first(backend), name, out, err);
}

/* Whether it has values that the second database may call otherwise. */
static bool has_strangers(const struct pairs *pairs, struct value rows)
{
    bool strange = false;
    for (size_t i = 0; i < rows.as.list->count && !strange; i++) {
        const struct tuple *row = rows.as.list->items[i].as.tuple;
        for (size_t j = 0; j < row->count && !strange; j++) {
            strange =
                pairs_telling(row->items[j]) && !pairs_partner(pairs, PAIR_BEFORE, row->items[j]);
        }
    }
    return strange;
}

/* Rows that no answer has shown: what they are called in the second database is found out first. */
static bool twin_rows(struct backend *backend, const struct key_facts *key, struct arena *arena,
                      struct value *out, struct error *err)
{
    struct twin *twin = twin_of(backend);
    struct backend_compared ignored;
    if (!from_side(twin, BEFORE, first(backend)->ops->rows(first(backend), key, arena, out, err),
                   err)) {
        return false;
    }
    struct pairs *pairs = twin->sides[twin->second].pairs;
    if (!twin->marked || !has_strangers(pairs, *out)) {
        return true;
    }
    bool ok = compare_as(twin, twin->second, NULL, &twin->example, &ignored, err);
    pairs_sent(pairs, *out); /* what has no partner is the same in both */
    return ok;
}

/* --- the end --- */

static void twin_leave(struct backend *backend)
{
    struct twin *twin = twin_of(backend);
    for (size_t i = 0; i < SIDES; i++) {
        if (twin->sides[i].backend) {
            twin->sides[i].backend->ops->leave(twin->sides[i].backend);
        }
    }
}

static void twin_close(struct backend *backend)
{
    struct twin *twin = twin_of(backend);
    twin_leave(backend);
    for (size_t i = SIDES; i-- > 0;) { /* copies before what they are of */
        if (twin->sides[i].backend) {
            twin->sides[i].backend->ops->close(twin->sides[i].backend);
        }
    }
    arena_free(&twin->arena);
    arena_free(&twin->example);
    arena_free(&twin->example_before);
    free(twin);
}

#define TWIN_OPS                                                                                   \
    .open = twin_open, .pending = twin_pending, .prepare = twin_prepare,                           \
    .prepared = twin_prepared, .mark = twin_mark, .reset = twin_reset,                             \
    .wants_restart = twin_wants_restart, .restart = twin_restart, .reconnect = twin_reconnect,     \
    .queue = twin_queue, .queue_deferred = twin_queue_deferred, .guard_begin = twin_guard_begin,   \
    .guard_end = twin_guard_end, .take = twin_take, .ready = twin_ready, .held = twin_held,        \
    .accepts = twin_accepts, .lost = twin_lost, .begin = twin_begin, .doubt = twin_doubt,          \
    .migrate_after = twin_migrate_after, .compare = twin_compare, .equal = twin_equal,             \
    .encode = twin_encode, .type_name = twin_type_name, .deferral = twin_deferral,                 \
    .changes = twin_changes, .warnings = twin_warnings, .pool_strings = twin_pool_strings,         \
    .pool_ints = twin_pool_ints, .coverage = twin_coverage, .table = twin_table,                   \
    .rows = twin_rows, .leave = twin_leave, .close = twin_close

struct backend *twin_new(const struct twin_sides *sides)
{
    static const struct backend_ops plain = {TWIN_OPS};
    static const struct backend_ops with_savepoints = {TWIN_OPS, .checkpoint = twin_checkpoint,
                                                       .rewind = twin_rewind};
    struct twin *twin = memory_alloc(sizeof *twin);
    *twin =
        (struct twin){.backend.ops = sides->before->ops->checkpoint ? &with_savepoints : &plain};
    twin->sides[BEFORE].backend = sides->before;
    twin->sides[AFTER].backend = sides->after;
    twin->origin = sides->before;
    twin->options = *sides;
    forget(twin);
    return &twin->backend;
}

size_t twin_copies(const struct twin_sides *sides) { return sides->migrates ? 2 : 1; }

static struct backend *copy_side(const struct twin *twin, enum side_index side)
{
    struct backend *of = side == AFTER ? twin->sides[AFTER].backend : twin->origin;
    return twin->sides[side].backend ? twin->options.copy(of, side == SAME) : NULL;
}

struct backend *twin_clone(struct backend *of)
{
    struct twin *twin = twin_of(of);
    struct twin_sides sides = twin->options;
    struct backend *copies[SIDES];
    bool whole = true;
    for (size_t i = 0; i < SIDES; i++) {
        copies[i] = whole ? copy_side(twin, (enum side_index)i) : NULL;
        whole = whole && !copies[i] == !twin->sides[i].backend;
    }
    for (size_t i = SIDES; i-- > 0 && !whole;) {
        if (copies[i]) {
            copies[i]->ops->close(copies[i]);
        }
    }
    if (!whole) {
        return NULL;
    }
    sides.before = copies[BEFORE];
    sides.after = copies[AFTER];
    struct backend *clone = twin_new(&sides);
    twin_of(clone)->origin = twin->origin;
    twin_of(clone)->sides[MIGRATING].backend = copies[MIGRATING];
    twin_of(clone)->sides[SAME].backend = copies[SAME];
    return clone;
}

struct backend *twin_side(struct backend *backend, size_t index)
{
    const struct twin *twin = twin_of(backend);
    for (size_t i = 0; i < SIDES; i++) {
        if (twin->sides[i].backend && index-- == 0) {
            return twin->sides[i].backend;
        }
    }
    return NULL;
}

bool twin_doubts(struct backend *backend) { return twin_of(backend)->sides[SAME].backend != NULL; }

bool twin_migrates(struct backend *backend)
{
    return twin_of(backend)->sides[MIGRATING].backend != NULL;
}

const char *twin_shared(struct backend *backend, size_t index)
{
    const struct shared *shared = &twin_of(backend)->shared;
    return index < shared->items.count ? shared->items.items[index].place : NULL;
}

const char *const *twin_unshared(struct backend *backend, size_t side, size_t *count)
{
    const struct shared *shared = &twin_of(backend)->shared;
    *count = side == BEFORE ? shared->only_before.count : shared->only_after.count;
    return side == BEFORE ? shared->only_before.items : shared->only_after.items;
}
