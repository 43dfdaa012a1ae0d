#include "cli/report.h"

#include "base/file.h"
#include "base/shell.h"
#include "cli/interrupt.h"
#include "cli/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <pgfsm/report.h>

enum { FILE_BYTES = 300000 /* of a format that can leave things out */ };

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

static const struct output printed_text = {.format = "text"};

bool report_prints_text(const struct work *work)
{
    bool prints = true;
    for (size_t i = 0; i < work->outputs.count; i++) {
        const struct output *output = &work->outputs.items[i];
        prints = prints && (output->path || strcmp(output->format, printed_text.format) == 0);
    }
    return prints;
}

/* A file is always whole: another one takes its place. */
static void write_file(struct output *output)
{
    struct strbuf text = {0};
    struct error err = {0};
    if (output->broken) {
        return;
    }
    strbuf_add(&text, strbuf_text(&output->text), output->text.size);
    strbuf_adds(&text, pgfsm_report_frame(output->format).after);
    if (!file_replace(output->path, &text, &err)) {
        output->broken = true;
        terminal_complain("the %s report is not written: %s", output->format, err.message);
    }
    strbuf_free(&text);
}

static void add_text(struct output *output, const char *text, size_t size)
{
    if (output->path) {
        strbuf_add(&output->text, text, size);
    } else {
        terminal_print(text, size);
    }
}

static bool is_format(const char *name)
{
    struct strbuf known = {0};
    const char *format;
    for (size_t i = 0; (format = pgfsm_report_format(i)); i++) {
        if (strcmp(name, format) == 0) {
            strbuf_free(&known);
            return true;
        }
        strbuf_addf(&known, "%s%s", i ? ", " : "", format);
    }
    terminal_complain("run: there is no report format '%s'; the formats are: %s", name,
                      strbuf_text(&known));
    strbuf_free(&known);
    return false;
}

/* A device, a pipe or a folder must not be replaced by a file. */
static bool can_be_file(const char *path)
{
    struct stat status;
    if (!*path) {
        terminal_complain("run: --report has no file behind '='");
        return false;
    }
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        terminal_complain("run: --report: %s is not a plain file", path);
        return false;
    }
    return true;
}

/* "html=report.html", "text" */
static bool open_output(struct work *work, const char *word)
{
    size_t size = strcspn(word, "=");
    struct output output = {.format = arena_strndup(&work->arena, word, size),
                            .path = word[size] ? word + size + 1 : NULL};
    if (!is_format(output.format) || (output.path && !can_be_file(output.path))) {
        return false;
    }
    for (size_t i = 0; i < work->outputs.count; i++) {
        const char *other = work->outputs.items[i].path;
        if (other && output.path ? strcmp(other, output.path) == 0 : other == output.path) {
            terminal_complain("run: two reports go to %s; name a file for one of them: "
                              "--report %s=FILE",
                              output.path ? output.path : "standard output", output.format);
            return false;
        }
    }
    *VEC_PUSH(&work->arena, &work->outputs) = output;
    return true;
}

bool report_open(struct work *work)
{
    const struct texts *reports = &work->options->reports;
    bool ok = true;
    for (size_t i = 0; ok && i < reports->items.count; i++) {
        ok = open_output(work, reports->items.items[i]);
    }
    if (report_prints_text(work)) {
        bool there = false;
        for (size_t i = 0; i < work->outputs.count; i++) {
            there = there || !work->outputs.items[i].path;
        }
        if (!there) {
            *VEC_PUSH(&work->arena, &work->outputs) = printed_text;
        }
    }
    for (size_t i = 0; ok && i < work->outputs.count; i++) {
        struct output *output = &work->outputs.items[i];
        const char *before = pgfsm_report_frame(output->format).before;
        add_text(output, before, strlen(before));
        if (output->path) {
            write_file(output);
            ok = !output->broken;
        }
    }
    return ok;
}

enum status report_close(struct work *work, enum status status)
{
    for (size_t i = 0; i < work->outputs.count; i++) {
        struct output *output = &work->outputs.items[i];
        const char *after = pgfsm_report_frame(output->format).after;
        if (!output->path) {
            terminal_print(after, strlen(after));
        }
        if (output->broken) {
            status = status_worst(status, STATUS_USAGE);
        }
        strbuf_free(&output->text);
    }
    return status;
}

/* How much a run may write, so that `left` others find room behind it. */
static size_t room_in(const struct output *output, size_t left)
{
    size_t taken = output->text.size + strlen(pgfsm_report_frame(output->format).after);
    return taken < FILE_BYTES ? (FILE_BYTES - taken) / (left + 1) : 1;
}

static void write_report(struct work *work, struct output *output, const struct pgfsm_run *run,
                         const struct pgfsm_report_options *options)
{
    char *text;
    size_t size;
    if (!pgfsm_report(&text, &size, run, options, work->errors)) {
        (void)report_errors(work);
        return;
    }
    add_text(output, text, size);
    free(text);
    if (output->path) {
        write_file(output);
    }
}

void report_run(struct work *work, const struct pgfsm_run *run, const char *again, size_t left)
{
    const struct options *options = work->options;
    struct strbuf replay = {0};
    struct strbuf replay_trace = {0};
    add_replay(options, &replay);
    shell_quote(&replay_trace, program_name);
    strbuf_adds(&replay_trace, " replay");
    options_again(options, FOR_REPLAY, &replay_trace);
    struct pgfsm_report_options report = {
        .stats = options->stats,
        .whole = options->run.verbose > 0,
        .quiet = options->quiet,
        .again = again,
        .replay = strbuf_text(&replay),
        .replay_trace = strbuf_text(&replay_trace),
    };
    progress_clear(&work->progress);
    for (size_t i = 0; i < work->outputs.count; i++) {
        struct output *output = &work->outputs.items[i];
        report.format = output->format;
        report.color = !output->path && terminal_color(options->color);
        report.most = output->path ? room_in(output, left) : 0;
        write_report(work, output, run, &report);
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
