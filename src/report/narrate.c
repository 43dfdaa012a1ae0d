#include "report/narrate.h"

#include "report/text/show.h"

#include <inttypes.h>

enum {
    ROWS_SHOWN = 20,
    STATEMENT = 8, /* spaces before it */
    DETAIL = 10,   /* and before what belongs to it */
};

static void tell_example(const struct told_example *example, struct strbuf *out)
{
    if (example->pinned) {
        strbuf_adds(out, "pinned example '");
        show_text(out, NULL, example->pinned, SHOW_ALL);
        strbuf_adds(out, "'\n");
    } else {
        strbuf_addf(out, "example %" PRIu64 "%s\n", example->number,
                    example->stored ? " of an earlier run" : "");
    }
}

static void tell_step(const struct told_step *step, struct strbuf *out)
{
    if (step->number) {
        strbuf_addf(out, "%4zu  ", step->number);
    } else {
        strbuf_fill(out, ' ', 6);
    }
    (void)show_step(out, NULL, &step->shown, SHOW_ALL);
    if (step->sqlstate) {
        strbuf_adds(out, "   raises ");
        show_text(out, NULL, show_condition(step->sqlstate), SHOW_ALL);
    }
    strbuf_addc(out, '\n');
}

static void tell_invariant(const struct invariant *invariant, struct strbuf *out)
{
    strbuf_adds(out, "      invariant ");
    show_text(out, NULL, invariant->name, SHOW_ALL);
    strbuf_addc(out, '\n');
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

static struct show_names names_of(struct arena *arena, const struct told_names *told)
{
    struct show_names names = {0};
    for (size_t i = 0; i < told->items.count; i++) {
        show_names_add(&names, arena, &told->items.items[i]);
    }
    return names;
}

static void tell_statement(const struct backend_call *call, const struct told_names *told,
                           struct strbuf *out)
{
    struct arena arena = {0};
    const struct show_names names = names_of(&arena, told);
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

static void tell_answer(const struct answer *answer, const struct told_names *told,
                        struct strbuf *out)
{
    struct arena arena = {0};
    const struct show_names names = names_of(&arena, told);
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

static void tell_end(const struct failure *failure, bool dead_end, struct strbuf *out)
{
    if (failure) {
        strbuf_adds(out, "      fails: ");
        show_text(out, NULL, failure->identity, SHOW_ALL);
        strbuf_addc(out, '\n');
    } else if (dead_end) {
        strbuf_adds(out, "      no rule can run\n");
    }
}

const struct narrator text_narrator = {
    .example = tell_example,
    .step = tell_step,
    .invariant = tell_invariant,
    .statement = tell_statement,
    .answer = tell_answer,
    .end = tell_end,
};
