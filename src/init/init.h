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
};

/* Adds to `facts`, which are what the query init.sql of pg gives, what row() can draw, in the arena
 * of the facts. False with err if there is nothing to write a machine about. `tables` needs no
 * `rows`. */
bool init_study(struct value facts, const struct draw_catalog *tables, struct arena *arena,
                struct error *err);

/* Appends the machine, each rule written out. */
void init_write(struct value facts, const struct init_options *options, struct strbuf *out);

/* Appends the same in the short form. `whole` is what init_write has made of the facts, as it was
 * adjusted since: what the short form does not stand for is written out. */
void init_shorten(struct value facts, const struct strbuf *whole, struct strbuf *out);

/* A place in what was made: from there on it is about a table. */
struct init_origin {
    size_t at;
    const char *table; /* NULL: about all */
};
struct init_origins {
    struct init_origin *items;
    size_t count, capacity;
};

/* Appends what the parts `tables` and `policies` of a machine stand for: its other parts, as YAML.
 * False with err (ERROR_MACHINE) where they say what can't be; *table is then the table's name, or
 * NULL. `origins` may be NULL. */
bool init_expand(struct value brief, struct arena *arena, struct strbuf *out,
                 struct init_origins *origins, const char **table, struct error *err);

#endif
