#include "gen/invert.h"

#include <string.h>

enum { SEARCH_TRIES = 400 }; /* simplest draws; a shrunk value is usually among them */

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

bool value_matches(struct value value, struct value wanted)
{
    bool numbers = value_is_number(value) && value_is_number(wanted);
    return (value.type == wanted.type || numbers) && value_equal(value, wanted);
}

bool value_matches_exactly(struct value value, struct value wanted)
{
    return value_matches(value, wanted) && written_alike(value, wanted);
}

enum draw_result draw_matched(const struct draw *draw)
{
    return !draw->wanted || value_matches(*draw->out, *draw->wanted) ? DRAW_OK : DRAW_REJECTED;
}

/* Draws the simplest value, the next simplest, and so on. */
static enum draw_result search_wanted(const struct draw *draw, struct value wanted)
{
    struct drawer *drawer = draw->drawer;
    struct draw_mark mark = draw_mark(drawer);
    enum draw_result result = DRAW_REJECTED;
    for (unsigned i = 0; i < SEARCH_TRIES && result == DRAW_REJECTED; i++) {
        draw_rewind(drawer, mark);
        drawer->own.spent = 0;
        drawer->own.nudge = i;
        result = draw->strategy->kind->draw(draw);
        if (result == DRAW_OK && !value_matches_exactly(*draw->out, wanted)) {
            result = DRAW_REJECTED;
        }
    }
    drawer->own.nudge = 0;
    if (result != DRAW_OK) {
        draw_rewind(drawer, mark);
    }
    return result;
}

enum draw_result invert_by_search(const struct draw *draw)
{
    struct drawer *drawer = draw->drawer;
    struct draw any = *draw;
    any.wanted = NULL;
    drawer->own.inverting = false;
    enum draw_result result = search_wanted(&any, *draw->wanted);
    drawer->own.inverting = true;
    if (result == DRAW_REJECTED) {
        drawer->own.on_trust = true;
        *draw->out = *draw->wanted;
        return DRAW_OK;
    }
    return result;
}
