#include "cli/watch.h"

#include "base/file.h"
#include "base/names.h"
#include "base/path.h"
#include "cli/interrupt.h"
#include "cli/terminal.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <pgfsm/machine.h>

/* Folders are watched, not files: an editor puts another file in the place of the one it changes.
 */
struct watched_folder {
    const char *path;
    int number; /* inotify's */
    bool whole; /* any SQL or YAML file in it counts, also a new one; else only known files */
};

enum {
    QUIET_MS = 100, /* without a change, after one: editors and git write several files */
    LOOK_MS = 200,  /* how often an interrupt is looked for, that came just before the wait */
};

bool watch_begin(struct watch *watch, const char *command)
{
    *watch = (struct watch){.fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK)};
    if (watch->fd < 0) {
        terminal_complain("%s: --watch can't watch files: %s", command, strerror(errno));
    }
    return watch->fd >= 0;
}

void watch_end(struct watch *watch)
{
    if (watch->fd >= 0) {
        close(watch->fd);
    }
    arena_free(&watch->arena);
}

static void add_folder(struct watch *watch, const char *path, bool whole)
{
    const char *absolute = path_absolute(&watch->arena, path);
    size_t index = name_index(absolute ? absolute : path, ROWS_OF(watch->folders, path));
    enum { CHANGES = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE };
    if (index < watch->folders.count) {
        watch->folders.items[index].whole |= whole;
        return;
    }
    int number = absolute ? inotify_add_watch(watch->fd, absolute, CHANGES | IN_ONLYDIR) : -1;
    if (number >= 0) {
        *VEC_PUSH(&watch->arena, &watch->folders) =
            (struct watched_folder){absolute, number, whole};
    }
}

struct watching {
    struct watch *watch;
    bool whole;
};

static void add_file(void *host, const char *path)
{
    const struct watching *watching = host;
    struct watch *watch = watching->watch;
    const char *absolute = path_absolute(&watch->arena, path_folder(&watch->arena, path));
    const char *slash = strrchr(path, '/');
    if (absolute) {
        add_folder(watch, absolute, watching->whole);
        const char *file = arena_printf(&watch->arena, "%s/%s", absolute, slash ? slash + 1 : path);
        if (!name_is_in(file, NAMES_OF(watch->files))) {
            *VEC_PUSH(&watch->arena, &watch->files) = file;
        }
    }
}

static void add_machine(struct watch *watch, const char *path)
{
    struct watching exact = {watch, false};
    struct watching whole = {watch, true};
    struct pgfsm_machine *machine = NULL;
    struct pgfsm_errors *ignored = pgfsm_errors_new(); /* the command tells them */
    add_file(&exact, path);
    if (pgfsm_machine_load(&machine, path, NULL, ignored)) {
        pgfsm_machine_files(machine, add_file, &whole);
    }
    pgfsm_machine_free(machine);
    pgfsm_errors_free(ignored);
}

void watch_files(struct watch *watch, const struct options *options)
{
    struct watching exact = {watch, false};
    for (size_t i = 0; i < options->named.items.count; i++) {
        if (folder_exists(options->named.items.items[i])) {
            add_folder(watch, options->named.items.items[i], true);
        }
    }
    for (size_t i = 0; i < options->operands.items.count; i++) {
        add_machine(watch, options->operands.items.items[i]);
    }
    for (size_t i = 0; i < options->apply.items.count; i++) {
        add_file(&exact, options->apply.items.items[i]);
    }
    /* what the run itself writes is no change */
    const char *out = options->run.out ? path_absolute(&watch->arena, options->run.out) : NULL;
    for (size_t i = 0; i < watch->folders.count; i++) {
        watch->folders.items[i].whole &= !out || strcmp(watch->folders.items[i].path, out) != 0;
    }
}

static bool counts(struct watch *watch, const struct inotify_event *event)
{
    static const char *const endings[] = {".sql", ".yaml", ".yml", ".plan"};
    bool counts = false;
    for (size_t i = 0; event->len > 0 && i < watch->folders.count; i++) {
        const struct watched_folder *folder = &watch->folders.items[i];
        if (folder->number != event->wd) {
            continue;
        }
        const char *file = arena_printf(&watch->arena, "%s/%s", folder->path, event->name);
        counts = name_is_in(file, NAMES_OF(watch->files));
        for (size_t j = 0; j < sizeof endings / sizeof *endings && folder->whole; j++) {
            counts |= event->name[0] != '.' && path_ends_in(event->name, endings[j]);
        }
        watch->changed = counts ? path_from_here(&watch->arena, file) : watch->changed;
    }
    return counts || (event->mask & IN_Q_OVERFLOW);
}

/* Whether one of the events that are there counts. */
static bool read_events(struct watch *watch)
{
    char buffer[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
    bool changed = false;
    ssize_t size;
    while ((size = read(watch->fd, buffer, sizeof buffer)) > 0) {
        for (const char *at = buffer; at < buffer + size;) {
            const struct inotify_event *event = (const void *)at;
            changed |= counts(watch, event);
            at += sizeof *event + event->len;
        }
    }
    return changed;
}

bool watch_wait(struct watch *watch)
{
    struct pollfd poll_fd = {.fd = watch->fd, .events = POLLIN};
    bool changed = false;
    bool quiet = false;
    watch->changed = NULL;
    while (!interrupt_asked() && !quiet) {
        bool any = poll(&poll_fd, 1, changed ? QUIET_MS : LOOK_MS) > 0 && read_events(watch);
        quiet = changed && !any;
        changed |= any;
    }
    return !interrupt_asked();
}
