#include "cli/run.h"
#include "base/shell.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/report.h"
#include "cli/terminal.h"

#include <inttypes.h>
#include <string.h>

#include <pgfsm/pgfsm.h>

/* The machines of one command line. */
struct runner {
    struct work work; /* first: the callbacks' host */
    size_t left;      /* machines behind the one that runs */
};

/* "pgfsm run machines/a.yaml --seed 7261" */
static void add_again(const struct runner *runner, const char *path, uint64_t seed,
                      struct strbuf *out)
{
    shell_quote(out, program_name);
    const struct options *options = runner->work.options;
    bool mutates = options->kill || (options->run.mutate && options->mutate.prove <= 0);
    strbuf_adds(out, mutates ? " mutate " : " run ");
    shell_quote(out, path);
    options_again(options, mutates ? FOR_MUTATE : FOR_RUN, out);
    strbuf_addf(out, " --seed %" PRIu64, seed);
}

static enum status run_machine_on(struct runner *runner, const struct pgfsm_machine *machine)
{
    struct pgfsm_run *run;
    struct strbuf again = {0};
    const char *path = pgfsm_machine_path(machine);
    runner->work.progress.name = pgfsm_machine_name(machine);
    runner->work.progress.next_us = 0;
    (void)pgfsm_run(&run, machine, runner->work.database, &runner->work.options->run,
                    &runner->work.callbacks, runner->work.errors);
    if (run) {
        add_again(runner, path, pgfsm_run_summary(run)->seed, &again);
    }
    enum status status = report_run(&runner->work, path, run, again.data, runner->left);
    strbuf_free(&again);
    pgfsm_run_free(run);
    return status;
}

static enum status run_file(struct runner *runner, const char *path)
{
    struct pgfsm_machine *machine;
    enum status status;
    if (!pgfsm_machine_load(&machine, path, NULL, runner->work.errors)) {
        (void)report_run(&runner->work, path, NULL, NULL, runner->left);
        return STATUS_USAGE;
    }
    if (!work_open(&runner->work)) {
        status = report_run(&runner->work, path, NULL, NULL, runner->left);
    } else {
        status = run_machine_on(runner, machine);
    }
    pgfsm_machine_free(machine);
    return status;
}

/* Whether nothing more can be run after a machine that ended so. */
static bool is_last(enum status status)
{
    return status == STATUS_INTERRUPTED || status == STATUS_UNREACHABLE || interrupt_asked() ||
           terminal_broken();
}

/* Other formats say of each property whether it held, which a measurement does not. */
static bool is_measured_as_text(const struct options *options)
{
    for (size_t i = 0; options->run.ways && i < options->reports.items.count; i++) {
        const char *report = options->reports.items.items[i];
        if (!report_is(report, "text")) {
            terminal_complain("run: --ways only counts failures; its report is text, not %s",
                              report);
            return false;
        }
    }
    return true;
}

static bool is_usable(const struct options *options)
{
    if (options->run.last_failed && options->no_save) {
        terminal_complain(
            "run: --last-failed reads .pgfsm/, which --no-save ignores; leave one of them out");
        return false;
    }
    if (options->run.last_failed && options->run.ways) {
        terminal_complain(
            "run: --ways makes examples, and --last-failed none; leave one of them out");
        return false;
    }
    return is_measured_as_text(options) && database_usable("run", options);
}

enum status run_machines(const struct options *options)
{
    struct runner runner = {0};
    enum status status = STATUS_OK;
    size_t count = options->operands.items.count;
    work_begin(&runner.work, options);
    if (!outputs_open(&runner.work, count)) {
        return work_end(&runner.work, outputs_close(&runner.work, STATUS_USAGE));
    }
    for (size_t i = 0; i < count && !is_last(status); i++) {
        runner.left = count - i - 1;
        status = status_worst(status, run_file(&runner, options->operands.items.items[i]));
    }
    status = outputs_close(&runner.work, status);
    return work_end(&runner.work, status);
}

static enum status run(const struct options *options)
{
    struct options all = *options;
    if (options->mutate.prove > 0) {
        all.run.mutate = &all.mutate;
    }
    return is_usable(options) ? run_machines(&all) : STATUS_USAGE;
}

const struct command command_run = {
    .name = "run",
    .bit = FOR_RUN,
    .operands = "FILE...",
    .summary = "test machines",
    .description =
        "Runs generated sequences of each machine's rules against a real database. After every\n"
        "step, pgfsm compares the database with the model. A machine with a schema gets a scratch\n"
        "database, which is dropped at the end. In a database that you name, every sequence is\n"
        "rolled back, and nothing is committed.\n"
        "\n"
        "pgfsm connects to the database that -d, -h, -p and -U name, or else to the one that\n"
        "the environment names (PGHOST, PGSERVICE, DATABASE_URL, …). If neither names one, it\n"
        "starts an embedded server for this run.",
    .examples = "pgfsm run machines/membership.yaml\n"
                "pgfsm run machines/*.yaml --examples 1000 --max-time 5m --stats\n"
                "pgfsm run machines/membership.yaml --seed 7261\n"
                "pgfsm run machines/membership.yaml --apply migrations/0042.sql\n"
                "pgfsm run machines/membership.yaml -d postgres://ann@db.example.com/app",
    .run = run,
};
