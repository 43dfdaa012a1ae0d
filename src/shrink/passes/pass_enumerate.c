/* The last resort for long traces: tries all short traces that may fail alike (enumerate.h),
 * several in one attempt. */
#include "shrink/batch.h"
#include "shrink/enumerate.h"
#include "shrink/passes/passes.h"

enum {
    LENGTH_MIN = 6, /* other passes find shorter traces */
    LENGTH_MAX = 20,
    TAIL_MIN = 2,      /* minimum of repetitions to try, if the last step is repeated */
    STEPS_RUN = 30000, /* in all searches together: about two seconds */
    MISTAKEN_MAX =
        3, /* batches that failed although no member does, so that members are not independent */
};

struct search {
    struct shrinker *shrinker;
    size_t tail; /* how often the last step is repeated in the visited traces */
    struct arena arenas[2];
    unsigned in;          /* index of the arena of the waiting ones */
    struct batch waiting; /* for one attempt */
    size_t mistaken;
    bool found;
};

static bool is_search_over(const struct search *search)
{
    return search->found || search->shrinker->stopped || search->mistaken == MISTAKEN_MAX ||
           search->shrinker->steps_enumerated >= STEPS_RUN;
}

/* Keeps the members from `from` on for another attempt. */
static void keep_waiting(struct search *search, size_t from)
{
    struct batch kept = {0};
    unsigned other = 1 - search->in;
    for (size_t i = from; i < search->waiting.members.count; i++) {
        struct trace candidate =
            trace_copy(&search->arenas[other], &search->waiting.members.items[i].trace);
        batch_add(&kept, &search->arenas[other], &candidate);
    }
    arena_reset(&search->arenas[search->in]);
    search->waiting = kept;
    search->in = other;
}

/* Runs the waiting members. Those that did not start because of a rule's limit keep waiting. */
static void run_waiting(struct search *search)
{
    struct shrinker *shrinker = search->shrinker;
    struct shrink_attempt result;
    if (!shrinker_run(shrinker, &search->waiting.whole, &result)) {
        return;
    }
    size_t begun = batch_begun(&search->waiting, &result.trace);
    shrinker->steps_enumerated += result.trace.steps.count;
    if (result.same) {
        const struct batch_member *member = batch_ended_in(&search->waiting, &result.trace);
        search->found = member && shrinker_try(shrinker, &member->trace);
        search->mistaken += !search->found;
    }
    keep_waiting(search, begun > 0 ? begun : 1);
    arena_reset(&shrinker->scratch);
}

/* True if neither the candidate nor its steps before the last one ran before. */
static bool is_new(struct shrinker *shrinker, const struct trace *candidate, size_t tail)
{
    struct trace part = *candidate;
    bool anew = false;
    for (part.steps.count -= tail - 1; part.steps.count <= candidate->steps.count;
         part.steps.count++) {
        anew = shrinker_batch_anew(shrinker, &part);
    }
    return anew;
}

static bool visit_candidate(void *context, const struct trace *candidate)
{
    struct search *search = context;
    size_t most = search->shrinker->target->steps_max;
    size_t added = candidate->steps.count - shrinker_first(search->shrinker);
    if (!is_new(search->shrinker, candidate, search->tail)) {
        return true;
    }
    while (search->waiting.whole.steps.count - search->waiting.first + added > most &&
           !is_search_over(search)) {
        run_waiting(search);
    }
    struct arena *arena = &search->arenas[search->in];
    struct trace copy = trace_copy(arena, candidate);
    batch_add(&search->waiting, arena, &copy);
    return !is_search_over(search);
}

void pass_enumerate(struct shrinker *shrinker)
{
    size_t length = shrinker_steps(shrinker) - shrinker_first(shrinker);
    if (length < LENGTH_MIN || length > LENGTH_MAX || shrinker->target->at_end ||
        shrinker->target->steps_max < length) {
        return;
    }
    struct arena known = {0};
    struct enumeration all =
        enumeration_of(&shrinker->current, shrinker->target->collections, &known);
    struct search search = {.shrinker = shrinker};
    size_t least = all.tail < TAIL_MIN ? all.tail : TAIL_MIN;
    bool more = enumeration_pays(&all, &known) && !is_search_over(&search);
    for (size_t steps = 1; more && steps + least < length; steps++) {
        size_t room = length - 1 - steps;
        search.tail = room < all.tail ? room : all.tail;
        more = enumerate(&all, steps, search.tail, visit_candidate, &search);
        while (search.waiting.members.count > 0 && !is_search_over(&search)) {
            run_waiting(&search);
        }
        more = more && !is_search_over(&search);
    }
    arena_free(&search.arenas[0]);
    arena_free(&search.arenas[1]);
    arena_free(&known);
}
