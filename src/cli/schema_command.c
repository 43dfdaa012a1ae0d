#include "cli/schema_command.h"

#include "base/file.h"
#include "base/hash.h"
#include "cli/interrupt.h"
#include "cli/terminal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUTPUT_MAX = 1 << 30 };

/* An option with a command, and the file that its output goes to. */
struct schema_command {
    const char *command; /* pgfsm's, for messages */
    const char *option;
    const char *text;  /* for the shell; NULL: not given */
    const char **file; /* NULL until there is one */
};

/* Runs it by the shell, as the user would: with the user's folder, environment and terminal. */
static enum status read_output(const struct schema_command *from, struct strbuf *out)
{
    struct error err = {0};
    FILE *stream = popen(from->text, "r");
    bool read = stream && file_read(stream, "its output", OUTPUT_MAX, out, &err);
    int ended = stream ? pclose(stream) : -1;
    int code = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
    if (interrupt_asked()) {
        return STATUS_INTERRUPTED;
    }
    if (!stream || !read || ended < 0) {
        terminal_complain("%s: %s could not be run: %s", from->command, from->option,
                          err.message[0] ? err.message : strerror(errno));
    } else if (ended != 0) {
        terminal_complain("%s: %s ended with status %d: %s", from->command, from->option, code,
                          from->text);
    } else if (out->size > OUTPUT_MAX) {
        terminal_complain("%s: %s printed more than 1 GiB", from->command, from->option);
    } else if (strspn(strbuf_text(out), " \t\r\n") == out->size) {
        terminal_complain("%s: %s printed nothing: %s", from->command, from->option, from->text);
    } else {
        return STATUS_OK;
    }
    return STATUS_USAGE;
}

/* Each command has a file of its own: two runs side by side don't get in each other's way. */
static const char *stored_path(struct arena *arena, const char *text, struct error *err)
{
    return folder_make(".pgfsm", 0777, err)
               ? arena_printf(arena, ".pgfsm/schema-%08llx.sql",
                              (unsigned long long)(hash_text(text) & UINT32_MAX))
               : NULL;
}

static const char *temporary_path(struct arena *arena, struct error *err)
{
    const char *folder = getenv("TMPDIR");
    char *path =
        arena_printf(arena, "%s/pgfsm-schema.XXXXXX.sql", folder && *folder ? folder : "/tmp");
    int file = mkstemps(path, (int)strlen(".sql"));
    if (file < 0) {
        (void)error_set(err, ERROR_SYSTEM, "can't create %s: %s", path, strerror(errno));
        return NULL;
    }
    close(file);
    return path;
}

static enum status keep_output(struct options *options, const struct schema_command *from,
                               const struct strbuf *text)
{
    struct error err = {0};
    *from->file = options->no_save ? temporary_path(&options->arena, &err)
                                   : stored_path(&options->arena, from->text, &err);
    if (!*from->file || !file_replace(*from->file, text, &err)) {
        terminal_complain("%s: what %s printed is not stored: %s", from->command, from->option,
                          err.message);
        return STATUS_USAGE;
    }
    return STATUS_OK;
}

static enum status run_one(struct options *options, const struct schema_command *from)
{
    struct strbuf text = {0};
    if (!from->text) {
        return STATUS_OK;
    }
    if (options->no_schema) {
        terminal_complain("%s: %s and --no-schema exclude each other; leave one of them out",
                          from->command, from->option);
        return STATUS_USAGE;
    }
    enum status status = read_output(from, &text);
    if (status == STATUS_OK) {
        status = keep_output(options, from, &text);
    }
    strbuf_free(&text);
    return status;
}

enum status schema_command_run(struct options *options, const char *command)
{
    const struct schema_command first = {command, "--schema-command", options->schema_command,
                                         &options->schema_file};
    const struct schema_command second = {command, "--new-schema-command",
                                          options->new_schema_command, &options->new_schema_file};
    enum status status = run_one(options, &first);
    if (status == STATUS_OK && first.text) {
        options->run.schema = &options->schema_file;
        options->run.schema_count = 1;
    }
    if (status == STATUS_OK) {
        status = run_one(options, &second);
    }
    if (status == STATUS_OK && second.text) {
        options->diff.schema = &options->new_schema_file;
        options->diff.schema_count = 1;
    }
    return status;
}

void schema_command_end(const struct options *options)
{
    if (options->schema_file && options->no_save) {
        (void)unlink(options->schema_file);
    }
    if (options->new_schema_file && options->no_save) {
        (void)unlink(options->new_schema_file);
    }
}
