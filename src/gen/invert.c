#include "gen/invert.h"

#include "gen/pick.h"

enum { SEARCH_TRIES = 400 }; /* simplest draws; what a failure was shortened to is among them */

/* Draws the simplest value, the next simplest, and so on. */
static enum draw_result search(struct drawer *drawer, const struct strategy *strategy,
                               uint64_t site, struct value wanted, struct value *out,
                               struct error *err)
{
    struct draw_mark mark = draw_mark(drawer);
    enum draw_result result = DRAW_REJECTED;
    for (unsigned i = 0; i < SEARCH_TRIES && result == DRAW_REJECTED; i++) {
        draw_rewind(drawer, mark);
        drawer->own.spent = 0;
        drawer->own.nudge = i;
        result = strategy->kind->draw(drawer, strategy, site, out, err);
        if (result == DRAW_OK && !value_matches_exactly(*out, wanted)) {
            result = DRAW_REJECTED;
        }
    }
    drawer->own.nudge = 0;
    if (result != DRAW_OK) {
        draw_rewind(drawer, mark);
    }
    return result;
}

enum draw_result invert_by_search(struct drawer *drawer, const struct strategy *strategy,
                                  uint64_t site, struct value wanted, struct value *out,
                                  struct error *err)
{
    drawer->own.inverting = false;
    enum draw_result result = search(drawer, strategy, site, wanted, out, err);
    drawer->own.inverting = true;
    if (result == DRAW_REJECTED) {
        drawer->own.on_trust = true;
        *out = wanted;
        return DRAW_OK;
    }
    return result;
}

enum draw_result invert_child(struct drawer *drawer, struct value strategy, uint64_t site,
                              struct value wanted, struct value *out, struct error *err)
{
    if (drawer->own.spent > DRAW_SPENT_MAX) {
        error_set(err, ERROR_LIMIT, "one argument draws more than %d values", DRAW_SPENT_MAX);
        return DRAW_ERROR;
    }
    const struct strategy *object = strategy_of(strategy);
    return !object ? pick_invert(drawer, NULL, strategy, wanted, out, err)
                   : object->kind->invert(drawer, object, site, wanted, out, err);
}
