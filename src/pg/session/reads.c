/*
 * What invariants, or relations, read: the tables whose rows decide what their queries answer, or
 * everything.
 *
 * A query's plan does not tell, as a function that is called IMMUTABLE is run while it is made.
 * What tells is the query as the parser leaves it, which the server keeps for the body of a
 * function in SQL. So each query becomes the body of a function that is made and rolled back, and
 * nothing of it runs. Bodies that are stored as texts are parsed in the same way, with the rights
 * and the search_path that they would have. Such a text may hold anything: it goes by the extended
 * protocol, which takes one statement, so that the text can't end the function and go on.
 */
#include "base/hash.h"
#include "base/strbuf.h"
#include "pg/session/queries.h"
#include "pg/session/session.h"

#include <stdlib.h>
#include <string.h>

/* Whose search path a body's names are looked up with; NULL: the session's. */
struct looking {
    const char *session_user;
    const char *role;
    const char *path;
};

/* A query, or a function that one calls. */
struct reading {
    const char *function; /* its OID; NULL: a query */
    const char *body;     /* that is known already, as the parser leaves it; or NULL */
    const char *sql;      /* that makes a function of it; NULL: its body is stored parsed */
    struct looking caller;
    struct looking looking; /* its own, or the caller's */
    PGresult *parsed;       /* one value; or why the server refuses it */
    const char *all;        /* why it reads everything; NULL: it does not */
    VEC(size_t) tables;     /* numbers of the reader's */
    VEC(size_t) calls;      /* functions, which are readings, too */
    size_t seen_by;         /* 1 + the invariant that it was last collected for */
};

struct numbers {
    size_t *items;
    size_t count;
    size_t capacity;
};

struct reader {
    struct session *session;
    struct arena *arena;
    VEC(struct reading) items;
    VEC(const char *) tables; /* OIDs */
    size_t count;             /* of invariants or relations */
    struct numbers *queries;  /* by them: their readings */
};

static bool same_text(const char *a, const char *b) { return a == b || (a && b && !strcmp(a, b)); }

static bool same_looking(const struct looking *a, const struct looking *b)
{
    return same_text(a->session_user, b->session_user) && same_text(a->role, b->role) &&
           same_text(a->path, b->path);
}

static size_t add_function(struct reader *reader, const char *oid, struct looking caller)
{
    for (size_t i = 0; i < reader->items.count; i++) {
        const struct reading *item = &reader->items.items[i];
        if (same_text(item->function, oid) && same_looking(&item->caller, &caller)) {
            return i;
        }
    }
    *VEC_PUSH(reader->arena, &reader->items) = (struct reading){
        .function = arena_strdup(reader->arena, oid), .caller = caller, .looking = caller};
    return reader->items.count - 1;
}

static size_t add_table(struct reader *reader, const char *oid)
{
    for (size_t i = 0; i < reader->tables.count; i++) {
        if (strcmp(reader->tables.items[i], oid) == 0) {
            return i;
        }
    }
    *VEC_PUSH(reader->arena, &reader->tables) = arena_strdup(reader->arena, oid);
    return reader->tables.count - 1;
}

/* The types of a statement's parameters, as SQL. */
static bool type_names(const struct reader *reader, const struct statement *statement,
                       struct strbuf *out, struct error *err)
{
    struct text_array oids = {0};
    for (size_t i = 0; i < statement->param_count; i++) {
        const char *oid = arena_printf(reader->arena, "%u", statement->params[i]);
        text_array_add(&oids, oid, strlen(oid));
    }
    PGresult *result = session_ask_texts(reader->session, query_reads_types, &oids, 1, err);
    for (int i = 0; result && i < PQntuples(result); i++) {
        strbuf_addf(out, "%s%s", i ? ", " : "", PQgetvalue(result, i, 0));
    }
    PQclear(result);
    return result != NULL;
}

/* The prepared statement of an invariant's, or NULL: who runs it or what its names mean is known
 * only then, or the server refuses it as things stand. */
static const struct statement *prepared(struct session *session, const struct machine_statement *of,
                                        struct actor *actor)
{
    const struct use use = {.sql = of->sql, .context = of->context};
    if (!use_actor(&use, actor) || (of->context && context_changes_names(of->context))) {
        return NULL;
    }
    size_t index = statements_actor(&session->statements, actor);
    struct statement *statement = statements_get(&session->statements, of->sql, index);
    statement = statements_in_schema(&session->statements, statement, session->schema);
    return statement->state == STATEMENT_PREPARED ? statement : NULL;
}

static bool add_query(struct reader *reader, size_t invariant, const struct machine_statement *of,
                      struct error *err)
{
    struct actor actor;
    struct strbuf sql = {0};
    const struct statement *statement = prepared(reader->session, of, &actor);
    *VEC_PUSH(reader->arena, &reader->queries[invariant]) = reader->items.count;
    struct reading *item = VEC_PUSH(reader->arena, &reader->items);
    *item = (struct reading){
        .all = statement ? NULL : "who asks it, or what its names mean, is known only then",
        .looking = {.session_user = actor.session_user, .role = actor.role}};
    if (!statement) {
        return true;
    }
    const struct statement_sink sink = {.text = &sql};
    strbuf_adds(&sql, "CREATE FUNCTION pg_temp.pgfsm_reads(");
    bool done = type_names(reader, statement, &sql, err);
    strbuf_adds(&sql, ") RETURNS SETOF pg_catalog.record LANGUAGE sql BEGIN ATOMIC ");
    done = done && statement_text(of->sql, NULL, &sink, err);
    strbuf_adds(&sql, "\n; END");
    item->sql = strbuf_copy(&sql, reader->arena);
    strbuf_free(&sql);
    return done;
}

static bool add_queries(struct reader *reader, struct error *err)
{
    const struct machine *machine = reader->session->machine;
    for (size_t i = 0; i < machine->invariants.count; i++) {
        const struct invariant *invariant = &machine->invariants.items[i];
        for (size_t j = 0; j < invariant->statements.count; j++) {
            if (!add_query(reader, i, &invariant->statements.items[j], err)) {
                return false;
            }
        }
    }
    return true;
}

/* What a query reads that names nothing else. */
static bool add_relations(struct reader *reader, const struct backend_relations *relations)
{
    for (size_t i = 0; i < relations->items.count; i++) {
        *VEC_PUSH(reader->arena, &reader->queries[i]) = reader->items.count;
        *VEC_PUSH(reader->arena, &reader->items) = (struct reading){
            .body = arena_printf(reader->arena, " :relid %s", relations->items.items[i].id)};
    }
    return true;
}

/* In a segment and a savepoint of its own: what it makes and sets is gone behind it. */
static bool send_parse(struct session *session, struct reading *item, struct error *err)
{
    static const char query_parsed[] =
        "SELECT prosqlbody::pg_catalog.text FROM pg_catalog.pg_proc WHERE proname "
        "OPERATOR(pg_catalog.=) 'pgfsm_reads' AND pronamespace OPERATOR(pg_catalog.=) "
        "pg_catalog.pg_my_temp_schema()";
    static const char query_set[] = "SELECT pg_catalog.set_config($1, $2, true)";
    const struct wire_call call = {.done = wire_keep, .owner = &item->parsed};
    const char *const settings[][2] = {{"session_authorization", item->looking.session_user},
                                       {"role", item->looking.role},
                                       {"search_path", item->looking.path}};
    bool sent = session_fixed(session, FIXED_TRY, err);
    for (size_t i = 0; i < sizeof settings / sizeof *settings && sent; i++) {
        const struct wire_params params = {.count = 2, .values = settings[i]};
        sent = !settings[i][1] || wire_run(&session->wire, query_set, &params, call, err);
    }
    return sent && wire_run(&session->wire, item->sql, NULL, call, err) &&
           wire_run(&session->wire, query_parsed, NULL, call, err) &&
           wire_sync(&session->wire, err) && session_fixed(session, FIXED_TRY_BACK, err) &&
           session_fixed(session, FIXED_TRY_DONE, err);
}

/* Readings of which the server is asked at once. */
struct page {
    size_t first;
    size_t end; /* behind the last */
};

/* How the functions among them are made. */
static bool define(struct reader *reader, struct page page, struct error *err)
{
    struct text_array oids = {0};
    int row = 0;
    for (size_t i = page.first; i < page.end; i++) {
        const char *oid = reader->items.items[i].function;
        if (oid) {
            text_array_add(&oids, oid, strlen(oid));
        }
    }
    PGresult *result = session_ask_texts(reader->session, query_reads_definition, &oids, 1, err);
    for (size_t i = page.first; result && i < page.end; i++) {
        struct reading *item = &reader->items.items[i];
        const char *values[4] = {0};
        if (!item->function || row >= PQntuples(result)) {
            item->all = item->function ? "it calls a function that is gone" : item->all;
            continue;
        }
        for (int j = 0; j < 4; j++) {
            values[j] = PQgetisnull(result, row, j)
                            ? NULL
                            : arena_strdup(reader->arena, PQgetvalue(result, row, j));
        }
        row++;
        item->sql = values[1];
        if (values[2]) {
            item->looking.session_user = NULL;
            item->looking.role = values[2];
        }
        item->looking.path = values[3] ? values[3] : item->looking.path;
    }
    PQclear(result);
    return result != NULL;
}

static bool is_parsed(const struct reading *item)
{
    return PQntuples(item->parsed) == 1 && !PQgetisnull(item->parsed, 0, 0);
}

/* Has the server parse what is not stored parsed. */
static bool parse(struct reader *reader, struct page page, struct error *err)
{
    struct session *session = reader->session;
    bool done = session_settle(session, err) && session_context(session, NULL, err);
    for (size_t i = page.first; i < page.end && done; i++) {
        struct reading *item = &reader->items.items[i];
        done = item->all || !item->sql || send_parse(session, item, err);
    }
    done = done && wire_drain(&session->wire, err);
    for (size_t i = page.first; i < page.end && done; i++) {
        struct reading *item = &reader->items.items[i];
        if (!item->all && item->sql && !is_parsed(item)) {
            item->all = "the server can't say what it reads before it is asked";
        }
    }
    return done;
}

/* Notes what one row of the answer says of a reading. */
static void note_read(struct reader *reader, const PGresult *result, int row, size_t number)
{
    const char *kind = PQgetvalue(result, row, 1);
    const char *oid = PQgetvalue(result, row, 2);
    if (strcmp(kind, "table") == 0) {
        *VEC_PUSH(reader->arena, &reader->items.items[number].tables) = add_table(reader, oid);
    } else if (strcmp(kind, "function") == 0) {
        size_t called = add_function(reader, oid, reader->items.items[number].looking);
        *VEC_PUSH(reader->arena, &reader->items.items[number].calls) = called;
    } else if (!reader->items.items[number].all) {
        reader->items.items[number].all = arena_strdup(reader->arena, PQgetvalue(result, row, 3));
    }
}

/* Has the server say what their bodies name. */
static bool read_page(struct reader *reader, struct page page, struct error *err)
{
    struct text_array columns[2] = {0};
    for (size_t i = page.first; i < page.end; i++) {
        const struct reading *item = &reader->items.items[i];
        bool parsed = item->sql && !item->all;
        const char *body = item->body ? item->body : parsed ? PQgetvalue(item->parsed, 0, 0) : "";
        const char *oid = item->function && !item->all ? item->function : "0";
        text_array_add(&columns[0], body, strlen(body));
        text_array_add(&columns[1], oid, strlen(oid));
    }
    PGresult *result = session_ask_texts(reader->session, query_reads_body, columns, 2, err);
    for (int i = 0; result && i < PQntuples(result); i++) {
        size_t number = page.first + (size_t)strtoull(PQgetvalue(result, i, 0), NULL, 10) - 1;
        note_read(reader, result, i, number);
    }
    PQclear(result);
    return result != NULL;
}

static void forget_parsed(struct reader *reader, struct page page)
{
    for (size_t i = page.first; i < page.end; i++) {
        PQclear(reader->items.items[i].parsed);
        reader->items.items[i].parsed = NULL;
    }
}

static bool read_all(struct reader *reader, const struct backend_relations *relations,
                     struct error *err)
{
    enum { FUNCTIONS_MAX = 1000, PAGE = 100 };
    bool done = relations ? add_relations(reader, relations) : add_queries(reader, err);
    size_t queries = reader->items.count;
    for (struct page page = {0}; done && page.first < reader->items.count; page.first = page.end) {
        size_t left = reader->items.count - page.first;
        page.end = page.first + (left < PAGE ? left : PAGE);
        done =
            define(reader, page, err) && parse(reader, page, err) && read_page(reader, page, err);
        forget_parsed(reader, page);
        for (size_t i = page.end;
             reader->items.count - queries > FUNCTIONS_MAX && i < reader->items.count; i++) {
            reader->items.items[i].all = "it calls too many functions";
        }
    }
    return done;
}

/* Collects what a reading and all that it calls read. */
static void collect(struct reader *reader, size_t number, size_t invariant,
                    struct invariant_reads *out)
{
    struct reading *item = &reader->items.items[number];
    if (item->seen_by == invariant + 1 || out->all) {
        return;
    }
    item->seen_by = invariant + 1;
    out->all = item->all ? arena_strdup(&reader->session->reads.arena, item->all) : NULL;
    for (size_t i = 0; i < item->tables.count; i++) {
        *VEC_PUSH(&reader->session->reads.arena, &out->tables) = item->tables.items[i];
    }
    for (size_t i = 0; i < item->calls.count; i++) {
        collect(reader, item->calls.items[i], invariant, out);
    }
}

static void publish(struct reader *reader)
{
    struct reads *reads = &reader->session->reads;
    struct invariant_reads *all = ARENA_ARRAY(&reads->arena, struct invariant_reads, reader->count);
    for (size_t i = 0; i < reader->count; i++) {
        for (size_t j = 0; j < reader->queries[i].count; j++) {
            collect(reader, reader->queries[i].items[j], i, &all[i]);
        }
    }
    for (size_t i = 0; i < reader->tables.count; i++) {
        *VEC_PUSH(&reads->arena, &reads->tables) =
            arena_strdup(&reads->arena, reader->tables.items[i]);
    }
    reads->invariants = all;
}

/* Why no invariant can be left out. */
static bool find_reason(struct session *session, struct arena *arena, const char **out,
                        struct error *err)
{
    *out = session->contexts.changed ? "SQL under test may change settings" : NULL;
    return *out || (session_settle(session, err) &&
                    session_value(session, query_reads_any, NULL, arena, out, err));
}

static bool find_reads(struct session *session, const struct backend_relations *relations,
                       struct error *err)
{
    struct arena arena = {0};
    struct reader reader = {
        .session = session,
        .arena = &arena,
        .count = relations ? relations->items.count : session->machine->invariants.count,
    };
    const char *reason;
    struct arena kept = session->reads.arena;
    arena_reset(&kept);
    if (session->reads.prepared && !session->deallocated &&
        !session_own(session, "DEALLOCATE pgfsm_written", err)) {
        return false;
    }
    session->reads =
        (struct reads){.arena = kept, .sql = session->reads.sql, .last = session->reads.last};
    reader.queries = ARENA_ARRAY(&arena, struct numbers, reader.count);
    bool done = find_reason(session, &arena, &reason, err);
    if (done && !reason) {
        done = read_all(&reader, relations, err);
    }
    if (done && !reason) {
        publish(&reader);
    }
    session->reads.all = done && reason ? arena_strdup(&session->reads.arena, reason) : NULL;
    arena_free(&arena);
    if (!done && err->code == ERROR_SERVER) { /* its query is rolled back, so nothing is known */
        done = true;
        session->reads.invariants = NULL;
        session->reads.tables.count = 0;
    }
    session->reads.known = done;
    return done;
}

/* Whether the tables are those that were found: what runs before the mark may have made them anew.
 */
static bool are_there(struct session *session, bool *out, struct error *err)
{
    struct text_array oids = {0};
    const struct reads *reads = &session->reads;
    for (size_t i = 0; i < reads->tables.count; i++) {
        text_array_add(&oids, reads->tables.items[i], strlen(reads->tables.items[i]));
    }
    PGresult *result = session_ask_texts(session,
                                         "SELECT pg_catalog.count(*) FROM pg_catalog.pg_class "
                                         "WHERE oid = ANY ($1::pg_catalog.oid[])",
                                         &oids, 1, err);
    *out = result && strtoull(PQgetvalue(result, 0, 0), NULL, 10) == reads->tables.count;
    PQclear(result);
    return result != NULL;
}

static bool find_out(struct session *session, const struct backend_relations *relations,
                     struct backend_reads *out, struct error *err)
{
    struct reads *reads = &session->reads;
    bool there = false;
    bool done = !reads->known || session->loads || are_there(session, &there, err);
    done = done && (there || find_reads(session, relations, err)) &&
           session_prepare_written(session, err);
    *out = (struct backend_reads){reads->invariants, reads->all, reads->tables.count};
    return done;
}

bool session_reads(struct backend *backend, struct backend_reads *out, struct error *err)
{
    return find_out(session_of(backend), NULL, out, err);
}

/* The same relations as when it was last asked, or it is found out again. To the end: the server
 * counts the time until the next message as that of a statement that is not run yet. */
bool session_watch(struct backend *backend, const struct backend_relations *relations,
                   struct backend_reads *out, struct error *err)
{
    struct session *session = session_of(backend);
    uint64_t hash = 0;
    for (size_t i = 0; i < relations->items.count; i++) {
        hash = hash_mix(hash + hash_text(relations->items.items[i].id));
    }
    session->reads.known = session->reads.known && session->reads.watched == hash;
    bool done = find_out(session, relations, out, err) && wire_drain(&session->wire, err);
    session->reads.watched = hash;
    return done;
}
