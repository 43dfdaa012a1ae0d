/* Accounts of failures as JSON, for the page and for programs (docs/REPORTS.md has its members). */
#ifndef REPORT_ACCOUNT_JSON_H
#define REPORT_ACCOUNT_JSON_H

#include "account/account.h"
#include "base/strbuf.h"

/* Adds a member (report/html/data.h), or an item if `key` is NULL. */
void account_json(struct strbuf *out, const char *key, const struct account *account);
void difference_json(struct strbuf *out, const char *key,
                     const struct account_difference *difference);
void source_json(struct strbuf *out, const char *key, const struct account_source *source);

#endif
