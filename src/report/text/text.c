#include "report/text/text.h"

#include "base/utf8.h"
#include "report/alike.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

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
    size_t start = text->out->size;
    text_paint(text, paint, word);
    text_addf(text, "  %s  %s", text->run->machine->name, text_totals(text));
    if (note) {
        strbuf_adds(text->out, "; ");
        text_paint(text, PAINT_WARN, note);
    }
    strbuf_addc(text->out, '\n');
    text_fold(text, start, 6);
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

static const char *idle_rule(struct text *text, size_t index)
{
    return report_rule_idle(text->run, index) ? text->run->machine->rules.items[index].name : NULL;
}

/* "HEAD: never, later and 3 more", of what `name_of` has a name for. */
static const char *with_names(struct text *text, const char *head, size_t count,
                              const char *(*name_of)(struct text *text, size_t index))
{
    enum { NAMED = 2 };
    size_t named = 0;
    for (size_t i = 0; i < count; i++) {
        const char *name = name_of(text, i);
        if (name && named++ < NAMED) {
            head = arena_printf(&text->scratch, "%s%s %s", head, named == 1 ? ":" : ",", name);
        }
    }
    return named > NAMED ? arena_printf(&text->scratch, "%s and %zu more", head, named - NAMED)
                         : head;
}

/* It says why also where -q leaves out all other lines. */
static const char *unmet_text(struct text *text)
{
    const struct report_run *run = text->run;
    const struct machine *machine = run->machine;
    return report_unmet(run) ? with_names(text, "a requirement is not met",
                                          machine->requirements.count, text_unmet)
           : run->blocked ? arena_printf(&text->scratch, "the migration blocks what it may not: %s",
                                         show_counted(&text->scratch, run->blocked, "finding"))
           : run->blocks_unknown   ? "what the migration blocks is unknown"
           : report_score_low(run) ? "fewer mutants were killed than --min-score asks"
                                   : with_names(text,
                                                "a rule never ran, which --strict does not "
                                                "allow",
                                                machine->rules.count, idle_rule);
}

static void write_verdict(struct text *text)
{
    const struct run_result *result = text->run->result;
    const char *cut = result->cut_short ? "the time was up" : text->run->idle;
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
        write_end(text, PAINT_BAD, "unmet", unmet_text(text));
    } else if (result->outcome == RUN_PASSED && !text->options->quiet) {
        write_end(text, report_misses(text->run) ? PAINT_WARN : PAINT_GOOD,
                  text->run->compared ? "agree" : "ok", replayed ? replayed : cut);
    }
}

/* Of two databases, differences with one cause are one. */
static size_t told_count(const struct text *text)
{
    const struct run_result *result = text->run->result;
    return text->run->compared ? alike_count(result) : result->failures.count;
}

/* "2 failures in 27 of 100 examples, 1,812 steps, 0.31 s, seed 7261". */
static void write_failed(struct text *text)
{
    const struct run_result *result = text->run->result;
    if (result->failures.count && text->run->stopped == ERROR_NONE && report_explores(text->run)) {
        text_paint(text, PAINT_BAD,
                   show_counted(&text->scratch, told_count(text),
                                text->run->compared ? "difference" : "failure"));
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
                  "soon after the first %s; --max-failures N goes on until there are N",
                  text->run->compared ? "difference" : "failure");
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

/* Another shard may have seen it. */
static bool is_left_open(const struct text *text, const struct known_result *known)
{
    return known->verdict == KNOWN_UNSEEN && text->run->shard_count > 1;
}

static void write_marked(struct text *text, bool outdated)
{
    const struct run_result *result = text->run->result;
    for (size_t i = 0; i < result->known.count; i++) {
        const struct known_result *known = &result->known.items[i];
        if (outdated && known->verdict == KNOWN_PASSES) {
            write_outdated(text, known);
        } else if (!outdated && known->verdict != KNOWN_PASSES && !is_left_open(text, known)) {
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
    size_t start = out->size;
    write_marked(&text, true);
    write_verdict(&text);
    if (!text.options->quiet) {
        write_failed(&text);
        text_changed(&text);
        write_early_end(&text);
        write_marked(&text, false);
        text_health(&text);
        text_compared(&text);
    }
    text_fold(&text, start, TEXT_HANG);
    text_mutants(&text);
    start = out->size;
    if (text.options->stats && report_has_examples(run)) {
        text_stats(&text);
        text_fold(&text, start, TEXT_HANG);
    }
    arena_free(&text.scratch);
}

static const char *failures_text(struct text *text)
{
    const struct run_result *result = text->run->result;
    const char *what = text_summary(text, &result->failures.items[0]);
    size_t count = told_count(text);
    return count == 1 ? what
                      : arena_printf(
                            &text->scratch, "%s; %s", what,
                            show_counted(&text->scratch, count - 1,
                                         text->run->compared ? "more difference" : "more failure"));
}

/* "sql/a.sql:31: relation \"members\" does not exist" */
static const char *problem_text(struct text *text)
{
    const struct report_problem *problem = text->run->problems;
    struct arena *arena = &text->scratch;
    if (!text->run->problem_count) {
        return "the run could not continue";
    }
    const char *place = !*problem->file ? ""
                        : problem->line
                            ? arena_printf(arena, "%s:%zu: ", problem->file, problem->line)
                            : arena_printf(arena, "%s: ", problem->file);
    return arena_printf(arena, "%s%s", place, problem->message);
}

/* What the end of a report about several machines says of one that is not ok; NULL: nothing. */
static const char *end_text(struct text *text, enum report_end end)
{
    switch (end) {
    case REPORT_FAILED:
        return text->run->result->failures.count ? failures_text(text) : "marked xfail, and holds";
    case REPORT_STOPPED:
        return text->run->machine && text->run->result->failures.count
                   ? arena_printf(&text->scratch, "%s; before that: %s", problem_text(text),
                                  failures_text(text))
                   : problem_text(text);
    case REPORT_UNMET:
        return unmet_text(text);
    case REPORT_NOTHING:
        return text->run->mutation            ? "no mutant was killed or survived"
               : text->run->result->cut_short ? "the time was up"
                                              : nothing_text(text);
    case REPORT_OK:
    case REPORT_ENDS:
        break;
    }
    return NULL;
}

/* A line for the end of a report about several machines: "stop\titems\trelation …". */
static void keep_line(struct report *report, const struct report_run *run)
{
    static const char *const words[REPORT_ENDS] = {
        [REPORT_FAILED] = "FAIL",
        [REPORT_UNMET] = "unmet",
        [REPORT_NOTHING] = "none",
        [REPORT_STOPPED] = "stop",
    };
    struct text text = {.run = run, .options = &report->options, .out = &report->kept};
    enum report_end end = report_end_of(run);
    const char *what = report->options.machines < 2 ? NULL : end_text(&text, end);
    if (what) {
        const char *name = run->machine ? run->machine->name : run->path;
        const char *kept = strbuf_text(&report->kept);
        const char *last = show_name(&text.scratch, what);
        bool again = end == REPORT_STOPPED && report->written &&
                     strncmp(kept + report->written, last, strlen(last)) == 0 &&
                     kept[report->written + strlen(last)] == '\n';
        bool differs = end == REPORT_FAILED && run->compared;
        strbuf_addf(&report->kept, "%s\t%s\t", differs ? "DIFFERS" : words[end],
                    show_name(&text.scratch, name));
        report->written = end != REPORT_STOPPED ? 0 : again ? report->written : report->kept.size;
        strbuf_addf(&report->kept, "%s\n", again ? "the same" : last);
    }
    arena_free(&text.scratch);
}

static void add(struct report *report, const struct report_run *run, struct strbuf *out)
{
    keep_line(report, run);
    for (size_t i = 0; i < run->problem_count && !report->options.told; i++) {
        strbuf_adds(out, run->problems[i].text);
    }
    if (run->machine) {
        add_run(report, run, out);
    }
}

/* One line for each machine that is not ok, the names below each other. */
static void write_kept(const struct report *report, struct strbuf *out)
{
    enum { NAMES_MAX = 24 };
    struct text text = {.options = &report->options, .out = out};
    size_t widest = 0;
    for (const char *line = strbuf_text(&report->kept); *line; line += strcspn(line, "\n") + 1) {
        const char *name = line + strcspn(line, "\t") + 1;
        size_t width = utf8_length(name, strcspn(name, "\t"));
        widest = width > widest && width <= NAMES_MAX ? width : widest;
    }
    for (const char *line = strbuf_text(&report->kept); *line; line += strcspn(line, "\n") + 1) {
        size_t word = strcspn(line, "\t");
        const char *name = line + word + 1;
        size_t size = strcspn(name, "\t");
        size_t width = utf8_length(name, size);
        const char *what = name + size + 1;
        size_t start = out->size;
        strbuf_addf(out, "  %-5.*s ", (int)word, line);
        strbuf_add(out, name, size);
        strbuf_fill(out, ' ', 2 + (width < widest ? widest - width : 0));
        strbuf_add(out, what, strcspn(what, "\n") + 1);
        text_fold(&text, start, 8);
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
    write_kept(report, out);
}

const struct report_format report_text = {.name = "text", .add = add, .end = end};
