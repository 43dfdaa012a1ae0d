/* The name of a failure in all commands: the stem of its replay script. */
#ifndef TRACE_NAME_H
#define TRACE_NAME_H

#include "base/strbuf.h"

#include <stdbool.h>

/* Appends the name of a machine's failure with this identity: "membership-editors" for "invariant
 * editors". It has only letters, digits, `_` and `-`, so that it can name a file. */
void trace_name(const char *machine, const char *identity, struct strbuf *out);
/* Returns true if the text can be such a name, perhaps followed by a number. Check names that come
 * from a file. */
bool trace_is_name(const char *text);

#endif
