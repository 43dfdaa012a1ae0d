/* Directory trees: packed into a file, unpacked, removed. */
#ifndef OS_TREE_H
#define OS_TREE_H

#include "base/error.h"
#include "os/process.h"

#include <stdbool.h>
#include <stdio.h>

/* Writes a tree of folders and plain files to a stream, with a checksum at the end; without the
 * files whose names begin with one of the prefixes (ends with NULL). Flushes the stream. False with
 * ERROR_SYSTEM; a symbolic link or a special file in it is an error. */
bool tree_pack(const char *from, const char *const *without, FILE *to, struct error *err);

/* Makes the tree again, at a path that must not exist; it belongs to `owner`, and only the owner
 * may read it. What was made so far is left behind where it fails. */
enum unpacked {
    UNPACKED,
    UNPACK_FAILED, /* it could not be written */
    UNPACK_DAMAGED /* the stream is not what tree_pack wrote */
};
enum unpacked tree_unpack(FILE *from, const char *to, const struct os_user *owner);

/* Removes a tree or a file, as much of it as it can. Follows no symbolic link. */
void tree_remove(const char *path);

#endif
