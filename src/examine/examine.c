#include "examine/examine.h"

#include "account/account.h"
#include "shrink/edit.h"

#include <assert.h>

enum { OTHERS_MAX = 2 /* other examples that are shrunk for a failure */ };

static void take_account(struct examiner *examiner, struct failure *failure,
                         const struct account *account)
{
    failure->account = account;
    for (size_t i = 0; account && failure->invariant && i < account->also.count; i++) {
        *VEC_PUSH(examiner->arena, &failure->also) = account->also.items[i];
    }
}

/* Runs the failure on a new connection. If it fails there, too (*there), it shows from now on what
 * it showed there, so that reports do not depend on earlier examples. */
static bool fails_there(struct examiner *examiner, struct failure *failure, bool *there,
                        struct error *err)
{
    struct telling telling;
    if (!failure_tell(examiner, failure, &telling, err)) {
        return false;
    }
    *there = telling.shown != NULL;
    if (*there) {
        bool same = failure_same_calls(failure, telling.shown);
        failure_show(failure, telling.shown, examiner->arena);
        failure->pinnable = failure->pinnable && same;
        take_account(examiner, failure, telling.account);
    }
    return true;
}

static bool complete(struct examiner *examiner, struct failure *failure, struct error *err)
{
    return failure_follow(examiner, failure, err) && failure_explain(examiner, failure, err) &&
           failure_record(examiner, failure, err);
}

/* The shortest one does not fail on a new connection, or the found one not here: what was found,
 * there. */
static bool examine_found(struct examiner *examiner, const struct failure *found,
                          struct failure *failure, bool *there, struct error *err)
{
    struct failure again = *found;
    bool told;
    if (!fails_there(examiner, &again, there, err)) {
        return false;
    }
    if (*there) {
        *failure = again;
    }
    return !*there || (failure_shrink(examiner, SHRINK_FRESH, failure, err) &&
                       (failure->account || fails_there(examiner, failure, &told, err)));
}

/* Of a difference that did not show when it was confirmed: whether one of some more runs shows it.
 * What never does came by chance, and nobody could look into it. */
static bool note_unrepeated(struct examiner *examiner, const struct failure *found,
                            struct failure *failure, struct error *err)
{
    enum { TRIES = 5 };
    bool shows = failure->kind != FAILURE_DIFFERS || !failure->flaky || failure->by_nature;
    for (unsigned i = 0; i < TRIES && !shows; i++) {
        struct rerun again;
        if (!rerun_trace(examiner, &found->trace, found, (struct rerun_way){0}, &again, err)) {
            return false;
        }
        shows = again.outcome == OUTCOME_FAIL;
    }
    failure->unrepeated = !shows;
    failure->by_nature = failure->by_nature || !shows;
    return true;
}

/* Shrinking may have gone over from a true difference to one by nature at the same place. Then what
 * was found is shrunk again: that place is compared more loosely by now. */
static bool examine_difference(struct examiner *examiner, const struct failure *found,
                               struct failure *failure, bool *there, struct error *err)
{
    enum { TRIES_MAX = 3 };
    if (!failure_commit(examiner, failure, err)) {
        return false;
    }
    for (unsigned i = 0; i < TRIES_MAX && !failure->by_nature; i++) {
        if (!failure_doubt(examiner, failure, err)) {
            return false;
        }
        if (!failure->by_nature || i + 1 == TRIES_MAX) {
            break;
        }
        struct rerun again;
        if (!rerun_trace(examiner, &found->trace, found, (struct rerun_way){0}, &again, err)) {
            return false;
        }
        if (again.outcome != OUTCOME_FAIL) {
            break;
        }
        *failure = *found;
        if (!failure_shrink(examiner, SHRINK_HERE, failure, err) ||
            !fails_there(examiner, failure, there, err)) {
            return false;
        }
    }
    return true;
}

/* After an interrupt (`why`): a recording of what is known by now, or else of what was found.
 * Nothing else is asked of the database any more. */
static void finish(struct examiner *examiner, const struct failure *found, struct failure *failure,
                   const struct error *why)
{
    const struct examine_options *options = &examiner->options;
    struct failure first = *found;
    struct error ignored = {0};
    bool recorded = failure->flaky || failure->leftover || failure->recording;
    if (!recorded && options->mask_interrupts) {
        options->mask_interrupts(options->host, true);
        if (failure_record(examiner, failure, &ignored) && !failure->recording &&
            failure_record(examiner, &first, &ignored) && first.recording) {
            *failure = first;
        }
        options->mask_interrupts(options->host, false);
    }
    if (failure->shrinking.executions == 0) { /* it was not even tried */
        failure->shrinking.cut_short = why_stopped(examiner, why);
    }
}

static bool examine(struct examiner *examiner, struct failure *failure, struct error *err)
{
    failure->found = arena_memdup(examiner->arena, failure, sizeof *failure);
    const struct failure found = *failure;
    bool there = false;
    if (!failure_confirm(examiner, failure, err)) {
        return false;
    }
    if (!failure->flaky && (!failure_shrink(examiner, SHRINK_HERE, failure, err) ||
                            !fails_there(examiner, failure, &there, err))) {
        return false;
    }
    if (!there && !examine_found(examiner, &found, failure, &there, err)) {
        return false;
    }
    if (failure->kind == FAILURE_DIFFERS &&
        !examine_difference(examiner, &found, failure, &there, err)) {
        return false;
    }
    if (!there && !note_unrepeated(examiner, &found, failure, err)) {
        return false;
    }
    failure->leftover = !there && !failure->flaky;
    return !there || failure->by_nature || complete(examiner, failure, err);
}

static bool examine_pinned(struct examiner *examiner, struct failure *failure, struct error *err)
{
    const struct failure found = *failure;
    struct telling telling;
    if (!failure_confirm(examiner, failure, err) ||
        (!failure->flaky && !pinned_shrink(examiner, failure, err)) ||
        !failure_tell(examiner, &found, &telling, err)) {
        return false;
    }
    bool there = telling.shown != NULL;
    if (there && failure->flaky) {
        *failure = found;
    }
    if (there) {
        take_account(examiner, failure, telling.account);
    }
    if (!there && !note_unrepeated(examiner, &found, failure, err)) {
        return false;
    }
    failure->leftover = !there && !failure->flaky;
    return failure_doubt(examiner, failure, err) &&
           (!there || failure->by_nature || complete(examiner, failure, err));
}

size_t failure_least_length(const struct failure *failure)
{
    const struct trace *trace = &failure->trace;
    struct arena scratch = {0};
    size_t count = trace->steps.count;
    bool *needed = ARENA_ARRAY(&scratch, bool, count);
    size_t length = 0;
    for (size_t i = count; i-- > trace_first(trace);) {
        needed[i] = i + 1 == count;
        for (size_t k = i + 1; k < count && !needed[i]; k++) {
            needed[i] =
                needed[k] && step_refers_to(&trace->steps.items[k], trace->steps.items[i].id);
        }
        length += needed[i];
    }
    arena_free(&scratch);
    return length;
}

bool failure_wants_another(const struct failure *failure, size_t least)
{
    const struct shrinking *shrinking = &failure->shrinking;
    bool shrunk = shrinking->executions > 0 && !shrinking->cut_short && !failure->pinned;
    bool shorter =
        shrunk && failure->kind != FAILURE_TIMEOUT && least < trace_length(&failure->trace);
    return shrinking->others < OTHERS_MAX && (failure->leftover || shorter);
}

/* What both took. */
static void add_shrinking(struct shrinking *to, const struct shrinking *more)
{
    to->executions += more->executions;
    to->steps += more->steps;
    to->time_us += more->time_us;
    to->mistakes += more->mistakes;
    to->mistake = to->mistake ? to->mistake : more->mistake;
}

/* Instead of one that only fails after other examples, whose steps tell little. */
static bool try_instead(struct examiner *examiner, struct failure *failure, struct failure *other,
                        bool *shorter, struct error *err)
{
    const struct rerun_way fresh = {.fresh = true};
    struct rerun again;
    if (!rerun_trace(examiner, &other->trace, other, fresh, &again, err)) {
        return false;
    }
    if (again.outcome != OUTCOME_FAIL) {
        return true;
    }
    if (!examine(examiner, other, err)) {
        return false;
    }
    failure->shrinking.others++;
    add_shrinking(&failure->shrinking, &other->shrinking);
    *shorter = !other->leftover && !other->flaky && !other->by_nature;
    if (*shorter) {
        other->shrinking.others = failure->shrinking.others;
        *failure = *other;
    }
    return true;
}

bool failure_try_another(struct examiner *examiner, struct failure *failure, bool *shorter,
                         struct error *err)
{
    const struct failure *last = examiner->engine->example.failure;
    assert(last != NULL && failure_id_equal(&last->id, &failure->id));
    *shorter = false;
    if (!failure_wants_another(failure, failure_least_length(last))) {
        return true;
    }
    struct failure *other = failure_copy(examiner->arena, last);
    other->seed = examiner->engine->options.settings->seed;
    if (failure->leftover) {
        return try_instead(examiner, failure, other, shorter, err);
    }
    other->found = arena_memdup(examiner->arena, other, sizeof *other);
    if (!failure_outdo(examiner, failure, other, err)) {
        return false;
    }
    failure->shrinking.others++;
    add_shrinking(&failure->shrinking, &other->shrinking);
    if (trace_length(&other->trace) >= trace_length(&failure->trace)) {
        return true;
    }
    other->shrinking = failure->shrinking;
    if (!fails_there(examiner, other, shorter, err) || !failure_doubt(examiner, other, err)) {
        *shorter = false;
        return false;
    }
    *shorter = *shorter && !other->by_nature;
    if (*shorter && !complete(examiner, other, err)) {
        *shorter = false;
        return false;
    }
    *shorter = *shorter && (other->recording || !failure->recording);
    if (*shorter) {
        other->shrinking.cut_short = NULL;
        *failure = *other;
    }
    return true;
}

void failure_write_down(struct examiner *examiner, struct failure *failure, const struct error *why)
{
    assert(why->code == ERROR_INTERRUPTED);
    const struct failure found = *failure;
    finish(examiner, &found, failure, why);
}

bool failure_repeat(struct examiner *examiner, const struct failure *failure, bool *fails,
                    struct error *err)
{
    struct rerun again;
    bool ok = rerun_trace(examiner, &failure->trace, failure, (struct rerun_way){0}, &again, err);
    *fails = ok && again.outcome == OUTCOME_FAIL;
    return ok;
}

bool failure_adopt(struct examiner *examiner, const struct trace *known, struct failure *failure,
                   bool *adopted, struct error *err)
{
    struct failure shown = *failure;
    bool again;
    failure->found = arena_memdup(examiner->arena, failure, sizeof *failure);
    shown.trace = trace_copy(examiner->arena, known);
    if (!fails_there(examiner, &shown, adopted, err)) {
        return false;
    }
    if (!*adopted) {
        return failure_repeat(examiner, failure, &again, err);
    }
    shown.found = failure->found;
    shown.adopted = true;
    *failure = shown;
    /* once more, to know whether its calls are the same: before, they were those of the example */
    return fails_there(examiner, failure, &again, err) && failure_doubt(examiner, failure, err) &&
           (failure->by_nature || complete(examiner, failure, err));
}

bool failure_examine(struct examiner *examiner, struct failure *failure, struct error *err)
{
    assert(failure != examiner->engine->example.failure);
    const struct failure found = *failure;
    bool ok =
        failure->pinned ? examine_pinned(examiner, failure, err) : examine(examiner, failure, err);
    if (!ok && err->code == ERROR_INTERRUPTED) {
        finish(examiner, &found, failure, err);
    }
    return ok;
}
