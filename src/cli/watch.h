/* --watch: the same again whenever a file changes. */
#ifndef CLI_WATCH_H
#define CLI_WATCH_H

#include "cli/options.h"

#include <stdbool.h>

/* Changes are noticed from the first watch_files on. */
struct watch {
    struct arena arena;
    int fd; /* of inotify */
    VEC(struct watched_folder) folders;
    VEC(const char *) files;
    const char *changed; /* by the last change: the file; NULL: unknown */
};

/* Prints why it can't. */
bool watch_begin(struct watch *watch, const char *command);
/* Watches what the command is about to read: the machines and folders that were named, what their
 * schemas load and include, and the files of --apply. */
void watch_files(struct watch *watch, const struct options *options);
/* Waits for a change of one of these files, and until nothing has changed for a moment. Returns
 * false if the user interrupts. */
bool watch_wait(struct watch *watch);
void watch_end(struct watch *watch);

#endif
