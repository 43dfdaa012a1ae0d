/* Texts with holes: "DELETE FROM $table". */
#ifndef INIT_TEMPLATE_H
#define INIT_TEMPLATE_H

#include "base/strbuf.h"

struct hole {
    const char *name;
    const char *value; /* NULL: a line with this hole is left out */
};

/* Appends the text, its holes filled: `$name` of letters and `_`, or `${name}`. `holes` ends with
 * {0}. The lines of a value are indented as the line that holds the hole. */
void template_add(struct strbuf *out, const char *text, const struct hole *holes);

/* The same as a text in the arena. */
const char *template_text(struct arena *arena, const char *text, const struct hole *holes);

#endif
