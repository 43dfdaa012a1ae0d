#include "engine/examine.h"

#include "engine/attempt.h"
#include "engine/shorten.h"

enum { ALSO_MAX = 20 /* other invariants that are asked whether they fail, too */ };

/* On a new connection, watched; `shown`, if not NULL, is then what it shows there, where sequences
 * begin as in any run: so what is reported does not depend on what ran before. With all invariants
 * another one may fail first; with one alone, what a query of another does is missing. */
static bool fails_there(struct engine *engine, struct arena *arena, const struct failure *failure,
                        struct failure *shown, bool *out, struct error *err)
{
    static const struct attempt_way ways[] = {{.fresh = true}, {.fresh = true, .only = true}};
    *out = false;
    for (size_t i = 0; i < sizeof ways / sizeof *ways && !*out; i++) {
        struct attempt attempt;
        engine->watch.on = true;
        bool ok = attempt_run(engine, &failure->trace, failure, ways[i], &attempt, err);
        engine->watch.on = false;
        if (!ok) {
            return false;
        }
        *out = attempt.outcome == OUTCOME_FAIL;
        if (*out && shown) {
            failure_show(shown, attempt.failure, arena);
        }
    }
    return true;
}

/* Which other invariants the same steps break: each is asked by itself, as the failing one was. One
 * that breaks earlier is another failure. */
static bool find_also(struct engine *engine, struct arena *arena, struct failure *failure,
                      struct error *err)
{
    const struct machine *machine = engine->machine;
    unsigned asked = 0;
    for (size_t i = 0; i < machine->invariants.count && failure->invariant && asked < ALSO_MAX;
         i++) {
        const struct invariant *other = &machine->invariants.items[i];
        struct failure wanted = *failure;
        struct attempt attempt;
        if (other == failure->invariant || other->xfail || engine_time_is_up(engine)) {
            continue;
        }
        asked++;
        wanted.invariant = other;
        if (!attempt_run(engine, &wanted.trace, &wanted, (struct attempt_way){.only = true},
                         &attempt, err)) {
            return false;
        }
        if (attempt.failure && attempt.failure->invariant == other &&
            attempt.failure->step == failure->step) {
            *VEC_PUSH(arena, &failure->also) = other;
        }
    }
    return true;
}

static bool complete(struct engine *engine, struct arena *arena, struct failure *failure,
                     struct error *err)
{
    return find_also(engine, arena, failure, err) && failure_record(engine, arena, failure, err);
}

/* The shortest one does not fail on a new connection, or the found one not here: what was found,
 * there. */
static bool examine_found(struct engine *engine, struct arena *arena, const struct failure *found,
                          struct failure *failure, bool *there, struct error *err)
{
    if (!fails_there(engine, arena, found, NULL, there, err)) {
        return false;
    }
    if (*there) {
        *failure = *found;
    }
    return !*there || failure_shorten(engine, arena, SHORTEN_FRESH, failure, err);
}

/* After an interrupt: a recording of what is known by now, or else of what was found. Nothing else
 * is asked of the database any more. */
static void finish(struct engine *engine, struct arena *arena, const struct failure *found,
                   struct failure *failure)
{
    const struct run_callbacks *callbacks = &engine->options->callbacks;
    struct failure first = *found;
    struct error ignored = {0};
    if (failure->flaky || failure->leftover || failure->recording || !callbacks->deafen) {
        return;
    }
    callbacks->deafen(callbacks->host, true);
    if (failure_record(engine, arena, failure, &ignored) && !failure->recording &&
        failure_record(engine, arena, &first, &ignored) && first.recording) {
        *failure = first;
    }
    callbacks->deafen(callbacks->host, false);
}

/* Why it was not even tried to shorten it. */
static void note_cut(const struct engine *engine, struct failure *failure, const struct error *why)
{
    if (failure->shortening.executions == 0) {
        failure->shortening.cut_short = why_stopped(engine, why);
    }
}

static bool examine(struct engine *engine, struct arena *arena, struct failure *failure,
                    struct error *err)
{
    const struct failure found = *failure;
    bool there = false;
    if (!failure_confirm(engine, arena, failure, err)) {
        return false;
    }
    if (!failure->flaky && (!failure_shorten(engine, arena, SHORTEN_HERE, failure, err) ||
                            !fails_there(engine, arena, failure, failure, &there, err))) {
        return false;
    }
    if (!there && !examine_found(engine, arena, &found, failure, &there, err)) {
        return false;
    }
    failure->leftover = !there && !failure->flaky;
    return !there || complete(engine, arena, failure, err);
}

static bool examine_pinned(struct engine *engine, struct arena *arena, struct failure *failure,
                           struct error *err)
{
    const struct failure found = *failure;
    bool there;
    if (!failure_confirm(engine, arena, failure, err) ||
        (!failure->flaky && !pinned_shorten(engine, arena, failure, err)) ||
        !fails_there(engine, arena, &found, NULL, &there, err)) {
        return false;
    }
    if (there && failure->flaky) {
        *failure = found;
    }
    failure->leftover = !there && !failure->flaky;
    return !there || complete(engine, arena, failure, err);
}

typedef bool examiner(struct engine *engine, struct arena *arena, struct failure *failure,
                      struct error *err);

static bool examine_or_finish(examiner *run, struct engine *engine, struct arena *arena,
                              struct failure *failure, struct error *err)
{
    const struct failure found = *failure;
    bool ok = run(engine, arena, failure, err);
    if (!ok && err->code == ERROR_INTERRUPTED) {
        finish(engine, arena, &found, failure);
        note_cut(engine, failure, err);
    }
    return ok;
}

void failure_write_down(struct engine *engine, struct arena *arena, struct failure *failure,
                        const struct error *why)
{
    const struct failure found = *failure;
    finish(engine, arena, &found, failure);
    note_cut(engine, failure, why);
}

bool failure_examine(struct engine *engine, struct arena *arena, struct failure *failure,
                     struct error *err)
{
    return examine_or_finish(examine, engine, arena, failure, err);
}

bool pinned_examine(struct engine *engine, struct arena *arena, struct failure *failure,
                    struct error *err)
{
    return examine_or_finish(examine_pinned, engine, arena, failure, err);
}
