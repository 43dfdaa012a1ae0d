#include "report/narrate.h"

#include "example/engine.h"
#include "example/failure/failure.h"
#include "example/failure/shown.h"
#include "example/observer.h"
#include "report/text/show.h"

#include <inttypes.h>

enum {
    ROWS_SHOWN = 20,
    STATEMENT = 8, /* spaces before it */
    DETAIL = 10,   /* and before what belongs to it */
};

struct narrator {
    struct observer observer; /* first */
    struct teller teller;
    struct strbuf statements;  /* that belong to the step or invariant under way */
    VEC(const char *) waiting; /* of these, as they were sent; in the example's arena */
};

static struct narrator *narrator_of(struct observer *observer)
{
    return (struct narrator *)(void *)observer;
}

static void tell(const struct narrator *narrator, struct strbuf *text)
{
    narrator->teller.tell(narrator->teller.host, text->data, text->size);
    strbuf_free(text);
}

/* What a step or an invariant sent, behind its own line. */
static void tell_with_statements(struct narrator *narrator, struct strbuf *text)
{
    strbuf_add(text, strbuf_text(&narrator->statements), narrator->statements.size);
    strbuf_clear(&narrator->statements);
    narrator->waiting.count = 0;
    tell(narrator, text);
}

static void tell_example(struct observer *observer, const struct example *example)
{
    struct narrator *narrator = narrator_of(observer);
    const struct example_plan *plan = &example->plan;
    struct strbuf text = {0};
    *narrator = (struct narrator){.observer = *observer, .teller = narrator->teller};
    if (plan->pinned) {
        strbuf_adds(&text, "pinned example '");
        show_text(&text, NULL, plan->pinned->name, SHOW_ALL);
        strbuf_adds(&text, "'\n");
    } else {
        strbuf_addf(&text, "example %" PRIu64 "%s\n", plan->number,
                    plan->trace && !plan->generate ? " of an earlier run" : "");
    }
    tell(narrator, &text);
}

static void tell_step(struct observer *observer, struct example *example, const struct step *step)
{
    struct narrator *narrator = narrator_of(observer);
    const struct shown_step shown = shown_step(&example->arena, step);
    struct strbuf text = {0};
    if (!step->number && !narrator->teller.statements) {
        return;
    }
    if (step->number) {
        strbuf_addf(&text, "%4zu  ", step->number);
    } else {
        strbuf_fill(&text, ' ', 6);
    }
    (void)show_step(&text, NULL, &shown, SHOW_ALL);
    if (step->raised) {
        strbuf_adds(&text, "   raises ");
        show_text(&text, NULL, show_condition(step->sqlstate), SHOW_ALL);
    }
    strbuf_addc(&text, '\n');
    tell_with_statements(narrator, &text);
}

static void tell_invariant(struct observer *observer, struct example *example,
                           const struct invariant *invariant)
{
    struct strbuf text = {0};
    (void)example;
    if (narrator_of(observer)->teller.statements) {
        strbuf_adds(&text, "      invariant ");
        show_text(&text, NULL, invariant->name, SHOW_ALL);
        strbuf_addc(&text, '\n');
        tell_with_statements(narrator_of(observer), &text);
    }
}

static void add_named(struct strbuf *out, const struct show_names *names, const char *name,
                      const char *text)
{
    show_text(out, NULL, name, SHOW_ALL);
    strbuf_addc(out, ' ');
    show_text(out, names, text, SHOW_ALL);
    strbuf_addc(out, '\n');
}

static void tell_context(const struct backend_context *context, const struct show_names *names,
                         struct strbuf *out)
{
    if (context->session_user) {
        strbuf_fill(out, ' ', DETAIL);
        add_named(out, names, "session user", context->session_user);
    }
    if (context->role) {
        strbuf_fill(out, ' ', DETAIL);
        add_named(out, names, "as", context->role);
    }
    for (size_t i = 0; i < context->setting_count; i++) {
        strbuf_fill(out, ' ', DETAIL);
        show_text(out, NULL, context->settings[i].name, SHOW_ALL);
        strbuf_addc(out, ' ');
        add_named(out, names, "=", context->settings[i].value);
    }
}

static void add_names(struct arena *arena, const struct place *place, struct show_names *names)
{
    for (size_t i = 0; i < place->arrivals.count; i++) {
        const struct arrival *arrival = &place->arrivals.items[i];
        show_names_add(names, arena,
                       &(struct shown_arg){.name = place->name,
                                           .value = arrival->value,
                                           .reference = arrival->name});
    }
}

/* What bundles and collections hold by now. */
static struct show_names names_by_now(struct arena *arena, const struct bundles *bundles)
{
    struct show_names names = {0};
    for (size_t i = 0; i < bundles->count; i++) {
        add_names(arena, &bundles->items[i].place, &names);
    }
    for (size_t i = 0; i < bundles->places.count; i++) {
        add_names(arena, bundles->places.items[i], &names);
    }
    return names;
}

static void tell_statement(const struct example *example, const struct backend_call *call,
                           struct strbuf *out)
{
    struct arena arena = {0};
    const struct show_names names = names_by_now(&arena, &example->bundles);
    const struct sql_template *sql = call->sql;
    struct strbuf text = {0};
    size_t value = 0;
    strbuf_add(&text, sql->snippet.text, sql->snippet.size);
    show_sql(out, strbuf_text(&text), STATEMENT, SHOW_ALL);
    strbuf_addc(out, '\n');
    strbuf_free(&text);
    if (call->context) {
        tell_context(call->context, &names, out);
    }
    for (size_t i = 0; i < sql->pieces.count; i++) {
        const struct sql_piece *piece = &sql->pieces.items[i];
        if (piece->kind != SQL_TEXT) {
            strbuf_fill(out, ' ', DETAIL);
            show_text(out, NULL, piece->text, SHOW_ALL);
            strbuf_adds(out, " = ");
            show_value(out, &names, call->values[value++], SHOW_ALL);
            strbuf_addc(out, '\n');
        }
    }
    arena_free(&arena);
}

static void tell_error(const struct server_error *error, const struct show_names *names,
                       struct strbuf *out)
{
    show_text(out, NULL, error->sqlstate, SHOW_ALL);
    strbuf_adds(out, ": ");
    show_text(out, names, error->message, SHOW_ALL);
}

/* `item="nut", quantity=3`; of one column its value. */
static void tell_row(const struct answer *answer, const struct tuple *row,
                     const struct show_names *names, struct strbuf *out)
{
    for (size_t i = 0; i < row->count; i++) {
        strbuf_adds(out, i ? ", " : "");
        if (row->count > 1) {
            show_text(out, NULL, answer->columns[i].name, SHOW_ALL);
            strbuf_addc(out, '=');
        }
        show_value(out, names, row->items[i], SHOW_ALL);
    }
}

static void tell_rows(const struct answer *answer, const struct show_names *names,
                      struct strbuf *out)
{
    show_counted(out, answer->row_count, "row");
    for (size_t i = 0; i < answer->row_count && i < ROWS_SHOWN; i++) {
        strbuf_addc(out, '\n');
        strbuf_fill(out, ' ', DETAIL + 2);
        tell_row(answer, answer->rows[i].as.tuple, names, out);
    }
    if (answer->row_count > ROWS_SHOWN) {
        strbuf_addc(out, '\n');
        strbuf_fill(out, ' ', DETAIL + 2);
        strbuf_addf(out, "… %zu more", answer->row_count - ROWS_SHOWN);
    }
}

static void tell_answer(const struct example *example, const struct answer *answer,
                        struct strbuf *out)
{
    struct arena arena = {0};
    const struct show_names names = names_by_now(&arena, &example->bundles);
    strbuf_fill(out, ' ', DETAIL);
    strbuf_adds(out, "→ ");
    if (answer->status == ANSWER_ERROR) {
        tell_error(&answer->error, &names, out);
    } else if (answer->status != ANSWER_OK) {
        strbuf_adds(out, "not run");
    } else if (answer->column_count) {
        tell_rows(answer, &names, out);
    } else {
        show_text(out, NULL, answer->command ? answer->command : "done", SHOW_ALL);
    }
    strbuf_addc(out, '\n');
    arena_free(&arena);
}

/* Its values are gone when it is answered. */
static bool on_call(struct observer *observer, struct example *example,
                    const struct backend_call *call, struct error *err)
{
    struct narrator *narrator = narrator_of(observer);
    struct strbuf text = {0};
    (void)err;
    if (narrator->teller.statements) {
        tell_statement(example, call, &text);
        *VEC_PUSH(&example->arena, &narrator->waiting) = strbuf_take(&text, &example->arena);
    }
    return true;
}

static void on_answer(struct observer *observer, struct example *example, size_t index,
                      struct arena *arena, struct answer *answer)
{
    struct narrator *narrator = narrator_of(observer);
    (void)arena;
    if (narrator->teller.statements) {
        strbuf_adds(&narrator->statements, narrator->waiting.items[index]);
        tell_answer(example, answer, &narrator->statements);
    }
}

static void on_deferred_answer(struct observer *observer, struct example *example,
                               const struct answer *answer)
{
    struct narrator *narrator = narrator_of(observer);
    if (narrator->teller.statements && answer->status == ANSWER_ERROR) {
        tell_answer(example, answer, &narrator->statements);
    }
}

static void tell_end(struct observer *observer, struct example *example)
{
    struct narrator *narrator = narrator_of(observer);
    struct strbuf text = {0};
    strbuf_free(&narrator->statements);
    if (example->failure) {
        strbuf_adds(&text, "      fails: ");
        show_text(&text, NULL, example->failure->identity, SHOW_ALL);
        strbuf_addc(&text, '\n');
        tell(narrator, &text);
    } else if (example->dead_end) {
        strbuf_adds(&text, "      no rule can run\n");
        tell(narrator, &text);
    }
}

struct observer *narrator_new(struct arena *arena, struct teller teller)
{
    static const struct observer_ops ops = {
        .begin = tell_example,
        .call = on_call,
        .answer = on_answer,
        .deferred_answer = on_deferred_answer,
        .step_done = tell_step,
        .check_done = tell_invariant,
        .end = tell_end,
    };
    struct narrator *narrator = ARENA_NEW(arena, struct narrator);
    *narrator = (struct narrator){.observer = {&ops}, .teller = teller};
    return &narrator->observer;
}
