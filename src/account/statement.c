#include "account/statement.h"

#include "base/utf8.h"
#include "base/visible.h"
#include "example/step/step.h"
#include "trace/ids.h"

#include <string.h>

/* As SQL would have it. */
static const char *sql_value(const struct words *words, struct value value)
{
    struct arena *arena = words->arena;
    struct strbuf out = {0};
    if (value.type == VALUE_NONE) {
        return "NULL";
    }
    if (value.type == VALUE_BOOL) {
        return value_truth(value) ? "true" : "false";
    }
    if (value.type != VALUE_STRING) {
        return show_value(arena, words->names, value, ACCOUNT_VALUE);
    }
    strbuf_addc(&out, '\'');
    for (const char *c = show_text(arena, NULL, value_cstr(value), ACCOUNT_VALUE); *c; c++) {
        strbuf_adds(&out, *c == '\'' ? "'" : "");
        strbuf_addc(&out, *c);
    }
    strbuf_addc(&out, '\'');
    return strbuf_take(&out, arena);
}

/* What the step calls the value of its parameter, or the name of the id that it is; or NULL. */
static const char *value_name(const struct words *words, const struct asker *asker,
                              const char *parameter, struct value value)
{
    const struct step *step = asker->check ? NULL : asker->step;
    for (size_t i = 0; step && i < step->rule->args.count; i++) {
        if (step->drawn[i].reference && strcmp(step->rule->args.items[i].name, parameter) == 0) {
            return step->drawn[i].reference;
        }
    }
    for (size_t i = 0; i < words->names->items.count; i++) {
        if (value_equal(words->names->items.items[i].value, value)) {
            return words->names->items.items[i].reference;
        }
    }
    return NULL;
}

static const char *sql_text(const struct words *words, const struct sql_piece *piece)
{
    struct strbuf out = {0};
    bool long_one = piece->size > ACCOUNT_TEXT;
    visible_add(&out, VISIBLE_BLOCK, piece->text,
                long_one ? utf8_cut(piece->text, ACCOUNT_TEXT) : piece->size);
    if (long_one) {
        strbuf_addf(&out, "… (%zu bytes)", piece->size);
    }
    return strbuf_take(&out, words->arena);
}

static void add_sql(const struct words *words, const struct asker *asker,
                    const struct backend_call *call, struct account_statement *out)
{
    const struct value *value = call->values;
    if (call->sql->added) {
        *VEC_PUSH(words->arena, &out->pieces) = (struct account_piece){.text = "-- added by pgfsm"};
        out->added = call->sql->added;
        return;
    }
    for (size_t i = 0; i < call->sql->pieces.count; i++) {
        const struct sql_piece *piece = &call->sql->pieces.items[i];
        struct account_piece *told = VEC_PUSH(words->arena, &out->pieces);
        if (piece->kind == SQL_TEXT) {
            told->text = sql_text(words, piece);
            continue;
        }
        told->text = show_name(words->arena, piece->text);
        told->value = sql_value(words, *value);
        told->name = words_name(words, value_name(words, asker, piece->text, *value));
        value++;
    }
}

static const struct statement_list *statements_of(const struct asker *asker)
{
    return asker->check  ? &asker->check->invariant->statements
           : asker->step ? &asker->step->rule->statements
                         : NULL;
}

/* The name that the machine has for who runs it; or NULL. */
static const char *actor_name(const struct asker *asker, const struct sql_template *sql)
{
    const struct statement_list *statements = statements_of(asker);
    for (size_t i = 0; statements && i < statements->count; i++) {
        const struct context *context = statements->items[i].context;
        if (statements->items[i].sql == sql && context) {
            return context->name;
        }
    }
    return NULL;
}

static void add_context(const struct words *words, const struct backend_context *context,
                        struct account_statement *out)
{
    if (!context) {
        return;
    }
    out->role = words_name(words, context->role);
    out->session_user = words_name(words, context->session_user);
    for (size_t i = 0; i < context->setting_count; i++) {
        words_pair(words, &out->settings, context->settings[i].name,
                   words_text(words, context->settings[i].value, ACCOUNT_VALUE));
    }
}

struct account_statement statement_sent(const struct words *words, const struct asker *asker,
                                        const struct backend_call *call)
{
    struct account_statement out = {.actor = words_name(words, actor_name(asker, call->sql))};
    add_sql(words, asker, call, &out);
    add_context(words, call->context, &out);
    return out;
}

/* Answers. */

const struct account_cell *statement_cells(const struct words *words, const struct example *example,
                                           const struct answer_column *columns,
                                           const struct value *values, size_t count)
{
    if (!values) {
        return NULL;
    }
    struct shown_cell *cells = ARENA_ARRAY(words->arena, struct shown_cell, count);
    for (size_t i = 0; i < count; i++) {
        struct shown_cell *cell = &cells[i];
        cell->value = values[i];
        /* a text that a step was given says more than a name */
        if (example && (cell->value.type != VALUE_STRING || value_is_id(cell->value))) {
            cell->maybe = bundles_name_cell(&example->bundles, &columns[i], cell->value,
                                            example->steps.count, &cell->name) == NAMING_MAYBE;
        }
    }
    return words_cells(words, cells, count);
}

static void add_rows(const struct words *words, const struct example *example,
                     const struct answer *answer, struct account_answer *out)
{
    size_t count = answer->column_count;
    out->columns = words_columns(words, answer->columns, count);
    out->row_count = answer->row_count;
    for (size_t i = 0; i < answer->row_count && i < ACCOUNT_ROWS; i++) {
        const struct value *values = answer->rows[i].as.tuple->items;
        *VEC_PUSH(words->arena, &out->rows) =
            statement_cells(words, example, answer->columns, values, count);
    }
}

struct account_answer statement_answer(const struct words *words, const struct example *example,
                                       const struct answer *answer)
{
    struct account_answer out = {.given = true};
    if (answer->status == ANSWER_ERROR) {
        out.error = words_error(words, &answer->error);
    } else if (answer->column_count) {
        add_rows(words, example, answer, &out);
    } else if (answer->status == ANSWER_OK) {
        out.command = show_name(words->arena, answer->command ? answer->command : "done");
    } else {
        out.given = false;
    }
    return out;
}

void statement_answered(const struct words *words, const struct example *example,
                        const struct answer *answer, struct account_statement *out)
{
    out->answer = statement_answer(words, example, answer);
    if (out->added) {
        out->answer.command = out->answer.command ? out->added : NULL;
        out->answer.error.context = NULL;
    }
    if (answer->after) {
        struct account_answer *after = ARENA_NEW(words->arena, struct account_answer);
        *after = statement_answer(words, NULL, answer->after);
        out->after = after;
        out->differs = answer->divergence != NULL;
    }
}

static const char *brief(struct arena *arena, const struct account_answer *answer)
{
    bool single = answer->row_count == 1 && answer->columns.count == 1;
    if (answer->columns.count && !single) {
        return show_counted(arena, answer->row_count, "row");
    }
    const struct account_cell *cell = single ? &answer->rows.items[0][0] : NULL;
    return !cell ? answer->command : cell->name && !cell->maybe ? cell->name : cell->text;
}

static const char *brief_or_error(struct arena *arena, const struct account_answer *answer)
{
    return answer->error.sqlstate ? arena_printf(arena, "raises %s", answer->error.condition)
                                  : brief(arena, answer);
}

static const struct account_statement *differing(const struct account_statements *statements)
{
    for (size_t i = 0; i < statements->items.count; i++) {
        if (statements->items.items[i].differs) {
            return &statements->items.items[i];
        }
    }
    return NULL;
}

const char *statement_brief(struct arena *arena, const struct account_statements *statements)
{
    const struct account_statement *differs = differing(statements);
    const struct account_answer *answer = NULL;
    if (differs) {
        return brief_or_error(arena, &differs->answer);
    }
    for (size_t i = 0; i < statements->items.count; i++) {
        const struct account_statement *statement = &statements->items.items[i];
        answer = statement->deferred || !statement->answer.given ? answer : &statement->answer;
    }
    return answer && !answer->error.sqlstate ? brief(arena, answer) : NULL;
}

const char *statement_brief_after(struct arena *arena, const struct account_statements *statements)
{
    const struct account_statement *differs = differing(statements);
    return differs ? brief_or_error(arena, differs->after) : NULL;
}
