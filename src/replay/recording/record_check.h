/* What a check of the model language asks of an answer, as a comparison that SQL can make. */
#ifndef REPLAY_RECORD_CHECK_H
#define REPLAY_RECORD_CHECK_H

#include "lang/lang.h"
#include "replay/recording/record_text.h"

/* A check that was not true of `answer`. */
struct untrue_check {
    struct lang_state *state;
    const struct lang_code *code;
    struct value *locals; /* that of the answer is unset */
    size_t count;         /* of them */
    size_t slot;          /* of that one */
    const struct answer *answer;
};

/* Whether the check depends on the answer at all. */
bool check_reads_answer(const struct untrue_check *check, struct arena *arena);
/* NULL if the check is more than `result.value` or `result.count`, compared with a constant or a
 * variable. */
const struct recorded_comparison *record_comparison(const struct recording_text *recording,
                                                    const struct untrue_check *check);

#endif
