/* The steps of a failure, a line each. */
#include "report/text/block.h"

#include <string.h>

enum {
    LINES_SHOWN = 24, /* of a longer sequence: the first and the last ones */
    LINES_FIRST = 4,
    SAME_LEAST = 3, /* as many equal steps in a row share a line */
};

/* Steps that are written alike, one after the other. */
struct step_line {
    size_t first; /* from 0 */
    size_t count;
    const char *call; /* with its remark */
    bool whole;
};

struct step_lines {
    VEC(struct step_line) items;
};

/* Whether the name is that of a value which this step or a later one puts into a bundle. */
static bool given_later(const struct failure *failure, size_t index, const char *name)
{
    bool given = false;
    for (size_t i = index; i < failure->steps.count && !given; i++) {
        given = shown_step_gives(&failure->steps.items[i], name);
    }
    return given;
}

static struct step_line line_of(struct block *block, const struct failure *failure, size_t index)
{
    struct arena *arena = &block->text->scratch;
    struct show_names names = {0};
    struct step_line line = {.first = index, .count = 1, .whole = true};
    for (size_t i = 0; i < block->names.items.count; i++) {
        const struct shown_arg *name = &block->names.items.items[i];
        if (!given_later(failure, index, name->reference)) {
            *VEC_PUSH(arena, &names.items) = *name;
        }
    }
    const struct shown_step *step = &failure->steps.items[index];
    line.call = arena_printf(
        arena, "%s%s%s",
        show_step(arena, &names, step, block_limit(block, BLOCK_VALUE_WIDTH), &line.whole),
        step->remark ? "   # " : "", step->remark ? step->remark : "");
    return line;
}

/* How many steps from the one at `index` on are written alike. */
static size_t count_same(struct block *block, const struct failure *failure, size_t index,
                         const char *call)
{
    size_t end = index + 1;
    while (end < failure->steps.count && strcmp(line_of(block, failure, end).call, call) == 0) {
        end++;
    }
    return end - index;
}

static struct step_lines collect(struct block *block, const struct failure *failure)
{
    struct step_lines lines = {0};
    for (size_t i = 0; i < failure->steps.count;) {
        struct step_line line = line_of(block, failure, i);
        if (!block->text->options->whole) {
            size_t count = count_same(block, failure, i, line.call);
            line.count = count < SAME_LEAST ? 1 : count;
        }
        *VEC_PUSH(&block->text->scratch, &lines.items) = line;
        i += line.count;
    }
    return lines;
}

/* "3", "1-40" */
static const char *number_of(struct arena *arena, const struct step_line *line)
{
    return line->count == 1
               ? arena_printf(arena, "%zu", line->first + 1)
               : arena_printf(arena, "%zu-%zu", line->first + 1, line->first + line->count);
}

static size_t widest_number(struct block *block, const struct step_lines *lines)
{
    size_t widest = 0;
    for (size_t i = 0; i < lines->items.count; i++) {
        size_t width = strlen(number_of(&block->text->scratch, &lines->items.items[i]));
        widest = width > widest ? width : widest;
    }
    return widest;
}

static void write_line(struct block *block, const struct step_line *line, size_t width)
{
    struct arena *arena = &block->text->scratch;
    text_addf(block->text, "  %*s  %s%s\n", (int)width, number_of(arena, line), line->call,
              line->count > 1 ? arena_printf(arena, "   x%zu", line->count) : "");
}

static size_t count_steps(const struct step_lines *lines, size_t first, size_t end)
{
    size_t count = 0;
    for (size_t i = first; i < end; i++) {
        count += lines->items.items[i].count;
    }
    return count;
}

bool block_steps(struct block *block, const struct failure *failure)
{
    struct step_lines lines = collect(block, failure);
    size_t count = lines.items.count;
    size_t width = widest_number(block, &lines);
    bool all = block->text->options->whole || count <= LINES_SHOWN;
    bool whole = all;
    size_t left_out = all ? 0 : count - (LINES_SHOWN - 1);
    strbuf_adds(block->text->out, count ? "\n" : "");
    for (size_t i = 0; i < count; i++) {
        if (left_out && i == LINES_FIRST) {
            text_addf(block->text, "%*s…  %zu more steps; -v shows them\n", (int)width + 1, "",
                      count_steps(&lines, i, i + left_out));
            i += left_out;
        }
        const struct step_line *line = &lines.items.items[i];
        write_line(block, line, width);
        whole = whole && line->whole && line->count == 1;
    }
    return whole;
}
