/* What several sessions did, as the page's data. */
#ifndef REPORT_HTML_RACE_H
#define REPORT_HTML_RACE_H

#include "report/html/parts.h"

void html_race(struct parts *parts, const char *key, const struct race *race);

#endif
