#include "cli/database.h"
#include "cli/interrupt.h"
#include "cli/terminal.h"

#include <stdio.h>
#include <string.h>

#include <pgfsm/pgfsm.h>

/* The scripts of one command line. */
struct session {
    const struct options *options;
    struct follower follower;
    struct pgfsm_database *database;
    struct pgfsm_errors *errors;
};

static enum status report_errors(struct session *session)
{
    terminal_errors(session->errors);
    enum status status = status_of_errors(session->errors);
    pgfsm_errors_clear(session->errors);
    return status;
}

/* What psql complains of goes to standard error, safe to show. */
static void print_errors(const char *text)
{
    while (*text) {
        size_t size = strcspn(text, "\n");
        terminal_complain("%.*s", (int)size, text);
        text += size + (text[size] == '\n');
    }
}

static enum status replay_file(struct session *session, const char *path)
{
    struct pgfsm_replayed *replayed;
    if (!pgfsm_replay(&replayed, path, session->database, &session->follower.callbacks,
                      session->errors)) {
        return report_errors(session);
    }
    enum status status = replayed->held ? STATUS_OK : STATUS_FAILED;
    if (session->options->operands.items.count > 1) {
        terminal_print("# ", 2);
        terminal_print_foreign(path, strlen(path));
        terminal_print("\n", 1);
    }
    terminal_print_foreign(replayed->output, replayed->output_size);
    print_errors(replayed->errors);
    pgfsm_replayed_free(replayed);
    return status;
}

static bool is_script(const char *path)
{
    size_t size = strlen(path);
    return size > 4 && strcmp(path + size - 4, ".sql") == 0;
}

static bool are_scripts(const struct options *options)
{
    for (size_t i = 0; i < options->operands.items.count; i++) {
        if (!is_script(options->operands.items.items[i])) {
            terminal_complain("replay: %s is no .sql file", options->operands.items.items[i]);
            return false;
        }
    }
    return true;
}

static enum status replay_files(struct session *session)
{
    const struct options *options = session->options;
    struct pgfsm_database_options database = database_options(options);
    enum status status = STATUS_OK;
    if (!pgfsm_database_open(&session->database, &database, &session->follower.callbacks,
                             session->errors)) {
        return report_errors(session);
    }
    for (size_t i = 0; i < options->operands.items.count; i++) {
        status = status_worst(status, replay_file(session, options->operands.items.items[i]));
        if (status == STATUS_UNREACHABLE || interrupt_asked() || terminal_broken()) {
            break;
        }
    }
    return status;
}

enum status command_replay(const struct options *options)
{
    if (!database_usable("replay", options) || !are_scripts(options)) {
        return STATUS_USAGE;
    }
    struct session session = {.options = options, .errors = pgfsm_errors_new()};
    follower_begin(&session.follower, options);
    enum status status = replay_files(&session);
    pgfsm_database_free(session.database);
    pgfsm_errors_free(session.errors);
    return interrupt_asked() ? STATUS_INTERRUPTED : status;
}
