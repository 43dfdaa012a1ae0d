#include "report/html/chronicle.h"

#include "base/utf8.h"
#include "base/visible.h"
#include "example/engine.h"
#include "example/observer.h"
#include "example/step/invariant.h"
#include "report/html/parts.h"
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

    /* The step under way, and the invariant that is asked behind it. */
    const struct step *step;
    const struct invariant_check *check;
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

/* As SQL would have it. */
static const char *sql_value(struct account *account, struct value value)
{
    struct arena *arena = &account->scratch;
    struct strbuf out = {0};
    if (value.type == VALUE_NONE) {
        return "NULL";
    }
    if (value.type == VALUE_BOOL) {
        return value_truth(value) ? "true" : "false";
    }
    if (value.type != VALUE_STRING) {
        return show_value(arena, &account->names, value, PART_VALUE);
    }
    strbuf_addc(&out, '\'');
    for (const char *c = show_text(arena, NULL, value_cstr(value), PART_VALUE); *c; c++) {
        strbuf_adds(&out, *c == '\'' ? "'" : "");
        strbuf_addc(&out, *c);
    }
    strbuf_addc(&out, '\'');
    return strbuf_take(&out, arena);
}

/* What the step calls the value of its parameter, or the name of the id that it is; or NULL. */
static const char *value_name(const struct account *account, const char *parameter,
                              struct value value)
{
    const struct step *step = account->check ? NULL : account->step;
    for (size_t i = 0; step && i < step->rule->args.count; i++) {
        if (step->drawn[i].reference && strcmp(step->rule->args.items[i].name, parameter) == 0) {
            return step->drawn[i].reference;
        }
    }
    for (size_t i = 0; i < account->names.items.count; i++) {
        if (value_equal(account->names.items.items[i].value, value)) {
            return account->names.items.items[i].reference;
        }
    }
    return NULL;
}

static const char *sql_text(struct account *account, const struct sql_piece *piece)
{
    struct strbuf out = {0};
    bool long_one = piece->size > PART_TEXT;
    visible_add(&out, VISIBLE_BLOCK, piece->text,
                long_one ? utf8_cut(piece->text, PART_TEXT) : piece->size);
    if (long_one) {
        strbuf_addf(&out, "… (%zu bytes)", piece->size);
    }
    return taken(account, &out);
}

/* ["SELECT pay(", {"p": "account", "v": "7", "n": "accounts_1"}, ")"] */
static void add_sql(struct account *account, struct strbuf *out, const struct backend_call *call)
{
    const struct value *value = call->values;
    data_open(out, "sql", '[');
    for (size_t i = 0; i < call->sql->pieces.count; i++) {
        const struct sql_piece *piece = &call->sql->pieces.items[i];
        if (piece->kind == SQL_TEXT) {
            data_text(out, NULL, sql_text(account, piece));
            continue;
        }
        data_open(out, NULL, '{');
        data_text(out, "p", show_name(&account->scratch, piece->text));
        data_text(out, "v", sql_value(account, *value));
        data_text(out, "n", value_name(account, piece->text, *value));
        data_close(out, '}');
        value++;
    }
    data_close(out, ']');
}

static const struct statement_list *statements_under_way(const struct account *account)
{
    return account->check  ? &account->check->invariant->statements
           : account->step ? &account->step->rule->statements
                           : NULL;
}

/* The name that the machine has for who runs it; or NULL. */
static const char *actor_name(const struct account *account, const struct sql_template *sql)
{
    const struct statement_list *statements = statements_under_way(account);
    for (size_t i = 0; statements && i < statements->count; i++) {
        const struct context *context = statements->items[i].context;
        if (statements->items[i].sql == sql && context) {
            return context->name;
        }
    }
    return NULL;
}

static void add_context(struct account *account, struct strbuf *out,
                        const struct backend_context *context)
{
    struct arena *arena = &account->scratch;
    if (!context) {
        return;
    }
    data_text(out, "role", context->role ? show_name(arena, context->role) : NULL);
    data_text(out, "session",
              context->session_user ? show_name(arena, context->session_user) : NULL);
    data_open(out, "settings", '[');
    for (size_t i = 0; i < context->setting_count; i++) {
        data_open(out, NULL, '[');
        data_text(out, NULL, show_name(arena, context->settings[i].name));
        data_text(out, NULL,
                  show_text(arena, &account->names, context->settings[i].value, PART_VALUE));
        data_close(out, ']');
    }
    data_close(out, ']');
}

static bool on_call(struct observer *observer, struct example *example,
                    const struct backend_call *call, struct error *err)
{
    struct account *account = account_of(observer);
    const char *actor = actor_name(account, call->sql);
    struct strbuf out = {0};
    (void)example;
    (void)err;
    add_sql(account, &out, call);
    data_text(&out, "actor", actor ? show_name(&account->scratch, actor) : NULL);
    add_context(account, &out, call->context);
    const char *text = taken(account, &out);
    *VEC_PUSH(&account->scratch, &account->waiting) = text;
    return true;
}

/* Answers. */

static void add_row(struct account *account, struct strbuf *out, const struct example *example,
                    const struct answer *answer, const struct tuple *row)
{
    struct parts parts = parts_of(account, out);
    data_open(out, NULL, '[');
    for (size_t i = 0; i < row->count; i++) {
        struct shown_cell cell = {.value = row->items[i]};
        /* a text that a step was given says more than a name */
        if (cell.value.type != VALUE_STRING || value_is_id(cell.value)) {
            cell.maybe = bundles_name_cell(&example->bundles, &answer->columns[i], cell.value,
                                           example->steps.count, &cell.name) == NAMING_MAYBE;
        }
        part_cell(&parts, &cell);
    }
    data_close(out, ']');
}

static void add_rows(struct account *account, struct strbuf *out, const struct example *example,
                     const struct answer *answer)
{
    data_open(out, "columns", '[');
    for (size_t i = 0; i < answer->column_count; i++) {
        data_text(out, NULL, show_name(&account->scratch, answer->columns[i].name));
    }
    data_close(out, ']');
    data_open(out, "rows", '[');
    for (size_t i = 0; i < answer->row_count && i < PART_ROWS; i++) {
        add_row(account, out, example, answer, answer->rows[i].as.tuple);
    }
    data_close(out, ']');
    data_number(out, "total", answer->row_count);
}

static void add_answer(struct account *account, struct strbuf *out, const struct example *example,
                       const struct answer *answer)
{
    struct parts parts = parts_of(account, out);
    data_open(out, "answer", '{');
    if (answer->status == ANSWER_ERROR) {
        part_error(&parts, "error", &answer->error);
    } else if (answer->column_count) {
        add_rows(account, out, example, answer);
    } else if (answer->status == ANSWER_OK) {
        data_text(out, "command",
                  show_name(&account->scratch, answer->command ? answer->command : "done"));
    }
    data_close(out, '}');
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
        add_answer(account, out, example, answer);
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
        add_answer(account, out, example, answer);
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
    account->step = step;
    account->check = NULL;
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
    account->step = NULL;
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
    const struct invariant_check *check = account->check;
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
    account->check = check;
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
    if (!account->check || account->check->invariant != invariant) {
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
            data_text(out, "expected",
                      show_value(arena, &account->names, account->check->expected, MODEL_VALUE));
        }
        take_statements(account, out);
        data_open(out, "parted", '[');
        strbuf_adds(out, strbuf_text(&account->parted));
        data_close(out, ']');
        data_close(out, '}');
    }
    account->held += !parted;
    account->check = NULL;
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
