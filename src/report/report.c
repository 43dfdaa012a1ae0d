#include "report/report.h"

#include "report/text.h"

#include <string.h>

const struct report_format report_formats[] = {
    {"text", text_write},
    {NULL, NULL},
};

const struct report_format *report_format_find(const char *name)
{
    for (const struct report_format *format = report_formats; format->name; format++) {
        if (strcmp(format->name, name) == 0) {
            return format;
        }
    }
    return NULL;
}

size_t report_never_ran(const struct report_run *run)
{
    size_t count = 0;
    for (size_t i = 0; run->result->stats.examples && i < run->machine->rules.count; i++) {
        count += run->result->stats.rules[i].ran == 0;
    }
    return count;
}

size_t report_never_checked(const struct report_run *run)
{
    size_t count = 0;
    for (size_t i = 0; run->result->stats.examples && i < run->machine->invariants.count; i++) {
        count += run->result->stats.invariants[i].checked == 0;
    }
    return count;
}
