/* To be preloaded: the n-th request for memory of the process fails, as if there were no more.
 *
 *     FAIL_ALLOCATION  n, from 1; 0: none
 *     FAIL_COUNT       a file that gets the number of requests when the process ends
 *
 * Children are spared, and so is GMP, which ends the process: its numbers are bounded instead. Not
 * for programs with AddressSanitizer, which has an allocator of its own. */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The real ones, of glibc. */
void *__libc_malloc(size_t size);               /* NOLINT(bugprone-reserved-identifier) */
void *__libc_calloc(size_t count, size_t size); /* NOLINT(bugprone-reserved-identifier) */
void *__libc_realloc(void *old, size_t size);   /* NOLINT(bugprone-reserved-identifier) */

static atomic_ulong requests;
static unsigned long fail_at;
static pid_t counted; /* the process; 0: not yet, or no more */

__attribute__((constructor)) static void begin(void)
{
    const char *number = getenv("FAIL_ALLOCATION");
    fail_at = number ? strtoul(number, NULL, 10) : 0;
    (void)unsetenv("LD_PRELOAD");
    counted = getpid();
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("FAIL_COUNT");
    unsigned long count = atomic_load(&requests);
    FILE *file = path && counted == getpid() ? fopen(path, "we") : NULL;
    counted = 0;
    if (file) {
        (void)fprintf(file, "%lu\n", count);
        (void)fclose(file);
    }
}

static int is_gmp(void *caller)
{
    Dl_info info;
    return dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "libgmp");
}

static int fails(void *caller)
{
    if (counted == 0 || counted != getpid() || is_gmp(caller)) {
        return 0;
    }
    int now = atomic_fetch_add(&requests, 1) + 1 == fail_at;
    errno = now ? ENOMEM : errno;
    return now;
}

void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}
