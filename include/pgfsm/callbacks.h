#ifndef PGFSM_CALLBACKS_H
#define PGFSM_CALLBACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pgfsm/export.h>

PGFSM_BEGIN

/* How far a run is. */
struct pgfsm_progress {
    uint64_t examples; /* done */
    uint64_t examples_planned;
    uint64_t steps;       /* done */
    uint64_t time_us;     /* since the first example began */
    uint64_t max_time_us; /* when the run is cut short; 0: never */
    /* While a failure that was found is being shrunk: traces that were run for that, and the
     * steps of the shortest one so far that fails. Else 0. */
    uint64_t shrink_runs;
    uint64_t shrink_steps;
};

/* What came of preparing a machine's statements. To be read only; members may be added at the end.
 */
struct pgfsm_prepared {
    size_t statements; /* of initialize, rules and invariants */
    size_t prepared;
    /* Of those that the server refused, which a rule may put right or predict: lines, safe to show;
     * borrowed. */
    const char *warnings;
};

/* What a caller is told, and asked, while something goes on. Any of them may be NULL. They are
 * called on the thread that called the library. */
struct pgfsm_callbacks {
    void *host; /* given to each of them */
    /* Asked often, also when a signal comes while the library waits; true ends what goes on. */
    bool (*interrupted)(void *host);
    /* After every example, every few steps of a slow one, and while a failure is being shrunk.
     */
    void (*progress)(void *host, const struct pgfsm_progress *progress);
    /* A line that the model printed, without its end; `size` bytes, borrowed, not made safe to
     * show. */
    void (*print)(void *host, const char *line, size_t size);
    /* Lines about the examples as they run, where pgfsm_run_options.verbose asks for them: `size`
     * bytes, borrowed, safe to show. */
    void (*tell)(void *host, const char *text, size_t size);
    /* What is being done: "starting a server", "loading sql/a.sql"; one line. */
    void (*note)(void *host, const char *text);
    /* By pgfsm_check, where it found no mistake. */
    void (*prepared)(void *host, const struct pgfsm_prepared *prepared);
};

PGFSM_END

#endif
