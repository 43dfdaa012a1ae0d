/*
 * The short form of the facts about tables, which a machine has under `tables` and `policies`: the
 * facts of `pg_describe` without those that follow from others.
 *
 * Both directions use the same rules for derived facts (fact_table.c), so that filling in restores
 * the facts that were left out.
 */
#ifndef INIT_BRIEF_H
#define INIT_BRIEF_H

#include "base/strbuf.h"
#include "value/value.h"

/* Adds the SQL of unique constraints, which pg_describe leaves to this module. */
void brief_complete(struct value facts, struct arena *arena);

/* The short form of facts: a dict with `tables` and, if policies are tested, `policies`. It shares
 * their values. */
struct value brief_of(struct value facts, struct arena *arena);

/* Appends the short form as YAML. */
void brief_write(struct value brief, struct strbuf *out);

/* Expands a short form to facts like those of pg_describe, in the arena. False with err
 * (ERROR_MACHINE) if it is invalid; *table is then the table's name, or NULL for `policies`. */
bool brief_fill(struct value brief, struct arena *arena, struct value *facts, const char **table,
                struct error *err);

#endif
