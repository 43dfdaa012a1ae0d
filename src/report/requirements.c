#include "base/names.h"
#include "report/report.h"

#include <assert.h>

bool report_has_examples(const struct report_run *run)
{
    const struct run_result *result = run->result;
    return result->stats.examples && (result->stats.steps || !result->failures.count);
}

bool report_explores(const struct report_run *run)
{
    return !run->only_known && report_has_examples(run);
}

bool report_judges(const struct report_run *run)
{
    return report_explores(run) && run->shard_count < 2;
}

bool report_rule_off(const struct report_run *run, size_t rule)
{
    assert(rule < run->machine->rules.count);
    return run->rules_off && run->rules_off[rule];
}

bool report_invariant_off(const struct report_run *run, size_t invariant)
{
    assert(invariant < run->machine->invariants.count);
    return run->invariants_off && run->invariants_off[invariant];
}

bool report_rule_idle(const struct report_run *run, size_t rule)
{
    return !report_rule_off(run, rule) && run->result->stats.rules[rule].ran == 0;
}

size_t report_never_ran(const struct report_run *run)
{
    size_t count = 0;
    for (size_t i = 0; report_judges(run) && i < run->machine->rules.count; i++) {
        count += report_rule_idle(run, i);
    }
    return count;
}

size_t report_never_checked(const struct report_run *run)
{
    size_t count = 0;
    for (size_t i = 0; report_judges(run) && i < run->machine->invariants.count; i++) {
        count += !report_invariant_off(run, i) && run->result->stats.invariants[i].checked == 0;
    }
    return count;
}

uint64_t report_required_steps(const struct report_run *run, const struct requirement *wanted)
{
    const struct run_stats *stats = &run->result->stats;
    if (wanted->rule != SIZE_MAX) {
        return stats->rules[wanted->rule].ran;
    }
    size_t label = name_index(wanted->name, ROWS_OF(stats->labels, label));
    return label < stats->labels.count ? stats->labels.items[label].count : 0;
}

bool report_is_met(const struct report_run *run, const struct requirement *wanted)
{
    return run->rules_off || /* it is said of the whole machine */
           (double)report_required_steps(run, wanted) >=
               wanted->share * (double)run->result->stats.steps;
}

size_t report_unmet(const struct report_run *run)
{
    size_t count = 0;
    for (size_t i = 0; report_judges(run) && i < run->machine->requirements.count; i++) {
        count += !report_is_met(run, &run->machine->requirements.items[i]);
    }
    return count;
}

enum report_end report_end_of(const struct report_run *run)
{
    static const enum report_end ends[] = {
        [RUN_PASSED] = REPORT_OK, [RUN_FAILED] = REPORT_FAILED, [RUN_NOTHING] = REPORT_NOTHING};
    if (!run->machine || run->stopped != ERROR_NONE) {
        return REPORT_STOPPED;
    }
    enum report_end end = ends[run->result->outcome];
    if (end != REPORT_FAILED && run->mutation) {
        end = report_graded_nothing(run) ? REPORT_NOTHING : REPORT_OK;
    }
    return end == REPORT_OK && run->unmet ? REPORT_UNMET : end;
}

bool report_misses(const struct report_run *run)
{
    return run->mutation && run->mutation->counts[VERDICT_SURVIVED] > 0;
}

bool report_score_low(const struct report_run *run)
{
    const struct mutation *mutation = run->mutation;
    double score = mutation ? mutation_score(mutation) : -1;
    return mutation && !mutation->partial && score >= 0 && score < mutation->min_score;
}

bool report_graded_nothing(const struct report_run *run)
{
    const struct mutation *mutation = run->mutation;
    return mutation && !mutation->listed && !mutation->drawn && !mutation->partial &&
           mutation_score(mutation) < 0;
}
