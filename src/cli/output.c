#include "cli/output.h"

#include "base/file.h"
#include "base/path.h"
#include "base/shell.h"
#include "cli/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_BYTES = 300000 /* of a format that can leave things out */ };

static void add_text(struct output *output, const char *text, size_t size)
{
    bool commands = strcmp(output->format, "github") == 0;
    if (output->kind == OUTPUT_PRINTED) {
        (commands ? terminal_print_commands : terminal_print)(text, size);
    } else if (output->kind == OUTPUT_LOGGED) {
        (void)fwrite(text, 1, size, stderr);
    } else {
        strbuf_add(&output->text, text, size);
    }
}

static void complain(struct output *output, const struct error *err)
{
    output->broken = true;
    terminal_complain("the %s report is not written: %s", output->format, err->message);
}

/* An older report must not be taken for this run's. */
static void remove_older(const struct output *output)
{
    if (unlink(output->path) == 0) {
        terminal_complain("%s is removed: it is not of this run, or not whole", output->path);
    } else if (access(output->path, F_OK) == 0) {
        terminal_complain("%s is not of this run, or not whole", output->path);
    }
}

/* A file is always whole: another one takes its place. */
static void write_file(struct output *output)
{
    struct strbuf text = {0};
    struct error err = {0};
    size_t size;
    if (output->kind != OUTPUT_FILE || output->broken) {
        return;
    }
    const char *end = pgfsm_reporter_end(output->reporter, &size);
    strbuf_add(&text, strbuf_text(&output->text), output->text.size);
    strbuf_add(&text, end, size);
    if (!file_replace(output->path, &text, &err)) {
        complain(output, &err);
        remove_older(output);
    }
    strbuf_free(&text);
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

bool output_can_be_file(const char *option, const char *path)
{
    struct stat status;
    bool other = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
    if (other) {
        terminal_complain("%s: %s is not a plain file", option, path);
    }
    return !other;
}

static bool can_be_file(const char *path)
{
    if (!*path) {
        terminal_complain("run: --report has no file after '='");
        return false;
    }
    return output_can_be_file("run: --report", path);
}

/* A file is replaced: so it is the name in a folder that counts, and no link. */
static bool is_same_file(struct arena *arena, const char *a, const char *b)
{
    const char *name_a = strrchr(a, '/') ? strrchr(a, '/') + 1 : a;
    const char *name_b = strrchr(b, '/') ? strrchr(b, '/') + 1 : b;
    const char *folder_a = path_absolute(arena, path_folder(arena, a));
    const char *folder_b = path_absolute(arena, path_folder(arena, b));
    return strcmp(a, b) == 0 ||
           (folder_a && folder_b && strcmp(folder_a, folder_b) == 0 && strcmp(name_a, name_b) == 0);
}

/* The output that goes there; NULL path: to standard output. */
static const struct output *find_path(struct work *work, const char *path)
{
    for (size_t i = 0; i < work->outputs.count; i++) {
        const char *other = work->outputs.items[i].path;
        if (other && path ? is_same_file(&work->arena, other, path) : other == path) {
            return &work->outputs.items[i];
        }
    }
    return NULL;
}

/* "html=report.html", "text" */
static bool choose(struct work *work, const char *word)
{
    size_t size = strcspn(word, "=");
    struct output output = {.kind = word[size] ? OUTPUT_FILE : OUTPUT_PRINTED,
                            .format = arena_strndup(&work->arena, word, size),
                            .path = word[size] ? word + size + 1 : NULL};
    if (!is_format(output.format) || (output.path && !can_be_file(output.path))) {
        return false;
    }
    if (find_path(work, output.path)) {
        terminal_complain("run: two reports go to %s; name a file for one of them: "
                          "--report %s=FILE",
                          output.path ? output.path : "standard output", output.format);
        return false;
    }
    *VEC_PUSH(&work->arena, &work->outputs) = output;
    return true;
}

static const char *replay_command(struct work *work)
{
    struct strbuf out = {0};
    strbuf_adds(&out, program_name);
    strbuf_adds(&out, work->options->database.embedded ? " replay --embedded" : " replay");
    if (work->options->new_bindir) {
        strbuf_adds(&out, " --new-pg-bindir ");
        shell_quote(&out, work->options->new_bindir);
    }
    options_psql(work->options, &out);
    return strbuf_take(&out, &work->arena);
}

static const char *own_command(struct work *work, const char *command)
{
    struct strbuf out = {0};
    strbuf_adds(&out, program_name);
    strbuf_adds(&out, command);
    return strbuf_take(&out, &work->arena);
}

/* A command that runs a stored failure again, with the options that it needs: without the files
 * that were applied it would pass. */
static const char *stored_command(struct work *work, const char *command, unsigned bit)
{
    struct strbuf out = {0};
    strbuf_adds(&out, program_name);
    strbuf_adds(&out, command);
    options_again(work->options, bit, &out);
    return strbuf_take(&out, &work->arena);
}

/* From the top of the repository that GitHub checked out to the current folder: "db/"; NULL where
 * it is the same, or there is none. */
static const char *folder_in_repository(struct arena *arena)
{
    const char *top = getenv("GITHUB_WORKSPACE");
    top = top && *top ? path_absolute(arena, top) : NULL;
    const char *here = path_absolute(arena, ".");
    size_t size = top ? strlen(top) : 0;
    bool below = size && here && strncmp(here, top, size) == 0 && here[size] == '/';
    return below ? arena_printf(arena, "%s/", here + size + 1) : NULL;
}

/* pgfsm itself runs scripts, as it makes the database that they want; their heads have the words
 * for psql. */
struct pgfsm_report_options output_options(struct work *work, const char *format)
{
    const struct options *options = work->options;
    return (struct pgfsm_report_options){
        .struct_size = sizeof(struct pgfsm_report_options),
        .format = format,
        .stats = options->stats,
        .unsaved = options->unsaved,
        .whole = options->run.verbose > 0,
        .quiet = options->quiet,
        .replay = replay_command(work),
        .replay_trace = stored_command(work, " replay", FOR_REPLAY),
        .pin = own_command(work, " pin"),
        .show = stored_command(work, " show", FOR_SHOW),
        .run = options->run_id,
        .folder = folder_in_repository(&work->arena),
    };
}

/* The page that this run also writes; NULL: none. */
static const char *page_of(const struct work *work)
{
    for (size_t i = 0; i < work->outputs.count; i++) {
        const struct output *output = &work->outputs.items[i];
        if (output->path && strcmp(output->format, "html") == 0) {
            return output->path;
        }
    }
    return NULL;
}

static bool begin(struct work *work, struct output *output, size_t machines)
{
    struct pgfsm_report_options report = output_options(work, output->format);
    bool printed = output->kind == OUTPUT_PRINTED;
    report.color = printed && terminal_color(work->options->color);
    report.told = printed; /* on standard error */
    report.machines = machines;
    report.width = terminal_columns(printed ? STDOUT_FILENO : -1);
    report.page = page_of(work);
    size_t size;
    if (!pgfsm_reporter_new(&output->reporter, &report, work->errors)) {
        return false;
    }
    const char *text = pgfsm_reporter_begin(output->reporter, &size);
    add_text(output, text, size);
    write_file(output);
    return !output->broken;
}

/* What GitHub Actions shows: annotations, which its runner finds on standard error as well, where
 * they don't mix with another format; and the summary of the step, which other programs may have
 * begun. */
static void add_github(struct work *work)
{
    const char *actions = getenv("GITHUB_ACTIONS");
    const char *summary = getenv("GITHUB_STEP_SUMMARY");
    bool wanted = actions && strcmp(actions, "true") == 0;
    bool given = false;
    for (size_t i = 0; i < work->outputs.count; i++) {
        given = given || strcmp(work->outputs.items[i].format, "github") == 0;
    }
    if (wanted && !given) {
        *VEC_PUSH(&work->arena, &work->outputs) =
            (struct output){.kind = OUTPUT_LOGGED, .format = "github"};
    }
    if ((wanted || given) && summary && *summary && !find_path(work, summary)) {
        *VEC_PUSH(&work->arena, &work->outputs) =
            (struct output){.kind = OUTPUT_APPENDED, .format = "markdown", .path = summary};
    }
}

bool outputs_open(struct work *work, size_t machines)
{
    const struct texts *reports = &work->options->reports;
    for (size_t i = 0; i < reports->items.count; i++) {
        if (!choose(work, reports->items.items[i])) {
            work->outputs.count = 0;
            return false;
        }
    }
    bool good = find_path(work, NULL) || choose(work, "text");
    if (machines && !work->options->run.ways) {
        add_github(work);
    }
    for (size_t i = 0; good && i < work->outputs.count; i++) {
        good = begin(work, &work->outputs.items[i], machines);
    }
    return good;
}

/* How much a machine may write, so that `left` others find room after it. */
static size_t room_in(const struct output *output, size_t left)
{
    size_t taken = output->text.size;
    return taken < FILE_BYTES ? (FILE_BYTES - taken) / (left + 1) : 1;
}

void outputs_add(struct work *work, const struct pgfsm_report_part *part, size_t left)
{
    for (size_t i = 0; i < work->outputs.count; i++) {
        struct output *output = &work->outputs.items[i];
        struct pgfsm_report_part own = *part;
        size_t size;
        own.most = output->kind == OUTPUT_FILE ? room_in(output, left) : 0;
        const char *text = pgfsm_reporter_add(output->reporter, &own, &size);
        add_text(output, text, size);
        write_file(output);
    }
}

/* The end of what is not in a file yet. A summary that can't be written changes no exit status:
 * nobody asked for it. */
static void end(struct output *output)
{
    size_t size;
    struct error err = {0};
    if (output->kind == OUTPUT_FILE || !output->reporter) {
        return;
    }
    const char *text = pgfsm_reporter_end(output->reporter, &size);
    add_text(output, text, size);
    if (output->kind == OUTPUT_APPENDED && !file_append(output->path, &output->text, &err)) {
        complain(output, &err);
    }
}

enum status outputs_close(struct work *work, enum status status)
{
    for (size_t i = 0; i < work->outputs.count; i++) {
        struct output *output = &work->outputs.items[i];
        end(output);
        if (output->broken && output->kind == OUTPUT_FILE) {
            status = status_worst(status, STATUS_USAGE);
        }
        pgfsm_reporter_free(output->reporter);
        strbuf_free(&output->text);
    }
    return status;
}
