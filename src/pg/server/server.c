#include "pg/server/server.h"

#include "base/file.h"
#include "os/process.h"
#include "os/tree.h"
#include "pg/server/cache.h"
#include "pg/server/packaged.h"
#include "pg/server/programs.h"
#include "pg/server/rundir.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 3 }; /* with a schema, with a new data directory from the cache, without the cache */
enum { START_MS = 60000, START_NAP_MS = 2, LOG_TAIL = 1500 /* bytes */ };

/* Settings of the server (PostgreSQL manual, chapter 20, and section 14.5, "Non-Durable Settings").
 * Nothing in it outlives the run, so nothing needs to survive a crash. */
static const char *const settings[] = {
    "listen_addresses=",
    "port=5432", /* PGPORT would be its default; wait_ready connects to this one */
    "unix_socket_permissions=0700",
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "wal_level=minimal",
    "max_wal_senders=0",
    "wal_init_zero=off",
    "wal_recycle=off",
    "max_wal_size=256MB",
    "checkpoint_timeout=1h",
    "autovacuum=off", /* the backend vacuums between its transactions */
    "bgwriter_lru_maxpages=0",
    "shared_buffers=64MB",
    "huge_pages=off",
    "dynamic_shared_memory_type=mmap", /* in the data directory, so it goes with it */
    "max_connections=64",
    "max_locks_per_transaction=256", /* large schemas in one transaction */
    "jit=off",
    "log_checkpoints=off",
    "cluster_name=pgfsm",
};
enum { SETTINGS = sizeof settings / sizeof *settings };

/* initdb's locales, the first that it takes. */
static const char *const locales[] = {"C.UTF-8", "C"};

/* Copying costs a file's creation for each file: of the three databases that initdb makes one is
 * enough. */
static const char drop_spare_databases[] =
    "UPDATE pg_database SET datistemplate = false WHERE datname = 'template0'\n"
    "DROP DATABASE template0\n"
    "DROP DATABASE postgres\n";

/* Data that all steps of a start need. */
struct start {
    const struct server_options *options;
    struct arena *arena;
    struct server *server;
    struct os_user user;
    struct run_dir dir;
    struct cache from; /* the entry that the data directory is a copy of */
};

static const char *first_line(const char *text, struct arena *arena)
{
    return arena_strndup(arena, text, strcspn(text, "\n"));
}

/* Runs a program of the server as the server's user. A signal that ends initdb's bootstrap server
 * leaves its shared memory behind. initdb itself, asked to end, waits for that server. */
static bool run_as_server(struct start *start, const char *const *argv, const char *input,
                          struct process_result *result, struct error *err)
{
    const struct env_change changes[] = {{"LC_ALL", "C"}, {"TZ", NULL}};
    struct process process = {
        .argv = argv,
        .env = env_for_server(start->arena, changes, sizeof changes / sizeof *changes),
        .dir = start->dir.path,
        .user = &start->user,
        .input = input,
        .tidy = true,
    };
    return process_run(&process, start->options->hooks, result, err);
}

/* One attempt; `*done` tells whether initdb was satisfied. */
static bool try_initdb(struct start *start, const char *locale, bool *done, struct error *err)
{
    const char *argv[] = {
        arena_printf(start->arena, "%s/initdb", start->options->bindir),
        "-D",
        start->server->data,
        "-U",
        SERVER_USER,
        "-A",
        "trust",
        "-E",
        "UTF8",
        arena_printf(start->arena, "--locale=%s", locale),
        "--wal-segsize=1",
        "--no-sync",
        NULL,
    };
    struct process_result result;
    bool ran = run_as_server(start, argv, NULL, &result, err);
    *done = ran && result.status == 0;
    if (ran && !*done) {
        error_set(err, ERROR_SYSTEM, "initdb failed: %s",
                  first_line(strbuf_text(&result.errors), start->arena));
        error_detail(err, "%s", strbuf_text(&result.errors));
        error_hint(err, "name a server with -d to use that instead of an embedded one");
    }
    process_result_free(&result);
    return ran;
}

static bool run_initdb(struct start *start, struct error *err)
{
    bool done = false;
    for (size_t i = 0; i < sizeof locales / sizeof *locales && !done; i++) {
        tree_remove(start->server->data);
        if (!try_initdb(start, locales[i], &done, err)) {
            return false;
        }
    }
    return done;
}

/* A failure leaves databases that are not needed, and does no harm. */
static bool drop_databases(struct start *start, struct error *err)
{
    const char *argv[] = {
        arena_printf(start->arena, "%s/postgres", start->options->bindir),
        "--single",
        "-F",
        "-D",
        start->server->data,
        "-c",
        "wal_recycle=off",
        SERVER_DATABASE,
        NULL,
    };
    struct process_result result;
    bool ran = run_as_server(start, argv, drop_spare_databases, &result, err);
    process_result_free(&result);
    return ran;
}

/* Numbers of transactions begin where no other number of an example is by chance: two databases on
 * one server never have the same ones, so `pgfsm diff` must tell them from others (diff/pairs.c).
 * The file of their states, which has one page so far, gets its pages up to there, or to its last
 * one: a page has two bits for each transaction, and its size is that of the server's blocks. A
 * server without this program counts from where it is. */
static bool raise_transactions(struct start *start, struct error *err)
{
    enum { FIRST = 1000064, PAGES = 32 };
    const char *states = arena_printf(start->arena, "%s/pg_xact/0000", start->server->data);
    const char *program = arena_printf(start->arena, "%s/pg_resetwal", start->options->bindir);
    struct stat file;
    if (access(program, X_OK) != 0 || stat(states, &file) != 0 || file.st_size == 0) {
        return true;
    }
    const long per_page = 4 * (long)file.st_size;
    const long last = (PAGES - 1) * per_page + FIRST % 100;
    const long first = last < FIRST ? last : FIRST;
    const char *number = arena_printf(start->arena, "%ld", first);
    const char *argv[] = {program, "-x", number, "-D", start->server->data, NULL};
    struct process_result result;
    if (truncate(states, (off_t)(first / per_page + 1) * file.st_size) != 0) {
        return true;
    }
    bool ran = run_as_server(start, argv, NULL, &result, err);
    process_result_free(&result);
    return ran;
}

static void tell_damage(const struct start *start, const struct cache *entry)
{
    note_line(start->options->hooks,
              arena_printf(start->arena, "the cache is damaged: %s is removed", entry->entry));
}

/* A copy of the first of the cache's entries that can be copied. */
static bool copy_data(struct start *start)
{
    const struct server_options *options = start->options;
    const struct cache entries[] = {options->loaded, options->cache};
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        enum unpacked outcome = cache_copy(&entries[i], start->server->data, &start->user);
        if (outcome == UNPACKED) {
            start->from = entries[i];
            start->server->loaded = i == 0;
            return true;
        }
        if (outcome == UNPACK_DAMAGED) {
            tell_damage(start, &entries[i]);
            cache_forget(&entries[i]);
        }
    }
    return false;
}

static bool make_data(struct start *start, struct error *err)
{
    start->from = (struct cache){0};
    start->server->loaded = false;
    tree_remove(start->server->data);
    if (copy_data(start)) {
        return true;
    }
    if (!run_initdb(start, err) || !drop_databases(start, err) || !raise_transactions(start, err)) {
        return false;
    }
    cache_store(&start->options->cache, start->server->data, start->arena);
    return true;
}

/* Starts the server under a supervisor, which from then on answers for the run directory. */
static bool launch(struct start *start, struct error *err)
{
    static const struct env_change plain[] = {{"LC_ALL", "C"}, {"TZ", NULL}};
    struct env_change faked[FAKETIME_CHANGES];
    const struct faketime *faketime = &start->server->faketime;
    const char **argv = ARENA_ARRAY(start->arena, const char *, 2 * SETTINGS + 10);
    size_t count = 0;
    argv[count++] = arena_printf(start->arena, "%s/postgres", start->options->bindir);
    argv[count++] = "-D";
    argv[count++] = start->server->data;
    argv[count++] = "-k";
    argv[count++] = start->dir.path;
    for (size_t i = 0; i < SETTINGS; i++) {
        argv[count++] = "-c";
        argv[count++] = settings[i];
    }
    if (faketime->path) {
        argv[count++] = "-c";
        argv[count++] = arena_printf(start->arena, SERVER_CLOCK "=%s", faketime->path);
    }
    start->server->log = arena_printf(start->arena, "%s/log", start->dir.path);
    const struct kept_server kept = {
        .argv = argv,
        .user = &start->user,
        .env = faketime->path ? faked : plain,
        .env_count = faketime->path ? faketime_env(faketime, faked) : sizeof plain / sizeof *plain,
        .log = start->server->log,
        .dir = start->dir.path,
        .lock = start->dir.lock,
    };
    return supervisor_start(&kept, &start->server->supervisor, err);
}

static bool has_ended(void *context, struct error *err)
{
    const struct server *server = context;
    if (!supervisor_server_ended(&server->supervisor)) {
        return false;
    }
    error_set(err, ERROR_SYSTEM, "the embedded server did not start");
    server_log_tail(server, err);
    return true;
}

static bool wait_ready(struct start *start, PGconn **conn, struct error *err)
{
    struct server *server = start->server;
    const struct pg_options own = {
        .dbname = SERVER_DATABASE,
        .host = server->socket_dir,
        .port = "5432",
        .user = SERVER_USER,
    };
    if (!address_of_options(&own, start->arena, &server->address, err)) {
        return false;
    }
    server->address.complete = true;
    const struct connect_request request = {
        .address = &server->address,
        .application = "pgfsm",
        .deadline_ms = clock_ms() + START_MS,
        .nap_ms = START_NAP_MS,
        .hooks = start->options->hooks,
        .hopeless = has_ended,
        .context = server,
    };
    return connect_open(&request, conn, err);
}

/* From a new run directory to a server that answers. If it fails, it leaves nothing behind. */
static bool start_once(struct start *start, PGconn **conn, struct error *err)
{
    struct server *server = start->server;
    if (!run_dir_make(&start->user, start->arena, &start->dir, err)) {
        return false;
    }
    server->socket_dir = start->dir.path;
    server->lock = start->dir.lock;
    server->data = arena_printf(start->arena, "%s/data", start->dir.path);
    server->faketime = (struct faketime){.preload = start->options->faketime, .file = -1};
    if ((!start->options->faketime ||
         faketime_make(&server->faketime, start->dir.path, &start->user, start->options->now_us,
                       start->arena, err)) &&
        make_data(start, err) && launch(start, err) && wait_ready(start, conn, err)) {
        return true;
    }
    supervisor_stop(&server->supervisor);
    faketime_close(&server->faketime);
    tree_remove(start->dir.path);
    close(start->dir.lock);
    return false;
}

bool server_find(const char *bindir, const struct hooks *hooks, struct arena *arena,
                 const char **found, struct error *err)
{
    struct os_user user;
    return os_user_for_server(&user, err) &&
           programs_find_server(bindir, hooks, arena, found, err) &&
           packaged_copy(found, hooks, arena, err);
}

bool server_start(const struct server_options *options, struct arena *arena, struct server *out,
                  PGconn **conn, struct error *err)
{
    struct start start = {.options = options, .arena = arena, .server = out};
    *out = (struct server){.faketime = {.file = -1}, .lock = -1};
    *conn = NULL;
    if (!os_user_for_server(&start.user, err)) {
        return false;
    }
    run_dir_sweep(&start.user);
    for (int tries = 1; !start_once(&start, conn, err); tries++) {
        if (tries == TRIES || !start.from.entry || interrupt_wanted(options->hooks)) {
            return false;
        }
        /* Something is wrong with the copy, or with what it was made for: once more without it. */
        cache_forget(&start.from);
    }
    return true;
}

void server_log_tail(const struct server *server, struct error *err)
{
    struct strbuf text = {0};
    struct error ignored;
    FILE *log = file_open(server->log, &ignored);
    if (!log) {
        return;
    }
    if (fseek(log, -LOG_TAIL, SEEK_END) != 0) {
        rewind(log); /* it is shorter */
    }
    if (file_read(log, server->log, LOG_TAIL, &text, &ignored) && text.size > 0) {
        strbuf_truncate(&text, text.size - (text.data[text.size - 1] == '\n'));
        error_detail(err, "the server's log ends with:\n%s", text.data);
    }
    (void)fclose(log);
    strbuf_free(&text);
}

void server_stop(struct server *server)
{
    if (server->supervisor.pid == 0) {
        return;
    }
    supervisor_stop(&server->supervisor);
    /* The supervisor did this, unless it was killed. */
    tree_remove(server->socket_dir);
    faketime_close(&server->faketime);
    close(server->lock);
    *server = (struct server){.faketime = {.file = -1}, .lock = -1};
}
