/* Rows that differ: what is missing, what is unexpected, and what was changed in a row. */
#include "report/text/block.h"
#include "report/text/columns.h"
#include "report/text/grid.h"

#include "base/utf8.h"

#include <inttypes.h>
#include <string.h>

enum {
    LABEL = 9,          /* spaces before "differs" */
    ROW = 22,           /* and before what is said of the row */
    ROOM_LEAST = 20,    /* for it, however narrow the terminal is */
    CELL_WIDTH = 40,    /* characters of a value in a row of several columns */
    BESIDE_WIDTH = 30,  /* of two values on one line */
    HEAD_WIDTH = 40,    /* of what stands before them */
    COLUMNS_BESIDE = 6, /* a row of more columns has a line for each */
    COLUMNS_SHOWN = 12, /* lines of such a row */
    COLUMNS_SAME = 3,   /* columns that say which row was changed, if there are many */
};

static const char *kind_word(const struct block *block, enum difference_kind kind)
{
    static const char *const words[][2] = {
        [DIFFERENCE_MISSING] = {"missing", "only before"},
        [DIFFERENCE_UNEXPECTED] = {"unexpected", "only after"},
        [DIFFERENCE_CHANGED] = {"differs", "differs"},
    };
    return words[kind][block->failure->divergence != NULL];
}

/* "         missing      " */
static void write_label(struct block *block, enum difference_kind kind)
{
    struct strbuf *out = block->text->out;
    const char *word = kind_word(block, kind);
    strbuf_fill(out, ' ', LABEL);
    text_paint(block->text, PAINT_BAD, word);
    strbuf_fill(out, ' ', (size_t)(ROW - LABEL) - strlen(word));
}

static const struct shown_cell *cells_of(const struct difference *difference)
{
    return difference->expected ? difference->expected : difference->actual;
}

static const char *cell_text(struct block *block, const struct shown_cell *cell)
{
    struct arena *arena = &block->text->scratch;
    return cell->name && !cell->maybe
               ? show_name(arena, cell->name)
               : show_value(arena, &block->names, cell->value, block_limit(block, CELL_WIDTH));
}

static size_t width_of(const char *text) { return utf8_length(text, strlen(text)); }

/* "   there since step 1", on the line of the row; or "". */
static const char *since_text(struct block *block, const struct difference *difference)
{
    const struct difference *first = block->failure->differences.items;
    const char *since = block_since(block, (size_t)(difference - first));
    return since ? arena_printf(&block->text->scratch, "   %s", since) : "";
}

static size_t room_of(const struct block *block)
{
    size_t width = text_width(block->text);
    return width > ROW + ROOM_LEAST ? width - ROW : ROOM_LEAST;
}

static bool is_wide(const struct block *block)
{
    return block->failure->column_count > COLUMNS_BESIDE;
}

/* `item="nut", quantity=3`; of a changed row only what did not change: of many columns those that
 * most likely say which row it is. */
static const char *cells_text(struct block *block, const struct shown_cell *cells)
{
    struct arena *arena = &block->text->scratch;
    const size_t *order = columns_order(arena, block->failure, cells);
    size_t most = is_wide(block) ? block_limit(block, COLUMNS_SAME) : SHOW_ALL;
    size_t same = 0;
    const char *text = "";
    for (size_t i = 0; i < block->failure->column_count; i++) {
        const struct shown_cell *cell = &cells[order[i]];
        if (!cell->differs && (same++ < most || most == SHOW_ALL)) {
            text = arena_printf(arena, "%s%s%s=%s", text, *text ? ", " : "",
                                show_name(arena, block->failure->columns[order[i]]),
                                cell_text(block, cell));
        }
    }
    return most != SHOW_ALL && same > most ? arena_printf(arena, "%s, …", text) : text;
}

/* "quantity: expected 3, actual 2"; long values stand on lines of their own. A value that has a
 * name stands by it. */
static void write_changed_cell(struct block *block, const struct difference *difference,
                               size_t column)
{
    const struct shown_cell *cells[] = {&difference->expected[column], &difference->actual[column]};
    struct arena *arena = &block->text->scratch;
    const char *texts[2];
    const char *const *sides = block_sides(block);
    bool named = block->failure->column_count > 1;
    int indent = named ? ROW + 4 : LABEL + 2;
    for (size_t i = 0; i < 2; i++) {
        texts[i] = cells[i]->name && !cells[i]->maybe ? cells[i]->name
                                                      : value_repr_text(arena, cells[i]->value);
    }
    show_two(arena, &block->names, texts, block_limit(block, BLOCK_VALUE_WIDTH));
    if (named) {
        text_addf(block->text, "%s:", show_name(arena, block->failure->columns[column]));
    }
    if (width_of(texts[0]) <= BESIDE_WIDTH && width_of(texts[1]) <= BESIDE_WIDTH) {
        text_addf(block->text, "%s%s %s, %s %s", named ? " " : "", sides[0], texts[0], sides[1],
                  texts[1]);
    } else {
        text_addf(block->text, "\n%*s%-8s   %s\n%*s%-8s   %s", indent, "", sides[0], texts[0],
                  indent, "", sides[1], texts[1]);
    }
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
    struct arena *arena = &block->text->scratch;
    const char *same = cells_text(block, difference->expected);
    const char *head = same;
    if (difference->place) {
        head =
            arena_printf(arena, "row %" PRId64 "%s%s", difference->place, *same ? ": " : "", same);
    }
    write_label(block, DIFFERENCE_CHANGED);
    strbuf_adds(block->text->out, head);
    bool beside = count_changed(block, difference) == 1 && width_of(head) <= HEAD_WIDTH;
    bool first = !*head;
    for (size_t i = 0; i < block->failure->column_count; i++) {
        if (difference->expected[i].differs) {
            const char *before = beside ? "   " : "\n                        ";
            strbuf_adds(block->text->out, first ? "" : before);
            write_changed_cell(block, difference, i);
            first = false;
        }
    }
    text_addf(block->text, "%s\n", since_text(block, difference));
}

/* A line for each column, as with psql's \\x. */
static void write_expanded(struct block *block, const struct shown_cell *cells)
{
    const struct failure *failure = block->failure;
    struct arena *arena = &block->text->scratch;
    const size_t *order = columns_order(arena, failure, cells);
    size_t most = block_limit(block, COLUMNS_SHOWN);
    size_t count = failure->column_count;
    size_t shown = most == SHOW_ALL || count <= most ? count : most - 1;
    size_t widest = 0;
    for (size_t i = 0; i < shown; i++) {
        size_t width = width_of(show_name(arena, failure->columns[order[i]]));
        widest = width > widest ? width : widest;
    }
    for (size_t i = 0; i < shown; i++) {
        const char *name = show_name(arena, failure->columns[order[i]]);
        strbuf_fill(block->text->out, ' ', i ? ROW : 0);
        text_addf(block->text, "%s%*s   %s\n", name, (int)(widest - width_of(name)), "",
                  cell_text(block, &cells[order[i]]));
    }
    if (shown < count) {
        text_addf(block->text, "%*s… %zu more columns; -v shows them\n", ROW, "", count - shown);
    }
}

/* A row on a line of its own, if it is not too wide. */
static void write_row(struct block *block, const struct difference *difference)
{
    const struct shown_cell *cells = cells_of(difference);
    struct arena *arena = &block->text->scratch;
    bool alone = block->failure->column_count == 1;
    const char *name = alone && !cells[0].maybe ? cells[0].name : NULL;
    const char *since = since_text(block, difference);
    const char *place =
        difference->place ? arena_printf(arena, "   (row %" PRId64 ")", difference->place) : "";
    const char *row = alone ? show_named_value(arena, &block->names, cells[0].value, name,
                                               block_limit(block, BLOCK_VALUE_WIDTH))
                            : cells_text(block, cells);
    write_label(block, difference->kind);
    if (alone || (!is_wide(block) && width_of(row) + strlen(place) <= room_of(block))) {
        text_addf(block->text, "%s%s%s\n", row, place, since);
        return;
    }
    if (difference->place || *since) {
        const char *head =
            difference->place ? arena_printf(arena, "row %" PRId64, difference->place) : "";
        text_addf(block->text, "%s%s\n%*s", head, *head ? since : since + 3, ROW, "");
    }
    write_expanded(block, cells);
}

/* The rows that only one side has, as a table: a line of titles, then one for each row. */
static const char *table_text(struct block *block)
{
    const struct failure *failure = block->failure;
    struct arena *arena = &block->text->scratch;
    struct grid_column *columns = ARENA_ARRAY(arena, struct grid_column, failure->column_count + 2);
    struct strbuf text = {0};
    for (size_t i = 0; i < failure->column_count; i++) {
        columns[i].title = show_name(arena, failure->columns[i]);
    }
    columns[failure->column_count].title = "row";
    columns[failure->column_count + 1].title = "";
    struct grid grid = {arena, columns, failure->column_count + 2, {0}};
    for (size_t i = 0; i < failure->differences.count; i++) {
        const struct difference *difference = &failure->differences.items[i];
        if (difference->kind == DIFFERENCE_CHANGED) {
            continue;
        }
        for (size_t j = 0; j < failure->column_count; j++) {
            grid_add(&grid, cell_text(block, &cells_of(difference)[j]));
        }
        grid_add(&grid,
                 difference->place ? arena_printf(arena, "%" PRId64, difference->place) : "");
        grid_add(&grid, since_text(block, difference));
    }
    grid_write(&grid, 0, &text);
    return strbuf_take(&text, arena);
}

static bool is_narrow(const char *text, size_t room)
{
    for (const char *line = text; *line;) {
        size_t size = strcspn(line, "\n");
        if (utf8_length(line, size) > room) {
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

/* How many rows only one side has. */
static size_t count_one_sided(const struct failure *failure)
{
    size_t count = 0;
    for (size_t i = 0; i < failure->differences.count; i++) {
        count += failure->differences.items[i].kind != DIFFERENCE_CHANGED;
    }
    return count;
}

/* A table where there are several rows of several columns and it is not too wide. */
static bool write_as_table(struct block *block)
{
    const struct failure *failure = block->failure;
    if (failure->column_count < 2 || is_wide(block) || count_one_sided(failure) < 2) {
        return false;
    }
    const char *table = table_text(block);
    bool fits = is_narrow(table, room_of(block));
    if (fits) {
        write_table(block, table);
    }
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
        text_addf(block->text, "%*s… and %s more\n", LABEL, "",
                  show_count(&block->text->scratch,
                             failure->difference_count - failure->differences.count));
    }
}
