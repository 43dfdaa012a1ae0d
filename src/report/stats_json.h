/* The counts of a run as JSON. */
#ifndef REPORT_STATS_JSON_H
#define REPORT_STATS_JSON_H

#include "base/json.h"
#include "report/report.h"

/* Adds what `--stats` shows, as an object. The run must have a result. */
void report_stats_json(struct json *json, const char *key, const struct report_run *run);

#endif
