#include "shrink/shrink.h"

#include "shrink/passes/passes.h"

#include <assert.h>

static const struct {
    shrink_pass *run;
    enum shrink_pass_then then;
} passes[] = {
#define ROW(name, then) {pass_##name, then},
    SHRINK_PASSES(ROW, ROW)
#undef ROW
};
enum { PASSES = sizeof passes / sizeof passes[0] };

/* True if the rival is at least as short as this trace after the passes that only remove steps, so
 * that continuing is pointless. */
static bool is_beaten(const struct shrinker *shrinker)
{
    const struct trace *rival = shrinker->target->rival;
    return rival && trace_length(&shrinker->current) >= trace_length(rival);
}

/* Runs a round of all passes. It starts over after a pass that made the trace shorter, because
 * other steps may have become removable. */
static void run_round(struct shrinker *shrinker)
{
    size_t pass = 0;
    while (pass < PASSES && !shrinker->stopped) {
        size_t steps = shrinker_steps(shrinker);
        if (passes[pass].then == BEGINS_AGAIN && is_beaten(shrinker)) {
            shrinker->stopped = true;
            return;
        }
        passes[pass].run(shrinker);
        pass = shrinker_steps(shrinker) < steps && passes[pass].then == BEGINS_AGAIN ? 0 : pass + 1;
    }
}

static void run_passes(struct shrinker *shrinker)
{
    uint64_t before;
    do {
        before = shrinker->stats->accepted;
        run_round(shrinker);
    } while (shrinker->stats->accepted > before && !shrinker->stopped);
}

bool shrink_trace(const struct shrink_target *target, const struct trace *failing,
                  uint64_t executions, struct arena *arena, struct trace *out,
                  struct shrink_stats *stats, struct error *err)
{
    assert(target->attempt != NULL);
    struct shrinker shrinker;
    *stats = (struct shrink_stats){0};
    shrinker_begin(&shrinker, target, failing);
    shrinker.stats = stats;
    shrinker.limit = executions;
    shrinker.err = err;
    run_passes(&shrinker);
    *out = trace_copy(arena, &shrinker.current);
    shrinker_end(&shrinker);
    return !shrinker.failed;
}
