#include "cli/interrupt.h"

#include "cli/command.h"
#include "cli/keyboard.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

/* Atomic, and free of locks: all connections' threads ask for it. */
static atomic_int asked;
static atomic_int
    ended; /* standard input; Ctrl-C often ends it, too, and is no second signal then */
static_assert(ATOMIC_INT_LOCK_FREE == 2, "a signal handler may set what is free of locks alone");

static void on_signal(int number)
{
    (void)number;
    if (atomic_exchange(&asked, 1)) {
        keyboard_restore();
        _exit(STATUS_INTERRUPTED);
    }
}

static void on_end(int number)
{
    (void)number;
    atomic_store(&ended, 1);
}

void interrupt_setup(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    /* Without SA_RESTART: what waits for a server is woken. */
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction before;
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
            (void)sigaction(numbers[i], &action, NULL);
        }
    }
    /* A reader that went away and a file that may not grow are errors of the write. */
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN);
}

bool interrupt_asked(void) { return atomic_load(&asked) != 0 || atomic_load(&ended) != 0; }

static void *read_input(void *unused)
{
    char bytes[256];
    ssize_t count;
    do {
        count = read(STDIN_FILENO, bytes, sizeof bytes);
    } while (count > 0 || (count < 0 && errno == EINTR));
    (void)kill(getpid(), SIGUSR1); /* wakes what waits for a server */
    return unused;
}

void interrupt_at_end_of_input(void)
{
    const struct sigaction action = {.sa_handler = on_end};
    sigset_t all;
    sigset_t before;
    pthread_t thread;
    (void)sigaction(SIGUSR1, &action, NULL);
    sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, &before); /* signals are for the other threads */
    if (pthread_create(&thread, NULL, read_input, NULL) == 0) {
        (void)pthread_detach(thread);
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}
