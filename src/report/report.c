#include "report/report.h"

#include <string.h>

#define ENTER(name, before, after) {#name, report_##name, before, after},
const struct report_format report_formats[] = {REPORT_FORMATS(ENTER){NULL, NULL, NULL, NULL}};

const struct report_format *report_format_find(const char *name)
{
    for (const struct report_format *format = report_formats; format->name; format++) {
        if (strcmp(format->name, name) == 0) {
            return format;
        }
    }
    return NULL;
}
