/* Mistakes in the machine's code that an example met: which steps led there. */
#ifndef EXAMPLE_EXPLAIN_H
#define EXAMPLE_EXPLAIN_H

#include "base/arena.h"
#include "base/error.h"

struct example;

/* Adds to an error in the machine's code which steps led there. */
void explain_mistake(struct example *example, struct error *err);
/* "file:line:column: message". */
const char *mistake_text(struct arena *arena, const struct error *mistake);

#endif
