/* Files: read whole, and written whole or not at all; folders. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/error.h"

#include <stdio.h>

/* Opens a file for reading; never waits for the other end of a pipe. NULL with ERROR_SYSTEM where
 * there is none, it can't be read, or it is a folder, a pipe, a socket or a device. To be closed by
 * fclose. */
FILE *file_open(const char *path, struct error *err);

/* Adds what is left of the stream to `out`; stops early, at more than `most` bytes in there. `name`
 * is for the message. False with ERROR_SYSTEM. */
bool file_read(FILE *file, const char *name, size_t most, struct strbuf *out, struct error *err);
/* The whole of a file that file_open takes, without a byte order mark, into `out`, which is empty.
 * False with ERROR_SYSTEM, also where it holds more than `most` bytes, or grows while it is read.
 */
bool file_load(const char *path, size_t most, struct strbuf *out, struct error *err);
/* The same of its beginning: stops at more than `most` bytes. */
bool file_head(const char *path, size_t most, struct strbuf *out, struct error *err);

/* Writes the file anew: aside, then renamed, so that where it fails (false, ERROR_SYSTEM) what was
 * there before stays as it was. */
bool file_replace(const char *path, const struct strbuf *text, struct error *err);

/* Makes a folder and those above it, with that mode; false with ERROR_SYSTEM. One that is there
 * already is fine. */
bool folder_make(const char *path, unsigned mode, struct error *err);

#endif
