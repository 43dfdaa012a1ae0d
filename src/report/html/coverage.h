/* What a run came across, for the pictures of the page (page/coverage.js). */
#ifndef REPORT_HTML_COVERAGE_H
#define REPORT_HTML_COVERAGE_H

#include "report/report.h"

/* Appends members to an object: as in the JSON report, with fewer values of each argument; and
 * which rule followed which, and the passing examples that are shown. */
void html_coverage(const struct report_run *run, struct strbuf *out);

#endif
