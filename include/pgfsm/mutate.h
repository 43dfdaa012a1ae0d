#ifndef PGFSM_MUTATE_H
#define PGFSM_MUTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pgfsm/export.h>
#include <pgfsm/run.h>

PGFSM_BEGIN

/*
 * Mutants: a run whose machine held goes on with faults planted in the schema, one at a time, and
 * says which of them the machine finds.
 */

/* {0} gives all mutants. */
struct pgfsm_mutate_options {
    /* Patterns as in a shell: only mutants whose id, operator or object matches one of them. 0:
     * all. */
    const char *const *only;
    size_t only_count;
    bool list;        /* make the mutants, and run none */
    bool changed;     /* only those that the schema without the files to apply does not have */
    int64_t prove;    /* only so many, drawn by the seed; 0: all */
    double min_score; /* a lower one is an unmet requirement; percent, 0: none */
};

enum pgfsm_verdict {
    PGFSM_MUTANT_NOT_RUN,
    PGFSM_MUTANT_KILLED,    /* an example failed that holds on the schema as it is */
    PGFSM_MUTANT_SURVIVED,  /* none did */
    PGFSM_MUTANT_TIMED_OUT, /* a statement ran too long */
    PGFSM_MUTANT_STILLBORN, /* the server refused the fault */
    PGFSM_MUTANT_BROKE,     /* the model met a mistake, or the server went away */
    PGFSM_MUTANT_EQUIVALENT,
    PGFSM_MUTANT_ACCEPTED, /* it survived, and the machine says that it may */
    PGFSM_MUTANT_VERDICTS
};

/* Read-only; later versions may add members at the end. Texts are borrowed from the run. */
struct pgfsm_mutant {
    const char *id;      /* the same as long as the changed part of the schema is the same */
    const char *change;  /* the operator: "drop-check" */
    const char *object;  /* "members.members_role_check" */
    const char *was;     /* the part of the definition that was changed */
    const char *becomes; /* "": it is gone */
    const char *ddl;     /* the SQL that makes the change */
    enum pgfsm_verdict verdict;
    const char *by; /* what failed: "invariant editors"; or the error; "" if nothing did */
};

/* Read-only; later versions may add members at the end. */
struct pgfsm_mutation_summary {
    size_t counts[PGFSM_MUTANT_VERDICTS];
    size_t mutants; /* all that were chosen */
    double score;   /* percent of killed and survived that were killed; -1: there were none */
    uint64_t time_us;
};

/* Of a run with options.mutate; NULL: it did not come to mutants, as the machine did not hold. */
const struct pgfsm_mutation_summary *pgfsm_run_mutation(const struct pgfsm_run *run);
/* NULL past the end. */
const struct pgfsm_mutant *pgfsm_run_mutant(const struct pgfsm_run *run, size_t index);

PGFSM_END

#endif
