/*
 * Writes a first machine for a schema: one that holds as it is, and finds a constraint that is
 * missing. What it foretells it foretells from the constraints; the rest its invariants ask the
 * server. It asks no database itself: the facts come from the host.
 */
#ifndef INIT_INIT_H
#define INIT_INIT_H

#include "base/error.h"
#include "schema/catalog.h"

struct init_options {
    const char *name;          /* the machine's */
    const char *const *schema; /* paths as the machine names them */
    size_t schema_count;
    struct draw_catalog tables; /* for what row() can draw; without `rows` */
};

/* Appends the machine. `facts` are what the query init.sql of pg gives. Returns false with err if
 * there is nothing to write a machine about. */
bool init_write(struct value facts, const struct init_options *options, struct strbuf *out,
                struct error *err);

#endif
