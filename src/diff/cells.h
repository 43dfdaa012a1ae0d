/* Compares two values, and finds out what is known of one: the parts of comparing rows. */
#ifndef DIFF_CELLS_H
#define DIFF_CELLS_H

#include "diff/compare.h"

/* Returns true if two values agree in a place of that nature; what can become a pair has then
 * become one. Where they don't, the joins so far stay: the caller takes them back. */
bool cells_agree(const struct comparing_sides *sides, enum nature nature, struct value before,
                 struct value after);

/* Returns true if a text may become a pair as a whole, in a place of that nature: parts that may
 * everywhere do so on their own. */
bool text_is_one(enum nature nature, struct value text);

/* Whether it is a time at which that side's schema was loaded. */
struct token_time;
bool time_is_loaded(const struct comparing_sides *sides, enum pair_side side,
                    const struct token_time *time);
/* Whether two times are equal, or equally far from the beginning of their transaction, or both of
 * when their schema was loaded. */
bool times_agree(const struct comparing_sides *sides, const struct token_time *before,
                 const struct token_time *after);
/* As a text that is the same in all places: without the T of JSON. */
struct value time_value(struct arena *arena, const char *at, const struct token_time *time);
/* A number that is about the time of these transactions, as seconds, ms or µs since 1970: its unit
 * in µs; 0: it is none. Two readings of a clock that are equal on one side need not be so on the
 * other: they make no pairs. */
int64_t clock_unit(const struct comparing_sides *sides, struct value value);
/* Makes two times a pair if they differ and have no partners; days are none. */
void times_join(const struct comparing_sides *sides, struct value before, struct value after);
/* The time of the second database that is as far from its transaction's beginning. */
int64_t time_after(const struct comparing_sides *sides, const struct token_time *before);

/* Returns true if a value is or has a uuid that has no partner: its server has made it. */
bool cells_new(const struct pairs *pairs, enum pair_side side, struct value value);

/* Notes all uuids of a value that is equal on both sides as their own partners; false if one has
 * another. */
bool cells_note(const struct comparing_sides *sides, struct value value);

#endif
