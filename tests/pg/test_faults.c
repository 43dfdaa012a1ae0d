/* Lost servers, interrupts by the user, killed processes. */
#include "pg/fixture.h"
#include "pg/server/rundir.h"
#include "pg/session/session.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_MS = 20000 };

static const char rules[] = "rules:\n"
                            "  one: {sql: SELECT 1}\n"
                            "  slow: {sql: SELECT pg_sleep(600)}\n"
                            "  pid: {sql: SELECT pg_backend_pid()}\n";

static struct pg_target *open_target(const struct pg_options *options)
{
    struct pg_target *target = NULL;
    struct error err;
    if (!pg_target_open(options, &target, &err)) {
        fail_msg("%s", err.message);
    }
    return target;
}

/* Waits for a condition, for a limited time. */
#define ASSERT_SOON(condition)                                                                     \
    do {                                                                                           \
        static const struct hooks deaf = {0};                                                      \
        int64_t deadline = clock_ms() + PATIENCE_MS;                                               \
        while (!(condition) && clock_ms() < deadline) {                                            \
            wait_for(NULL, 0, clock_ms() + 5, &deaf);                                              \
        }                                                                                          \
        assert_true(condition);                                                                    \
    } while (0)

static bool exists(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0;
}

static pid_t server_pid(const char *dir)
{
    char path[256];
    long pid = 0;
    (void)snprintf(path, sizeof path, "%s/data/postmaster.pid", dir);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%ld", &pid), 1);
    (void)fclose(file);
    return (pid_t)pid;
}

/* True if the process runs, and is not a zombie. */
static bool is_running(pid_t pid)
{
    char path[64];
    char state = 'X';
    (void)snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    FILE *file = fopen(path, "r");
    if (!file) {
        return false;
    }
    bool read = fscanf(file, "%*d (%*[^)]) %c", &state) == 1;
    (void)fclose(file);
    return read && state != 'Z' && state != 'X';
}

static void take_lost(struct fixture *fixture, backend_ticket ticket)
{
    struct answer answer;
    assert_false(fixture->backend->ops->take(fixture->backend, ticket, &fixture->arena, &answer,
                                             &fixture->err));
    assert_int_equal(fixture->err.code, ERROR_CONNECTION);
    assert_non_null(strstr(fixture->err.detail, "it was running: SELECT pg_sleep(600)"));
    /* And again: an error, not a crash. */
    assert_false(fixture->backend->ops->reset(fixture->backend, &fixture->err));
    assert_int_equal(fixture->err.code, ERROR_CONNECTION);
}

static bool is_sleeping(struct fixture *outside)
{
    const char *count = fixture_sql(outside, NULL,
                                    "SELECT count(*) FROM pg_stat_activity WHERE query LIKE "
                                    "'SELECT pg_sleep(600)%' AND state = 'active'");
    return strcmp(count, "1") == 0;
}

/* A terminated backend. */
static void terminated(void **state)
{
    struct fixture fixture = fixture_new();
    (void)state;
    fixture_open(&fixture, NULL, rules);
    struct answer answer = fixture_run(&fixture, "pid", NULL);
    int64_t pid = fixture_value(&answer).as.integer;
    backend_ticket slow = fixture_queue(&fixture, "slow", NULL, NULL);
    fixture_queue(&fixture, "one", NULL, NULL);
    assert_false(fixture.backend->ops->ready(fixture.backend, slow));
    ASSERT_SOON(is_sleeping(&fixture));
    fixture_sql(&fixture, NULL,
                arena_printf(&fixture.arena, "SELECT pg_terminate_backend(%lld)", (long long)pid));
    take_lost(&fixture, slow);
    assert_non_null(strstr(fixture.err.message, "the connection to the database was lost"));
    fixture_close(&fixture);
}

/* The server's reason reaches the user, even if the loss is noticed twice: while sending and while
 * waiting. */
static void terminated_between_statements(void **state)
{
    struct fixture fixture = fixture_new();
    (void)state;
    fixture_open(&fixture, NULL, rules);
    struct answer answer = fixture_run(&fixture, "pid", NULL);
    int64_t pid = fixture_value(&answer).as.integer;
    fixture_sql(&fixture, NULL,
                arena_printf(&fixture.arena, "SELECT pg_terminate_backend(%lld)", (long long)pid));
    ASSERT_SOON(!is_running((pid_t)pid));
    struct wire *wire = &fixture_session(&fixture)->wire;
    (void)wire_poll(wire, &fixture.err);
    assert_false(wire_do(wire, "SELECT 1", &fixture.err));
    assert_int_equal(fixture.err.code, ERROR_CONNECTION);
    assert_non_null(
        strstr(fixture.err.message, "terminating connection due to administrator command"));
    fixture_close(&fixture);
}

/* A COPY with the client that slipped past the machine's check ends the connection: libpq has no
 * COPY in pipeline mode, and reading on would never end. */
static void copied(const char *sql)
{
    struct fixture fixture = fixture_new();
    fixture_open(&fixture, "CREATE TABLE t (i int);", rules);
    struct wire *wire = &fixture_session(&fixture)->wire;
    alarm(PATIENCE_MS / 1000);
    assert_null(wire_query(wire, sql, NULL, &fixture.err));
    assert_int_equal(fixture.err.code, ERROR_SYSTEM);
    assert_string_equal(fixture.err.message, "libpq can't continue: a statement is a COPY from or "
                                             "to the client, which needs a data stream");
    /* The connection is unusable, and its loss does not count as the server's. */
    assert_false(wire_do(wire, "SELECT 1", &fixture.err));
    assert_int_equal(fixture.err.code, ERROR_SYSTEM);
    alarm(0);
    fixture_close(&fixture);
}

static void copy_with_the_client(void **state)
{
    (void)state;
    copied("COPY (SELECT 1) TO STDOUT");
    copied("COPY t FROM STDIN");
}

static void server_killed(void **state)
{
    const struct pg_options options = {0};
    struct fixture fixture = fixture_new();
    (void)state;
    fixture.target = open_target(&options);
    char *dir = arena_strdup(&fixture.arena, fixture.target->server.socket_dir);
    fixture_open(&fixture, NULL, rules);
    backend_ticket slow = fixture_queue(&fixture, "slow", NULL, NULL);
    assert_true(!fixture.backend->ops->ready(fixture.backend, slow));
    assert_int_equal(kill(server_pid(dir), SIGKILL), 0);
    take_lost(&fixture, slow);
    /* Reconnecting fails, too, without a hang or a leftover. */
    struct fixture second = fixture_new();
    second.target = fixture.target;
    assert_false(fixture_try(&second, NULL, rules));
    assert_int_equal(second.err.code, ERROR_CONNECTION);
    fixture_close(&second);
    struct pg_target *target = fixture.target;
    assert_true(exists(dir));
    char copy[256];
    (void)snprintf(copy, sizeof copy, "%s", dir);
    fixture_close(&fixture);
    pg_target_close(target);
    assert_false(exists(copy));
}

/* Interrupts as soon as the server sleeps. */
struct impatience {
    struct fixture *outside;
    bool wanted;
    int asked;
};

static bool interrupted(void *host)
{
    struct impatience *impatience = host;
    impatience->asked++;
    if (!impatience->wanted && impatience->outside) {
        impatience->wanted = is_sleeping(impatience->outside);
    }
    return impatience->wanted;
}

static void interrupt(void **state)
{
    struct fixture outside = fixture_new();
    struct fixture fixture = fixture_new();
    struct impatience impatience = {0};
    struct answer answer;
    (void)state;
    const struct pg_options options = {
        .host = fixture_target->server.socket_dir,
        .user = "postgres",
        .dbname = "other",
        .interrupted = interrupted,
        .hook = &impatience,
    };
    fixture_sql(&outside, NULL, "CREATE DATABASE template0");
    fixture_sql(&outside, NULL, "CREATE DATABASE other");
    fixture.target = open_target(&options);
    fixture.options.statement_timeout_ms = 0;
    fixture_open(&fixture, "CREATE TABLE t (i int);", rules);
    backend_ticket slow = fixture_queue(&fixture, "slow", NULL, NULL);
    impatience.outside = &outside;
    assert_false(
        fixture.backend->ops->take(fixture.backend, slow, &fixture.arena, &answer, &fixture.err));
    assert_int_equal(fixture.err.code, ERROR_INTERRUPTED);
    assert_false(is_sleeping(&outside));
    /* The database is dropped, although the interrupt is still pending. */
    struct pg_target *target = fixture.target;
    fixture_close(&fixture);
    pg_target_close(target);
    assert_string_equal(
        fixture_sql(&outside, NULL, "SELECT count(*) FROM pg_database WHERE datname ~ 'scratch'"),
        "0");
    fixture_close(&outside);
}

/* Interrupted while psql loads a file: psql is ended, the database dropped. */
static void interrupt_psql(void **state)
{
    struct fixture outside = fixture_new();
    struct fixture fixture = fixture_new();
    struct impatience impatience = {.outside = &outside};
    (void)state;
    const struct pg_options options = {
        .host = fixture_target->server.socket_dir,
        .user = "postgres",
        .dbname = "other",
        .interrupted = interrupted,
        .hook = &impatience,
    };
    fixture.target = open_target(&options);
    assert_false(fixture_try(&fixture, "SELECT pg_sleep(600);", rules));
    assert_int_equal(fixture.err.code, ERROR_INTERRUPTED);
    struct pg_target *target = fixture.target;
    fixture_close(&fixture);
    pg_target_close(target);
    ASSERT_SOON(!is_sleeping(&outside));
    assert_string_equal(
        fixture_sql(&outside, NULL, "SELECT count(*) FROM pg_database WHERE datname ~ 'scratch'"),
        "0");
    fixture_close(&outside);
}

/* A process with an embedded server that waits to be killed. It reports its run directory. */
struct child {
    pid_t pid;
    pid_t supervisor;
    pid_t server;
    char dir[256];
};

static _Noreturn void be_child(int out)
{
    const struct pg_options options = {0};
    struct pg_target *target = NULL;
    struct error err;
    struct child told = {.pid = getpid()};
    if (pg_target_open(&options, &target, &err)) {
        told.supervisor = target->server.supervisor.pid;
        told.server = server_pid(target->server.socket_dir);
        (void)snprintf(told.dir, sizeof told.dir, "%s", target->server.socket_dir);
    }
    ssize_t ignored = write(out, &told, sizeof told);
    (void)ignored;
    for (;;) {
        pause();
    }
}

static struct child start_child(void)
{
    struct child child = {0};
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        setpgid(0, 0);
        signal(SIGINT, SIG_DFL);
        be_child(ends[1]);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &child, sizeof child), sizeof child);
    close(ends[0]);
    assert_true(exists(child.dir));
    assert_true(is_running(child.server));
    return child;
}

static void killed_by(int signal_number)
{
    struct child child = start_child();
    /* To the whole process group, as a terminal does it. */
    assert_int_equal(kill(-child.pid, signal_number), 0);
    assert_int_equal(waitpid(child.pid, NULL, 0), child.pid);
    ASSERT_SOON(!exists(child.dir));
    ASSERT_SOON(!is_running(child.server));
    ASSERT_SOON(!is_running(child.supervisor));
}

static void killed(void **state)
{
    (void)state;
    killed_by(SIGKILL);
    killed_by(SIGINT);
    killed_by(SIGTERM);
    killed_by(SIGHUP);
}

/* Even the supervisor is killed: the kernel ends the server, the next start removes the files. */
static void supervisor_killed(void **state)
{
    const struct pg_options options = {0};
    (void)state;
    struct child child = start_child();
    assert_int_equal(kill(child.supervisor, SIGKILL), 0);
    ASSERT_SOON(!is_running(child.server));
    assert_int_equal(kill(-child.supervisor, SIGKILL), 0); /* what it has started */
    assert_true(exists(child.dir));
    pg_target_close(open_target(&options));
    assert_true(exists(child.dir)); /* its owner lives */
    assert_int_equal(kill(child.pid, SIGKILL), 0);
    assert_int_equal(waitpid(child.pid, NULL, 0), child.pid);
    pg_target_close(open_target(&options));
    assert_false(exists(child.dir));
}

/* A supervisor that is slow to notice keeps its lock, so its directory is not swept. */
static void supervisor_slow(void **state)
{
    struct os_user user;
    struct error err;
    (void)state;
    assert_true(os_user_for_server(&user, &err));
    struct child child = start_child();
    assert_int_equal(kill(-child.supervisor, SIGSTOP), 0);
    assert_int_equal(kill(child.pid, SIGKILL), 0);
    assert_int_equal(waitpid(child.pid, NULL, 0), child.pid);
    run_dir_sweep(&user);
    assert_true(exists(child.dir)); /* the supervisor holds the lock */
    assert_int_equal(kill(-child.supervisor, SIGCONT), 0);
    ASSERT_SOON(!exists(child.dir));
    ASSERT_SOON(!is_running(child.server));
}

/* A server that is stopped right after its start does not ignore the signal, which would cost the
 * five seconds before it is killed. */
static void supervisor_stopped_at_once(void **state)
{
    static const char *const argv[] = {"/bin/sleep", "1000", NULL};
    struct os_user user;
    struct error err;
    (void)state;
    assert_true(os_user_for_server(&user, &err));
    for (int i = 0; i < 30; i++) {
        char dir[] = "/tmp/pgfsm-test.XXXXXX";
        char log[64];
        assert_non_null(mkdtemp(dir));
        (void)snprintf(log, sizeof log, "%s/log", dir);
        int lock = open(dir, O_RDONLY | O_CLOEXEC);
        const struct kept_server server = {
            .argv = argv, .user = &user, .log = log, .dir = dir, .lock = lock};
        struct supervisor supervisor;
        assert_true(supervisor_start(&server, &supervisor, &err));
        int64_t before = clock_ms();
        supervisor_stop(&supervisor);
        assert_true(clock_ms() - before < 5000);
        assert_false(exists(dir));
        close(lock);
    }
}

static void no_programs(void **state)
{
    struct pg_target *target = NULL;
    struct error err;
    const struct pg_options options = {.bindir = "/nonexistent"};
    (void)state;
    assert_false(pg_target_open(&options, &target, &err));
    assert_null(target);
    assert_int_equal(err.code, ERROR_SYSTEM);
    assert_string_equal(err.message,
                        "there is no PostgreSQL server (postgres, initdb) in /nonexistent");
}

/* Runs `body` in a child with its own environment; true if it ended with status 0. */
static bool in_child(void (*body)(const char *dir), const char *dir)
{
    pid_t pid = fork();
    if (pid == 0) {
        body(dir);
        _exit(0);
    }
    int status = 1;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status == 0;
}

static void expect(bool condition)
{
    if (!condition) {
        _exit(1);
    }
}

static void open_and_close(void)
{
    const struct pg_options options = {0};
    struct pg_target *target = NULL;
    struct error err;
    bool open = pg_target_open(&options, &target, &err);
    if (!open) {
        print_error("%s\n%s\n", err.message, err.detail);
    }
    expect(open && pg_target_is_embedded(target));
    pg_target_close(target);
}

static char *entry_of(const char *cache, char *out, size_t size)
{
    DIR *dir = opendir(cache);
    const struct dirent *entry = NULL;
    out[0] = '\0';
    while (dir && (entry = readdir(dir))) {
        if (strncmp(entry->d_name, "data-", 5) == 0) {
            (void)snprintf(out, size, "%s/%s", cache, entry->d_name);
        }
    }
    if (dir) {
        closedir(dir);
    }
    return out;
}

/* Creates an entry, replaces a damaged one, and works without a cache if it can't be written. */
static void use_cache(const char *dir)
{
    char cache[300];
    char entry[600];
    char path[700];
    struct stat info;
    setenv("XDG_CACHE_HOME", dir, 1);
    (void)snprintf(cache, sizeof cache, "%s/pgfsm", dir);
    open_and_close();
    expect(*entry_of(cache, entry, sizeof entry) != '\0');
    expect(truncate(entry, 1000000) == 0);
    open_and_close();
    expect(stat(entry, &info) == 0 && info.st_size > 1000000);
    (void)snprintf(path, sizeof path, "%s/nowhere", entry);
    setenv("XDG_CACHE_HOME", path, 1);
    open_and_close();
}

static void cache(void **state)
{
    char dir[] = "/tmp/pgfsm-test.XXXXXX";
    (void)state;
    assert_non_null(mkdtemp(dir));
    assert_true(in_child(use_cache, dir));
    char command[64];
    (void)snprintf(command, sizeof command, "rm -rf %s", dir);
    assert_int_equal(system(command), 0);
}

/* As a user who is not root and has no home. */
static void be_nobody(const char *dir)
{
    (void)dir;
    const struct passwd *nobody = getpwnam("nobody");
    expect(nobody != NULL);
    expect(setgroups(0, NULL) == 0 && setgid(nobody->pw_gid) == 0 && setuid(nobody->pw_uid) == 0);
    setenv("HOME", "/nonexistent", 1);
    open_and_close();
}

static void not_root(void **state)
{
    (void)state;
    if (geteuid() != 0) {
        skip();
    }
    assert_true(in_child(be_nobody, NULL));
}

/* A TMPDIR that leaves no room for a socket's name, or that the server's user can't reach. */
static void use_tmpdir(const char *dir)
{
    char path[512];
    int used = snprintf(path, sizeof path, "%s", dir);
    setenv("TMPDIR", dir, 1);
    expect(chmod(dir, 0700) == 0);
    open_and_close();
    while (used < 110) {
        used += snprintf(path + used, sizeof path - (size_t)used, "/a-long-name");
        expect(mkdir(path, 0755) == 0);
    }
    setenv("TMPDIR", path, 1);
    open_and_close();
}

static void tmpdir(void **state)
{
    char dir[] = "/tmp/pgfsm-test.XXXXXX";
    (void)state;
    assert_non_null(mkdtemp(dir));
    assert_true(in_child(use_tmpdir, dir));
    char command[64];
    (void)snprintf(command, sizeof command, "rm -rf %s", dir);
    assert_int_equal(system(command), 0);
}

/* --wait: the server starts before the second attempt. */
struct late {
    char link[64];
    bool made;
};

static bool make_late(void *host)
{
    struct late *late = host;
    if (!late->made) {
        late->made = symlink(fixture_target->server.socket_dir, late->link) == 0;
    }
    return false;
}

static void wait_for_server(void **state)
{
    char dir[] = "/tmp/pgfsm-test.XXXXXX";
    struct late late = {0};
    struct error err;
    struct pg_target *target = NULL;
    (void)state;
    assert_non_null(mkdtemp(dir));
    (void)snprintf(late.link, sizeof late.link, "%s/s", dir);
    struct pg_options options = {
        .host = late.link,
        .user = "postgres",
        .dbname = "template1",
        .interrupted = make_late,
        .hook = &late,
    };
    /* Without --wait, there is only one attempt. */
    assert_false(pg_target_open(&options, &target, &err));
    assert_int_equal(err.code, ERROR_CONNECTION);
    assert_non_null(strstr(err.message, "could not reach the database"));
    assert_false(late.made);
    options.wait_ms = PATIENCE_MS;
    target = open_target(&options);
    assert_true(late.made);
    pg_target_close(target);
    /* Errors that waiting can't fix are reported at once. */
    options.dbname = "no such database";
    int64_t before = clock_ms();
    assert_false(pg_target_open(&options, &target, &err));
    assert_true(clock_ms() - before < PATIENCE_MS);
    assert_string_equal(err.sqlstate, "3D000");
    assert_int_equal(unlink(late.link), 0);
    assert_int_equal(rmdir(dir), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terminated),
        cmocka_unit_test(terminated_between_statements),
        cmocka_unit_test(copy_with_the_client),
        cmocka_unit_test(server_killed),
        cmocka_unit_test(interrupt),
        cmocka_unit_test(interrupt_psql),
        cmocka_unit_test(killed),
        cmocka_unit_test(supervisor_killed),
        cmocka_unit_test(supervisor_slow),
        cmocka_unit_test(supervisor_stopped_at_once),
        cmocka_unit_test(no_programs),
        cmocka_unit_test(cache),
        cmocka_unit_test(not_root),
        cmocka_unit_test(tmpdir),
        cmocka_unit_test(wait_for_server),
    };
    return cmocka_run_group_tests(tests, fixture_start, fixture_stop);
}
