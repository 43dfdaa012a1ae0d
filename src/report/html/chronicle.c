#include "report/html/chronicle.h"

#include "example/observer.h"
#include "report/html/statement.h"
#include "trace/ids.h"

#include <stdlib.h>
#include <string.h>

enum {
    ACCOUNT_BYTES = 60000, /* of one account; the first steps lose their details where it is more */
    PARTED_MAX = 6,        /* checks of one step that are told in full */
    BRIEF_FIRST = 20,      /* steps without details: the first ones and the last ones are named */
    BRIEF_LAST = 200,
    MODEL_VALUE = 1200, /* characters of a variable */
};

/* A step as it is told: in full, or its call alone. */
struct told {
    const char *full;
    const char *brief;
};

struct account {
    struct observer observer; /* first */
    struct arena *arena;      /* of the account itself */
    struct arena scratch;     /* of what it is made of */
    const struct failure *wanted;
    const char *wanted_fors;
    VEC(struct told) steps;

    struct asker asker;       /* the step under way, and the invariant that is asked behind it */
    struct show_names names;  /* of what bundles hold by now */
    struct strbuf head;       /* the step; empty: there is none */
    struct strbuf statements; /* of whichever is under way */
    VEC(const char *) waiting;
    struct strbuf changes; /* of the model */
    struct strbuf checks;
    struct strbuf parted; /* what does not hold of the check */
    size_t told;          /* checks of the step */
    size_t held;          /* others, that hold */

    struct strbuf *model; /* text of each global by now; data NULL: it has none yet */
    size_t model_count;
    const char *end; /* what did not hold, where that ended the example; or NULL */
    bool seen;       /* it failed as wanted */
};

static struct account *account_of(struct observer *observer)
{
    return (struct account *)(void *)observer;
}

static struct parts parts_of(struct account *account, struct strbuf *out)
{
    return (struct parts){&account->scratch, out, &account->names};
}

static void collect_bundles(struct account *account, const struct bundles *bundles)
{
    for (size_t i = 0; i < bundles->targets.count; i++) {
        const struct target *target = bundles->targets.items[i];
        for (size_t j = 0; j < target->arrivals.count; j++) {
            const struct arrival *arrival = &target->arrivals.items[j];
            show_names_add(
                &account->names, &account->scratch,
                &(struct shown_arg){.value = arrival->value, .reference = arrival->name});
        }
    }
}

/* Ids that variables of the model hold, as that of the user whom initialize made. */
static void collect_variables(struct account *account, const struct lang_state *state)
{
    for (size_t i = 0; i < lang_module_global_count(state->module); i++) {
        struct value value;
        if (lang_get_global(state, i, &value)) {
            show_names_add(
                &account->names, &account->scratch,
                &(struct shown_arg){.value = value,
                                    .reference = lang_module_global_name(state->module, i)});
        }
    }
}

/* Names of ids by now: the first that an id got stays. */
static void collect_names(struct account *account, const struct example *example)
{
    account->names = (struct show_names){0};
    collect_bundles(account, &example->bundles);
    collect_variables(account, &example->state);
}

/* What is in the buffer, which is empty then. */
static const char *taken(struct account *account, struct strbuf *text)
{
    return strbuf_take(text, &account->scratch);
}

/* Statements. */

static bool on_call(struct observer *observer, struct example *example,
                    const struct backend_call *call, struct error *err)
{
    struct account *account = account_of(observer);
    struct strbuf out = {0};
    struct parts parts = parts_of(account, &out);
    (void)example;
    (void)err;
    statement_call(&parts, &account->asker, call);
    const char *text = taken(account, &out);
    *VEC_PUSH(&account->scratch, &account->waiting) = text;
    return true;
}

static void add_answer(struct account *account, const struct example *example,
                       const struct answer *answer)
{
    struct parts parts = parts_of(account, &account->statements);
    statement_answer(&parts, example, answer);
}

static void on_answer(struct observer *observer, struct example *example, size_t index,
                      struct arena *arena, struct answer *answer)
{
    struct account *account = account_of(observer);
    struct strbuf *out = &account->statements;
    (void)arena;
    collect_names(account, example);
    if (index < account->waiting.count) {
        data_open(out, NULL, '{');
        strbuf_adds(out, account->waiting.items[index]);
        add_answer(account, example, answer);
        data_close(out, '}');
    }
}

/* What a commit would say. */
static void on_deferred_answer(struct observer *observer, struct example *example,
                               const struct answer *answer)
{
    struct account *account = account_of(observer);
    struct strbuf *out = &account->statements;
    if (answer->status == ANSWER_ERROR) {
        data_open(out, NULL, '{');
        data_flag(out, "deferred", true);
        add_answer(account, example, answer);
        data_close(out, '}');
    }
}

/* What is sent and answered next belongs to something else. */
static void forget_statements(struct account *account)
{
    strbuf_clear(&account->statements);
    account->waiting.count = 0;
}

/* The statements so far belong to what is written into `out`. */
static void take_statements(struct account *account, struct strbuf *out)
{
    data_open(out, "statements", '[');
    strbuf_adds(out, strbuf_text(&account->statements));
    data_close(out, ']');
    forget_statements(account);
}

/* Steps. */

/* The step is over, with all that was asked behind it. */
static void close_step(struct account *account)
{
    struct strbuf full = {0};
    if (!account->head.size) {
        return;
    }
    const char *head = taken(account, &account->head);
    strbuf_addf(&full, "{%s,\"model\":[%s],\"checks\":[%s]", head, strbuf_text(&account->changes),
                strbuf_text(&account->checks));
    data_number(&full, "held", account->held);
    data_close(&full, '}');
    strbuf_clear(&account->changes);
    strbuf_clear(&account->checks);
    account->held = 0;
    account->told = 0;
    const char *brief = strstr(head, ",\"statements\":");
    *VEC_PUSH(&account->scratch, &account->steps) = (struct told){
        taken(account, &full),
        arena_printf(&account->scratch, "{%.*s,\"brief\":true}", (int)(brief - head), head)};
}

static void begin_step(struct account *account, size_t number, const char *rule, const char *call)
{
    close_step(account);
    data_number(&account->head, "n", number);
    data_text(&account->head, "rule", rule);
    data_text(&account->head, "call", call);
}

static void on_step(struct observer *observer, const struct step *step)
{
    struct account *account = account_of(observer);
    close_step(account);
    account->asker.step = step;
    account->asker.check = NULL;
    forget_statements(account);
}

static void add_outputs(struct account *account, const struct step *step)
{
    data_open(&account->head, "made", '[');
    for (size_t i = 0; i < step->outputs.count; i++) {
        data_text(&account->head, NULL, show_name(&account->scratch, step->outputs.items[i]));
    }
    data_close(&account->head, ']');
}

static void on_step_done(struct observer *observer, struct example *example,
                         const struct step *step)
{
    struct account *account = account_of(observer);
    struct arena *arena = &account->scratch;
    struct shown_step shown = shown_step(arena, step);
    bool whole = true;
    shown.outputs.count = 0; /* they stand beside the call */
    collect_names(account, example);
    begin_step(account, step->number, show_name(arena, step->rule->name),
               show_step(arena, &account->names, &shown, PART_VALUE, &whole));
    add_outputs(account, step);
    data_text(&account->head, "raised", step->raised ? show_condition(step->sqlstate) : NULL);
    take_statements(account, &account->head);
    account->asker.step = NULL;
}

/* The model. */

static void change(struct account *account, const struct lang_state *state, size_t global)
{
    struct strbuf now = {0};
    struct strbuf *before = &account->model[global];
    struct strbuf *out = &account->changes;
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
    const struct show_names *names = value_is_id(value) ? NULL : &account->names;
    show_two(&account->scratch, names, texts, MODEL_VALUE);
    data_open(out, NULL, '[');
    data_text(out, NULL,
              show_name(&account->scratch, lang_module_global_name(state->module, global)));
    data_text(out, NULL, texts[1]);
    data_text(out, NULL, before->data ? texts[0] : NULL);
    data_close(out, ']');
    strbuf_free(before);
    *before = now;
}

/* What was asked of the model so far is what it is after the step; before the first one it is what
 * the model's code and initialize made of it. */
static void on_model(struct observer *observer, const struct example *example)
{
    struct account *account = account_of(observer);
    size_t count = lang_module_global_count(example->state.module);
    collect_names(account, example);
    if (!example->number) {
        begin_step(account, 0, NULL, NULL);
        data_flag(&account->head, "start", true);
        take_statements(account, &account->head);
    }
    if (!account->model && count) {
        account->model = ARENA_ARRAY(&account->scratch, struct strbuf, count);
        account->model_count = count;
    }
    for (size_t i = 0; i < count; i++) {
        change(account, &example->state, i);
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

static const char *check_fors(struct account *account, const struct example *example)
{
    const struct invariant_check *check = account->asker.check;
    size_t count = check->invariant->fors.count;
    struct shown_arg *fors = ARENA_ARRAY(&account->scratch, struct shown_arg, count);
    for (size_t i = 0; i < count; i++) {
        fors[i] = (struct shown_arg){
            check->invariant->fors.items[i].name, check->fors[i],
            bundles_name_of(&example->bundles, check->targets[i], check->fors[i], check->trace)};
    }
    return fors_text(&account->scratch, fors, count);
}

static void on_check(struct observer *observer, const struct invariant_check *check)
{
    struct account *account = account_of(observer);
    account->asker.check = check;
    strbuf_clear(&account->parted);
    forget_statements(account);
}

static void on_parted(struct observer *observer, const struct failure *failure)
{
    struct account *account = account_of(observer);
    struct parts parts = parts_of(account, &account->parted);
    part_difference(&parts, NULL, failure);
    account->seen = account->seen || (failure->step == account->wanted->step &&
                                      failure_id_equal(&failure->id, &account->wanted->id));
}

/* Those are told that don't hold, and the one that failed, so that its answers can be compared. */
static void on_check_done(struct observer *observer, struct example *example,
                          const struct invariant *invariant)
{
    struct account *account = account_of(observer);
    struct arena *arena = &account->scratch;
    struct strbuf *out = &account->checks;
    if (!account->asker.check || account->asker.check->invariant != invariant) {
        return;
    }
    const char *fors = check_fors(account, example);
    bool wanted =
        invariant == account->wanted->invariant && strcmp(fors, account->wanted_fors) == 0;
    bool parted = account->parted.size > 0;
    if (wanted || (parted && account->told < PARTED_MAX)) {
        account->told++;
        data_open(out, NULL, '{');
        data_text(out, "inv", show_name(arena, invariant->name));
        data_text(out, "fors", show_name(arena, fors));
        data_flag(out, "wanted", wanted);
        if (invariant->expect) {
            data_text(
                out, "expected",
                show_value(arena, &account->names, account->asker.check->expected, MODEL_VALUE));
        }
        take_statements(account, out);
        data_open(out, "parted", '[');
        strbuf_adds(out, strbuf_text(&account->parted));
        data_close(out, ']');
        data_close(out, '}');
    }
    account->held += !parted;
    account->asker.check = NULL;
}

/* Begin and end. */

static void on_end(struct observer *observer, struct example *example)
{
    struct account *account = account_of(observer);
    const struct failure *failure = example->failure;
    struct strbuf out = {0};
    if (failure) {
        struct parts parts = parts_of(account, &out);
        part_difference(&parts, NULL, failure);
        account->end = taken(account, &out);
        account->seen = account->seen || failure_id_equal(&failure->id, &account->wanted->id);
    }
    account->seen = account->seen || (!failure && account->wanted->race);
    close_step(account);
}

static struct observer *begin(struct arena *arena, const struct failure *wanted)
{
    static const struct observer_ops ops = {
        .step = on_step,
        .check = on_check,
        .call = on_call,
        .answer = on_answer,
        .deferred_answer = on_deferred_answer,
        .parted = on_parted,
        .step_done = on_step_done,
        .check_done = on_check_done,
        .model = on_model,
        .end = on_end,
    };
    struct account *account = ARENA_NEW(arena, struct account);
    *account = (struct account){.observer = {&ops}, .arena = arena, .wanted = wanted};
    account->wanted_fors = fors_text(&account->scratch, wanted->fors.items, wanted->fors.count);
    return &account->observer;
}

/* The steps that lose their details, from the first one on. */
static size_t brief_steps(const struct account *account)
{
    size_t bytes = 0;
    size_t from = account->steps.count;
    while (from > 0 && bytes < ACCOUNT_BYTES) {
        from--;
        bytes += strlen(account->steps.items[from].full);
    }
    return bytes < ACCOUNT_BYTES ? from : from + (from + 1 < account->steps.count);
}

static const char *account_text(struct account *account)
{
    struct strbuf out = {0};
    size_t brief = brief_steps(account);
    data_open(&out, NULL, '{');
    data_open(&out, "steps", '[');
    for (size_t i = 0; i < account->steps.count; i++) {
        const struct told *told = &account->steps.items[i];
        if (i < BRIEF_FIRST || i + BRIEF_LAST >= brief) {
            data_raw(&out, NULL, i < brief ? told->brief : told->full);
        }
    }
    data_close(&out, ']');
    data_raw(&out, "end", account->end);
    data_close(&out, '}');
    return strbuf_take(&out, account->arena);
}

static const char *end(struct observer *observer)
{
    struct account *account = account_of(observer);
    struct strbuf *const texts[] = {&account->head, &account->statements, &account->changes,
                                    &account->checks, &account->parted};
    const char *text = account->seen ? account_text(account) : NULL;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        strbuf_free(texts[i]);
    }
    for (size_t i = 0; i < account->model_count; i++) {
        strbuf_free(&account->model[i]);
    }
    arena_free(&account->scratch);
    return text;
}

const struct chronicler report_chronicler = {begin, end};
