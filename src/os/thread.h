/* Threads that run examples. */
#ifndef OS_THREAD_H
#define OS_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Starts one, with a stack for the deepest model code. It gets no signals: these are for the thread
 * that runs the command line, which tells others by its callback. */
bool thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg);

#endif
