/* Files and directory trees. Each function that can fail sets ERROR_SYSTEM with the path. */
#ifndef PG_FILES_H
#define PG_FILES_H

#include "base/arena.h"
#include "base/error.h"
#include "pg/process.h"

#include <stdbool.h>
#include <stddef.h>

/* A whole file, at most `limit` bytes of it, from its end where it is longer; and a NUL. */
bool file_read(struct arena *arena, const char *path, size_t limit, char **text, size_t *size,
               struct error *err);
/* Makes a directory and those above it; one that is there already is fine. Mode 0700. */
bool dir_make(const char *path, struct error *err);
/* Copies a tree of directories and plain files to a path that must not exist; the copy belongs to
 * `owner` and only the owner may read it. A symbolic link or a special file in it is an error. */
bool tree_copy(const char *from, const char *to, const struct os_user *owner, struct error *err);
/* Removes a tree or a file; does what it can where something fails. Follows no symbolic link. */
void tree_remove(const char *path);

#endif
