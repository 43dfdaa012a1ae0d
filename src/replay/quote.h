/* Quotes any text for SQL and psql. */
#ifndef REPLAY_QUOTE_H
#define REPLAY_QUOTE_H

#include "base/strbuf.h"

/* Appends a string constant: '…', or E'…' with escapes for invisible characters (manual, section
 * 4.1.2). `text` is UTF-8; standard_conforming_strings is on. */
void quote_literal(struct strbuf *out, const char *text, size_t size);
/* Appends a name, in double quotes if it needs them. */
void quote_identifier(struct strbuf *out, const char *name);
/* Appends a cast to the type, `::name`. SQL's own names of types, such as integer, always mean
 * those in pg_catalog. Other types of pg_catalog are qualified, because search_path and pg_temp may
 * have another type of that name. */
void quote_cast(struct strbuf *out, const char *type);
/* Appends an argument of a psql command (its manual page, *Meta-Commands*). */
void quote_argument(struct strbuf *out, const char *text);

#endif
