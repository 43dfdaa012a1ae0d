/* The rules of a generated machine that call the schema's functions. */
#ifndef INIT_FUNCTIONS_H
#define INIT_FUNCTIONS_H

#include "init/facts.h"

/* Appends a rule for each function and procedure, indented. */
void functions_add(const struct plan *plan, struct items functions, struct strbuf *out);

#endif
