/* How the machines of one command ended. */
#ifndef CLI_TALLY_H
#define CLI_TALLY_H

#include "cli/options.h"
#include "cli/status.h"

struct tally {
    struct arena arena;
    enum status status;
    size_t count;
    struct texts failed; /* paths of those that are not ok */
};

/* `tally` may be NULL: nobody wants to know. */
void tally_count(struct tally *tally, const char *path, enum status status);
void tally_end(struct tally *tally);
/* "FAIL", "ok" */
const char *tally_word(enum status status);

#endif
