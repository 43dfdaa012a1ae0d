#include "cli/report.h"

#include "base/shell.h"
#include "cli/interrupt.h"
#include "cli/terminal.h"

#include <stdlib.h>

#include <pgfsm/report.h>

enum status report_errors(struct work *work)
{
    progress_clear(&work->progress);
    terminal_errors(work->errors);
    enum status status = status_of_errors(work->errors);
    pgfsm_errors_clear(work->errors);
    return status;
}

enum status report_stop(struct work *work, const struct pgfsm_run *run)
{
    if (run && interrupt_asked()) {
        pgfsm_errors_clear(work->errors);
        return STATUS_INTERRUPTED;
    }
    return report_errors(work);
}

/* What runs a script, up to its path: by ourselves, who make the database that it wants. Its head
 * has the words for psql. */
static void add_replay(const struct options *options, struct strbuf *out)
{
    shell_quote(out, program_name);
    strbuf_adds(out, options->database.embedded ? " replay --embedded" : " replay");
    options_psql(options, out);
}

void report_run(struct work *work, const struct pgfsm_run *run, const char *again)
{
    const struct options *options = work->options;
    struct strbuf replay = {0};
    struct strbuf replay_trace = {0};
    char *text;
    size_t size;
    add_replay(options, &replay);
    shell_quote(&replay_trace, program_name);
    strbuf_adds(&replay_trace, " replay");
    options_again(options, FOR_REPLAY, &replay_trace);
    struct pgfsm_report_options report = {
        .format = options->report,
        .stats = options->run.measure,
        .color = terminal_color(options->color),
        .whole = options->run.verbose > 0,
        .quiet = options->quiet,
        .again = again,
        .replay = strbuf_text(&replay),
        .replay_trace = strbuf_text(&replay_trace),
    };
    progress_clear(&work->progress);
    if (pgfsm_report(&text, &size, run, &report, work->errors)) {
        terminal_print(text, size);
        free(text);
    }
    strbuf_free(&replay);
    strbuf_free(&replay_trace);
}

enum status status_of_outcome(enum pgfsm_outcome outcome)
{
    static const enum status statuses[] = {
        [PGFSM_PASSED] = STATUS_OK,
        [PGFSM_FAILED] = STATUS_FAILED,
        [PGFSM_UNMET] = STATUS_UNMET,
        [PGFSM_NOTHING] = STATUS_NOTHING,
    };
    return statuses[outcome];
}
