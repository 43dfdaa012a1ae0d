/* Names of rules and invariants that the machine file takes. */
#ifndef INIT_NAMES_H
#define INIT_NAMES_H

#include "base/map.h"
#include "base/strbuf.h"

#include <stddef.h>

/* The most that a name of the file may have, in bytes. */
enum { NAME_SIZE_MAX = 63 };

/* What is being given names: the entries of a part, lines of the form "  name:". Nothing in the
 * file mentions them. */
struct names {
    struct strbuf *out;
    size_t from; /* what comes before has its names */
    struct arena arena;
    struct map taken;
};

/* A part begins at the end of `out`. */
struct names names_begin(struct strbuf *out);
/* Gives what was added since the last time names that differ and are short enough. */
void names_settle(struct names *names);
void names_end(struct names *names);

#endif
