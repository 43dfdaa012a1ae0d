#include "cli/database.h"

#include "base/visible.h"
#include "cli/interrupt.h"
#include "cli/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool on_interrupted(void *host)
{
    (void)host;
    return interrupt_asked();
}

static void on_progress(void *host, const struct pgfsm_progress *at)
{
    struct work *work = host;
    progress_draw(&work->progress, at);
}

static void on_print(void *host, const char *line, size_t size)
{
    struct work *work = host;
    struct strbuf safe = {0};
    progress_clear(&work->progress);
    visible_add(&safe, VISIBLE_LINE, line, size);
    strbuf_addc(&safe, '\n');
    terminal_log(safe.data, safe.size);
    strbuf_free(&safe);
}

static void on_tell(void *host, const char *text, size_t size)
{
    struct work *work = host;
    progress_clear(&work->progress);
    terminal_log(text, size);
}

static void on_note(void *host, const char *text)
{
    struct work *work = host;
    progress_clear(&work->progress);
    terminal_complain("%s", text);
}

void work_begin(struct work *work, const struct options *options)
{
    *work = (struct work){
        .options = options,
        .progress = {.on = !options->quiet && terminal_wants(options->progress, STDERR_FILENO)},
        .callbacks = {.struct_size = sizeof work->callbacks,
                      .host = work,
                      .interrupted = on_interrupted,
                      .progress = on_progress,
                      .print = on_print,
                      .tell = on_tell,
                      .note = on_note},
        .errors = pgfsm_errors_new(),
    };
}

enum status work_end(struct work *work, enum status status)
{
    pgfsm_database_free(work->database);
    pgfsm_errors_free(work->errors);
    arena_free(&work->arena);
    return interrupt_asked() ? STATUS_INTERRUPTED : status;
}

bool database_options_usable(const char *command, const struct options *options)
{
    const struct pgfsm_database_options *database = &options->database;
    const char *named = database->dbname ? "-d"
                        : database->host ? "-h"
                        : database->port ? "-p"
                        : database->user ? "-U"
                                         : NULL;
    if (database->embedded && named) {
        terminal_complain("%s: --embedded and %s exclude each other; leave one of them out",
                          command, named);
        return false;
    }
    return true;
}

bool database_usable(const char *command, const struct options *options)
{
    if (options->operands.items.count == 0) {
        terminal_complain("%s: no files given; write %s %s FILE...", command, program_name,
                          command);
        return false;
    }
    return database_options_usable(command, options);
}

extern char **environ;

/* What the environment says to libpq and to PostgreSQL's programs is not meant for an embedded
 * server, and libpq offers no other way to leave it out. */
static void forget_environment(void)
{
    char **kept = environ;
    for (char **entry = environ; *entry; entry++) {
        if (strncmp(*entry, "PG", 2) != 0 || strncmp(*entry, "PGFSM_", 6) == 0) {
            *kept++ = *entry;
        }
    }
    *kept = NULL;
}

bool work_open(struct work *work)
{
    const struct pgfsm_database_options *options = &work->options->database;
    if (work->database) {
        return true;
    }
    if (!pgfsm_database_is_named(options)) {
        forget_environment();
    }
    return pgfsm_database_open(&work->database, options, &work->callbacks, work->errors);
}

/* A mere name is a database's, on the same server. */
static bool is_name(const char *dbname) { return !strchr(dbname, '=') && !strstr(dbname, "://"); }

bool work_open_second(struct work *work, struct pgfsm_database **out)
{
    const struct options *options = work->options;
    struct pgfsm_database_options second = options->database;
    *out = NULL;
    if (options->new_dbname) {
        second = is_name(options->new_dbname)
                     ? second
                     : (struct pgfsm_database_options){.struct_size = sizeof second,
                                                       .wait_ms = second.wait_ms};
        second.dbname = options->new_dbname;
    } else if (pgfsm_database_is_named(&second)) {
        return true;
    }
    second.bindir = options->new_bindir ? options->new_bindir : second.bindir;
    return pgfsm_database_open(out, &second, &work->callbacks, work->errors);
}
