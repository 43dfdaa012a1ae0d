/* Quoting words of a command line that a user may paste into a shell. */
#ifndef BASE_SHELL_H
#define BASE_SHELL_H

#include "base/strbuf.h"

/* Appends a word, quoted if a shell needs that. Writes control characters and the like as escapes
 * that the shell decodes, so that the line is safe to show. */
void shell_quote(struct strbuf *out, const char *word);

#endif
