#include "report/text/text.h"

#include <inttypes.h>
#include <math.h>

/* "37 of 100 examples, 1,812 steps, 0.31 s, seed 7261" */
const char *text_totals(struct text *text)
{
    const struct run_stats *stats = &text->run->result->stats;
    struct arena *arena = &text->scratch;
    uint64_t planned = text->run->examples_planned;
    bool fewer = stats->examples < planned;
    return arena_printf(arena, "%s%s%s, %s, %s, seed %" PRIu64,
                        fewer ? show_count(arena, stats->examples) : "", fewer ? " of " : "",
                        show_counted(arena, fewer ? planned : stats->examples, "example"),
                        show_counted(arena, stats->steps, "step"),
                        show_duration(arena, stats->time_us), text->run->result->seed);
}

/* How a run ended, where no failure's block says it. */
static void write_end(struct text *text, enum paint paint, const char *word, const char *note)
{
    text_paint(text, paint, word);
    text_addf(text, "  %s  %s", text->run->machine->name, text_totals(text));
    if (note) {
        strbuf_adds(text->out, "; ");
        text_paint(text, PAINT_WARN, note);
    }
    strbuf_addc(text->out, '\n');
}

/* "rate  orders  37 of 400 examples failed (9.2 %, give or take 1.4), uniform" */
static void write_rate(struct text *text)
{
    const struct run_result *result = text->run->result;
    double count = (double)result->stats.examples;
    double rate = count > 0 ? (double)result->failed / count : 0;
    double error = count > 0 ? sqrt(rate * (1 - rate) / count) : 0;
    text_addf(text, "rate  %s  %" PRIu64 " of ", text->run->machine->name, result->failed);
    text_addf(text, "%" PRIu64 " examples failed (%.1f %%, give or take %.1f), %s\n",
              result->stats.examples, 100 * rate, 100 * error, text->run->ways);
}

static const char *nothing_text(struct text *text)
{
    const char *why = text->run->nothing;
    return why ? arena_printf(&text->scratch, "nothing was run: %s", why) : "nothing was run";
}

static void write_verdict(struct text *text)
{
    const struct run_result *result = text->run->result;
    const char *cut = result->cut_short ? "the time was up" : NULL;
    const char *replayed = text->run->replayed ? arena_printf(&text->scratch, "%s no longer fails",
                                                              text->run->replayed)
                                               : NULL;
    if (text->run->stopped == ERROR_INTERRUPTED) {
        write_end(text, PAINT_WARN, "stop", "interrupted");
    } else if (text->run->stopped != ERROR_NONE) {
        write_end(text, PAINT_BAD, "stop", "the run could not continue");
    } else if (text->run->mutation && text->run->mutation->listed) {
        return;
    } else if (result->outcome == RUN_NOTHING) {
        write_end(text, PAINT_WARN, "none", cut ? cut : nothing_text(text));
    } else if (result->outcome == RUN_PASSED && text->run->ways) {
        write_rate(text);
    } else if (result->outcome == RUN_PASSED && text->run->unmet) {
        write_end(text, PAINT_BAD, "unmet",
                  report_unmet(text->run) ? "a requirement is not met"
                  : report_score_low(text->run)
                      ? "fewer mutants were killed than --min-score asks"
                      : "a rule never ran, which --strict does not allow");
    } else if (result->outcome == RUN_PASSED && !text->options->quiet) {
        write_end(text, report_misses(text->run) ? PAINT_WARN : PAINT_GOOD, "ok",
                  replayed ? replayed : cut);
    }
}

/* "2 failures in 27 of 100 examples, 1,812 steps, 0.31 s, seed 7261". */
static void write_failed(struct text *text)
{
    const struct run_result *result = text->run->result;
    if (result->failures.count && text->run->stopped == ERROR_NONE && report_explores(text->run)) {
        text_paint(text, PAINT_BAD,
                   show_counted(&text->scratch, result->failures.count, "failure"));
        text_addf(text, " in %s\n", text_totals(text));
    }
}

/* A run ends soon after its first failure: other properties may fail, too. */
static void write_early_end(struct text *text)
{
    const struct run_result *result = text->run->result;
    if (result->failures.count && !result->cut_short && text->run->stopped == ERROR_NONE &&
        report_explores(text->run) && result->stats.examples < text->run->examples_planned) {
        text_warn(text, "ended early",
                  "soon after the first failure; --max-failures N goes on until there are N");
    }
}

/* What is marked xfail, and holds: that fails the run. */
static void write_outdated(struct text *text, const struct known_result *known)
{
    text_paint(text, PAINT_BAD, "FAIL");
    text_addf(text, "  %s  %s holds, but is marked xfail\n\n", text->run->machine->name,
              known->what);
    text_addf(text, "  reason   %s\n", known->mark->reason);
    text_addf(text, "  stated   %s:%zu\n", known->mark->pos.source->name,
              source_place(known->mark->pos).line);
    text_addf(text,
              "  it did not fail in %s: remove xfail, or write `strict: false` if it fails now and "
              "then\n\n",
              show_counted(&text->scratch, known->tried, known->noun));
}

static void write_known(struct text *text, const struct known_result *known)
{
    struct arena *arena = &text->scratch;
    const char *seen =
        known->verdict == KNOWN_FAILED
            ? arena_printf(arena, "failed %s", show_counted(arena, known->failed, "time"))
            : "not seen in this run";
    text_warn(text, "known failure", "%s: %s; %s", known->what, seen, known->mark->reason);
}

static void write_marked(struct text *text, bool outdated)
{
    const struct run_result *result = text->run->result;
    for (size_t i = 0; i < result->known.count; i++) {
        const struct known_result *known = &result->known.items[i];
        if (outdated && known->verdict == KNOWN_PASSES) {
            write_outdated(text, known);
        } else if (!outdated && known->verdict != KNOWN_PASSES) {
            write_known(text, known);
        }
    }
}

static void add_run(struct report *report, const struct report_run *run, struct strbuf *out)
{
    struct text text = {.run = run, .options = &report->options, .out = out};
    for (size_t i = 0; i < run->result->failures.count; i++) {
        const struct failure *failure = &run->result->failures.items[i];
        if (text_failure_alone(&text, failure)) {
            text_failure(&text, failure);
            strbuf_addc(out, '\n');
        }
    }
    write_marked(&text, true);
    write_verdict(&text);
    if (!text.options->quiet) {
        write_failed(&text);
        write_early_end(&text);
        write_marked(&text, false);
        text_health(&text);
    }
    text_mutants(&text);
    if (text.options->stats && report_has_examples(run)) {
        text_stats(&text);
    }
    arena_free(&text.scratch);
}

/* A line for the end of a report about several machines: what failed. */
static void keep_line(struct report *report, const struct report_run *run)
{
    struct text text = {.run = run, .options = &report->options, .out = &report->kept};
    const struct run_result *result = run->result;
    if (report->options.machines < 2) {
        return;
    }
    if (run->machine && result->failures.count) {
        const char *name = run->machine->name;
        const char *what = text_summary(&text, &result->failures.items[0]);
        if (result->failures.count > 1) {
            what = arena_printf(
                &text.scratch, "%s; %s", what,
                show_counted(&text.scratch, result->failures.count - 1, "more failure"));
        }
        size_t start = report->kept.size;
        text_addf(&text, "  FAIL  %s  %s\n", name, what);
        text_fold(&text, start, 8);
    }
    arena_free(&text.scratch);
}

static void add(struct report *report, const struct report_run *run, struct strbuf *out)
{
    keep_line(report, run);
    for (size_t i = 0; i < run->problem_count; i++) {
        strbuf_adds(out, run->problems[i].text);
    }
    if (run->machine) {
        add_run(report, run, out);
    }
}

/* "5 machines: 3 ok, 1 failed, 1 not run" */
static void end(const struct report *report, struct strbuf *out)
{
    static const char *const words[REPORT_ENDS] = {
        [REPORT_OK] = "ok",           [REPORT_FAILED] = "failed",
        [REPORT_UNMET] = "unmet",     [REPORT_NOTHING] = "with nothing run",
        [REPORT_STOPPED] = "stopped",
    };
    size_t left = report->options.machines;
    if (left < 2) {
        return;
    }
    strbuf_addf(out, "%zu machines:", left);
    for (size_t i = 0; i < REPORT_ENDS; i++) {
        left -= report->ends[i];
        if (report->ends[i]) {
            strbuf_addf(out, " %zu %s,", report->ends[i], words[i]);
        }
    }
    if (left) {
        strbuf_addf(out, " %zu not run,", left);
    }
    out->data[out->size - 1] = '\n';
    strbuf_add(out, strbuf_text(&report->kept), report->kept.size);
}

const struct report_format report_text = {.name = "text", .add = add, .end = end};
