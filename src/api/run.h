/* Implements pgfsm/run.h. */
#ifndef API_RUN_H
#define API_RUN_H

#include "report/report.h"

#include <pgfsm/mutate.h>
#include <pgfsm/run.h>

struct pgfsm_run {
    struct arena arena; /* of the result and all below */
    struct run_result result;
    struct report_run report;
    struct pgfsm_summary summary;
    struct pgfsm_failure *failures;
    struct mutation mutation;
    struct pgfsm_mutation_summary mutated;
    struct pgfsm_mutant *mutants; /* of the mutation; NULL: it did not come to that */
};

#endif
