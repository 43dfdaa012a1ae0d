/* What several sessions did, as the page's data. */
#ifndef REPORT_HTML_RACE_H
#define REPORT_HTML_RACE_H

#include "account/show.h"
#include "report/html/data.h"

/* Where texts go, what is written, and the names that ids are shown by. */
struct parts {
    struct arena *arena;
    struct strbuf *out;
    const struct show_names *names;
};

void html_race(struct parts *parts, const char *key, const struct race *race);

#endif
