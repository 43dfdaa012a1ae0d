/* Files: read only where they are regular ones, written whole or not at all. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/error.h"

#include <stdio.h>

/* Opens a file for reading; never waits for the other end of a pipe. NULL with ERROR_SYSTEM where
 * there is none, it can't be read, or it is a folder, a pipe or a device. To be closed by fclose.
 */
FILE *file_open(const char *path, struct error *err);

/* Writes the file anew: aside, then renamed, so that where it fails (false, ERROR_SYSTEM) what was
 * there before stays as it was. */
bool file_replace(const char *path, const struct strbuf *text, struct error *err);

#endif
