#include "cli/progress.h"

#include "base/utf8.h"
#include "base/visible.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { INTERVAL_US = 100000, DEFAULT_WIDTH = 80 };

static size_t terminal_width(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col
                                                                       : (size_t)DEFAULT_WIDTH;
}

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
    strbuf_adds(out, "  ");
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

void progress_text(const char *name, const struct pgfsm_progress *at, struct strbuf *out)
{
    if (at->mutants_planned) {
        add_mutants(name, at, out);
        return;
    }
    strbuf_addf(out, "%s  %" PRIu64 "/%" PRIu64 " examples  ", name, at->examples,
                at->examples_planned);
    if (at->failures) {
        strbuf_addf(out, "%" PRIu64 " failure%s  ", at->failures, plural(at->failures));
    }
    if (at->shrink_runs) {
        strbuf_addf(out, "shrinking a failure: %" PRIu64 " run%s, %" PRIu64 " step%s so far",
                    at->shrink_runs, plural(at->shrink_runs), at->shrink_steps,
                    plural(at->shrink_steps));
        return;
    }
    strbuf_addf(out, "%" PRIu64 " steps", at->steps);
    if (at->time_us) {
        strbuf_addf(out, "  %.0f steps/s", (double)at->steps * 1e6 / (double)at->time_us);
    }
    add_left(at, out);
}

void progress_draw(struct progress *progress, const struct pgfsm_progress *at)
{
    if (!progress->on || at->time_us < progress->next_us) {
        return;
    }
    progress->next_us = at->time_us + INTERVAL_US;
    progress->shown = true;
    struct strbuf line = {0};
    struct strbuf safe = {0};
    progress_text(progress->name, at, &line);
    visible_add(&safe, VISIBLE_LINE, strbuf_text(&line), line.size);
    size_t size = utf8_offset(strbuf_text(&safe), safe.size, terminal_width() - 1);
    fprintf(stderr, "\r%.*s\x1b[K", (int)size, strbuf_text(&safe));
    strbuf_free(&line);
    strbuf_free(&safe);
}

void progress_clear(struct progress *progress)
{
    if (progress->shown) {
        fputs("\r\x1b[K", stderr);
        progress->shown = false;
    }
}
