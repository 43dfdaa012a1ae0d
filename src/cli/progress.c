#include "cli/progress.h"

#include "base/utf8.h"
#include "base/visible.h"
#include "cli/terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    INTERVAL_US = 100000,
    BAR_WIDTH = 21,
    BAR_LEAST = 8, /* a shorter one says nothing */
};

static void add_time(double seconds, struct strbuf *out)
{
    if (seconds >= 100) {
        strbuf_addf(out, "%.0f min", seconds / 60);
    } else {
        strbuf_addf(out, "%.0f s", seconds);
    }
}

/* Where the run will be cut short: when, and how long it would go on. */
static void add_left(const struct pgfsm_progress *at, struct strbuf *out)
{
    uint64_t done = at->mutants_planned ? at->mutants : at->examples;
    uint64_t planned = at->mutants_planned ? at->mutants_planned : at->examples_planned;
    if (done == 0 || done >= planned) {
        return;
    }
    double left = (double)at->time_us / (double)done * (double)(planned - done) / 1e6;
    double until_cut = ((double)at->max_time_us - (double)at->time_us) / 1e6;
    strbuf_adds(out, "   ");
    add_time(left, out);
    strbuf_adds(out, " left");
    if (at->max_time_us && left > until_cut) {
        strbuf_adds(out, ", max_time in ");
        add_time(until_cut > 0 ? until_cut : 0, out);
    }
}

static void add_mutants(const char *name, const struct pgfsm_progress *at, struct strbuf *out)
{
    strbuf_addf(out,
                "%s  %" PRIu64 "/%" PRIu64 " mutants  %" PRIu64 " killed  %" PRIu64 " survived",
                name, at->mutants, at->mutants_planned, at->killed, at->survivors);
    if (at->survivor) {
        const char *on = strstr(at->survivor, " on "); /* of a policy its table */
        strbuf_addf(out, " (%.*s)", (int)(on ? on - at->survivor : (ptrdiff_t)strlen(at->survivor)),
                    at->survivor);
    }
    add_left(at, out);
}

static void add_examples(const struct pgfsm_progress *at, struct strbuf *out)
{
    strbuf_addf(out, "%" PRIu64 "/%" PRIu64, at->examples, at->examples_planned);
    if (at->failures) {
        strbuf_addf(out, "   %" PRIu64 " %s%s", at->failures,
                    at->differs ? "difference" : "failure", plural(at->failures));
    }
    if (at->shrink_runs) {
        strbuf_addf(out, "   shrinking a %s: %" PRIu64 " run%s, %" PRIu64 " step%s so far",
                    at->differs ? "difference" : "failure", at->shrink_runs,
                    plural(at->shrink_runs), at->shrink_steps, plural(at->shrink_steps));
        return;
    }
    strbuf_addf(out, "   %" PRIu64 " step%s", at->steps, plural(at->steps));
    add_left(at, out);
}

static void add_rules(const struct pgfsm_progress *at, struct strbuf *out)
{
    if (at->rules && !at->shrink_runs) {
        strbuf_addf(out, "   %" PRIu64 " of %" PRIu64 " rules", at->rules_ran, at->rules);
        if (at->pairs) {
            strbuf_addf(out, ", %" PRIu64 " of %" PRIu64 " pairs", at->pairs_seen, at->pairs);
        }
    }
}

static void add_bar(const struct pgfsm_progress *at, enum progress_bar bar, size_t width,
                    struct strbuf *out)
{
    static const char *const parts[][2] = {
        [PROGRESS_ASCII] = {"#", "."}, [PROGRESS_BLOCKS] = {"█", "░"}};
    uint64_t planned = at->examples_planned;
    uint64_t done = at->examples < planned ? at->examples : planned;
    for (size_t i = 0; i < width; i++) {
        strbuf_adds(out, parts[bar][i >= done * width / planned]);
    }
    strbuf_adds(out, "  ");
}

static size_t width_of(const struct strbuf *text)
{
    return utf8_length(strbuf_text(text), text->size);
}

/* The bar gets what the rest leaves it; without room for it the rules go. */
static void add_parts(const char *name, const struct pgfsm_progress *at, enum progress_bar bar,
                      size_t width, struct strbuf *out)
{
    struct strbuf examples = {0};
    struct strbuf rules = {0};
    add_examples(at, &examples);
    add_rules(at, &rules);
    strbuf_addf(out, "%s  ", name);
    size_t used = width_of(out) + width_of(&examples);
    if (used + BAR_LEAST + 2 + width_of(&rules) > width) {
        strbuf_clear(&rules);
    }
    used += 2 + width_of(&rules);
    size_t room = used < width ? width - used : 0;
    if (at->examples_planned && room >= BAR_LEAST) {
        add_bar(at, bar, room < BAR_WIDTH ? room : BAR_WIDTH, out);
    }
    strbuf_adds(out, strbuf_text(&examples));
    strbuf_adds(out, strbuf_text(&rules));
    strbuf_free(&examples);
    strbuf_free(&rules);
}

void progress_text(const char *name, const struct pgfsm_progress *at, enum progress_bar bar,
                   size_t width, struct strbuf *out)
{
    struct strbuf line = {0};
    struct strbuf safe = {0};
    if (at->mutants_planned) {
        add_mutants(name, at, &line);
    } else {
        add_parts(name, at, bar, width, &line);
    }
    visible_add(&safe, VISIBLE_LINE, strbuf_text(&line), line.size);
    strbuf_add(out, strbuf_text(&safe), utf8_offset(strbuf_text(&safe), safe.size, width));
    strbuf_free(&line);
    strbuf_free(&safe);
}

/* By the variables that setlocale() reads, in its order. */
static enum progress_bar bar_of_locale(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *value = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !(value && *value); i++) {
        value = getenv(names[i]);
    }
    bool utf8 = value && (strcasestr(value, "utf-8") || strcasestr(value, "utf8"));
    return utf8 ? PROGRESS_BLOCKS : PROGRESS_ASCII;
}

void progress_draw(struct progress *progress, const struct pgfsm_progress *at)
{
    if (!progress->on || at->time_us < progress->next_us) {
        return;
    }
    progress->next_us = at->time_us + INTERVAL_US;
    progress->shown = true;
    struct strbuf line = {0};
    size_t width = terminal_columns(STDERR_FILENO) - 1;
    progress_text(progress->name, at, bar_of_locale(), width, &line);
    fprintf(stderr, "\r%s\x1b[K", strbuf_text(&line));
    strbuf_free(&line);
}

void progress_clear(struct progress *progress)
{
    if (progress->shown) {
        fputs("\r\x1b[K", stderr);
        progress->shown = false;
    }
}
