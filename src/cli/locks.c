#include "base/path.h"
#include "cli/command.h"
#include "cli/database.h"
#include "cli/interrupt.h"
#include "cli/made_machine.h"
#include "cli/schema_words.h"
#include "cli/terminal.h"

#include <stdlib.h>
#include <string.h>

#include <pgfsm/pgfsm.h>

/* One command line. */
struct asking {
    struct work work; /* first: the callbacks' host */
    struct options options;
    struct texts schema;
    struct texts migration;
    const char *later; /* of schema_leave_out; NULL: none */
};

static bool is_usable(const struct options *options)
{
    bool machine = options->operands.items.count > 0;
    if (!machine && options->apply.items.count == 0) {
        terminal_complain("locks: no migration given; write --migrate FILE");
        return false;
    }
    if (!machine && options->schema.items.count == 0) {
        terminal_complain("locks: no schema given; write --schema FILE, or name a machine");
        return false;
    }
    if (options->operands.items.count > 1) {
        terminal_complain("locks: name one machine: the migration runs once");
        return false;
    }
    return database_options_usable("locks", options);
}

static bool read_files(struct asking *asking, const struct pgfsm_machine *machine)
{
    struct options *options = &asking->options;
    struct pgfsm_errors *errors = asking->work.errors;
    if (options->schema.items.count == 0) {
        schema_files(machine, &options->arena, &asking->schema);
    } else if (!schema_words_read("--schema", &options->schema, &options->arena, &asking->schema,
                                  errors)) {
        return false;
    }
    (void)schema_leave_out(&asking->schema, &asking->migration, &options->arena, &asking->later);
    options->run.schema = asking->schema.items.items;
    options->run.schema_count = asking->schema.items.count;
    options->run.apply = NULL;
    options->run.apply_count = 0;
    return true;
}

static bool open_machine(struct asking *asking, struct pgfsm_machine **out)
{
    struct options *options = &asking->options;
    struct pgfsm_errors *errors = asking->work.errors;
    *out = NULL;
    if (options->apply.items.count > 0 &&
        !schema_words_read("--migrate", &options->apply, &options->arena, &asking->migration,
                           errors)) {
        return false;
    }
    if (options->operands.items.count > 0) {
        return pgfsm_machine_load(out, options->operands.items.items[0], NULL, errors) &&
               read_files(asking, *out);
    }
    return read_files(asking, NULL) && made_machine_name(options) &&
           made_machine(&asking->work, options->operands.items.items[0], out);
}

static enum status print_report(const struct asking *asking, const struct pgfsm_locks *locks)
{
    const char *format = asking->options.format ? asking->options.format : "text";
    char *text = pgfsm_locks_report(locks, format);
    terminal_print(text, strlen(text));
    pgfsm_free(text);
    return pgfsm_locks_findings(locks) ? STATUS_FAILED : STATUS_OK;
}

static enum status ask(struct asking *asking)
{
    struct pgfsm_machine *machine = NULL;
    struct pgfsm_locks *locks = NULL;
    struct work *work = &asking->work;
    enum status status = STATUS_USAGE;
    bool opened = open_machine(asking, &machine) && work_open(work);
    if (opened && pgfsm_machine_locks(&locks, machine, work->database,
                                      asking->migration.items.items, asking->migration.items.count,
                                      &asking->options.run, &work->callbacks, work->errors)) {
        status = print_report(asking, locks);
    } else if (pgfsm_errors_count(work->errors) > 0) {
        status = status_of_errors(work->errors);
        terminal_errors(work->errors);
        schema_tell_later("locks", status == STATUS_USAGE ? asking->later : NULL);
    }
    pgfsm_locks_free(locks);
    pgfsm_machine_free(machine);
    return interrupt_asked() ? STATUS_INTERRUPTED : status;
}

static enum status locks(const struct options *options)
{
    if (!is_usable(options)) {
        return STATUS_USAGE;
    }
    struct asking asking = {.options = *options};
    asking.options.no_save = true;
    work_begin(&asking.work, &asking.options);
    return work_end(&asking.work, ask(&asking));
}

const struct command command_locks = {
    .name = "locks",
    .bit = FOR_LOCKS,
    .operands = "[MACHINE]",
    .summary = "show what a migration blocks",
    .description =
        "Runs a migration in a scratch database, statement by statement, and prints which locks\n"
        "each statement takes, until when they are held, and which rules of the machine wait for\n"
        "them. Without a machine, pgfsm makes rules from the schema.\n"
        "\n"
        "It is a finding if a rule waits while rows of tables are read or written, and if a\n"
        "statement without a lock_timeout waits behind a long transaction, with rules behind it.\n"
        "Nothing is measured: the same files give the same table.",
    .examples = "pgfsm locks --schema schema.sql --migrate 0042.sql\n"
                "pgfsm locks --schema 'migrations/*.sql' --migrate migrations/0042.sql\n"
                "pgfsm locks machines/membership.yaml --migrate 0042.sql --format html >locks.html",
    .run = locks,
};
