/*
 * Differences that are expected: what a machine has under `differences`, and what a file has. Each
 * one knows whether it was seen. May be shared by threads.
 */
#ifndef DIFF_ACCEPTED_H
#define DIFF_ACCEPTED_H

#include "diff/verdict.h"
#include "machine/machine.h"

struct accepted;

/* Both lists are borrowed. Free with accepted_free. */
struct accepted *accepted_new(const struct accepted_differences *of_machine,
                              const struct accepted_differences *of_file);
void accepted_free(struct accepted *accepted);

size_t accepted_count(const struct accepted *accepted);
const struct accepted_difference *accepted_at(const struct accepted *accepted, size_t index,
                                              bool *seen);

/* Notes that it was seen elsewhere. */
void accepted_mark(struct accepted *accepted, size_t index);

/* From now on, what has the cause of the divergence (divergence_same_cause) is accepted, too: it
 * has been told, and others are looked for. */
void accepted_look_past(struct accepted *accepted, const struct divergence *told);
/* Where it was met since then, each place once; `count` of them, until the next comparison. */
const char *const *accepted_met(struct accepted *accepted, const struct divergence *told,
                                size_t *count);

/* Returns true if differences of what the rule is answered may be accepted: its steps are then to
 * be in a guard, to be undone. */
bool accepted_of_rule(const struct accepted *accepted, const char *rule);
/* Returns true if the divergence is accepted, with all else that the place is answered; notes that
 * one such was seen. Types and names of columns are not: accepted_columns. */
bool accepted_whole(struct accepted *accepted, const struct asked *asked,
                    const struct divergence *divergence);
/* Whether some of the divergence is accepted. `out` then gets both answers without it: without the
 * columns that may differ, or with the type that a column has before. */
bool accepted_columns(struct accepted *accepted, const struct comparing_answers *answers,
                      const struct divergence *divergence, struct answer out[2]);
/* Notes that these differed, once nothing else does. Returns true if it was only how columns are
 * called and typed, so that what the step left behind is compared all the same. */
bool accepted_saw_columns(struct accepted *accepted, const struct comparing_answers *answers,
                          const struct divergence *divergence);

#endif
