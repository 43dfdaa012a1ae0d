/* The steps of a failure, a line each. */
#include "report/text/answers.h"
#include "report/text/block.h"

#include "base/utf8.h"

#include <string.h>

enum {
    LINES_SHOWN = 24, /* of a longer sequence: the first and the last ones */
    LINES_FIRST = 4,
    SAME_LEAST = 3,   /* as many equal steps in a row share a line */
    ANSWER_ROOM = 20, /* characters of a line that calls leave to the answers */
};

/* Steps that are written alike, one after the other. */
struct step_line {
    size_t first; /* from 0 */
    size_t count;
    const char *call;   /* with how often it was made */
    const char *remark; /* or "" */
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

/* Takes what stands behind the call as a comment from it. */
static const char *take_remark(struct arena *arena, const char **call)
{
    static const char mark[] = ")   # ";
    const char *at = NULL;
    for (const char *next = *call; (next = strstr(next, mark)); next++) {
        at = next + 1;
    }
    if (!at || (*call)[strlen(*call) - 1] == ')') {
        return "";
    }
    *call = arena_strndup(arena, *call, (size_t)(at - *call));
    return at;
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
    line.call = show_step(arena, &names, step, block_limit(block, BLOCK_VALUE_WIDTH), &line.whole);
    line.remark = take_remark(arena, &line.call);
    if (step->remark) {
        line.remark = arena_printf(arena, "%s   # %s", line.remark, step->remark);
    }
    return line;
}

/* How many steps from that of the line on are written like it. */
static size_t count_same(struct block *block, const struct failure *failure,
                         const struct step_line *line)
{
    size_t end = line->first + 1;
    for (; end < failure->steps.count; end++) {
        struct step_line next = line_of(block, failure, end);
        if (strcmp(next.call, line->call) != 0 || strcmp(next.remark, line->remark) != 0) {
            break;
        }
    }
    return end - line->first;
}

static struct step_lines collect(struct block *block, const struct failure *failure)
{
    struct step_lines lines = {0};
    for (size_t i = 0; i < failure->steps.count;) {
        struct step_line line = line_of(block, failure, i);
        if (!block->text->options->whole) {
            size_t count = count_same(block, failure, &line);
            line.count = count < SAME_LEAST ? 1 : count;
        }
        if (line.count > 1) {
            line.call = arena_printf(&block->text->scratch, "%s   x%zu", line.call, line.count);
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

static size_t width_of(const char *text) { return utf8_length(text, strlen(text)); }

/* How wide calls are, but for those that leave no room for an answer. */
static size_t widest_call(struct block *block, const struct step_lines *lines, size_t number)
{
    size_t used = number + 4 + ANSWER_ROOM;
    size_t room = text_width(block->text) > used ? text_width(block->text) - used : 0;
    size_t widest = 0;
    for (size_t i = 0; i < lines->items.count; i++) {
        size_t width = width_of(lines->items.items[i].call);
        widest = width > widest && width <= room ? width : widest;
    }
    return widest;
}

static const char *answer_of(struct block *block, const struct failure *failure,
                             const struct step_line *line)
{
    const struct answers answers = {
        .arena = &block->text->scratch,
        .account = failure->account,
        .names = &block->names,
        .now = block->text->run->machine->clock ? "now" : NULL,
    };
    return failure->account ? step_answers(&answers, line->first, line->count) : NULL;
}

struct step_widths {
    size_t number;
    size_t call;
};

/* The step that failed has a mark, which does not keep the line from being pasted. Where the answer
 * is the time, it stands in the place of the remark that says it. */
static void write_line(struct block *block, const struct failure *failure,
                       const struct step_line *line, const struct step_widths *widths)
{
    const char *number = number_of(&block->text->scratch, line);
    const char *answer = answer_of(block, failure, line);
    bool failed = failure->step == line->first + line->count;
    bool moves_clock = answer && strncmp(answer, "now ", 4) == 0;
    text_addf(block->text, "  %*s", (int)widths->number, number);
    text_paint(block->text, failed ? PAINT_BAD : PAINT_NONE, failed ? ">" : " ");
    text_addf(block->text, " %s", line->call);
    if (answer) {
        size_t width = width_of(line->call);
        size_t blank = width < widths->call ? widths->call - width : 0;
        text_addf(block->text, "%*s   %s", (int)blank, "", answer);
    }
    text_addf(block->text, "%s\n", moves_clock ? "" : line->remark);
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
    struct step_widths widths = {.number = widest_number(block, &lines)};
    widths.call = widest_call(block, &lines, widths.number);
    bool all = block->text->options->whole || count <= LINES_SHOWN;
    bool whole = all;
    size_t left_out = all ? 0 : count - (LINES_SHOWN - 1);
    strbuf_adds(block->text->out, count ? "\n" : "");
    for (size_t i = 0; i < count; i++) {
        if (left_out && i == LINES_FIRST) {
            text_addf(block->text, "%*s…  %zu more steps; -v shows them\n", (int)widths.number + 1,
                      "", count_steps(&lines, i, i + left_out));
            i += left_out;
        }
        const struct step_line *line = &lines.items.items[i];
        write_line(block, failure, line, &widths);
        whole = whole && line->whole && line->count == 1;
    }
    return whole;
}
