#include "pg/server/faketime.h"

#include "value/time/calendar.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VARIABLE "PGFSM_LIBFAKETIME"

static const char *const usual_places[] = {
    "/usr/lib/*/faketime/libfaketime.so.1", /* Debian, Ubuntu */
    "/usr/lib64/faketime/libfaketime.so.1", /* Fedora */
    "/usr/lib/faketime/libfaketime.so.1",   /* Arch, Alpine */
    "/usr/local/lib/faketime/libfaketime.so.1",
};

static const char *find_usual(struct arena *arena)
{
    const char *path = NULL;
    for (size_t i = 0; i < sizeof usual_places / sizeof *usual_places && !path; i++) {
        glob_t found = {0};
        if (glob(usual_places[i], 0, NULL, &found) == 0) {
            path = arena_strdup(arena, found.gl_pathv[0]);
        }
        globfree(&found);
    }
    return path;
}

bool faketime_find(struct arena *arena, const char **out, struct error *err)
{
    const char *named = getenv(VARIABLE);
    *out = named && *named ? named : find_usual(arena);
    if (*out && access(*out, R_OK) == 0) {
        return true;
    }
    error_set(err, ERROR_USAGE, "the machine has a clock, which needs libfaketime%s%s",
              *out ? ": there is no " : "", *out ? *out : "");
    return error_hint(err, "install it (Debian, Ubuntu: apt-get install libfaketime; Fedora, "
                           "Homebrew: libfaketime), or set " VARIABLE " to the path of "
                           "libfaketime.so.1");
}

/* As many bytes for every time: whoever reads the file meanwhile finds one time or the other. The
 * library reads the fraction as a double, and cuts off what it has below a microsecond. */
static bool write_time(int file, int64_t now_us)
{
    enum { FRACTION = 12 };
    char text[CALENDAR_TEXT_MAX + FRACTION];
    int64_t fraction = floor_mod(now_us, CALENDAR_SECOND);
    size_t size = calendar_write_timestamp(now_us - fraction, text);
    int more = snprintf(text + size, sizeof text - size, ".%06lld5\n", (long long)fraction);
    size += (size_t)more;
    return pwrite(file, text, size, 0) == (ssize_t)size;
}

static bool can_not(struct error *err, const char *path)
{
    return error_set(err, ERROR_SYSTEM, "can't write the server's time to %s: %s", path,
                     strerror(errno));
}

bool faketime_make(struct faketime *faketime, const char *dir, const struct os_user *user,
                   int64_t now_us, struct arena *arena, struct error *err)
{
    const char *path = arena_printf(arena, "%s/clock", dir);
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    faketime->path = path;
    faketime->file = file;
    return (file >= 0 && write_time(file, now_us) &&
            (!user->other || fchown(file, user->uid, user->gid) == 0)) ||
           can_not(err, path);
}

bool faketime_set(const struct faketime *faketime, int64_t now_us, struct error *err)
{
    return write_time(faketime->file, now_us) || can_not(err, faketime->path);
}

size_t faketime_env(const struct faketime *faketime, struct env_change out[FAKETIME_CHANGES])
{
    const struct env_change changes[FAKETIME_CHANGES] = {
        {"LC_ALL", "C"},
        {"TZ", "UTC"}, /* in which the file is read */
        {"LD_PRELOAD", faketime->preload},
        {"FAKETIME_TIMESTAMP_FILE", faketime->path},
        {"FAKETIME_NO_CACHE", "1"},
        {"FAKETIME_DONT_FAKE_MONOTONIC", "1"},
        {"NO_FAKE_STAT", "1"}, /* a lock that a killed process may leave behind */
        {"FAKETIME", NULL},    /* goes before the file */
        {"FAKETIME_SHARED", NULL},
    };
    memcpy(out, changes, sizeof changes);
    return FAKETIME_CHANGES;
}

void faketime_close(struct faketime *faketime)
{
    if (faketime->file >= 0) {
        close(faketime->file);
    }
    *faketime = (struct faketime){.file = -1};
}
