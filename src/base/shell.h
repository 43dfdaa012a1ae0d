/* Words of a command line that is shown, to be pasted into a shell. */
#ifndef BASE_SHELL_H
#define BASE_SHELL_H

#include "base/strbuf.h"

/* Appends a word, in quotes where a shell needs them; control characters and their like as escapes
 * that the shell takes back, so that showing the line does no harm. */
void shell_quote(struct strbuf *out, const char *word);

#endif
