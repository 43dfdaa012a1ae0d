/* --watch: the same again whenever a file changes, or a key asks for it. */
#ifndef CLI_WATCH_H
#define CLI_WATCH_H

#include "cli/options.h"
#include "cli/totals.h"

#include <stdbool.h>

/* Changes are noticed from the first watch_files on. */
struct watch {
    struct arena arena;
    int fd; /* of notify_open */
    VEC(struct watched_folder) folders;
    VEC(const char *) files;
    const char *changed; /* by the last change: the file; NULL: unknown */
    bool screen;         /* on a terminal, which is cleared for each run */
};

enum watch_next {
    WATCH_CHANGED,
    WATCH_AGAIN,  /* the user asks for it */
    WATCH_FAILED, /* the same, of the machines that failed alone */
    WATCH_END,
};

/* Prints why it can't. */
bool watch_begin(struct watch *watch, const char *command);
/* Watches what the command is about to read: the machines and folders that were named, what their
 * schemas load and include, and the files of --apply. */
void watch_files(struct watch *watch, const struct options *options);
/* Says how the machines ended, and what keys do. Waits for a change of one of these files, and
 * until nothing has changed for a moment; or for a key. */
enum watch_next watch_wait(struct watch *watch, const struct totals *totals);
/* Begins the next run: clears the screen, and says what has changed. */
void watch_next(const struct watch *watch, enum watch_next next);
void watch_end(struct watch *watch);

#endif
