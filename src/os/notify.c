#include "os/notify.h"

#include <errno.h>

#ifdef __linux__
#include <sys/inotify.h>
#include <unistd.h>

int notify_open(void) { return inotify_init1(IN_CLOEXEC | IN_NONBLOCK); }

int notify_folder(int fd, const char *folder)
{
    enum { CHANGES = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE };
    return inotify_add_watch(fd, folder, CHANGES | IN_ONLYDIR);
}

void notify_read(int fd, void (*changed)(void *host, int folder, const char *name), void *host)
{
    char buffer[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
    ssize_t size;
    while ((size = read(fd, buffer, sizeof buffer)) > 0) {
        for (const char *at = buffer; at < buffer + size;) {
            const struct inotify_event *event = (const void *)at;
            if (event->len > 0 || (event->mask & IN_Q_OVERFLOW)) {
                changed(host, event->wd, event->len > 0 ? event->name : "");
            }
            at += sizeof *event + event->len;
        }
    }
}
#else
int notify_open(void)
{
    errno = ENOSYS;
    return -1;
}

int notify_folder(int fd, const char *folder)
{
    (void)fd, (void)folder;
    errno = ENOSYS;
    return -1;
}

void notify_read(int fd, void (*changed)(void *host, int folder, const char *name), void *host)
{
    (void)fd, (void)changed, (void)host;
}
#endif
