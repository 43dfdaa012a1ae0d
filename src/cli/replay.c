#include "base/file.h"
#include "base/path.h"
#include "base/shell.h"
#include "cli/command.h"
#include "cli/failure.h"
#include "cli/interrupt.h"
#include "cli/migrated_machine.h"
#include "cli/output.h"
#include "cli/report.h"
#include "cli/terminal.h"

#include <stdlib.h>
#include <string.h>

#include <pgfsm/pgfsm.h>

enum { SCRIPT_MAX = 64 << 20 /* bytes of a script that are read to tell errors apart */ };

/* The script's last word, behind what TAP says already. */
static bool is_verdict(const char *line, size_t size)
{
    static const char verdict[] = ":  the bug is there";
    size_t length = sizeof verdict - 1;
    return size >= length && memcmp(line + size - length, verdict, length) == 0;
}

/* Whether the script goes on after an error on this line, because it expects or checks for one. */
static bool goes_on(const char *script, long line)
{
    static const char set[] = "\\set ON_ERROR_STOP ";
    size_t length = sizeof set - 1;
    bool goes = false;
    for (long i = 1; i < line && *script; i++) {
        if (strncmp(script, set, length) == 0) {
            goes = strncmp(script + length, "off", 3) == 0;
        }
        script += strcspn(script, "\n");
        script += *script == '\n';
    }
    return goes;
}

/* "psql:PATH:12: ERROR:  …" on a line where the script goes on. */
static bool is_expected(const char *line, const char *path, const char *script)
{
    static const char error[] = ": ERROR:";
    size_t length = strlen(path);
    char *end = NULL;
    if (strncmp(line, path, length) != 0 || line[length] != ':') {
        return false;
    }
    long number = strtol(line + length + 1, &end, 10);
    return strncmp(end, error, sizeof error - 1) == 0 && goes_on(script, number);
}

/* What psql complains of goes to standard error, safe to show, but for the verdict and what the
 * script expects; with `whole` as it came. */
static void print_errors(const char *text, const char *path, const char *script, bool whole)
{
    static const char prefix[] = "psql:";
    bool hidden = false; /* the message that the line belongs to */
    while (*text) {
        size_t size = strcspn(text, "\n");
        bool begins = strncmp(text, prefix, sizeof prefix - 1) == 0;
        size_t skip = !whole && begins ? sizeof prefix - 1 : 0;
        if (begins) {
            hidden = !whole && (is_verdict(text, size) || is_expected(text + skip, path, script));
        }
        if (!hidden) {
            terminal_complain("%.*s", (int)(size - skip), text + skip);
        }
        text += size + (text[size] == '\n');
    }
}

static void report_complaints(const struct pgfsm_replayed *replayed, const char *path, bool whole)
{
    struct strbuf script = {0};
    struct error ignored;
    if (replayed->errors_size) {
        (void)file_load(path, SCRIPT_MAX, &script, &ignored);
        print_errors(replayed->errors, path, strbuf_text(&script), whole);
    }
    strbuf_free(&script);
}

/* For who reads TAP: no test failed, it could not be asked. */
static void bail_out(const char *path)
{
    static const char words[] = "Bail out! can't run ";
    terminal_print(words, sizeof words - 1);
    terminal_print_foreign(path, strlen(path));
    terminal_print("\n", 1);
}

static enum status replay_script(struct work *work, const char *path)
{
    struct pgfsm_replayed *replayed = NULL;
    struct pgfsm_database *second = NULL;
    bool ran =
        work_open(work) && work_open_second(work, &second) &&
        pgfsm_replay(&replayed, path, work->database, second, &work->callbacks, work->errors);
    pgfsm_database_free(second);
    if (!ran) {
        bail_out(path);
        return report_errors(work);
    }
    enum status status = !replayed->ran ? STATUS_USAGE : replayed->held ? STATUS_OK : STATUS_FAILED;
    if (work->options->operands.items.count > 1) {
        terminal_print("# ", 2);
        terminal_print_foreign(path, strlen(path));
        terminal_print("\n", 1);
    }
    terminal_print_foreign(replayed->output, replayed->output_size);
    if (!replayed->ran) {
        bail_out(path);
    }
    report_complaints(replayed, path, work->options->run.verbose > 0);
    pgfsm_replayed_free(replayed);
    return status;
}

/* "pgfsm replay --apply a.sql .pgfsm/a/b.trace" */
static enum status print_report(struct work *work, const char *path, const char *name,
                                const struct pgfsm_run *run)
{
    struct strbuf again = {0};
    strbuf_adds(&again, program_name);
    strbuf_adds(&again, " replay");
    options_again(work->options, FOR_REPLAY, &again);
    strbuf_addc(&again, ' ');
    shell_quote(&again, path);
    const struct pgfsm_report_part part = {.struct_size = sizeof part,
                                           .path = path,
                                           .name = name,
                                           .run = run,
                                           .again = strbuf_text(&again)};
    enum status status = report_run(work, &part, 0);
    strbuf_free(&again);
    return status;
}

static enum status replay_on(struct work *work, const struct pgfsm_machine *machine,
                             const char *path)
{
    struct pgfsm_run_options options = work->options->run;
    struct pgfsm_run *run;
    options.trace = path;
    work->progress.name = pgfsm_machine_name(machine);
    work->progress.next_us = 0;
    (void)pgfsm_machine_run(&run, machine, work->database, &options, &work->callbacks,
                            work->errors);
    enum status status = print_report(work, path, pgfsm_machine_name(machine), run);
    pgfsm_run_free(run);
    return status;
}

static enum status replay_trace(struct work *work, const char *path)
{
    const char *named = work->options->machine;
    char *found = NULL;
    struct pgfsm_machine *machine = NULL;
    enum status status;
    if ((!named && !pgfsm_trace_machine(&found, path, work->errors)) ||
        !migrated_machine(&machine, named ? named : found, work->options, work->errors)) {
        (void)report_errors(work);
        status = STATUS_USAGE;
    } else if (!work_open(work)) {
        status = report_errors(work);
    } else {
        status = replay_on(work, machine, path);
    }
    pgfsm_machine_free(machine);
    free(found);
    return status;
}

static const struct {
    const char *suffix;
    enum status (*replay)(struct work *work, const char *path);
} kinds[] = {{".sql", replay_script}, {".trace", replay_trace}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* The row of `kinds`; KINDS where it is none. */
static size_t kind_of(const char *path)
{
    size_t kind = 0;
    while (kind < KINDS && !path_ends_in(path, kinds[kind].suffix)) {
        kind++;
    }
    return kind;
}

static bool is_machine(const char *path)
{
    return path_ends_in(path, ".yaml") || path_ends_in(path, ".yml");
}

/* Puts a file in the place of each operand that is the name of a failure. */
static bool find_failures(struct options *options)
{
    struct pgfsm_errors *errors = pgfsm_errors_new();
    struct texts named = options->operands;
    options->operands = (struct texts){0};
    for (size_t i = 0; i < named.items.count && pgfsm_errors_count(errors) == 0; i++) {
        const char *word = named.items.items[i];
        const char *path = failure_file(word, &options->arena, errors);
        if (!path && (kind_of(word) < KINDS || is_machine(word))) {
            path = word; /* what is wrong with it says more */
            pgfsm_errors_clear(errors);
        }
        *VEC_PUSH(&options->arena, &options->operands.items) = path;
    }
    bool found = pgfsm_errors_count(errors) == 0;
    terminal_errors(errors);
    pgfsm_errors_free(errors);
    return found;
}

static bool is_usable(const struct options *options)
{
    bool traces = false;
    for (size_t i = 0; i < options->operands.items.count; i++) {
        const char *path = options->operands.items.items[i];
        size_t kind = kind_of(path);
        if (kind == KINDS) {
            terminal_complain(is_machine(path)
                                  ? "replay: %s is neither a .sql nor a .trace file; to test a "
                                    "machine: %s run %s"
                                  : "replay: %s is neither a .sql nor a .trace file",
                              path, program_name, path);
            return false;
        }
        traces = traces || kinds[kind].replay == replay_trace;
    }
    if (!traces && options->for_traces) {
        terminal_complain("replay: --%s is for traces; a script names what it needs itself",
                          options->for_traces);
        return false;
    }
    return true;
}

static enum status replay_files(struct work *work)
{
    const struct options *options = work->options;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < options->operands.items.count; i++) {
        const char *path = options->operands.items.items[i];
        status = status_worst(status, kinds[kind_of(path)].replay(work, path));
        if (status == STATUS_UNREACHABLE || interrupt_asked() || terminal_broken()) {
            break;
        }
    }
    return status;
}

static enum status replay(const struct options *options)
{
    struct options found = *options;
    enum status status = STATUS_USAGE;
    found.arena = (struct arena){0};
    if (database_usable("replay", options) && find_failures(&found) && is_usable(&found)) {
        struct work work;
        work_begin(&work, &found);
        status = outputs_open(&work, 0) ? replay_files(&work) : STATUS_USAGE;
        status = work_end(&work, outputs_close(&work, status));
    }
    arena_free(&found.arena);
    return status;
}

const struct command command_replay = {
    .name = "replay",
    .bit = FOR_REPLAY,
    .operands = "FILE...|NAME...",
    .summary = "run counterexamples again",
    .description =
        "Runs failures again that `pgfsm run` found, and leaves nothing behind. NAME is the name "
        "of\n"
        "a failure: that of its replay script, without .sql.\n"
        "\n"
        "psql runs a replay script (.sql, from counterexamples/), and pgfsm prints its output,\n"
        "TAP. A script that loads schema files or commits gets a scratch database on the server\n"
        "that you name, or on an embedded one. Any other script runs in the database that you\n"
        "name.\n"
        "\n"
        "The script of a difference, which `pgfsm diff` found, runs on both sides: pgfsm prints\n"
        "the lines that differ.\n"
        "\n"
        "A stored trace (.trace, from .pgfsm/) runs once, with its machine, on the database that\n"
        "`pgfsm run` would use. The report is like that of a run. The trace file does not change.\n"
        "\n"
        "--apply, --commit, --crash, --in-place, --keep, --machine, --migrate, --no-pipeline,\n"
        "--no-schema, --profile, --report, --schema-command and --sessions are for traces only: a\n"
        "script names what it needs itself.",
    .examples =
        "pgfsm replay membership-editors\n"
        "pgfsm replay counterexamples/*.sql\n"
        "pgfsm replay .pgfsm/*/*.trace --report html=failures.html\n"
        "pgfsm replay counterexamples/membership-editors.sql -d postgres://ann@db.example.com/app",
    .run = replay,
};
