#include "base/file.h"
#include "base/path.h"
#include "cli/command.h"
#include "cli/failure.h"
#include "cli/migrated_machine.h"
#include "cli/output.h"
#include "cli/report.h"
#include "cli/terminal.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <pgfsm/pgfsm.h>

extern char **environ;

static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value && *value;
}

/* Opens the page in a browser if somebody sits at a desktop; on a mere terminal, xdg-open would
 * start one in the terminal. It may run for long, so nothing waits for it. */
static void open_page(const char *path)
{
    char program[] = "xdg-open";
    char *words[] = {program, strdup(path), NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    pid_t child;
    if (isatty(STDOUT_FILENO) && (is_set("DISPLAY") || is_set("WAYLAND_DISPLAY"))) {
        posix_spawnattr_init(&attributes);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
        posix_spawn_file_actions_init(&actions);
        for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
            posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
        }
        (void)posix_spawnp(&child, program, &actions, &attributes, words, environ);
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
    }
    free(words[1]);
}

/* ".pgfsm/queue/queue-claim.html" for ".pgfsm/queue/queue-claim.trace" */
static const char *page_of(struct work *work, const char *trace)
{
    const char *named = work->options->file;
    size_t size = strlen(trace) - (path_ends_in(trace, ".trace") ? strlen(".trace") : 0);
    return named ? named : arena_printf(&work->arena, "%.*s.html", (int)size, trace);
}

static enum status write_page(struct work *work, const char *trace, const struct pgfsm_run *run)
{
    struct pgfsm_report_options options = output_options(work, "html");
    struct strbuf text = {0};
    struct error err = {0};
    char *page;
    size_t size;
    const char *path = page_of(work, trace);
    if (!pgfsm_report(&page, &size, run, &options, work->errors)) {
        return report_errors(work);
    }
    strbuf_add(&text, page, size);
    free(page);
    bool written = file_replace(path, &text, &err);
    strbuf_clear(&text);
    if (written) {
        strbuf_addf(&text, "%s\n", path);
        terminal_print_foreign(strbuf_text(&text), text.size);
        open_page(path);
    } else {
        terminal_complain("show: %s", err.message);
    }
    strbuf_free(&text);
    return written ? STATUS_OK : STATUS_USAGE;
}

/* Runs the trace once more. Whether it still fails is on the page. */
static enum status show_on(struct work *work, const struct pgfsm_machine *machine,
                           const char *trace)
{
    struct pgfsm_run_options options = work->options->run;
    struct pgfsm_run *run = NULL;
    enum status status;
    options.trace = trace;
    work->progress.name = pgfsm_machine_name(machine);
    if (pgfsm_machine_run(&run, machine, work->database, &options, &work->callbacks,
                          work->errors)) {
        progress_clear(&work->progress);
        status = write_page(work, trace, run);
    } else {
        status = report_errors(work);
    }
    pgfsm_run_free(run);
    return status;
}

static enum status show_trace(struct work *work, const char *trace)
{
    const char *named = work->options->machine;
    char *found = NULL;
    struct pgfsm_machine *machine = NULL;
    enum status status = STATUS_USAGE;
    if (!output_can_be_file("show", page_of(work, trace))) {
        return STATUS_USAGE;
    }
    if ((!named && !pgfsm_trace_machine(&found, trace, work->errors)) ||
        !migrated_machine(&machine, named ? named : found, work->options, work->errors)) {
        (void)report_errors(work);
    } else if (!work_open(work)) {
        status = report_errors(work);
    } else {
        status = show_on(work, machine, trace);
    }
    pgfsm_machine_free(machine);
    free(found);
    return status;
}

struct stored_names {
    struct arena *arena;
    VEC(const char *) items;
};

static void add_name(void *host, const char *name)
{
    struct stored_names *names = host;
    *VEC_PUSH(names->arena, &names->items) = arena_strdup(names->arena, name);
}

/* The name that is given, or that of the only failure; NULL: says why there is none. */
static const char *find_name(struct work *work)
{
    const struct texts *given = &work->options->operands;
    struct stored_names names = {.arena = &work->arena};
    if (given->items.count == 1) {
        return given->items.items[0];
    }
    if (given->items.count > 1) {
        terminal_complain("show: a page shows one failure; name that one alone");
        return NULL;
    }
    pgfsm_trace_names(FAILURE_STORE, add_name, &names);
    if (names.items.count == 1) {
        return names.items.items[0];
    }
    for (size_t i = 0; i < names.items.count; i++) {
        const char *line = arena_printf(&work->arena, "%s\n", names.items.items[i]);
        terminal_print_foreign(line, strlen(line));
    }
    terminal_complain(names.items.count ? "show: name one of these failures"
                                        : "show: no failure is stored here; `pgfsm run` stores "
                                          "those that it finds");
    return NULL;
}

static enum status show(const struct options *options)
{
    struct work work;
    enum status status = STATUS_USAGE;
    if (!database_options_usable("show", options)) {
        return status;
    }
    work_begin(&work, options);
    const char *name = find_name(&work);
    const char *trace = name ? failure_trace(name, &work.arena, work.errors) : NULL;
    if (trace) {
        status = show_trace(&work, trace);
    } else if (name) {
        (void)report_errors(&work);
    }
    return work_end(&work, status);
}

const struct command command_show = {
    .name = "show",
    .bit = FOR_SHOW,
    .operands = "[NAME]",
    .summary = "show what happens in a failure, step by step",
    .description =
        "Runs a stored failure again, on the database that `pgfsm run` would use, and writes an\n"
        "HTML page with what happens in each step. On a desktop, the page opens in the browser;\n"
        "its path is printed in any case. NAME is the name of the failure: that of its replay\n"
        "script, without .sql. It can be left out if only one failure is stored.",
    .examples = "pgfsm show\n"
                "pgfsm show membership-editors -o failure.html",
    .run = show,
};
