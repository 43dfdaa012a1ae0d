#include "api/session.h"
#include "api/sharing.h"
#include "example/divergence.h"

#include <stdlib.h>

static enum pgfsm_outcome outcome_of(const struct pgfsm_run *run)
{
    static const enum pgfsm_outcome outcomes[] = {[RUN_PASSED] = PGFSM_OUTCOME_PASSED,
                                                  [RUN_FAILED] = PGFSM_OUTCOME_FAILED,
                                                  [RUN_NOTHING] = PGFSM_OUTCOME_NOTHING};
    enum pgfsm_outcome outcome = outcomes[run->result.outcome];
    if (run->report.mutation && run->report.mutation->listed) {
        return PGFSM_OUTCOME_PASSED;
    }
    if (outcome == PGFSM_OUTCOME_PASSED && report_graded_nothing(&run->report)) {
        return PGFSM_OUTCOME_NOTHING;
    }
    return outcome == PGFSM_OUTCOME_PASSED && run->report.unmet ? PGFSM_OUTCOME_UNMET : outcome;
}

static const char *text_or_empty(const char *text) { return text ? text : ""; }

static const char *const *steps_of(const struct failure *failure, struct arena *arena)
{
    const char **steps = ARENA_ARRAY(arena, const char *, failure->steps.count);
    for (size_t i = 0; i < failure->steps.count; i++) {
        struct strbuf text = {0};
        trace_print_step(&failure->steps.items[i], &text);
        steps[i] = strbuf_take(&text, arena);
    }
    return steps;
}

struct pgfsm_failure outcome_failure(const struct failure *failure, const struct delivery *delivery,
                                     struct arena *arena)
{
    static const enum pgfsm_failure_kind kinds[] = {
        [FAILURE_INVARIANT] = PGFSM_FAILURE_INVARIANT,
        [FAILURE_EXPECT] = PGFSM_FAILURE_EXPECT,
        [FAILURE_CHECK] = PGFSM_FAILURE_CHECK,
        [FAILURE_UNEXPECTED_ERROR] = PGFSM_FAILURE_UNEXPECTED_ERROR,
        [FAILURE_MISSING_ERROR] = PGFSM_FAILURE_MISSING_ERROR,
        [FAILURE_DIFFERENT_ERROR] = PGFSM_FAILURE_DIFFERENT_ERROR,
        [FAILURE_TIMEOUT] = PGFSM_FAILURE_TIMEOUT,
        [FAILURE_CONNECTION] = PGFSM_FAILURE_CONNECTION,
        [FAILURE_RACE] = PGFSM_FAILURE_RACE,
        [FAILURE_DIFFERS] = PGFSM_FAILURE_DIFFERS,
    };
    const struct divergence *diverges = failure->divergence;
    struct pgfsm_failure out = {
        .identity = text_or_empty(failure->identity),
        .rule = failure->rule ? failure->rule->name : "",
        .invariant = failure->invariant ? failure->invariant->name : "",
        .sqlstate = failure->error.sqlstate,
        .message = text_or_empty(failure->error.message),
        .file = "",
        .example = failure->example,
        .step = failure->step,
        .flaky = failure->flaky,
        .leftover = failure->leftover,
        .script = text_or_empty(delivery->script),
        .pinned = failure->pinned ? failure->pinned->name : "",
        .trace = text_or_empty(delivery->trace),
        .steps = steps_of(failure, arena),
        .step_count = failure->steps.count,
        .spec = text_or_empty(delivery->spec),
        .name = text_or_empty(delivery->name),
        .kind = kinds[failure->kind],
        .expected = text_or_empty(diverges ? diverges->before : failure->expected),
        .actual = text_or_empty(diverges ? diverges->after : failure->actual),
        .no_script = text_or_empty(delivery->no_script),
    };
    if (failure->pos.source) {
        struct source_place place = source_place(failure->pos);
        out.file = failure->pos.source->name;
        out.line = place.line;
        out.column = place.column;
    }
    return out;
}

/* Fresh ones of a shard are its own. */
static uint64_t examples_planned(const struct run_session *session)
{
    const struct pgfsm_run_options *options = &session->options;
    uint64_t others =
        session->stored.items.count + (options->trace ? 0 : session->machine->pinned.count);
    if (options->trace || options->last_failed) {
        return others;
    }
    int64_t all = session->settings.examples;
    int64_t count = options->shard_count > 0 ? options->shard_count : 1;
    return others + (uint64_t)(all > options->shard ? (all - options->shard - 1) / count + 1 : 0);
}

/* Of a run without any example. */
static const char *why_nothing(const struct run_session *session)
{
    const struct pgfsm_run_options *options = &session->options;
    if (session->run->report.examples_planned || options->trace || options->mutate) {
        return NULL;
    }
    return options->last_failed ? "no failure is stored that --last-failed could repeat"
                                : "no failure is stored, and no example is pinned";
}

void outcome_summarize(struct run_session *session)
{
    const struct pgfsm_run_options *options = &session->options;
    struct pgfsm_run *run = session->run;
    const struct run_stats *stats = &run->result.stats;
    run->report.machine = session->machine;
    run->report.result = &run->result;
    run->report.ways = options->ways;
    run->report.strict = options->strict;
    run->report.max_time_ms = session->settings.max_time_ms;
    run->report.examples_planned = examples_planned(session);
    run->report.shard = (uint64_t)options->shard;
    run->report.shard_count = (uint64_t)options->shard_count;
    run->report.shared = sharing_splits(session);
    run->report.idle = options->shard_count > 0 && session->settings.examples > 0 &&
                               options->shard >= session->settings.examples
                           ? "there are fewer examples than shards"
                           : NULL;
    run->report.nothing = why_nothing(session);
    run->report.only_known =
        options->trace || options->last_failed || session->settings.examples == 0;
    run->report.unmet = (options->strict && report_never_ran(&run->report) > 0) ||
                        report_unmet(&run->report) > 0 || report_score_low(&run->report) ||
                        run->report.blocked > 0 || run->report.blocks_unknown;
    run->summary = (struct pgfsm_summary){
        .outcome = outcome_of(run),
        .seed = run->result.seed,
        .examples = stats->examples,
        .examples_planned = run->report.examples_planned,
        .steps = stats->steps,
        .statements = stats->statements,
        .given_up = stats->given_up,
        .time_us = stats->time_us,
        .cut_short = run->result.cut_short,
        .failure_count = run->result.failures.count,
        .never_ran = report_never_ran(&run->report),
        .never_checked = report_never_checked(&run->report),
        .failed = run->result.failed,
    };
    run->failures = ARENA_ARRAY(&run->arena, struct pgfsm_failure, run->result.failures.count);
    for (size_t i = 0; i < run->result.failures.count; i++) {
        const struct failure *failure = &run->result.failures.items[i];
        run->failures[i] =
            outcome_failure(failure, report_delivery(&run->report, failure), &run->arena);
    }
}

void pgfsm_run_free(struct pgfsm_run *run)
{
    if (run) {
        arena_free(&run->arena);
        free(run);
    }
}

const struct pgfsm_summary *pgfsm_run_summary(const struct pgfsm_run *run)
{
    return run ? &run->summary : NULL;
}

const struct pgfsm_failure *pgfsm_run_failure(const struct pgfsm_run *run, size_t index)
{
    return run && index < run->summary.failure_count ? &run->failures[index] : NULL;
}

const char *pgfsm_run_warning(const struct pgfsm_run *run, size_t index)
{
    const char *const *warnings = run ? run->report.warnings : NULL;
    for (size_t i = 0; warnings && warnings[i]; i++) {
        if (i == index) {
            return warnings[i];
        }
    }
    return NULL;
}
