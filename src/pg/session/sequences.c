/*
 * Sequences are not rolled back. In a scratch database they are put back, so that the ids of an
 * example do not depend on what ran before it on this connection: on how far ahead of the server
 * the client was when an example failed, on which examples --jobs gave to it, or on how many there
 * were. In a database that was named nothing is put back: that would stay.
 *
 * Outside of transactions they go back to where they stood at open(). Within one, where they stand
 * is noted in a setting of ours before each savepoint; a rollback to the savepoint brings the
 * setting's value back, by which they are put back. So no answer is waited for.
 */
#include "pg/session/queries.h"
#include "pg/session/session.h"

/* `*query` reads where they stand: see sql/sequences.sql. */
static bool read_query(struct session *session, struct arena *arena, const char **query,
                       struct error *err)
{
    *query = NULL;
    return !session->scratch.target ||
           session_value(session, query_sequences, NULL, arena, query, err);
}

bool session_read_sequences(struct session *session, struct arena *arena, const char **out,
                            struct error *err)
{
    const char *query = NULL;
    *out = NULL;
    if (!read_query(session, arena, &query, err)) {
        return false;
    }
    if (!query) {
        return true;
    }
    query = arena_printf(arena,
                         "SELECT 'SELECT ' || pg_catalog.string_agg(pg_catalog.format("
                         "'pg_catalog.setval(%%L, %%s, %%L)', name, last, called), ', ')"
                         " FROM (%s) AS s (name, last, called)",
                         query);
    return session_value(session, query, NULL, arena, out, err);
}

bool session_note_sequences(struct session *session, struct error *err)
{
    struct arena arena = {0};
    const char *back = NULL;
    bool noted =
        session->loads || session->commits || session_read_sequences(session, &arena, &back, err);
    if (noted && back) {
        session->sequences.script =
            arena_printf(&session->arena, "BEGIN READ WRITE; %s; COMMIT", back);
    }
    arena_free(&arena);
    return noted;
}

bool session_restore_sequences(struct session *session, struct error *err)
{
    return !session->sequences.script || wire_do(&session->wire, session->sequences.script, err);
}

/* The statements that note where they stand and put them back. A sequence that had handed out
 * nothing goes back to where it stood at the mark. */
static bool make_texts(struct session *session, const char *query, struct arena *arena,
                       const char **note, const char **back, struct error *err)
{
    const char *texts = arena_printf(
        arena,
        "SELECT pg_catalog.format('SELECT pg_catalog.set_config(''pgfsm.sequences'', "
        "ARRAY[%%s]::pg_catalog.text, true)', pg_catalog.string_agg(pg_catalog.format("
        "'pg_catalog.pg_sequence_last_value(%%s::pg_catalog.oid::pg_catalog.regclass)', id), "
        "', ' ORDER BY n)), "
        "pg_catalog.format('SELECT ARRAY[%%s] FROM (SELECT pg_catalog.current_setting("
        "''pgfsm.sequences'')::pg_catalog.int8[] OFFSET 0) AS s (noted)', "
        "pg_catalog.string_agg(pg_catalog.format("
        "'pg_catalog.setval(%%1$s::pg_catalog.oid::pg_catalog.regclass, "
        "COALESCE(noted[%%2$s], %%3$s), noted[%%2$s] IS NOT NULL)', id, n, last), "
        "', ' ORDER BY n)) "
        "FROM (SELECT name::pg_catalog.regclass::pg_catalog.oid, last, "
        "pg_catalog.row_number() OVER () FROM (%s) AS s (name, last, called)) AS s (id, last, n)",
        query);
    PGresult *result = session_ask(session, texts, NULL, err);
    if (result) {
        *note = arena_strdup(arena, PQgetvalue(result, 0, 0));
        *back = arena_strdup(arena, PQgetvalue(result, 0, 1));
    }
    PQclear(result);
    return result != NULL;
}

static bool follow_sequences(struct session *session, struct error *err)
{
    struct arena arena = {0};
    const char *query = NULL;
    const char *note = NULL;
    const char *back = NULL;
    bool done = session_settle(session, err) && read_query(session, &arena, &query, err) &&
                (!query || make_texts(session, query, &arena, &note, &back, err));
    if (done && query) {
        done = session_prepare_own(session, FIXED_NOTE_SEQUENCES, note,
                                   session_fixed_call(session, FIXED_NOTE_SEQUENCES), err) &&
               session_prepare_own(session, FIXED_SEQUENCES_BACK, back,
                                   session_fixed_call(session, FIXED_SEQUENCES_BACK), err);
    }
    session->sequences.followed = done && query;
    session->sequences.known = done;
    arena_free(&arena);
    return done;
}

bool session_keep_sequences(struct session *session, struct error *err)
{
    if (session->sequences.known && !session->sequences.followed) {
        return true;
    }
    return session_context(session, NULL, err) &&
           (session->sequences.known || follow_sequences(session, err)) &&
           (!session->sequences.followed || session_fixed(session, FIXED_NOTE_SEQUENCES, err));
}

bool session_sequences_back(struct session *session, struct error *err)
{
    return !session->sequences.followed || session_fixed(session, FIXED_SEQUENCES_BACK, err);
}
