/* Names of rules and invariants that the machine file takes. */
#ifndef INIT_NAMES_H
#define INIT_NAMES_H

#include "base/strbuf.h"

#include <stddef.h>

/* The most that a name of the file may have, in bytes. */
enum { NAME_SIZE_MAX = 63 };

/* Gives the entries in `out` from `start`, lines of the form "  name:", names that differ and are
 * short enough. Nothing in the file mentions them. */
void names_settle(struct strbuf *out, size_t start);

#endif
