/* The scratch database with the machine's files in it: loaded, or from the cache. */
#include "pg/ingredients.h"
#include "pg/session/session.h"

#include <string.h>

/* What takes less time than that is not worth a place in the cache. */
enum { WORTH_MS = 300 };

static bool find_key(const struct session *session, struct ingredients_key *key)
{
    const struct pg_backend_options *options = &session->options;
    const struct ingredients files = {
        .files = options->schema,
        .count = options->schema_count,
        .more = options->apply,
        .more_count = options->apply_count,
        .bindir = session->target->bindir,
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

bool loaded_open(struct session *session, session_load_fn *load, struct diagnostics *diagnostics,
                 struct error *err)
{
    struct pg_target *target = session->target;
    struct ingredients_key key;
    struct ingredients_key after;
    bool keyed = find_key(session, &key);
    bool loaded = false;
    bool used = target->used;
    target->users -= session->counted; /* it does not use the server yet */
    bool started = target_start(target, keyed ? &key : NULL, &loaded, err);
    target->users += session->counted;
    if (!started) {
        return false;
    }
    if (loaded && scratch_adopt(&session->scratch, target, err)) {
        return true;
    }
    if (loaded && (interrupt_wanted(&target->hooks) || !target_start_again(target, &key, err))) {
        return false;
    }
    used = used && !loaded;
    int64_t begin = clock_ms();
    if (!load_anew(session, load, diagnostics, err)) {
        return false;
    }
    /* the same files as before: nobody has changed one while they were loaded */
    bool worth = keyed && clock_ms() - begin >= WORTH_MS && find_key(session, &after) &&
                 memcmp(&key, &after, sizeof key) == 0;
    /* Only a server that has nothing of other machines in it: roles belong to all databases. */
    if (worth && !used && target->users <= 1) {
        target_keep(target, &key, session->scratch.name);
    }
    return true;
}
