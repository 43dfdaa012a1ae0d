/* The common part of every draw. */
#include "gen/memory.h"
#include "gen/pick.h"

#include <assert.h>

/* Repeats an earlier draw by its choices; DRAW_REJECTED if they no longer fit. */
static enum draw_result draw_repeated(const struct draw *draw, const struct choices *earlier)
{
    struct drawer *drawer = draw->drawer;
    const struct choices *replay = drawer->replay;
    size_t next = drawer->own.next;
    size_t end = drawer->own.end;
    bool detached = drawer->own.detached;
    struct draw_mark mark = draw_mark(drawer);
    struct draw again = *draw;
    again.site = 0;
    drawer->replay = earlier;
    drawer->own.next = 0;
    drawer->own.end = earlier->items.count;
    drawer->own.detached = false;
    enum draw_result result = draw->strategy->kind->draw(&again);
    drawer->replay = replay;
    drawer->own.next = next;
    drawer->own.end = end;
    drawer->own.detached = detached;
    if (result != DRAW_OK) {
        draw_rewind(drawer, mark);
    }
    return result == DRAW_EMPTY ? DRAW_REJECTED : result;
}

/* The earlier draw to repeat, or NULL: of a strategy written alike or, less often, of the same
 * kind. */
static const struct choices *to_repeat(const struct drawer *drawer, uint64_t alike, uint64_t kind)
{
    enum { ROLL = 32, ALIKE = 6, ALIKE_LOCAL = 12, KIND = 2 };
    if (!draw_is_fresh(drawer) || !drawer->memory) {
        return NULL;
    }
    uint64_t roll = rng_below(drawer->rng, ROLL);
    if (roll < KIND && kind) {
        return memory_pick(drawer->memory, kind, drawer->rng);
    }
    if (roll < KIND + (drawer->local ? ALIKE_LOCAL : ALIKE)) {
        return memory_pick(drawer->memory, alike, drawer->rng);
    }
    return NULL;
}

static enum draw_result draw_strategy(const struct draw *draw)
{
    struct drawer *drawer = draw->drawer;
    const struct strategy *strategy = draw->strategy;
    if (strategy->empty) {
        return DRAW_EMPTY;
    }
    if (strategy->kind->repeats == REPEATS_NOTHING) {
        return strategy->kind->draw(draw);
    }
    uint64_t alike = strategy->signature ? strategy->signature : draw->site;
    uint64_t kind = strategy->kind->repeats == REPEATS_KIND ? kind_memory_key(strategy->kind) : 0;
    const struct choices *earlier = to_repeat(drawer, alike, kind);
    if (earlier) {
        enum draw_result result = draw_repeated(draw, earlier);
        if (result != DRAW_REJECTED) {
            return result;
        }
    }
    size_t start = drawer->record->items.count;
    enum draw_result result = strategy->kind->draw(draw);
    if (result == DRAW_OK && drawer->memory && !drawer->caller->looking) {
        const struct choice *drawn = drawer->record->items.items + start;
        size_t count = drawer->record->items.count - start;
        memory_add(drawer->memory, alike, drawn, count);
        if (kind) {
            memory_add(drawer->memory, kind, drawn, count);
        }
    }
    return result;
}

enum draw_result draw_child(const struct draw *draw, struct value strategy, uint64_t site,
                            const struct value *wanted, struct value *out)
{
    struct drawer *drawer = draw->drawer;
    if (drawer->own.depth == DRAW_DEPTH_MAX) {
        error_set(draw->err, ERROR_LIMIT, "a strategy draws from strategies nested deeper than %d",
                  DRAW_DEPTH_MAX);
        return DRAW_ERROR;
    }
    if (drawer->own.spent > DRAW_SPENT_MAX) {
        error_set(draw->err, ERROR_LIMIT, "one argument draws more than %d values", DRAW_SPENT_MAX);
        error_hint(draw->err, "give its lists and texts a smaller max_size");
        return DRAW_ERROR;
    }
    const struct draw child = {drawer, strategy_of(strategy), site, wanted, out, draw->err};
    drawer->own.depth++;
    enum draw_result result = child.strategy ? draw_strategy(&child) : pick_draw(&child, strategy);
    drawer->own.depth--;
    return result;
}

enum draw_result draw_part(const struct draw *draw, struct value strategy, size_t index,
                           const struct value *wanted, struct value *out)
{
    size_t span = draw_span_begin(draw->drawer, SPAN_OTHER);
    enum draw_result result = draw_child(draw, strategy, draw_site(draw->site, index), wanted, out);
    draw_span_end(draw->drawer, span);
    return result;
}

/* Moves to the replay's choices for the next argument: to its span or, in a replay without spans,
 * to the end of the last argument. */
static void begin_argument(struct drawer *drawer)
{
    size_t wanted = drawer->own.arguments++;
    drawer->own.spent = 0;
    drawer->own.consumed.count = 0;
    if (!drawer->replay || drawer->replay->spans.count == 0) {
        return;
    }
    size_t seen = 0;
    for (size_t i = 0; i < drawer->replay->spans.count; i++) {
        const struct choice_span *span = &drawer->replay->spans.items[i];
        if (span->kind == SPAN_ARGUMENT && seen++ == wanted) {
            size_t count = drawer->replay->items.count;
            drawer->own.next = span->start;
            drawer->own.end = span->end < count ? span->end : count;
            return;
        }
    }
    drawer->own.next = drawer->own.end;
}

static void consume_drawn(struct drawer *drawer)
{
    for (size_t i = 0; i < drawer->own.consumed.count; i++) {
        const struct drawn_item *drawn = &drawer->own.consumed.items[i];
        drawer->ops->consume(drawer, drawn->bundle, drawn->item);
    }
}

static enum draw_result draw_argument(const struct draw *draw, struct value strategy)
{
    struct drawer *drawer = draw->drawer;
    begin_argument(drawer);
    size_t span = draw_span_begin(drawer, SPAN_ARGUMENT);
    struct draw_mark mark = draw_mark(drawer);
    enum draw_result result = DRAW_OK;
    drawer->own.inverting = draw->wanted != NULL;
    drawer->own.on_trust = false;
    if (value_is_drawable(strategy)) {
        result = draw_child(draw, strategy, draw->site, draw->wanted, draw->out);
    } else {
        *draw->out = strategy;
    }
    drawer->own.inverting = false;
    if (result == DRAW_OK) {
        consume_drawn(drawer);
    }
    if (drawer->own.on_trust) {
        draw_rewind(drawer, mark);
    }
    draw_span_end(drawer, span);
    return result;
}

enum draw_result strategy_draw(struct drawer *drawer, struct value strategy, uint64_t site,
                               struct value *out, struct error *err)
{
    return draw_argument(&(struct draw){.drawer = drawer, .site = site, .out = out, .err = err},
                         strategy);
}

enum draw_result strategy_invert(struct drawer *drawer, struct value strategy, uint64_t site,
                                 struct value wanted, struct inverted *out, struct error *err)
{
    assert(!drawer->replay && !drawer->rng && !drawer->memory);
    assert(value_is_drawable(strategy));
    const struct draw draw = {
        .drawer = drawer, .site = site, .wanted = &wanted, .out = &out->value, .err = err};
    enum draw_result result = draw_argument(&draw, strategy);
    out->on_trust = drawer->own.on_trust;
    return result;
}

enum draw_result strategy_possible(struct caller *caller, struct value strategy, struct error *err)
{
    if (!value_is_drawable(strategy)) {
        return DRAW_OK;
    }
    const struct strategy *object = strategy_of(strategy);
    if (!object) {
        return pick_possible(caller, NULL, strategy, err);
    }
    if (object->empty || !object->kind->possible) {
        return object->empty ? DRAW_EMPTY : DRAW_OK;
    }
    return object->kind->possible(caller, object, err);
}
