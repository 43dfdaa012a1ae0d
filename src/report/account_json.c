#include "report/account_json.h"

#include "report/html/data.h"

#include <string.h>

enum {
    DETAIL_BYTES = 60000, /* of one account; the first steps lose their details if it is more */
    BRIEF_FIRST = 20,     /* steps without details: the first ones and the last ones are named */
    BRIEF_LAST = 200,
};

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
    [FAILURE_DIFFERS] = "differs",
};

static void add_pairs(struct strbuf *out, const char *key, const struct account_pairs *pairs)
{
    data_open(out, key, '[');
    for (size_t i = 0; i < pairs->items.count; i++) {
        data_open(out, NULL, '[');
        data_text(out, NULL, pairs->items.items[i].name);
        data_text(out, NULL, pairs->items.items[i].value);
        data_close(out, ']');
    }
    data_close(out, ']');
}

static void add_error(struct strbuf *out, const char *key, const struct account_error *error)
{
    const struct {
        const char *key;
        const char *text;
    } texts[] = {
        {"sqlstate", error->sqlstate},
        {"condition", error->condition},
        {"message", error->message},
        {"detail", error->detail},
        {"hint", error->hint},
        {"table", error->table},
        {"column", error->column},
        {"type", error->type},
        {"constraint", error->constraint},
        {"context", error->context},
    };
    if (!error->sqlstate) {
        return;
    }
    data_open(out, key, '{');
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        data_text(out, texts[i].key, texts[i].text);
    }
    data_close(out, '}');
}

/* Its text, or {t, n} with its name, `maybe` if it only equals what has the name. */
static void add_cell(struct strbuf *out, const struct account_cell *cell)
{
    if (!cell->name && !cell->differs) {
        data_text(out, NULL, cell->text);
        return;
    }
    data_open(out, NULL, '{');
    data_text(out, "t", cell->text);
    data_text(out, "n", cell->name);
    data_flag(out, "maybe", cell->maybe);
    data_flag(out, "d", cell->differs);
    data_close(out, '}');
}

static void add_cells(struct strbuf *out, const char *key, const struct account_cell *cells,
                      size_t count)
{
    if (cells) {
        data_open(out, key, '[');
        for (size_t i = 0; i < count; i++) {
            add_cell(out, &cells[i]);
        }
        data_close(out, ']');
    }
}

static void add_columns(struct strbuf *out, const struct account_columns *columns)
{
    data_open(out, "columns", '[');
    for (size_t i = 0; i < columns->count; i++) {
        data_text(out, NULL, columns->names[i]);
    }
    data_close(out, ']');
}

static void add_differing_rows(struct strbuf *out, const struct account_difference *difference)
{
    static const char *const kinds[] = {[DIFFERENCE_MISSING] = "missing",
                                        [DIFFERENCE_UNEXPECTED] = "unexpected",
                                        [DIFFERENCE_CHANGED] = "changed"};
    add_columns(out, &difference->columns);
    data_open(out, "rows", '[');
    for (size_t i = 0; i < difference->rows.count; i++) {
        const struct account_row_difference *row = &difference->rows.items[i];
        data_open(out, NULL, '{');
        data_text(out, "kind", kinds[row->kind]);
        if (row->place) {
            data_number(out, "place", (uint64_t)row->place);
        }
        add_cells(out, "e", row->expected, difference->columns.count);
        add_cells(out, "a", row->actual, difference->columns.count);
        data_close(out, '}');
    }
    data_close(out, ']');
    data_number(out, "total", difference->row_count);
}

void difference_json(struct strbuf *out, const char *key,
                     const struct account_difference *difference)
{
    data_open(out, key, '{');
    data_text(out, "kind", kind_names[difference->kind]);
    data_text(out, "inv", difference->invariant);
    data_text(out, "rule", difference->rule);
    data_number(out, "step", difference->step);
    data_text(out, "sql", difference->sql);
    data_text(out, "actor", difference->context);
    add_pairs(out, "fors", &difference->fors);
    add_pairs(out, "settings", &difference->settings);
    data_text(out, "differs", difference->differs);
    data_text(out, "place", difference->place);
    data_text(out, difference->differs ? "before" : "expected", difference->expected);
    data_text(out, difference->differs ? "after" : "actual", difference->actual);
    data_text(out, "check", difference->check);
    data_text(out, "left", difference->left);
    data_text(out, "right", difference->right);
    data_text(out, "returned", difference->returned);
    data_text(out, "why", difference->hint);
    if (difference->differs) {
        add_error(out, "errorBefore", &difference->error_before);
        add_error(out, "errorAfter", &difference->error_after);
    } else {
        add_error(out, "error", &difference->error);
    }
    add_differing_rows(out, difference);
    data_close(out, '}');
}

/* ["SELECT pay(", {"p": "account", "v": "7", "n": "accounts_1"}, ")"] */
static void add_sql(struct strbuf *out, const struct account_statement *statement)
{
    data_open(out, "sql", '[');
    for (size_t i = 0; i < statement->pieces.count; i++) {
        const struct account_piece *piece = &statement->pieces.items[i];
        if (!piece->value) {
            data_text(out, NULL, piece->text);
            continue;
        }
        data_open(out, NULL, '{');
        data_text(out, "p", piece->text);
        data_text(out, "v", piece->value);
        data_text(out, "n", piece->name);
        data_close(out, '}');
    }
    data_close(out, ']');
}

static void add_answer(struct strbuf *out, const char *key, const struct account_answer *answer)
{
    data_open(out, key, '{');
    add_error(out, "error", &answer->error);
    data_text(out, "command", answer->command);
    if (answer->columns.count) {
        add_columns(out, &answer->columns);
        data_open(out, "rows", '[');
        for (size_t i = 0; i < answer->rows.count; i++) {
            add_cells(out, NULL, answer->rows.items[i], answer->columns.count);
        }
        data_close(out, ']');
        data_number(out, "total", answer->row_count);
    }
    data_close(out, '}');
}

static void add_statements(struct strbuf *out, const struct account_statements *statements)
{
    data_open(out, "statements", '[');
    for (size_t i = 0; i < statements->items.count; i++) {
        const struct account_statement *statement = &statements->items.items[i];
        data_open(out, NULL, '{');
        data_flag(out, "deferred", statement->deferred);
        if (!statement->deferred) {
            add_sql(out, statement);
            data_text(out, "actor", statement->actor);
            data_text(out, "role", statement->role);
            data_text(out, "session", statement->session_user);
            add_pairs(out, "settings", &statement->settings);
        }
        add_answer(out, "answer", &statement->answer);
        if (statement->after) {
            add_answer(out, "after", statement->after);
            data_flag(out, "differs", statement->differs);
        }
        data_close(out, '}');
    }
    data_close(out, ']');
}

static void add_model(struct strbuf *out, const struct account_step *step)
{
    data_open(out, "model", '[');
    for (size_t i = 0; i < step->model.count; i++) {
        const struct account_change *change = &step->model.items[i];
        data_open(out, NULL, '[');
        data_text(out, NULL, change->variable);
        data_text(out, NULL, change->after);
        data_text(out, NULL, change->before);
        data_close(out, ']');
    }
    data_close(out, ']');
}

static void add_table(struct strbuf *out, const struct account_table *table)
{
    data_open(out, NULL, '{');
    data_text(out, "name", table->name);
    add_columns(out, &table->columns);
    data_open(out, "key", '[');
    for (size_t i = 0; i < table->key.count; i++) {
        data_number(out, NULL, table->key.items[i]);
    }
    data_close(out, ']');
    data_open(out, "rows", '[');
    for (size_t i = 0; i < table->rows.count; i++) {
        const struct account_table_row *row = &table->rows.items[i];
        data_open(out, NULL, '{');
        add_cells(out, "b", row->before, table->columns.count);
        add_cells(out, "a", row->after, table->columns.count);
        if (row->before) {
            data_number(out, "since", row->since);
        }
        data_close(out, '}');
    }
    data_close(out, ']');
    if (table->more) {
        data_number(out, "more", table->more);
    }
    data_text(out, "why", table->why_not);
    data_close(out, '}');
}

/* Row by row, `b` as it was, since step `since`, and `a` as it is. */
static void add_tables(struct strbuf *out, const struct account_step *step)
{
    data_open(out, "tables", '[');
    for (size_t i = 0; i < step->tables.items.count; i++) {
        add_table(out, &step->tables.items.items[i]);
    }
    data_close(out, ']');
}

static void add_checks(struct strbuf *out, const struct account_step *step)
{
    data_open(out, "checks", '[');
    for (size_t i = 0; i < step->checks.count; i++) {
        const struct account_check *check = &step->checks.items[i];
        data_open(out, NULL, '{');
        data_text(out, "inv", check->invariant);
        data_text(out, "fors", check->fors);
        data_flag(out, "wanted", check->wanted);
        data_text(out, "expected", check->expected);
        add_statements(out, &check->statements);
        data_open(out, "parted", '[');
        for (size_t k = 0; k < check->differences.count; k++) {
            difference_json(out, NULL, &check->differences.items[k]);
        }
        data_close(out, ']');
        data_close(out, '}');
    }
    data_close(out, ']');
    data_number(out, "held", step->held);
}

static void add_step(struct strbuf *out, const struct account_step *step, bool brief)
{
    data_open(out, NULL, '{');
    data_number(out, "n", step->number);
    data_flag(out, "start", step->start);
    data_text(out, "rule", step->rule);
    data_text(out, "call", step->call);
    data_open(out, "made", '[');
    for (size_t i = 0; i < step->made.count; i++) {
        data_text(out, NULL, step->made.items[i]);
    }
    data_close(out, ']');
    data_text(out, "raised", step->raised);
    data_text(out, "answer", step->answer);
    data_text(out, "after", step->after);
    data_flag(out, "brief", brief);
    if (!brief) {
        add_statements(out, &step->statements);
        add_model(out, step);
        add_tables(out, step);
        add_checks(out, step);
    }
    data_close(out, '}');
}

/* How many steps lose their details, from the first one on. */
static size_t brief_steps(const struct account *account)
{
    struct strbuf out = {0};
    size_t bytes = 0;
    size_t from = account->steps.count;
    while (from > 0 && bytes < DETAIL_BYTES && !account->steps.items[from - 1].brief) {
        from--;
        strbuf_clear(&out);
        add_step(&out, &account->steps.items[from], false);
        bytes += out.size;
    }
    strbuf_free(&out);
    return bytes < DETAIL_BYTES ? from : from + (from + 1 < account->steps.count);
}

void account_json(struct strbuf *out, const char *key, const struct account *account)
{
    size_t brief = brief_steps(account);
    data_open(out, key, '{');
    data_text(out, "no_tables", account->no_tables);
    data_open(out, "steps", '[');
    for (size_t i = 0; i < account->steps.count; i++) {
        if (i < BRIEF_FIRST || i + BRIEF_LAST >= brief) {
            add_step(out, &account->steps.items[i], i < brief);
        }
    }
    data_close(out, ']');
    if (account->end) {
        difference_json(out, "end", account->end);
    }
    data_close(out, '}');
}

void source_json(struct strbuf *out, const char *key, const struct account_source *source)
{
    if (source->file) {
        data_open(out, key, '{');
        data_text(out, "file", source->file);
        data_number(out, "line", source->line);
        data_text(out, "text", source->text);
        add_pairs(out, "names", &source->names);
        data_close(out, '}');
    }
}
