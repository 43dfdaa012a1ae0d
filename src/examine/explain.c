#include "examine/examine.h"

#include "base/names.h"
#include "example/setup/prefix.h"
#include "shrink/vary.h"

#include <assert.h>
#include <string.h>

enum {
    DRAWS = 12,      /* of each argument, and of all that seem not to matter */
    DRAWS_LEAST = 3, /* other values that say anything */
    RUNS_MAX = 100,  /* if this process shrank it, no more than that took, or RUNS_MIN */
    RUNS_MIN = 50,
    SPARE_US = 5000000, /* beyond the time that shrinking took: then nothing is said */
};

/* An argument that may have other values. */
struct free_argument {
    struct vary_place place;
    size_t others; /* that were seen to fail */
    bool any;      /* they are all that there are */
};

struct explaining {
    struct examiner *examiner;
    const struct failure *failure;
    struct rerun_way way;
    struct rng rng;
    unsigned runs; /* that are left */
    uint64_t until_us;
    bool late;
    struct arena arena;
    VEC(struct free_argument) marked;
    struct error *err;
};

/* What became of a trace with another value. */
struct varied {
    bool same;          /* the same failure at the same step */
    const char *value;  /* of the argument, as it is shown */
    struct trace trace; /* as executed */
};

/* --- one run --- */

static bool is_over(struct explaining *explaining)
{
    const struct clock *clock = &explaining->examiner->engine->options.clock;
    explaining->late =
        explaining->late || clock_is_up(clock) || clock_spent_us(clock) > explaining->until_us;
    return explaining->late || explaining->runs == 0;
}

/* The argument as it is shown; NULL: it is not. */
static const char *shown_value(const struct explaining *explaining, const struct failure *failure,
                               struct vary_place place, struct arena *arena)
{
    size_t step = place.step - trace_first(&explaining->failure->trace);
    const struct shown_step *shown = &failure->steps.items[step];
    const char *name = shown->rule->args.items[place.argument].name;
    size_t index = name_index(name, ROWS_OF(shown->args, name));
    struct strbuf text = {0};
    if (index == shown->args.count) {
        return NULL;
    }
    if (shown->args.items[index].reference) {
        strbuf_adds(&text, shown->args.items[index].reference);
    } else {
        value_repr(shown->args.items[index].value, &text);
    }
    return strbuf_take(&text, arena);
}

static bool is_same(const struct failure *failure, const struct failure *again)
{
    bool same = again && again->step == failure->step && again->steps.count == failure->steps.count;
    for (size_t i = 0; same && i < failure->steps.count; i++) {
        same = failure->steps.items[i].rule == again->steps.items[i].rule;
    }
    return same;
}

/* False: the run can't go on. */
static bool run(struct explaining *explaining, const struct trace *trace, struct vary_place place,
                struct varied *out)
{
    struct rerun again;
    explaining->runs--;
    if (!rerun_trace(explaining->examiner, trace, explaining->failure, explaining->way, &again,
                     explaining->err)) {
        return false;
    }
    *out = (struct varied){.same = again.outcome == OUTCOME_FAIL &&
                                   is_same(explaining->failure, again.failure)};
    if (out->same) {
        out->value = shown_value(explaining, again.failure, place, &explaining->arena);
        out->trace = trace_copy(&explaining->arena, &again.trace);
    }
    return true;
}

/* --- one argument --- */

struct seen {
    VEC(const char *) values; /* that fail, the one of the failure first */
};

static void note(struct explaining *explaining, struct seen *seen, const char *value)
{
    bool known = !value;
    for (size_t i = 0; i < seen->values.count && !known; i++) {
        known = strcmp(seen->values.items[i], value) == 0;
    }
    if (!known) {
        *VEC_PUSH(&explaining->arena, &seen->values) = value;
    }
}

static void mark(struct explaining *explaining, struct vary_place place, const struct seen *seen,
                 bool any)
{
    size_t others = seen->values.count - 1;
    if (others >= (any ? 1 : DRAWS_LEAST)) {
        *VEC_PUSH(&explaining->arena, &explaining->marked) =
            (struct free_argument){place, others, any};
    }
}

static bool run_with(struct explaining *explaining, struct vary_place place, uint64_t index,
                     struct seen *seen, struct varied *out)
{
    const struct trace other =
        vary_pick(&explaining->failure->trace, place, index, &explaining->arena);
    bool ok = run(explaining, &other, place, out);
    note(explaining, seen, ok ? out->value : NULL);
    return ok;
}

/* All values of an argument that has few: the last one tells how many there are. *few: the argument
 * need not be drawn. */
static bool try_all(struct explaining *explaining, struct vary_place place, struct seen *seen,
                    bool *few)
{
    uint64_t own;
    uint64_t last;
    uint64_t index;
    struct varied varied;
    *few = false;
    if (!vary_index(&explaining->failure->trace, place, &own) || is_over(explaining)) {
        return true;
    }
    if (!run_with(explaining, place, UINT64_MAX, seen, &varied)) {
        return false;
    }
    *few = !varied.same;
    if (*few || !vary_index(&varied.trace, place, &last) || last >= VARY_FEW) {
        return true;
    }
    *few = true;
    for (uint64_t i = 0; i < last; i++) {
        if (i == own) {
            continue;
        }
        if (is_over(explaining)) {
            return true;
        }
        if (!run_with(explaining, place, i, seen, &varied)) {
            return false;
        }
        if (!varied.same || !vary_index(&varied.trace, place, &index)) {
            return true;
        }
    }
    mark(explaining, place, seen, true);
    return true;
}

struct tried {
    VEC(struct trace) traces;
};

/* A trace with another value than those before it; false: none was drawn, so there may be none. */
static bool draw_another(struct explaining *explaining, const struct vary_places *places,
                         struct tried *tried, struct trace *out)
{
    enum { TRIES = 20 };
    const struct trace *trace = &explaining->failure->trace;
    bool known = true;
    for (size_t i = 0; i < TRIES && known; i++) {
        *out = vary_draw(trace, places, &explaining->rng, &explaining->arena);
        known = trace_equal(out, trace);
        for (size_t k = 0; k < tried->traces.count && !known; k++) {
            known = trace_equal(out, &tried->traces.items[k]);
        }
    }
    *VEC_PUSH(&explaining->arena, &tried->traces) = *out;
    return !known;
}

static bool try_some(struct explaining *explaining, struct vary_place place, struct seen *seen)
{
    struct vary_places alone = {0};
    struct tried tried = {0};
    struct trace other;
    *VEC_PUSH(&explaining->arena, &alone.items) = place;
    for (size_t i = 0; i < DRAWS && draw_another(explaining, &alone, &tried, &other); i++) {
        struct varied varied;
        if (is_over(explaining)) {
            return true;
        }
        if (!run(explaining, &other, place, &varied)) {
            return false;
        }
        if (!varied.same) {
            return true;
        }
        note(explaining, seen, varied.value);
    }
    mark(explaining, place, seen, false);
    return true;
}

static bool try_argument(struct explaining *explaining, struct vary_place place)
{
    struct seen seen = {0};
    bool few;
    const char *own = shown_value(explaining, explaining->failure, place, &explaining->arena);
    if (!own) {
        return true;
    }
    note(explaining, &seen, own);
    return try_all(explaining, place, &seen, &few) && (few || try_some(explaining, place, &seen));
}

/* --- all of them --- */

/* Arguments may be free one by one, and not all at once: then only the first is told. */
static bool try_together(struct explaining *explaining)
{
    struct vary_places places = {0};
    bool same = true;
    for (size_t i = 0; i < explaining->marked.count; i++) {
        *VEC_PUSH(&explaining->arena, &places.items) = explaining->marked.items[i].place;
    }
    for (size_t i = 0; same && i < DRAWS && explaining->marked.count > 1; i++) {
        struct varied varied = {0};
        const struct trace other =
            vary_draw(&explaining->failure->trace, &places, &explaining->rng, &explaining->arena);
        bool can = !is_over(explaining);
        if (can && !run(explaining, &other, places.items.items[0], &varied)) {
            return false;
        }
        same = varied.same;
    }
    explaining->marked.count = same ? explaining->marked.count : 1;
    return true;
}

static bool try_arguments(struct explaining *explaining, const struct vary_places *places)
{
    for (size_t i = 0; i < places->items.count && explaining->runs > DRAWS; i++) {
        if (!try_argument(explaining, places->items.items[i])) {
            return false;
        }
    }
    explaining->runs = explaining->runs > DRAWS ? explaining->runs : DRAWS;
    return try_together(explaining);
}

/* Whether it fails here again, as a baseline; perhaps only where no other invariant fails first. */
static bool choose_way(struct explaining *explaining, bool *found)
{
    static const struct rerun_way ways[] = {{.only = false}, {.only = true}};
    const struct failure *failure = explaining->failure;
    *found = false;
    for (size_t i = 0; i < sizeof ways / sizeof *ways && !*found; i++) {
        struct rerun again;
        explaining->way = ways[i];
        if (!rerun_trace(explaining->examiner, &failure->trace, failure, ways[i], &again,
                         explaining->err)) {
            return false;
        }
        *found = again.outcome == OUTCOME_FAIL && is_same(failure, again.failure);
    }
    return true;
}

/* "any role fails", "12 other values of amount fail, too" */
static void add_remark(struct arena *arena, const struct free_argument *argument,
                       struct shown_step *step)
{
    const char *name = step->rule->args.items[argument->place.argument].name;
    const char *of = step->args.count > 1 ? arena_printf(arena, " of %s", name) : "";
    const char *before = step->remark ? arena_printf(arena, "%s; ", step->remark) : "";
    step->remark = argument->any ? arena_printf(arena, "%sany %s fails", before, name)
                                 : arena_printf(arena, "%s%zu other values%s fail, too", before,
                                                argument->others, of);
}

static bool can_be_explained(const struct failure *failure)
{
    bool waits = failure->kind == FAILURE_TIMEOUT || failure->kind == FAILURE_CONNECTION;
    size_t first = trace_first(&failure->trace);
    return !failure->flaky && !failure->pinned && !failure->race && !failure->leftover && !waits &&
           (failure->shrinking.executions > 0 || failure->adopted) &&
           failure->trace.steps.count == first + failure->steps.count;
}

bool failure_explain(struct examiner *examiner, struct failure *failure, struct error *err)
{
    struct engine *engine = examiner->engine;
    uint64_t executions = failure->shrinking.executions;
    struct explaining explaining = {.examiner = examiner, .failure = failure, .err = err};
    bool found = false;
    const struct vary_places places = vary_places(&failure->trace, &explaining.arena);
    explaining.runs = executions > RUNS_MAX || failure->adopted ? RUNS_MAX
                      : executions < RUNS_MIN                   ? RUNS_MIN
                                                                : (unsigned)executions;
    explaining.until_us =
        clock_spent_us(&engine->options.clock) + failure->shrinking.time_us + SPARE_US;
    rng_seed(&explaining.rng, engine->options.settings->seed, ~failure->example);
    bool wanted = can_be_explained(failure) && places.items.count > 0;
    bool ok = !wanted || choose_way(&explaining, &found);
    if (ok && found) {
        prefix_begin(engine);
        ok = try_arguments(&explaining, &places);
        if (!ok) {
            prefix_forget(engine); /* there is nothing to be rolled back any more */
        }
        ok = prefix_end(engine, err) && ok;
    }
    for (size_t i = 0; ok && !explaining.late && i < explaining.marked.count; i++) {
        const struct free_argument *argument = &explaining.marked.items[i];
        size_t step = argument->place.step - trace_first(&failure->trace);
        add_remark(examiner->arena, argument, &failure->steps.items[step]);
    }
    arena_free(&explaining.arena);
    return ok;
}
