/*
 * Logs that are obeyed. Some runners of CI look for commands in what a job prints: GitHub's for
 * "::name::" at the start of a line and "##[name]" anywhere, Azure's for "##vso[", TeamCity's for
 * "##teamcity[". What comes from a database must not reach them as one.
 */
#ifndef CLI_LOG_H
#define CLI_LOG_H

#include "base/strbuf.h"

#include <stdbool.h>

/* Whether such a runner reads what we print. */
bool log_is_obeyed(void);
/* Appends the text with the first character of each command as an escape that JSON knows, too:
 * "\u003a:name::". `text` begins a line. */
void log_add(struct strbuf *out, const char *text, size_t size);

#endif
