/* Paths of files, and how to reach one from another. Symbolic links are followed only where
 * stated. */
#ifndef BASE_PATH_H
#define BASE_PATH_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/* The absolute path of an existing file, with symbolic links resolved; in `arena`. NULL with errno
 * if the file does not exist. */
const char *path_absolute(struct arena *arena, const char *path);

/* The path of `to` relative to the folder `from`: "../sql/a.sql". Both are absolute, as
 * path_absolute gives them. */
const char *path_relative(struct arena *arena, const char *from, const char *to);

/* Resolves `path`, which the file `from` gives relative to its own folder, for use in the current
 * directory. An absolute path does not change. */
const char *path_beside(struct arena *arena, const char *from, const char *file);

/* The folder that a file is in, whether or not it exists: "." of "a.sql", "/" of "/a.sql". */
const char *path_folder(struct arena *arena, const char *path);

/* Returns true if the path ends in `ending` (".sql") and has something before it. */
bool path_ends_in(const char *path, const char *ending);

/* The natural order of paths, for qsort over texts: 2.sql before 10.sql, a folder's files before
 * those of the folders after it. */
int path_order(const void *a, const void *b);
/* As text, so that 10.sql comes before 2.sql; a folder's files stay together, too. */
int path_order_as_text(const void *a, const void *b);
/* The same, but hyphens do not count: 20170101_b/up.sql before 2017-01-02_a/up.sql. */
int path_order_without_hyphens(const void *a, const void *b);

/* An absolute path, relative to the current directory if the file is below it. The file need not
 * exist. */
const char *path_from_here(struct arena *arena, const char *path);

/* The path without `folder/../` and `./`. A `folder/../` stays if the path without it would lead
 * elsewhere, which a symbolic link can cause. */
const char *path_plain(struct arena *arena, const char *path);

/* The form of a path to show: relative to the current directory if the file is below it, otherwise
 * absolute, with symbolic links resolved. A path that does not exist does not change. */
const char *path_shown(struct arena *arena, const char *path);

#endif
