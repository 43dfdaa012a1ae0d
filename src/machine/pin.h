/*
 * Adds a pinned example to the text of a machine file. All other bytes stay the same: comments, the
 * order of keys, anchors, newlines. The new text is read again, to check that it differs only by
 * the example.
 */
#ifndef MACHINE_PIN_H
#define MACHINE_PIN_H

#include "base/error.h"
#include "base/vec.h"

struct new_example {
    const char *name;        /* gets a number if another example has this name already */
    VEC(const char *) calls; /* of the steps, as a failure prints them */
    size_t line;             /* its line in the new text, from 1; set by pin_add */
};

/* Appends the whole new text. `example->name` becomes a free name, in the arena. False if an
 * example has these steps already (ERROR_USAGE), if `examples` is not a list that can be extended,
 * or if the text is not YAML. */
bool pin_add(const struct source *source, struct new_example *example, struct arena *arena,
             struct strbuf *out, struct error *err);

/* Appends only the example, as an item of a list at the beginning of a line. */
void pin_write(const struct new_example *example, struct strbuf *out);

#endif
