#include "report/html/parts.h"

static const char *const kind_names[] = {
    [FAILURE_INVARIANT] = "invariant",
    [FAILURE_EXPECT] = "expect",
    [FAILURE_CHECK] = "check",
    [FAILURE_UNEXPECTED_ERROR] = "unexpected error",
    [FAILURE_MISSING_ERROR] = "missing error",
    [FAILURE_DIFFERENT_ERROR] = "different error",
    [FAILURE_TIMEOUT] = "timeout",
    [FAILURE_CONNECTION] = "connection",
    [FAILURE_RACE] = "race",
};

static void add_text(struct parts *parts, const char *key, const char *text, size_t limit)
{
    data_text(parts->out, key, text ? show_text(parts->arena, parts->names, text, limit) : NULL);
}

void part_error(struct parts *parts, const char *key, const struct server_error *error)
{
    const struct {
        const char *key;
        const char *text;
    } texts[] = {
        {"message", error->message},       {"detail", error->detail},   {"hint", error->hint},
        {"table", error->table},           {"column", error->column},   {"type", error->datatype},
        {"constraint", error->constraint}, {"context", error->context},
    };
    if (!error->sqlstate[0]) {
        return;
    }
    data_open(parts->out, key, '{');
    data_text(parts->out, "sqlstate", error->sqlstate);
    data_text(parts->out, "condition", show_condition(error->sqlstate));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        add_text(parts, texts[i].key, texts[i].text && *texts[i].text ? texts[i].text : NULL,
                 PART_TEXT);
    }
    data_close(parts->out, '}');
}

void part_cell(struct parts *parts, const struct shown_cell *cell)
{
    const char *text = show_value(parts->arena, parts->names, cell->value, PART_VALUE);
    if (!cell->name && !cell->differs) {
        data_text(parts->out, NULL, text);
        return;
    }
    data_open(parts->out, NULL, '{');
    data_text(parts->out, "t", text);
    data_text(parts->out, "n", cell->name);
    data_flag(parts->out, "maybe", cell->name && cell->maybe);
    data_flag(parts->out, "d", cell->differs);
    data_close(parts->out, '}');
}

static void add_cells(struct parts *parts, const char *key, const struct shown_cell *cells,
                      size_t count)
{
    if (cells) {
        data_open(parts->out, key, '[');
        for (size_t i = 0; i < count; i++) {
            part_cell(parts, &cells[i]);
        }
        data_close(parts->out, ']');
    }
}

static void add_rows(struct parts *parts, const struct failure *failure)
{
    static const char *const kinds[] = {[DIFFERENCE_MISSING] = "missing",
                                        [DIFFERENCE_UNEXPECTED] = "unexpected",
                                        [DIFFERENCE_CHANGED] = "changed"};
    struct strbuf *out = parts->out;
    data_open(out, "columns", '[');
    for (size_t i = 0; i < failure->column_count; i++) {
        data_text(out, NULL, show_name(parts->arena, failure->columns[i]));
    }
    data_close(out, ']');
    data_open(out, "rows", '[');
    for (size_t i = 0; i < failure->differences.count; i++) {
        const struct difference *difference = &failure->differences.items[i];
        data_open(out, NULL, '{');
        data_text(out, "kind", kinds[difference->kind]);
        if (difference->place) {
            data_number(out, "place", (uint64_t)difference->place);
        }
        add_cells(parts, "e", difference->expected, failure->column_count);
        add_cells(parts, "a", difference->actual, failure->column_count);
        data_close(out, '}');
    }
    data_close(out, ']');
    data_number(out, "total", failure->difference_count);
}

static void add_pairs(struct parts *parts, const struct failure *failure)
{
    struct strbuf *out = parts->out;
    data_open(out, "fors", '[');
    for (size_t i = 0; i < failure->fors.count; i++) {
        const struct shown_arg *arg = &failure->fors.items[i];
        data_open(out, NULL, '[');
        data_text(out, NULL, show_name(parts->arena, arg->name));
        data_text(out, NULL,
                  arg->reference ? show_name(parts->arena, arg->reference)
                                 : show_value(parts->arena, parts->names, arg->value, PART_VALUE));
        data_close(out, ']');
    }
    data_close(out, ']');
    data_open(out, "settings", '[');
    for (size_t i = 0; i < failure->settings.count; i++) {
        data_open(out, NULL, '[');
        add_text(parts, NULL, failure->settings.items[i].name, PART_VALUE);
        add_text(parts, NULL, failure->settings.items[i].value, PART_VALUE);
        data_close(out, ']');
    }
    data_close(out, ']');
}

void part_difference(struct parts *parts, const char *key, const struct failure *failure)
{
    struct strbuf *out = parts->out;
    struct arena *arena = parts->arena;
    data_open(out, key, '{');
    data_text(out, "kind", kind_names[failure->kind]);
    data_text(out, "inv", failure->invariant ? show_name(arena, failure->invariant->name) : NULL);
    data_text(out, "rule", failure->rule ? show_name(arena, failure->rule->name) : NULL);
    data_number(out, "step", failure->step);
    data_text(out, "sql", failure->sql ? show_sql(arena, failure->sql, 0, 60) : NULL);
    add_text(parts, "actor", failure->context, PART_VALUE);
    add_pairs(parts, failure);
    add_text(parts, "expected", failure->expected, PART_TEXT);
    add_text(parts, "actual", failure->actual, PART_TEXT);
    add_text(parts, "check", failure->check, PART_TEXT);
    add_text(parts, "left", failure->sides.left, PART_TEXT);
    add_text(parts, "right", failure->sides.right, PART_TEXT);
    add_text(parts, "returned", failure->returned, PART_TEXT);
    add_text(parts, "why", failure->hint, PART_TEXT);
    part_error(parts, "error", &failure->error);
    add_rows(parts, failure);
    data_close(out, '}');
}
