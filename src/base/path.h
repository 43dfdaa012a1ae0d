/* Paths of files: how one is reached from another. Symbolic links are followed only where it is
 * said. */
#ifndef BASE_PATH_H
#define BASE_PATH_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/* The path of something that is there, from the root, without symbolic links; in `arena`. NULL with
 * errno where there is none. */
const char *path_absolute(struct arena *arena, const char *path);

/* `to` as it is reached from the folder `from`: "../sql/a.sql". Both are absolute, as path_absolute
 * gives them. */
const char *path_relative(struct arena *arena, const char *from, const char *to);

/* The path of a file that the file `from` names relative to its own folder, from where we are. An
 * absolute one stays. */
const char *path_beside(struct arena *arena, const char *from, const char *file);

/* The same file as it is best shown: relative to where we are if it lies below, else from the root,
 * without symbolic links; as it is where it is not there. */
const char *path_shown(struct arena *arena, const char *path);

#endif
