/* Directory trees. Each function that can fail sets ERROR_SYSTEM with the path. */
#ifndef OS_TREE_H
#define OS_TREE_H

#include "base/error.h"
#include "os/process.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Copies a tree of directories and plain files to a path that must not exist; the copy belongs to
 * `owner` and only the owner may read it. A symbolic link or a special file in it is an error. */
bool tree_copy(const char *from, const char *to, const struct os_user *owner, struct error *err);
/* The same, without the files whose names begin with one of the prefixes (ends with NULL). */
bool tree_copy_without(const char *from, const char *to, const struct os_user *owner,
                       const char *const *prefixes, struct error *err);
/* Bytes of the files in a tree, as much as can be read of it. Follows no symbolic link. */
uint64_t tree_size(const char *path);
/* Removes a tree or a file, as much of it as it can. Follows no symbolic link. */
void tree_remove(const char *path);

#endif
