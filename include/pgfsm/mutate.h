#ifndef PGFSM_MUTATE_H
#define PGFSM_MUTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pgfsm/export.h>
#include <pgfsm/run.h>

PGFSM_BEGIN

/*
 * Mutants: after all properties held, the run plants faults in the schema, one at a time, and
 * reports which of them the machine finds.
 */

/* PGFSM_MUTATE_OPTIONS_INIT gives all mutants. */
struct pgfsm_mutate_options {
    size_t struct_size;
    /* Patterns as in a shell: only mutants whose id, operator or object matches one of them. 0:
     * all. */
    const char *const *only;
    size_t only_count;
    bool list;        /* make the mutants, but do not run them */
    bool changed;     /* only mutants of what the files to apply add or change */
    int64_t prove;    /* at most this many, drawn by the seed; 0: all */
    double min_score; /* percent; a lower score is an unmet requirement. 0: no requirement */
};
PGFSM_SIZED(pgfsm_mutate_options)
#define PGFSM_MUTATE_OPTIONS_INIT PGFSM_SIZED_INIT(pgfsm_mutate_options)

enum pgfsm_mutant_verdict {
    PGFSM_MUTANT_NOT_RUN,
    PGFSM_MUTANT_KILLED,    /* an example failed that passes on the unchanged schema */
    PGFSM_MUTANT_SURVIVED,  /* no example failed */
    PGFSM_MUTANT_TIMED_OUT, /* a statement ran too long */
    PGFSM_MUTANT_STILLBORN, /* the server refused the fault */
    PGFSM_MUTANT_BROKE,     /* the model met a mistake, or the server went away */
    PGFSM_MUTANT_EQUIVALENT,
    PGFSM_MUTANT_ACCEPTED, /* it survived, and the machine lists it as accepted */
};

/* Read-only; later versions may add members at the end. Texts are borrowed from the run. */
struct pgfsm_mutant {
    const char *id;      /* stays the same until this part of the schema changes */
    const char *change;  /* the operator: "drop-check" */
    const char *object;  /* "members.members_role_check" */
    const char *was;     /* the part of the definition that was changed */
    const char *becomes; /* "" if the part is dropped */
    const char *ddl;     /* the SQL that makes the change */
    enum pgfsm_mutant_verdict verdict;
    const char *by; /* the failure, "invariant editors", or the error; "" if it did not fail */
};

/* Read-only; later versions may add members at the end. */
struct pgfsm_mutation_summary {
    size_t mutants; /* all that were chosen */
    double score;   /* percent: killed, of those killed or survived; -1 if there were none */
    uint64_t time_us;
};

/* The summary of a run with options.mutate. NULL if the machine failed, and the run therefore
 * tested no mutants. */
const struct pgfsm_mutation_summary *pgfsm_run_mutation(const struct pgfsm_run *run);
/* The number of mutants with this verdict; 0 if the run tested none. */
size_t pgfsm_run_mutant_count(const struct pgfsm_run *run, enum pgfsm_mutant_verdict verdict);
/* NULL past the end. */
const struct pgfsm_mutant *pgfsm_run_mutant(const struct pgfsm_run *run, size_t index);

PGFSM_END

#endif
