/* Quoting: texts as SQL and psql read them back, whatever is in them. */
#ifndef REPLAY_QUOTE_H
#define REPLAY_QUOTE_H

#include "base/strbuf.h"

/* A string constant: '…', or E'…' where characters that can't be seen are written as escapes
 * (manual, section 4.1.2). `text` is UTF-8; standard_conforming_strings is on. */
void quote_literal(struct strbuf *out, const char *text, size_t size);
/* A name, in double quotes where it needs them. */
void quote_identifier(struct strbuf *out, const char *name);
/* A cast to the type, `::name`. The server finds types that SQL has a word for, such as integer, in
 * pg_catalog; others of pg_catalog get its name, as search_path and pg_temp may have a double. */
void quote_cast(struct strbuf *out, const char *type);
/* An argument of one of psql's commands (its manual page, *Meta-Commands*). */
void quote_argument(struct strbuf *out, const char *text);

#endif
