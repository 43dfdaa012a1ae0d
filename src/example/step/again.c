#include "example/step/again.h"

#include "base/hash.h"
#include "example/engine.h"
#include "example/step/context.h"
#include "example/step/invariant.h"

#include <string.h>

enum {
    WORTH_MIN = 20, /* invariants; on a busy machine, waiting costs as much as checking so many */
    KEY_BYTES = 1 << 16,   /* of parameters */
    PARTS_MAX = 1000 * 100 /* of an expectation */
};

/* An answered query. */
struct again_answer {
    uint64_t hash;
    const char *key; /* invariant, parameters, contexts */
    size_t size;
    size_t round;  /* of the last answer */
    size_t number; /* number of steps at that time */
    struct value expected;
};

/* All are checked if the example is examined, replayed or narrated. */
static bool may_leave_out(const struct engine *engine, const struct example_plan *plan)
{
    const struct engine_options *options = &engine->options;
    return plan->way && plan->scope == SCOPE_ALL && !plan->observer && !plan->branching &&
           !options->all_invariants && !options->plant && !options->sessions &&
           !engine->prefix.on && engine->backend->ops->reads;
}

/* Why it can never be left out; NULL if it can. */
static const char *why_asked(const struct engine *engine, const struct backend_reads *reads,
                             const struct invariant *invariant)
{
    return !invariant->statements.count ? "" /* there is no query */
           : invariant->xfail           ? "it is marked xfail"
           : engine->analysis.invariants[invariant->index].waits
               ? "its check compares the answer with the model"
               : reads->invariants[invariant->index].all;
}

static bool can_hold(const struct engine *engine, const struct invariant *invariant)
{
    return !why_asked(engine, &engine->again.reads, invariant);
}

/* Decides by a number that is the same in every run, and not by the time. */
static bool is_worth_it(const struct engine *engine)
{
    size_t count = 0;
    for (size_t i = 0; i < engine->machine->invariants.count && engine->again.reads.invariants;
         i++) {
        count += can_hold(engine, &engine->machine->invariants.items[i]);
    }
    return count >= WORTH_MIN;
}

bool again_explain(struct engine *engine, struct arena *arena, struct again_reasons *out,
                   struct error *err)
{
    struct backend_reads reads;
    size_t count = engine->machine->invariants.count;
    size_t left_out = 0;
    *out = (struct again_reasons){0};
    if (count < WORTH_MIN || !engine->backend->ops->reads) {
        return true;
    }
    if (!engine->backend->ops->reads(engine->backend, &reads, err)) {
        return false;
    }
    if (!reads.invariants) {
        out->all = reads.all ? arena_strdup(arena, reads.all) : NULL;
        return true;
    }
    out->each = ARENA_ARRAY(arena, const char *, count);
    for (size_t i = 0; i < count; i++) {
        const char *why = why_asked(engine, &reads, &engine->machine->invariants.items[i]);
        out->each[i] = why && *why ? arena_strdup(arena, why) : NULL;
        left_out += !why;
    }
    if (left_out < WORTH_MIN) {
        out->all = arena_printf(arena, "%zu could be left out, which pays from %d on", left_out,
                                WORTH_MIN);
    }
    return true;
}

bool again_enter(struct engine *engine, const struct example_plan *plan, struct error *err)
{
    struct again_facts *facts = &engine->again;
    if (facts->known || engine->machine->invariants.count < WORTH_MIN ||
        !may_leave_out(engine, plan)) {
        return true;
    }
    facts->known = true;
    facts->start = (struct map){.arena = &engine->saving};
    return engine->backend->ops->reads(engine->backend, &facts->reads, err);
}

static bool queue_counts(struct example *example, const struct step *step, struct error *err)
{
    struct backend *backend = example->engine->backend;
    struct again_count *count = VEC_PUSH(&example->arena, &example->again.counts);
    count->step = step;
    return backend->ops->queue_written(backend, &count->ticket, err);
}

bool again_begin(struct example *example, struct error *err)
{
    const struct engine *engine = example->engine;
    struct again *again = &example->again;
    again->on = engine->again.known && may_leave_out(engine, &example->plan) && is_worth_it(engine);
    if (!again->on) {
        return true;
    }
    again->written = ARENA_ARRAY(&example->arena, size_t, engine->again.reads.tables);
    again->answers.arena = &example->arena;
    return queue_counts(example, NULL, err);
}

static bool sets_up_alone(const struct engine *engine)
{
    return engine->machine->initialize_constant == engine->machine->initialize.count;
}

bool again_step(struct example *example, const struct step *step, struct error *err)
{
    const struct again *again = &example->again;
    bool writes = step ? step->rule->statements.count > 0 && !step->rule->initialize
                       : !sets_up_alone(example->engine);
    return !again->on || again->all || !writes || queue_counts(example, step, err);
}

/* The writes of a step that was rolled back do not count. */
static bool is_undone(const struct step *step)
{
    return step && (step->raised || !step->raises.may_succeed);
}

static void note_written(struct example *example, const struct again_count *count,
                         const struct backend_written *written)
{
    struct again *again = &example->again;
    if (!again->based) {
        again->based = true;
        return;
    }
    again->round++;
    if (is_undone(count->step)) {
        return;
    }
    again->all = again->all || written->all;
    for (size_t i = 0; written->tables && i < example->engine->again.reads.tables; i++) {
        if (written->tables[i]) {
            again->written[i] = again->round;
        }
    }
}

/* True if a step may have written, because it was not rolled back. */
static bool may_have_written(const struct again *again)
{
    for (size_t i = 0; i < again->counts.count; i++) {
        const struct step *step = again->counts.items[i].step;
        if (step && !is_undone(step)) {
            return true;
        }
    }
    return false;
}

static bool take_counts(struct example *example, struct error *err)
{
    struct again *again = &example->again;
    struct backend *backend = example->engine->backend;
    for (size_t i = 0; i < again->counts.count; i++) {
        struct backend_written written;
        if (!backend->ops->take_written(backend, again->counts.items[i].ticket, &example->flying,
                                        &written, err)) {
            return false;
        }
        note_written(example, &again->counts.items[i], &written);
    }
    again->counts.count = 0;
    return !again->all || flight_settle(example, err); /* or the step failed, which this shows */
}

bool again_learn(struct example *example, struct error *err)
{
    struct again *again = &example->again;
    if (!again->on || again->all || again->answers.count == 0 || !may_have_written(again)) {
        return true; /* the counts are not needed */
    }
    again->disturbed = false;
    return take_counts(example, err);
}

bool again_last(struct example *example)
{
    struct again *again = &example->again;
    return again->last = again->on && !again->all && !again->disturbed;
}

static void add_key_text(struct strbuf *key, const char *text)
{
    if (text) {
        strbuf_add(key, text, strlen(text));
    }
    strbuf_add(key, text ? "" : "\1", text ? 1 : 2);
}

static bool add_context(struct example *example, const struct context *context,
                        struct value *locals, struct strbuf *key, struct error *err)
{
    struct backend_context set;
    if (!example_context(example, context, locals, &set, err)) {
        return false;
    }
    add_key_text(key, set.role);
    add_key_text(key, set.session_user);
    for (size_t i = 0; i < set.setting_count; i++) {
        add_key_text(key, set.settings[i].value);
    }
    return true;
}

/* False if it is too large, or a mutable part of the model. */
static bool add_key_value(struct strbuf *key, struct value value)
{
    if (!value_is_data(value, PARTS_MAX)) {
        return false;
    }
    value_repr(value, key);
    strbuf_add(key, "", 1);
    return key->size <= KEY_BYTES;
}

static bool add_key_statement(struct example *example, const struct machine_statement *statement,
                              const struct invariant_check *check, bool *whole, struct error *err)
{
    struct strbuf *key = &example->engine->again.key;
    struct items values;
    if (!add_context(example, statement->context, check->locals, key, err) ||
        !statement_values(example, statement->sql, check->locals, &values, err)) {
        return false;
    }
    for (size_t i = 0; i < values.count && *whole; i++) {
        *whole = add_key_value(key, values.items[i]);
    }
    return true;
}

/* Makes a key of everything but rows that a query depends on: the `for` values, and the values of
 * contexts and parameters. `*whole` is true if the key is complete. */
static bool make_key(struct example *example, const struct invariant_check *check, bool *whole,
                     struct error *err)
{
    const struct invariant *invariant = check->invariant;
    struct strbuf *key = &example->engine->again.key;
    bool model = example->engine->analysis.invariants[invariant->index].sends_model;
    strbuf_clear(key);
    strbuf_addf(key, "%zu;", invariant->index);
    *whole = true;
    for (size_t i = 0; i < invariant->fors.count && *whole; i++) {
        *whole = add_key_value(key, check->fors[i]);
    }
    for (size_t i = 0; i < invariant->statements.count && model && *whole; i++) {
        if (!add_key_statement(example, &invariant->statements.items[i], check, whole, err)) {
            return false;
        }
    }
    return true;
}

static bool is_fresh(const struct example *example, const struct invariant *invariant, size_t round)
{
    const struct invariant_reads *reads =
        &example->engine->again.reads.invariants[invariant->index];
    for (size_t i = 0; i < reads->tables.count; i++) {
        if (example->again.written[reads->tables.items[i]] > round) {
            return false;
        }
    }
    return true;
}

static bool is_same_query(const struct again_answer *answer, const struct strbuf *key)
{
    return answer->key && answer->size == key->size &&
           memcmp(answer->key, strbuf_text(key), key->size) == 0;
}

static struct again_answer *find_answer(struct example *example)
{
    const struct strbuf *key = &example->engine->again.key;
    uint64_t hash = hash_bytes(HASH_START, strbuf_text(key), key->size);
    struct map_entry *entry = map_add(&example->again.answers, hash);
    struct again_answer *answer = entry->to.pointer;
    if (!answer) {
        answer = entry->to.pointer = ARENA_NEW(&example->arena, struct again_answer);
        answer->hash = hash;
    }
    return answer;
}

/* Records that it is asked now, so that later checks may rely on the answer. */
static void note_asked(struct example *example, struct again_answer *answer,
                       struct invariant_check *check)
{
    const struct strbuf *key = &example->engine->again.key;
    if (!is_same_query(answer, key)) {
        answer->key = arena_memdup(&example->arena, strbuf_text(key), key->size);
        answer->size = key->size;
    }
    answer->round = example->again.round;
    answer->number = example->number;
    answer->expected = check->expected = value_copy(&example->arena, check->expected);
    check->kept = answer;
}

static bool is_at_start(const struct example *example)
{
    return example->number == 0 && sets_up_alone(example->engine);
}

void again_passed(struct example *example, const struct again_answer *answer)
{
    struct engine *engine = example->engine;
    if (answer->number > 0 || !sets_up_alone(engine)) {
        return;
    }
    struct arena *arena = &engine->saving;
    struct map_entry *entry = map_add(&engine->again.start, answer->hash);
    if (entry->to.pointer) {
        return; /* it is checked again, because something before it may write */
    }
    struct again_answer *kept = ARENA_NEW(arena, struct again_answer);
    *kept = *answer;
    kept->key = arena_memdup(arena, answer->key, answer->size);
    kept->expected = value_copy(arena, answer->expected);
    entry->to.pointer = kept;
}

/* True if an earlier example asked the same at its start. It counts as checked, because the number
 * of workers decides which example is the first. */
static bool held_at_start(struct example *example, struct again_answer *answer,
                          const struct invariant_check *check)
{
    const struct again_facts *facts = &example->engine->again;
    const struct map_entry *entry =
        is_at_start(example) ? map_find(&facts->start, answer->hash) : NULL;
    const struct again_answer *kept = entry ? entry->to.pointer : NULL;
    if (!kept || !is_same_query(kept, &facts->key) ||
        !value_equal(kept->expected, check->expected)) {
        return false;
    }
    *answer = *kept;
    example_note(example, &example->stats.statements, check->invariant->statements.count);
    return true;
}

static bool answer_holds(struct example *example, struct again_answer *answer,
                         const struct invariant_check *check)
{
    return !answer->key ? held_at_start(example, answer, check)
                        : is_same_query(answer, &example->engine->again.key) &&
                              is_fresh(example, check->invariant, answer->round) &&
                              value_equal(answer->expected, check->expected);
}

bool again_need(struct example *example, struct invariant_check *check, enum again_need *need,
                struct error *err)
{
    struct again *again = &example->again;
    bool whole = false;
    *need = again->last ? AGAIN_DONE : AGAIN_ASK;
    if (!again->on || again->all) {
        return true;
    }
    if (!can_hold(example->engine, check->invariant)) {
        again->disturbed |=
            example->engine->again.reads.invariants[check->invariant->index].all != NULL;
        return true;
    }
    if (!value_is_data(check->expected, PARTS_MAX)) {
        return true;
    }
    if (!make_key(example, check, &whole, err)) {
        return false;
    }
    if (!whole) {
        return true;
    }
    struct again_answer *answer = find_answer(example);
    if (again->last) {
        *need = answer->key && answer->number < example->number ? AGAIN_LATE : AGAIN_DONE;
    } else if (!again->disturbed && answer_holds(example, answer, check)) {
        *need = AGAIN_LEFT_OUT;
    } else {
        note_asked(example, answer, check);
    }
    return true;
}
