#include "report/race.h"

#include <string.h>

const enum race_standing race_standings[] = {
    [RACE_SENT] = STANDS_IDLE,       [RACE_STOPPED] = STANDS_AT_GATE, [RACE_RELEASED] = STANDS_IDLE,
    [RACE_BLOCKED] = STANDS_WAITING, [RACE_FREED] = STANDS_IDLE,      [RACE_ANSWERED] = STANDS_IDLE,
    [RACE_AGAIN] = STANDS_IDLE,
};

const char *race_step_name(struct arena *arena, const struct race *race, size_t index)
{
    const struct race_step *step = &race->steps.items[index];
    size_t number = 1;
    for (size_t i = 0; i < index; i++) {
        number += race->steps.items[i].session == step->session;
    }
    return arena_printf(arena, "%c%zu", 'A' + (int)step->session - 1, number);
}

const char *race_text(const struct race_words *words, const char *text)
{
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
    return show_text(words->arena, words->names, strbuf_take(&out, words->arena), words->limit);
}

/* --- lines --- */

static const char *line_text(const struct race_words *words, const struct race *race,
                             const struct race_event *event)
{
    const char *text = race_text(words, event->text);
    switch (event->kind) {
    case RACE_STOPPED:
        return *text ? arena_printf(words->arena, "stops %s", text) : "stops";
    case RACE_RELEASED:
        return "goes on";
    case RACE_BLOCKED:
        return race->sessions > 2                            ? "waits for a lock"
               : race->steps.items[event->step].session == 1 ? "waits for a lock of B"
                                                             : "waits for a lock of A";
    case RACE_FREED:
        return "has the lock";
    case RACE_AGAIN:
        return "begins again";
    case RACE_SENT:
    case RACE_ANSWERED:
    default:
        return text;
    }
}

/* Whether the next event is the answer to what this one sent. */
static bool is_answered_at_once(const struct race *race, size_t index)
{
    const struct race_event *sent = &race->events.items[index];
    const struct race_event *next = sent + 1;
    return sent->kind == RACE_SENT && index + 1 < race->events.count &&
           next->kind == RACE_ANSWERED && next->step == sent->step && next->call == sent->call;
}

struct race_lines race_lines(const struct race_words *words, const struct race *race)
{
    struct race_lines lines = {0};
    for (size_t i = 0; i < race->events.count; i++) {
        const struct race_event *event = &race->events.items[i];
        struct race_line *line = VEC_PUSH(words->arena, &lines.items);
        *line = (struct race_line){.kind = event->kind,
                                   .step = event->step,
                                   .session = race->steps.items[event->step].session,
                                   .text = line_text(words, race, event),
                                   .failed = event->failed};
        if (is_answered_at_once(race, i)) {
            const struct race_event *answer = &race->events.items[++i];
            line->answer = race_text(words, answer->text);
            line->failed = answer->failed;
        }
        if (line->answer && strcmp(line->text, line->answer) == 0) {
            line->answer = NULL; /* COMMIT */
        }
    }
    return lines;
}

/* --- orders --- */

struct race_verdict race_verdict(const struct race_words *words, const struct race_order *order)
{
    struct race_verdict verdict = {.at_end = order->at >= order->count};
    verdict.shown = verdict.at_end ? order->count : order->at + 1;
    if (order->expected || order->actual) {
        verdict.should = order->raises ? "should raise" : "should give";
        verdict.expected = order->expected ? race_text(words, order->expected) : "something else";
        verdict.but = order->raises ? "but raised" : "but gave";
        verdict.actual = order->actual ? race_text(words, order->actual) : "this";
    }
    return verdict;
}

const char *race_headline(struct arena *arena, const struct race *race)
{
    return arena_printf(arena, "%u sessions: no serial order explains this", race->sessions);
}
