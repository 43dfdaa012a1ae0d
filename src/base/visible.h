/*
 * Makes text safe to show: a terminal only displays it, whatever bytes came from a database or a
 * file.
 *
 * These are written as escapes: control characters (C0, DEL, C1), characters that change the
 * direction of text or end a line invisibly (bidirectional controls, U+2028, U+2029), the byte
 * order mark, and bytes that are not UTF-8. The escapes are those of the model language: \n, \x1b,
 * \u202e; an invalid byte is \xff.
 */
#ifndef BASE_VISIBLE_H
#define BASE_VISIBLE_H

#include "base/strbuf.h"

#include <stdbool.h>
#include <stdint.h>

enum visible_mode {
    VISIBLE_LINE,  /* one line: newline and tab are escaped, too */
    VISIBLE_BLOCK, /* newlines and tabs stay (a carriage return before a newline goes) */
};

/* Returns true if the character is shown as an escape. */
bool visible_hides(uint32_t code);

void visible_add(struct strbuf *out, enum visible_mode mode, const char *text, size_t size);
void visible_adds(struct strbuf *out, enum visible_mode mode, const char *text);

#endif
