#include "report/report.h"

#include <string.h>

#define ENTER(name) &report_##name,
const struct report_format *const report_formats[] = {REPORT_FORMATS(ENTER) NULL};

const struct report_format *report_format_find(const char *name)
{
    for (const struct report_format *const *format = report_formats; *format; format++) {
        if (strcmp((*format)->name, name) == 0) {
            return *format;
        }
    }
    return NULL;
}

enum report_end report_end_of(const struct report_run *run)
{
    static const enum report_end ends[] = {
        [RUN_PASSED] = REPORT_OK, [RUN_FAILED] = REPORT_FAILED, [RUN_NOTHING] = REPORT_NOTHING};
    if (!run->machine || run->stopped != ERROR_NONE) {
        return REPORT_STOPPED;
    }
    enum report_end end = ends[run->result->outcome];
    return end == REPORT_OK && run->unmet ? REPORT_UNMET : end;
}

void report_begin(const struct report *report, struct strbuf *out)
{
    if (report->format->begin) {
        report->format->begin(report, out);
    }
}

void report_add(struct report *report, const struct report_run *run, struct strbuf *out)
{
    report->format->add(report, run, out);
    report->ends[report_end_of(run)]++;
}

void report_end(const struct report *report, struct strbuf *out)
{
    if (report->format->end) {
        report->format->end(report, out);
    }
}
