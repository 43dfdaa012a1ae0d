#include "cli/status.h"

#include <stddef.h>

enum status status_worst(enum status a, enum status b)
{
    static const enum status order[] = {STATUS_INTERRUPTED, STATUS_UNREACHABLE, STATUS_USAGE,
                                        STATUS_FAILED,      STATUS_UNMET,       STATUS_NOTHING};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (a == order[i] || b == order[i]) {
            return order[i];
        }
    }
    return STATUS_OK;
}
