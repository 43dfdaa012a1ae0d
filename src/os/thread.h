/* Threads that run examples. */
#ifndef OS_THREAD_H
#define OS_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Starts a thread with a stack for the deepest model code. The thread gets no signals: the thread
 * of the command line handles them, and its callback tells the others. */
bool thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg);

#endif
