#include "base/file.h"
#include "cli/command.h"
#include "cli/migrated_machine.h"
#include "cli/output.h"
#include "cli/run.h"
#include "cli/terminal.h"

#include <string.h>
#include <sys/stat.h>

enum {
    EXAMPLES_PER_MUTANT = 50, /* unless more are asked for */
    EXAMPLES_TO_KILL = 2000,
};

/* The options of a run that goes on with mutants. Nothing is stored: what fails on a mutant is no
 * failure of the schema. */
static struct options mutating(const struct options *options)
{
    struct options out = *options;
    out.mutate.prove = 0;
    out.mutate.only = options->only.items.items;
    out.mutate.only_count = options->only.items.count;
    out.mutate.min_score = options->min_score > 0 ? (double)options->min_score : 0;
    out.run.store = NULL;
    out.run.out = NULL;
    if (out.run.examples < 0) {
        out.run.examples = EXAMPLES_PER_MUTANT;
    }
    if (options->mutate.list) {
        out.run.examples = 0;
        out.run.shared = NULL;
    }
    if (out.run.jobs < 0) {
        out.run.jobs = 0; /* one for each processor */
    }
    return out;
}

/* Writes the fault as an SQL file, for the schema to be loaded with; NULL if that failed. */
static const char *write_fault(const struct options *options, const struct pgfsm_mutant *mutant,
                               struct arena *arena)
{
    const char *folder = options->out ? options->out : "counterexamples";
    const char *path = arena_printf(arena, "%s/mutant-%s.sql", folder, mutant->id);
    struct strbuf text = {0};
    struct error err = {0};
    (void)mkdir(folder, 0777);
    strbuf_addf(&text, "-- Mutant %s: %s %s\n%s;\n", mutant->id, mutant->change, mutant->object,
                mutant->ddl);
    bool written = file_replace(path, &text, &err);
    strbuf_free(&text);
    if (!written) {
        terminal_complain("mutate: %s", err.message);
    }
    return written ? path : NULL;
}

/* Finds the one mutant of the machine that --kill names, and writes its fault. */
static const char *find_fault(const struct options *options, struct arena *arena)
{
    struct options listing = mutating(options);
    struct work work;
    struct pgfsm_machine *machine = NULL;
    struct pgfsm_run *run = NULL;
    const char *path = NULL;
    listing.mutate = (struct pgfsm_mutate_options){.struct_size = sizeof listing.mutate,
                                                   .only = &options->kill,
                                                   .only_count = 1,
                                                   .list = true};
    listing.run.mutate = &listing.mutate;
    listing.run.examples = 0;
    listing.run.shared = NULL;
    work_begin(&work, &listing);
    if (migrated_machine(&machine, options->operands.items.items[0], options, work.errors) &&
        work_open(&work) &&
        pgfsm_machine_run(&run, machine, work.database, &listing.run, &work.callbacks,
                          work.errors)) {
        const struct pgfsm_mutation_summary *summary = pgfsm_run_mutation(run);
        if (summary && summary->mutants == 1) {
            path = write_fault(options, pgfsm_run_mutant(run, 0), arena);
        } else {
            terminal_complain("mutate: %s has %s mutant '%s'; '%s mutate --list' shows them",
                              options->operands.items.items[0],
                              summary && summary->mutants ? "more than one" : "no", options->kill,
                              program_name);
        }
    }
    terminal_errors(work.errors);
    pgfsm_run_free(run);
    pgfsm_machine_free(machine);
    (void)work_end(&work, STATUS_OK);
    return path;
}

/* What failed is the fault's, and not the schema's. */
static void tell_verdict(const char *id, enum status status)
{
    if (status == STATUS_FAILED) {
        terminal_complain("mutant %s is killed: what failed above is the planted fault", id);
    } else if (status == STATUS_OK) {
        terminal_complain("mutant %s survives", id);
    }
}

static const struct run_command running = {.name = "mutate", .bit = FOR_MUTATE};

/* An ordinary run, on the schema with the fault: what it finds is shrunk, and gets its script. */
static enum status run_mutant(const struct options *options)
{
    struct options run = *options;
    struct arena arena = {0};
    enum status status = STATUS_USAGE;
    const char *path = find_fault(options, &arena);
    if (path) {
        VEC(const char *) files = {0};
        for (size_t i = 0; i < options->run.apply_count; i++) {
            *VEC_PUSH(&arena, &files) = options->run.apply[i];
        }
        *VEC_PUSH(&arena, &files) = path;
        run.run.apply = files.items;
        run.run.apply_count = files.count;
        run.run.store = NULL;
        run.run.shared = NULL;
        if (run.run.examples < 0) {
            run.run.examples = EXAMPLES_TO_KILL;
        }
        status = run_machines(&run, &running);
        tell_verdict(options->kill, status);
    }
    arena_free(&arena);
    return status;
}

static enum status mutate(const struct options *options)
{
    struct options run = mutating(options);
    run.run.mutate = &run.mutate;
    if (!database_usable("mutate", options)) {
        return STATUS_USAGE;
    }
    if (options->kill && options->operands.items.count != 1) {
        terminal_complain("mutate: --kill runs a mutant of one machine; name that one alone");
        return STATUS_USAGE;
    }
    if (options->kill && options->shard.count) {
        terminal_complain("mutate: --kill runs one mutant, and --shard shares out all of them; "
                          "leave one of them out");
        return STATUS_USAGE;
    }
    if (options->mutate.changed && options->run.apply_count == 0) {
        terminal_complain(
            "mutate: --changed needs the files that changed the schema: --apply FILE");
        return STATUS_USAGE;
    }
    if (options->min_score > 100) {
        terminal_complain("mutate: --min-score is a number of percent, at most 100");
        return STATUS_USAGE;
    }
    return options->kill ? run_mutant(options) : run_machines(&run, &running);
}

const struct command command_mutate = {
    .name = "mutate",
    .bit = FOR_MUTATE,
    .operands = "FILE...",
    .summary = "find out what machines would miss",
    .description =
        "Plants small faults in each machine's schema, one at a time, and runs the machine on\n"
        "each. A fault that no example finds survives: the machine does not test that part of the\n"
        "schema. First the machine must hold on the schema as it is.\n"
        "\n"
        "pgfsm plants each fault in a scratch database. In a database that you name, it plants\n"
        "them in transactions, which lock the objects that they change and are rolled back.",
    .examples = "pgfsm mutate machines/membership.yaml\n"
                "pgfsm mutate machines/membership.yaml --only 'policy-*'\n"
                "pgfsm mutate machines/membership.yaml --kill 3f2a91bc\n"
                "pgfsm mutate machines/*.yaml --apply migrations/0042.sql --changed --min-score 90",
    .run = mutate,
};
