/* The invariants of a generated machine: whole tables, and the constraints that the model does not
 * predict. */
#ifndef INIT_INVARIANTS_H
#define INIT_INVARIANTS_H

#include "init/facts.h"

/* Appends all of them, indented. */
void invariants_add(const struct plan *plan, struct strbuf *out);

#endif
