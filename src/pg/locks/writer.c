/*
 * The transaction in whose queue the migration stands: it has written to all tables, as far as that
 * means taking locks, and goes on being open.
 *
 * There are two sessions for it. Where the migration waits for one, the other one locks what the
 * migration does not wait for yet, and only then the first one ends: so the migration goes on to
 * the next relation that it waits for, holding what it has got meanwhile.
 */
#include "pg/locks/inside.h"
#include "pg/session/queries.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

enum {
    SOON_MS = 1,     /* between two questions whether the migration waits */
    STANDS_MAX = 32, /* of one statement */
};

static bool begin_in(struct locks_course *course, int writer, struct error *err)
{
    struct wire *wire = &course->writers[writer].wire;
    /* a snapshot, for which CREATE INDEX CONCURRENTLY waits as it does for those of the application
     */
    return wire_do(wire, "BEGIN ISOLATION LEVEL REPEATABLE READ", err) &&
           wire_do(wire, query_write_all, err);
}

bool writer_begin(struct locks_course *course, struct error *err)
{
    course->stands = 0;
    course->writing = 0;
    return begin_in(course, 0, err);
}

bool writer_end(struct locks_course *course, struct error *err)
{
    int writing = course->writing;
    course->writing = -1;
    return writing < 0 || wire_do(&course->writers[writing].wire, "ROLLBACK", err);
}

static struct blocking_statement *current(const struct locks_course *course)
{
    return &course->out->statements.items[course->out->statements.count - 1];
}

/* What the migration waits for: a row of pg_locks that is not granted. */
static bool ask_awaited(struct locks_course *course, struct blocking_stand *stand,
                        struct error *err)
{
    struct strbuf pid = {0};
    strbuf_addi(&pid, course->migration.pid);
    const char *value = strbuf_text(&pid);
    const struct wire_params params = {.count = 1, .values = &value};
    PGresult *result =
        wire_query_ok(&course->observer.wire,
                      "SELECT l.relation, l.mode FROM pg_locks AS l "
                      "WHERE l.pid = $1::int4 AND NOT l.granted AND l.locktype = 'relation'",
                      &params, err);
    if (PQntuples(result) > 0) {
        uint32_t id = (uint32_t)strtoul(PQgetvalue(result, 0, 0), NULL, 10);
        const struct look_relation *relation = look_find(&course->known, id);
        stand->relation = relation && relation->name ? relation->name : "?";
        stand->mode = look_mode_name(look_mode(PQgetvalue(result, 0, 1)));
    }
    PQclear(result);
    strbuf_free(&pid);
    return result != NULL;
}

/* How it stands: what it has got, and who waits behind it. */
static bool note_stand(struct locks_course *course, struct error *err)
{
    struct blocking_stand *stand = VEC_PUSH(course->arena, &current(course)->stands);
    struct blocking_statement got = {0};
    struct look held = {0};
    size_t count = course->question->request_count;
    bool *waits = ARENA_ARRAY(course->arena, bool, count);
    if (!ask_awaited(course, stand, err) ||
        !look_take(&course->observer.wire, course->migration.pid, LOOK_TRANSACTION, course->arena,
                   &held, err) ||
        !rules_try_all(course, waits, err)) {
        return false;
    }
    look_locks(&course->known, &course->before, &held, course->arena, &got);
    for (size_t i = 0; i < got.locks.count; i++) {
        *VEC_PUSH(course->arena, &stand->locks) = got.locks.items[i];
    }
    for (size_t i = 0; i < count; i++) {
        if (waits[i] && !course->waits[i] && !course->alone[i]) {
            *VEC_PUSH(course->arena, &stand->waits) = i;
        }
    }
    return true;
}

static bool move_on(struct locks_course *course, struct error *err)
{
    int from = course->writing;
    int to = 1 - from;
    if (++course->stands < STANDS_MAX) {
        if (!begin_in(course, to, err)) {
            return false;
        }
        course->writing = to;
    } else {
        course->writing = -1;
    }
    return wire_do(&course->writers[from].wire, "ROLLBACK", err);
}

bool writer_watch(void *owner, int fd, bool writing, struct error *err)
{
    struct locks_course *course = owner;
    struct pollfd at = {fd, (short)(POLLIN | (writing ? POLLOUT : 0)), 0};
    while (poll(&at, 1, SOON_MS) <= 0) {
        bool blocked = false;
        if (interrupt_wanted(course->migration.wire.hooks)) {
            return error_interrupted(err);
        }
        if (course->writing < 0) {
            continue;
        }
        if (!locks_blocked(course, course->migration.pid, &course->writers[course->writing].pid, 1,
                           &blocked, err)) {
            return false;
        }
        if (blocked && !(note_stand(course, err) && move_on(course, err))) {
            return false;
        }
    }
    return true;
}
