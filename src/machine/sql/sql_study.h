/*
 * Finds facts about a statement's answer in its text, for warnings. If in doubt, it reports
 * nothing.
 *
 * It reads tokens without PostgreSQL's grammar or catalog.
 */
#ifndef MACHINE_SQL_STUDY_H
#define MACHINE_SQL_STUDY_H

#include "base/source.h"

#include <stdbool.h>
#include <stddef.h>

/* Returns true if the statement may return several rows in an undefined order. */
bool sql_has_no_order(const struct snippet *statement);
/* Finds a call of a PostgreSQL function that returns a new value each time; `start` and `end` are
 * the bytes of its name. */
bool sql_finds_volatile(const struct snippet *statement, bool stands, size_t *start, size_t *end);
/* Returns true if it is a SELECT that locks the rows which it returns: FOR UPDATE and the like. */
bool sql_locks_rows(const struct snippet *statement);
/* Returns true if the statement only reads: a query without calls that might write. */
bool sql_only_reads(const struct snippet *statement);

#endif
