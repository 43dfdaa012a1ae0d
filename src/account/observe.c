/* An observer that fills an account. */
#include "account/source.h"
#include "account/statement.h"
#include "account/table.h"
#include "trace/ids.h"

#include <string.h>

enum {
    DETAIL_BYTES = 1 << 20, /* of memory; the first steps lose their details if it is more */
    ALSO_MAX = 20,
    DIFFERING_MAX = 6, /* checks of one step that are told in full */
};

/* The account that is being filled. The details of each step have an arena of their own. */
struct observing {
    struct observer observer; /* first */
    struct account account;
    struct arena *arena;
    struct arena naming; /* of `names` */
    const struct failure *wanted;
    const char *wanted_fors;

    VEC(struct arena *) details; /* by step; those of brief ones are freed */
    size_t first_full;           /* the steps before it are brief */
    size_t detail_bytes;

    struct asker asker;       /* the step under way, and the invariant that is asked behind it */
    struct show_names names;  /* of what bundles hold by now */
    struct account_step step; /* the one under way, with what is asked behind it */
    bool open;                /* there is one */
    struct account_statements statements; /* of whichever is under way */
    size_t answered;                      /* of these */
    struct account_tables tables;         /* that the step under way wrote to */
    struct account_check check;

    struct strbuf *model; /* text of each global by now; data NULL: it has none yet */
    size_t model_count;
    bool *parted; /* by invariant: it did not hold after an earlier step */
};

static struct observing *observing_of(struct observer *observer)
{
    return (struct observing *)(void *)observer;
}

static struct arena *detail_of(const struct observing *observing)
{
    return observing->details.items[observing->details.count - 1];
}

static struct words words_of(const struct observing *observing)
{
    return (struct words){detail_of(observing), &observing->names};
}

/* For texts that a brief step keeps. */
static struct words lasting_words(const struct observing *observing)
{
    return (struct words){observing->arena, &observing->names};
}

/* Names. */

static void add_name(struct observing *observing, struct value value, const char *name)
{
    show_names_add(&observing->names, &observing->naming,
                   &(struct shown_arg){.value = value, .reference = name});
}

/* Ids that variables of the model hold, as that of the user whom initialize made. */
static void add_variables(struct observing *observing, const struct lang_state *state)
{
    for (size_t i = 0; i < lang_module_global_count(state->module); i++) {
        struct value value;
        if (lang_get_global(state, i, &value)) {
            add_name(observing, value, lang_module_global_name(state->module, i));
        }
    }
}

/* Names of ids by now: the first that an id got stays. */
static void collect_names(struct observing *observing, const struct example *example)
{
    arena_reset(&observing->naming);
    observing->names = (struct show_names){0};
    for (size_t i = 0; i < example->bundles.targets.count; i++) {
        const struct target *target = example->bundles.targets.items[i];
        for (size_t j = 0; j < target->arrivals.count; j++) {
            add_name(observing, target->arrivals.items[j].value, target->arrivals.items[j].name);
        }
    }
    add_variables(observing, &example->state);
}

/* Statements. */

static bool on_call(struct observer *observer, struct example *example,
                    const struct backend_call *call, struct error *err)
{
    struct observing *observing = observing_of(observer);
    const struct words words = words_of(observing);
    (void)example;
    (void)err;
    const struct account_statement sent = statement_sent(&words, &observing->asker, call);
    *VEC_PUSH(words.arena, &observing->statements.items) = sent;
    return true;
}

static void on_answer(struct observer *observer, struct example *example, size_t index,
                      struct arena *arena, struct answer *answer)
{
    struct observing *observing = observing_of(observer);
    (void)arena;
    collect_names(observing, example);
    if (index < observing->statements.items.count) {
        const struct words words = words_of(observing);
        statement_answered(&words, example, answer, &observing->statements.items.items[index]);
    }
}

/* What a commit would say. */
static void on_deferred_answer(struct observer *observer, struct example *example,
                               const struct answer *answer)
{
    struct observing *observing = observing_of(observer);
    const struct words words = words_of(observing);
    if (answer->status == ANSWER_ERROR || answer->divergence) {
        struct account_statement *told = VEC_PUSH(words.arena, &observing->statements.items);
        *told = (struct account_statement){.deferred = true};
        statement_answered(&words, example, answer, told);
    }
}

/* Takes the answered statements so far. Later ones belong to the next step or check. */
static struct account_statements take_statements(struct observing *observing)
{
    struct account_statements taken = observing->statements;
    size_t kept = 0;
    for (size_t i = 0; i < taken.items.count; i++) {
        if (taken.items.items[i].answer.given) {
            taken.items.items[kept++] = taken.items.items[i];
        }
    }
    taken.items.count = kept;
    observing->statements = (struct account_statements){0};
    return taken;
}

/* The failure. */

/* Call this while the failing step or check is running: it reads the values of then. */
static void note_source(struct observing *observing, const struct example *example,
                        const struct failure *failure)
{
    const struct words words = lasting_words(observing);
    if (failure && !observing->account.source.file) {
        observing->account.source = account_source(&words, &observing->asker, example, failure);
    }
}

/* Keeps how it failed, the first time that it fails as wanted. */
static void see(struct observing *observing, const struct failure *failure)
{
    if (!observing->account.failure) {
        observing->account.failure = failure_copy(observing->arena, failure);
    }
}

/* Steps. */

static void begin_details(struct observing *observing)
{
    struct arena *arena = ARENA_NEW(observing->arena, struct arena);
    *VEC_PUSH(observing->arena, &observing->details) = arena;
}

/* Frees the details of the first steps until the rest fits into DETAIL_BYTES. */
static void shed_details(struct observing *observing)
{
    while (observing->detail_bytes > DETAIL_BYTES &&
           observing->first_full + 1 < observing->account.steps.count) {
        struct account_step *step = &observing->account.steps.items[observing->first_full];
        struct arena *arena = observing->details.items[observing->first_full++];
        observing->detail_bytes -= arena_used(arena);
        arena_free(arena);
        *step = (struct account_step){.number = step->number,
                                      .start = step->start,
                                      .brief = true,
                                      .rule = step->rule,
                                      .call = step->call,
                                      .raised = step->raised,
                                      .answer = step->answer,
                                      .after = step->after,
                                      .made = step->made};
    }
}

/* Ends the step, and the checks after it. */
static void close_step(struct observing *observing)
{
    if (!observing->open) {
        return;
    }
    *VEC_PUSH(observing->arena, &observing->account.steps) = observing->step;
    observing->detail_bytes += arena_used(detail_of(observing));
    observing->open = false;
    begin_details(observing);
    shed_details(observing);
}

static void open_step(struct observing *observing, struct account_step step)
{
    struct account_statements statements = take_statements(observing);
    observing->step = step;
    observing->step.statements = statements;
    observing->step.tables = observing->tables;
    observing->tables = (struct account_tables){0};
    observing->open = true;
}

static void on_step(struct observer *observer, const struct step *step)
{
    struct observing *observing = observing_of(observer);
    close_step(observing);
    observing->asker = (struct asker){.step = step};
    observing->statements = (struct account_statements){0};
    observing->tables = (struct account_tables){0};
}

static void on_step_done(struct observer *observer, struct example *example,
                         const struct step *step)
{
    struct observing *observing = observing_of(observer);
    struct shown_step shown = shown_step(observing->arena, step);
    bool whole = true;
    shown.outputs.count = 0; /* they stand beside the call */
    close_step(observing);
    collect_names(observing, example);
    const struct words words = lasting_words(observing);
    struct account_step told = {
        .number = step->number,
        .rule = words_name(&words, step->rule->name),
        .call = show_step(words.arena, words.names, &shown, ACCOUNT_VALUE, &whole),
        .raised = step->raised ? arena_strdup(words.arena, show_condition(step->sqlstate)) : NULL,
    };
    for (size_t i = 0; i < step->outputs.count; i++) {
        *VEC_PUSH(words.arena, &told.made) = words_name(&words, step->outputs.items[i]);
    }
    open_step(observing, told);
    const char *answer = statement_brief(words.arena, &observing->step.statements);
    const char *after = statement_brief_after(words.arena, &observing->step.statements);
    observing->step.answer = answer ? arena_strdup(words.arena, answer) : NULL;
    observing->step.after = after ? arena_strdup(words.arena, after) : NULL;
    note_source(observing, example, example->failure);
    observing->asker.step = NULL;
}

/* Those of a step come before it is done, those at the start once that is under way. */
static void on_tables(struct observer *observer, struct example *example,
                      const struct table_changes *changes)
{
    struct observing *observing = observing_of(observer);
    struct account_tables *out = observing->open ? &observing->step.tables : &observing->tables;
    struct words words = words_of(observing);
    collect_names(observing, example);
    account_add_tables(&words, example, changes, out);
    if (changes->why_not && !observing->account.no_tables) {
        observing->account.no_tables = arena_strdup(observing->arena, changes->why_not);
    }
}

/* The model. */

static void add_change(struct observing *observing, const struct lang_state *state, size_t global)
{
    struct words words = words_of(observing);
    struct strbuf now = {0};
    struct strbuf *before = &observing->model[global];
    struct value value;
    if (!lang_get_global(state, global, &value) ||
        (value.type == VALUE_OBJECT && !value.as.object->type->shown)) {
        return;
    }
    value_repr(value, &now);
    if (before->data && before->size == now.size && memcmp(before->data, now.data, now.size) == 0) {
        strbuf_free(&now);
        return;
    }
    const char *texts[] = {before->data ? before->data : strbuf_text(&now), strbuf_text(&now)};
    show_two(words.arena, value_is_id(value) ? NULL : words.names, texts, ACCOUNT_MODEL);
    *VEC_PUSH(words.arena, &observing->step.model) = (struct account_change){
        .variable = words_name(&words, lang_module_global_name(state->module, global)),
        .before = before->data ? texts[0] : NULL,
        .after = texts[1],
    };
    strbuf_free(before);
    *before = now;
}

/* Records what the step changed in the model. Before the first step, that is what the model's code
 * and initialize made of it. */
static void on_model(struct observer *observer, const struct example *example)
{
    struct observing *observing = observing_of(observer);
    size_t count = lang_module_global_count(example->state.module);
    collect_names(observing, example);
    if (!example->number) {
        close_step(observing);
        open_step(observing, (struct account_step){.start = true});
    }
    if (!observing->model && count) {
        observing->model = ARENA_ARRAY(observing->arena, struct strbuf, count);
        observing->model_count = count;
    }
    for (size_t i = 0; i < count; i++) {
        add_change(observing, &example->state, i);
    }
}

/* Invariants. */

/* "actor=users_1, day=3" */
static const char *fors_text(struct arena *arena, const struct shown_arg *fors, size_t count)
{
    const char *text = "";
    for (size_t i = 0; i < count; i++) {
        text = arena_printf(arena, "%s%s%s=%s", text, i ? ", " : "", fors[i].name,
                            fors[i].reference ? fors[i].reference
                                              : value_repr_text(arena, fors[i].value));
    }
    return text;
}

static const char *check_fors(const struct observing *observing, const struct example *example)
{
    const struct invariant_check *check = observing->asker.check;
    struct arena *arena = detail_of(observing);
    size_t count = check->invariant->fors.count;
    struct shown_arg *fors = ARENA_ARRAY(arena, struct shown_arg, count);
    for (size_t i = 0; i < count; i++) {
        fors[i] = (struct shown_arg){
            check->invariant->fors.items[i].name, check->fors[i],
            bundles_name_of(&example->bundles, check->targets[i], check->fors[i], check->trace)};
    }
    return fors_text(arena, fors, count);
}

static void on_check(struct observer *observer, const struct invariant_check *check)
{
    struct observing *observing = observing_of(observer);
    observing->asker.check = check;
    observing->check = (struct account_check){0};
    observing->statements = (struct account_statements){0};
}

/* Notes another invariant that fails after the last step, and after none before it. */
static void note_parted(struct observing *observing, const struct failure *failure)
{
    const struct invariant *invariant = failure->invariant;
    bool *before = &observing->parted[invariant->index];
    bool last = failure->step == observing->wanted->step;
    if (last && !*before && invariant != observing->wanted->invariant &&
        observing->account.also.count < ALSO_MAX) {
        *VEC_PUSH(observing->arena, &observing->account.also) = invariant;
    }
    *before = *before || last || invariant->when == WHEN_STEP;
}

static void on_parted(struct observer *observer, struct example *example,
                      const struct failure *failure)
{
    struct observing *observing = observing_of(observer);
    struct words words = words_of(observing);
    *VEC_PUSH(words.arena, &observing->check.differences) =
        account_difference(words.arena, words.names, failure);
    note_parted(observing, failure);
    if (failure->step == observing->wanted->step &&
        failure_id_equal(&failure->id, &observing->wanted->id)) {
        note_source(observing, example, failure);
        see(observing, failure);
    }
}

/* Records each check that does not hold. The failing one is recorded after every step, so that its
 * answers can be compared. */
static void on_check_done(struct observer *observer, struct example *example,
                          const struct invariant *invariant)
{
    struct observing *observing = observing_of(observer);
    const struct words words = words_of(observing);
    struct account_check *check = &observing->check;
    if (!observing->asker.check || observing->asker.check->invariant != invariant) {
        return;
    }
    const char *fors = check_fors(observing, example);
    bool parted = check->differences.count > 0;
    check->wanted =
        invariant == observing->wanted->invariant && strcmp(fors, observing->wanted_fors) == 0;
    if (check->wanted || (parted && observing->step.checks.count < DIFFERING_MAX)) {
        check->invariant = words_name(&words, invariant->name);
        check->fors = words_name(&words, fors);
        check->expected = invariant->expect
                              ? show_value(words.arena, words.names,
                                           observing->asker.check->expected, ACCOUNT_MODEL)
                              : NULL;
        check->statements = take_statements(observing);
        *VEC_PUSH(words.arena, &observing->step.checks) = *check;
    }
    observing->step.held += !parted;
    note_source(observing, example, example->failure);
    observing->asker.check = NULL;
}

/* Begin and end. */

/* What an example that passes is wanted to fail with: no failure equals it. */
static const struct failure no_failure = {.step = SIZE_MAX};

static void on_end(struct observer *observer, struct example *example)
{
    struct observing *observing = observing_of(observer);
    const struct failure *failure = example->failure;
    if (failure) {
        struct words words = lasting_words(observing);
        struct account_difference *end = ARENA_NEW(words.arena, struct account_difference);
        *end = account_difference(words.arena, words.names, failure);
        observing->account.end = end;
        note_source(observing, example, failure);
        if (failure_id_equal(&failure->id, &observing->wanted->id)) {
            see(observing, failure);
        }
    } else if (observing->wanted->race) {
        observing->account.failure = failure_copy(observing->arena, observing->wanted);
    }
    close_step(observing);
}

static void free_details(void *data)
{
    struct observing *observing = data;
    for (size_t i = observing->first_full; i < observing->details.count; i++) {
        arena_free(observing->details.items[i]);
    }
}

struct observer *account_begin(struct arena *arena, const struct failure *wanted,
                               size_t invariant_count)
{
    static const struct observer_ops ops = {
        .step = on_step,
        .check = on_check,
        .call = on_call,
        .answer = on_answer,
        .deferred_answer = on_deferred_answer,
        .parted = on_parted,
        .tables = on_tables,
        .step_done = on_step_done,
        .check_done = on_check_done,
        .model = on_model,
        .end = on_end,
    };
    struct observing *observing = ARENA_NEW(arena, struct observing);
    wanted = wanted ? wanted : &no_failure;
    *observing = (struct observing){.observer = {&ops}, .arena = arena, .wanted = wanted};
    observing->wanted_fors = fors_text(arena, wanted->fors.items, wanted->fors.count);
    observing->parted = ARENA_ARRAY(arena, bool, invariant_count);
    arena_defer(arena, free_details, observing);
    begin_details(observing);
    return &observing->observer;
}

const struct account *account_end(struct observer *observer)
{
    struct observing *observing = observing_of(observer);
    for (size_t i = 0; i < observing->model_count; i++) {
        strbuf_free(&observing->model[i]);
    }
    arena_free(&observing->naming);
    bool passed = observing->wanted == &no_failure && !observing->account.end;
    return passed || observing->account.failure ? &observing->account : NULL;
}
