/*
 * What was written: the server's counts of rows that this transaction inserted, updated and
 * deleted, for the tables that invariants read, and for catalogs. Only that they differ says
 * anything: a rollback does not take them back, but a TRUNCATE does. It writes to pg_class at
 * first; what is truncated after that need not show. How the counts are found is in
 * tests/pg/test_written.c.
 */
#include "pg/session/session.h"

#include <stdio.h>
#include <string.h>

enum kinds { INSERTED = 1, UPDATED = 2, DELETED = 4, WRITTEN = 7 };

/* What is written where something is made, changed or dropped that can change what a query means,
 * or whether it may be asked, or by TRUNCATE. Whatever is made or dropped has its dependencies, but
 * a schema, a label or a member of a role. */
static const struct catalog {
    const char *name;
    enum kinds kinds;
} catalogs[] = {
    {"attribute", UPDATED},
    {"auth_members", WRITTEN},
    {"authid", WRITTEN},
    {"class", INSERTED | UPDATED},
    {"depend", INSERTED | DELETED},
    {"enum", INSERTED | UPDATED},
    {"namespace", WRITTEN},
    {"proc", UPDATED},
    {"ts_dict", UPDATED},
    {"type", UPDATED},
};

/* The sum of counts, which only a TRUNCATE takes back. */
static void add_count(struct strbuf *sql, const char *oid, enum kinds kinds)
{
    static const char *const names[] = {"inserted", "updated", "deleted"};
    const char *plus = "";
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (kinds & (1U << i)) {
            strbuf_addf(sql, "%spg_catalog.pg_stat_get_xact_tuples_%s(%s)", plus, names[i], oid);
            plus = " OPERATOR(pg_catalog.+) ";
        }
    }
}

static void add_counts(struct strbuf *sql, const struct reads *reads)
{
    char oid[80];
    strbuf_clear(sql);
    strbuf_adds(sql, "SELECT pg_catalog.current_setting('track_counts'), "
                     "pg_catalog.array_prepend(");
    for (size_t i = 0; i < sizeof catalogs / sizeof *catalogs; i++) {
        (void)snprintf(oid, sizeof oid, "'pg_catalog.pg_%s'::pg_catalog.regclass",
                       catalogs[i].name);
        strbuf_adds(sql, i ? " OPERATOR(pg_catalog.+) " : "");
        add_count(sql, oid, catalogs[i].kinds);
    }
    strbuf_adds(sql, ", ARRAY(SELECT "); /* made ready faster than an expression for each table */
    add_count(sql, "t.oid", WRITTEN);
    strbuf_adds(sql, " FROM pg_catalog.unnest('{");
    for (size_t i = 0; i < reads->tables.count; i++) {
        strbuf_addf(sql, "%s%s", i ? "," : "", reads->tables.items[i]);
    }
    strbuf_adds(sql, "}'::pg_catalog.oid[]) AS t (oid)))::pg_catalog.text");
}

bool session_prepare_written(struct session *session, struct error *err)
{
    struct reads *reads = &session->reads;
    if (!reads->invariants || reads->prepared) {
        return true;
    }
    strbuf_clear(&reads->last);
    if (!reads->changed) {
        reads->changed = ARENA_ARRAY(&reads->arena, bool, reads->tables.count);
        add_counts(&reads->sql, reads);
    }
    reads->prepared = session_prepare_own(session, FIXED_WRITTEN, strbuf_text(&reads->sql),
                                          session_fixed_call(session, FIXED_WRITTEN), err);
    return reads->prepared;
}

bool session_queue_written(struct backend *backend, backend_ticket *ticket, struct error *err)
{
    struct session *session = session_of(backend);
    struct slot *slot = flight_add(&session->flight, ticket);
    if (session->failed) {
        slot->state = SLOT_SKIPPED;
        return true;
    }
    struct wire_call call = {.done = session_arrived, .owner = session, .tag = *ticket};
    slot->item = session->wire.sent;
    slot->sent_us = clock_us();
    return session_send_fixed(session, FIXED_WRITTEN, NULL, call, err);
}

/* Goes through two lists of as many numbers: "{0,3,1}". */
static void compare(struct reads *reads, const char *text, struct backend_written *out)
{
    const char *last = strbuf_text(&reads->last);
    for (size_t i = 0; i <= reads->tables.count; i++) {
        size_t size = strcspn(++text, ",}");
        size_t old_size = strcspn(++last, ",}");
        bool differs = size != old_size || memcmp(text, last, size) != 0;
        if (i == 0) {
            out->all = differs;
        } else {
            reads->changed[i - 1] = differs;
        }
        text += size;
        last += old_size;
    }
}

bool session_take_written(struct backend *backend, backend_ticket ticket, struct arena *arena,
                          struct backend_written *out, struct error *err)
{
    struct session *session = session_of(backend);
    struct reads *reads = &session->reads;
    struct answer answer = {0};
    *out = (struct backend_written){.all = true, .tables = reads->changed};
    if (!session_take(backend, ticket, arena, &answer, err)) {
        return false;
    }
    const struct value *row = answer.row_count ? value_items(answer.rows[0]).items : NULL;
    /* After a migration, queries may read other tables. */
    if (!row || strcmp(value_cstr(row[0]), "on") != 0 || session->migrating.done) {
        strbuf_clear(&reads->last);
        return true;
    }
    const char *text = value_cstr(row[1]);
    if (reads->last.size > 0 && strcmp(strbuf_text(&reads->last), text) == 0) {
        *out = (struct backend_written){0};
    } else if (reads->last.size > 0) {
        compare(reads, text, out);
    }
    strbuf_clear(&reads->last);
    strbuf_adds(&reads->last, text);
    return true;
}
