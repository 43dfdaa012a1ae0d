/*
 * What a statement's text shows about its answer, for warnings: in doubt, nothing.
 *
 * It follows tokens, not PostgreSQL's grammar, and knows no catalog.
 */
#ifndef MACHINE_SQL_STUDY_H
#define MACHINE_SQL_STUDY_H

#include "base/source.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether the statement may return several rows, and nothing in it says in which order. */
bool sql_has_no_order(const struct snippet *statement);
/* Finds a call of a function of PostgreSQL's that gives another value each time; `start` and
 * `end` are the bytes of its name. */
bool sql_finds_volatile(const struct snippet *statement, bool stands, size_t *start, size_t *end);
/* Whether the statement only reads: a query without a call that might do more. */
bool sql_only_reads(const struct snippet *statement);

#endif
