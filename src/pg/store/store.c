#include "pg/store/store.h"

#include "pg/own.h"
#include "pg/session/queries.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    LEASE_S = 10,        /* server's clock */
    RENEW_MS = 3000,     /* after this much of it */
    TICK_MS = 200,       /* that the run waits for a store at most */
    LEAVE_MS = 2000,     /* that it waits at its end */
    PATIENCE_MS = 30000, /* until a store that went away is given up, without --wait */
    ANSWER_MS = 30000,   /* until a server is taken for one that went away */
    NAP_MS = 100,
    TRIES = 3,
    LOADED_MAX = 100, /* failures that a run repeats */
    CHUNKS_MAX = 256, /* of a run */
    VERSION = 1,      /* of the tables */
    HOLDER_MAX = 160,
    LOCK = 0x7067666d, /* of the advisory lock for making them: "pgfm" */
};

static const char *const migrations[VERSION] = {query_store_migration_1};

/* A failure or a chunk that this process has. */
struct held {
    const char *sql; /* renews it */
    const char *give_back;
    const char *texts[2];
    int64_t epoch;
    struct held *next;
};

struct pg_store {
    struct arena arena; /* of the address, and of what is held */
    struct address address;
    struct hooks hooks;
    const struct hooks *user;
    int64_t wait_ms;
    int64_t until_ms; /* when the call under way is given up */
    int64_t renewed_ms;
    struct wire wire;
    bool open;
    bool lost; /* for good */
    struct error why;
    char holder[HOLDER_MAX];
    struct held *held;
    pthread_mutex_t lock;
};

bool pg_store_is_url(const char *text)
{
    return strncmp(text, "postgres://", 11) == 0 || strncmp(text, "postgresql://", 13) == 0;
}

/* A server that does not answer is given up; the user's interrupt ends the wait. */
static bool on_interrupted(void *host)
{
    const struct pg_store *store = host;
    return clock_ms() >= store->until_ms || interrupt_wanted(store->user);
}

/* Tries until the deadline (0: once), and is given up at `until_ms`. */
static bool connect(struct pg_store *store, int64_t deadline_ms, int64_t until_ms,
                    struct error *err)
{
    const struct connect_request request = {.address = &store->address,
                                            .application = "pgfsm store",
                                            .deadline_ms = deadline_ms,
                                            .nap_ms = NAP_MS,
                                            .hooks = &store->hooks};
    store->until_ms = until_ms;
    if (!own_connect(&request, &store->wire, err)) {
        return false;
    }
    store->open = wire_do(&store->wire,
                          "SET default_transaction_isolation = 'read committed'; "
                          "SET default_transaction_read_only = off; "
                          "SET client_min_messages = warning; SET lock_timeout = '20s'",
                          err) &&
                  wire_do(&store->wire, without_limits(PQserverVersion(store->wire.conn)), err);
    if (!store->open) {
        wire_close(&store->wire);
    }
    return store->open;
}

static void disconnect(struct pg_store *store)
{
    if (store->open) {
        wire_close(&store->wire);
    }
    store->open = false;
}

/* Whether the same call may succeed if it is sent again. */
static bool is_passing(const struct error *err)
{
    static const char *const states[] = {
        "40001", "40P01", "55P03", /* serialization, deadlock, lock_timeout */
        "57P01", "57P02", "57P03", /* the server stops or starts */
        "53300",                   /* too many connections */
    };
    bool passing = err->code == ERROR_CONNECTION;
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        passing = passing || strcmp(err->sqlstate, states[i]) == 0;
    }
    return passing;
}

static bool explain(struct error *err)
{
    static const char wait[] = "--wait 30s waits for a server that is starting";
    if (strcmp(err->sqlstate, "42501") == 0) { /* insufficient_privilege */
        (void)error_hint(err, "docs/STORE.md says which rights the role of a store needs");
    } else if (strncmp(err->hint, wait, strlen(wait)) == 0) { /* no other server takes its place */
        (void)error_hint(err, "%s", wait);
    }
    return error_context(err, "the store");
}

static int64_t patience(const struct pg_store *store)
{
    return store->wait_ms > 0 ? store->wait_ms : PATIENCE_MS;
}

/* Sends a statement until it is answered. Expects the lock. NULL with err. */
static PGresult *ask(struct pg_store *store, const char *sql, const char *const *values, int count,
                     struct error *err)
{
    const struct wire_params params = {.count = count, .values = values};
    int64_t deadline = clock_ms() + patience(store);
    for (unsigned i = 0;; i++) {
        PGresult *result = NULL;
        *err = (struct error){0};
        if (store->lost) {
            *err = store->why;
            return NULL;
        }
        if (store->open || connect(store, deadline, deadline + ANSWER_MS, err)) {
            store->until_ms = clock_ms() + ANSWER_MS;
            result = wire_query_ok(&store->wire, sql, &params, err);
        }
        if (result) {
            return result;
        }
        if (interrupt_wanted(store->user)) {
            disconnect(store);
            (void)error_interrupted(err);
            return NULL;
        }
        if (err->code == ERROR_INTERRUPTED) { /* by the deadline */
            (void)error_set(err, ERROR_CONNECTION, "the server does not answer");
        }
        if (err->code == ERROR_CONNECTION) {
            disconnect(store);
        }
        if (!is_passing(err) || i + 1 >= TRIES || clock_ms() >= deadline) {
            (void)explain(err);
            store->lost = err->code == ERROR_CONNECTION;
            store->why = *err;
            return NULL;
        }
    }
}

static const char *number_text(char *out, size_t size, int64_t number)
{
    (void)snprintf(out, size, "%" PRId64, number);
    return out;
}

static int64_t number_at(const PGresult *result, int row, int column)
{
    return strtoll(PQgetvalue(result, row, column), NULL, 10);
}

/* "": it is NULL, too. */
static const char *text_at(const PGresult *result, int row, int column, struct arena *arena)
{
    return arena_strndup(arena, PQgetvalue(result, row, column),
                         (size_t)PQgetlength(result, row, column));
}

/* A holder's name, which is shown: it may come from anybody. */
static const char *holder_at(const PGresult *result, int row, int column, struct arena *arena)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_., ";
    const char *text = text_at(result, row, column, arena);
    return *text && text[strspn(text, allowed)] == '\0' && strlen(text) < HOLDER_MAX ? text : NULL;
}

/* --- the tables --- */

/* Of what query_store_version returns. */
static bool is_usable(const PGresult *result, struct error *err)
{
    enum { ENCODING = 1, ODD, THEIRS, LACKS, GRANTS };
    if (strcmp(PQgetvalue(result, 0, ENCODING), "UTF8") != 0) {
        (void)error_set(err, ERROR_USAGE, "the store: its database has the encoding %s",
                        PQgetvalue(result, 0, ENCODING));
        return error_hint(err, "create it with ENCODING 'UTF8' TEMPLATE template0");
    }
    if (!PQgetisnull(result, 0, THEIRS)) {
        (void)error_set(err, ERROR_USAGE,
                        "the store: the schema pgfsm of its database is somebody else's: it has "
                        "%s, and not the tables that pgfsm makes (chunk, failure, run, version)",
                        PQgetvalue(result, 0, THEIRS));
        return error_hint(err, "name another database: the schema of a store always has this name");
    }
    if (!PQgetisnull(result, 0, ODD)) {
        (void)error_set(err, ERROR_USAGE,
                        "the store: the schema pgfsm is not as pgfsm made it, and may run code of "
                        "others: %s",
                        PQgetvalue(result, 0, ODD));
        return error_hint(err, "name another database, or have the schema removed");
    }
    if (*PQgetvalue(result, 0, LACKS) == '\0') {
        return true;
    }
    (void)error_set(err, ERROR_USAGE, "the store: the role lacks rights: %s",
                    PQgetvalue(result, 0, LACKS));
    return PQgetisnull(result, 0, GRANTS)
               ? error_hint(err,
                            "a role that may make the tables has to connect first; docs/STORE.md"
                            " says which rights others need then")
               : error_hint(err, "as the owner of the tables: %s", PQgetvalue(result, 0, GRANTS));
}

static bool newest(struct pg_store *store, int64_t *out, struct error *err)
{
    PGresult *result = ask(store, query_store_version, NULL, 0, err);
    if (!result) {
        return false;
    }
    bool there = number_at(result, 0, 0) > 0;
    bool usable = is_usable(result, err);
    PQclear(result);
    *out = 0;
    if (!usable || !there) {
        return usable;
    }
    result = ask(store, query_store_newest, NULL, 0, err);
    *out = result ? number_at(result, 0, 0) : 0;
    PQclear(result);
    return result != NULL;
}

static bool migrate(struct pg_store *store, struct error *err)
{
    char begin[160];
    int64_t version = 0;
    (void)snprintf(begin, sizeof begin, "BEGIN; SELECT pg_catalog.pg_advisory_xact_lock(%d)", LOCK);
    store->until_ms = clock_ms() + ANSWER_MS;
    bool ok = wire_do(&store->wire, begin, err) && newest(store, &version, err);
    for (int64_t i = version; ok && i < VERSION; i++) {
        ok = wire_do(&store->wire, migrations[i], err);
    }
    if (ok) {
        ok = wire_do(&store->wire, "COMMIT", err);
    } else {
        struct error ignored;
        (void)wire_do(&store->wire, "ROLLBACK", &ignored);
    }
    return ok || explain(err);
}

static bool prepare(struct pg_store *store, struct error *err)
{
    int64_t version;
    if (!newest(store, &version, err)) {
        return false;
    }
    if (version > VERSION) {
        (void)error_set(err, ERROR_USAGE,
                        "the store: its tables are of version %" PRId64 ", and this pgfsm knows %d",
                        version, VERSION);
        return error_hint(err, "a newer pgfsm has made them: use that one, or another database");
    }
    return version == VERSION || migrate(store, err);
}

bool pg_store_open(struct pg_store **out, const struct pg_store_options *options, struct error *err)
{
    struct pg_store *store = memory_alloc(sizeof *store);
    char host[64] = "";
    *out = NULL;
    *store = (struct pg_store){.user = options->hooks, .wait_ms = options->wait_ms};
    store->hooks = (struct hooks){.interrupted = on_interrupted, .host = store};
    (void)pthread_mutex_init(&store->lock, NULL);
    (void)gethostname(host, sizeof host - 1);
    (void)snprintf(store->holder, sizeof store->holder, "%s, process %ld", *host ? host : "unnamed",
                   (long)getpid());
    const struct pg_options address = {.dbname = options->url};
    bool ok = address_of_options(&address, &store->arena, &store->address, err);
    if (ok) {
        int64_t deadline = clock_ms() + options->wait_ms;
        ok = connect(store, deadline, deadline + ANSWER_MS, err) || explain(err);
    }
    ok = ok && prepare(store, err);
    if (!ok) {
        pg_store_close(store);
        return false;
    }
    *out = store;
    return true;
}

/* --- leases --- */

static struct held **find_held(struct pg_store *store, const char *sql, const char *one,
                               const char *other)
{
    struct held **at = &store->held;
    while (*at && ((*at)->sql != sql || strcmp((*at)->texts[0], one) != 0 ||
                   strcmp((*at)->texts[1], other) != 0)) {
        at = &(*at)->next;
    }
    return at;
}

static void let_go(struct pg_store *store, const char *sql, const char *one, const char *other)
{
    struct held **at = find_held(store, sql, one, other);
    *at = *at ? (*at)->next : NULL;
}

static void hold(struct pg_store *store, const char *sql, const char *give_back, const char *one,
                 const char *other, int64_t epoch)
{
    struct arena *arena = &store->arena;
    struct held *held = ARENA_NEW(arena, struct held);
    let_go(store, sql, one, other);
    *held = (struct held){.sql = sql,
                          .give_back = give_back,
                          .texts = {arena_strdup(arena, one), arena_strdup(arena, other)},
                          .epoch = epoch,
                          .next = store->held};
    store->held = held;
}

static bool is_failure(const struct held *held) { return held->sql == query_store_renew_failure; }

/* Sends a statement, and waits for no answer. */
static bool tell(struct pg_store *store, const char *sql, const char *const *values, int count,
                 struct error *err)
{
    const struct wire_params params = {.count = count, .values = values};
    return wire_run(&store->wire, sql, &params, (struct wire_call){0}, err) &&
           wire_sync(&store->wire, err);
}

/* If that fails, its lease ends by itself. */
static void give_back(struct pg_store *store, const struct held *held)
{
    char epoch[32];
    const char *values[] = {held->texts[0], held->texts[1],
                            number_text(epoch, sizeof epoch, held->epoch), store->holder};
    struct error ignored = {0};
    (void)(store->open && tell(store, held->give_back, values, is_failure(held) ? 4 : 3, &ignored));
}

/* That a lease is lost shows at the end. */
static bool renew(struct pg_store *store, const struct held *held, struct error *err)
{
    char epoch[32];
    char lease[32];
    const char *values[] = {held->texts[0], held->texts[1],
                            number_text(epoch, sizeof epoch, held->epoch),
                            number_text(lease, sizeof lease, LEASE_S), store->holder};
    return tell(store, held->sql, values, is_failure(held) ? 5 : 4, err);
}

/* The run that is tested waits meanwhile. */
static void renew_all(struct pg_store *store)
{
    struct error err = {0};
    bool ok = store->open || connect(store, 0, clock_ms() + TICK_MS, &err);
    ok = ok && wire_poll(&store->wire, &err);
    bool answered = ok && store->wire.received == store->wire.sent;
    for (const struct held *held = store->held; ok && answered && held; held = held->next) {
        ok = renew(store, held, &err);
    }
    if (!ok || !wire_poll(&store->wire, &err)) {
        disconnect(store);
    }
}

/* Gives a lease back, if this process has it. Expects the lock. */
static void return_lease(struct pg_store *store, const char *sql, const char *one,
                         const char *other)
{
    const struct held *held = *find_held(store, sql, one, other);
    if (held) {
        give_back(store, held);
        let_go(store, sql, one, other);
    }
}

void pg_store_tick(struct pg_store *store)
{
    if (pthread_mutex_trylock(&store->lock) != 0) {
        return;
    }
    if (store->held && !store->lost && clock_ms() - store->renewed_ms > RENEW_MS) {
        renew_all(store);
        store->renewed_ms = clock_ms();
    }
    (void)pthread_mutex_unlock(&store->lock);
}

static void give_all_back(struct pg_store *store)
{
    for (const struct held *held = store->held; held; held = held->next) {
        give_back(store, held);
    }
    store->held = NULL;
}

void pg_store_give_all_back(struct pg_store *store)
{
    (void)pthread_mutex_lock(&store->lock);
    give_all_back(store);
    (void)pthread_mutex_unlock(&store->lock);
}

/* Waits for the answers, after an interrupt, too. One that does not come is not cancelled: that
 * would be another wait. */
static void hear_out(struct pg_store *store)
{
    struct wire *wire = &store->wire;
    struct error ignored = {0};
    int64_t until_ms = clock_ms() + LEAVE_MS;
    while (store->open && wire_poll(wire, &ignored) && wire->received < wire->sent &&
           clock_ms() < until_ms) {
        struct pollfd fd = {.fd = PQsocket(wire->conn), .events = POLLIN};
        (void)wait_for(&fd, 1, clock_ms() + NAP_MS, &no_hooks);
    }
}

void pg_store_close(struct pg_store *store)
{
    if (!store) {
        return;
    }
    give_all_back(store);
    hear_out(store);
    disconnect(store);
    (void)pthread_mutex_destroy(&store->lock);
    arena_free(&store->arena);
    free(store);
}

/* --- failures --- */

bool pg_store_load(struct pg_store *store, const char *machine, const char *key,
                   struct arena *arena, struct pg_store_failures *out, struct error *err)
{
    char most[32];
    const char *values[] = {machine, number_text(most, sizeof most, LOADED_MAX), key};
    *out = (struct pg_store_failures){0};
    (void)pthread_mutex_lock(&store->lock);
    PGresult *result = ask(store, query_store_load, values, 3, err);
    (void)pthread_mutex_unlock(&store->lock);
    for (int i = 0; i < PQntuples(result); i++) {
        *VEC_PUSH(arena, &out->items) =
            (struct pg_store_failure){.machine = machine,
                                      .name = text_at(result, i, 0, arena),
                                      .trace = text_at(result, i, 1, arena),
                                      .epoch = number_at(result, i, 2),
                                      .times = number_at(result, i, 3)};
    }
    PQclear(result);
    return result != NULL;
}

/* Tries to get the lease. */
static bool take_failure(struct pg_store *store, const struct pg_store_failure *failure,
                         int64_t stale, struct pg_store_claimed *out, struct error *err)
{
    char lease[32];
    char epoch[32];
    const char *values[] = {failure->machine,
                            failure->identity,
                            failure->name,
                            failure->trace,
                            store->holder,
                            number_text(lease, sizeof lease, LEASE_S),
                            number_text(epoch, sizeof epoch, stale)};
    PGresult *result = ask(store, query_store_claim, values, 7, err);
    if (PQntuples(result) > 0) {
        out->how = STORE_MINE;
        out->epoch = number_at(result, 0, 0);
        hold(store, query_store_renew_failure, query_store_release, failure->machine,
             failure->identity, out->epoch);
    }
    PQclear(result);
    return result != NULL;
}

/* Asks who has it. */
static bool look_up(struct pg_store *store, const struct pg_store_failure *failure, bool again,
                    struct arena *arena, struct pg_store_claimed *out, struct error *err)
{
    const char *values[] = {failure->machine, failure->identity, again ? "0" : "1"};
    PGresult *result = ask(store, query_store_known, values, 3, err);
    if (PQntuples(result) > 0) {
        out->how = *PQgetvalue(result, 0, 0) == 't' ? STORE_KNOWN : STORE_TAKEN;
        out->holder = holder_at(result, 0, 1, arena);
        out->epoch = number_at(result, 0, 2);
        out->trace = text_at(result, 0, 3, arena);
    }
    PQclear(result);
    return result != NULL;
}

bool pg_store_claim(struct pg_store *store, const struct pg_store_failure *failure, int64_t stale,
                    bool again, struct arena *arena, struct pg_store_claimed *out,
                    struct error *err)
{
    *out = (struct pg_store_claimed){.how = STORE_TAKEN};
    (void)pthread_mutex_lock(&store->lock);
    bool ok = take_failure(store, failure, stale, out, err) &&
              (out->how == STORE_MINE || look_up(store, failure, again, arena, out, err));
    (void)pthread_mutex_unlock(&store->lock);
    return ok;
}

bool pg_store_is_taken(struct pg_store *store, const struct pg_store_failure *failure, bool *out,
                       struct error *err)
{
    const char *values[] = {failure->machine, failure->identity};
    (void)pthread_mutex_lock(&store->lock);
    PGresult *result = ask(store, query_store_taken, values, 2, err);
    (void)pthread_mutex_unlock(&store->lock);
    *out = PQntuples(result) > 0;
    PQclear(result);
    return result != NULL;
}

/* Sends a statement that answers nothing. */
static bool send(struct pg_store *store, const char *sql, const char *const *values, int count,
                 struct error *err)
{
    PGresult *result = ask(store, sql, values, count, err);
    PQclear(result);
    return result != NULL;
}

bool pg_store_save(struct pg_store *store, const struct pg_store_failure *failure, int64_t epoch,
                   struct error *err)
{
    char number[32];
    const char *values[] = {failure->machine,
                            failure->identity,
                            failure->name,
                            failure->trace,
                            number_text(number, sizeof number, epoch),
                            store->holder};
    (void)pthread_mutex_lock(&store->lock);
    bool ok = send(store, query_store_save, values, 6, err);
    let_go(store, query_store_renew_failure, failure->machine, failure->identity);
    (void)pthread_mutex_unlock(&store->lock);
    return ok;
}

bool pg_store_add(struct pg_store *store, const struct pg_store_failure *failure, struct error *err)
{
    const char *values[] = {failure->machine, failure->identity, failure->name, failure->trace};
    (void)pthread_mutex_lock(&store->lock);
    bool ok = send(store, query_store_add, values, 4, err);
    (void)pthread_mutex_unlock(&store->lock);
    return ok;
}

bool pg_store_forget(struct pg_store *store, const struct pg_store_failure *failure,
                     struct error *err)
{
    char epoch[32];
    char times[32];
    const char *values[] = {failure->machine, failure->identity,
                            number_text(epoch, sizeof epoch, failure->epoch),
                            number_text(times, sizeof times, failure->times)};
    (void)pthread_mutex_lock(&store->lock);
    return_lease(store, query_store_renew_failure, failure->machine, failure->identity);
    bool ok = send(store, query_store_forget, values, 4, err);
    (void)pthread_mutex_unlock(&store->lock);
    return ok;
}

void pg_store_release(struct pg_store *store, const char *machine, const char *identity)
{
    (void)pthread_mutex_lock(&store->lock);
    return_lease(store, query_store_renew_failure, machine, identity);
    (void)pthread_mutex_unlock(&store->lock);
}

/* --- runs --- */

bool pg_store_begin(struct pg_store *store, const struct pg_store_run *run, struct error *err)
{
    char examples[32];
    char chunk[32];
    int64_t size = (run->examples + CHUNKS_MAX - 1) / CHUNKS_MAX;
    const char *values[] = {
        run->key, run->name, run->machine, number_text(examples, sizeof examples, run->examples),
        number_text(chunk, sizeof chunk, size < run->least ? run->least : size)};
    (void)pthread_mutex_lock(&store->lock);
    bool ok = send(store, query_store_sweep, NULL, 0, err) &&
              send(store, query_store_begin, values, 5, err);
    (void)pthread_mutex_unlock(&store->lock);
    return ok;
}

/* A row may come from anybody. */
static bool is_of_run(const struct pg_store_run *run, int64_t first, int64_t last,
                      struct error *err)
{
    return (1 <= first && first <= last && last <= run->examples) ||
           error_set(err, ERROR_USAGE,
                     "the store: a chunk goes from %" PRId64 " to %" PRId64
                     ", and the run has the numbers from 1 to %" PRId64,
                     first, last, run->examples);
}

static bool take_chunk(struct pg_store *store, const struct pg_store_run *run,
                       struct pg_store_chunk *out, struct error *err)
{
    char lease[32];
    char first[32];
    const char *values[] = {run->key, store->holder, number_text(lease, sizeof lease, LEASE_S)};
    PGresult *result = ask(store, query_store_take, values, 3, err);
    bool ok = result != NULL;
    if (PQntuples(result) > 0) {
        *out = (struct pg_store_chunk){.first = number_at(result, 0, 0),
                                       .last = number_at(result, 0, 1),
                                       .epoch = number_at(result, 0, 2)};
        ok = is_of_run(run, out->first, out->last, err);
        hold(store, query_store_renew_chunk, query_store_give_back, run->key,
             number_text(first, sizeof first, out->first), out->epoch);
    }
    PQclear(result);
    return ok;
}

/* Whom to wait for. */
static bool look_left(struct pg_store *store, const struct pg_store_run *run, struct arena *arena,
                      struct pg_store_chunk *out, struct error *err)
{
    const char *values[] = {run->key};
    PGresult *result = ask(store, query_store_left, values, 1, err);
    bool ok = result != NULL;
    if (PQntuples(result) > 0) {
        out->first = number_at(result, 0, 0);
        out->holder = holder_at(result, 0, 2, arena);
        ok = is_of_run(run, out->first, number_at(result, 0, 1), err);
    }
    PQclear(result);
    return ok;
}

bool pg_store_take(struct pg_store *store, const struct pg_store_run *run, struct arena *arena,
                   struct pg_store_chunk *out, struct error *err)
{
    *out = (struct pg_store_chunk){0};
    (void)pthread_mutex_lock(&store->lock);
    bool ok =
        take_chunk(store, run, out, err) && (out->last || look_left(store, run, arena, out, err));
    (void)pthread_mutex_unlock(&store->lock);
    return ok;
}

bool pg_store_done(struct pg_store *store, const struct pg_store_run *run,
                   const struct pg_store_chunk *chunk, const char *records, int64_t stop,
                   struct error *err)
{
    char first[32];
    char epoch[32];
    char last[32];
    const char *values[] = {run->key, number_text(first, sizeof first, chunk->first),
                            number_text(epoch, sizeof epoch, chunk->epoch), records,
                            stop ? number_text(last, sizeof last, stop) : NULL};
    (void)pthread_mutex_lock(&store->lock);
    bool ok = send(store, query_store_done, values, 5, err);
    let_go(store, query_store_renew_chunk, run->key, first);
    (void)pthread_mutex_unlock(&store->lock);
    return ok;
}

void pg_store_give_back(struct pg_store *store, const struct pg_store_run *run,
                        const struct pg_store_chunk *chunk)
{
    char first[32];
    (void)pthread_mutex_lock(&store->lock);
    return_lease(store, query_store_renew_chunk, run->key,
                 number_text(first, sizeof first, chunk->first));
    (void)pthread_mutex_unlock(&store->lock);
}

bool pg_store_records(struct pg_store *store, const struct pg_store_run *run, int64_t number,
                      struct arena *arena, struct pg_store_chunk *out, struct error *err)
{
    char wanted[32];
    const char *values[] = {run->key, number_text(wanted, sizeof wanted, number)};
    *out = (struct pg_store_chunk){0};
    (void)pthread_mutex_lock(&store->lock);
    PGresult *result = ask(store, query_store_records, values, 2, err);
    (void)pthread_mutex_unlock(&store->lock);
    bool ok = result != NULL;
    if (PQntuples(result) > 0) {
        *out = (struct pg_store_chunk){.first = number_at(result, 0, 0),
                                       .last = number_at(result, 0, 1),
                                       .records = text_at(result, 0, 2, arena)};
        ok = is_of_run(run, out->first, out->last, err);
    }
    PQclear(result);
    return ok;
}
