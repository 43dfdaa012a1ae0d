/* Directory trees: packed into a file, unpacked, removed. */
#ifndef OS_TREE_H
#define OS_TREE_H

#include "base/error.h"
#include "os/process.h"

#include <stdbool.h>
#include <stdio.h>

/* Writes a tree of folders and plain files to a stream, with a checksum at the end, and flushes the
 * stream. It leaves out files whose names begin with one of the prefixes in `without` (ends with
 * NULL). False with ERROR_SYSTEM, also if the tree has a symbolic link or a special file. */
bool tree_pack(const char *from, const char *const *without, FILE *to, struct error *err);

/* Unpacks the tree to a path that must not exist. The tree belongs to `owner`, and only the owner
 * may read it. After a failure, what was unpacked so far stays. */
enum unpacked {
    UNPACKED,
    UNPACK_FAILED, /* it could not be written */
    UNPACK_DAMAGED /* the stream differs from what tree_pack wrote */
};
enum unpacked tree_unpack(FILE *from, const char *to, const struct os_user *owner);

/* Removes a tree or a file, as far as possible. It does not follow symbolic links. */
void tree_remove(const char *path);

#endif
