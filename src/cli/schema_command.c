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

/* Runs it by the shell, as the user would: with the user's folder, environment and terminal. */
static enum status read_output(const char *command, const char *shell_command, struct strbuf *out)
{
    struct error err = {0};
    FILE *stream = popen(shell_command, "r");
    bool read = stream && file_read(stream, "its output", OUTPUT_MAX, out, &err);
    int ended = stream ? pclose(stream) : -1;
    int code = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
    if (interrupt_asked()) {
        return STATUS_INTERRUPTED;
    }
    if (!stream || !read || ended < 0) {
        terminal_complain("%s: --schema-command could not be run: %s", command,
                          err.message[0] ? err.message : strerror(errno));
    } else if (ended != 0) {
        terminal_complain("%s: --schema-command ended with status %d: %s", command, code,
                          shell_command);
    } else if (out->size > OUTPUT_MAX) {
        terminal_complain("%s: --schema-command printed more than 1 GiB", command);
    } else if (strspn(strbuf_text(out), " \t\r\n") == out->size) {
        terminal_complain("%s: --schema-command printed nothing: %s", command, shell_command);
    } else {
        return STATUS_OK;
    }
    return STATUS_USAGE;
}

/* Each command has a file of its own: two runs side by side don't get in each other's way. */
static const char *stored_path(struct options *options, struct error *err)
{
    return folder_make(".pgfsm", 0777, err)
               ? arena_printf(&options->arena, ".pgfsm/schema-%08llx.sql",
                              (unsigned long long)(hash_text(options->schema_command) & UINT32_MAX))
               : NULL;
}

static const char *temporary_path(struct options *options, struct error *err)
{
    const char *folder = getenv("TMPDIR");
    char *path = arena_printf(&options->arena, "%s/pgfsm-schema.XXXXXX.sql",
                              folder && *folder ? folder : "/tmp");
    int file = mkstemps(path, (int)strlen(".sql"));
    if (file < 0) {
        (void)error_set(err, ERROR_SYSTEM, "can't create %s: %s", path, strerror(errno));
        return NULL;
    }
    close(file);
    return path;
}

static enum status keep_output(struct options *options, const char *command,
                               const struct strbuf *text)
{
    struct error err = {0};
    options->schema_file =
        options->no_save ? temporary_path(options, &err) : stored_path(options, &err);
    if (!options->schema_file || !file_replace(options->schema_file, text, &err)) {
        terminal_complain("%s: what --schema-command printed is not stored: %s", command,
                          err.message);
        return STATUS_USAGE;
    }
    options->run.schema = &options->schema_file;
    options->run.schema_count = 1;
    return STATUS_OK;
}

enum status schema_command_run(struct options *options, const char *command)
{
    struct strbuf text = {0};
    if (!options->schema_command) {
        return STATUS_OK;
    }
    if (options->no_schema) {
        terminal_complain(
            "%s: --schema-command and --no-schema exclude each other; leave one of them out",
            command);
        return STATUS_USAGE;
    }
    enum status status = read_output(command, options->schema_command, &text);
    if (status == STATUS_OK) {
        status = keep_output(options, command, &text);
    }
    strbuf_free(&text);
    return status;
}

void schema_command_end(const struct options *options)
{
    if (options->schema_file && options->no_save) {
        (void)unlink(options->schema_file);
    }
}
