#include "gen/pick.h"

#include "base/utf8.h"
#include "gen/hot.h"
#include "gen/invert.h"
#include "gen/memory.h"

#include <assert.h>
#include <limits.h>

static bool is_link(const struct strategy *strategy)
{
    return strategy && (strategy->kind->role == ROLE_MAPS || strategy->kind->role == ROLE_FILTERS);
}

const struct strategy *map_filter_base(const struct strategy *strategy, struct value *base,
                                       bool *filtered)
{
    *filtered = false;
    while (is_link(strategy)) {
        *filtered = *filtered || strategy->kind->role == ROLE_FILTERS;
        *base = strategy->self;
        strategy = strategy_of(*base);
    }
    return strategy;
}

enum draw_result map_filter_run(struct caller *caller, const struct strategy *links,
                                struct value item, struct value *out, struct error *err)
{
    if (!is_link(links)) {
        *out = item;
        return DRAW_OK;
    }
    struct value inner;
    enum draw_result result = map_filter_run(caller, strategy_of(links->self), item, &inner, err);
    if (result != DRAW_OK) {
        return result;
    }
    struct value answer;
    result = draw_call(caller, links->args[0], &inner, 1, &answer, err);
    if (result != DRAW_OK) {
        return result;
    }
    bool filters = links->kind->role == ROLE_FILTERS;
    *out = filters ? inner : answer;
    return filters && !value_truth(answer) ? DRAW_REJECTED : DRAW_OK;
}

/*
 * A *place* is an item's index in a list or its entry in a table, where holes have places, too. A
 * *position* counts only items; choices record positions.
 */
struct pick {
    const struct strategy *links; /* maps and filters; NULL if there are none */
    struct value from;            /* list, tuple, set, dict, string, or an object with items */
    enum {
        PICK_INDEX,     /* sampled_from a constant: recorded as an integer */
        PICK_COMPUTED,  /* any other sampled_from: recorded as a reference by position */
        PICK_REFERENCE, /* a bundle or a collection of the model */
        PICK_CONSUMED,  /* consumes(bundle) */
    } how;
    bool filtered;
};

static bool pick_find(const struct strategy *strategy, struct value from, struct pick *pick)
{
    *pick = (struct pick){.links = strategy, .from = from, .how = PICK_REFERENCE};
    const struct strategy *base = map_filter_base(strategy, &pick->from, &pick->filtered);
    if (!base) {
        return true;
    }
    if (base->kind->role != ROLE_SAMPLES && base->kind->role != ROLE_CONSUMES) {
        return false;
    }
    pick->from = base->args[0];
    if (base->kind->role == ROLE_CONSUMES) {
        pick->how = PICK_CONSUMED;
    } else if (!value_is_bundle(pick->from)) {
        pick->how = PICK_INDEX;
    }
    return true;
}

/* sampled_from(c), which is needed to filter a collection of the model, equals the collection. */
static struct pick pick_of(struct drawer *drawer, const struct strategy *strategy,
                           struct value from)
{
    struct pick pick;
    pick_find(strategy, from, &pick);
    if (pick.how == PICK_INDEX && drawer->ops) {
        switch (drawer->ops->kind_of(drawer, pick.from)) {
        case COLLECTION_FIXED:
            break;
        case COLLECTION_COMPUTED:
            pick.how = PICK_COMPUTED;
            break;
        case COLLECTION_FILLED:
            pick.how = PICK_REFERENCE;
            break;
        }
    }
    return pick;
}

bool pick_is(const struct strategy *strategy)
{
    struct pick pick;
    return pick_find(strategy, value_none(), &pick);
}

/* Items. */

static size_t item_count(struct value from)
{
    size_t count = 0;
    return value_length(from, &count, NULL) ? count : 0;
}

static size_t place_count(struct value from)
{
    return value_is_table(from) ? table_places(from.as.table) : item_count(from);
}

/* The item at a place; false for a hole. */
static bool item_at(struct value from, size_t place, struct arena *arena, struct value *out)
{
    assert(place < place_count(from));
    if (value_is_table(from)) {
        const struct table_entry *entry = table_at(from.as.table, place);
        *out = entry ? entry->key : value_none();
        return entry != NULL;
    }
    struct items items = value_items(from);
    if (place < items.count) {
        *out = items.items[place];
        return true;
    }
    if (from.type == VALUE_STRING) {
        const struct string *string = from.as.string;
        size_t start = utf8_offset(string->data, string->size, place);
        uint32_t code;
        size_t size = utf8_decode(string->data + start, string->size - start, &code);
        *out = value_string(arena, string->data + start, size);
        return true;
    }
    const struct object *object = from.as.object;
    return object->type->item && object->type->item(object, place, arena, out);
}

static size_t position_of(struct value from, size_t place)
{
    assert(place < place_count(from));
    return value_is_table(from) ? table_position(from.as.table, place) : place;
}

/* `position` must be less than item_count. */
static size_t place_of(struct value from, size_t position)
{
    assert(position < item_count(from));
    return value_is_table(from) ? table_select(from.as.table, position) : position;
}

/* The place of an equal item: `hint` if it is there, otherwise the first. False if there is none.
 */
static bool find_item(struct value from, struct value wanted, size_t hint, struct arena *arena,
                      size_t *place)
{
    if (value_is_table(from)) {
        struct table_entry *entry = NULL;
        if (!table_find(from.as.table, wanted, &entry, NULL) || !entry) {
            return false;
        }
        *place = table_place(from.as.table, entry);
        return true;
    }
    struct value item;
    size_t count = place_count(from);
    if (hint < count && item_at(from, hint, arena, &item) && value_equal(item, wanted)) {
        *place = hint;
        return true;
    }
    struct items items = value_items(from);
    for (size_t i = 0; i < items.count; i++) {
        if (value_equal(items.items[i], wanted)) {
            *place = i;
            return true;
        }
    }
    for (size_t i = items.count; i < count; i++) {
        if (item_at(from, i, arena, &item) && value_equal(item, wanted)) {
            *place = i;
            return true;
        }
    }
    return false;
}

/* Functions of the model that run over a collection may not change it. */
static void lock_items(struct value from, unsigned by)
{
    struct container *container = value_container(from);
    if (container) {
        container->iterating += by;
    }
}
#define UNLOCK UINT_MAX /* -1 */

/* DRAW_OK if some item passes the filters. */
static enum draw_result any_passes(struct caller *caller, const struct pick *pick,
                                   struct error *err)
{
    enum draw_result result = DRAW_REJECTED;
    for (size_t place = 0; place < place_count(pick->from) && result == DRAW_REJECTED; place++) {
        struct value item;
        struct value value;
        if (item_at(pick->from, place, caller->arena, &item)) {
            result = map_filter_run(caller, pick->links, item, &value, err);
        }
    }
    return result == DRAW_REJECTED ? DRAW_EMPTY : result;
}

enum draw_result pick_possible(struct caller *caller, const struct strategy *strategy,
                               struct value from, struct error *err)
{
    assert(!strategy || pick_is(strategy));
    struct pick pick;
    pick_find(strategy, from, &pick);
    if (!pick.filtered) {
        return item_count(pick.from) ? DRAW_OK : DRAW_EMPTY;
    }
    lock_items(pick.from, 1);
    enum draw_result result = any_passes(caller, &pick, err);
    lock_items(pick.from, UNLOCK);
    return result;
}

/* A running pick and its result. */
struct picking {
    struct drawer *drawer;
    const struct pick *pick;
    size_t place;
    struct value item;
    struct value value; /* after the links */
};

static bool was_consumed(const struct picking *picking, size_t place)
{
    struct value from = picking->pick->from;
    for (size_t i = 0; i < picking->drawer->own.consumed.count; i++) {
        const struct drawn_item *drawn = &picking->drawer->own.consumed.items[i];
        if (from.type == VALUE_LIST && drawn->bundle.as.list == from.as.list &&
            drawn->place == place) {
            return true;
        }
    }
    return false;
}

/* Tries the item at a place; DRAW_REJECTED if it does not pass. */
static enum draw_result try_place(struct picking *picking, size_t place, struct error *err)
{
    struct caller *caller = picking->drawer->caller;
    const struct pick *pick = picking->pick;
    struct value item;
    if (was_consumed(picking, place) || !item_at(pick->from, place, caller->arena, &item)) {
        return DRAW_REJECTED;
    }
    struct value value;
    enum draw_result result = map_filter_run(caller, pick->links, item, &value, err);
    if (result == DRAW_OK) {
        picking->place = place;
        picking->item = item;
        picking->value = value;
    }
    return result;
}

/* Finds the nearest item to `start` that passes: itself, then simpler ones, then the others. */
static enum draw_result try_near(struct picking *picking, size_t start, struct error *err)
{
    assert(start < place_count(picking->pick->from));
    size_t count = place_count(picking->pick->from);
    for (size_t i = 0; i < count; i++) {
        size_t place = i <= start ? start - i : i;
        enum draw_result result = try_place(picking, place, err);
        if (result != DRAW_REJECTED) {
            return result;
        }
    }
    return DRAW_EMPTY;
}

/* Collects all items that pass, and takes one: in simplest mode by the nudge, otherwise at random.
 */
static enum draw_result try_all(struct picking *picking, bool fresh, struct error *err)
{
    struct drawer *drawer = picking->drawer;
    struct picking chosen = *picking;
    uint64_t passing = 0;
    for (size_t place = 0; place < place_count(picking->pick->from); place++) {
        enum draw_result result = try_place(picking, place, err);
        if (result == DRAW_ERROR) {
            return result;
        }
        if (result == DRAW_REJECTED) {
            continue;
        }
        passing++;
        bool take = fresh ? rng_one_in(drawer->rng, passing) : passing - 1 <= drawer->own.nudge;
        if (take) {
            chosen = *picking;
        }
        if (!fresh && passing - 1 == drawer->own.nudge) {
            break;
        }
    }
    *picking = chosen;
    if (!fresh && passing) {
        drawer->own.nudge = passing > drawer->own.nudge ? 0 : drawer->own.nudge - passing + 1;
    }
    return passing ? DRAW_OK : DRAW_EMPTY;
}

/* The place of an item that was used before and is still here; each is half as likely as the next
 * newer one. */
static bool propose_used(const struct picking *picking, size_t *place)
{
    struct drawer *drawer = picking->drawer;
    struct value item;
    bool found = false;
    for (size_t back = 0; drawer->memory && memory_item(drawer->memory, back, &item); back++) {
        if (!find_item(picking->pick->from, item, SIZE_MAX, drawer->caller->arena, place)) {
            continue; /* from another bundle, or gone */
        }
        found = true;
        if (rng_one_in(drawer->rng, 2)) {
            break;
        }
    }
    return found;
}

/* The place of a hot item. Holes are skipped; items without a hash are never hot. */
static bool propose_hot(const struct picking *picking, size_t *place)
{
    struct drawer *drawer = picking->drawer;
    struct value from = picking->pick->from;
    uint64_t hashes[HOT_VALUES_MAX];
    size_t places[HOT_VALUES_MAX];
    size_t count = 0;
    size_t hot;
    struct value item;
    if (!drawer->salt || item_count(from) > HOT_VALUES_MAX) {
        return false;
    }
    for (size_t i = 0; i < place_count(from); i++) {
        if (!item_at(from, i, drawer->caller->arena, &item)) {
            continue;
        }
        if (!value_hash(item, &hashes[count], NULL)) {
            return false;
        }
        places[count++] = i;
    }
    if (!hot_pick(drawer->rng, drawer->salt, hashes, count, &hot)) {
        return false;
    }
    *place = places[hot];
    return true;
}

/* A place worth trying: for constants a hot one; with locality, one used before or added lately;
 * otherwise any. */
static size_t propose_place(const struct picking *picking)
{
    enum { ROLL = 8, USED = 6, NEWEST = 1 };
    struct rng *rng = picking->drawer->rng;
    size_t count = place_count(picking->pick->from);
    bool named = picking->pick->how == PICK_INDEX || picking->pick->how == PICK_COMPUTED;
    uint64_t roll = picking->drawer->local && !named ? rng_below(rng, ROLL) : ROLL;
    size_t place;
    if (named && propose_hot(picking, &place)) {
        return place;
    }
    if (roll < USED && propose_used(picking, &place)) {
        return place;
    }
    if (roll >= USED && roll < USED + NEWEST) {
        size_t back = 0;
        while (back + 1 < count && rng_one_in(rng, 2)) {
            back++;
        }
        return count - 1 - back;
    }
    return rng_below(rng, count);
}

/* Picks without a replay. */
static enum draw_result pick_new(struct picking *picking, bool fresh, struct error *err)
{
    enum { GUESSES = 4 };
    for (int i = 0; i < GUESSES && fresh; i++) {
        enum draw_result result = try_place(picking, propose_place(picking), err);
        if (result != DRAW_REJECTED) {
            return result;
        }
    }
    return try_all(picking, fresh, err);
}

static void record_index(const struct picking *picking)
{
    struct value from = picking->pick->from;
    struct choice choice = {.kind = CHOICE_INTEGER};
    choice.as.integer.value = (int64_t)position_of(from, picking->place);
    choice.as.integer.max = (int64_t)item_count(from) - 1;
    draw_record(picking->drawer, &choice);
}

static enum draw_result pick_index(struct picking *picking, struct error *err)
{
    assert(item_count(picking->pick->from) > 0);
    struct value from = picking->pick->from;
    size_t last = item_count(from) - 1;
    const struct choice *replayed = NULL;
    enum draw_source source = draw_take(picking->drawer, CHOICE_INTEGER, &replayed);
    enum draw_result result;
    if (source == SOURCE_REPLAY) {
        int64_t wanted = replayed->as.integer.value;
        size_t position = wanted < 0 ? 0 : (uint64_t)wanted > last ? last : (size_t)wanted;
        result = try_near(picking, place_of(from, position), err);
    } else {
        result = pick_new(picking, source == SOURCE_FRESH, err);
    }
    if (result == DRAW_OK) {
        record_index(picking);
    }
    return result;
}

/* Picks by position: an equal item at any place, otherwise the item at that position. */
static enum draw_result pick_at(struct picking *picking, const struct reference *reference,
                                size_t place, struct error *err)
{
    size_t found;
    enum draw_result result = DRAW_REJECTED;
    if (reference->item && find_item(picking->pick->from, *reference->item, place,
                                     picking->drawer->caller->arena, &found)) {
        result = try_place(picking, found, err);
    }
    return result == DRAW_REJECTED ? try_near(picking, place, err) : result;
}

static bool names_step(const struct drawer *drawer, const struct reference *reference)
{
    return reference->step != REFERENCE_BY_POSITION && drawer->ops;
}

static enum draw_result pick_replayed(struct picking *picking, const struct reference *reference,
                                      struct error *err)
{
    assert(item_count(picking->pick->from) > 0);
    struct drawer *drawer = picking->drawer;
    struct value from = picking->pick->from;
    size_t last = item_count(from) - 1;
    size_t position = reference->position > last ? last : (size_t)reference->position;
    size_t place = place_of(from, position);
    if (!names_step(drawer, reference)) {
        return pick_at(picking, reference, place, err);
    }
    struct value value;
    if (!drawer->ops->resolve(drawer, from, reference, &value) ||
        !find_item(from, value, place, drawer->caller->arena, &place)) {
        return DRAW_REJECTED;
    }
    return try_place(picking, place, err);
}

static bool can_change(struct value value)
{
    return value.type == VALUE_LIST || value.type == VALUE_SET || value.type == VALUE_DICT;
}

/* If the caller only looks, the position is enough: the step is drawn again before anything
 * changes. */
static struct reference locate_item(const struct picking *picking)
{
    struct drawer *drawer = picking->drawer;
    struct value from = picking->pick->from;
    struct reference reference = {.step = REFERENCE_BY_POSITION};
    if (drawer->ops && !drawer->caller->looking &&
        (picking->pick->how != PICK_COMPUTED || drawer->ops->is_returned(drawer, picking->item))) {
        drawer->ops->locate(drawer, from, picking->item, &reference);
    }
    return reference;
}

/* A copy of the item; NULL if it is not plain data or too large. */
static const struct value *kept_item(struct drawer *drawer, struct value item)
{
    enum { PARTS_MAX = 100 };
    if (!value_is_data(item, PARTS_MAX)) {
        return NULL;
    }
    struct value *kept = ARENA_NEW(drawer->arena, struct value);
    *kept = can_change(item) || item.type == VALUE_TUPLE ? value_copy(drawer->arena, item) : item;
    return kept;
}

static void record_reference(const struct picking *picking, struct reference reference)
{
    struct drawer *drawer = picking->drawer;
    struct choice choice = {.kind = CHOICE_REFERENCE, .as.reference = reference};
    choice.as.reference.position = position_of(picking->pick->from, picking->place);
    if (drawer->caller->looking) {
        draw_record(drawer, &choice);
        return;
    }
    choice.as.reference.item = kept_item(drawer, picking->item);
    if (drawer->ops && reference.step == REFERENCE_BY_POSITION) {
        choice.as.reference.source = drawer->ops->source(drawer, picking->pick->from);
    }
    draw_record(drawer, &choice);
    if (drawer->memory && picking->pick->how != PICK_COMPUTED) {
        memory_add_item(drawer->memory, picking->item);
    }
}

/* A replayed reference that names a step keeps doing so. */
static enum draw_result pick_reference(struct picking *picking, struct error *err)
{
    struct drawer *drawer = picking->drawer;
    const struct choice *replayed = NULL;
    enum draw_source source = draw_take(drawer, CHOICE_REFERENCE, &replayed);
    const struct reference *old = source == SOURCE_REPLAY ? &replayed->as.reference : NULL;
    enum draw_result result =
        old ? pick_replayed(picking, old, err) : pick_new(picking, source == SOURCE_FRESH, err);
    if (result == DRAW_OK) {
        record_reference(picking, old && names_step(drawer, old) ? *old : locate_item(picking));
    }
    return result;
}

/* Mutable values must be the same object. */
static bool is_same_object(struct value value, struct value wanted)
{
    return can_change(wanted) && value_same(value, wanted);
}

/* The first place whose item gives the wanted value. */
static enum draw_result find_wanted(struct picking *picking, struct value wanted,
                                    bool (*matches)(struct value, struct value), struct error *err)
{
    for (size_t place = 0; place < place_count(picking->pick->from); place++) {
        enum draw_result result = try_place(picking, place, err);
        if (result == DRAW_ERROR) {
            return result;
        }
        if (result == DRAW_OK && matches(picking->value, wanted)) {
            return DRAW_OK;
        }
    }
    return DRAW_REJECTED;
}

static bool consume_item(const struct picking *picking, struct error *err)
{
    struct drawer *drawer = picking->drawer;
    if (!drawer->ops) {
        return error_set(err, ERROR_MACHINE, "consumes() can take a value only for a rule's step");
    }
    *VEC_PUSH(drawer->arena, &drawer->own.consumed) =
        (struct drawn_item){picking->pick->from, picking->place, picking->item};
    return true;
}

/* Finds the item that gives the wanted value, and records it. */
static enum draw_result pick_wanted(struct picking *picking, struct value wanted, struct error *err)
{
    static bool (*const matches[])(struct value, struct value) = {
        is_same_object, value_matches_exactly, value_matches};
    enum draw_result result = DRAW_REJECTED;
    for (size_t i = 0; i < sizeof matches / sizeof *matches && result == DRAW_REJECTED; i++) {
        result = find_wanted(picking, wanted, matches[i], err);
    }
    if (result == DRAW_OK && picking->pick->how == PICK_INDEX) {
        record_index(picking);
    } else if (result == DRAW_OK) {
        record_reference(picking, locate_item(picking));
    }
    return result;
}

enum draw_result pick_draw(const struct draw *draw, struct value from)
{
    assert(!draw->strategy || pick_is(draw->strategy));
    struct error *err = draw->err;
    const struct pick pick = pick_of(draw->drawer, draw->strategy, from);
    struct picking picking = {.drawer = draw->drawer, .pick = &pick};
    if (item_count(pick.from) == 0) {
        return DRAW_EMPTY;
    }
    lock_items(pick.from, 1);
    enum draw_result result = draw->wanted             ? pick_wanted(&picking, *draw->wanted, err)
                              : pick.how == PICK_INDEX ? pick_index(&picking, err)
                                                       : pick_reference(&picking, err);
    lock_items(pick.from, UNLOCK);
    if (result != DRAW_OK) {
        return result;
    }
    bool sampled = pick.how == PICK_INDEX || pick.how == PICK_COMPUTED;
    if (sampled && value_is_strategy(picking.item)) {
        error_set(err, ERROR_MACHINE, "sampled_from() drew a strategy, not a value");
        error_hint(err, "one_of(a, b) draws from one of several strategies");
        return DRAW_ERROR;
    }
    *draw->out = picking.value;
    return pick.how != PICK_CONSUMED || consume_item(&picking, err) ? DRAW_OK : DRAW_ERROR;
}
