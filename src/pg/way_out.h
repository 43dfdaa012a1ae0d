/* What to do about errors of the server that its own message does not help with, because a test
 * meets them where production does not: roles, extensions and versions that the server lacks,
 * values of placeholders. */
#ifndef PG_WAY_OUT_H
#define PG_WAY_OUT_H

#include "base/error.h"

#include <stdbool.h>

/* Sets the hint of an error of the server, if there is a better one than the server's. Messages are
 * recognised in English only, a missing right in any language. On an embedded server the user lacks
 * no right. A place of the error is in a text whose end is a NUL. */
void way_out_add(struct error *err, bool embedded);

/* Sets the hint of an error in SQL of a schema that a later version than the server's would accept.
 * `text` is the file, or NULL; `version` is the server's, as PQserverVersion gives it. */
void way_out_newer(struct error *err, const char *text, int version);

#endif
