#ifndef PGFSM_CALLBACKS_H
#define PGFSM_CALLBACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pgfsm/export.h>

PGFSM_BEGIN

/* The progress of a run. */
struct pgfsm_progress {
    uint64_t examples; /* done */
    uint64_t examples_planned;
    uint64_t steps;       /* done */
    uint64_t time_us;     /* since the start of the first example */
    uint64_t max_time_us; /* the limit of the machine; 0 if it has none */
    /* While a failure is being shrunk: the traces run for that so far, and the steps of the
     * shortest one that fails. Otherwise 0. */
    uint64_t shrink_runs;
    uint64_t shrink_steps;
    uint64_t failures; /* different failures found so far */
    bool differs;      /* they are differences of two databases */
    /* While mutants are graded (pgfsm/mutate.h): the mutants graded so far, all mutants, and the
     * survivors so far. Otherwise 0. */
    uint64_t mutants;
    uint64_t mutants_planned;
    uint64_t survivors;
    uint64_t killed; /* mutants */
    const char
        *survivor; /* the latest: "drop-check members.role_check"; NULL if there is none yet */
    /* The rules that may be chosen, and those of them that have run; the pairs of rules that can
     * follow each other, and those that have been seen. 0: not counted. */
    uint64_t rules;
    uint64_t rules_ran;
    uint64_t pairs;
    uint64_t pairs_seen;
};

/* The result of preparing a machine's statements. Read-only; later versions may add members at the
 * end. */
struct pgfsm_prepared {
    size_t statements; /* of initialize, rules and invariants */
    size_t prepared;
    /* Statements that the server refused, although a rule may still make them valid or predict
     * their errors, and statements that probably do something unintended. Borrowed. */
    const struct pgfsm_errors *warnings;
};

struct pgfsm_failure; /* run.h */

/* The library calls these functions while it works, on the thread that called it. Each may be
 * NULL. They must return: no longjmp() and no C++ exception may leave them. */
struct pgfsm_callbacks {
    size_t struct_size;
    void *host; /* passed to each function */
    /* Called often, also when a signal interrupts a wait. Return true to stop. */
    bool (*interrupted)(void *host);
    /* Called after every example, every few steps of a slow one, and while a failure is being
     * shrunk. */
    void (*progress)(void *host, const struct pgfsm_progress *progress);
    /* Called with a line that the model printed: `size` bytes without the newline, borrowed. Escape
     * it before you show it: it may hold control characters. */
    void (*print)(void *host, const char *line, size_t size);
    /* Called with lines about the examples as they run, if pgfsm_run_options.verbose asks for them:
     * `size` bytes, borrowed, safe to show. */
    void (*tell)(void *host, const char *text, size_t size);
    /* Called with one line of what a user should know while the call goes on, such as that a
     * scratch database could not be dropped. Ordinary work is not told. */
    void (*note)(void *host, const char *text);
    /* Called with each new failure, after it was shrunk and stored. Called again with the same
     * identity if another example of it leads to a shorter sequence. The failure is borrowed for
     * the call. */
    void (*found)(void *host, const struct pgfsm_failure *failure);
    /* Called by pgfsm_machine_check if it found no mistake. */
    void (*prepared)(void *host, const struct pgfsm_prepared *prepared);
};
PGFSM_SIZED(pgfsm_callbacks)
#define PGFSM_CALLBACKS_INIT PGFSM_SIZED_INIT(pgfsm_callbacks)

PGFSM_END

#endif
