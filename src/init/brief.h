/*
 * The short form of what is known of the tables, as it stands in a machine under `tables` and
 * `policies`: the facts of `pg_describe` without those that follow from the others.
 *
 * What follows from what is in one table of rows (fact_table.c), which both directions use. So a
 * fact that is left out is the one that is filled in again.
 */
#ifndef INIT_BRIEF_H
#define INIT_BRIEF_H

#include "base/strbuf.h"
#include "value/value.h"

/* Adds to the facts of pg_describe what it leaves to this module: the SQL of unique constraints. */
void brief_complete(struct value facts, struct arena *arena);

/* The short form of facts: a dict with `tables` and, if policies are tested, `policies`. It shares
 * their values. */
struct value brief_of(struct value facts, struct arena *arena);

/* Appends the short form as YAML. */
void brief_write(struct value brief, struct strbuf *out);

/* The facts of a short form, in the arena, as pg_describe gives them. False with err
 * (ERROR_MACHINE) where it says what can't be; *table is then the table's name, NULL for
 * `policies`. */
bool brief_fill(struct value brief, struct arena *arena, struct value *facts, const char **table,
                struct error *err);

#endif
