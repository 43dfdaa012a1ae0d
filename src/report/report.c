#include "report/cases.h"

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

void report_begin(const struct report *report, struct strbuf *out)
{
    if (report->format->begin) {
        report->format->begin(report, out);
    }
}

void report_add(struct report *report, const struct report_run *run, struct strbuf *out)
{
    report->compared = report->compared || run->compared;
    if (report->format->add) {
        report->format->add(report, run, out);
    } else {
        struct arena arena = {0};
        const struct report_cases cases = report_cases(report, run, &arena);
        report->format->add_cases(report, run, &cases, out);
        arena_free(&arena);
    }
    report->ends[report_end_of(run)]++;
}

void report_end(const struct report *report, struct strbuf *out)
{
    if (report->format->end) {
        report->format->end(report, out);
    }
}

void report_free(struct report *report)
{
    strbuf_free(&report->kept);
    strbuf_free(&report->faults);
    strbuf_free(&report->below);
}
