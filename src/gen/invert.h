/*
 * Giving: the inverse of drawing. A value is wanted, and the choices are found that make a strategy
 * draw it, so that an example written by hand is a trace like any other.
 *
 * Each kind of strategy turns the wanted value into the proposals of its draw (`invert` in struct
 * strategy_kind); while own.inverting is set these are taken as they are. What functions of the
 * model made (map, builds, flatmap) has no inverse: the simplest draws are tried, then the value is
 * taken on trust.
 */
#ifndef GEN_INVERT_H
#define GEN_INVERT_H

#include "gen/kind.h"
#include "gen/matches.h"

/* As draw_child. */
enum draw_result invert_child(struct drawer *drawer, struct value strategy, uint64_t site,
                              struct value wanted, struct value *out, struct error *err);
/* Draws, or, where a value is wanted, inverts: for kinds that do both in the same way. */
static inline enum draw_result take_child(struct drawer *drawer, struct value strategy,
                                          uint64_t site, const struct value *wanted,
                                          struct value *out, struct error *err)
{
    return wanted ? invert_child(drawer, strategy, site, *wanted, out, err)
                  : draw_child(drawer, strategy, site, out, err);
}
/* For a kind that runs functions of the model: a search, then trust. */
enum draw_result invert_by_search(struct drawer *drawer, const struct strategy *strategy,
                                  uint64_t site, struct value wanted, struct value *out,
                                  struct error *err);

#endif
