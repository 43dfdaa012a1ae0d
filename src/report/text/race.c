#include "report/text/race.h"

#include "base/utf8.h"
#include "report/race.h"

#include <string.h>

enum {
    DEFAULT_WIDTH = 100, /* of a line */
    COLUMN_LEAST = 24,
    BETWEEN = 3, /* columns */
    INDENT = 4,  /* of what happens to a statement, below it; as wide as "A1  " */
    TEXT_SHOWN = 240,
    LINES_SHOWN = 4, /* of a statement, of an answer */
    ORDERS_SHOWN = 8,
};

/* What stands in the column of a session that does nothing. */
static const char *const marks[] = {
    [STANDS_IDLE] = "", [STANDS_WAITING] = "|", [STANDS_AT_GATE] = ":"};

/* The timeline while it is being written. */
struct timeline {
    struct block *block;
    const struct race *race;
    struct race_lines lines;
    size_t width; /* of a column */
    enum race_standing standing[TRACE_SESSIONS_MAX];
};

static struct race_words words_of(struct block *block)
{
    return (struct race_words){&block->text->scratch, &block->names,
                               block_limit(block, TEXT_SHOWN)};
}

/* --- lines --- */

static void add_padded(struct strbuf *out, const char *text, size_t size, size_t width)
{
    size_t length = utf8_length(text, size);
    strbuf_add(out, text, size);
    strbuf_fill(out, ' ', length < width ? width - length : 0);
}

/* A line with the text in the session's column, and in those of others what they are waiting for.
 */
static void write_line(struct timeline *timeline, unsigned session, const char *head,
                       const char *text, size_t size)
{
    struct strbuf *out = timeline->block->text->out;
    struct strbuf line = {0};
    for (unsigned i = 0; i < timeline->race->sessions; i++) {
        strbuf_fill(&line, ' ', i ? BETWEEN : 2);
        if (i + 1 == session) {
            add_padded(&line, head, strlen(head), INDENT);
            add_padded(&line, text, size, timeline->width - INDENT);
        } else {
            strbuf_fill(&line, ' ', INDENT);
            const char *mark = marks[timeline->standing[i]];
            add_padded(&line, mark, strlen(mark), timeline->width - INDENT);
        }
    }
    while (line.size && line.data[line.size - 1] == ' ') {
        line.size--;
    }
    strbuf_add(out, strbuf_text(&line), line.size);
    strbuf_addc(out, '\n');
    strbuf_free(&line);
}

/* How much of the text goes on a line of `width` characters: up to a blank, if there is one in its
 * second half. */
static size_t fitting(const char *text, size_t width)
{
    size_t size = strlen(text);
    size_t most = utf8_offset(text, size, width);
    if (most == size) {
        return size;
    }
    for (size_t cut = most; cut > most / 2; cut--) {
        if (text[cut] == ' ') {
            return cut;
        }
    }
    return most;
}

/* The same with as many lines as it takes, up to LINES_SHOWN. */
static void write_cell(struct timeline *timeline, unsigned session, const char *head,
                       const char *text)
{
    struct block *block = timeline->block;
    size_t width = timeline->width - INDENT;
    for (size_t lines = 1; lines == 1 || *text; lines++) {
        bool last = lines == LINES_SHOWN && !block->text->options->whole;
        size_t size = fitting(text, width);
        if (last && text[size]) {
            size = fitting(text, width - 2);
            text = arena_printf(&block->text->scratch, "%.*s …", (int)size, text);
            size = strlen(text);
        }
        write_line(timeline, session, head, text, size);
        text += size;
        text += *text == ' ';
        head = "";
    }
}

/* --- events --- */

static const char *answer_text(struct timeline *timeline, const struct race_line *line,
                               const char *answer)
{
    return arena_printf(&timeline->block->text->scratch, "-> %s%s", line->failed ? "error: " : "",
                        answer);
}

static const char *text_of(struct timeline *timeline, const struct race_line *line)
{
    return line->kind == RACE_ANSWERED ? answer_text(timeline, line, line->text) : line->text;
}

/* The line with the answer that came at once, where there is room; else NULL. */
static const char *joined(struct timeline *timeline, const struct race_line *line)
{
    if (!line->answer) {
        return NULL;
    }
    const char *both = arena_printf(&timeline->block->text->scratch, "%s  %s", line->text,
                                    answer_text(timeline, line, line->answer));
    return utf8_length(both, strlen(both)) <= timeline->width - INDENT ? both : NULL;
}

static void write_events(struct timeline *timeline)
{
    struct arena *arena = &timeline->block->text->scratch;
    for (size_t i = 0; i < timeline->lines.items.count; i++) {
        const struct race_line *line = &timeline->lines.items.items[i];
        const char *both = joined(timeline, line);
        bool sent = line->kind == RACE_SENT;
        write_cell(timeline, line->session,
                   sent ? race_step_name(arena, timeline->race, line->step) : "",
                   both ? both : text_of(timeline, line));
        if (line->answer && !both) {
            write_cell(timeline, line->session, "", answer_text(timeline, line, line->answer));
        }
        timeline->standing[line->session - 1] = race_standings[line->kind];
    }
}

static size_t wider(size_t widest, const char *text)
{
    size_t length = utf8_length(text, strlen(text)) + INDENT;
    return length > widest ? length : widest;
}

/* As wide as what is in them, and no wider than there is room for. */
static size_t column_width(struct timeline *timeline)
{
    const struct race *race = timeline->race;
    size_t given = timeline->block->text->options->width;
    size_t line = given ? given : DEFAULT_WIDTH;
    size_t between = 2 + BETWEEN * ((size_t)race->sessions - 1);
    size_t room = line > between ? (line - between) / race->sessions : 0;
    size_t widest = COLUMN_LEAST;
    timeline->width = room < COLUMN_LEAST ? COLUMN_LEAST : room;
    for (size_t i = 0; i < timeline->lines.items.count; i++) {
        const struct race_line *item = &timeline->lines.items.items[i];
        const char *both = joined(timeline, item);
        widest = wider(widest, both ? both : text_of(timeline, item));
        if (item->answer && !both) {
            widest = wider(widest, answer_text(timeline, item, item->answer));
        }
    }
    return widest < timeline->width ? widest : timeline->width;
}

static void write_timeline(struct block *block, const struct race *race)
{
    const struct race_words words = words_of(block);
    struct timeline timeline = {.block = block, .race = race, .lines = race_lines(&words, race)};
    timeline.width = column_width(&timeline);
    strbuf_adds(block->text->out, "\n ");
    for (unsigned i = 0; i < race->sessions; i++) {
        size_t blank = i ? timeline.width - 1 + BETWEEN : 1;
        text_addf(block->text, "%*s%c", (int)blank, "", 'A' + (int)i);
    }
    strbuf_addc(block->text->out, '\n');
    write_events(&timeline);
}

/* --- what is around it --- */

static void write_steps(struct block *block, const struct race *race)
{
    struct arena *arena = &block->text->scratch;
    bool whole = true;
    for (size_t i = 0; i < race->steps.count; i++) {
        const struct race_step *step = &race->steps.items[i];
        text_addf(block->text, "  %s  %s", race_step_name(arena, race, i),
                  show_step(arena, &block->names, &step->shown,
                            block_limit(block, BLOCK_VALUE_WIDTH), &whole));
        if (step->undone) {
            strbuf_adds(block->text->out, "  (lost against another session: counts as not done)");
        }
        strbuf_addc(block->text->out, '\n');
    }
}

static void write_orders(struct block *block, const struct race *race)
{
    const struct race_words words = words_of(block);
    const char *anomaly = race_anomaly_text(words.arena, race);
    size_t most = block->text->options->whole ? SIZE_MAX : ORDERS_SHOWN;
    text_addf(block->text, "\n  no order of the steps gives these answers:\n");
    for (size_t i = 0; i < race->orders.count && i < most; i++) {
        text_addf(block->text, "    %s\n", race_order_text(&words, race, &race->orders.items[i]));
    }
    if (race->orders.count > most) {
        text_addf(block->text, "    … %zu more orders; -v shows them\n", race->orders.count - most);
    }
    if (anomaly) {
        const char *dependency = race_dependency_text(words.arena, race);
        size_t start = block->text->out->size;
        text_addf(block->text, "\n  %s\n", anomaly);
        if (dependency) {
            text_addf(block->text, "    %s\n", dependency);
        }
        text_addf(block->text, "    %s\n", race_remedy_text(race));
        text_fold(block->text, start, 6);
    }
}

void race_write(struct block *block)
{
    const struct race *race = block->failure->race;
    strbuf_adds(block->text->out, "\n");
    write_steps(block, race);
    write_timeline(block, race);
    write_orders(block, race);
}
