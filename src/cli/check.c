#include "base/json.h"
#include "cli/command.h"
#include "cli/database.h"
#include "cli/interrupt.h"
#include "cli/migrated_machine.h"
#include "cli/terminal.h"
#include "cli/totals.h"

#include <string.h>

#include <pgfsm/pgfsm.h>

struct checker {
    struct work work;               /* first: the callbacks' host */
    struct pgfsm_prepared prepared; /* the last machine's; without its warnings */
    const char *path;               /* of the machine that is being checked */
    bool prepare;
    size_t warnings; /* of that machine */
};

static bool in_json(const struct checker *checker)
{
    const char *format = checker->work.options->format;
    return format && strcmp(format, "json") == 0;
}

/* A line for an editor; docs/COMMAND-LINE.md describes it. */
static void print_json(const struct checker *checker, const struct pgfsm_error *message,
                       const char *severity)
{
    struct strbuf line = {0};
    struct json json = {&line, false};
    json_open(&json, NULL, '{');
    json_text(&json, "file", *message->file ? message->file : checker->path);
    if (message->line) {
        json_count(&json, "line", message->line);
        json_count(&json, "column", message->column);
    }
    json_text(&json, "severity", severity);
    json_text(&json, "message", message->message);
    json_optional(&json, "detail", *message->detail ? message->detail : NULL);
    json_optional(&json, "hint", *message->hint ? message->hint : NULL);
    json_optional(&json, "sqlstate", *message->sqlstate ? message->sqlstate : NULL);
    json_close(&json, '}');
    strbuf_addc(&line, '\n');
    terminal_print(strbuf_text(&line), line.size);
    strbuf_free(&line);
}

static void print_all(const struct checker *checker, const struct pgfsm_errors *messages,
                      const char *severity)
{
    if (!in_json(checker)) {
        terminal_errors(messages);
        return;
    }
    for (size_t i = 0; i < pgfsm_errors_count(messages); i++) {
        print_json(checker, pgfsm_errors_at(messages, i), severity);
    }
}

static void print_warnings(struct checker *checker, const struct pgfsm_errors *warnings)
{
    checker->warnings += pgfsm_errors_count(warnings);
    print_all(checker, warnings, "warning");
}

static void on_prepared(void *host, const struct pgfsm_prepared *prepared)
{
    struct checker *checker = host;
    checker->prepared = *prepared;
    checker->prepared.warnings = NULL;
    print_warnings(checker, prepared->warnings);
}

static bool prepare(struct checker *checker, const struct pgfsm_machine *machine)
{
    struct work *work = &checker->work;
    return work_open(work) && pgfsm_machine_check(machine, work->database, &work->options->run,
                                                  &work->callbacks, work->errors);
}

static bool is_unmet(const struct checker *checker)
{
    return checker->work.options->run.strict && checker->warnings > 0;
}

static void print_verdict(const struct checker *checker, const struct pgfsm_machine *machine)
{
    struct strbuf text = {0};
    size_t rules = pgfsm_machine_rule_count(machine);
    size_t invariants = pgfsm_machine_invariant_count(machine);
    strbuf_addf(&text, "%s  %s  %zu rule%s, %zu invariant%s", is_unmet(checker) ? "unmet" : "ok",
                pgfsm_machine_path(machine), rules, plural(rules), invariants, plural(invariants));
    if (checker->work.database && checker->prepared.prepared == checker->prepared.statements) {
        strbuf_addf(&text, "; every statement prepared");
    } else if (checker->work.database) {
        strbuf_addf(&text, "; %zu of %zu statements prepared", checker->prepared.prepared,
                    checker->prepared.statements);
    }
    if (checker->work.database) {
        strbuf_addf(&text, " on %s", pgfsm_database_description(checker->work.database));
    }
    if (is_unmet(checker)) {
        strbuf_addf(&text, "; %zu warning%s, which --strict does not allow", checker->warnings,
                    plural(checker->warnings));
    }
    strbuf_addf(&text, "\n");
    terminal_print_foreign(text.data, text.size);
    strbuf_free(&text);
}

static void warn(struct checker *checker, const struct pgfsm_machine *machine)
{
    struct pgfsm_errors *warnings = pgfsm_errors_new();
    pgfsm_machine_warnings(machine, warnings);
    print_warnings(checker, warnings);
    pgfsm_errors_free(warnings);
}

static enum status check_file(struct checker *checker, const char *path)
{
    struct pgfsm_machine *machine = NULL;
    enum status status = STATUS_OK;
    checker->path = path;
    checker->warnings = 0;
    if (!migrated_machine(&machine, path, checker->work.options, checker->work.errors)) {
        status = STATUS_USAGE;
    } else {
        warn(checker, machine);
    }
    if (machine && checker->prepare && !prepare(checker, machine)) {
        status = status_of_errors(checker->work.errors);
    } else if (machine && !in_json(checker) &&
               (is_unmet(checker) || !checker->work.options->quiet)) {
        print_verdict(checker, machine);
    }
    if (is_unmet(checker)) {
        status = status_worst(status, STATUS_UNMET);
    }
    print_all(checker, checker->work.errors, "error");
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
        const char *path = options->operands.items.items[i];
        enum status ended = check_file(&checker, path);
        totals_add(options->totals, path, ended);
        status = status_worst(status, ended);
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
                "pgfsm check --embedded machines/membership.yaml\n"
                "pgfsm check --format json machines/membership.yaml",
    .run = check,
};
