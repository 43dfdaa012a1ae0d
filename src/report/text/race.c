#include "report/text/race.h"

#include <string.h>

enum { COLUMN = 38, TEXT_MAX = 400 };

/* "withdraw_2": a step of a session, as orders name it. */
static const char *step_name(struct block *block, const struct race *race, size_t index)
{
    const struct race_step *step = &race->steps.items[index];
    size_t number = 1;
    for (size_t i = 0; i < index; i++) {
        number += race->steps.items[i].session == step->session;
    }
    return arena_printf(&block->text->scratch, "%c%zu", 'A' + (int)step->session - 1, number);
}

static const char *one_line(struct arena *arena, const char *text)
{
    struct strbuf out = {0};
    bool blank = false;
    for (size_t i = 0; text && text[i] && out.size < TEXT_MAX; i++) {
        bool space = strchr(" \t\r\n", text[i]) != NULL;
        if (!space && blank && out.size) {
            strbuf_addc(&out, ' ');
        }
        if (!space) {
            strbuf_addc(&out, text[i]);
        }
        blank = space;
    }
    return strbuf_take(&out, arena);
}

static const char *event_text(struct block *block, const struct race *race,
                              const struct race_event *event)
{
    struct arena *arena = &block->text->scratch;
    const char *text = one_line(arena, event->text);
    switch (event->kind) {
    case RACE_SENT:
        return arena_printf(arena, "%s  %s", step_name(block, race, event->step), text);
    case RACE_STOPPED:
        return arena_printf(arena, "    stands at gate %u", event->crossing);
    case RACE_RELEASED:
        return "    goes on";
    case RACE_BLOCKED:
        return "    waits for a lock";
    case RACE_FREED:
        return "    has the lock";
    case RACE_ANSWERED:
        return arena_printf(arena, "    %s%s", event->failed ? "error: " : "", text);
    case RACE_AGAIN:
    default:
        return "    begins again";
    }
}

static void write_events(struct block *block, const struct race *race)
{
    struct text *text = block->text;
    strbuf_adds(text->out, "\n");
    for (unsigned i = 0; i < race->sessions; i++) {
        text_addf(text, "  %c%*s", 'A' + (int)i, i + 1 < race->sessions ? COLUMN : 0, "");
    }
    strbuf_addc(text->out, '\n');
    for (size_t i = 0; i < race->events.count; i++) {
        const struct race_event *event = &race->events.items[i];
        unsigned session = race->steps.items[event->step].session;
        text_addf(text, "  %*s%s\n", (int)(session - 1) * (COLUMN + 3), "",
                  event_text(block, race, event));
    }
}

static void write_steps(struct block *block, const struct race *race)
{
    struct arena *arena = &block->text->scratch;
    bool whole = true;
    for (size_t i = 0; i < race->steps.count; i++) {
        const struct race_step *step = &race->steps.items[i];
        text_addf(block->text, "  %s  %s  -> %s%s\n", step_name(block, race, i),
                  show_step(arena, &block->names, &step->shown,
                            block_limit(block, BLOCK_VALUE_WIDTH), &whole),
                  one_line(arena, step->answer), step->undone ? " (counts as not done)" : "");
    }
}

static void write_orders(struct block *block, const struct race *race)
{
    struct text *text = block->text;
    strbuf_adds(text->out, "\n");
    for (size_t i = 0; i < race->orders.count; i++) {
        const struct race_order *order = &race->orders.items[i];
        size_t shown = order->at < order->count ? order->at + 1 : order->count;
        for (size_t k = 0; k < shown; k++) {
            text_addf(text, "%s%s", k ? " " : "  ", step_name(block, race, order->steps[k]));
        }
        text_addf(text, "%s  %s", shown < order->count ? " …" : "", order->who);
        if (order->expected || order->actual) {
            text_addf(text, ": expected %s, got %s", order->expected ? order->expected : "?",
                      order->actual ? order->actual : "?");
        }
        strbuf_addc(text->out, '\n');
    }
}

void race_write(struct block *block)
{
    const struct race *race = block->failure->race;
    strbuf_adds(block->text->out, "\n");
    write_steps(block, race);
    write_events(block, race);
    write_orders(block, race);
}
