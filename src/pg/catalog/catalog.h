/*
 * What the catalog tells about the schema: facts for strategies, warnings, literals worth drawing,
 * and which SQL changes what names mean. It asks through a session, which knows none of it.
 */
#ifndef PG_CATALOG_H
#define PG_CATALOG_H

#include "pg/session/session.h"

/* catalog.c */
/* Whether SQL under test may change what contexts set: before the contexts' statement is prepared.
 */
bool session_read_changes(struct session *session, struct error *err);
/* True if the text has the word, in any case. */
bool sql_mentions(const struct snippet *sql, const char *word);
bool session_read_catalog(struct session *session, struct error *err);

/* makers.c: finds the statements that change what names mean. */
bool session_find_makers(struct session *session, struct error *err);

/* tables.c: as the operation of the backend. */
bool session_table(struct backend *backend, const char *name, const struct table_facts **out,
                   struct error *err);
/* Checks that the tables and columns that the machine's strategies name exist. Mistakes go to
 * diagnostics. */
bool session_check_names(struct session *session, struct diagnostics *diagnostics,
                         struct error *err);

#endif
