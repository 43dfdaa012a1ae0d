#include "cli/command.h"
#include "cli/database.h"
#include "cli/interrupt.h"
#include "cli/terminal.h"

#include <stdio.h>
#include <stdlib.h>

#include <pgfsm/pgfsm.h>

struct checker {
    struct work work;               /* first: the callbacks' host */
    struct pgfsm_prepared prepared; /* the last machine's */
    bool prepare;
};

static void on_prepared(void *host, const struct pgfsm_prepared *prepared)
{
    struct checker *checker = host;
    checker->prepared = *prepared;
    (void)fputs(prepared->warnings, stderr);
}

static bool prepare(struct checker *checker, const struct pgfsm_machine *machine)
{
    struct work *work = &checker->work;
    return work_open(work) && pgfsm_check(machine, work->database, &work->options->run,
                                          &work->callbacks, work->errors);
}

static void print_ok(const struct checker *checker, const struct pgfsm_machine *machine)
{
    struct strbuf text = {0};
    size_t rules = pgfsm_machine_rule_count(machine);
    size_t invariants = pgfsm_machine_invariant_count(machine);
    strbuf_addf(&text, "ok  %s  %zu rule%s, %zu invariant%s", pgfsm_machine_path(machine), rules,
                plural(rules), invariants, plural(invariants));
    if (checker->work.database && checker->prepared.prepared == checker->prepared.statements) {
        strbuf_addf(&text, "; every statement prepared");
    } else if (checker->work.database) {
        strbuf_addf(&text, "; %zu of %zu statements prepared", checker->prepared.prepared,
                    checker->prepared.statements);
    }
    if (checker->work.database) {
        strbuf_addf(&text, " on %s", pgfsm_database_description(checker->work.database));
    }
    strbuf_addf(&text, "\n");
    terminal_print_foreign(text.data, text.size);
    strbuf_free(&text);
}

static void print_warnings(const struct pgfsm_machine *machine)
{
    char *text;
    pgfsm_machine_warnings(machine, &text);
    (void)fputs(text, stderr);
    free(text);
}

static enum status check_file(struct checker *checker, const char *path)
{
    struct pgfsm_machine *machine = NULL;
    enum status status = STATUS_OK;
    if (!pgfsm_machine_load(&machine, path, checker->work.errors)) {
        status = STATUS_USAGE;
    } else {
        print_warnings(machine);
    }
    if (machine && checker->prepare && !prepare(checker, machine)) {
        status = status_of_errors(checker->work.errors);
    } else if (machine && !checker->work.options->quiet) {
        print_ok(checker, machine);
    }
    terminal_errors(checker->work.errors);
    pgfsm_errors_clear(checker->work.errors);
    pgfsm_machine_free(machine);
    return status;
}

/* Whether a database is to be asked: one that is named, or where an option only makes sense with
 * one. */
static bool wants_database(const struct options *options)
{
    const struct pgfsm_database_options *database = &options->database;
    const struct pgfsm_run_options *run = &options->run;
    return database->embedded || run->apply_count || run->schema_count || run->in_place ||
           run->keep || database->bindir || pgfsm_database_is_named(database);
}

static enum status check(const struct options *options)
{
    enum status status = STATUS_OK;
    if (!database_usable("check", options)) {
        return STATUS_USAGE;
    }
    struct checker checker = {.prepare = wants_database(options)};
    work_begin(&checker.work, options);
    checker.work.callbacks.prepared = on_prepared;
    for (size_t i = 0; i < options->operands.items.count; i++) {
        status = status_worst(status, check_file(&checker, options->operands.items.items[i]));
        if (status == STATUS_UNREACHABLE || interrupt_asked()) {
            break;
        }
    }
    return work_end(&checker.work, status);
}

const struct command command_check = {
    .name = "check",
    .bit = FOR_CHECK,
    .operands = "FILE...",
    .summary = "read machines and report every mistake, without running them",
    .description =
        "Reads each machine and reports every mistake in it, with line and column. If an option\n"
        "or the environment names a database, or with --embedded, it also loads the schema and\n"
        "has the server prepare every statement.",
    .examples = "pgfsm check machines/*.yaml\n"
                "pgfsm check --embedded machines/membership.yaml",
    .run = check,
};
