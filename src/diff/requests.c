/* What is sent between the beginning and the end of an example, and its answers. */
#include "diff/sides.h"
#include "example/divergence.h"
#include "example/setup/prefix.h"
#include "machine/sql/sql_study.h"

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
    after.context = twin_context_after(twin, side, call->context);
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
        ok = !twin_is_on(twin, i) || !side->ops->align ||
             twin_from_side(twin, i, side->ops->align(side, twin->step, err), err);
    }
    return ok;
}

bool twin_accepts(struct backend *backend, const char *rule)
{
    const struct twin *twin = twin_of(backend);
    return twin->marked && rule && accepted_of_rule(twin->options.accepted, rule);
}

void twin_look_past(struct backend *backend, const struct divergence *told)
{
    const struct twin *twin = twin_of(backend);
    if (twin->options.accepted) {
        accepted_look_past(twin->options.accepted, told);
    }
}

/* What the set-up only reads may be gone in the new schema. That undoes nothing. */
static bool queue_guarded(struct twin *twin, size_t side, const struct backend_call *call,
                          struct asking *asking, struct error *err)
{
    struct backend *to = twin->sides[side].backend;
    return (!asking->reads || to->ops->guard_begin(to, GUARD_MAY_FAIL, err)) &&
           queue_after(twin, side, call, &asking->tickets[side], err) &&
           (!asking->reads || to->ops->guard_end(to, err));
}

bool twin_queue(struct backend *backend, const struct backend_call *call, backend_ticket *ticket,
                struct error *err)
{
    struct twin *twin = twin_of(backend);
    struct backend *before = twin_first(backend);
    twin_note_context(twin, call->context);
    struct asking *asking = ask(twin, ticket);
    if (call->begins != BEGINS_NOTHING) {
        twin->last.checks = call->begins == BEGINS_CHECK;
    }
    twin->last.rule = twin->last.checks ? NULL : call->asker;
    *asking = twin->last;
    asking->asker = call->asker ? call->asker : "dataset";
    asking->ordered = !sql_has_no_order(&call->sql->snippet);
    asking->reads = !twin->marked && !twin->guard.open && sql_only_reads(&call->sql->snippet);
    twin->guard.undoes = twin->guard.undoes || twin_accepts(backend, call->asker);
    bool ok = align(twin, call, err) &&
              twin_from_side(twin, BEFORE,
                             before->ops->queue(before, call, &asking->tickets[BEFORE], err), err);
    for (size_t i = AFTER; i < SIDES && ok; i++) {
        ok = !twin_is_on(twin, i) ||
             twin_from_side(twin, i, queue_guarded(twin, i, call, asking, err), err);
    }
    return ok;
}

bool twin_queue_deferred(struct backend *backend, const struct backend_context *context,
                         bool begins, backend_ticket *ticket, struct error *err)
{
    struct twin *twin = twin_of(backend);
    struct asking *asking = ask(twin, ticket);
    bool ok = true;
    *asking = twin->last;
    asking->asker = ASKED_DEFERRED;
    for (size_t i = 0; i < SIDES && ok; i++) {
        struct backend *side = twin->sides[i].backend;
        const struct backend_context *as =
            i == BEFORE ? context : twin_context_after(twin, i, context);
        ok = !twin_is_on(twin, i) ||
             twin_from_side(twin, i,
                            side->ops->queue_deferred(side, as, begins, &asking->tickets[i], err),
                            err);
    }
    return ok;
}

/* Whether it is of the set-up, which all examples share, and leaves both as they should be. A
 * difference there would leave nothing to compare. */
static bool begins_alike(const struct twin *twin, const struct asking *asking,
                         const struct answer *before, const struct answer *after)
{
    return !twin->marked && before->status == ANSWER_OK &&
           (after->status == ANSWER_OK || (asking->reads && after->status == ANSWER_ERROR));
}

static void keep_for_the_end(struct twin *twin, const struct asking *asking, struct answer *out)
{
    if (!begins_alike(twin, asking, out, out->after)) {
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
    bool begins = begins_alike(twin, asking, out, after);
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
    if (!twin_from_side(twin, BEFORE,
                        before->ops->take(before, asking.tickets[BEFORE], arena, out, err), err)) {
        return false;
    }
    for (size_t i = AFTER; i < SIDES; i++) {
        struct backend *side = twin->sides[i].backend;
        const struct comparing_sides sides = twin_comparing(twin, i, arena);
        struct answer *after = ARENA_NEW(arena, struct answer);
        if (!twin_is_on(twin, i)) {
            continue;
        }
        if (!twin_from_side(twin, i, side->ops->take(side, asking.tickets[i], arena, after, err),
                            err)) {
            return false;
        }
        if (out->status == ANSWER_STALE || after->status == ANSWER_STALE) {
            out->status = ANSWER_STALE;
        } else if (out->after) { /* of the set-up: a database with the old schema */
            struct answer ignored = *out;
            compare_both(twin, &sides, &asking, &ignored, after);
        } else if (i != SAME || !twin_has_learned(twin)) {
            compare_both(twin, &sides, &asking, out, after);
            keep_for_the_end(twin, &asking, out);
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
        if (twin_is_on(twin, i)) {
            twin->sides[i].backend->ops->guard_undo(twin->sides[i].backend);
        }
    }
    if (undone) {
        pairs_cut(twin->sides[twin->second].pairs, twin->guard.pairs);
    }
    return true;
}

bool twin_guard_begin(struct backend *backend, enum backend_guard guard, struct error *err)
{
    struct twin *twin = twin_of(backend);
    bool ok = true;
    twin->guard = (struct twin_guard){.open = true,
                                      .from = twin->asked.count,
                                      .pairs = pairs_count(twin->sides[twin->second].pairs)};
    for (size_t i = 0; i < SIDES && ok; i++) {
        struct backend *side = twin->sides[i].backend;
        ok = !twin_is_on(twin, i) ||
             twin_from_side(twin, i, side->ops->guard_begin(side, guard, err), err);
    }
    return ok;
}

/* Has the other servers begin with what was queued for them, before the first one is waited for. */
static void set_going(struct twin *twin, backend_ticket ticket)
{
    for (size_t i = AFTER; i < SIDES; i++) {
        struct backend *side = twin->sides[i].backend;
        if (twin_is_on(twin, i)) {
            (void)side->ops->ready(side, twin->asked.items[ticket].tickets[i]);
        }
    }
}

bool twin_guard_end(struct backend *backend, struct error *err)
{
    struct twin *twin = twin_of(backend);
    if (twin->asked.count > twin->guard.from) {
        set_going(twin, twin->asked.count - 1);
    }
    bool ok = !twin->guard.undoes || settle_guard(twin, err);
    for (size_t i = 0; i < SIDES && ok; i++) {
        struct backend *side = twin->sides[i].backend;
        ok = !twin_is_on(twin, i) || twin_from_side(twin, i, side->ops->guard_end(side, err), err);
    }
    twin->guard = (struct twin_guard){0};
    return ok;
}

bool twin_take(struct backend *backend, backend_ticket ticket, struct arena *arena,
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

bool twin_ready(struct backend *backend, backend_ticket ticket)
{
    struct twin *twin = twin_of(backend);
    const struct asking *asking = &twin->asked.items[ticket];
    bool ready = true;
    for (size_t i = 0; i < SIDES; i++) {
        struct backend *side = twin->sides[i].backend;
        ready = ready && (!twin_is_on(twin, i) || side->ops->ready(side, asking->tickets[i]));
    }
    return ready;
}

size_t twin_held(struct backend *backend)
{
    struct twin *twin = twin_of(backend);
    size_t held = 0;
    for (size_t i = 0; i < SIDES; i++) {
        struct backend *side = twin->sides[i].backend;
        held += twin_is_on(twin, i) && side->ops->held ? side->ops->held(side) : 0;
    }
    return held;
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
bool twin_rows(struct backend *backend, const struct key_facts *key, struct arena *arena,
               struct value *out, struct error *err)
{
    struct twin *twin = twin_of(backend);
    struct backend_compared ignored;
    if (!twin_from_side(twin, BEFORE,
                        twin_first(backend)->ops->rows(twin_first(backend), key, arena, out, err),
                        err)) {
        return false;
    }
    struct pairs *pairs = twin->sides[twin->second].pairs;
    if (!twin->marked || !has_strangers(pairs, *out)) {
        return true;
    }
    bool ok = twin_compare_as(twin, twin->second, NULL, &twin->example, &ignored, err);
    pairs_sent(pairs, *out); /* what has no partner is the same in both */
    return ok;
}
