#include "pg/server/supervisor.h"

#include "os/platform.h"
#include "os/wait.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The supervisor's descriptors, which supervisor_script names. */
enum { FD_CONTROL = 3, FD_REPORT, FD_LOCK, FD_LIFE_READ, FD_LIFE_WRITE, FD_END };
/* The server's end of the pipe that tells when its last process is gone. */
enum { FD_SERVER_LIFE = 3 };
enum { PID_SIZE = 24 };

/* What the supervisor is: $1 is the server's process, its child; $2 the run directory. Two readers
 * say which pipe ends first. A server that does not heed SIGQUIT in 5 seconds is killed, and waited
 * for no longer than 2 more. ALRM ends that clock: signals that are ignored, as those of the
 * terminal are here, can't be caught by a shell. */
static const char supervisor_script[] =
    "{ { read -r _ <&3; echo stop; } & { read -r _ <&6; echo ended; } & wait; } | {\n"
    "  read -r first\n"
    "  if [ \"$first\" = ended ]; then\n"
    "    echo >&4\n"
    "  else\n"
    "    ( trap 'kill -KILL \"$nap\"; exit' ALRM\n"
    "      sleep 5 & nap=$!; wait \"$nap\"; kill -KILL \"$1\"; sleep 2; kill -ALRM \"$$\" ) &\n"
    "    clock=$!\n"
    "    kill -QUIT \"$1\"\n"
    "  fi\n"
    "  read -r second\n"
    "  [ -z \"${clock-}\" ] || kill -ALRM \"$clock\"\n"
    "  rm -rf -- \"$2\"\n"
    "  rm -f -- \"/dev/shm/faketime_shm_$1\" \"/dev/shm/sem.faketime_sem_$1\"\n"
    "} 2>/dev/null";

/* What the processes need, made before the first fork: behind it a process whose other threads are
 * gone may call only what is safe in a signal handler (signal-safety(7)), up to exec. */
struct plan {
    const struct kept_server *server;
    const char *const *env;            /* of the server */
    const char *const *supervisor_env; /* of the shell */
    const char *supervisor_argv[8];
    char pid[PID_SIZE]; /* the server's, in digits; one of supervisor_argv */
    int control;
    int report;
    int life[2];
    sigset_t none;
};

/* execve's arguments are not const, for historical reasons. */
static void exec_program(const char *const *argv, const char *const *env)
{
    union {
        const char *const *in;
        char *const *out;
    } arguments = {argv}, environment = {env};
    execve(argv[0], arguments.out, environment.out);
}

/* Moves descriptors to FD_CONTROL and following; all others but 0 to 2 are closed. */
static bool place_fds(const int *fds, int count)
{
    int high[FD_END];
    for (int i = 0; i < count; i++) {
        high[i] = fcntl(fds[i], F_DUPFD, FD_END + 16);
        if (high[i] < 0) {
            return false;
        }
    }
    for (int i = 0; i < count; i++) {
        if (dup2(high[i], FD_CONTROL + i) < 0) {
            return false;
        }
    }
    close_from(FD_CONTROL + count);
    return true;
}

static void use_no_terminal(void)
{
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; null >= 0 && fd <= STDERR_FILENO; fd++) {
        dup2(null, fd);
    }
    if (null > STDERR_FILENO) {
        close(null);
    }
}

/* A signal that was sent meanwhile waits until it is no longer ignored. */
static void hear_signals(const struct plan *plan)
{
    for (int signal_number = 1; signal_number < NSIG; signal_number++) {
        signal(signal_number, SIG_DFL);
    }
    sigprocmask(SIG_SETMASK, &plan->none, NULL);
}

static _Noreturn void run_server(const struct plan *plan, pid_t supervisor)
{
    const struct kept_server *server = plan->server;
    int life = fcntl(FD_LIFE_WRITE, F_DUPFD, FD_END);
    hear_signals(plan);
    if (os_user_become(server->user) && die_with_parent(supervisor, SIGQUIT)) {
        /* As the user whose directory it is: whatever that user made of the name. */
        int log = open(server->log, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0600);
        dup2(log, STDOUT_FILENO);
        dup2(log, STDERR_FILENO);
        dup2(life, FD_SERVER_LIFE);
        close_from(FD_SERVER_LIFE + 1);
        exec_program(server->argv, plan->env);
        static const char reason[] = "the program could not be run\n";
        ssize_t ignored = write(STDERR_FILENO, reason, sizeof reason - 1);
        (void)ignored;
    }
    _exit(127);
}

static void write_number(char *out, pid_t number)
{
    char digits[PID_SIZE];
    size_t count = 0;
    for (long rest = (long)number; count == 0 || rest > 0; rest /= 10) {
        digits[count++] = (char)('0' + rest % 10);
    }
    for (size_t i = 0; i < count; i++) {
        out[i] = digits[count - 1 - i];
    }
    out[count] = '\0';
}

/* The supervisor, up to exec: the server is its child, and stays so. */
static _Noreturn void run_supervisor(struct plan *plan)
{
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGUSR1, SIGUSR2};
    const int fds[] = {plan->control, plan->report, plan->server->lock, plan->life[0],
                       plan->life[1]};
    pid_t self = getpid();
    setsid();
    use_no_terminal();
    pid_t server = place_fds(fds, FD_END - FD_CONTROL) && chdir("/") == 0 ? fork() : -1;
    if (server == 0) {
        run_server(plan, self);
    }
    close(FD_LIFE_WRITE);
    if (server > 0) {
        write_number(plan->pid, server);
        for (int signal_number = 1; signal_number < NSIG; signal_number++) {
            signal(signal_number, SIG_DFL);
        }
        for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++) {
            signal(ignored[i], SIG_IGN);
        }
        sigprocmask(SIG_SETMASK, &plan->none, NULL);
        exec_program(plan->supervisor_argv, plan->supervisor_env);
    }
    _exit(127); /* the kernel ends the server */
}

static void make_plan(struct plan *plan, const struct kept_server *server, struct arena *arena)
{
    const char *path = getenv("PATH");
    const char *const argv[] = {"/bin/sh",   "-c", supervisor_script, "pgfsm-supervisor", plan->pid,
                                server->dir, NULL};
    const char **env = ARENA_ARRAY(arena, const char *, 2);
    env[0] = arena_printf(arena, "PATH=%s", path ? path : "/usr/bin:/bin");
    *plan = (struct plan){
        .server = server,
        .env = env_for_server(arena, server->env, server->env_count),
        .supervisor_env = env,
        .life = {-1, -1},
    };
    memcpy(plan->supervisor_argv, argv, sizeof argv);
    sigemptyset(&plan->none);
}

/* No signal reaches the child before it is ready for it. */
static pid_t fork_deaf(struct plan *plan)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t pid = fork();
    if (pid == 0) {
        run_supervisor(plan);
    }
    int saved = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = saved;
    return pid;
}

static void close_ends(int ends[2])
{
    for (int i = 0; i < 2; i++) {
        if (ends[i] >= 0) {
            close(ends[i]);
        }
    }
}

bool supervisor_start(const struct kept_server *server, struct supervisor *out, struct error *err)
{
    int control[2] = {-1, -1};
    int report[2] = {-1, -1};
    struct arena arena = {0};
    struct plan plan;
    make_plan(&plan, server, &arena);
    *out = (struct supervisor){.control = -1, .report = -1};
    pid_t pid = -1;
    if (pipe_open(control) && pipe_open(report) && pipe_open(plan.life)) {
        plan.control = control[0];
        plan.report = report[1];
        pid = fork_deaf(&plan);
    }
    if (pid > 0) {
        *out = (struct supervisor){.pid = pid, .control = control[1], .report = report[0]};
        control[1] = report[0] = -1;
    } else {
        error_set(err, ERROR_SYSTEM, "could not start a process: %s", strerror(errno));
    }
    close_ends(control);
    close_ends(report);
    close_ends(plan.life);
    arena_free(&arena);
    return pid > 0;
}

bool supervisor_server_ended(const struct supervisor *supervisor)
{
    struct pollfd report = {.fd = supervisor->report, .events = POLLIN};
    return wait_for(&report, 1, clock_ms(), &no_hooks) == WAIT_READY;
}

void supervisor_stop(struct supervisor *supervisor)
{
    if (supervisor->pid == 0) {
        return;
    }
    close(supervisor->control);
    while (waitpid(supervisor->pid, NULL, 0) < 0 && errno == EINTR) {
    }
    close(supervisor->report);
    *supervisor = (struct supervisor){.control = -1, .report = -1};
}
