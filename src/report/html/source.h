/* The machine's file for the page, which shows where things stand in it. */
#ifndef REPORT_HTML_SOURCE_H
#define REPORT_HTML_SOURCE_H

#include "report/report.h"

/* Adds `"source":{"file":…,"lines":N,"parts":[[first line, text],…]}`. Of a long file, the lines
 * around what the run's failures contradict and what their steps ran. Nothing if there is no file.
 */
void html_source(const struct report_run *run, struct arena *arena, struct strbuf *out);
/* The line on which something begins, from 1; 0 if it has no place in the machine's file. */
size_t html_line(const struct report_run *run, struct source_pos pos);

#endif
