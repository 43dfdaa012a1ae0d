/* Texts with holes: "DELETE FROM $table". */
#ifndef INIT_TEMPLATE_H
#define INIT_TEMPLATE_H

#include "base/strbuf.h"

struct hole {
    const char *name;
    const char *value; /* NULL removes lines with this hole */
};

/* Appends the text and fills its holes: `$name` of letters and `_`, or `${name}`. `holes` ends with
 * {0}. The lines of a value are indented like the line with the hole. */
void template_add(struct strbuf *out, const char *text, const struct hole *holes);

/* The same as a text in the arena. */
const char *template_text(struct arena *arena, const char *text, const struct hole *holes);

#endif
