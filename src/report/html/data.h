/* The page's data as JSON (base/json.h), in parts that go on where the text before them ends. */
#ifndef REPORT_HTML_DATA_H
#define REPORT_HTML_DATA_H

#include "base/strbuf.h"

/* Each adds a member under `key`, or an item if that is NULL, with the comma before it. */

/* `bracket`: '{' or '['; data_close ends it. */
void data_open(struct strbuf *out, const char *key, char bracket);
void data_close(struct strbuf *out, char bracket);
/* Text that is safe to show, in UTF-8; where it is NULL, nothing. */
void data_text(struct strbuf *out, const char *key, const char *text);
void data_number(struct strbuf *out, const char *key, uint64_t number);
/* `true`; where it is false, nothing. */
void data_flag(struct strbuf *out, const char *key, bool flag);
/* What is JSON already; where it is NULL, nothing. */
void data_raw(struct strbuf *out, const char *key, const char *text);

#endif
