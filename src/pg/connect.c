#include "pg/connect.h"

#include "base/words.h"

#include <ctype.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ATTEMPT_MS = 15000, CLOSE_MS = 1000, ITEMS_MAX = 80 };
/* How long a server may be full because a connection that was closed just now has not ended. */
enum { FULL_MS = 200, FULL_NAP_MS = 20 };
static const char too_many[] = "53300";

/* Variables that name a server. PGUSER and PGPASSWORD alone do not. */
static const char *const naming_variables[] = {
    "PGHOST", "PGHOSTADDR", "PGSERVICE", "PGPORT", "PGDATABASE", "DATABASE_URL",
};

static const char *env_value(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

bool address_is_named(const struct pg_options *options)
{
    if (options->dbname || options->host || options->port || options->user) {
        return true;
    }
    for (size_t i = 0; i < sizeof naming_variables / sizeof *naming_variables; i++) {
        if (env_value(naming_variables[i])) {
            return true;
        }
    }
    return false;
}

static void address_set(struct address *address, const char *keyword, const char *value)
{
    if (value) {
        *VEC_PUSH(address->arena, &address->items) = (struct address_item){keyword, value};
    }
}

static bool is_uri(const char *text)
{
    return strncmp(text, "postgres://", 11) == 0 || strncmp(text, "postgresql://", 13) == 0;
}

/* True if libpq may have taken a part of the password for something else, which its messages then
 * tell: "ann:pa/ss@db" is the host ann, "ann:pa@ss@db" the host ss@db. */
static bool may_tell_password(const struct address *address)
{
    const char *text = address_get(address, "dbname");
    if (address->complete || !text || !is_uri(text)) {
        return false;
    }
    const char *authority = strstr(text, "://") + 3;
    const char *colon = strchr(authority, ':');
    const char *at = strrchr(authority, '@');
    return colon && at && colon < at && colon + strcspn(colon, "@/") < at;
}

/* What libpq says up to where it may quote the text, which may be a part of a password; no other
 * letters than English ones, whatever the language. */
static int harmless_size(const char *reason)
{
    size_t size =
        strspn(reason, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-%= ");
    while (size > 0 && reason[size - 1] == ' ') {
        size--;
    }
    return (int)size;
}

/* As libpq tells a conninfo string from a database's name. */
static bool is_conninfo(const char *text) { return strchr(text, '=') || is_uri(text); }

static bool check_conninfo(const char *text, struct error *err)
{
    if (!text || !is_conninfo(text)) {
        return true;
    }
    char *reason = NULL;
    PQconninfoOption *options = PQconninfoParse(text, &reason);
    if (!options) {
        error_set(err, ERROR_USAGE, "the database's address can't be read: %.*s",
                  reason ? harmless_size(reason) : 0, reason ? reason : "");
        error_hint(err,
                   "write postgresql://user:password@host:port/database, with %%40 for @, %%2F for "
                   "/ and %%25 for %% in a password, or key=value pairs with values in ' '");
        PQfreemem(reason);
        return false;
    }
    PQconninfoFree(options);
    return true;
}

bool address_of_options(const struct pg_options *options, struct arena *arena, struct address *out,
                        struct error *err)
{
    const char *dbname = options->dbname;
    if (!dbname && !options->host && !env_value("PGHOST") && !env_value("PGHOSTADDR") &&
        !env_value("PGSERVICE")) {
        dbname = env_value("DATABASE_URL");
    }
    *out = (struct address){.arena = arena};
    address_set(out, "dbname", dbname);
    address_set(out, "host", options->host);
    address_set(out, "port", options->port);
    address_set(out, "user", options->user);
    return check_conninfo(dbname, err);
}

bool address_names_database(const struct address *address)
{
    const char *dbname = address_get(address, "dbname");
    bool named = env_value("PGDATABASE") || env_value("PGSERVICE");
    char *reason = NULL;
    if (named || !dbname || !is_conninfo(dbname)) {
        return named || dbname;
    }
    PQconninfoOption *options = PQconninfoParse(dbname, &reason);
    if (!options) { /* check_conninfo has read it before */
        memory_exhausted();
    }
    for (const PQconninfoOption *option = options; option && option->keyword; option++) {
        named = named || (option->val && (strcmp(option->keyword, "dbname") == 0 ||
                                          strcmp(option->keyword, "service") == 0));
    }
    PQconninfoFree(options);
    PQfreemem(reason);
    return named;
}

/* Keywords that were read already, or that belong to one connection only. */
static bool is_used_up(const char *keyword)
{
    return word_is_in(keyword, "service|application_name|fallback_application_name|"
                               "client_encoding|replication");
}

static size_t count_values(const PQconninfoOption *options)
{
    size_t count = 0;
    for (; options && options->keyword; options++) {
        count += options->val != NULL;
    }
    return count;
}

/* What the connection was made with. A value for which there is no memory is left out without a
 * word, and without its host an address is that of another server: so it is asked twice. */
static PQconninfoOption *read_conninfo(PGconn *conn)
{
    PQconninfoOption *options = PQconninfo(conn);
    PQconninfoOption *again = PQconninfo(conn);
    if (!options || !again || count_values(options) != count_values(again)) {
        memory_exhausted();
    }
    PQconninfoFree(again);
    return options;
}

/* Of several hosts the one that answers: another one, such as a standby, has no scratch database.
 */
static const char *value_used(PGconn *conn, const PQconninfoOption *option)
{
    const char *used = NULL;
    if (!strchr(option->val, ',')) {
        return option->val;
    }
    if (strcmp(option->keyword, "host") == 0) {
        used = PQhost(conn);
    } else if (strcmp(option->keyword, "hostaddr") == 0) {
        used = PQhostaddr(conn);
    } else if (strcmp(option->keyword, "port") == 0) {
        used = PQport(conn);
    }
    return used ? used : option->val;
}

struct address address_resolve(PGconn *conn, struct arena *arena)
{
    struct address address = {.arena = arena, .complete = true};
    PQconninfoOption *options = read_conninfo(conn);
    for (const PQconninfoOption *option = options; option && option->keyword; option++) {
        if (option->val && *option->val && !is_used_up(option->keyword)) {
            address_set(&address, arena_strdup(arena, option->keyword),
                        arena_strdup(arena, value_used(conn, option)));
        }
    }
    PQconninfoFree(options);
    return address;
}

const char *address_get(const struct address *address, const char *keyword)
{
    const char *value = NULL;
    for (size_t i = 0; i < address->items.count; i++) {
        if (strcmp(address->items.items[i].keyword, keyword) == 0) {
            value = address->items.items[i].value;
        }
    }
    return value;
}

static const char *env_of(const struct address *address, const struct address_env *env,
                          const char *keyword)
{
    if (strcmp(keyword, "dbname") == 0) {
        return env->dbname;
    }
    if (strcmp(keyword, "application_name") == 0) {
        return env->application;
    }
    if (strcmp(keyword, "client_encoding") == 0) {
        return "UTF8";
    }
    return address_get(address, keyword);
}

const char *const *address_env(const struct address *address, const struct address_env *env,
                               struct arena *arena)
{
    struct env_change changes[ITEMS_MAX] = {
        {"PGSERVICE", NULL},
        /* Messages in English: their form is read (load.c). */
        {"LC_ALL", "C"},
    };
    size_t count = 2;
    PQconninfoOption *options = PQconndefaults();
    if (!options) { /* without them the environment would stay as it is, and name another server */
        memory_exhausted();
    }
    for (const PQconninfoOption *option = options; option && option->keyword; option++) {
        if (option->envvar && strcmp(option->keyword, "service") != 0 && count < ITEMS_MAX) {
            changes[count++] = (struct env_change){arena_strdup(arena, option->envvar),
                                                   env_of(address, env, option->keyword)};
        }
    }
    PQconninfoFree(options);
    return env_changed(arena, changes, count);
}

/* The first line of one of libpq's messages, without "ERROR:  " and its like. */
static const char *first_line_of(const char *message, struct arena *arena)
{
    size_t size = strcspn(message, "\n");
    const char *colon = memchr(message, ':', size);
    if (colon && colon[1] == ' ' && colon[2] == ' ' && isupper((unsigned char)*message)) {
        size -= (size_t)(colon + 3 - message);
        message = colon + 3;
    }
    return arena_strndup(arena, message, size);
}

/* insufficient_resources, system_error, io_error. A file that is missing (58P01) is not among them:
 * COPY and pg_read_file say so of a wrong name. */
bool connect_lacks(const char *sqlstate)
{
    return strncmp(sqlstate, "53", 2) == 0 || strcmp(sqlstate, "58000") == 0 ||
           strcmp(sqlstate, "58030") == 0;
}

bool connect_lost(const PGconn *conn, struct error *err)
{
    struct arena arena = {0};
    const char *line = first_line_of(PQerrorMessage(conn), &arena);
    error_set(err, ERROR_CONNECTION, "the connection to the database was lost: %s",
              *line ? line : "no reason given");
    arena_free(&arena);
    return false;
}

/* The server closes its end of the socket when the session's process has ended, so that a client
 * can wait for it (backend/libpq/pqcomm.c, socket_close). */
void connect_close(PGconn *conn)
{
    char rest[256];
    int fd = PQstatus(conn) == CONNECTION_OK ? fcntl(PQsocket(conn), F_DUPFD_CLOEXEC, 0) : -1;
    int64_t deadline = clock_ms() + CLOSE_MS;
    PQfinish(conn);
    if (fd < 0) {
        return;
    }
    (void)shutdown(fd, SHUT_WR);
    for (;;) {
        struct pollfd ended = {.fd = fd, .events = POLLIN};
        if (wait_for(&ended, 1, deadline, &no_hooks) != WAIT_READY ||
            recv(fd, rest, sizeof rest, 0) <= 0) {
            break;
        }
    }
    (void)close(fd);
}

/* The message of a failed attempt. */
struct refusal {
    char sqlstate[6];    /* "" if no server answered */
    const char *message; /* one line */
};

/* With PQERRORS_VERBOSE the server's answer reads "FATAL:  28P01: password …", in any language.
 * Of several hosts the last one's answer counts. */
static struct refusal read_refusal(const PGconn *conn, struct arena *arena)
{
    struct refusal refusal = {.message = first_line_of(PQerrorMessage(conn), arena)};
    for (const char *at = PQerrorMessage(conn); (at = strstr(at, ":  ")); at += 3) {
        const char *state = at + 3;
        if (strspn(state, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 5 && state[5] == ':' &&
            state[6] == ' ') {
            memcpy(refusal.sqlstate, state, 5);
            refusal.message = arena_strndup(arena, state + 7, strcspn(state + 7, "\n"));
        }
    }
    return refusal;
}

/* True if the server may answer later: it is not there yet, is starting or stopping, or has no
 * room. */
static bool may_answer_later(const struct refusal *refusal)
{
    return !*refusal->sqlstate || strncmp(refusal->sqlstate, "57", 2) == 0 ||
           strcmp(refusal->sqlstate, too_many) == 0;
}

static const char *or_unknown(const char *text) { return text && *text ? text : "?"; }

/* The sentences for what goes wrong most often. */
static bool explain(PGconn *conn, const struct address *address, const struct refusal *refusal,
                    struct error *err)
{
    const char *user = or_unknown(PQuser(conn));
    if (may_tell_password(address)) {
        error_set(err, ERROR_CONNECTION, "could not reach the database");
        error_hint(
            err,
            "in a password write %%40 for @ and %%2F for /: unescaped, they change the address");
    } else if (PQconnectionNeedsPassword(conn)) {
        error_set(err, ERROR_CONNECTION, "the server asks for the password of user %s", user);
        error_hint(err, "give it with PGPASSWORD, in ~/.pgpass, or in the URI");
    } else if (strcmp(refusal->sqlstate, "28P01") == 0) {
        error_set(err, ERROR_CONNECTION, "the password of user %s is wrong", user);
        error_hint(err, "it came from PGPASSWORD, ~/.pgpass, or the URI");
    } else if (*refusal->sqlstate) {
        error_set(err, ERROR_CONNECTION, "the server refuses the connection: %s", refusal->message);
        if (strcmp(refusal->sqlstate, "08P01") == 0) {
            error_hint(err,
                       "a pooler may refuse what the server takes: connect to the server itself");
        }
    } else {
        error_set(err, ERROR_CONNECTION, "could not reach the database: %s", refusal->message);
        error_hint(err, "--wait 30s waits for a server that is starting; if you name no database "
                        "(-d, -h, -p, -U, PGHOST …), pgfsm starts a server of its own");
    }
    if (err) {
        memcpy(err->sqlstate, refusal->sqlstate, sizeof err->sqlstate);
    }
    return false;
}

static void hear_nothing(void *context, const PGresult *result)
{
    (void)context;
    (void)result;
}

static PGconn *begin(const struct connect_request *request)
{
    const char *keywords[ITEMS_MAX];
    const char *values[ITEMS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < request->address->items.count && count < ITEMS_MAX - 6; i++) {
        keywords[count] = request->address->items.items[i].keyword;
        values[count++] = request->address->items.items[i].value;
    }
    const struct address_item own[] = {
        {"dbname", request->dbname},
        {"application_name", request->application},
        {"client_encoding", "UTF8"},
        {"options", request->options},
    };
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        if (own[i].value) {
            keywords[count] = own[i].keyword;
            values[count++] = own[i].value;
        }
    }
    keywords[count] = NULL;
    values[count] = NULL;
    /* Only the first dbname is expanded, so a database's name of our own is never taken for more.
     */
    PGconn *conn = PQconnectStartParams(keywords, values, 1);
    if (!conn) {
        memory_exhausted();
    }
    PQsetErrorVerbosity(conn, PQERRORS_VERBOSE);
    PQsetNoticeReceiver(conn, hear_nothing, NULL);
    return conn;
}

enum attempt { ATTEMPT_DONE, ATTEMPT_REFUSED, ATTEMPT_TIMEOUT, ATTEMPT_INTERRUPTED };

/* connect_timeout, which may stand in a connection string, a service file or the environment. */
static int64_t attempt_ms(PGconn *conn)
{
    long seconds = 0;
    PQconninfoOption *options = PQconninfo(conn);
    for (const PQconninfoOption *option = options; option && option->keyword; option++) {
        if (option->val && strcmp(option->keyword, "connect_timeout") == 0) {
            seconds = strtol(option->val, NULL, 10);
        }
    }
    PQconninfoFree(options);
    return seconds > 0 && seconds <= INT_MAX ? (int64_t)seconds * 1000 : ATTEMPT_MS;
}

static enum attempt connect_once(PGconn *conn, const struct connect_request *request)
{
    int64_t deadline = clock_ms() + attempt_ms(conn);
    PostgresPollingStatusType want = PGRES_POLLING_WRITING;
    while (PQstatus(conn) != CONNECTION_BAD) {
        struct pollfd fd = {.fd = PQsocket(conn),
                            .events = want == PGRES_POLLING_READING ? POLLIN : POLLOUT};
        enum wait_result waited = wait_for(&fd, 1, deadline, request->hooks);
        if (waited == WAIT_INTERRUPTED) {
            return ATTEMPT_INTERRUPTED;
        }
        if (waited != WAIT_READY) {
            return ATTEMPT_TIMEOUT;
        }
        want = PQconnectPoll(conn);
        if (want == PGRES_POLLING_OK) {
            return ATTEMPT_DONE;
        }
        if (want == PGRES_POLLING_FAILED) {
            break;
        }
    }
    return ATTEMPT_REFUSED;
}

#define WITHOUT_LIMITS                                                                             \
    "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; "                     \
    "SET idle_session_timeout = 0"

const char *without_limits(int version)
{
    return version < VERSION_TRANSACTION_TIMEOUT ? WITHOUT_LIMITS
                                                 : WITHOUT_LIMITS "; SET transaction_timeout = 0";
}

static bool check_version(PGconn *conn, struct error *err)
{
    if (PQserverVersion(conn) >= SERVER_VERSION_MIN) {
        return true;
    }
    error_set(err, ERROR_CONNECTION, "the server is PostgreSQL %s; pgfsm works with %d to %d",
              or_unknown(PQparameterStatus(conn, "server_version")), PG_VERSION_OLDEST,
              PG_VERSION_NEWEST);
    return false;
}

/* Puts an attempt's failure into err; whether trying again may help. */
static bool judge_attempt(PGconn *conn, const struct address *address, enum attempt result,
                          struct error *err)
{
    struct arena arena = {0};
    struct refusal refusal = {.message = "it does not answer"};
    if (result == ATTEMPT_REFUSED) {
        refusal = read_refusal(conn, &arena);
    }
    explain(conn, address, &refusal, err);
    bool again = !PQconnectionNeedsPassword(conn) && may_answer_later(&refusal);
    arena_free(&arena);
    return again;
}

/* Until when to try again after a refusal. */
static int64_t patience(const struct connect_request *request, int64_t began_ms,
                        const struct error *err)
{
    bool full = err && strcmp(err->sqlstate, too_many) == 0;
    int64_t least = full ? began_ms + FULL_MS : 0;
    return request->deadline_ms > least ? request->deadline_ms : least;
}

bool connect_open(const struct connect_request *request, PGconn **out, struct error *err)
{
    int64_t began_ms = clock_ms();
    int64_t nap_ms = request->nap_ms ? request->nap_ms : FULL_NAP_MS;
    *out = NULL;
    for (;;) {
        PGconn *conn = begin(request);
        enum attempt result = connect_once(conn, request);
        if (result == ATTEMPT_DONE && check_version(conn, err)) {
            PQsetnonblocking(conn, 1);
            PQsetErrorVerbosity(conn, PQERRORS_DEFAULT);
            *out = conn;
            *err = (struct error){0}; /* of an attempt before */
            return true;
        }
        bool again = result != ATTEMPT_DONE && result != ATTEMPT_INTERRUPTED &&
                     judge_attempt(conn, request->address, result, err) &&
                     clock_ms() < patience(request, began_ms, err);
        PQfinish(conn);
        if (result == ATTEMPT_INTERRUPTED) {
            return error_interrupted(err);
        }
        if (!again || (request->hopeless && request->hopeless(request->context, err))) {
            return false;
        }
        if (wait_for(NULL, 0, clock_ms() + nap_ms, request->hooks) == WAIT_INTERRUPTED) {
            return error_interrupted(err);
        }
    }
}
