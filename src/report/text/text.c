#include "report/text/text.h"

#include "report/text/show.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

enum { MAX_NAMED = 12 }; /* rules or invariants named in one list */

/* "37 of 100 examples, 1,812 steps, 0.31 s, seed 7261" */
static void add_totals(struct text *text)
{
    const struct run_stats *stats = &text->run->result->stats;
    if (stats->examples < text->run->examples_planned) {
        show_count(text->out, stats->examples);
        strbuf_adds(text->out, " of ");
        show_counted(text->out, text->run->examples_planned, "example");
    } else {
        show_counted(text->out, stats->examples, "example");
    }
    strbuf_adds(text->out, ", ");
    show_counted(text->out, stats->steps, "step");
    strbuf_adds(text->out, ", ");
    show_duration(text->out, stats->time_us);
    strbuf_addf(text->out, ", seed %" PRIu64, text->run->result->seed);
}

/* How a run ended, where no failure's block says it. */
static void write_end(struct text *text, enum paint paint, const char *word, const char *note)
{
    text_paint(text, paint, word);
    text_addf(text, "  %s  ", text->run->machine->name);
    add_totals(text);
    if (note) {
        strbuf_adds(text->out, "; ");
        text_paint(text, PAINT_WARN, note);
    }
    strbuf_addc(text->out, '\n');
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
    } else if (result->outcome == RUN_NOTHING) {
        write_end(text, PAINT_WARN, "none", cut ? cut : "nothing was run");
    } else if (result->outcome == RUN_PASSED && text->run->unmet) {
        write_end(text, PAINT_BAD, "unmet",
                  report_unmet(text->run) ? "a requirement is not met"
                                          : "a rule never ran, which --strict does not allow");
    } else if (result->outcome == RUN_PASSED && !text->options->quiet) {
        write_end(text, PAINT_GOOD, "ok", replayed ? replayed : cut);
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
    strbuf_adds(text->out, "  it did not fail in ");
    show_counted(text->out, known->tried, known->noun);
    strbuf_adds(text->out, ": remove xfail, or write `strict: false` if it fails now and then\n\n");
}

static void write_known(struct text *text, const struct known_result *known)
{
    strbuf_adds(text->out, "    ");
    text_paint(text, PAINT_WARN, "known failure");
    strbuf_addf(text->out, "  %s: ", known->what);
    if (known->verdict == KNOWN_FAILED) {
        strbuf_adds(text->out, "failed ");
        show_counted(text->out, known->failed, "time");
    } else {
        strbuf_adds(text->out, "not seen in this run");
    }
    text_addf(text, "; %s\n", known->mark->reason);
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

static void explain_rule(struct text *text, size_t index)
{
    assert(index < text->run->machine->rules.count);
    const struct rule_stats *stats = &text->run->result->stats.rules[index];
    struct strbuf why = {0};
    text_add_blocked(&why, stats);
    if (stats->given_up) {
        strbuf_adds(&why, why.size ? ", given up (" : "given up (");
        show_count(&why, stats->given_up);
        strbuf_addc(&why, ')');
    }
    text_addf(text, "%s: %s\n", text->run->machine->rules.items[index].name,
              why.size ? strbuf_text(&why) : "it was not chosen; try more steps");
    strbuf_free(&why);
}

static void explain_invariant(struct text *text, size_t index)
{
    assert(index < text->run->machine->invariants.count);
    const struct invariant *invariant = &text->run->machine->invariants.items[index];
    const char *why = "no example got that far";
    if (text->run->result->stats.invariants[index].skipped) {
        why = !invariant->fors.count    ? "its precondition was never true"
              : invariant->precondition ? "its precondition was never true, or `for` had no items"
                                        : "`for` never had any items";
    }
    text_addf(text, "%s: %s\n", invariant->name, why);
}

struct untested {
    const char *title;
    size_t count;
    bool (*is)(const struct report_run *run, size_t index);
    void (*explain)(struct text *text, size_t index);
};

static bool invariant_never_checked(const struct report_run *run, size_t index)
{
    assert(index < run->machine->invariants.count);
    return run->result->stats.invariants[index].checked == 0;
}

static bool requirement_unmet(const struct report_run *run, size_t index)
{
    assert(index < run->machine->requirements.count);
    return !report_is_met(run, &run->machine->requirements.items[index]);
}

/* "label denied: 3 of 4,812 steps, 0.06 %; 1% are required" */
static void explain_requirement(struct text *text, size_t index)
{
    assert(index < text->run->machine->requirements.count);
    const struct requirement *wanted = &text->run->machine->requirements.items[index];
    uint64_t steps = text->run->result->stats.steps;
    uint64_t count = report_required_steps(text->run, wanted);
    struct strbuf line = {0};
    strbuf_addf(&line, "%s%s: ", wanted->rule == SIZE_MAX ? "label " : "", wanted->name);
    show_count(&line, count);
    strbuf_adds(&line, " of ");
    show_counted(&line, steps, "step");
    strbuf_addf(&line, ", %.3g%%; %s is required",
                steps ? 100.0 * (double)count / (double)steps : 0, wanted->wanted);
    text_addf(text, "%s\n", strbuf_text(&line));
    strbuf_free(&line);
}

static void write_untested(struct text *text, const struct untested *untested)
{
    size_t named = 0;
    size_t more = 0;
    for (size_t i = 0; i < untested->count; i++) {
        if (!untested->is(text->run, i)) {
            continue;
        }
        if (named++ < MAX_NAMED) {
            strbuf_adds(text->out, "    ");
            text_paint(text, PAINT_WARN, untested->title);
            strbuf_adds(text->out, "  ");
            untested->explain(text, i);
        } else {
            more++;
        }
    }
    if (more) {
        strbuf_addf(text->out, "    … and %zu more\n", more);
    }
}

/* What the run says nothing about. */
static void write_health(struct text *text)
{
    const struct untested untested[] = {
        {"never ran    ", text->run->machine->rules.count, report_rule_idle, explain_rule},
        {"never checked", text->run->machine->invariants.count, invariant_never_checked,
         explain_invariant},
        {"unmet        ", text->run->machine->requirements.count, requirement_unmet,
         explain_requirement},
    };
    if (report_explores(text->run)) {
        for (size_t i = 0; i < sizeof untested / sizeof *untested; i++) {
            write_untested(text, &untested[i]);
        }
        text_health(text);
    }
    for (const char *const *warning = text->run->warnings; warning && *warning; warning++) {
        strbuf_adds(text->out, "    ");
        text_paint(text, PAINT_WARN, "warning      ");
        text_addf(text, "  %s\n", *warning);
    }
}

void report_text(const struct report_run *run, const struct report_options *options,
                 struct strbuf *out)
{
    struct text text = {.run = run, .options = options, .out = out};
    for (size_t i = 0; i < run->result->failures.count; i++) {
        const struct failure *failure = &run->result->failures.items[i];
        if (text_failure_alone(&text, failure)) {
            text_failure(&text, failure);
            strbuf_addc(out, '\n');
        }
    }
    write_marked(&text, true);
    write_verdict(&text);
    if (!options->quiet) {
        write_marked(&text, false);
        write_health(&text);
    }
    if (options->stats && report_has_examples(run)) {
        text_stats(&text);
    }
    arena_free(&text.scratch);
}
