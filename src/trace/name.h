/* The name of a failure: the stem of its replay script, by which every command knows it. */
#ifndef TRACE_NAME_H
#define TRACE_NAME_H

#include "base/strbuf.h"

#include <stdbool.h>

/* Appends the name of a machine's failure with this identity: "membership-editors" for "invariant
 * editors". It has only letters, digits, `_` and `-`, so it can be the name of a file. */
void trace_name(const char *machine, const char *identity, struct strbuf *out);
/* Whether the text can be such a name, or one with a number behind it: what a file says is not
 * believed. */
bool trace_is_name(const char *text);

#endif
