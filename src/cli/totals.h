/* How the machines of one command ended. */
#ifndef CLI_TOTALS_H
#define CLI_TOTALS_H

#include "cli/options.h"
#include "cli/status.h"

struct totals {
    struct arena arena;
    enum status status;
    size_t count;
    bool differs;        /* of two databases */
    struct texts failed; /* paths of those that are not ok */
};

/* Counts a machine. `totals` may be NULL. */
void totals_add(struct totals *totals, const char *path, enum status status);
void totals_end(struct totals *totals);
/* "FAIL", "DIFFERS", "ok" */
const char *totals_word(const struct totals *totals);

#endif
