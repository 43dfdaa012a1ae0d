/* Candidates: copies of a trace with something removed or changed. Steps share their choices with
 * the original until they change; copies are in the given arena. */
#ifndef SHRINK_EDIT_H
#define SHRINK_EDIT_H

#include "trace/trace.h"

/* A copy of the list of steps, whose choices are read-only. */
struct trace edit_copy(struct arena *arena, const struct trace *trace);
/* The trace without steps [from, to). */
struct trace edit_remove(struct arena *arena, const struct trace *trace, size_t from, size_t to);
/* The trace with only the steps in `kept`. */
struct trace edit_keep(struct arena *arena, const struct trace *trace, const bool *kept);
/* The trace without the steps that a replay would drop: those that refer to a step of `original`
 * that no longer precedes them, and those that refer to dropped steps. */
struct trace edit_close(struct arena *arena, const struct trace *trace,
                        const struct trace *original);
/* Choice `choice` of step `step`, which may be changed: the step's choices are copied first. */
struct choice *edit_choice(struct arena *arena, struct trace *trace, size_t step, size_t choice);
/* Assigns the value of `from`, clamped to the bounds of `to`. Text and numbers may become items, at
 * any position, and items may become text or numbers. False if that is impossible, and for
 * references to steps, which the caller handles. */
bool edit_assign(struct arena *arena, struct choice *to, const struct choice *from);
/* Returns true if two choices mean the same value: of a bundle, a number in one range, or an item
 * and an equal value. */
bool edit_same(const struct choice *a, const struct choice *b);
/* Drops the items of references by position, so that only the positions count. */
void edit_drop_items(struct arena *arena, struct trace *trace);
/* Removes choices [from, to) from a step. */
void edit_cut(struct arena *arena, struct trace *trace, size_t step, size_t from, size_t to);
/* Replaces [range.from, range.to), which is within one argument and not empty, by `count` other
 * choices. Only the spans of arguments are kept; a replay restores the others. */
struct edit_range {
    size_t from;
    size_t to;
};
void edit_replace(struct arena *arena, struct trace *trace, size_t step, struct edit_range range,
                  const struct choice *choices, size_t count);
/* The trace without step `index`. References to its values become `to` or, if that is NULL,
 * references to an equal item. */
struct trace edit_bypass(struct arena *arena, const struct trace *trace, size_t index,
                         const struct reference *to);
/* Makes every choice of the step the simplest. */
void edit_simplify_step(struct arena *arena, struct trace *trace, size_t step);
void edit_swap(struct trace *trace, size_t a, size_t b);
/* Returns true if the step is the first one of a session. */
bool edit_begins_session(const struct trace *trace, size_t step);
/* Moves such a step before the sessions. */
void edit_before_sessions(struct trace *trace, size_t step);

/* References between the steps of a trace. */

#define NO_STEP SIZE_MAX

/* Returns true if the choice, or one of the step's, refers to a value of the step with this id. */
bool choice_refers_to(const struct choice *choice, uint32_t id);
bool step_refers_to(const struct trace_step *step, uint32_t id);
/* Index of the step that produced the choice's value; NO_STEP if there is none, or if the choice is
 * not a reference. */
size_t reference_producer(const struct trace *trace, const struct choice *choice);
/* By step: true if a later step refers to it. */
const bool *reference_producers(const struct trace *trace, struct arena *arena);
/* The producer of the value: values of one rule count as one collection. For references by
 * position, the collection. */
size_t reference_maker(const struct trace *trace, const struct reference *reference);

#endif
