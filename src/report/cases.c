#include "report/cases.h"

#include "mutate/cause.h"

#include "report/alike.h"
#include "report/text/text.h"

#include <string.h>

const char *const case_outcomes[CASE_OUTCOMES] = {
    [CASE_PASSED] = "passed",   [CASE_FAILED] = "failed", [CASE_KNOWN] = "known",
    [CASE_SKIPPED] = "skipped", [CASE_ERROR] = "error",
};

const char *const report_ends[REPORT_ENDS] = {
    [REPORT_OK] = "ok",           [REPORT_FAILED] = "failed",   [REPORT_UNMET] = "unmet",
    [REPORT_NOTHING] = "nothing", [REPORT_STOPPED] = "stopped",
};

/* What cases are collected with. */
struct collector {
    const struct report_run *run;
    struct arena *arena;
    struct text text;
    struct report_cases *cases;
    struct report_notes *notes; /* that are being taken */
};

const char *report_name(const struct report_run *run)
{
    return run->machine ? run->machine->name : run->name;
}

static struct report_place place_of(const struct report_run *run, struct source_pos pos)
{
    if (!pos.source) {
        return (struct report_place){.file = run->path};
    }
    struct source_place place = source_place(pos);
    return (struct report_place){pos.source->name, place.line, place.column};
}

static struct report_case *add_case(struct collector *collector, const char *kind, const char *name,
                                    struct source_pos pos)
{
    struct report_case *item = VEC_PUSH(collector->arena, &collector->cases->items);
    item->kind = kind;
    item->name = name;
    item->title = *name ? arena_printf(collector->arena, "%s %s", kind, name) : kind;
    item->place = place_of(collector->run, pos);
    return item;
}

static void set(struct report_case *item, enum case_outcome outcome, const char *message)
{
    item->outcome = outcome;
    item->message = message;
}

static const char *title_of(const struct collector *collector, const struct report_case *item)
{
    return arena_printf(collector->arena, "%s: %s", collector->cases->machine, item->title);
}

/* What stands below the first empty line. */
static const char *below_headline(const char *block)
{
    const char *end = strstr(block, "\n\n");
    return end ? end + 2 : block;
}

static void add_failure(struct collector *collector, struct report_case *item,
                        const struct failure *failure)
{
    struct strbuf block = {0};
    struct report_fault *shown = VEC_PUSH(collector->arena, &item->failures);
    const struct failure *head = alike_head(collector->run->result, failure);
    collector->text.out = &block;
    text_failure(&collector->text, failure);
    *shown = (struct report_fault){
        .title = title_of(collector, item),
        .failure = failure,
        .with = failure->divergence && head != failure ? head : NULL,
        .delivery = report_delivery(collector->run, failure),
        .place = place_of(collector->run, failure->pos),
        .message = arena_strdup(collector->arena, text_summary(&collector->text, failure)),
        .text = strbuf_take(&block, collector->arena),
        .replay = report_replay(collector->run, collector->text.options, failure, collector->arena),
    };
    shown->more = below_headline(shown->text);
    if (item->failures.count == 1) {
        set(item, CASE_FAILED, shown->message);
        item->place = shown->place;
    }
    item->text = item->text ? arena_printf(collector->arena, "%s\n%s", item->text, shown->text)
                            : shown->text;
}

/* What a mark `xfail` makes of a case that nothing failed. Whether it does. */
static bool set_known(const struct collector *collector, struct report_case *item,
                      const struct known_failure *mark)
{
    static const struct {
        enum case_outcome outcome;
        const char *words;
    } verdicts[] = {
        [KNOWN_FAILED] = {CASE_KNOWN, "known failure"},
        [KNOWN_UNSEEN] = {CASE_SKIPPED, "known failure, not seen in this run"},
        [KNOWN_PASSES] = {CASE_FAILED, "it holds, but is marked xfail"},
    };
    for (size_t i = 0; mark && i < collector->run->result->known.count; i++) {
        const struct known_result *known = &collector->run->result->known.items[i];
        if (known->mark == mark) {
            set(item, verdicts[known->verdict].outcome,
                arena_printf(collector->arena, "%s: %s", verdicts[known->verdict].words,
                             mark->reason));
            return true;
        }
    }
    return false;
}

/* Who a failure belongs to. */
struct owner {
    const struct invariant *invariant;
    const struct rule *rule;
    const struct pinned_example *pinned;
};

static bool owns(const struct owner *owner, const struct failure *failure)
{
    const struct rule *rule = failure->rule && !failure->rule->initialize ? failure->rule : NULL;
    if (owner->pinned) {
        return failure->pinned == owner->pinned;
    }
    return failure->invariant == owner->invariant &&
           (owner->invariant != NULL || rule == owner->rule);
}

static void add_failures(struct collector *collector, struct report_case *item,
                         const struct owner *owner)
{
    for (size_t i = 0; i < collector->run->result->failures.count; i++) {
        const struct failure *failure = &collector->run->result->failures.items[i];
        if (owns(owner, failure)) {
            add_failure(collector, item, failure);
        }
    }
}

static void set_time(struct report_case *item, const struct durations *times)
{
    item->timed = times && times->count;
    item->time_us = item->timed ? times->total_us : 0;
}

static void add_invariant(struct collector *collector, const struct invariant *invariant)
{
    const struct invariant_stats *stats =
        &collector->run->result->stats.invariants[invariant->index];
    struct report_case *item = add_case(collector, "invariant", invariant->name, invariant->pos);
    const char *why = text_never_checked(&collector->text, invariant->index);
    item->count = stats->checked;
    set_time(item, stats->times);
    add_failures(collector, item, &(struct owner){.invariant = invariant});
    if (!item->failures.count && !set_known(collector, item, invariant->xfail) && why) {
        set(item, CASE_SKIPPED, arena_printf(collector->arena, "never checked: %s", why));
    } else if (!item->failures.count && report_invariant_off(collector->run, invariant->index)) {
        set(item, CASE_SKIPPED, "not chosen: --invariant leaves it out");
    }
}

static void add_rule(struct collector *collector, const struct rule *rule)
{
    const struct report_run *run = collector->run;
    const struct rule_stats *stats = &run->result->stats.rules[rule->index];
    struct report_case *item = add_case(collector, "rule", rule->name, rule->pos);
    const char *why = text_never_ran(&collector->text, rule->index);
    item->count = stats->ran;
    set_time(item, stats->times);
    add_failures(collector, item, &(struct owner){.rule = rule});
    if (item->failures.count || set_known(collector, item, rule->xfail)) {
        return;
    }
    if (why) {
        set(item, run->strict && report_judges(run) ? CASE_FAILED : CASE_SKIPPED,
            arena_printf(collector->arena, "never ran: %s", why));
    } else if (!stats->ran) {
        set(item, CASE_SKIPPED, "not chosen: --rule leaves it out");
    }
}

static void add_initialize(struct collector *collector)
{
    const struct machine *machine = collector->run->machine;
    struct report_case *item = add_case(collector, "initialize", "",
                                        machine->initialize.count ? machine->initialize.items->pos
                                                                  : (struct source_pos){0});
    item->count = collector->run->result->stats.examples; /* each begins with it */
    add_failures(collector, item, &(struct owner){0});
    if (!item->failures.count && !machine->initialize.count) {
        collector->cases->items.count--;
    } else if (!item->failures.count && !item->count) {
        set(item, CASE_SKIPPED, "it did not run");
    }
}

static void add_pinned(struct collector *collector, size_t index)
{
    const struct run_result *result = collector->run->result;
    const struct pinned_example *pinned = &collector->run->machine->pinned.items[index];
    struct report_case *item = add_case(collector, "example", pinned->name, pinned->pos);
    add_failures(collector, item, &(struct owner){.pinned = pinned});
    item->place = place_of(collector->run, pinned->pos);
    item->repeats = true;
    item->count = result->pinned_ran && result->pinned_ran[index];
    if (!item->failures.count && !set_known(collector, item, pinned->xfail) && !item->count) {
        set(item, CASE_SKIPPED, "it did not run");
    }
}

static void add_requirement(struct collector *collector, size_t index)
{
    const struct report_run *run = collector->run;
    const struct requirement *wanted = &run->machine->requirements.items[index];
    const char *name = requirement_title(wanted, collector->arena);
    struct report_case *item = add_case(collector, "requirement", name, (struct source_pos){0});
    const char *why = text_unmet(&collector->text, index);
    item->repeats = true;
    item->count = report_required_steps(run, wanted);
    if (!report_judges(run)) {
        set(item, CASE_SKIPPED,
            report_explores(run) ? "a shard does not judge it" : "no examples were generated");
    } else if (why) {
        set(item, CASE_FAILED, arena_strdup(collector->arena, why));
    }
}

/* That the machine finds a fault is what is tested. It may miss some, if the score is high enough:
 * as the exit status says. */
static void add_mutant(struct collector *collector, const struct mutant *mutant)
{
    static const enum case_outcome outcomes[VERDICTS] = {
        [VERDICT_NONE] = CASE_SKIPPED,       [VERDICT_KILLED] = CASE_PASSED,
        [VERDICT_SURVIVED] = CASE_KNOWN,     [VERDICT_TIMED_OUT] = CASE_SKIPPED,
        [VERDICT_STILLBORN] = CASE_SKIPPED,  [VERDICT_BROKE] = CASE_SKIPPED,
        [VERDICT_EQUIVALENT] = CASE_SKIPPED, [VERDICT_ACCEPTED] = CASE_KNOWN,
    };
    bool survived = mutant->verdict == VERDICT_SURVIVED;
    struct arena *arena = collector->arena;
    struct report_case *item = add_case(
        collector, "mutant",
        arena_printf(arena, "%s %s %s", mutant->id, mutant->operator, mutant->object), mutant->pos);
    item->count = mutant->verdict != VERDICT_NONE;
    item->time_us = mutant->time_us;
    item->timed = item->count > 0;
    item->outcome = outcomes[mutant->verdict];
    if (item->outcome != CASE_PASSED) {
        const char *why = survived ? mutant->cause : mutant->by;
        item->message = why ? arena_printf(arena, "%s: %s", verdict_names[mutant->verdict], why)
                            : verdict_names[mutant->verdict];
    }
    if (survived) {
        item->outcome = report_score_low(collector->run) ? CASE_FAILED : CASE_KNOWN;
    }
    if (survived && mutant_leads(collector->run->mutation, mutant)) {
        struct strbuf block = {0};
        collector->text.out = &block;
        text_survivors(&collector->text, mutant);
        item->text = strbuf_take(&block, arena);
    }
}

/* A machine that was stopped, or of which nothing ran. */
static void add_machine(struct collector *collector)
{
    const struct report_run *run = collector->run;
    enum report_end end = report_end_of(run);
    if (end != REPORT_STOPPED && end != REPORT_NOTHING) {
        return;
    }
    struct report_case *item = add_case(collector, "machine", "", (struct source_pos){0});
    set(item, end == REPORT_STOPPED ? CASE_ERROR : CASE_SKIPPED,
        end == REPORT_STOPPED ? "the run could not continue"
        : run->nothing        ? arena_printf(collector->arena, "nothing was run: %s", run->nothing)
                              : "nothing was run");
    for (size_t i = 0; i < run->problem_count; i++) {
        const struct report_problem *problem = &run->problems[i];
        item->text =
            arena_printf(collector->arena, "%s%s", item->text ? item->text : "", problem->text);
    }
    if (run->problem_count) {
        const struct report_problem *first = run->problems;
        item->message = first->message;
        item->place = *first->file ? (struct report_place){first->file, first->line, first->column}
                                   : item->place;
    }
}

static void add_all(struct collector *collector)
{
    const struct machine *machine = collector->run->machine;
    add_machine(collector);
    if (!machine) {
        return;
    }
    add_initialize(collector);
    for (size_t i = 0; i < machine->rules.count; i++) {
        add_rule(collector, &machine->rules.items[i]);
    }
    for (size_t i = 0; i < machine->invariants.count; i++) {
        add_invariant(collector, &machine->invariants.items[i]);
    }
    for (size_t i = 0; i < machine->pinned.count; i++) {
        add_pinned(collector, i);
    }
    for (size_t i = 0; i < machine->requirements.count; i++) {
        add_requirement(collector, i);
    }
    const struct mutation *mutation = collector->run->mutation;
    for (size_t i = 0; mutation && i < mutation->mutants.count; i++) {
        add_mutant(collector, &mutation->mutants.items[i]);
    }
}

static void add_faults(struct collector *collector, const struct report_case *item)
{
    bool bad = item->outcome == CASE_FAILED || item->outcome == CASE_ERROR;
    bool doubtful = item->outcome == CASE_KNOWN && item->text;
    if ((bad || doubtful) && !item->failures.count) {
        *(bad ? VEC_PUSH(collector->arena, &collector->cases->faults)
              : VEC_PUSH(collector->arena, &collector->cases->doubts)) =
            (struct report_fault){.title = title_of(collector, item),
                                  .stopped = item->outcome == CASE_ERROR,
                                  .place = item->place,
                                  .message = item->message,
                                  .text = item->text,
                                  .more = item->text};
    }
    for (size_t i = 0; !item->repeats && i < item->failures.count; i++) {
        *VEC_PUSH(collector->arena, &collector->cases->faults) = item->failures.items[i];
    }
}

/* Cases come in the order of the machine, and faults in that of the run's failures. */
static void sort_faults(struct report_cases *cases)
{
    struct report_fault *faults = cases->faults.items;
    for (size_t i = 1; i < cases->faults.count; i++) { /* there are few */
        for (size_t j = i; j > 0 && faults[j].failure && faults[j].failure->divergence &&
                           faults[j - 1].failure && faults[j].failure < faults[j - 1].failure;
             j--) {
            const struct report_fault fault = faults[j];
            faults[j] = faults[j - 1];
            faults[j - 1] = fault;
        }
    }
}

/* Of the run, and of each mutant: they may have been graded side by side. */
static uint64_t time_of(const struct report_run *run)
{
    uint64_t time_us = run->machine ? run->result->stats.time_us : 0;
    for (size_t i = 0; run->mutation && i < run->mutation->mutants.count; i++) {
        time_us += run->mutation->mutants.items[i].time_us;
    }
    return time_us;
}

/* Whether its time was not measured, as answers came together. */
static bool shares_time(const struct report_case *item)
{
    return !item->timed && !item->repeats && item->count;
}

/* Programs that read a report add up the times of its cases. `left` is that of all of them. */
static void share_time(struct report_cases *cases, uint64_t left)
{
    uint64_t count = 0;
    for (size_t i = 0; i < cases->items.count; i++) {
        const struct report_case *item = &cases->items.items[i];
        left -= item->time_us < left ? item->time_us : left;
        count += shares_time(item) ? item->count : 0;
    }
    for (size_t i = 0; i < cases->items.count; i++) {
        struct report_case *item = &cases->items.items[i];
        if (shares_time(item)) {
            item->time_us = (uint64_t)((double)left * (double)item->count / (double)count);
        }
    }
}

/* "100 examples, 4,812 steps, 0.61 s, seed 7261; 85.8 % of 141 mutants killed" */
static const char *summary_of(struct collector *collector)
{
    const struct mutation *mutation = collector->run->mutation;
    const char *totals = arena_strdup(collector->arena, text_totals(&collector->text));
    if (!mutation || mutation_score(mutation) < 0) {
        return totals;
    }
    return arena_printf(
        collector->arena, "%s; %.1f %% of %s killed", totals, mutation_score(mutation),
        show_counted(&collector->text.scratch, mutation_graded(mutation), "graded mutant"));
}

static void take_note(void *host, const char *title, const char *text)
{
    struct collector *collector = host;
    *VEC_PUSH(collector->arena, &collector->notes->items) = (struct report_note){
        arena_strdup(collector->arena, title), arena_strdup(collector->arena, text)};
}

struct report_cases report_cases(struct report *report, const struct report_run *run,
                                 struct arena *arena)
{
    const char *name = report_name(run);
    struct report_cases cases = {.arena = arena, .machine = name ? name : run->path, .summary = ""};
    struct report_options plain = report->options;
    struct collector collector = {.run = run, .arena = arena, .cases = &cases};
    struct strbuf out = {0};
    plain.color = false;
    collector.text = (struct text){.run = run, .options = &plain, .out = &out};
    if (run->machine) {
        cases.summary = summary_of(&collector);
        cases.time_us = run->result->stats.time_us + (run->mutation ? run->mutation->time_us : 0);
        collector.text.warned = take_note;
        collector.text.host = &collector;
        collector.notes = &cases.notes;
        text_health(&collector.text);
        text_accepted(&collector.text);
        collector.notes = &cases.compared;
        text_compared(&collector.text);
    }
    cases.ended_ms = report->ended_ms;
    cases.began_ms = report->ended_ms - cases.time_us / 1000;
    add_all(&collector);
    share_time(&cases, time_of(run));
    for (size_t i = 0; i < cases.items.count; i++) {
        cases.counts[cases.items.items[i].outcome]++;
        report->cases[cases.items.items[i].outcome]++;
        add_faults(&collector, &cases.items.items[i]);
    }
    sort_faults(&cases);
    strbuf_free(&out);
    arena_free(&collector.text.scratch);
    return cases;
}

const char *report_path(const struct report *report, const char *file, struct arena *arena)
{
    const char *folder = report->options.folder;
    size_t size = folder ? strlen(folder) : 0;
    if (!folder || *file == '/') {
        return file;
    }
    while (size > 0 && strncmp(file, "../", 3) == 0) { /* the folder's path has no link in it */
        file += 3;
        do {
            size--;
        } while (size > 0 && folder[size - 1] != '/');
    }
    return arena_printf(arena, "%.*s%s", (int)size, folder, file);
}
