#include "api/errors.h"
#include "api/run.h"

#include <pgfsm/report.h>

bool pgfsm_report(char **out, size_t *size, const struct pgfsm_run *run,
                  const struct pgfsm_report_options *options, struct pgfsm_errors *errors)
{
    const char *name = options && options->format ? options->format : "text";
    const struct report_format *format = report_format_find(name);
    struct report_options report_options = {0};
    struct strbuf text = {0};
    *out = NULL;
    *size = 0;
    if (!format) {
        return errors_addf(errors, ERROR_USAGE, "there is no report format '%s'", name);
    }
    if (options) {
        report_options = (struct report_options){
            .stats = options->stats,
            .color = options->color,
            .whole = options->whole,
            .quiet = options->quiet,
            .again = options->again,
            .replay = options->replay,
            .replay_trace = options->replay_trace,
            .most = options->most,
        };
    }
    format->write(&run->report, &report_options, &text);
    strbuf_adds(&text, ""); /* so that there are bytes where the report is empty */
    *out = text.data;
    *size = text.size;
    return true;
}

struct pgfsm_report_frame pgfsm_report_frame(const char *name)
{
    const struct report_format *format = name ? report_format_find(name) : NULL;
    bool framed = format && format->before;
    return (struct pgfsm_report_frame){framed ? format->before : "", framed ? format->after : ""};
}

const char *pgfsm_report_format(size_t index)
{
    for (size_t i = 0; report_formats[i].name; i++) {
        if (i == index) {
            return report_formats[i].name;
        }
    }
    return NULL;
}
