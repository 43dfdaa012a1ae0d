/* What failed, as one sentence, which is the same in all formats: who, when, and what is wrong. */
#ifndef REPORT_SENTENCE_H
#define REPORT_SENTENCE_H

#include "account/show.h"

enum { SENTENCE_MAX = 120 /* characters */ };

/* "invariant members after remove_member (step 4): missing projects_2; unexpected projects_1", in
 * the arena. If it would be too long, it names fewer of the rows that differ, and shortens values,
 * messages and expressions; names of rules and invariants and conditions stay. */
const char *sentence(struct arena *arena, const struct machine *machine,
                     const struct failure *failure);

#endif
