#include "cli/run.h"
#include "base/shell.h"
#include "cli/command.h"
#include "cli/fleet.h"
#include "cli/interrupt.h"
#include "cli/migrated_machine.h"
#include "cli/output.h"
#include "cli/report.h"
#include "cli/terminal.h"

#include <inttypes.h>
#include <string.h>

#include <pgfsm/pgfsm.h>

/* The machines of one command line. */
struct runner {
    struct work work; /* first: the callbacks' host */
    const struct run_command *command;
    size_t left; /* machines behind the one that runs */
};

/* "pgfsm run machines/a.yaml --seed 7261" */
static void add_again(const struct runner *runner, const char *path, uint64_t seed,
                      struct strbuf *out)
{
    const struct run_command *command = runner->command;
    strbuf_adds(out, program_name);
    strbuf_addf(out, " %s", command->name);
    if (!command->make) {
        strbuf_addc(out, ' ');
        shell_quote(out, path);
    }
    options_again(runner->work.options, command->bit, out);
    strbuf_addf(out, " --seed %" PRIu64, seed);
}

static struct pgfsm_report_part part_of(const struct pgfsm_machine *machine)
{
    return (struct pgfsm_report_part){.struct_size = sizeof(struct pgfsm_report_part),
                                      .path = pgfsm_machine_path(machine),
                                      .name = pgfsm_machine_name(machine)};
}

static enum status run_machine_on(struct runner *runner, const struct pgfsm_machine *machine,
                                  const struct pgfsm_run_options *options)
{
    struct pgfsm_run *run;
    struct strbuf again = {0};
    struct strbuf common = {0};
    struct pgfsm_report_part part = part_of(machine);
    runner->work.progress.name = part.name;
    runner->work.progress.next_us = 0;
    (void)pgfsm_machine_run(&run, machine, runner->work.database, options, &runner->work.callbacks,
                            runner->work.errors);
    if (run) {
        add_again(runner, part.path, pgfsm_run_summary(run)->seed, &again);
    }
    part.run = run;
    part.again = again.data;
    options_of_run(runner->work.options, runner->command->bit, &common);
    part.options = common.data;
    part.command = runner->command->name;
    part.made = runner->command->make != NULL;
    enum status status = report_run(&runner->work, &part, runner->left);
    strbuf_free(&again);
    strbuf_free(&common);
    pgfsm_run_free(run);
    return status;
}

/* A merged run must be the one that was split. */
static bool is_split_run(const struct runner *runner, const char *path)
{
    const struct pgfsm_merge *merge = runner->work.options->run.merge;
    struct strbuf own = {0};
    size_t index = 0;
    const char *other;
    if (!merge) {
        return true;
    }
    while (!runner->command->make && (other = pgfsm_merge_path(merge, index)) &&
           strcmp(other, path) != 0) {
        index++;
    }
    options_of_run(runner->work.options, runner->command->bit, &own);
    const char *theirs = pgfsm_merge_options(merge, index);
    bool same = strcmp(strbuf_text(&own), theirs) == 0;
    if (!same) {
        terminal_complain(
            "merge: give it the options of the shards. %s ran with%s, and merge has%s", path,
            *theirs ? theirs : " none", own.size ? strbuf_text(&own) : " none");
    }
    strbuf_free(&own);
    return same;
}

static enum status run_machine(struct runner *runner, const struct pgfsm_machine *machine)
{
    const struct run_command *command = runner->command;
    struct work *work = &runner->work;
    struct pgfsm_run_options options = work->options->run;
    struct pgfsm_report_part part = part_of(machine);
    enum status prepared = STATUS_OK;
    if (!work_open(work)) {
        return report_run(work, &part, runner->left);
    }
    if (!is_split_run(runner, part.path)) {
        prepared = STATUS_USAGE;
    } else if (command->prepare) {
        prepared = command->prepare(command->host, work, machine, &options);
    }
    if (prepared == STATUS_OK) {
        return run_machine_on(runner, machine, &options);
    }
    if (prepared == STATUS_NOTHING) {
        return STATUS_OK;
    }
    return status_worst(prepared, report_run(work, &part, runner->left));
}

static enum status run_file(struct runner *runner, const char *path)
{
    const struct run_command *command = runner->command;
    struct work *work = &runner->work;
    struct pgfsm_machine *machine = NULL;
    bool loaded = command->make ? command->make(command->host, work, path, &machine)
                                : migrated_machine(&machine, path, work->options, work->errors);
    if (!loaded) {
        struct pgfsm_report_part part = {.struct_size = sizeof part, .path = path};
        enum status status = report_run(work, &part, runner->left);
        return command->make && status != STATUS_OK ? status : STATUS_USAGE;
    }
    enum status status = run_machine(runner, machine);
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
static bool is_measured_as_text(const char *command, const struct options *options)
{
    for (size_t i = 0; options->run.ways && i < options->reports.items.count; i++) {
        const char *report = options->reports.items.items[i];
        if (!report_is(report, "text")) {
            terminal_complain("%s: --ways only counts failures; its report is text, not %s",
                              command, report);
            return false;
        }
    }
    return true;
}

bool run_options_usable(const char *command, const struct options *options)
{
    if (options->run.last_failed && options->no_save) {
        terminal_complain(
            "%s: --last-failed reads .pgfsm/, which --no-save ignores; leave one of them out",
            command);
        return false;
    }
    if (options->run.last_failed && options->run.ways) {
        terminal_complain(
            "%s: --ways makes examples, and --last-failed none; leave one of them out", command);
        return false;
    }
    return is_measured_as_text(command, options) && database_options_usable(command, options);
}

/* Says which engine was believed: shards that all run everything would pass unnoticed. */
static bool resolve_fleet(const char *command, struct options *options)
{
    struct strbuf said = {0};
    struct strbuf problem = {0};
    bool good = fleet_resolve(options, &said, &problem);
    if (!good) {
        terminal_complain("%s: %.*s", command, (int)problem.size - 1, problem.data);
    } else if (said.size && !options->quiet) {
        terminal_complain("%s", strbuf_text(&said));
    }
    strbuf_free(&said);
    strbuf_free(&problem);
    return good;
}

/* Runs the machines with the shard and the seed that are known by now. */
static enum status run_resolved(struct options *options, const struct run_command *command)
{
    struct runner runner = {.command = command};
    if (options->run.run_id) { /* those with other options run something else */
        struct strbuf id = {0};
        strbuf_addf(&id, "%s\n", options->run.run_id);
        options_of_run(options, command->bit, &id);
        options->run.run_id = strbuf_take(&id, &options->arena);
    }
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

enum status run_machines(const struct options *options, const struct run_command *command)
{
    struct options own = *options;
    own.arena = (struct arena){0};
    enum status status =
        resolve_fleet(command->name, &own) ? run_resolved(&own, command) : STATUS_USAGE;
    arena_free(&own.arena);
    return status;
}

static enum status run(const struct options *options)
{
    static const struct run_command command = {.name = "run", .bit = FOR_RUN};
    struct options all = *options;
    if (options->until_eof) {
        interrupt_at_end_of_input();
    }
    if (options->mutate.prove > 0) {
        all.run.mutate = &all.mutate;
    }
    return run_options_usable("run", options) && database_usable("run", options)
               ? run_machines(&all, &command)
               : STATUS_USAGE;
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
