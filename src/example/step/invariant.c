#include "example/step/invariant.h"

#include "example/compare/compare.h"
#include "example/engine.h"
#include "example/failure/fail.h"
#include "example/observer.h"
#include "example/step/result.h"

#include <assert.h>

static const struct invariant_analysis *analysis_for(const struct example *example,
                                                     const struct invariant *invariant)
{
    assert(invariant->index < example->engine->machine->invariants.count);
    return &example->engine->analysis.invariants[invariant->index];
}

/* True if its invariant is marked `xfail`; the failure is then counted, and the example continues.
 */
static bool fails_as_known(struct example *example, const struct invariant_check *check)
{
    const struct invariant *invariant = check->invariant;
    if (!invariant->xfail || example->engine->options.strict) {
        return false;
    }
    example->stats.invariants[invariant->index].known++;
    return true;
}

/* Runs checks of the model or, with `late`, those that read the answer. An earlier item in flight
 * may have failed before the first ones; it is then the failure. */
static bool run_checks(struct example *example, const struct invariant_check *check, bool late,
                       struct error *err)
{
    const struct invariant *invariant = check->invariant;
    const struct invariant_analysis *analysis = analysis_for(example, invariant);
    if (example->engine->options.differs) {
        return true;
    }
    for (size_t i = 0; i < invariant->checks.count; i++) {
        const struct lang_code *code = invariant->checks.items[i];
        struct value value;
        if (analysis->late[i] != late) {
            continue;
        }
        if (!example_look(example, code, check->locals, &value, err)) {
            return false;
        }
        if (value_truth(value)) {
            continue;
        }
        if (!late && !flight_settle(example, err)) {
            return false;
        }
        if (!example->failure && !fails_as_known(example, check)) {
            fail_check(example, NULL, check, code, value);
        }
        if (!late || example->failure) {
            return true;
        }
    }
    return true;
}

static bool settle_rows(struct example *example, const struct invariant_check *check,
                        const struct answer *answer, struct error *err)
{
    const struct invariant *invariant = check->invariant;
    const struct machine_statement *statement = sending_last(&check->sending);
    struct comparing comparing = {example->engine->backend, &example->flying,
                                  statement ? &statement->sql->snippet : NULL};
    struct comparison comparison = {.equal = true};
    if (invariant->no_rows) {
        compare_no_rows(&comparing, answer, &comparison);
    } else if (invariant->expect &&
               !located(compare_answer(&comparing, check->expected, answer, &comparison, err),
                        code_pos(invariant->expect), err)) {
        return false;
    }
    if (comparison.equal || fails_as_known(example, check)) {
        return true;
    }
    example_fail(example, &(struct failing){.kind = FAILURE_INVARIANT,
                                            .check = check,
                                            .statement = statement,
                                            .pos = invariant->expect ? code_pos(invariant->expect)
                                                                     : invariant->pos,
                                            .comparison = &comparison});
    return invariant->no_rows ||
           OBSERVE_OK(example->plan.observer, expected, invariant->statements.count - 1,
                      check->expected, answer, err);
}

static bool settle_check(struct example *example, const struct pending *pending, struct error *err)
{
    struct invariant_check *check = pending->check;
    const struct invariant *invariant = check->invariant;
    struct received received;
    if (!statements_receive(example, &check->sending, &example->flying, &received, err)) {
        return err->code == ERROR_LIMIT ? error_context(err, "invariant %s", invariant->name)
                                        : false;
    }
    if (example->stale) {
        return true;
    }
    struct invariant_stats *stats = &example->stats.invariants[invariant->index];
    if (!check->late) {
        stats->checked++;
        durations_add(stats->times, received.time_us);
    }
    example->stats.statements += received.statements;
    if (example->engine->options.differs) {
        if (received.divergence) {
            fail_divergence(example, NULL, check, received.diverged, received.divergence);
        } else {
            example->parted = received.parts || received.raised; /* no statement runs after it */
        }
        return true;
    }
    if (received.raised) {
        return fail_error(example, NULL, check, &received, err);
    }
    if (invariant->statements.count == 0) {
        return true;
    }
    OBSERVE(example->plan.observer, received, check, &received);
    if (!settle_rows(example, check, &received.answer, err)) {
        return false;
    }
    if (analysis_for(example, invariant)->late_any) {
        check->locals[invariant->result_slot] = result_value(&example->flying, &received.answer);
    }
    if (!example->failure && !run_checks(example, check, true, err)) {
        return false;
    }
    if (!example->failure && check->kept) {
        again_passed(example, check->kept);
    }
    return true;
}

/* Sends the query, if it is needed. */
static bool ask_check(struct example *example, struct invariant_check *check, struct error *err)
{
    const struct invariant *invariant = check->invariant;
    if (invariant->expect && example->ahead && !check->kept) {
        check->expected = value_copy(&example->flying, check->expected);
    }
    check->sending.checks = true;
    check->sending.asker = invariant->name;
    return statements_send(example, invariant->statements.items, invariant->statements.count,
                           check->locals, &check->sending, err) &&
           flight_push(example, &(struct pending){.settle = settle_check, .check = check}, err) &&
           (!analysis_for(example, invariant)->waits || flight_settle(example, err));
}

static bool queue_check(struct example *example, struct invariant_check *check, struct error *err)
{
    const struct invariant *invariant = check->invariant;
    enum again_need need;
    if ((invariant->expect &&
         !example_look(example, invariant->expect, check->locals, &check->expected, err)) ||
        !again_need(example, check, &need, err)) {
        return false;
    }
    if (need == AGAIN_LEFT_OUT) {
        example_note(example, &example->stats.invariants[invariant->index].checked, 1);
    }
    check->late = need == AGAIN_LATE;
    bool ok = need == AGAIN_LEFT_OUT || need == AGAIN_DONE || ask_check(example, check, err);
    OBSERVE(example->plan.observer, check_done, example, invariant);
    return ok;
}

static void note_skipped(struct example *example, const struct invariant *invariant)
{
    if (example->again.last) {
        return; /* it was recorded when the last step was checked */
    }
    example_note(example, &example->stats.invariants[invariant->index].skipped, 1);
}

/* Invariants that are checked together: those with the same `for`, or a single one. */
struct together {
    struct asked {
        const struct invariant *invariant;
        struct value *locals;
    } * items;
    size_t count;
    const struct target **targets; /* of the `for` values */
};

/* Checks the invariant for the `for` values in its locals. */
static bool check_one(struct example *example, const struct asked *asked,
                      const struct target *const *targets, struct error *err)
{
    const struct invariant *invariant = asked->invariant;
    const struct value *locals = asked->locals;
    size_t local_count = invariant->locals.names.count;
    struct arena *arena = &example->flying;
    struct invariant_check *check = ARENA_NEW(arena, struct invariant_check);
    check->invariant = invariant;
    check->number = example->number;
    check->trace = example->steps.count;
    check->locals = arena_memdup(arena, locals, local_count * sizeof *locals);
    check->fors = ARENA_ARRAY(arena, struct value, invariant->fors.count);
    for (size_t i = 0; i < invariant->fors.count; i++) {
        check->fors[i] = value_copy(arena, locals[invariant->fors.items[i].slot]);
    }
    check->targets = arena_memdup(arena, targets, invariant->fors.count * sizeof *targets);
    if (invariant->precondition) {
        struct value value;
        if (!example_look(example, invariant->precondition, check->locals, &value, err)) {
            return false;
        }
        if (!value_truth(value)) {
            note_skipped(example, invariant);
            return true;
        }
    }
    OBSERVE(example->plan.observer, check, check);
    if (!example->again.last && !run_checks(example, check, false, err)) {
        return false;
    }
    return example_ended(example) || queue_check(example, check, err);
}

/* Checks all of them, for the values in the locals of the first. */
static bool check_all(struct example *example, const struct together *together, struct error *err)
{
    const struct asked *first = &together->items[0];
    for (size_t i = 0; i < together->count && !example_ended(example); i++) {
        const struct asked *asked = &together->items[i];
        for (size_t j = 0; j < asked->invariant->fors.count; j++) {
            asked->locals[asked->invariant->fors.items[j].slot] =
                first->locals[first->invariant->fors.items[j].slot];
        }
        if (!check_one(example, asked, together->targets, err)) {
            return false;
        }
    }
    return true;
}

/* Checks every combination of the `for` values, from the name at `at` on. */
static bool check_each(struct example *example, const struct together *together, size_t at,
                       struct error *err)
{
    assert(together->count > 0 && at <= together->items[0].invariant->fors.count);
    const struct invariant *invariant = together->items[0].invariant;
    struct value *locals = together->items[0].locals;
    if (at == invariant->fors.count) {
        return check_all(example, together, err);
    }
    const struct named_code *over = &invariant->fors.items[at];
    struct value items;
    struct value_iter iter;
    if (!example_look(example, over->code, locals, &items, err)) {
        return false;
    }
    together->targets[at] = bundles_target(&example->bundles, &example->state, items);
    if (!located(value_iter_begin(&iter, items, &example->flying, err), code_pos(over->code),
                 err)) {
        return false;
    }
    bool ok = true;
    bool any = false;
    while (ok && !example_ended(example) && value_iter_next(&iter, &locals[over->slot])) {
        any = true;
        ok = check_each(example, together, at + 1, err);
    }
    value_iter_end(&iter);
    for (size_t i = 0; ok && !any && i < together->count; i++) {
        note_skipped(example, together->items[i].invariant);
    }
    return ok;
}

static bool is_last(const struct example *example)
{
    const struct trace *trace = example->plan.trace;
    return example->number == example->plan.pinned_steps + (trace ? trace_length(trace) : 0);
}

static bool is_due(const struct example *example, const struct invariant *invariant,
                   enum invariant_when when)
{
    const struct example_plan *plan = &example->plan;
    bool late = when == WHEN_END;
    bool between = invariant->every > 1 && example->number % (size_t)invariant->every != 0;
    const bool *off = example->engine->options.invariants_off;
    if (off && off[invariant->index]) {
        return false;
    }
    if (plan->scope == SCOPE_EACH || plan->scope == SCOPE_FINAL) {
        return late == (plan->scope == SCOPE_FINAL);
    }
    if (plan->scope == SCOPE_NONE || (plan->scope != SCOPE_ALL && plan->only != invariant)) {
        return false;
    }
    if (invariant->when == WHEN_END) {
        return late;
    }
    if (plan->scope != SCOPE_ALL) {
        return !late && (plan->scope == SCOPE_ONE || is_last(example));
    }
    return late == between; /* `every` must not leave the last steps unchecked */
}

static void join_invariant(struct example *example, const struct invariant *invariant,
                           struct together *together)
{
    size_t count = invariant->locals.names.count;
    struct value *locals = ARENA_ARRAY(&example->flying, struct value, count);
    for (size_t i = 0; i < count; i++) {
        lang_unset(&locals[i]);
    }
    together->items[together->count++] = (struct asked){invariant, locals};
    if (together->count == 1) {
        together->targets =
            ARENA_ARRAY(&example->flying, const struct target *, invariant->fors.count);
    }
}

static bool check_due(struct example *example, enum invariant_when when, struct error *err)
{
    const struct machine *machine = example->engine->machine;
    const struct invariant_analysis *analysis = example->engine->analysis.invariants;
    size_t count = machine->invariants.count;
    struct together together = {.items = ARENA_ARRAY(&example->flying, struct asked, count)};
    for (size_t i = 0; i < count; i++) {
        const struct invariant *invariant = &machine->invariants.items[i];
        if (example_ended(example)) {
            return true;
        }
        if (is_due(example, invariant, when)) {
            join_invariant(example, invariant, &together);
        }
        if (together.count == 0 || (i + 1 < count && analysis[i + 1].joins)) {
            continue;
        }
        if (!check_each(example, &together, 0, err)) {
            return false;
        }
        together.count = 0;
    }
    return true;
}

bool invariants_check(struct example *example, enum invariant_when when, struct error *err)
{
    return again_learn(example, err) && check_due(example, when, err);
}

bool invariants_check_rest(struct example *example, struct error *err)
{
    bool ok = !again_last(example) || check_due(example, WHEN_STEP, err);
    example->again.last = false;
    example->again.all = true;
    return ok;
}
