/* The parts of comparing two answers, and what they find: NULL where they agree. */
#ifndef DIFF_VERDICT_H
#define DIFF_VERDICT_H

#include "diff/rows.h"

struct comparing_answers {
    const struct comparing_sides *sides;
    const struct asked *asked;
    const struct answer *before;
    const struct answer *after;
};

/* A divergence with the texts of both sides. Where the first database is compared with itself and
 * `nature`, a name of natures.h, can become free, it does: NULL. */
const struct divergence *diverges(const struct comparing_answers *answers,
                                  const struct divergence *found, const char *nature);

/* errors.c: at least one of them is an error. */
const struct divergence *compare_errors(const struct comparing_answers *answers);
/* columns.c: and finds the columns that both have. */
const struct divergence *compare_columns(const struct comparing_answers *answers,
                                         struct shared_rows *rows);
/* row_differences.c */
const struct divergence *compare_rows(const struct comparing_answers *answers,
                                      struct shared_rows *rows);
/* learn.c: makes looser what differs by nature; false if nothing can become looser. */
bool learn_rows(const struct comparing_answers *answers, const struct shared_rows *rows,
                const struct alignment *alignment);
/* Learns from rows that schemas begin with when these were loaded; false if they tell no more. */
bool learn_loaded(const struct shared_rows *rows);
/* The same, of two databases: a value that a server makes may have another form in each. */
bool learn_forms(const struct comparing_answers *answers, const struct shared_rows *rows,
                 const struct alignment *alignment);
/* notifications.c */
const struct divergence *compare_notifications(const struct comparing_answers *answers);

#endif
