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

/* The shell may have taken the terminal back by now. Then SIGTTOU would stop the program here, and
 * the signal that is being handled would stop it once more. */
void keyboard_restore(void)
{
    sigset_t only;
    sigset_t mask;
    if (changed) {
        changed = 0;
        sigemptyset(&only);
        sigaddset(&only, SIGTTOU);
        (void)sigprocmask(SIG_BLOCK, &only, &mask);
        (void)tcsetattr(STDIN_FILENO, TCSANOW, &before);
        (void)sigprocmask(SIG_SETMASK, &mask, NULL);
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

/* The shell that continues the program sets the terminal, too. So this looks at the terminal's
 * actual settings. */
bool keyboard_on(void)
{
    struct termios now;
    if (ended || tcgetpgrp(STDIN_FILENO) != getpgrp() || tcgetattr(STDIN_FILENO, &now) != 0) {
        return false;
    }
    bool lines = now.c_lflag & ICANON;
    if (lines || !saved) { /* continued by no shell, it is still as we set it */
        before = now;
        saved = true;
    }
    if (lines || !changed) {
        now.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
        now.c_cc[VMIN] = 1;
        now.c_cc[VTIME] = 0;
        changed = 1;
        (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &now);
    }
    return true;
}

int keyboard_read(void)
{
    unsigned char key = 0;
    ended = read(STDIN_FILENO, &key, 1) <= 0;
    return key;
}
