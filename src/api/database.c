#include "api/database.h"

#include "api/errors.h"
#include "api/given.h"
#include "os/wait.h"

#include <stdlib.h>
#include <string.h>

bool database_begin(struct pgfsm_database *database, const struct pgfsm_callbacks *callbacks,
                    struct pgfsm_errors *errors)
{
    struct error err;
    if (!errors_given(database, "database", errors)) {
        return false;
    }
    if (database->busy) {
        (void)error_set(&err, ERROR_USAGE, "an earlier call on this database has not ended");
        (void)error_hint(&err, "one database serves one call at a time; no callback and no "
                               "function of a model may leave it by longjmp() or an exception: "
                               "use pgfsm_call_fail()");
        return errors_add(errors, &err);
    }
    database->busy = GIVEN_TAKE(&database->callbacks, callbacks, errors, pgfsm_callbacks);
    return database->busy;
}

void database_end(struct pgfsm_database *database)
{
    database->busy = false;
    database->callbacks = (struct pgfsm_callbacks){0};
}

bool database_interrupted(const struct pgfsm_database *database)
{
    const struct pgfsm_callbacks *callbacks = &database->callbacks;
    return callbacks->interrupted && !atomic_load(&database->masked) &&
           callbacks->interrupted(callbacks->host);
}

static bool is_over(const struct pgfsm_database *database)
{
    uint64_t deadline_us = atomic_load(&database->deadline_us);
    return deadline_us && !atomic_load(&database->masked) && (uint64_t)clock_us() >= deadline_us;
}

static bool on_interrupted(void *host)
{
    const struct pgfsm_database *database = host;
    if (database->tick) {
        database->tick(database->tick_host);
    }
    return database_interrupted(database) || is_over(database);
}

static void on_note(void *host, const char *line)
{
    const struct pgfsm_database *database = host;
    if (database->callbacks.note) {
        database->callbacks.note(database->callbacks.host, line);
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
        .no_cache = options->no_cache,
        .lazy = true,
    };
}

bool pgfsm_database_is_named(const struct pgfsm_database_options *options)
{
    struct pgfsm_database_options given = PGFSM_DATABASE_OPTIONS_INIT;
    if (!GIVEN_TAKE(&given, options, NULL, pgfsm_database_options)) {
        return false;
    }
    const struct pg_options server = server_options(&given);
    return pg_options_name_server(&server);
}

bool pgfsm_database_open(struct pgfsm_database **out, const struct pgfsm_database_options *options,
                         const struct pgfsm_callbacks *callbacks, struct pgfsm_errors *errors)
{
    struct pgfsm_database *database = memory_alloc(sizeof *database);
    struct error err = {0};
    struct pgfsm_database_options given = PGFSM_DATABASE_OPTIONS_INIT;
    *database = (struct pgfsm_database){0};
    *out = NULL;
    if (!GIVEN_TAKE(&given, options, errors, pgfsm_database_options) ||
        !database_begin(database, callbacks, errors)) {
        free(database);
        return false;
    }
    struct pg_options *kept = &database->options;
    *kept = server_options(&given);
    kept->interrupted = on_interrupted;
    kept->note = on_note;
    kept->hook = database;
    database->note = (struct hooks){.note = on_note, .host = database};
    const char **texts[] = {&kept->dbname, &kept->host, &kept->port, &kept->user, &kept->bindir};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        *texts[i] = *texts[i] ? arena_strdup(&database->arena, *texts[i]) : NULL;
    }
    bool opened = pg_target_open(kept, &database->target, &err);
    database_end(database);
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

struct cache_look {
    struct pgfsm_cache public; /* first: what the caller sees */
    struct arena arena;
};

bool pgfsm_cache_look(struct pgfsm_cache **out, bool clear, struct pgfsm_errors *errors)
{
    struct cache_look *look = memory_alloc(sizeof *look);
    struct pg_cache found;
    struct error err = {0};
    *look = (struct cache_look){0};
    *out = &look->public;
    if (!pg_cache(&found, clear, &look->arena, &err)) {
        pgfsm_cache_free(*out);
        *out = NULL;
        return errors_add(errors, &err);
    }
    look->public = (struct pgfsm_cache){found.dir, found.count, found.bytes};
    return true;
}

void pgfsm_cache_free(struct pgfsm_cache *cache)
{
    if (cache) {
        struct cache_look *look = (struct cache_look *)(void *)cache;
        arena_free(&look->arena);
        free(look);
    }
}

const char *pgfsm_database_description(const struct pgfsm_database *database)
{
    return pg_target_description(database->target);
}
