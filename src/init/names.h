/* Valid names of rules and invariants for the machine file. */
#ifndef INIT_NAMES_H
#define INIT_NAMES_H

#include "base/map.h"
#include "base/strbuf.h"

#include <stddef.h>

/* The maximum size of a name in the file, in bytes. */
enum { NAME_SIZE_MAX = 63 };

/* Renames the entries of a part, lines of the form "  name:". The rest of the file does not refer
 * to them. */
struct names {
    struct strbuf *out;
    size_t from; /* text before it is renamed already */
    struct arena arena;
    struct map taken;
};

/* A part begins at the end of `out`. */
struct names names_begin(struct strbuf *out);
/* Makes the names of the entries added since the last call unique and short enough. */
void names_settle(struct names *names);
void names_end(struct names *names);

#endif
