/*
 * Writes a first machine for a schema, which passes, and which would find a missing constraint. It
 * predicts errors from constraints; its invariants check everything else. It does not use a
 * database: the host provides the facts.
 */
#ifndef INIT_INIT_H
#define INIT_INIT_H

#include "base/error.h"
#include "schema/catalog.h"

struct init_options {
    const char *name;          /* the machine's */
    const char *const *schema; /* paths, as in the machine */
    size_t schema_count;
};

/* Adds to `facts`, the result of pg's query init.sql, the columns that row() can draw, in the
 * facts' arena. False with err if there is nothing to write a machine about. `tables` needs no
 * `rows`. */
bool init_study(struct value facts, const struct draw_catalog *tables, struct arena *arena,
                struct error *err);

/* The same where there need not be any table. */
bool init_study_free(struct value facts, const struct draw_catalog *tables, struct arena *arena,
                     struct error *err);

/* Appends a machine without a model. `free` is the result of pg's query free.sql. Changes `facts`.
 * Returns false if there is nothing that a rule could use. */
bool init_write_free(struct value facts, struct value free, const struct init_options *options,
                     struct strbuf *out, struct error *err);

/* Appends the machine with all rules. */
void init_write(struct value facts, const struct init_options *options, struct strbuf *out);

/* Appends the same machine in the short form. `whole` is the text of init_write after adjustments:
 * parts that differ from the expansion of the short form are written out. */
void init_shorten(struct value facts, const struct strbuf *whole, struct strbuf *out);

/* A place in the generated text, from which it is about a table. */
struct init_origin {
    size_t at;
    const char *table; /* NULL for parts about all tables */
};
struct init_origins {
    struct init_origin *items;
    size_t count, capacity;
};

/* Appends the expansion of a machine's `tables` and `policies` into its other parts, as YAML. False
 * with err (ERROR_MACHINE) if they are invalid; *table is then the table's name, or NULL. `origins`
 * may be NULL. */
bool init_expand(struct value brief, struct arena *arena, struct strbuf *out,
                 struct init_origins *origins, const char **table, struct error *err);

#endif
