#include "cli/keyboard.h"

#include <signal.h>
#include <stddef.h>
#include <termios.h>
#include <unistd.h>

static struct termios before;
static bool saved;                    /* `before` has been read */
static volatile sig_atomic_t changed; /* the terminal has other settings than `before` */
static bool ended;                    /* nobody can press a key any more */

static const int numbers[] = {SIGTSTP, SIGQUIT, SIGCONT};
enum { NUMBERS = sizeof numbers / sizeof *numbers };
static struct sigaction actions[NUMBERS]; /* those of before */

void keyboard_restore(void)
{
    if (changed) {
        changed = 0;
        (void)tcsetattr(STDIN_FILENO, TCSANOW, &before);
    }
}

/* Gives the terminal back, then lets the signal do what it does without us. */
static void on_signal(int number)
{
    struct sigaction standard = {.sa_handler = SIG_DFL};
    struct sigaction own;
    sigset_t only;
    sigset_t mask;
    keyboard_restore();
    (void)sigaction(number, &standard, &own);
    (void)raise(number);
    sigemptyset(&only);
    sigaddset(&only, number);
    (void)sigprocmask(SIG_UNBLOCK, &only, &mask); /* it stops or ends here */
    (void)sigprocmask(SIG_SETMASK, &mask, NULL);
    (void)sigaction(number, &own, NULL);
}

/* A shell sets the terminal for itself while a job of it is stopped. */
static void on_continued(int number)
{
    (void)number;
    changed = 0;
}

void keyboard_begin(void)
{
    for (size_t i = 0; i < NUMBERS; i++) {
        struct sigaction action = {.sa_handler = numbers[i] == SIGCONT ? on_continued : on_signal};
        sigemptyset(&action.sa_mask);
        (void)sigaction(numbers[i], &action, &actions[i]);
    }
}

void keyboard_end(void)
{
    keyboard_restore();
    for (size_t i = 0; i < NUMBERS; i++) {
        (void)sigaction(numbers[i], &actions[i], NULL);
    }
}

bool keyboard_on(void)
{
    if (ended || tcgetpgrp(STDIN_FILENO) != getpgrp()) {
        return false;
    }
    struct termios wanted;
    if (!changed && tcgetattr(STDIN_FILENO, &wanted) == 0) {
        /* continued by no shell, it is still as we set it */
        if (!saved || (wanted.c_lflag & ICANON)) {
            before = wanted;
            saved = true;
        }
        wanted.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
        wanted.c_cc[VMIN] = 1;
        wanted.c_cc[VTIME] = 0;
        changed = 1;
        (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &wanted);
    }
    return changed;
}

int keyboard_read(void)
{
    unsigned char key = 0;
    ended = read(STDIN_FILENO, &key, 1) <= 0;
    return key;
}
