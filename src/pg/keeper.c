#include "pg/keeper.h"

#include "pg/platform.h"
#include "pg/tree.h"
#include "pg/wait.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Where the keeper has its descriptors. */
enum { FD_CONTROL = 3, FD_REPORT, FD_LOCK, FD_LIFE_READ, FD_LIFE_WRITE, FD_END };
/* Where the server has the pipe that tells when its last process is gone. */
enum { FD_SERVER_LIFE = 3 };
enum { QUIT_MS = 5000, KILL_MS = 2000 };

static const struct hooks deaf = {0};

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

static _Noreturn void run_server(const struct kept_server *server, pid_t keeper)
{
    int log = open(server->log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    int life = fcntl(FD_LIFE_WRITE, F_DUPFD, FD_END);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    dup2(life, FD_SERVER_LIFE);
    close_from(FD_SERVER_LIFE + 1);
    for (int signal_number = 1; signal_number < NSIG; signal_number++) {
        signal(signal_number, SIG_DFL);
    }
    if (os_user_become(server->user) && die_with_parent(keeper, SIGQUIT) && chdir("/") == 0) {
        union {
            const char *const *in;
            char *const *out;
        } argv = {server->argv};
        execv(server->argv[0], argv.out);
    }
    const char *reason = strerror(errno);
    ssize_t ignored = write(STDERR_FILENO, reason, strlen(reason));
    (void)ignored;
    _exit(127);
}

/* Whether the server's last process ended before the deadline. */
static bool wait_for_end(int64_t deadline_ms)
{
    struct pollfd life = {.fd = FD_LIFE_READ, .events = POLLIN};
    return wait_for(&life, 1, deadline_ms, &deaf) == WAIT_READY;
}

/* Waits until either the server or the one who wanted it is gone. */
static void watch(pid_t server)
{
    struct pollfd fds[] = {{.fd = FD_CONTROL, .events = POLLIN},
                           {.fd = FD_LIFE_READ, .events = POLLIN}};
    wait_for(fds, 2, NO_DEADLINE, &deaf);
    if (!fds[0].revents) {
        ssize_t ignored = write(FD_REPORT, "e", 1);
        (void)ignored;
        wait_for(fds, 1, NO_DEADLINE, &deaf);
    }
    kill(server, SIGQUIT);
    if (!wait_for_end(clock_ms() + QUIT_MS)) {
        kill(server, SIGKILL);
        wait_for_end(clock_ms() + KILL_MS);
    }
    waitpid(server, NULL, WNOHANG);
}

static _Noreturn void run_keeper(const struct kept_server *server, int control, int report)
{
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGUSR1, SIGUSR2};
    int life[2];
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGCHLD, SIG_DFL);
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++) {
        signal(ignored[i], SIG_IGN);
    }
    setsid();
    use_no_terminal();
    if (pipe_open(life)) {
        const int fds[] = {control, report, server->lock, life[0], life[1]};
        pid_t self = getpid();
        pid_t pid = place_fds(fds, FD_END - FD_CONTROL) && chdir("/") == 0 ? fork() : -1;
        if (pid == 0) {
            run_server(server, self);
        }
        close(FD_LIFE_WRITE);
        if (pid > 0) {
            watch(pid);
        }
    }
    tree_remove(server->dir);
    _exit(0);
}

bool keeper_start(const struct kept_server *server, struct keeper *out, struct error *err)
{
    int control[2] = {-1, -1};
    int report[2] = {-1, -1};
    *out = (struct keeper){.control = -1, .report = -1};
    pid_t pid = pipe_open(control) && pipe_open(report) ? fork() : -1;
    if (pid == 0) {
        close(control[1]);
        run_keeper(server, control[0], report[1]);
    }
    if (pid < 0) {
        error_set(err, ERROR_SYSTEM, "could not start a process: %s", strerror(errno));
    }
    for (int i = 0; i < 2; i++) {
        int mine = i == 0 ? report[0] : control[1];
        int other = i == 0 ? control[0] : report[1];
        if (other >= 0) {
            close(other);
        }
        if (pid < 0 && mine >= 0) {
            close(mine);
        }
    }
    if (pid > 0) {
        *out = (struct keeper){.pid = pid, .control = control[1], .report = report[0]};
    }
    return pid > 0;
}

bool keeper_server_ended(const struct keeper *keeper)
{
    struct pollfd report = {.fd = keeper->report, .events = POLLIN};
    return wait_for(&report, 1, clock_ms(), &deaf) == WAIT_READY;
}

void keeper_stop(struct keeper *keeper)
{
    if (keeper->pid == 0) {
        return;
    }
    close(keeper->control);
    while (waitpid(keeper->pid, NULL, 0) < 0 && errno == EINTR) {
    }
    close(keeper->report);
    *keeper = (struct keeper){.control = -1, .report = -1};
}
