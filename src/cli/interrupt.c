#include "cli/interrupt.h"

#include "cli/command.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t asked;

static void on_signal(int number)
{
    (void)number;
    if (asked) {
        _exit(STATUS_INTERRUPTED);
    }
    asked = 1;
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
    (void)signal(SIGPIPE, SIG_IGN);
}

bool interrupt_asked(void) { return asked != 0; }
