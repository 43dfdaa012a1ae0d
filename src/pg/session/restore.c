/*
 * What the steps of an example committed, put back to the mark: exactly the tables that were
 * written to, the sequences, and what belongs to the session.
 *
 * Which tables those are the rows say, whoever wrote them and by whatever way: one that was written
 * after the mark has a transaction after it (xmin), and where none has, a row was deleted if fewer
 * are there. That is asked once, after the example, of the catalog's tables as well.
 *
 * What an example added to the catalog is taken away as it came, by rows: a table, a column without
 * a new file, a constraint, a trigger, a grant on a table. Then the same question is asked again.
 * That nothing is new and nothing less proves that every row of the mark is still there; the one
 * catalog whose rows DDL changes without adding any, pg_class, is compared. Where that is not so,
 * as something was dropped or altered, and where something can't be put back by rows, the copy of
 * the database is spoilt, and another one is made.
 *
 * The rows of the mark are kept here, as texts: a table of ours in the database would be seen by
 * those who look into its catalog. They are written as the server's replication would write them,
 * past triggers and foreign keys.
 */
#include "pg/session/queries.h"
#include "pg/session/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LARGE_ROWS = 1000,           /* from then on only what changed is written anew */
    RESTORES_BEFORE_VACUUM = 50, /* of dead rows */
};

void restore_free(struct session *session)
{
    struct marked *found = &session->found;
    for (size_t i = 0; i < found->tables.count; i++) {
        large_free(found->tables.items[i].large);
    }
    arena_free(&found->arena);
    *found = (struct marked){0};
}

static const char *text_at(struct arena *arena, const PGresult *result, int row, int column)
{
    return PQgetisnull(result, row, column) ? NULL
                                            : arena_strdup(arena, PQgetvalue(result, row, column));
}

/* All SQL of the machine. */
static void add_templates(const struct machine *machine, struct strbuf *out)
{
    for (size_t i = 0; i < machine->templates.count; i++) {
        const struct snippet *sql = &machine->templates.items[i]->snippet;
        strbuf_add(out, sql->text, sql->size);
        strbuf_addc(out, '\n');
    }
}

/* Reads the session's part, and the number of the next transaction. */
static bool read_state(struct session *session, struct error *err)
{
    struct marked *found = &session->found;
    struct strbuf texts = {0};
    add_templates(session->machine, &texts);
    const char *value = strbuf_text(&texts);
    const struct wire_params params = {.count = 1, .values = &value};
    PGresult *result = session_query(session, query_state, &params, err);
    strbuf_free(&texts);
    if (!result) {
        return false;
    }
    found->settings = text_at(&found->arena, result, 0, 0);
    found->restorable = *PQgetvalue(result, 0, 1) == 't';
    (void)snprintf(found->since, sizeof found->since, "%s", PQgetvalue(result, 0, 2));
    found->catalog = text_at(&found->arena, result, 0, 3);
    found->shares = *PQgetvalue(result, 0, 4) == 't';
    PQclear(result);
    return session_value(session, query_class, found->since, &found->arena, &found->class, err) &&
           (strcmp(found->catalog, "whole") != 0 ||
            session_value(session, query_relations, NULL, &found->arena, &found->relations, err)) &&
           session_read_sequences(session, &found->arena, &found->sequences, err);
}

static bool read_tables(struct session *session, struct error *err)
{
    struct marked *found = &session->found;
    const struct wire_params params = {.count = 1, .values = &found->catalog};
    PGresult *result = session_query(session, query_marked, &params, err);
    for (int i = 0; i < PQntuples(result); i++) {
        *VEC_PUSH(&found->arena, &found->tables) = (struct marked_table){
            .name = text_at(&found->arena, result, i, 0),
            .only = text_at(&found->arena, result, i, 1),
            .columns = text_at(&found->arena, result, i, 2),
            .fields = text_at(&found->arena, result, i, 3),
            .oid = text_at(&found->arena, result, i, 4),
            .file = text_at(&found->arena, result, i, 5),
        };
    }
    PQclear(result);
    return result != NULL;
}

/* "FROM ONLY table AS pgfsm_row WHERE …" */
static void add_from(const struct marked_table *table, struct strbuf *out)
{
    strbuf_addf(out, " FROM ONLY %s AS pgfsm_row%s%s", table->name, table->only ? " WHERE " : "",
                table->only ? table->only : "");
}

/* How many rows they have, and the rows where these are few, each table in a subquery of its own
 * (see sequences.sql). */
static void contents_sql(const struct marked *found, struct strbuf *out)
{
    strbuf_adds(out, "SELECT n, r FROM ROWS FROM (pg_catalog.unnest(ARRAY[");
    for (size_t i = 0; i < found->tables.count; i++) {
        strbuf_adds(out, i ? ", (SELECT pg_catalog.count(*)" : "(SELECT pg_catalog.count(*)");
        add_from(&found->tables.items[i], out);
        strbuf_addc(out, ')');
    }
    strbuf_adds(out, "]), pg_catalog.unnest(ARRAY[");
    for (size_t i = 0; i < found->tables.count; i++) {
        const struct marked_table *table = &found->tables.items[i];
        strbuf_adds(out, i ? ", " : "");
        if (table->columns) {
            strbuf_adds(out, "CASE WHEN (SELECT pg_catalog.count(*)");
            add_from(table, out);
            strbuf_addf(out,
                        ") <= %d THEN (SELECT pg_catalog.array_agg(" ROW_TEXT " "
                        "ORDER BY pgfsm_row.ctid)::pg_catalog.text",
                        LARGE_ROWS);
            add_from(table, out);
            strbuf_adds(out, ") END");
        } else {
            strbuf_adds(out, "NULL::pg_catalog.text");
        }
    }
    strbuf_adds(out, "])) AS s (n, r)");
}

static bool read_large(struct session *session, struct error *err)
{
    struct marked *found = &session->found;
    bool read = true;
    for (size_t i = 0; i < found->tables.count && read; i++) {
        struct marked_table *table = &found->tables.items[i];
        if (table->columns && table->count > LARGE_ROWS) {
            read = large_read(&session->wire, table->name, table->file, &table->large, err);
        }
    }
    return read;
}

static bool read_contents(struct session *session, struct error *err)
{
    struct marked *found = &session->found;
    struct strbuf sql = {0};
    contents_sql(found, &sql);
    PGresult *result = session_query(session, strbuf_text(&sql), NULL, err);
    for (int i = 0; i < PQntuples(result); i++) {
        struct marked_table *table = &found->tables.items[i];
        table->count = strtoll(PQgetvalue(result, i, 0), NULL, 10);
        table->rows = text_at(&found->arena, result, i, 1);
    }
    strbuf_free(&sql);
    PQclear(result);
    return result != NULL && read_large(session, err);
}

/* A query that gives a text of one digit for each table: 1 for one that changed. $1: the first
 * transaction after the mark. */
static void written_sql(const struct marked *found, struct strbuf *out)
{
    strbuf_adds(out, "SELECT pg_catalog.array_to_string(ARRAY[");
    for (size_t i = 0; i < found->tables.count; i++) {
        const struct marked_table *table = &found->tables.items[i];
        strbuf_adds(out, i ? ", " : "");
        if (table->count == 0) {
            strbuf_adds(out, "EXISTS (SELECT");
            add_from(table, out);
        } else {
            strbuf_addf(out,
                        "(SELECT pg_catalog.count(*) OPERATOR(pg_catalog.<>) %lld OR "
                        "pg_catalog.bool_or(pg_catalog.age(pgfsm_row.xmin) "
                        "OPERATOR(pg_catalog.<=) pgfsm_since.age)",
                        table->count);
            add_from(table, out);
        }
        strbuf_adds(out, ")::pg_catalog.int4");
    }
    strbuf_adds(out, "], '') FROM (SELECT pg_catalog.age($1::pg_catalog.xid) OFFSET 0) AS "
                     "pgfsm_since (age)");
}

/* That one of them fails shows in what it was to put back. */
static void restored(void *owner, uint64_t tag, PGresult *result)
{
    struct session *session = owner;
    (void)tag;
    session->found.failed |=
        !result || wire_is_error(result) || PQresultStatus(result) == PGRES_PIPELINE_ABORTED;
    PQclear(result);
}

static struct wire_call restored_call(struct session *session)
{
    return (struct wire_call){.done = restored, .owner = session};
}

bool restore_prepare_session(struct session *session, const char *settings, struct error *err)
{
    struct strbuf sql = {0};
    strbuf_addf(&sql, "SELECT pg_catalog.pg_advisory_unlock_all()%s%s", settings ? ", " : "",
                settings ? settings + strlen("SELECT ") : "");
    bool sent = session_prepare_own(session, FIXED_SETTINGS_BACK, strbuf_text(&sql),
                                    restored_call(session), err);
    strbuf_free(&sql);
    return sent;
}

static bool prepare_texts(struct session *session, struct error *err)
{
    const struct marked *found = &session->found;
    struct strbuf sql = {0};
    written_sql(found, &sql);
    session->found.failed = false;
    bool done =
        session_prepare_own(session, FIXED_FIND_WRITTEN, strbuf_text(&sql), restored_call(session),
                            err) &&
        restore_prepare_session(session, found->settings, err) &&
        (!found->sequences || session_prepare_own(session, FIXED_SEQUENCES_BACK, found->sequences,
                                                  restored_call(session), err)) &&
        wire_drain(&session->wire, err);
    strbuf_free(&sql);
    if (done && session->found.failed) {
        session->found.restorable = false;
    }
    return done;
}

/* It begins with the settings of the mark. */
bool restore_connected(struct session *session, struct error *err)
{
    return !session->found.restorable ||
           (prepare_texts(session, err) &&
            session_send_fixed(session, FIXED_SETTINGS_BACK, NULL, restored_call(session), err));
}

/* Statements that were prepared at an earlier mark are gone with its connection. */
bool restore_mark(struct session *session, struct error *err)
{
    struct marked *found = &session->found;
    restore_free(session);
    wire_close(&session->commit.restorer);
    if (!read_state(session, err)) {
        return false;
    }
    if (found->restorable && (!read_tables(session, err) || !read_contents(session, err))) {
        /* it takes too long, or has more than can be kept here */
        bool refused = err->code == ERROR_SERVER || err->code == ERROR_LIMIT;
        found->restorable = false;
        *err = refused ? (struct error){0} : *err;
        return refused;
    }
    return !found->restorable || prepare_texts(session, err);
}

static bool send_session_back(struct session *session, struct error *err)
{
    static const char *const commands[] = {"RESET SESSION AUTHORIZATION",
                                           "RESET ROLE",
                                           "RESET ALL",
                                           "CLOSE ALL",
                                           "UNLISTEN *",
                                           "DISCARD TEMP"};
    struct wire_call call = restored_call(session);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (!wire_run(&session->wire, commands[i], NULL, call, err)) {
            return false;
        }
    }
    return session_send_fixed(session, FIXED_SETTINGS_BACK, NULL, call, err) &&
           (!session->found.sequences ||
            session_send_fixed(session, FIXED_SEQUENCES_BACK, NULL, call, err));
}

bool restore_session(struct session *session, struct error *err)
{
    session->found.failed = false;
    return send_session_back(session, err) && wire_sync(&session->wire, err) &&
           wire_poll(&session->wire, err);
}

/* The last result; what failed before it is noted. */
static void keep_last(void *owner, uint64_t tag, PGresult *result)
{
    PGresult **kept = owner;
    (void)tag;
    PQclear(*kept);
    *kept = result;
}

static bool find_written(struct session *session, PGresult **written, struct error *err)
{
    const char *since = session->found.since;
    const struct wire_params params = {.count = 1, .values = &since};
    const struct wire_call call = {.done = keep_last, .owner = written};
    return session_send_fixed(session, FIXED_FIND_WRITTEN, &params, call, err) &&
           wire_drain(&session->wire, err);
}

/* A digit for each table; empty if the server gave none. */
static const char *digits(const struct session *session, const PGresult *written)
{
    const char *text = PQresultStatus(written) == PGRES_TUPLES_OK ? PQgetvalue(written, 0, 0) : "";
    return strlen(text) == session->found.tables.count ? text : "";
}

/* A TRUNCATE changes no part of pg_class that matters. */
static bool class_is_same(struct session *session, const char *since, bool *same, struct error *err)
{
    const struct marked *found = &session->found;
    struct arena arena = {0};
    const char *class = NULL;
    bool read = session_value(session, query_class, since, &arena, &class, err);
    *same = read && class && found->class && strcmp(class, found->class) == 0;
    arena_free(&arena);
    return read;
}

static bool is_class(const struct marked_table *table)
{
    return strcmp(table->name, "pg_catalog.pg_class") == 0;
}

static bool is_catalog(const struct marked_table *table)
{
    return strncmp(table->name, "pg_catalog.", strlen("pg_catalog.")) == 0;
}

/* How what was written can be put back. */
enum way_back {
    BACK_NONE,
    BACK_ROWS,    /* of tables */
    BACK_CATALOG, /* and of the catalog, if what it got is all new */
};

static bool choose_way_back(struct session *session, const char *written, enum way_back *way,
                            struct error *err)
{
    const struct marked *found = &session->found;
    *way = BACK_ROWS;
    for (size_t i = 0; i < found->tables.count && *way != BACK_NONE; i++) {
        const struct marked_table *table = &found->tables.items[i];
        bool same = false;
        if (written[i] != '1' || table->columns) {
            continue;
        }
        if (is_class(table) && !class_is_same(session, found->since, &same, err)) {
            return false;
        }
        if (!same) {
            *way = is_catalog(table) && found->relations ? BACK_CATALOG : BACK_NONE;
        }
    }
    return true;
}

/* Only what changed is written anew. */
static bool is_partly(const struct marked_table *table)
{
    return table->large || is_catalog(table);
}

/* The statements that put a table back, in this order. */
enum verb {
    VERB_DELETE, /* what is not of the mark. $1 where only a part of it is: the first transaction
                    after it */
    VERB_LOOK,   /* which rows are missing */
    VERB_INSERT, /* $1: those */
    VERBS
};

static void insert_sql(const struct marked_table *table, struct strbuf *out)
{
    strbuf_addf(out,
                "INSERT INTO %s (%s) OVERRIDING SYSTEM VALUE SELECT %s FROM "
                "(SELECT pg_catalog.unnest($1::%s[]) OFFSET 0) AS q (r)%s",
                table->name, table->columns, table->fields, table->name,
                table->large ? " RETURNING ctid" : "");
}

static void verb_sql(const struct marked_table *table, enum verb verb, struct strbuf *out)
{
    switch (verb) {
    case VERB_DELETE:
        strbuf_addf(out, "DELETE FROM ONLY %s AS pgfsm_row", table->name);
        if (is_partly(table)) {
            strbuf_addf(out,
                        " WHERE pg_catalog.age(pgfsm_row.xmin) OPERATOR(pg_catalog.<=) "
                        "pg_catalog.age($1::pg_catalog.xid)%s%s",
                        table->only ? " AND " : "", table->only ? table->only : "");
        }
        break;
    case VERB_LOOK:
        large_look_sql(table->name, table->oid, out);
        break;
    case VERB_INSERT:
    case VERBS:
    default:
        insert_sql(table, out);
        break;
    }
}

static void looked(void *owner, uint64_t tag, PGresult *result)
{
    struct session *session = owner;
    session->found.failed |= !large_compare(session->found.tables.items[tag].large, result);
    PQclear(result);
}

static void inserted(void *owner, uint64_t tag, PGresult *result)
{
    struct session *session = owner;
    session->found.failed |= !large_back(session->found.tables.items[tag].large, result);
    PQclear(result);
}

/* Prepared once. */
static bool send_verb(struct session *session, size_t index, enum verb verb,
                      const struct wire_params *params, struct error *err)
{
    static wire_done *const done[VERBS] = {restored, looked, inserted};
    struct marked_table *table = &session->found.tables.items[index];
    struct wire_call call = {
        .done = table->large ? done[verb] : restored, .owner = session, .tag = index};
    struct strbuf sql = {0};
    char name[64];
    (void)snprintf(name, sizeof name, "pgfsm_%d_%zu", (int)verb, index);
    verb_sql(table, verb, &sql);
    bool sent = ((table->prepared & 1U << verb) != 0 ||
                 wire_parse(&session->commit.restorer, name, strbuf_text(&sql),
                            restored_call(session), err)) &&
                wire_execute(&session->commit.restorer, name, params, call, err);
    table->prepared |= 1U << verb;
    strbuf_free(&sql);
    return sent;
}

/* In one flight. */
static bool send_old_rows(struct session *session, size_t index, struct error *err)
{
    const struct marked_table *table = &session->found.tables.items[index];
    const char *since = session->found.since;
    const struct wire_params params = {.count = is_partly(table), .values = &since};
    bool sent = send_verb(session, index, VERB_DELETE, &params, err);
    if (sent && table->large) {
        const char *values[] = {large_counts(table->large), large_file(table->large)};
        const struct wire_params look = {.count = 2, .values = values};
        sent = send_verb(session, index, VERB_LOOK, &look, err);
    }
    return sent;
}

static bool send_new_rows(struct session *session, size_t index, struct error *err)
{
    const struct marked_table *table = &session->found.tables.items[index];
    const char *rows = table->rows;
    struct text_array texts = {0};
    if (table->large && large_missing(table->large)) {
        large_texts(table->large, &texts);
        rows = text_array_finish(&session->types, &texts);
    }
    const struct wire_params params = {.count = 1, .values = &rows};
    bool sent = !rows || send_verb(session, index, VERB_INSERT, &params, err);
    text_array_free(&texts);
    return sent;
}

static void note_since(void *owner, uint64_t tag, PGresult *result)
{
    struct session *session = owner;
    struct marked *found = &session->found;
    (void)tag;
    if (PQresultStatus(result) == PGRES_TUPLES_OK) {
        (void)snprintf(found->since, sizeof found->since, "%s", PQgetvalue(result, 0, 0));
    } else {
        found->failed = true;
    }
    PQclear(result);
}

/* Each in its turn: what is behind rows that go has to be there still, and what rows come to, be as
 * it was. */
enum part {
    PART_OLD_ROWS,
    PART_CATALOG,
    PART_NEW_ROWS,
};

static bool is_of(const struct marked_table *table, enum part part)
{
    return part == PART_CATALOG ? is_catalog(table) && !is_class(table) : table->columns != NULL;
}

static bool send_part(struct session *session, const char *written, enum part part,
                      struct error *err)
{
    struct marked *found = &session->found;
    bool sent = true;
    for (size_t i = 0; i < found->tables.count && sent; i++) {
        if (written[i] == '1' && is_of(&found->tables.items[i], part)) {
            sent = part == PART_NEW_ROWS ? send_new_rows(session, i, err)
                                         : send_old_rows(session, i, err);
        }
    }
    return sent;
}

static bool send_relations(struct session *session, struct error *err)
{
    const struct wire_params params = {.count = 1, .values = &session->found.relations};
    return wire_run(&session->commit.restorer, query_relations_back, &params,
                    restored_call(session), err);
}

/* The answers say which of the rows are missing. */
static bool wait_for_large(struct session *session, const char *written, struct error *err)
{
    struct marked *found = &session->found;
    bool any = false;
    for (size_t i = 0; i < found->tables.count; i++) {
        bool sent = written[i] == '1';
        found->tables.items[i].dirty |= sent;
        any |= sent && found->tables.items[i].large;
    }
    return !any || wire_drain(&session->commit.restorer, err);
}

/* On a connection of its own: where a session begins or ends to write past triggers, the server
 * forgets all its plans (assign_session_replication_role). Rows are texts as the session writes
 * them. */
static bool connect_restorer(struct session *session, struct error *err)
{
    static const char since[] =
        "SELECT pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot())::pg_catalog.xid";
    const char *settings = session->found.settings;
    struct wire *wire = &session->commit.restorer;
    struct wire_call call = restored_call(session);
    if (wire->conn) {
        return true;
    }
    bool made = connect_beside(&session->scratch, wire, err) &&
                wire_do(wire, "RESET search_path", err) && /* of CHECKs and the like */
                (!settings || wire_do(wire, settings, err)) &&
                wire_do(wire, without_limits(session->target->version), err) &&
                wire_do(wire, "SET session_replication_role = replica", err) &&
                wire_parse(wire, "pgfsm_begin", "BEGIN READ WRITE", call, err) &&
                wire_parse(wire, "pgfsm_commit", "COMMIT", call, err) &&
                wire_parse(wire, "pgfsm_since", since, call, err);
    if (!made) {
        wire_close(wire);
    }
    return made;
}

static bool put_back(struct session *session, const char *written, enum way_back way,
                     struct error *err)
{
    struct wire *wire = &session->commit.restorer;
    struct wire_call call = restored_call(session);
    struct wire_call last = {.done = note_since, .owner = session};
    bool sent =
        connect_restorer(session, err) && wire_execute(wire, "pgfsm_begin", NULL, call, err) &&
        send_part(session, written, PART_OLD_ROWS, err) &&
        (way != BACK_CATALOG ||
         (send_part(session, written, PART_CATALOG, err) && send_relations(session, err))) &&
        wait_for_large(session, written, err) && send_part(session, written, PART_NEW_ROWS, err) &&
        wire_execute(wire, "pgfsm_commit", NULL, call, err) &&
        wire_execute(wire, "pgfsm_since", NULL, last, err);
    return sent && wire_drain(wire, err);
}

/* Whether the catalog is as it was, row by row. `since`: what was asked before it was put back. */
static bool is_back(struct session *session, const char *since, bool *is, struct error *err)
{
    PGresult *result = NULL;
    bool done = find_written(session, &result, err);
    const char *written = digits(session, result);
    *is = *written && !strchr(written, '1');
    PQclear(result);
    return done && (!*is || class_is_same(session, since, is, err));
}

/* That one of them can't be vacuumed costs speed only. */
static bool vacuum(struct session *session, struct error *err)
{
    struct marked *found = &session->found;
    struct strbuf sql = {0};
    if (++found->restored < RESTORES_BEFORE_VACUUM) {
        return true;
    }
    found->restored = 0;
    for (size_t i = 0; i < found->tables.count; i++) {
        struct marked_table *table = &found->tables.items[i];
        if (table->dirty) {
            strbuf_addf(&sql, "%s%s", sql.size ? ", " : "VACUUM ", table->name);
        }
        table->dirty = false;
    }
    PGresult *result = sql.size ? wire_script(&session->wire, strbuf_text(&sql), err) : NULL;
    bool done = result || !sql.size;
    PQclear(result);
    strbuf_free(&sql);
    return done;
}

bool restore_back(struct session *session, bool *spoilt, struct error *err)
{
    struct marked *found = &session->found;
    PGresult *result = NULL;
    *spoilt = !found->restorable;
    if (*spoilt) {
        return true;
    }
    found->failed = false;
    enum way_back way = BACK_NONE;
    bool back = true;
    char since[sizeof found->since];
    memcpy(since, found->since, sizeof since);
    bool done = send_session_back(session, err) && wire_sync(&session->wire, err) &&
                find_written(session, &result, err);
    const char *written = digits(session, result);
    if (done && *written && !found->failed) {
        done = choose_way_back(session, written, &way, err);
    }
    if (done && way != BACK_NONE && strchr(written, '1')) {
        done = put_back(session, written, way, err) &&
               (way != BACK_CATALOG || is_back(session, since, &back, err)) && vacuum(session, err);
    }
    *spoilt = way == BACK_NONE || !back || found->failed;
    PQclear(result);
    return done;
}
