#include "cli/report.h"

#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "cli/totals.h"

static enum status print_errors(struct work *work)
{
    progress_clear(&work->progress);
    terminal_errors(work->errors);
    return status_of_errors(work->errors);
}

enum status report_errors(struct work *work)
{
    enum status status = print_errors(work);
    pgfsm_errors_clear(work->errors);
    return status;
}

static enum status status_of_run(const struct pgfsm_run *run, bool stopped)
{
    static const enum status statuses[] = {
        [PGFSM_OUTCOME_PASSED] = STATUS_OK,
        [PGFSM_OUTCOME_FAILED] = STATUS_FAILED,
        [PGFSM_OUTCOME_UNMET] = STATUS_UNMET,
        [PGFSM_OUTCOME_NOTHING] = STATUS_NOTHING,
    };
    enum pgfsm_outcome outcome = run ? pgfsm_run_summary(run)->outcome : PGFSM_OUTCOME_PASSED;
    return stopped && outcome != PGFSM_OUTCOME_FAILED ? STATUS_OK : statuses[outcome];
}

enum status report_run(struct work *work, const struct pgfsm_report_part *part, size_t left)
{
    struct pgfsm_report_part own = *part;
    bool stopped = pgfsm_errors_count(work->errors) > 0;
    bool interrupted = part->run && interrupt_asked();
    enum status status = !stopped      ? STATUS_OK
                         : interrupted ? STATUS_INTERRUPTED
                                       : print_errors(work);
    own.errors = work->errors;
    progress_clear(&work->progress);
    outputs_add(work, &own, left);
    pgfsm_errors_clear(work->errors);
    status = status_worst(status, status_of_run(part->run, stopped));
    totals_add(work->options->totals, part->path, status);
    return status;
}
