/* The rows of tables that the failing step wrote, also by triggers and cascades. */
#include "report/text/answers.h"
#include "report/text/block.h"

#include <string.h>

enum {
    INDENT = 7,
    ROWS = 4,   /* if not all is to be shown */
    VALUE = 40, /* characters of a value */
};

/* The line that is being written, and the number of rows so far. */
struct wrote {
    struct block *block;
    struct strbuf line;
    size_t rows;
};

static const char *cell_text(const struct wrote *wrote, const struct account_cell *cell)
{
    return show_text(&wrote->block->text->scratch, &wrote->block->names, cell->text, SHOW_ALL);
}

/* An unchanged value is shown once. Ids without a name are left out: they differ in each run. */
static void add_value(struct wrote *wrote, const char *column, const struct account_cell *before,
                      const struct account_cell *after)
{
    struct arena *arena = &wrote->block->text->scratch;
    size_t limit = block_limit(wrote->block, VALUE);
    const struct account_cell *now = after ? after : before;
    const char *text = cell_text(wrote, now);
    bool changed = before && after && strcmp(before->text, after->text) != 0;
    if (answer_is_id(arena, text)) {
        return;
    }
    strbuf_addf(&wrote->line, "%s%s=", wrote->line.size ? ", " : "", column);
    if (changed) {
        strbuf_addf(&wrote->line, "%s -> ",
                    show_text(arena, NULL, cell_text(wrote, before), limit));
    }
    strbuf_adds(&wrote->line, show_text(arena, NULL, text, limit));
}

static bool is_key(const struct account_table *table, size_t column)
{
    bool is = false;
    for (size_t i = 0; i < table->key.count; i++) {
        is = is || table->key.items[i] == column;
    }
    return is;
}

/* Of a changed row, this shows the key and what changed. */
static void add_row(struct wrote *wrote, const struct account_table *table,
                    const struct account_table_row *row)
{
    const char *const words = !row->before ? "new" : !row->after ? "gone" : "changed";
    const char *name = strncmp(table->name, "public.", 7) == 0 ? table->name + 7 : table->name;
    struct text *text = wrote->block->text;
    strbuf_clear(&wrote->line);
    for (size_t i = 0; i < table->columns.count; i++) {
        const struct account_cell *before = row->before ? &row->before[i] : NULL;
        const struct account_cell *after = row->after ? &row->after[i] : NULL;
        bool same = before && after && strcmp(before->text, after->text) == 0;
        if ((before || after) && (!same || is_key(table, i))) {
            add_value(wrote, table->columns.names[i], before, after);
        }
    }
    size_t start = text->out->size;
    text_addf(text, "%*s%-9s%s: %s", INDENT, "", words, name, strbuf_text(&wrote->line));
    if (row->before && row->since) {
        text_addf(text, "   (%s since step %zu)", row->after ? "unchanged" : "there", row->since);
    }
    strbuf_addc(text->out, '\n');
    text_fold(text, start, INDENT + 9);
}

static size_t count_rows(const struct account_step *step)
{
    size_t count = 0;
    for (size_t i = 0; i < step->tables.items.count; i++) {
        count += step->tables.items.items[i].rows.count + step->tables.items.items[i].more;
    }
    return count;
}

void block_wrote(struct block *block)
{
    const struct account *account = block->failure->account;
    const struct account_step *step =
        account && account->steps.count ? &account->steps.items[account->steps.count - 1] : NULL;
    struct wrote wrote = {.block = block};
    size_t count = step && !step->start ? count_rows(step) : 0;
    if (!count) {
        return;
    }
    text_addf(block->text, "\n     what step %zu wrote\n", step->number);
    for (size_t i = 0; i < step->tables.items.count; i++) {
        const struct account_table *table = &step->tables.items.items[i];
        for (size_t j = 0; j < table->rows.count; j++) {
            if (block->text->options->whole || wrote.rows < ROWS) {
                add_row(&wrote, table, &table->rows.items[j]);
                wrote.rows++;
            }
        }
    }
    if (count > wrote.rows) {
        text_addf(block->text, "%*s… %s\n", INDENT, "",
                  show_counted(&block->text->scratch, count - wrote.rows, "more row"));
    }
    strbuf_free(&wrote.line);
}
