/* Rows that differ: what is missing, what is unexpected, and what was changed in a row. */
#include "report/text/block.h"
#include "report/text/grid.h"

#include "base/utf8.h"

#include <inttypes.h>
#include <string.h>

enum {
    LABEL = 9,         /* spaces before "differs" */
    ROW = 22,          /* and before what is said of the row */
    CELL_WIDTH = 40,   /* characters of a value in a row of several columns */
    LINE_WIDTH = 100,  /* a table or a line that is wider is laid out otherwise */
    BESIDE_WIDTH = 30, /* of two values on one line */
    HEAD_WIDTH = 40,   /* of what stands before them */
};

static const char *const kind_words[] = {
    [DIFFERENCE_MISSING] = "missing",
    [DIFFERENCE_UNEXPECTED] = "unexpected",
    [DIFFERENCE_CHANGED] = "differs",
};

/* "         missing      " */
static void write_label(struct block *block, enum difference_kind kind)
{
    struct strbuf *out = block->text->out;
    strbuf_fill(out, ' ', LABEL);
    text_paint(block->text, PAINT_BAD, kind_words[kind]);
    strbuf_fill(out, ' ', (size_t)(ROW - LABEL) - strlen(kind_words[kind]));
}

static const struct shown_cell *cells_of(const struct difference *difference)
{
    return difference->expected ? difference->expected : difference->actual;
}

static void add_cell(struct block *block, const struct shown_cell *cell, struct strbuf *out)
{
    if (cell->name && !cell->maybe) {
        show_text(out, NULL, cell->name, SHOW_ALL);
    } else {
        show_value(out, &block->names, cell->value, block_limit(block, CELL_WIDTH));
    }
}

static size_t width_of(const struct strbuf *text)
{
    return utf8_length(strbuf_text(text), text->size);
}

/* `item="nut", quantity=3`; of a changed row only what did not change. False: nothing. */
static bool add_cells(struct block *block, const struct shown_cell *cells, struct strbuf *out)
{
    bool any = false;
    for (size_t i = 0; i < block->failure->column_count; i++) {
        if (!cells[i].differs) {
            strbuf_adds(out, any ? ", " : "");
            show_text(out, NULL, block->failure->columns[i], SHOW_ALL);
            strbuf_addc(out, '=');
            add_cell(block, &cells[i], out);
            any = true;
        }
    }
    return any;
}

/* Both values of a column as texts; by name where one of them has one. */
static void add_both(struct block *block, const struct difference *difference, size_t column,
                     struct strbuf *out)
{
    const struct shown_cell *cells[] = {&difference->expected[column], &difference->actual[column]};
    struct strbuf texts[2] = {{0}, {0}};
    for (size_t i = 0; i < 2; i++) {
        value_repr(cells[i]->value, &texts[i]);
    }
    const char *const from[] = {
        cells[0]->name && !cells[0]->maybe ? cells[0]->name : strbuf_text(&texts[0]),
        cells[1]->name && !cells[1]->maybe ? cells[1]->name : strbuf_text(&texts[1]),
    };
    show_two(out, &block->names, from, block_limit(block, BLOCK_VALUE_WIDTH));
    strbuf_free(&texts[0]);
    strbuf_free(&texts[1]);
}

/* "quantity: expected 3, actual 2"; long values stand on lines of their own. */
static void write_changed_cell(struct block *block, const struct difference *difference,
                               size_t column)
{
    struct strbuf *out = block->text->out;
    struct strbuf texts[2] = {{0}, {0}};
    bool named = block->failure->column_count > 1;
    int indent = named ? ROW + 4 : LABEL + 2;
    add_both(block, difference, column, texts);
    if (named) {
        show_text(out, NULL, block->failure->columns[column], SHOW_ALL);
        strbuf_addc(out, ':');
    }
    if (width_of(&texts[0]) <= BESIDE_WIDTH && width_of(&texts[1]) <= BESIDE_WIDTH) {
        strbuf_addf(out, "%sexpected %s, actual %s", named ? " " : "", strbuf_text(&texts[0]),
                    strbuf_text(&texts[1]));
    } else {
        strbuf_addf(out, "\n%*sexpected   %s", indent, "", strbuf_text(&texts[0]));
        strbuf_addf(out, "\n%*sactual     %s", indent, "", strbuf_text(&texts[1]));
    }
    strbuf_free(&texts[0]);
    strbuf_free(&texts[1]);
}

static size_t count_changed(const struct block *block, const struct difference *difference)
{
    size_t count = 0;
    for (size_t i = 0; i < block->failure->column_count; i++) {
        count += difference->expected[i].differs;
    }
    return count;
}

/* The row by its place and by what did not change in it, then what did: beside it where that is one
 * value, else each on a line of its own. */
static void write_changed(struct block *block, const struct difference *difference)
{
    struct strbuf *out = block->text->out;
    struct strbuf head = {0};
    struct strbuf same = {0};
    if (difference->place) {
        strbuf_addf(&head, "row %" PRId64, difference->place);
    }
    if (add_cells(block, difference->expected, &same)) {
        strbuf_addf(&head, "%s%s", head.size ? ": " : "", strbuf_text(&same));
    }
    write_label(block, DIFFERENCE_CHANGED);
    strbuf_adds(out, strbuf_text(&head));
    bool beside = count_changed(block, difference) == 1 && width_of(&head) <= HEAD_WIDTH;
    bool first = head.size == 0;
    for (size_t i = 0; i < block->failure->column_count; i++) {
        if (difference->expected[i].differs) {
            strbuf_addf(out, "%s%*s", first || beside ? "" : "\n",
                        first    ? 0
                        : beside ? 3
                                 : ROW + 2,
                        "");
            write_changed_cell(block, difference, i);
            first = false;
        }
    }
    strbuf_addc(out, '\n');
    strbuf_free(&head);
    strbuf_free(&same);
}

static void write_place(struct block *block, const struct difference *difference)
{
    if (difference->place) {
        strbuf_addf(block->text->out, "   (row %" PRId64 ")", difference->place);
    }
    strbuf_addc(block->text->out, '\n');
}

/* A row on a line of its own. */
static void write_row(struct block *block, const struct difference *difference)
{
    struct strbuf *out = block->text->out;
    const struct shown_cell *cells = cells_of(difference);
    write_label(block, difference->kind);
    if (block->failure->column_count == 1) {
        show_named_value(out, &block->names, cells[0].value, cells[0].maybe ? NULL : cells[0].name,
                         block_limit(block, BLOCK_VALUE_WIDTH));
    } else {
        (void)add_cells(block, cells, out);
    }
    write_place(block, difference);
}

/* The rows of one side that only that side has, as a table. */
struct rows_table {
    struct grid grid;
    struct strbuf text; /* a line of titles, then one for each row */
};

static void fill_table(struct block *block, struct rows_table *table)
{
    const struct failure *failure = block->failure;
    struct arena *arena = &block->text->scratch;
    struct grid_column *columns = ARENA_ARRAY(arena, struct grid_column, failure->column_count + 1);
    struct strbuf cell = {0};
    for (size_t i = 0; i < failure->column_count; i++) {
        strbuf_clear(&cell);
        show_text(&cell, NULL, failure->columns[i], SHOW_ALL);
        columns[i] = (struct grid_column){strbuf_copy(&cell, arena), GRID_LEFT};
    }
    columns[failure->column_count].title = "row";
    table->grid = (struct grid){arena, columns, failure->column_count + 1, {0}};
    for (size_t i = 0; i < failure->differences.count; i++) {
        const struct difference *difference = &failure->differences.items[i];
        for (size_t j = 0; difference->kind != DIFFERENCE_CHANGED && j < failure->column_count;
             j++) {
            strbuf_clear(&cell);
            add_cell(block, &cells_of(difference)[j], &cell);
            grid_add(&table->grid, strbuf_text(&cell));
        }
        if (difference->kind != DIFFERENCE_CHANGED) {
            const char *place =
                difference->place ? arena_printf(arena, "%" PRId64, difference->place) : "";
            grid_add(&table->grid, place);
        }
    }
    strbuf_free(&cell);
    grid_write(&table->grid, 0, &table->text);
}

static bool is_narrow(const char *text)
{
    for (const char *line = text; *line;) {
        size_t size = strcspn(line, "\n");
        if (utf8_length(line, size) > LINE_WIDTH) {
            return false;
        }
        line += size + (line[size] == '\n');
    }
    return true;
}

static void write_table(struct block *block, const char *line)
{
    const struct failure *failure = block->failure;
    struct strbuf *out = block->text->out;
    size_t size = strcspn(line, "\n") + 1;
    strbuf_fill(out, ' ', ROW);
    strbuf_add(out, line, size);
    line += size;
    for (size_t i = 0; i < failure->differences.count; i++) {
        if (failure->differences.items[i].kind != DIFFERENCE_CHANGED) {
            size = strcspn(line, "\n") + 1;
            write_label(block, failure->differences.items[i].kind);
            strbuf_add(out, line, size);
            line += size;
        }
    }
}

static size_t count_of(const struct failure *failure, bool changed)
{
    size_t count = 0;
    for (size_t i = 0; i < failure->differences.count; i++) {
        count += changed == (failure->differences.items[i].kind == DIFFERENCE_CHANGED);
    }
    return count;
}

/* A table where there are several rows of several columns and it is not too wide. */
static bool write_as_table(struct block *block)
{
    const struct failure *failure = block->failure;
    struct rows_table table = {0};
    if (failure->column_count < 2 || count_of(failure, false) < 2) {
        return false;
    }
    fill_table(block, &table);
    bool fits = is_narrow(strbuf_text(&table.text));
    if (fits) {
        write_table(block, strbuf_text(&table.text));
    }
    strbuf_free(&table.text);
    return fits;
}

/* Changed rows first where the others make a table, else all in order. */
void block_differences(struct block *block)
{
    const struct failure *failure = block->failure;
    for (size_t i = 0; i < failure->differences.count; i++) {
        if (failure->differences.items[i].kind == DIFFERENCE_CHANGED) {
            write_changed(block, &failure->differences.items[i]);
        }
    }
    bool done = write_as_table(block);
    for (size_t i = 0; i < failure->differences.count && !done; i++) {
        if (failure->differences.items[i].kind != DIFFERENCE_CHANGED) {
            write_row(block, &failure->differences.items[i]);
        }
    }
    if (failure->difference_count > failure->differences.count) {
        strbuf_fill(block->text->out, ' ', LABEL);
        strbuf_adds(block->text->out, "… and ");
        show_count(block->text->out, failure->difference_count - failure->differences.count);
        strbuf_adds(block->text->out, " more\n");
    }
}
