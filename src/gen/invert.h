/*
 * The inverse of drawing: finds the choices that make a strategy draw a given value, the *wanted*
 * one, so that an example written by hand is a trace like any other.
 *
 * Each kind of strategy turns the wanted value into the proposals of its draw, which are taken
 * unchanged while own.inverting is set. Functions of the model (map, builds, flatmap) have no
 * inverse: the simplest draws are tried, then the value is taken on trust.
 */
#ifndef GEN_INVERT_H
#define GEN_INVERT_H

#include "gen/kind.h"

/* Returns true if the value is the wanted one: equal, and of the same type unless both are numbers.
 */
bool value_matches(struct value value, struct value wanted);
/* The same, but the text must be equal, too: 1.00 is not 1.0. */
bool value_matches_exactly(struct value value, struct value wanted);
/* The result of a draw that set `*draw->out`: DRAW_REJECTED if another value is wanted. */
enum draw_result draw_matched(const struct draw *draw);

/* For kinds that run functions of the model: searches, then takes the value on trust. */
enum draw_result invert_by_search(const struct draw *draw);

#endif
