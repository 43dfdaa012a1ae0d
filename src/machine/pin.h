/*
 * Adds a pinned example to the text of a machine file. What was written stays as it is, byte by
 * byte: comments, the order of keys, anchors, line ends. What comes out was read again: it holds
 * what the text held, and the example.
 */
#ifndef MACHINE_PIN_H
#define MACHINE_PIN_H

#include "base/error.h"
#include "base/vec.h"

struct new_example {
    const char *name; /* another one, with a number behind it, if an example has it already */
    VEC(const char *) calls; /* of the steps, as a failure prints them */
    size_t line;             /* where it stands in the new text, from 1; set by pin_add */
};

/* Appends the whole new text. `example->name` becomes the name that was free, in the arena. False
 * if an example has these steps already (ERROR_USAGE), if `examples` is not a list that can be
 * added to, or if the text is not YAML. */
bool pin_add(const struct source *source, struct new_example *example, struct arena *arena,
             struct strbuf *out, struct error *err);

/* Appends the example alone, as an item of a list at the beginning of a line. */
void pin_write(const struct new_example *example, struct strbuf *out);

#endif
