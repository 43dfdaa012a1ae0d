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
