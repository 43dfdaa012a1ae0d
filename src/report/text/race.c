#include "report/text/race.h"

#include "base/utf8.h"

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

/* What a session is doing while others go on. */
enum standing { STANDS_IDLE, STANDS_WAITING, STANDS_AT_GATE };
static const char *const marks[] = {
    [STANDS_IDLE] = "", [STANDS_WAITING] = "|", [STANDS_AT_GATE] = ":"};

/* The timeline while it is being written. */
struct timeline {
    struct block *block;
    const struct race *race;
    size_t width; /* of a column */
    enum standing standing[TRACE_SESSIONS_MAX];
};

/* "A1": a step of a session, as orders name it. */
static const char *step_name(struct block *block, const struct race *race, size_t index)
{
    const struct race_step *step = &race->steps.items[index];
    size_t number = 1;
    for (size_t i = 0; i < index; i++) {
        number += race->steps.items[i].session == step->session;
    }
    return arena_printf(&block->text->scratch, "%c%zu", 'A' + (int)step->session - 1, number);
}

/* Safe to show on one line: white space folded, ids by name. */
static const char *one_line(struct block *block, const char *text)
{
    struct arena *arena = &block->text->scratch;
    struct strbuf out = {0};
    bool blank = false;
    for (size_t i = 0; text && text[i]; i++) {
        bool space = strchr(" \t\r\n", text[i]) != NULL;
        if (!space && blank && out.size) {
            strbuf_addc(&out, ' ');
        }
        if (!space) {
            strbuf_addc(&out, text[i]);
        }
        blank = space;
    }
    return show_text(arena, &block->names, strbuf_take(&out, arena),
                     block_limit(block, TEXT_SHOWN));
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

/* What came of a statement that was answered at once: on its line, where there is room. */
static const char *joined(struct timeline *timeline, size_t index)
{
    const struct race *race = timeline->race;
    const struct race_event *sent = &race->events.items[index];
    const struct race_event *next = sent + 1;
    struct arena *arena = &timeline->block->text->scratch;
    if (index + 1 == race->events.count || next->kind != RACE_ANSWERED ||
        next->step != sent->step || next->call != sent->call) {
        return NULL;
    }
    const char *statement = one_line(timeline->block, sent->text);
    const char *answer = one_line(timeline->block, next->text);
    if (strcmp(statement, answer) == 0) {
        return statement; /* COMMIT */
    }
    const char *both =
        arena_printf(arena, "%s  -> %s%s", statement, next->failed ? "error: " : "", answer);
    return utf8_length(both, strlen(both)) <= timeline->width - INDENT ? both : NULL;
}

static const char *event_text(struct timeline *timeline, const struct race_event *event)
{
    struct arena *arena = &timeline->block->text->scratch;
    const char *text = one_line(timeline->block, event->text);
    switch (event->kind) {
    case RACE_SENT:
        return text;
    case RACE_STOPPED:
        return *text ? arena_printf(arena, "stops %s", text) : "stops";
    case RACE_RELEASED:
        return "goes on";
    case RACE_BLOCKED:
        return timeline->race->sessions > 2                            ? "waits for a lock"
               : timeline->race->steps.items[event->step].session == 1 ? "waits for a lock of B"
                                                                       : "waits for a lock of A";
    case RACE_FREED:
        return "has the lock";
    case RACE_ANSWERED:
        return arena_printf(arena, "-> %s%s", event->failed ? "error: " : "", text);
    case RACE_AGAIN:
    default:
        return "begins again";
    }
}

static void write_events(struct timeline *timeline)
{
    static const enum standing standing[] = {
        [RACE_STOPPED] = STANDS_AT_GATE,
        [RACE_BLOCKED] = STANDS_WAITING,
        [RACE_AGAIN] = STANDS_IDLE,
    };
    const struct race *race = timeline->race;
    for (size_t i = 0; i < race->events.count; i++) {
        const struct race_event *event = &race->events.items[i];
        unsigned session = race->steps.items[event->step].session;
        bool sent = event->kind == RACE_SENT;
        const char *both = sent ? joined(timeline, i) : NULL;
        write_cell(timeline, session, sent ? step_name(timeline->block, race, event->step) : "",
                   both ? both : event_text(timeline, event));
        timeline->standing[session - 1] = standing[event->kind];
        i += both != NULL;
    }
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
    for (size_t i = 0; i < race->events.count; i++) {
        const struct race_event *event = &race->events.items[i];
        const char *both = event->kind == RACE_SENT ? joined(timeline, i) : NULL;
        const char *text = both ? both : event_text(timeline, event);
        size_t length = utf8_length(text, strlen(text)) + INDENT;
        widest = length > widest ? length : widest;
    }
    return widest < timeline->width ? widest : timeline->width;
}

static void write_timeline(struct block *block, const struct race *race)
{
    struct timeline timeline = {.block = block, .race = race};
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
        text_addf(block->text, "  %s  %s", step_name(block, race, i),
                  show_step(arena, &block->names, &step->shown,
                            block_limit(block, BLOCK_VALUE_WIDTH), &whole));
        if (step->undone) {
            strbuf_adds(block->text->out, "  (lost against another session: counts as not done)");
        }
        strbuf_addc(block->text->out, '\n');
    }
}

static void write_order(struct block *block, const struct race *race,
                        const struct race_order *order)
{
    struct text *text = block->text;
    struct strbuf names = {0};
    bool at_end = order->at >= order->count;
    size_t shown = at_end ? order->count : order->at + 1;
    for (size_t k = 0; k < shown; k++) {
        strbuf_addf(&names, "%s ", step_name(block, race, order->steps[k]));
    }
    strbuf_adds(&names, shown < order->count ? "… " : "");
    text_addf(text, "    %s ", strbuf_text(&names));
    strbuf_free(&names);
    if (at_end) {
        text_addf(text, "%s", order->who);
    } else {
        text_addf(text, "%s (%s)", step_name(block, race, order->steps[order->at]), order->who);
    }
    if (order->expected || order->actual) {
        text_addf(text, " should %s %s, but %s %s", order->raises ? "raise" : "give",
                  order->expected ? one_line(block, order->expected) : "something else",
                  order->raises ? "raised" : "gave",
                  order->actual ? one_line(block, order->actual) : "this");
    } else {
        strbuf_adds(text->out, " does not hold");
    }
    strbuf_addc(text->out, '\n');
}

static void write_orders(struct block *block, const struct race *race)
{
    size_t most = block->text->options->whole ? SIZE_MAX : ORDERS_SHOWN;
    text_addf(block->text, "\n  no order of the steps gives these answers:\n");
    for (size_t i = 0; i < race->orders.count && i < most; i++) {
        write_order(block, race, &race->orders.items[i]);
    }
    if (race->orders.count > most) {
        text_addf(block->text, "    … %zu more orders; -v shows them\n", race->orders.count - most);
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
