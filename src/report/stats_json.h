/* The counts of a run as JSON. */
#ifndef REPORT_STATS_JSON_H
#define REPORT_STATS_JSON_H

#include "base/json.h"
#include "report/report.h"

/* Adds what `--stats` shows, as an object. The run must have a result. */
void report_stats_json(struct json *json, const char *key, const struct report_run *run);

/* For formats that have a place for it only behind all machines: keeps it, if it is asked for, and
 * the warnings, and writes what was kept, `{"machines": [{"file": "orders.yaml", "stats": {…},
 * "warnings": […]}]}`; nothing if there is none. */
void report_stats_keep(struct report *report, const struct report_run *run);
void report_stats_kept(const struct report *report, struct json *json, const char *key);

#endif
