#include "gen/invert.h"

#include "gen/pick.h"

#include <string.h>

enum { SEARCH_TRIES = 400 }; /* simplest draws; what a failure was shortened to is among them */

static bool written_alike(struct value a, struct value b)
{
    struct strbuf first = {0};
    struct strbuf second = {0};
    value_repr(a, &first);
    value_repr(b, &second);
    bool alike = strcmp(strbuf_text(&first), strbuf_text(&second)) == 0;
    strbuf_free(&first);
    strbuf_free(&second);
    return alike;
}

bool invert_matches(struct value value, struct value wanted)
{
    bool numbers = value_is_number(value) && value_is_number(wanted);
    if (value.type != wanted.type && !numbers) {
        return false;
    }
    return value_equal(value, wanted);
}

bool invert_matches_exactly(struct value value, struct value wanted)
{
    return invert_matches(value, wanted) && written_alike(value, wanted);
}

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
        if (result == DRAW_OK && !invert_matches_exactly(*out, wanted)) {
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
    if (pick_is(strategy)) {
        return pick_invert(drawer, strategy, wanted, out, err);
    }
    if (drawer->own.spent > DRAW_SPENT_MAX) {
        error_set(err, ERROR_LIMIT, "one argument draws more than %d values", DRAW_SPENT_MAX);
        return DRAW_ERROR;
    }
    const struct strategy *object = strategy_of(strategy);
    return object->kind->invert(drawer, object, site, wanted, out, err);
}
