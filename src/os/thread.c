#include "os/thread.h"

#include <signal.h>

enum { STACK_SIZE = 16 << 20 /* more than the deepest model code needs */ };

bool thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg)
{
    sigset_t all;
    sigset_t before;
    pthread_attr_t attributes;
    (void)sigfillset(&all);
    if (pthread_attr_init(&attributes) != 0) {
        return false;
    }
    (void)pthread_attr_setstacksize(&attributes, STACK_SIZE);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(thread, &attributes, run, arg) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    (void)pthread_attr_destroy(&attributes);
    return started;
}
