#include "cli/command.h"

enum {
    RUNS = FOR_RUN | FOR_MERGE | FOR_REPLAY,
    SERVER = RUNS | FOR_MUTATE | FOR_CHECK | FOR_INIT | FOR_SHOW | FOR_DIFF | FOR_LOCKS
};

const struct status_meaning status_meanings[] = {
    {STATUS_OK, RUNS, "all properties held"},
    {STATUS_OK, FOR_MUTATE, "mutants were graded, or listed; with --kill: the mutant survives"},
    {STATUS_OK, FOR_DIFF, "no difference was found"},
    {STATUS_OK, FOR_LOCKS, "there is no finding"},
    {STATUS_OK, FOR_CHECK, "no mistake was found"},
    {STATUS_OK, FOR_SHOW, "the page is written, whether the failure still happens or not"},
    {STATUS_OK, FOR_INIT | FOR_LIST | FOR_EVAL | FOR_PIN | FOR_HELP, "done"},
    {STATUS_FAILED, RUNS, "a property failed"},
    {STATUS_FAILED, FOR_MUTATE,
     "a property failed on the schema as it is; with --kill: the mutant is killed"},
    {STATUS_FAILED, FOR_DIFF, "the databases differ"},
    {STATUS_FAILED, FOR_LOCKS, "there are findings"},
    {STATUS_USAGE, SERVER | FOR_LIST,
     "wrong usage, or a mistake in a machine, its schema files or its contexts"},
    {STATUS_USAGE, FOR_PIN, "wrong usage, or the steps could not be pinned"},
    {STATUS_USAGE, FOR_EVAL, "wrong usage, or a mistake in the code"},
    {STATUS_USAGE, FOR_HELP, "wrong usage"},
    {STATUS_UNREACHABLE, SERVER, "the database could not be reached, or went away"},
    {STATUS_UNMET, FOR_RUN | FOR_MERGE | FOR_DIFF,
     "a requirement was not met (--strict, `require`)"},
    {STATUS_UNMET, FOR_MUTATE, "a requirement was not met (--min-score, --strict, `require`)"},
    {STATUS_UNMET, FOR_CHECK, "there is a warning, and --strict was given"},
    {STATUS_NOTHING, FOR_RUN | FOR_MERGE | FOR_DIFF, "no step was run"},
    {STATUS_NOTHING, FOR_MUTATE, "no mutant was graded"},
    {STATUS_INTERRUPTED, SERVER | FOR_LIST | FOR_EVAL, "interrupted"},
    {0, 0, NULL},
};

const char help_environment[] =
    "PGFSM_EXAMPLES, PGFSM_SEED, PGFSM_MAX_TIME and so on set defaults for the options with long\n"
    "names. The command line overrides them.\n";

void help_command(const struct command *command, struct strbuf *out)
{
    strbuf_addf(out, "pgfsm %s: %s\n\n  pgfsm %s%s%s%s\n\n%s\n", command->name, command->summary,
                command->name, command->bit != FOR_HELP ? " [OPTION...]" : "",
                *command->operands ? " " : "", command->operands, command->description);
    options_help(command->bit, out);
    if (command->bit & (FOR_RUN | FOR_MERGE | FOR_DIFF | FOR_MUTATE)) {
        strbuf_addf(out, "\n%s", help_environment);
    }
    if (command->examples) {
        strbuf_adds(out, "\nExamples\n");
        strbuf_add_indented(out, command->examples);
    }
    strbuf_adds(out, "\nExit status\n");
    for (const struct status_meaning *row = status_meanings; row->meaning; row++) {
        if (row->commands & command->bit) {
            strbuf_addf(out, "  %-4d %s\n", row->status, row->meaning);
        }
    }
}

void help_program(const struct command *const *table, struct strbuf *out)
{
    strbuf_adds(out, "pgfsm tests a PostgreSQL schema as a state machine.\n\n");
    for (; *table; table++) {
        const struct command *command = *table;
        if (!command->summary) {
            continue;
        }
        struct strbuf usage = {0};
        strbuf_addf(&usage, "%s %s", command->name, command->operands);
        strbuf_addf(out, "  pgfsm %-16s %s\n", strbuf_text(&usage), command->summary);
        strbuf_free(&usage);
    }
    strbuf_adds(out, "\n"
                     "'pgfsm help COMMAND' lists the options of a command, with examples.\n");
}
