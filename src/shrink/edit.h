/* Candidates: copies of a trace with something removed or changed. The steps' choices are shared
 * with the original until they are changed; all copies are in the arena given. */
#ifndef SHRINK_EDIT_H
#define SHRINK_EDIT_H

#include "trace/trace.h"

/* A copy of the list of steps whose choices may not be written to. */
struct trace edit_copy(struct arena *arena, const struct trace *trace);
/* The trace without steps [from, to). */
struct trace edit_remove(struct arena *arena, const struct trace *trace, size_t from, size_t to);
/* Those of the steps that are `kept`. */
struct trace edit_keep(struct arena *arena, const struct trace *trace, const bool *kept);
/* The trace without the steps that refer to a step of `original` which is not before them in it,
 * and without those that refer to these: what a replay would drop. */
struct trace edit_close(struct arena *arena, const struct trace *trace,
                        const struct trace *original);
/* Choice `choice` of step `step`, to be written: the step gets choices of its own first. */
struct choice *edit_choice(struct arena *arena, struct trace *trace, size_t step, size_t choice);
/* Assigns the value that `from` stands for, moved into the bounds that are asked for here. Text and
 * numbers may become items, wanted wherever they stand, and items text or numbers. False where it
 * can't: references to steps are the caller's business. */
bool edit_assign(struct arena *arena, struct choice *to, const struct choice *from);
/* Whether two choices are the same thing: the same value of a bundle, the same number of one range,
 * or an item and what it is equal to. */
bool edit_same(const struct choice *a, const struct choice *b);
/* Makes references by position forget what stood there: it counts what stands there now. */
void edit_drop_items(struct arena *arena, struct trace *trace);
/* Takes choices [from, to) out of a step. */
void edit_cut(struct arena *arena, struct trace *trace, size_t step, size_t from, size_t to);
/* Puts `count` other choices in the place of [range.from, range.to), which is within one argument
 * and not empty. Of the step's spans its arguments are kept: a replay finds the others again. */
struct edit_range {
    size_t from;
    size_t to;
};
void edit_replace(struct arena *arena, struct trace *trace, size_t step, struct edit_range range,
                  const struct choice *choices, size_t count);
/* The trace without step `index`; references to its values stand for `to` instead, or where that is
 * NULL for an equal item. */
struct trace edit_bypass(struct arena *arena, const struct trace *trace, size_t index,
                         const struct reference *to);
/* Makes every choice of the step the simplest. */
void edit_simplify_step(struct arena *arena, struct trace *trace, size_t step);
void edit_swap(struct trace *trace, size_t a, size_t b);
/* Whether the step is the first one of a session. */
bool edit_begins_session(const struct trace *trace, size_t step);
/* Such a step runs before the sessions. */
void edit_before_sessions(struct trace *trace, size_t step);

/* Which steps of a trace refer to the values of which others. */

#define NO_STEP SIZE_MAX

/* Whether the choice, or one of the step, refers to a value of the step with this id. */
bool choice_refers_to(const struct choice *choice, uint32_t id);
bool step_refers_to(const struct trace_step *step, uint32_t id);
/* Index of the step that gave what the choice stands for; NO_STEP: none, or it is no reference. */
size_t reference_giver(const struct trace *trace, const struct choice *choice);
/* By step: a later one refers to it. */
const bool *reference_givers(const struct trace *trace, struct arena *arena);
/* What made the value: values made alike are taken to be of one collection. By position: the
 * collection. */
size_t reference_maker(const struct trace *trace, const struct reference *reference);

#endif
