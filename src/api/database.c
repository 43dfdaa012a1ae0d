#include "api/database.h"

#include "api/errors.h"
#include "os/wait.h"

#include <stdlib.h>
#include <string.h>

bool database_interrupted(const struct pgfsm_database *database)
{
    const struct pgfsm_callbacks *callbacks = database->callbacks;
    return callbacks && callbacks->interrupted && !atomic_load(&database->masked) &&
           callbacks->interrupted(callbacks->host);
}

static bool is_over(const struct pgfsm_database *database)
{
    uint64_t deadline_us = atomic_load(&database->deadline_us);
    return deadline_us && !atomic_load(&database->masked) && (uint64_t)clock_us() >= deadline_us;
}

static bool on_interrupted(void *host) { return database_interrupted(host) || is_over(host); }

static void on_note(void *host, const char *line)
{
    const struct pgfsm_database *database = host;
    const struct pgfsm_callbacks *callbacks = database->callbacks;
    if (callbacks && callbacks->note) {
        callbacks->note(callbacks->host, line);
    }
}

static struct pg_options server_options(const struct pgfsm_database_options *options)
{
    return (struct pg_options){
        .embedded = options->embedded,
        .dbname = options->dbname,
        .host = options->host,
        .port = options->port,
        .user = options->user,
        .bindir = options->bindir,
        .wait_ms = options->wait_ms,
    };
}

bool pgfsm_database_is_named(const struct pgfsm_database_options *options)
{
    struct pg_options server = server_options(options);
    return pg_options_name_server(&server);
}

bool pgfsm_database_open(struct pgfsm_database **out, const struct pgfsm_database_options *options,
                         const struct pgfsm_callbacks *callbacks, struct pgfsm_errors *errors)
{
    struct pgfsm_database *database = memory_alloc(sizeof *database);
    struct error err = {0};
    *database = (struct pgfsm_database){.callbacks = callbacks};
    struct pg_options *kept = &database->options;
    *kept = server_options(options);
    kept->interrupted = on_interrupted;
    kept->note = on_note;
    kept->hook = database;
    const char **texts[] = {&kept->dbname, &kept->host, &kept->port, &kept->user, &kept->bindir};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        *texts[i] = *texts[i] ? arena_strdup(&database->arena, *texts[i]) : NULL;
    }
    bool opened = pg_target_open(kept, &database->target, &err);
    database->callbacks = NULL;
    *out = opened ? database : NULL;
    if (!opened) {
        (void)errors_add(errors, &err);
        pgfsm_database_free(database);
    }
    return opened;
}

void pgfsm_database_free(struct pgfsm_database *database)
{
    if (database) {
        pg_target_close(database->target);
        arena_free(&database->arena);
        free(database);
    }
}

const char *pgfsm_database_description(const struct pgfsm_database *database)
{
    return pg_target_description(database->target);
}
