#include "base/shell.h"
#include "report/report.h"

const struct delivery *report_delivery(const struct report_run *run, const struct failure *failure)
{
    static const struct delivery none;
    for (size_t i = 0; i < run->delivery_count; i++) {
        if (&run->result->failures.items[i] == failure) {
            return &run->deliveries[i];
        }
    }
    return &none;
}

const char *report_replay(const struct report_run *run, const struct report_options *options,
                          const struct failure *failure, struct arena *arena)
{
    const struct delivery *delivery = report_delivery(run, failure);
    const char *given = delivery->script ? options->replay : options->replay_trace;
    /* psql alone simulates no clock, and has one database */
    bool psql = delivery->script && !run->machine->clock && failure->kind != FAILURE_DIFFERS;
    const char *usual = psql ? "psql -X -f" : "pgfsm replay";
    /* a trace alone does not say what the second of two databases has */
    bool traced = delivery->trace && !failure->leftover && failure->kind != FAILURE_DIFFERS;
    const char *what = delivery->script ? delivery->script
                       : !traced        ? NULL
                       : given          ? delivery->name
                                        : delivery->trace;
    struct strbuf command = {0};
    if (!what) {
        return NULL;
    }
    strbuf_addf(&command, "%s ", given ? given : usual);
    shell_quote(&command, what);
    return strbuf_take(&command, arena);
}
