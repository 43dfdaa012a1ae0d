/* Reading whole files, writing files atomically, and folders. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/error.h"

#include <stdio.h>

/* Opens a file for reading, without waiting for the other end of a pipe. Returns NULL with
 * ERROR_SYSTEM if the file does not exist (the hint may suggest a similar name), can't be read, or
 * is a folder, a pipe, a socket or a device. Close it with fclose. */
FILE *file_open(const char *path, struct error *err);

/* Appends the rest of the stream to `out`; stops as soon as `out` has more than `most` bytes.
 * `name` is for the message. False with ERROR_SYSTEM. */
bool file_read(FILE *file, const char *name, size_t most, struct strbuf *out, struct error *err);
/* Reads a whole file, opened by file_open, into the empty `out`, without a byte order mark. False
 * with ERROR_SYSTEM, also if the file has more than `most` bytes or grows while it is read. */
bool file_load(const char *path, size_t most, struct strbuf *out, struct error *err);
/* Reads the beginning of a file in the same way: stops as soon as it has more than `most` bytes. */
bool file_head(const char *path, size_t most, struct strbuf *out, struct error *err);

/* Writes the file atomically: writes a temporary file and renames it. If that fails (false,
 * ERROR_SYSTEM), the old file is unchanged. Also removes temporary files left by killed processes.
 */
bool file_replace(const char *path, const struct strbuf *text, struct error *err);

/* Opens a file as file_open does, and locks it until it is closed: waits for others who have it
 * locked, but not forever. Whoever waited gets what they wrote. */
FILE *file_open_locked(const char *path, struct error *err);
/* Like file_replace, for a file of the user's that file_open_locked opened. It keeps its mode,
 * owner and extended attributes, such as an access list. A symbolic link to it stays. The file is
 * not replaced if it can't be written to, has hard links, or no longer holds the text `was`. */
bool file_rewrite(const char *path, FILE *file, const struct strbuf *was, const struct strbuf *text,
                  struct error *err);

/* Appends to a file, which is created if needed. False with ERROR_SYSTEM. */
bool file_append(const char *path, const struct strbuf *text, struct error *err);

/* Returns true if the path is a folder, or a link to one. Otherwise errno says why not. */
bool folder_exists(const char *path);
/* A pattern for the schema's files in the folder: "*.up.sql" if it has such files, as the others
 * undo them; otherwise "*.sql". Constant. */
const char *folder_sql_pattern(const char *path);
/* Creates a folder, and those above it, with that mode, unless it exists; false with
 * ERROR_SYSTEM. */
bool folder_make(const char *path, unsigned mode, struct error *err);

#endif
