#include "example/step/step.h"

#include "example/compare/compare.h"
#include "example/engine.h"
#include "example/failure/fail.h"
#include "example/observer.h"
#include "example/step/advance.h"
#include "example/step/crash.h"
#include "example/step/send.h"
#include "example/tables.h"
#include "value/number/numeric.h"

#include <string.h>

/* True if the step does the same in every example. */
static bool is_constant(const struct example *example, const struct step *step)
{
    return step->rule->initialize &&
           step->rule->index < example->engine->machine->initialize_constant;
}

static const struct saved_answer *saved_of(const struct example *example, const struct step *step)
{
    const struct engine *engine = example->engine;
    bool saved = is_constant(example, step) && step->rule->index < engine->saved_count;
    return saved ? &engine->saved[step->rule->index] : prefix_saved(engine);
}

static struct step *step_new(struct example *example, const struct step_plan *plan)
{
    const struct rule *rule = plan->rule;
    struct arena *arena = example->state.caller.arena;
    struct step *step = ARENA_NEW(arena, struct step);
    step->rule = rule;
    step->id = plan->id;
    step->death = crash_death(example, rule, plan->death, plan->gate);
    step->gate = step->death == DEATH_WITHIN ? plan->gate : 0;
    step->again = plan->again;
    step->number = rule->initialize ? 0 : example->number + 1;
    step->locals = ARENA_ARRAY(arena, struct value, rule->locals.names.count);
    step->drawn = ARENA_ARRAY(arena, struct drawn, rule->args.count);
    for (size_t i = 0; i < rule->locals.names.count; i++) {
        lang_unset(&step->locals[i]);
    }
    return step;
}

static bool eval_lets(struct example *example, struct step *step, struct error *err)
{
    for (size_t i = 0; i < step->rule->lets.count; i++) {
        const struct named_code *let = &step->rule->lets.items[i];
        struct value value;
        if (!lang_eval(&example->state, let->code, step->locals, &value, err)) {
            return false;
        }
        step->locals[let->slot] = value;
    }
    return true;
}

/* Of two databases: they may answer it differently, which then undoes the step. */
static bool may_be_undone(const struct example *example, const struct rule *rule)
{
    const struct engine *engine = example->engine;
    return engine->options.differs && !rule->initialize &&
           engine->backend->ops->accepts(engine->backend, rule->name);
}

static bool has_migrated(const struct example *example)
{
    const struct machine_migration *migration = example->engine->machine->migration;
    return migration && example->state.globals[migration->migrated].as.integer != 0;
}

/* A step of `initialize` is no test, and a migration that fails is always told of. */
static bool any_error_is_fine(const struct example *example, const struct rule *rule)
{
    bool any = example->guarded || example->engine->options.settings->errors == ERRORS_ANY ||
               may_be_undone(example, rule);
    return any && !rule->initialize && !(rule->migrates && !example->guarded) &&
           rule->statements.count > 0;
}

static bool predict_raises(struct example *example, struct step *step, struct error *err)
{
    const struct lang_code *code = step->rule->raises;
    struct value value;
    step->raises.may_succeed = true;
    if (code && !example->guarded &&
        !(example_look(example, code, step->locals, &value, err) &&
          located(prediction_read(&example->arena, value, &step->raises, err), code_pos(code),
                  err))) {
        return false;
    }
    if (any_error_is_fine(example, step->rule)) {
        step->migrated = has_migrated(example);
        *VEC_PUSH(&example->arena, &step->raises.errors) =
            (struct predicted_error){.fits = step->migrated && !example->guarded};
    }
    return true;
}

static bool eval_label(struct example *example, struct step *step, struct error *err)
{
    const struct lang_code *code = step->rule->label;
    struct value value;
    if (!code) {
        return true;
    }
    if (!example_look(example, code, step->locals, &value, err)) {
        return false;
    }
    if (value.type == VALUE_STRING) {
        step->label = arena_strndup(&example->arena, value.as.string->data, value.as.string->size);
    }
    return value.type == VALUE_STRING || value.type == VALUE_NONE ||
           error_at(err, ERROR_MACHINE, code_pos(code),
                    "label must give a string or None, not a value of type %s",
                    value_type_name(value));
}

static bool predict(struct example *example, struct step *step, struct error *err)
{
    const struct rule *rule = step->rule;
    if (!now_advance(example, step, err) || !eval_lets(example, step, err) ||
        !predict_raises(example, step, err) || !eval_label(example, step, err)) {
        return false;
    }
    bool unsure = step->raises.may_succeed && step->raises.errors.count > 0;
    step->waits = unsure || (rule->needs_answer && step->raises.may_succeed) || !example->ahead ||
                  step->death;
    if (!step->raises.may_succeed || example->guarded) {
        return true; /* the model may be in another state, where it predicts nothing */
    }
    if (rule->expect) {
        if (!example_look(example, rule->expect, step->locals, &step->expected, err)) {
            return false;
        }
        /* the model has advanced when a step that does not wait is compared */
        if (!step->waits) {
            step->expected = value_copy(&example->flying, step->expected);
        }
    }
    if (rule->affects &&
        !affects_look(example, rule->affects, step->locals, &step->affected, err)) {
        return false;
    }
    step->refused =
        rule->affects ? step->affected == 0 : rule->expect && !value_truth(step->expected);
    return true;
}

static bool queue_statements(struct example *example, struct step *step, struct error *err)
{
    const struct rule *rule = step->rule;
    struct backend *backend = example->engine->backend;
    bool guarded = step->raises.errors.count > 0;
    enum backend_guard guard = step->raises.may_succeed ? GUARD_MAY_FAIL : GUARD_MUST_FAIL;
    bool deferred = rule->statements.count > 0 &&
                    example->engine->options.settings->check_deferred == CHECK_DEFERRED_STEP;
    return (!guarded || backend->ops->guard_begin(backend, guard, err)) &&
           step_send(example, step, step->raises.may_succeed && !example->guarded, err) &&
           (!deferred || (step->stopped && !rule->outside) ||
            deferred_send(example, rule->statements.items, step->sending.count, step->locals,
                          &step->sending, err)) &&
           (!guarded || backend->ops->guard_end(backend, err));
}

static bool queue_step(struct example *example, struct step *step, struct error *err)
{
    struct backend *backend = example->engine->backend;
    OBSERVE(example->plan.observer, step, step);
    return (!step->advanced || !backend->ops->clock ||
            backend->ops->clock(backend, step->now_us, err)) &&
           queue_statements(example, step, err);
}

/* Takes the answers. A client may send the step again, and only its last attempt counts. */
static bool receive_step(struct example *example, struct step *step, struct arena *arena,
                         struct received *received, struct error *err)
{
    struct backend *backend = example->engine->backend;
    bool again = false;
    do {
        if ((again && !queue_statements(example, step, err)) ||
            !statements_receive(example, &step->sending, arena, received, err) ||
            (backend->ops->again && !backend->ops->again(backend, &again, err))) {
            return false;
        }
    } while (again);
    return true;
}

static void record_step(struct example *example, struct step *step)
{
    const struct rule *rule = step->rule;
    step->index = example->steps.count;
    *VEC_PUSH(&example->arena, &example->steps) = step; /* NOLINT(bugprone-sizeof-expression) */
    *VEC_PUSH(&example->arena, &example->trace.steps) = (struct trace_step){
        .id = step->id,
        .initialize = rule->initialize,
        .session = rule->initialize ? 0 : example->session,
        .rule = rule->index,
        .death = step->death,
        .gate = step->gate,
        .again = step->again ? step->again->id + 1 : 0,
        .choices = step->choices,
    };
    if (!rule->initialize) {
        example->number++;
        example->used[rule->index]++;
    }
}

/* Runs a step whose answer is saved: only the model changes. */
static bool run_saved(struct example *example, struct step *step, const struct saved_answer *saved,
                      struct error *err)
{
    if (!now_advance(example, step, err) || !eval_lets(example, step, err)) {
        return false;
    }
    record_step(example, step);
    saved_answer_give(example, saved, step);
    bool ok = step->raised ? step_after_error(example, step, err)
                           : step_name_saved(example, step, err) && step_finish(example, step, err);
    example_keep(example, NULL);
    return ok;
}

static void fail_missing(struct example *example, const struct step *step)
{
    example_fail(example, &(struct failing){
                              .kind = FAILURE_MISSING_ERROR,
                              .step = step,
                              .statement = sending_last(&step->sending),
                              .pos = code_pos(step->rule->raises),
                              .expected = prediction_text(&example->arena, &step->raises),
                              .actual = "no error",
                          });
}

/* What is compared: the answer of statement `index` of those sent, as its own code or its rule's
 * expects it. */
struct compared_statement {
    size_t index;
    const struct answer *answer;
    const struct lang_code *expect;
    struct value expected;
    const struct lang_code *affects;
    int64_t affected;
};

static bool settle_expect(struct example *example, const struct step *step,
                          const struct compared_statement *compared, struct error *err)
{
    const struct machine_statement *statement = sending_at(&step->sending, compared->index);
    struct comparing comparing = {example->engine->backend, &example->flying,
                                  statement ? &statement->sql->snippet : NULL};
    struct comparison comparison;
    if (!located(compare_answer(&comparing, compared->expected, compared->answer, &comparison, err),
                 code_pos(compared->expect), err)) {
        return false;
    }
    if (comparison.equal) {
        return true;
    }
    example_fail(example, &(struct failing){.kind = FAILURE_EXPECT,
                                            .step = step,
                                            .statement = statement,
                                            .pos = code_pos(compared->expect),
                                            .comparison = &comparison});
    return OBSERVE_OK(example->plan.observer, expected, compared->index, compared->expected,
                      compared->answer, err);
}

static bool settle_affects(struct example *example, const struct step *step,
                           const struct compared_statement *compared, struct error *err)
{
    const struct answer *answer = compared->answer;
    if (answer->count < 0) {
        return error_at(err, ERROR_MACHINE, code_pos(compared->affects),
                        "affects has nothing to count: %s changes no rows",
                        answer->command ? answer->command : "the statement");
    }
    if (answer->count != compared->affected) {
        OBSERVE(example->plan.observer, affected, compared->index, compared->affected);
        example_fail(example,
                     &(struct failing){
                         .kind = FAILURE_EXPECT,
                         .step = step,
                         .statement = sending_at(&step->sending, compared->index),
                         .pos = code_pos(compared->affects),
                         .expected = rows_text(&example->arena, (size_t)compared->affected),
                         .actual = rows_text(&example->arena, (size_t)answer->count),
                     });
    }
    return true;
}

static bool settle_compared(struct example *example, const struct step *step,
                            const struct compared_statement *compared, struct error *err)
{
    if (compared->expect && !settle_expect(example, step, compared, err)) {
        return false;
    }
    return example->failure || !compared->affects || settle_affects(example, step, compared, err);
}

/* By what statements say of themselves, in their order; then by what the rule says of the last. */
static bool settle_answer(struct example *example, const struct step *step,
                          const struct answer *answer, struct error *err)
{
    const struct rule *rule = step->rule;
    const struct sending *sending = &step->sending;
    for (size_t i = 0; step->expectations && i < sending->count && !example->failure; i++) {
        const struct expectation *expectation = &step->expectations[i];
        const struct machine_statement *statement = sending->items[i].statement;
        const struct compared_statement compared = {i,
                                                    &sending->items[i].answer,
                                                    statement->expect,
                                                    expectation->expected,
                                                    statement->affects,
                                                    expectation->affected};
        if (expectation->predicted && !settle_compared(example, step, &compared, err)) {
            return false;
        }
    }
    const struct compared_statement last = {sending->count ? sending->count - 1 : 0,
                                            answer,
                                            rule->expect,
                                            step->expected,
                                            rule->affects,
                                            step->affected};
    return example->failure || settle_compared(example, step, &last, err);
}

static void settle_deadline(struct example *example, const struct step *step, uint64_t time_us)
{
    int64_t deadline_ms = example->engine->options.settings->deadline_ms;
    if (deadline_ms > 0 && time_us > (uint64_t)deadline_ms * 1000) {
        example_fail(example, &(struct failing){
                                  .kind = FAILURE_TIMEOUT,
                                  .step = step,
                                  .statement = sending_last(&step->sending),
                                  .pos = step->rule->pos,
                                  .expected = arena_printf(&example->arena, "at most %lld ms",
                                                           (long long)deadline_ms),
                                  .actual = arena_printf(&example->arena, "%llu ms",
                                                         (unsigned long long)(time_us / 1000)),
                              });
    }
}

static void note_values(struct example *example, const struct step *step)
{
    for (size_t i = 0; i < step->rule->args.count; i++) {
        const struct drawn *drawn = &step->drawn[i];
        struct tally_note note = drawn->newer < 0 ? tally_note(&example->arena, drawn->value)
                                                  : (struct tally_note){.kind = TALLY_RECENCY};
        note.number = drawn->newer < 0 ? note.number : (double)drawn->newer;
        note.rule = (uint32_t)step->rule->index;
        note.arg = (uint32_t)i;
        stats_note(&example->stats, &example->arena, note);
    }
}

static void count_step(struct example *example, const struct step *step,
                       const struct received *received)
{
    struct run_stats *stats = &example->stats;
    stats->statements += received->statements;
    if (step->rule->initialize) {
        return;
    }
    struct rule_stats *rule = &stats->rules[step->rule->index];
    stats_step(stats, &example->arena, step->rule);
    rule->ran++;
    bool always = example->engine->analysis.rules[step->rule->index].answers_alike;
    rule->refused += step->refused && !always;
    rule->meant_to_fail += !step->raises.may_succeed || (step->refused && always);
    durations_add(rule->times, received->time_us);
    if (example->engine->options.tally) {
        note_values(example, step);
    }
    if (step->label) {
        stats_label(stats, &example->arena, step->label, 1);
    }
    if (received->raised) {
        stats_raised(rule, &example->arena, received->error.sqlstate, 1);
    }
}

/* The databases no longer agree, which is no difference. */
static void part(struct example *example, const struct step *step)
{
    example->parted = true;
    if (!step->rule->initialize) {
        example->stats.rules[step->rule->index].parted++;
    }
}

/* Where two databases are compared, the model only leads: what it did not predict is no failure. */
static void settle_differing(struct example *example, const struct step *step,
                             const struct received *received)
{
    if (received->divergence) {
        fail_divergence(example, step, NULL, received->diverged, received->divergence);
    } else if (received->parts) {
        part(example, step);
    } else {
        example->surprised =
            received->raised && !prediction_allows(&step->raises, &received->error);
    }
}

/* Which rules have worked in this example before the migration. */
static void note_worked(struct example *example, struct step *step)
{
    size_t rule = step->rule->index;
    if (step->rule->initialize) {
        return;
    }
    example->worked[rule] = example->worked[rule] || (!step->raised && !step->migrated);
    for (size_t i = 0; i < step->raises.errors.count; i++) {
        step->raises.errors.items[i].worked = example->worked[rule];
    }
}

static bool settle_step(struct example *example, const struct pending *pending, struct error *err)
{
    struct step *step = pending->step;
    struct arena *arena = is_constant(example, step) ? &example->engine->saving
                          : step->waits              ? &example->arena
                                                     : &example->flying;
    struct received received;
    if (!receive_step(example, step, arena, &received, err)) {
        return err->code == ERROR_LIMIT ? error_context(err, "rule %s", step->rule->name) : false;
    }
    if (example->stale) {
        return true;
    }
    count_step(example, step, &received);
    step->raised = received.raised || received.undone;
    memcpy(step->sqlstate, received.error.sqlstate, sizeof step->sqlstate);
    step->answer = received.answer;
    if (!step->raised) {
        step_name_answers(example, step);
    }
    if (example->engine->options.differs) {
        settle_differing(example, step, &received);
        return true;
    }
    if (example->plan.lenient) {
        return true;
    }
    note_worked(example, step);
    if (received.raised && !prediction_allows(&step->raises, &received.error)) {
        if (!fail_error(example, step, NULL, &received, err)) {
            return false;
        }
    } else if (!received.raised && !step->raises.may_succeed) {
        fail_missing(example, step);
    } else if (!received.raised && !settle_answer(example, step, &received.answer, err)) {
        return false;
    }
    if (!example->failure) {
        settle_deadline(example, step, received.time_us);
    }
    return true;
}

/* The migration is no request: both sides are done with what came before it. */
static bool run_migration(struct example *example, struct step *step, struct error *err)
{
    struct backend_compared compared;
    struct backend *backend = example->engine->backend;
    record_step(example, step);
    OBSERVE(example->plan.observer, step, step);
    if (!flight_settle(example, err)) {
        return false;
    }
    if (example_ended(example)) {
        return true;
    }
    if (!backend->ops->migrate_after(backend, &example->arena, &compared, err)) {
        return false;
    }
    stats_step(&example->stats, &example->arena, step->rule);
    example->stats.rules[step->rule->index].ran++;
    if (compared.parts) {
        part(example, step);
    }
    if (compared.divergence) {
        fail_divergence(example, step, NULL, NULL, compared.divergence);
    }
    return true;
}

/* The answers are not judged: nobody acts on them. */
static bool run_dying(struct example *example, struct step *step, struct error *err)
{
    if (!now_advance(example, step, err) || !eval_lets(example, step, err) ||
        !flight_settle(example, err)) {
        return false;
    }
    if (example_ended(example)) {
        return true;
    }
    record_step(example, step);
    if (step->death == DEATH_WITHIN) {
        return crash_within(example, step, err);
    }
    if (!crash_send(example, step, err)) {
        return false;
    }
    stats_step(&example->stats, &example->arena, step->rule);
    return example->stale || crash_die(example, step, err);
}

static bool run_drawn(struct example *example, struct step *step, struct error *err)
{
    if (step->death == DEATH_BEFORE || step->death == DEATH_WITHIN) {
        return run_dying(example, step, err);
    }
    if (step->rule == example->engine->options.migration) {
        return run_migration(example, step, err);
    }
    bool waits = may_be_undone(example, step->rule) || step->rule->computes;
    if (!predict(example, step, err) || !prefix_step(example, example->steps.count, err) ||
        (waits && !flight_settle(example, err))) {
        return false;
    }
    if (waits && example_ended(example)) {
        return true;
    }
    record_step(example, step);
    if (!queue_step(example, step, err) || !again_step(example, step, err) ||
        !flight_push(example, &(struct pending){.settle = settle_step, .step = step}, err) ||
        (step->waits && !flight_settle(example, err))) {
        return false;
    }
    if (example_ended(example)) {
        return true;
    }
    bool constant = is_constant(example, step);
    if (constant) {
        struct saved_answer *saved = &example->engine->saved[step->rule->index];
        *saved = saved_answer_for_all(example->engine, step);
        saved_answer_give(example, saved, step);
    }
    bool ok = step->raised || !step->raises.may_succeed ? step_after_error(example, step, err)
                                                        : step_finish(example, step, err);
    if (constant) {
        example_keep(example, NULL);
    }
    return ok && (!step->death || example_ended(example) || crash_die(example, step, err));
}

static void note_fate(struct example *example, const struct rule *rule, enum step_fate fate)
{
    if (!rule->initialize && fate != STEP_BLOCKED) {
        example_note(example, &example->stats.rules[rule->index].chosen, 1);
    }
    if (fate == STEP_GIVEN_UP) {
        example_note_why(example, rule, DEAD_END_GIVEN_UP);
    }
}

bool step_try(struct example *example, const struct step_plan *plan, struct step **out,
              enum step_fate *fate)
{
    struct error *ignored = example->novelty.ignored;
    size_t logged = example->log.events.count;
    bool open;
    *fate = STEP_BLOCKED;
    *out = step_new(example, plan);
    bool known = step_gate(example, plan->rule, &open, ignored) &&
                 (!open || step_draw(example, *out, plan->replay, NULL, fate, ignored));
    step_put_back(*out);
    example->log.events.count = logged; /* it counts when it runs */
    return known;
}

/* Draws the step, unless it is the same as an earlier one. */
static bool draw(struct example *example, struct step *step, const struct step_plan *plan,
                 enum step_fate *fate, struct error *err)
{
    return plan->again ? crash_draw_again(example, step, plan->again, fate, err)
                       : step_draw(example, step, plan->replay, plan->argument_source, fate, err);
}

bool step_run(struct example *example, const struct step_plan *plan, enum step_fate *fate,
              struct error *err)
{
    bool open;
    *fate = STEP_BLOCKED;
    if (!plan->again && !step_gate(example, plan->rule, &open, err)) {
        return false;
    }
    if (!plan->again && !open) {
        return true;
    }
    struct step *step = step_new(example, plan);
    example->working = step; /* stays set if an error ends the example */
    if (!draw(example, step, plan, fate, err)) {
        return false;
    }
    note_fate(example, plan->rule, *fate);
    if (*fate != STEP_RAN) {
        example->working = NULL;
        return true;
    }
    const struct saved_answer *saved = saved_of(example, step);
    bool ok = saved ? run_saved(example, step, saved, err) : run_drawn(example, step, err);
    ok = ok && (step->rule->initialize || tables_tell(example, err));
    if (!saved) {
        OBSERVE(example->plan.observer, step_done, example, step);
    }
    example->working = ok ? NULL : example->working;
    return ok;
}
