/*
 * The simulated clock of an embedded server. The server runs under libfaketime, whose file in the
 * server's folder holds the time: there the clock stands until the file is written again.
 *
 * Every question for the time reads that file. Nothing is cached, and monotonic clocks, which the
 * server waits by, are left alone. It is the library without locks: the server asks for the time in
 * signal handlers, too.
 */
#ifndef PG_FAKETIME_H
#define PG_FAKETIME_H

#include "os/process.h"

#include <stdint.h>

struct faketime {
    const char *preload; /* the library */
    const char *path;    /* of the file */
    int file;            /* -1: none */
};

enum { FAKETIME_CHANGES = 9 };

/* Finds the library. If it is not installed: NULL in `*out`, and a hint. */
bool faketime_find(struct arena *arena, const char **out, struct error *err);
/* Makes the file, for the server's user, with the time in it: microseconds since 2000-01-01 UTC. */
bool faketime_make(struct faketime *faketime, const char *dir, const struct os_user *user,
                   int64_t now_us, struct arena *arena, struct error *err);
/* Writes another time. */
bool faketime_set(const struct faketime *faketime, int64_t now_us, struct error *err);
/* How the environment of the server differs from others'; returns how many changes there are. */
size_t faketime_env(const struct faketime *faketime, struct env_change out[FAKETIME_CHANGES]);
/* Closes the file. */
void faketime_close(struct faketime *faketime);

#endif
