#include "report/html/statement.h"

#include "base/utf8.h"
#include "base/visible.h"
#include "example/step/step.h"
#include "trace/ids.h"

#include <string.h>

/* As SQL would have it. */
static const char *sql_value(const struct parts *parts, struct value value)
{
    struct arena *arena = parts->arena;
    struct strbuf out = {0};
    if (value.type == VALUE_NONE) {
        return "NULL";
    }
    if (value.type == VALUE_BOOL) {
        return value_truth(value) ? "true" : "false";
    }
    if (value.type != VALUE_STRING) {
        return show_value(arena, parts->names, value, PART_VALUE);
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
static const char *value_name(const struct parts *parts, const struct asker *asker,
                              const char *parameter, struct value value)
{
    const struct step *step = asker->check ? NULL : asker->step;
    for (size_t i = 0; step && i < step->rule->args.count; i++) {
        if (step->drawn[i].reference && strcmp(step->rule->args.items[i].name, parameter) == 0) {
            return step->drawn[i].reference;
        }
    }
    for (size_t i = 0; i < parts->names->items.count; i++) {
        if (value_equal(parts->names->items.items[i].value, value)) {
            return parts->names->items.items[i].reference;
        }
    }
    return NULL;
}

static const char *sql_text(const struct parts *parts, const struct sql_piece *piece)
{
    struct strbuf out = {0};
    bool long_one = piece->size > PART_TEXT;
    visible_add(&out, VISIBLE_BLOCK, piece->text,
                long_one ? utf8_cut(piece->text, PART_TEXT) : piece->size);
    if (long_one) {
        strbuf_addf(&out, "… (%zu bytes)", piece->size);
    }
    return strbuf_take(&out, parts->arena);
}

/* ["SELECT pay(", {"p": "account", "v": "7", "n": "accounts_1"}, ")"] */
static void add_sql(struct parts *parts, const struct asker *asker, const struct backend_call *call)
{
    const struct value *value = call->values;
    data_open(parts->out, "sql", '[');
    for (size_t i = 0; i < call->sql->pieces.count; i++) {
        const struct sql_piece *piece = &call->sql->pieces.items[i];
        if (piece->kind == SQL_TEXT) {
            data_text(parts->out, NULL, sql_text(parts, piece));
            continue;
        }
        data_open(parts->out, NULL, '{');
        data_text(parts->out, "p", show_name(parts->arena, piece->text));
        data_text(parts->out, "v", sql_value(parts, *value));
        data_text(parts->out, "n", value_name(parts, asker, piece->text, *value));
        data_close(parts->out, '}');
        value++;
    }
    data_close(parts->out, ']');
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

static void add_context(struct parts *parts, const struct backend_context *context)
{
    struct arena *arena = parts->arena;
    if (!context) {
        return;
    }
    data_text(parts->out, "role", context->role ? show_name(arena, context->role) : NULL);
    data_text(parts->out, "session",
              context->session_user ? show_name(arena, context->session_user) : NULL);
    data_open(parts->out, "settings", '[');
    for (size_t i = 0; i < context->setting_count; i++) {
        data_open(parts->out, NULL, '[');
        data_text(parts->out, NULL, show_name(arena, context->settings[i].name));
        data_text(parts->out, NULL,
                  show_text(arena, parts->names, context->settings[i].value, PART_VALUE));
        data_close(parts->out, ']');
    }
    data_close(parts->out, ']');
}

void statement_call(struct parts *parts, const struct asker *asker, const struct backend_call *call)
{
    const char *actor = actor_name(asker, call->sql);
    add_sql(parts, asker, call);
    data_text(parts->out, "actor", actor ? show_name(parts->arena, actor) : NULL);
    add_context(parts, call->context);
}

/* Answers. */

static void add_row(struct parts *parts, const struct example *example, const struct answer *answer,
                    const struct tuple *row)
{
    data_open(parts->out, NULL, '[');
    for (size_t i = 0; i < row->count; i++) {
        struct shown_cell cell = {.value = row->items[i]};
        /* a text that a step was given says more than a name */
        if (cell.value.type != VALUE_STRING || value_is_id(cell.value)) {
            cell.maybe = bundles_name_cell(&example->bundles, &answer->columns[i], cell.value,
                                           example->steps.count, &cell.name) == NAMING_MAYBE;
        }
        part_cell(parts, &cell);
    }
    data_close(parts->out, ']');
}

static void add_rows(struct parts *parts, const struct example *example,
                     const struct answer *answer)
{
    data_open(parts->out, "columns", '[');
    for (size_t i = 0; i < answer->column_count; i++) {
        data_text(parts->out, NULL, show_name(parts->arena, answer->columns[i].name));
    }
    data_close(parts->out, ']');
    data_open(parts->out, "rows", '[');
    for (size_t i = 0; i < answer->row_count && i < PART_ROWS; i++) {
        add_row(parts, example, answer, answer->rows[i].as.tuple);
    }
    data_close(parts->out, ']');
    data_number(parts->out, "total", answer->row_count);
}

void statement_answer(struct parts *parts, const struct example *example,
                      const struct answer *answer)
{
    data_open(parts->out, "answer", '{');
    if (answer->status == ANSWER_ERROR) {
        part_error(parts, "error", &answer->error);
    } else if (answer->column_count) {
        add_rows(parts, example, answer);
    } else if (answer->status == ANSWER_OK) {
        data_text(parts->out, "command",
                  show_name(parts->arena, answer->command ? answer->command : "done"));
    }
    data_close(parts->out, '}');
}
