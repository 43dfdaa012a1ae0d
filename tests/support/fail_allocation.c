/* To be preloaded: the n-th request for memory of the process fails, as if there were no more.
 *
 *     FAIL_ALLOCATION  n, from 1; 0: none
 *     FAIL_SPAN        so many from there on fail; 1
 *     FAIL_IN          a function of a shared library: only requests under it count
 *     FAIL_COUNT       a file that gets the number of requests when the process ends
 *
 * Children are spared. So are GnuTLS, which Debian's libpq brings along, and what glibc sets up for
 * its first look at the users: version 2.36 crashes where it gets no memory for that.
 *
 * With AddressSanitizer, too, where that is a shared library:
 * ASAN_OPTIONS=verify_asan_link_order=0. */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <pwd.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The functions that would be called without this library. */
static void *(*next_malloc)(size_t size);
static void *(*next_calloc)(size_t count, size_t size);
static void *(*next_realloc)(void *old, size_t size);

/* `function`: one of the pointers above. */
static void find(void *function, const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    memcpy(function, &found, sizeof found);
}

static atomic_ulong requests;
static unsigned long fail_at;
static unsigned long fail_span;
static const char *fail_in; /* NULL: anywhere */
static pid_t counted;       /* the process; 0: not yet, or no more */

__attribute__((constructor)) static void begin(void)
{
    const char *number = getenv("FAIL_ALLOCATION");
    fail_at = number ? strtoul(number, NULL, 10) : 0;
    const char *span = getenv("FAIL_SPAN");
    fail_span = span ? strtoul(span, NULL, 10) : 1;
    (void)unsetenv("LD_PRELOAD");
    (void)getpwnam("root");
    void *frame;
    (void)backtrace(&frame, 1); /* loads what it needs: it may not ask for memory later */
    fail_in = getenv("FAIL_IN");
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

static int is_spared(void *caller)
{
    Dl_info info;
    return dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "libgnutls");
}

/* Whether the function asked, itself or by way of a few others. */
static int is_under(const char *function)
{
    enum { FRAMES = 8 };
    void *frames[FRAMES];
    int count = backtrace(frames, FRAMES);
    for (int i = 0; i < count; i++) {
        Dl_info info;
        if (dladdr(frames[i], &info) && info.dli_sname && strcmp(info.dli_sname, function) == 0) {
            return 1;
        }
    }
    return 0;
}

static int fails(void *caller)
{
    if (counted == 0 || counted != getpid() || is_spared(caller) ||
        (fail_in && !is_under(fail_in))) {
        return 0;
    }
    unsigned long request = atomic_fetch_add(&requests, 1) + 1;
    int now = fail_at && request >= fail_at && request - fail_at < fail_span;
    errno = now ? ENOMEM : errno;
    return now;
}

void *malloc(size_t size)
{
    if (!next_malloc) {
        find(&next_malloc, "malloc");
    }
    return fails(__builtin_return_address(0)) ? NULL : next_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    if (!next_calloc) {
        find(&next_calloc, "calloc");
    }
    return fails(__builtin_return_address(0)) ? NULL : next_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    if (!next_realloc) {
        find(&next_realloc, "realloc");
    }
    return fails(__builtin_return_address(0)) ? NULL : next_realloc(old, size);
}

/* AddressSanitizer's own would not ask malloc. */
char *strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    if (!next_malloc) {
        find(&next_malloc, "malloc");
    }
    char *copy = fails(__builtin_return_address(0)) ? NULL : next_malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}
