/* Converts a check of an answer, in the model language, to a comparison in SQL. */
#ifndef REPLAY_RECORD_CHECK_H
#define REPLAY_RECORD_CHECK_H

#include "lang/lang.h"
#include "replay/recording/record_text.h"

/* A check that was false for `answer`. */
struct untrue_check {
    struct lang_state *state;
    const struct lang_code *code;
    struct value *locals; /* the answer's is unset */
    size_t count;         /* of them */
    size_t slot;          /* of the answer */
    const struct answer *answer;
};

/* Returns true if the check depends on the answer. */
bool check_reads_answer(const struct untrue_check *check, struct arena *arena);
/* NULL if the check is more than `result.value` or `result.count`, compared with a constant or a
 * variable. */
const struct recorded_comparison *record_comparison(const struct recording_text *recording,
                                                    const struct untrue_check *check);

#endif
