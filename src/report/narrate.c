#include "report/narrate.h"

#include "account/show.h"
#include "example/engine.h"
#include "example/failure/failure.h"
#include "example/observer.h"

#include <inttypes.h>
#include <string.h>

enum {
    ROWS_SHOWN = 20,
    STATEMENT = 8, /* spaces before it */
    DETAIL = 10,   /* and before what belongs to it */
};

struct narrator {
    struct observer observer; /* first */
    struct teller teller;
    struct arena arena;        /* of texts; the example's */
    struct strbuf statements;  /* that belong to the step or invariant under way */
    VEC(const char *) waiting; /* of these, as they were sent */
};

static struct narrator *narrator_of(struct observer *observer)
{
    return (struct narrator *)(void *)observer;
}

static void tell(const struct narrator *narrator, const char *text)
{
    narrator->teller.tell(narrator->teller.host, text, strlen(text));
}

/* A line, and below it what a step or an invariant sent. */
static void tell_with_statements(struct narrator *narrator, const char *line)
{
    tell(narrator,
         arena_printf(&narrator->arena, "%s\n%s", line, strbuf_text(&narrator->statements)));
    strbuf_clear(&narrator->statements);
    narrator->waiting.count = 0;
}

static void tell_example(struct observer *observer, const struct example *example)
{
    struct narrator *narrator = narrator_of(observer);
    const struct example_plan *plan = &example->plan;
    *narrator = (struct narrator){.observer = *observer, .teller = narrator->teller};
    struct arena *arena = &narrator->arena;
    tell(narrator,
         plan->pinned
             ? arena_printf(arena, "pinned example '%s'\n", show_name(arena, plan->pinned->name))
             : arena_printf(arena, "example %" PRIu64 "%s\n", plan->number,
                            plan->trace && !plan->way ? " of an earlier run" : ""));
}

static void tell_step(struct observer *observer, struct example *example, const struct step *step)
{
    struct narrator *narrator = narrator_of(observer);
    struct arena *arena = &narrator->arena;
    const struct shown_step shown = shown_step(arena, step);
    bool whole = true;
    /* Of several sessions, which it belongs to: here they run one after the other. */
    const char *session =
        example->session ? arena_printf(arena, "%c  ", 'A' + (int)example->session - 1) : "";
    if (step->number || narrator->teller.statements) {
        const char *number = step->number ? arena_printf(arena, "%4zu", step->number) : "    ";
        const char *raised = step->raised ? show_name(arena, show_condition(step->sqlstate)) : "";
        const char *line = arena_printf(arena, "%s  %s%s%s%s", number, session,
                                        show_step(arena, NULL, &shown, SHOW_ALL, &whole),
                                        step->raised ? "   raises " : "", raised);
        tell_with_statements(narrator, line);
    }
}

static void tell_invariant(struct observer *observer, struct example *example,
                           const struct invariant *invariant)
{
    struct narrator *narrator = narrator_of(observer);
    struct arena *arena = &narrator->arena;
    (void)example;
    if (narrator->teller.statements) {
        tell_with_statements(
            narrator, arena_printf(arena, "      invariant %s", show_name(arena, invariant->name)));
    }
}

/* What bundles and collections hold by now. */
static struct show_names names_by_now(struct arena *arena, const struct bundles *bundles)
{
    struct show_names names = {0};
    for (size_t i = 0; i < bundles->targets.count; i++) {
        const struct target *target = bundles->targets.items[i];
        for (size_t j = 0; j < target->arrivals.count; j++) {
            const struct arrival *arrival = &target->arrivals.items[j];
            show_names_add(
                &names, arena,
                &(struct shown_arg){.value = arrival->value, .reference = arrival->name});
        }
    }
    return names;
}

static const char *statement_text(struct arena *arena, const struct example *example,
                                  const struct backend_call *call)
{
    const struct show_names names = names_by_now(arena, &example->bundles);
    const struct backend_context *context = call->context;
    const struct sql_template *sql = call->sql;
    struct strbuf out = {0};
    size_t value = 0;
    strbuf_addf(&out, "%s\n",
                show_sql(arena, arena_strndup(arena, sql->snippet.text, sql->snippet.size),
                         STATEMENT, SHOW_ALL));
    if (context && context->session_user) {
        strbuf_addf(&out, "%*ssession user %s\n", DETAIL, "",
                    show_text(arena, &names, context->session_user, SHOW_ALL));
    }
    if (context && context->role) {
        strbuf_addf(&out, "%*sas %s\n", DETAIL, "",
                    show_text(arena, &names, context->role, SHOW_ALL));
    }
    for (size_t i = 0; context && i < context->setting_count; i++) {
        strbuf_addf(&out, "%*s%s = %s\n", DETAIL, "", show_name(arena, context->settings[i].name),
                    show_text(arena, &names, context->settings[i].value, SHOW_ALL));
    }
    for (size_t i = 0; i < sql->pieces.count; i++) {
        const struct sql_piece *piece = &sql->pieces.items[i];
        if (piece->kind != SQL_TEXT) {
            strbuf_addf(&out, "%*s%s = %s\n", DETAIL, "", show_name(arena, piece->text),
                        show_value(arena, &names, call->values[value++], SHOW_ALL));
        }
    }
    return strbuf_take(&out, arena);
}

/* `item="nut", quantity=3`; of one column its value. */
static void add_row(struct strbuf *out, struct arena *arena, const struct show_names *names,
                    const struct answer *answer, const struct tuple *row)
{
    for (size_t i = 0; i < row->count; i++) {
        strbuf_addf(out, "%s%s%s%s", i ? ", " : "",
                    row->count > 1 ? show_name(arena, answer->columns[i].name) : "",
                    row->count > 1 ? "=" : "", show_value(arena, names, row->items[i], SHOW_ALL));
    }
}

static void add_rows(struct strbuf *out, struct arena *arena, const struct show_names *names,
                     const struct answer *answer)
{
    strbuf_adds(out, show_counted(arena, answer->row_count, "row"));
    for (size_t i = 0; i < answer->row_count && i < ROWS_SHOWN; i++) {
        strbuf_addf(out, "\n%*s", DETAIL + 2, "");
        add_row(out, arena, names, answer, answer->rows[i].as.tuple);
    }
    if (answer->row_count > ROWS_SHOWN) {
        strbuf_addf(out, "\n%*s… %zu more", DETAIL + 2, "", answer->row_count - ROWS_SHOWN);
    }
}

static void tell_answer(struct narrator *narrator, const struct example *example,
                        const struct answer *answer)
{
    struct arena *arena = &narrator->arena;
    struct strbuf *out = &narrator->statements;
    const struct show_names names = names_by_now(arena, &example->bundles);
    strbuf_addf(out, "%*s→ ", DETAIL, "");
    if (answer->status == ANSWER_ERROR) {
        strbuf_addf(out, "%s: %s", show_name(arena, answer->error.sqlstate),
                    show_text(arena, &names, answer->error.message, SHOW_ALL));
    } else if (answer->status != ANSWER_OK) {
        strbuf_adds(out, "not run");
    } else if (answer->column_count) {
        add_rows(out, arena, &names, answer);
    } else {
        strbuf_adds(out, show_name(arena, answer->command ? answer->command : "done"));
    }
    strbuf_addc(out, '\n');
}

/* Its values are gone when it is answered. */
static bool on_call(struct observer *observer, struct example *example,
                    const struct backend_call *call, struct error *err)
{
    struct narrator *narrator = narrator_of(observer);
    struct arena *arena = &narrator->arena;
    (void)err;
    if (narrator->teller.statements) {
        const char *text = statement_text(arena, example, call);
        *VEC_PUSH(arena, &narrator->waiting) = text;
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
        tell_answer(narrator, example, answer);
    }
}

static void on_deferred_answer(struct observer *observer, struct example *example,
                               const struct answer *answer)
{
    struct narrator *narrator = narrator_of(observer);
    if (narrator->teller.statements && answer->status == ANSWER_ERROR) {
        tell_answer(narrator, example, answer);
    }
}

static void tell_end(struct observer *observer, struct example *example)
{
    struct narrator *narrator = narrator_of(observer);
    struct arena *arena = &narrator->arena;
    if (example->failure) {
        tell(narrator, arena_printf(arena, "      fails: %s\n",
                                    show_name(arena, example->failure->identity)));
    } else if (example->dead_end) {
        tell(narrator, "      no rule can run\n");
    }
    strbuf_free(&narrator->statements);
    arena_free(arena);
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
