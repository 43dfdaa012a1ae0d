#include "os/process.h"

#include "os/platform.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { EXIT_NOT_RUN = 127, GRACE_MS = 3000, GRACE_TIDY_MS = 60000, PIPE_SIZE = 4096 };

bool os_user_for_server(struct os_user *out, struct error *err)
{
    static const char *const names[] = {"postgres", "nobody"};
    *out = (struct os_user){0};
    if (geteuid() != 0) {
        return true;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct passwd *entry = getpwnam(names[i]);
        if (entry && entry->pw_uid != 0) {
            *out = (struct os_user){.other = true, .uid = entry->pw_uid, .gid = entry->pw_gid};
            return true;
        }
    }
    error_set(err, ERROR_SYSTEM,
              "PostgreSQL does not run as root, and there is no user postgres or nobody");
    return error_hint(err, "run pgfsm as another user, create the user postgres (useradd --system "
                           "postgres), or name a server with -d");
}

bool os_user_become(const struct os_user *user)
{
    return !user->other ||
           (setgroups(1, &user->gid) == 0 && setgid(user->gid) == 0 && setuid(user->uid) == 0);
}

/* Prepares a child before exec: default signal handling, no blocked signals, its own session, and
 * only the descriptors 0, 1 and 2. Pending signals take effect when they are unblocked. */
static void detach(void)
{
    sigset_t none;
    sigemptyset(&none);
    setsid();
    for (int signal_number = 1; signal_number < NSIG; signal_number++) {
        signal(signal_number, SIG_DFL);
    }
    sigprocmask(SIG_SETMASK, &none, NULL);
    close_from(STDERR_FILENO + 1);
}

/* Both ends of the three pipes of a child: [0] to read from, [1] to write to. */
struct pipes {
    int input[2];
    int output[2];
    int errors[2];
};

static void close_fd(int *fd)
{
    if (*fd >= 0) {
        close(*fd);
        *fd = -1;
    }
}

static void pipes_close(struct pipes *pipes)
{
    for (int i = 0; i < 2; i++) {
        close_fd(&pipes->input[i]);
        close_fd(&pipes->output[i]);
        close_fd(&pipes->errors[i]);
    }
}

/* An unnamed file, for input that does not fit into a pipe. */
static int file_of(const char *text, size_t size)
{
    FILE *file = tmpfile();
    bool written = file && fwrite(text, 1, size, file) == size && fflush(file) == 0;
    if (written) {
        rewind(file);
    }
    int fd = written ? fcntl(fileno(file), F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1;
    if (file) {
        (void)fclose(file);
    }
    return fd;
}

/* Opens the pipes, and puts the input into its pipe or into a file. */
static bool pipes_open(struct pipes *pipes, const char *input)
{
    *pipes = (struct pipes){{-1, -1}, {-1, -1}, {-1, -1}};
    if (!pipe_open(pipes->input) || !pipe_open(pipes->output) || !pipe_open(pipes->errors)) {
        return false;
    }
    size_t size = input ? strlen(input) : 0;
    bool written = true;
    if (size > PIPE_SIZE) {
        close_fd(&pipes->input[0]);
        pipes->input[0] = file_of(input, size);
        written = pipes->input[0] >= 0;
    } else if (size > 0) {
        written = write(pipes->input[1], input, size) == (ssize_t)size;
    }
    close_fd(&pipes->input[1]);
    return written;
}

/* The child, up to exec. It reports errors on its standard error. */
static _Noreturn void run_child(const struct process *process, const struct pipes *pipes,
                                pid_t parent)
{
    dup2(pipes->input[0], STDIN_FILENO);
    dup2(pipes->output[1], STDOUT_FILENO);
    dup2(pipes->errors[1], STDERR_FILENO);
    detach();
    if (os_user_become(process->user) && die_with_parent(parent, SIGTERM) &&
        (!process->dir || chdir(process->dir) == 0)) {
        union {
            const char *const *in;
            char *const *out;
        } argv = {process->argv}, env = {process->env};
        execve(process->argv[0], argv.out, process->env ? env.out : environ);
    }
    const char *reason = strerror(errno);
    ssize_t ignored = write(STDERR_FILENO, reason, strlen(reason));
    (void)ignored;
    _exit(EXIT_NOT_RUN);
}

/* Appends what can be read; false at the end of the stream. Of long output, keeps the end. */
static bool read_some(int fd, struct strbuf *out)
{
    char chunk[8192];
    ssize_t size = read(fd, chunk, sizeof chunk);
    if (size < 0) {
        return errno == EINTR || errno == EAGAIN;
    }
    if (out->size > (size_t)PROCESS_OUTPUT_MAX * 2) {
        size_t drop = out->size - PROCESS_OUTPUT_MAX;
        memmove(out->data, out->data + drop, PROCESS_OUTPUT_MAX);
        strbuf_truncate(out, PROCESS_OUTPUT_MAX);
    }
    strbuf_add(out, chunk, (size_t)size);
    return size > 0;
}

static int status_of(int wait_status)
{
    return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

/* Reads both streams until they end, the deadline passes or the user interrupts. */
static enum wait_result read_streams(struct pipes *pipes, struct process_result *out,
                                     int64_t deadline_ms, const struct hooks *hooks)
{
    while (pipes->output[0] >= 0 || pipes->errors[0] >= 0) {
        struct pollfd fds[] = {{.fd = pipes->output[0], .events = POLLIN},
                               {.fd = pipes->errors[0], .events = POLLIN}};
        enum wait_result result = wait_for(fds, 2, deadline_ms, hooks);
        if (result != WAIT_READY) {
            return result;
        }
        if (fds[0].revents && !read_some(pipes->output[0], &out->output)) {
            close_fd(&pipes->output[0]);
        }
        if (fds[1].revents && !read_some(pipes->errors[0], &out->errors)) {
            close_fd(&pipes->errors[0]);
        }
    }
    return WAIT_READY;
}

/* Blocks signals in the child until it has reset the handlers; otherwise ours would run there. */
static pid_t fork_deaf(void)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t pid = fork();
    int why = errno;
    if (pid != 0) {
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    errno = why;
    return pid;
}

/* Signals the child and its children, or the child alone while it has no group of its own. */
static void signal_group(pid_t pid, int signal_number)
{
    if (kill(-pid, signal_number) != 0) {
        kill(pid, signal_number);
    }
}

/* Asks the child to end, then kills it. */
static void end_child(pid_t pid, const struct process *process, struct pipes *pipes,
                      struct process_result *out)
{
    int64_t grace_ms = process->tidy ? GRACE_TIDY_MS : GRACE_MS;
    if (process->tidy) {
        kill(pid, SIGTERM);
    } else {
        signal_group(pid, SIGTERM);
    }
    if (read_streams(pipes, out, clock_ms() + grace_ms, &no_hooks) != WAIT_READY) {
        signal_group(pid, SIGKILL);
    }
}

bool process_run(const struct process *process, const struct hooks *hooks,
                 struct process_result *out, struct error *err)
{
    assert(process->argv != NULL && process->argv[0] != NULL);
    assert(process->user != NULL && hooks != NULL);
    struct pipes pipes;
    pid_t parent = getpid();
    *out = (struct process_result){0};
    if (!pipes_open(&pipes, process->input)) {
        error_set(err, ERROR_SYSTEM, "could not open pipes: %s", strerror(errno));
        pipes_close(&pipes);
        return false;
    }
    pid_t pid = fork_deaf();
    if (pid < 0) {
        error_set(err, ERROR_SYSTEM, "could not run %s: %s", process->argv[0], strerror(errno));
        pipes_close(&pipes);
        return false;
    }
    if (pid == 0) {
        run_child(process, &pipes, parent);
    }
    close_fd(&pipes.input[0]);
    close_fd(&pipes.output[1]);
    close_fd(&pipes.errors[1]);
    enum wait_result result = read_streams(&pipes, out, NO_DEADLINE, hooks);
    if (result != WAIT_READY) {
        end_child(pid, process, &pipes, out);
    }
    pipes_close(&pipes);
    int wait_status = 0;
    while (waitpid(pid, &wait_status, 0) < 0 && errno == EINTR) {
    }
    out->status = status_of(wait_status);
    if (result == WAIT_INTERRUPTED) {
        return error_interrupted(err);
    }
    if (out->status == EXIT_NOT_RUN) {
        return error_set(err, ERROR_SYSTEM, "could not run %s: %s", process->argv[0],
                         strbuf_text(&out->errors));
    }
    return true;
}

void process_result_free(struct process_result *result)
{
    strbuf_free(&result->output);
    strbuf_free(&result->errors);
}

static bool is_changed(const char *entry, const struct env_change *changes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t size = strlen(changes[i].name);
        if (strncmp(entry, changes[i].name, size) == 0 && entry[size] == '=') {
            return true;
        }
    }
    return false;
}

/* The environment with the changes, and for our own server without PostgreSQL's variables. */
static const char *const *make_env(struct arena *arena, const struct env_change *changes,
                                   size_t count, bool for_server)
{
    assert(changes != NULL || count == 0);
    VEC(const char *) env = {0};
    for (char **entry = environ; *entry; entry++) {
        if (!is_changed(*entry, changes, count) && !(for_server && strncmp(*entry, "PG", 2) == 0)) {
            *VEC_PUSH(arena, &env) = *entry;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (changes[i].value) {
            *VEC_PUSH(arena, &env) =
                arena_printf(arena, "%s=%s", changes[i].name, changes[i].value);
        }
    }
    (void)VEC_PUSH(arena, &env);
    return env.items;
}

const char *const *env_changed(struct arena *arena, const struct env_change *changes, size_t count)
{
    return make_env(arena, changes, count, false);
}

const char *const *env_for_server(struct arena *arena, const struct env_change *changes,
                                  size_t count)
{
    return make_env(arena, changes, count, true);
}
