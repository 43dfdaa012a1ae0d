/* The scratch database with the machine's files in it: loaded, or from the cache. */
#include "pg/ingredients.h"
#include "pg/session/session.h"

#include <string.h>

/* A load that takes less time than this is not worth a place in the cache. */
enum { WORTH_MS = 300 };

/* Of all files, or of the first that another session has loaded. */
static bool find_key(const struct session *session, bool first, struct ingredients_key *key)
{
    const struct pg_backend_options *options = &session->options;
    const struct ingredients files = {
        .files = options->schema,
        .count = options->schema_count,
        .more = options->apply,
        .more_count = first ? options->loaded - options->schema_count : options->apply_count,
        .bindir = session->target->bindir,
        .clock_us = options->clock_us,
    };
    const struct pg_target *target = session->target;
    return target->embedded && target->lazy && target->cache.dir && !session->in_place &&
           ingredients_key(&files, key);
}

static bool load_anew(struct session *session, session_load_fn *load,
                      struct diagnostics *diagnostics, struct error *err)
{
    return scratch_make(&session->scratch, session->target, err) &&
           (session->in_place || session_load_files(session, load, diagnostics, err));
}

/* Starts the server, and counts the session among its users. */
static bool start_counted(struct session *session, const struct ingredients_key *key, bool *loaded,
                          struct error *err)
{
    if (!target_start(session->target, key, session->options.clock_us, loaded, err)) {
        return false;
    }
    session->target->users++;
    session->counted = true;
    return true;
}

/* A copy of the database of another session, which has the first files. */
static bool take_copy(struct session *session)
{
    struct session *from = session->options.from ? session_of(session->options.from) : NULL;
    if (!from || from->clones.made.count == 0 || session->in_place) {
        return false;
    }
    session->scratch = from->clones.made.items[--from->clones.made.count];
    session->scratch_has_files = true;
    return true;
}

bool loaded_open(struct session *session, session_load_fn *load, struct diagnostics *diagnostics,
                 struct error *err)
{
    struct pg_target *target = session->target;
    struct ingredients_key key;
    struct ingredients_key after;
    bool alone = target->users == 0;
    bool copy = take_copy(session);
    bool first = session->options.loaded > 0;
    bool keyed = !copy && find_key(session, first, &key);
    bool loaded = false;
    if (!start_counted(session, keyed ? &key : NULL, &loaded, err)) {
        return false;
    }
    if (copy) {
        return session_load_files(session, load, diagnostics, err);
    }
    if (loaded && scratch_adopt(&session->scratch, target, err)) {
        session->scratch_has_files = first;
        return !first || session_load_files(session, load, diagnostics, err);
    }
    if (loaded && (interrupt_wanted(&target->hooks) ||
                   !target_start_again(target, &key, session->options.clock_us, err))) {
        return false;
    }
    int64_t begin = clock_ms();
    if (!load_anew(session, load, diagnostics, err)) {
        return false;
    }
    /* The same files as before: nobody has changed one while they were loaded. Roles belong to all
     * databases: so nobody else's are there. */
    bool worth = clock_ms() - begin >= WORTH_MS ||
                 (session->options.shared && target_has_rows(target, session->scratch.name));
    if (keyed && !first && alone && worth && find_key(session, false, &after) &&
        memcmp(&key, &after, sizeof key) == 0) {
        target_keep(target, &key, session->scratch.name);
    }
    return true;
}
