#include "cli/watch.h"

#include "base/file.h"
#include "base/names.h"
#include "base/path.h"
#include "cli/interrupt.h"
#include "cli/keyboard.h"
#include "cli/migrated_machine.h"
#include "cli/terminal.h"
#include "os/notify.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <pgfsm/machine.h>

/* Folders are watched, not files: an editor puts another file in the place of the one it changes.
 */
struct watched_folder {
    const char *path;
    int number; /* as notify_folder gave it */
    bool whole; /* any SQL or YAML file in it counts, also a new one; else only known files */
};

enum {
    QUIET_MS = 100, /* without a change, after one: editors and git write several files */
    LOOK_MS = 200,  /* how often an interrupt is looked for, that came just before the wait */
};

bool watch_begin(struct watch *watch, const char *command)
{
    *watch =
        (struct watch){.fd = notify_open(), .screen = terminal_wants(WHEN_AUTO, STDOUT_FILENO)};
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
    if (index < watch->folders.count) {
        watch->folders.items[index].whole |= whole;
        return;
    }
    int number = absolute ? notify_folder(watch->fd, absolute) : -1;
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

static void add_machine(struct watch *watch, const char *path, const struct options *options)
{
    struct watching exact = {watch, false};
    struct watching whole = {watch, true};
    struct pgfsm_machine *machine = NULL;
    struct pgfsm_errors *ignored = pgfsm_errors_new(); /* the command tells them */
    add_file(&exact, path);
    if (migrated_machine(&machine, path, options, ignored)) {
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
        add_machine(watch, options->operands.items.items[i], options);
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

struct changes {
    struct watch *watch;
    bool any; /* that count */
};

static void note_change(void *host, int number, const char *name)
{
    static const char *const endings[] = {".sql", ".yaml", ".yml", ".plan"};
    struct changes *changes = host;
    struct watch *watch = changes->watch;
    changes->any |= number < 0; /* some were lost */
    for (size_t i = 0; i < watch->folders.count; i++) {
        const struct watched_folder *folder = &watch->folders.items[i];
        if (folder->number != number) {
            continue;
        }
        const char *file = arena_printf(&watch->arena, "%s/%s", folder->path, name);
        bool counts = name_is_in(file, NAMES_OF(watch->files));
        for (size_t j = 0; j < sizeof endings / sizeof *endings && folder->whole; j++) {
            counts |= name[0] != '.' && path_ends_in(name, endings[j]);
        }
        watch->changed = counts ? path_from_here(&watch->arena, file) : watch->changed;
        changes->any |= counts;
    }
}

/* Whether one of the changes that are there counts. */
static bool read_changes(struct watch *watch)
{
    struct changes changes = {watch, false};
    notify_read(watch->fd, note_change, &changes);
    return changes.any;
}

static void print(const struct strbuf *text) { terminal_print(strbuf_text(text), text->size); }

/* "12:04:11  FAIL  1 of 3 machines   [Enter] again  [f] failed only  [q] quit" */
static void print_state(const struct totals *totals, bool keys)
{
    enum { HINTS_WIDTH = 80 };
    struct strbuf line = {0};
    char clock[16] = "";
    time_t now = time(NULL);
    struct tm local;
    if (localtime_r(&now, &local)) {
        (void)strftime(clock, sizeof clock, "%H:%M:%S", &local);
    }
    size_t failed = totals->failed.items.count;
    strbuf_addf(&line, "%s  %s  ", clock, totals_word(totals));
    if (failed) {
        strbuf_addf(&line, "%zu of ", failed);
    }
    strbuf_addf(&line, "%zu machine%s   ", totals->count, plural(totals->count));
    if (keys && terminal_columns(STDOUT_FILENO) < HINTS_WIDTH) {
        strbuf_addf(&line, "[Enter]%s [q]", failed ? " [f]" : "");
    } else if (keys) {
        strbuf_addf(&line, "[Enter] again  %s[q] quit", failed ? "[f] failed only  " : "");
    } else {
        strbuf_adds(&line, "Ctrl-C ends");
    }
    strbuf_addc(&line, '\n');
    print(&line);
    strbuf_free(&line);
}

/* What a key asks for; WATCH_CHANGED: nothing. */
static enum watch_next next_of(int key, const struct totals *totals)
{
    enum { CTRL_D = 4 };
    switch (key) {
    case '\n':
    case '\r':
        return WATCH_AGAIN;
    case 'f':
    case 'F':
        return totals->failed.items.count ? WATCH_FAILED : WATCH_CHANGED;
    case 'q':
    case 'Q':
    case CTRL_D:
        return WATCH_END;
    default:
        return WATCH_CHANGED;
    }
}

/* What is asked for, or WATCH_CHANGED once nothing has changed for a moment. */
static enum watch_next wait_for(struct watch *watch, const struct totals *totals)
{
    bool changed = false;
    while (!interrupt_asked()) {
        struct pollfd files[] = {
            {.fd = watch->fd, .events = POLLIN},
            {.fd = watch->screen && keyboard_on() ? STDIN_FILENO : -1, .events = POLLIN}};
        bool any = poll(files, 2, changed ? QUIET_MS : LOOK_MS) > 0;
        enum watch_next next =
            any && files[1].revents ? next_of(keyboard_read(), totals) : WATCH_CHANGED;
        bool more = any && files[0].revents && read_changes(watch);
        if (next != WATCH_CHANGED || (changed && !any)) {
            return next;
        }
        changed |= more;
    }
    return WATCH_END;
}

enum watch_next watch_wait(struct watch *watch, const struct totals *totals)
{
    watch->changed = NULL;
    keyboard_begin();
    if (watch->screen) {
        print_state(totals, keyboard_on());
    } else {
        terminal_complain("waiting for a change; Ctrl-C ends");
    }
    enum watch_next next = wait_for(watch, totals);
    keyboard_end();
    return next;
}

void watch_next(const struct watch *watch, enum watch_next next)
{
    static const char clear[] = "\x1b[H\x1b[2J"; /* the lines above stay to be scrolled to */
    const char *changed = watch->changed;
    if (watch->screen) {
        terminal_print(clear, sizeof clear - 1);
    }
    if (next == WATCH_CHANGED) {
        terminal_complain("%s %s", changed ? changed : "a file",
                          changed && access(changed, F_OK) != 0 ? "was removed" : "changed");
    }
}
