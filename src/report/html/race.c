#include "report/html/race.h"

#include "report/race.h"

enum {
    TEXT = 600,  /* characters of a statement, of an answer */
    LINES = 400, /* of a timeline */
    ORDERS = 40,
};

static void add_steps(struct parts *parts, const struct race_words *words, const struct race *race)
{
    bool whole = true;
    data_open(parts->out, "steps", '[');
    for (size_t i = 0; i < race->steps.count; i++) {
        const struct race_step *step = &race->steps.items[i];
        data_open(parts->out, NULL, '{');
        data_text(parts->out, "name", race_step_name(words->arena, race, i));
        data_number(parts->out, "session", step->session);
        data_text(parts->out, "call",
                  show_step(words->arena, words->names, &step->shown, SHOW_ALL, &whole));
        data_text(parts->out, "answer", race_text(words, step->answer));
        data_flag(parts->out, "lost", step->undone);
        data_close(parts->out, '}');
    }
    data_close(parts->out, ']');
}

static void add_lines(struct parts *parts, const struct race_words *words, const struct race *race)
{
    static const char *const stands[] = {
        [STANDS_WAITING] = "waits", [STANDS_AT_GATE] = "stops", [STANDS_IDLE] = NULL};
    const struct race_lines lines = race_lines(words, race);
    data_open(parts->out, "lines", '[');
    for (size_t i = 0; i < lines.items.count && i < LINES; i++) {
        const struct race_line *line = &lines.items.items[i];
        data_open(parts->out, NULL, '{');
        data_number(parts->out, "step", line->step);
        data_flag(parts->out, "sent", line->kind == RACE_SENT);
        data_text(parts->out, "text", line->kind == RACE_ANSWERED ? NULL : line->text);
        data_text(parts->out, "answer", line->kind == RACE_ANSWERED ? line->text : line->answer);
        data_flag(parts->out, "failed", line->failed);
        data_text(parts->out, "stands", stands[race_standings[line->kind]]);
        data_close(parts->out, '}');
    }
    data_close(parts->out, ']');
    data_number(parts->out, "lineCount", lines.items.count);
}

static void add_orders(struct parts *parts, const struct race_words *words, const struct race *race)
{
    data_open(parts->out, "orders", '[');
    for (size_t i = 0; i < race->orders.count && i < ORDERS; i++) {
        const struct race_order *order = &race->orders.items[i];
        const struct race_verdict verdict = race_verdict(words, order);
        data_open(parts->out, NULL, '{');
        data_open(parts->out, "steps", '[');
        for (size_t k = 0; k < order->count; k++) {
            data_number(parts->out, NULL, order->steps[k]);
        }
        data_close(parts->out, ']');
        data_number(parts->out, "shown", verdict.shown);
        data_flag(parts->out, "end", verdict.at_end);
        data_text(parts->out, "who", show_name(words->arena, order->who));
        data_text(parts->out, "should", verdict.should);
        data_text(parts->out, "expected", verdict.expected);
        data_text(parts->out, "but", verdict.but);
        data_text(parts->out, "actual", verdict.actual);
        data_close(parts->out, '}');
    }
    data_close(parts->out, ']');
    data_number(parts->out, "orderCount", race->orders.count);
}

void html_race(struct parts *parts, const char *key, const struct race *race)
{
    const struct race_words words = {parts->arena, parts->names, TEXT};
    data_open(parts->out, key, '{');
    data_number(parts->out, "sessions", race->sessions);
    data_text(parts->out, "anomaly", race_anomaly_text(parts->arena, race));
    data_text(parts->out, "dependency", race_dependency_text(parts->arena, race));
    data_text(parts->out, "remedy", race_remedy_text(race));
    add_steps(parts, &words, race);
    add_lines(parts, &words, race);
    add_orders(parts, &words, race);
    data_close(parts->out, '}');
}
