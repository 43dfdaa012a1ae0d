/*
 * What changed in the tables, to be told. Rows are read before and after each step, behind a
 * savepoint that is rolled back, or where steps are committed in a transaction of its own, after
 * the step's COMMIT. Nothing is created, written or left behind: not a setting, not a count of what
 * was read, where the user may turn counting off.
 *
 * The server's counts of rows written say which tables to read again (written.c says what they are
 * worth), the files which were truncated. Where a table has had another file since the first call,
 * a later TRUNCATE empties that one and takes the counts back: it is read each time. So are all
 * tables where one was altered, and where steps are committed, as each has counts of its own.
 */
#include "pg/session/changed.h"

#include "pg/session/queries.h"

#include <stdlib.h>
#include <string.h>

enum { HELD_MAX = 64 << 20 /* bytes of all rows */ };

/* Columns of sql/changed/tables.sql. */
enum { OID, NAME, WHY_NOT, STATE, FILES, HAS_ROWS, COUNTS, ALTERED, SERIALIZABLE };

struct look {
    struct session *session;
    struct seen *seen;
    struct arena *arena;
    struct table_changes *out;
    bool first;
    bool all; /* counts don't say which tables to read */
};

static void forget(struct seen *seen)
{
    for (size_t i = 0; i < seen->tables.count; i++) {
        seen_rows_free(&seen->tables.items[i].rows);
    }
    arena_free(&seen->arena);
}

void session_forget_tables(struct session *session)
{
    if (session->seen) {
        forget(session->seen);
        free(session->seen);
        session->seen = NULL;
    }
}

/* Becomes the connecting user. If a policy hides rows from that user, reading raises an error. */
static bool enter(struct session *session, bool inside, struct error *err)
{
    static const char limits[] = "SET LOCAL statement_timeout = 5000; SET LOCAL lock_timeout = 300";
    static const char uncounted[] = "SET LOCAL track_counts = off";
    struct strbuf sql = {0};
    strbuf_addf(&sql, "%s%s; RESET ROLE", inside ? "SAVEPOINT pgfsm_tables" : "BEGIN READ ONLY",
                session->contexts.session_users ? "; RESET SESSION AUTHORIZATION" : "");
    bool entered = wire_do(&session->wire, strbuf_text(&sql), err) &&
                   session_set_up(session, "SET LOCAL ", err);
    strbuf_clear(&sql);
    strbuf_addf(&sql,
                "SELECT pg_catalog.set_config('pgfsm.track_counts', %s, true);"
                "SET LOCAL transaction_read_only = on; SET LOCAL row_security = off; %s",
                session->commits ? "'off'" : "pg_catalog.current_setting('track_counts')",
                session->options.clock_us ? "" : limits);
    entered = entered && wire_do(&session->wire, strbuf_text(&sql), err);
    strbuf_free(&sql);
    const char *superuser = PQparameterStatus(session->wire.conn, "is_superuser");
    if (entered && superuser && strcmp(superuser, "on") == 0) {
        return wire_do(&session->wire, uncounted, err);
    }
    session->looked = true;
    return entered;
}

/* Older servers forget the role when the session's user is reset. So the next context is sent in
 * any case. */
static bool leave(struct session *session, bool inside, struct error *err)
{
    session->contexts.doubtful |= session->contexts.session_users;
    return wire_do(&session->wire,
                   inside ? "ROLLBACK TO SAVEPOINT pgfsm_tables; RELEASE SAVEPOINT pgfsm_tables"
                          : "ROLLBACK",
                   err);
}

/* Returns true if the session can go on; *why_not then says why something could not be read. */
static bool excuse(const struct look *look, const char **why_not, struct error *err)
{
    if (look->session->wire.lost || err->code == ERROR_CONNECTION ||
        err->code == ERROR_INTERRUPTED) {
        return false;
    }
    *why_not = arena_strdup(look->arena, err->message);
    *err = (struct error){0};
    return true;
}

static void cannot_show(const struct look *look, const char *name, const char *why_not)
{
    *VEC_PUSH(look->arena, &look->out->tables) = (struct table_change){
        .name = arena_strdup(look->arena, name),
        .why_not = arena_strdup(look->arena, why_not),
    };
}

static struct seen_table *find(struct seen *seen, const char *oid, bool *added)
{
    size_t index;
    *added = !map_get_text(&seen->by_oid, oid, strlen(oid), &index);
    if (*added) {
        const char *copy = arena_strdup(&seen->arena, oid);
        index = seen->tables.count;
        (void)map_set_text(&seen->by_oid, copy, strlen(copy), index, NULL);
        VEC_PUSH(&seen->arena, &seen->tables)->oid = copy;
    }
    return &seen->tables.items[index];
}

/* Takes the table's new rows, and tells what differs, unless the old rows are not known. */
static void replace(const struct look *look, struct seen_table *table, struct seen_rows *rows)
{
    size_t count = (size_t)PQntuples(rows->result);
    rows->since = count ? memory_alloc(count * sizeof *rows->since) : NULL;
    for (size_t i = 0; i < count; i++) {
        rows->since[i] = look->seen->calls;
    }
    if (table->hidden) {
        cannot_show(look, table->name, "it could not be read before");
    } else {
        seen_compare(look->session, table, rows, look->arena, look->out);
    }
    table->hidden = false;
    seen_rows_free(&table->rows);
    table->rows = *rows;
}

static void hide(const struct look *look, struct seen_table *table, const char *why_not)
{
    seen_rows_free(&table->rows);
    table->hidden = true;
    if (!look->first) {
        cannot_show(look, table->name, why_not);
    }
}

static size_t bytes_held(const struct seen *seen)
{
    size_t bytes = 0;
    for (size_t i = 0; i < seen->tables.count; i++) {
        const PGresult *result = seen->tables.items[i].rows.result;
        bytes += result ? PQresultMemorySize(result) : 0;
    }
    return bytes;
}

static bool is_in_key(const char *key, size_t column)
{
    bool is_in = false;
    while (*key && !is_in) {
        char *end;
        is_in = strtoul(key, &end, 10) == column;
        key = end;
    }
    return is_in;
}

static bool read_columns(const struct look *look, const struct seen_table *table,
                         struct seen_rows *rows, struct error *err)
{
    if (!session_learn_types(look->session, rows->result, err)) {
        return false;
    }
    struct arena *arena = &look->seen->arena;
    rows->column_count = (size_t)(PQnfields(rows->result) - FIRST_VALUE) / 2;
    struct answer_column *columns = ARENA_ARRAY(arena, struct answer_column, rows->column_count);
    const char *number = rows->numbers;
    uint32_t oid = (uint32_t)strtoul(table->oid, NULL, 10);
    for (size_t i = 0; i < rows->column_count; i++) {
        columns[i] = result_column(look->session, rows->result, FIRST_VALUE + 2 * (int)i, arena);
        columns[i].origin = session_origin(look->session, oid, atoi(number));
        columns[i].no_id =
            !is_in_key(rows->key, i) && columns[i].origin == session_column(oid, atoi(number));
        number += strcspn(number, " ") + 1;
    }
    rows->columns = columns;
    return true;
}

/* `how`: a row of sql/changed/rows.sql. */
static bool read_table(const struct look *look, struct seen_table *table, const PGresult *how,
                       int row, struct error *err)
{
    struct arena *arena = &look->seen->arena;
    struct seen_rows rows = {
        .numbers = arena_strdup(arena, PQgetvalue(how, row, 1)),
        .key = arena_strdup(arena, PQgetvalue(how, row, 2)),
    };
    const char *why_not = "too large";
    if (bytes_held(look->seen) > HELD_MAX) {
        hide(look, table, why_not);
        return true;
    }
    rows.result = session_query(look->session, PQgetvalue(how, row, 3), NULL, err);
    if (rows.result && read_columns(look, table, &rows, err)) {
        replace(look, table, &rows);
        return true;
    }
    seen_rows_free(&rows);
    if (!excuse(look, &why_not, err)) {
        return false;
    }
    hide(look, table, why_not);
    return true;
}

static bool read_all(const struct look *look, struct text_array *oids, struct error *err)
{
    PGresult *how = session_ask_texts(look->session, query_changed_rows, oids, 1, err);
    bool ok = how != NULL;
    for (int i = 0; ok && i < PQntuples(how); i++) {
        bool added;
        struct seen_table *table = find(look->seen, PQgetvalue(how, i, 0), &added);
        ok = read_table(look, table, how, i, err);
    }
    PQclear(how);
    return ok;
}

/* Notes the state of a table. Adds it to the tables to read, if its rows may differ. */
static void look_at(const struct look *look, const PGresult *tables, int row,
                    struct text_array *reading)
{
    struct arena *arena = &look->seen->arena;
    bool added;
    const char *state = PQgetvalue(tables, row, STATE);
    const char *files = PQgetvalue(tables, row, FILES);
    const char *oid = PQgetvalue(tables, row, OID);
    struct seen_table *table = find(look->seen, oid, &added);
    bool written = added || strcmp(table->state, state) != 0;
    bool may_differ = written || look->all || strcmp(table->files, files) != 0;
    table->there = true;
    /* a table that a step made can be truncated in place, which neither counts nor files show */
    table->files = !added ? table->files : look->first ? arena_strdup(arena, files) : "";
    if (!may_differ) {
        return;
    }
    table->name = arena_strdup(arena, PQgetvalue(tables, row, NAME));
    table->state = arena_strdup(arena, state);
    if (*PQgetvalue(tables, row, HAS_ROWS) != 't') {
        struct seen_rows none = {0};
        replace(look, table, &none);
    } else if (PQgetisnull(tables, row, WHY_NOT)) {
        text_array_add(reading, oid, strlen(oid));
    } else if (written) {
        hide(look, table, PQgetvalue(tables, row, WHY_NOT));
    }
}

static void note_dropped(const struct look *look)
{
    for (size_t i = 0; i < look->seen->tables.count; i++) {
        struct seen_table *table = &look->seen->tables.items[i];
        if (!table->there && !table->hidden) {
            struct seen_rows none = {0};
            replace(look, table, &none);
        }
    }
}

static bool look_at_all(struct look *look, const PGresult *tables, struct error *err)
{
    struct seen *seen = look->seen;
    struct text_array reading = {0};
    if (PQntuples(tables) > 0) {
        const char *altered = PQgetvalue(tables, 0, ALTERED);
        look->all = *PQgetvalue(tables, 0, COUNTS) != 't' || !seen->altered ||
                    strcmp(seen->altered, altered) != 0;
        seen->altered = arena_strdup(&seen->arena, altered);
    }
    for (size_t i = 0; i < seen->tables.count; i++) {
        seen->tables.items[i].there = false;
    }
    for (int i = 0; i < PQntuples(tables); i++) {
        look_at(look, tables, i, &reading);
    }
    note_dropped(look);
    return read_all(look, &reading, err);
}

static bool look_around(struct look *look, struct error *err)
{
    PGresult *tables = session_query(look->session, query_changed_tables, NULL, err);
    bool ok = tables != NULL;
    if (PQntuples(tables) > 0 && *PQgetvalue(tables, 0, SERIALIZABLE) == 't') {
        look->out->why_not = "the transaction is serializable, and takes note of what is read";
    } else {
        ok = ok && look_at_all(look, tables, err);
    }
    PQclear(tables);
    if (!ok) {
        look->seen->altered = NULL; /* the next call looks at all again */
    }
    return ok || excuse(look, &look->out->why_not, err);
}

static int by_name(const void *a, const void *b)
{
    const struct table_change *left = a;
    const struct table_change *right = b;
    return strcmp(left->name, right->name);
}

bool session_tables(struct backend *backend, struct arena *arena, struct table_changes *out,
                    struct error *err)
{
    struct session *session = session_of(backend);
    struct look look = {.session = session, .arena = arena, .out = out, .first = !session->seen};
    *out = (struct table_changes){0};
    if (!wire_drain(&session->wire, err)) {
        return false;
    }
    PGTransactionStatusType status = PQtransactionStatus(session->wire.conn);
    bool inside = status == PQTRANS_INTRANS;
    if (session->failed || session->broken.known || (!inside && status != PQTRANS_IDLE)) {
        return true;
    }
    if (!session->seen) {
        session->seen = memory_alloc(sizeof *session->seen);
        *session->seen = (struct seen){0};
    }
    look.seen = session->seen;
    look.seen->by_oid.arena = &look.seen->arena;
    bool looked =
        enter(session, inside, err) ? look_around(&look, err) : excuse(&look, &out->why_not, err);
    look.seen->calls++;
    if (out->tables.count > 0) {
        qsort(out->tables.items, out->tables.count, sizeof *out->tables.items, by_name);
    }
    return looked && leave(session, inside, err);
}
