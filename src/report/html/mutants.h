/* Mutants, for the page. */
#ifndef REPORT_HTML_MUTANTS_H
#define REPORT_HTML_MUTANTS_H

#include "report/report.h"

/* Adds "mutation" to the data: counts, and so many mutants, those that survived first. The run must
 * have some. */
void html_mutants(const struct report_run *run, size_t most, struct arena *arena,
                  struct strbuf *out);

#endif
