/*
 * lists, sets, dictionaries
 *
 * Before each item comes a choice, 1 for "one more", which the bounds may fix. The choice and the
 * item are a SPAN_ITEM, so that removing the span removes the item. Below the largest size, a 0
 * ends the items.
 */
#include "gen/args.h"
#include "gen/invert.h"
#include "gen/propose/propose.h"
#include "gen/strategies/strategies.h"

enum { ITEMS_MAX = 10000, ITEMS_USUAL_MAX = 20, ITEMS_USUAL = 5 };

struct collection {
    size_t strategies; /* at the beginning of the arguments: the items', or the keys' and the
                          values' */
    struct sizes sizes;
    bool unique;
    struct value unique_by; /* a function, or None */
};

/* The collection being drawn. */
struct growing {
    const struct draw *draw;
    const struct collection *spec;
    struct value items; /* a list, set or dict */
    struct value keys;  /* of a list with unique_by: the list of keys, which must differ */
    size_t count;
    size_t target; /* the intended number of items, unless they are replayed */
    bool targeted; /* target is set */
    uint64_t nudge;
    bool duplicate; /* the last item was refused as a duplicate */
};

/* Draws one item, or a key with its value, and adds it. `wanted` is the value to draw, or NULL.
 * DRAW_REJECTED with `duplicate` if there is an equal one already. */
typedef enum draw_result take_item(struct growing *growing, const struct table_entry *wanted);

static void record_more(const struct growing *growing, bool more)
{
    bool forced = growing->count < growing->spec->sizes.min;
    struct choice choice = {.kind = CHOICE_INTEGER,
                            .as.integer = {more || forced, forced, 1, forced}};
    draw_record(growing->draw->drawer, &choice);
}

/* Draws the choice for one more item. */
static bool draw_more(struct growing *growing)
{
    struct drawer *drawer = growing->draw->drawer;
    struct sizes sizes = growing->spec->sizes;
    const struct choice *replayed = NULL;
    enum draw_source source = draw_take(drawer, CHOICE_INTEGER, &replayed);
    if (source == SOURCE_FRESH && !growing->targeted) {
        growing->target = propose_size(drawer, sizes.min, sizes.max, ITEMS_USUAL);
        growing->targeted = true;
    }
    bool forced = growing->count < sizes.min;
    bool more =
        source == SOURCE_REPLAY ? replayed->as.integer.value > 0 : growing->count < growing->target;
    record_more(growing, more);
    return more || forced;
}

/* Tries to draw the next item and the choice before it. *more is the choice. */
static enum draw_result try_item(struct growing *growing, take_item *take, bool *more)
{
    struct drawer *drawer = growing->draw->drawer;
    struct draw_mark mark = draw_mark(drawer);
    size_t span = draw_span_begin(drawer, SPAN_ITEM);
    *more = draw_more(growing);
    if (!*more) {
        drawer->record->spans.count = span;
        return DRAW_OK;
    }
    growing->duplicate = false;
    enum draw_result result = take(growing, NULL);
    if (result == DRAW_OK) {
        draw_span_end(drawer, span);
        growing->count++;
    } else {
        draw_rewind(drawer, mark);
    }
    return result;
}

/* Replaces a duplicate: draws again a few times, then takes the simplest new values. */
static enum draw_result try_others(struct growing *growing, take_item *take)
{
    struct drawer *drawer = growing->draw->drawer;
    struct draw_retry retry = draw_retry_begin(drawer);
    bool simplest = drawer->simplest;
    size_t target = growing->target;
    enum draw_result result = DRAW_REJECTED;
    drawer->own.detached = true;
    growing->target = growing->count + 1; /* set already, because this is not the first try */
    /* unique_by and filters may refuse some of the simplest, too */
    size_t tries = DRAW_TRIES + 4 * (growing->count + 1);
    for (size_t i = 0; i < tries && result == DRAW_REJECTED && (i == 0 || growing->duplicate);
         i++) {
        bool more;
        drawer->simplest = simplest || i >= DRAW_TRIES;
        drawer->own.nudge = i < DRAW_TRIES ? growing->nudge + growing->count + i : i - DRAW_TRIES;
        result = try_item(growing, take, &more);
    }
    growing->target = target;
    drawer->simplest = simplest;
    draw_retry_end(drawer, &retry);
    return result;
}

/* Ends the items, also before the intended size if the bounds allow it; otherwise returns `why`. */
static enum draw_result stop_items(struct growing *growing, enum draw_result why)
{
    if (growing->count < growing->spec->sizes.min) {
        return why;
    }
    if (growing->count < growing->spec->sizes.max) {
        record_more(growing, false);
    }
    return DRAW_OK;
}

static enum draw_result grow_items(struct growing *growing, take_item *take)
{
    enum { SIMPLE_SIZES = 3 };
    struct drawer *drawer = growing->draw->drawer;
    struct sizes sizes = growing->spec->sizes;
    growing->target = sizes.min;
    if (draw_source(drawer) == SOURCE_SIMPLEST) {
        size_t count = sizes.max - sizes.min + 1;
        growing->target += draw_nudged(drawer, count < SIMPLE_SIZES ? count : SIMPLE_SIZES);
        growing->nudge = drawer->own.nudge;
    }
    while (growing->count < sizes.max) {
        bool replayed = draw_source(drawer) == SOURCE_REPLAY;
        bool more;
        enum draw_result result = try_item(growing, take, &more);
        if (result == DRAW_REJECTED && replayed) {
            continue; /* in an edited replay, leaves out the impossible item */
        }
        if (result == DRAW_REJECTED && growing->duplicate) {
            result = try_others(growing, take);
        }
        if (result == DRAW_ERROR) {
            return result;
        }
        if (result != DRAW_OK) {
            return stop_items(growing, result);
        }
        if (!more) {
            break;
        }
    }
    return DRAW_OK;
}

static enum draw_result invert_next(struct growing *growing, take_item *take,
                                    const struct table_entry *wanted)
{
    if (growing->count == growing->spec->sizes.max) {
        return DRAW_REJECTED;
    }
    size_t span = draw_span_begin(growing->draw->drawer, SPAN_ITEM);
    record_more(growing, true);
    enum draw_result result = take(growing, wanted);
    draw_span_end(growing->draw->drawer, span);
    growing->count++;
    return result;
}

static enum draw_result invert(struct growing *growing, take_item *take, struct value wanted)
{
    enum draw_result result = DRAW_OK;
    bool list = wanted.type == VALUE_LIST;
    const struct table_entry *entry;
    for (size_t i = 0; list && i < wanted.as.list->count && result == DRAW_OK; i++) {
        const struct table_entry item = {.key = wanted.as.list->items[i]};
        result = invert_next(growing, take, &item);
    }
    for (size_t i = 0; !list && result == DRAW_OK && (entry = table_next(wanted.as.table, &i));) {
        result = invert_next(growing, take, entry);
    }
    return result == DRAW_OK ? stop_items(growing, DRAW_REJECTED) : result;
}

/* `items` is the empty collection. */
static enum draw_result draw_collection(const struct draw *draw, take_item *take,
                                        struct value items)
{
    const struct collection *spec = draw->strategy->spec;
    struct growing growing = {.draw = draw, .spec = spec, .items = items};
    *draw->out = items;
    if (spec->unique) {
        growing.keys = value_list(draw->drawer->caller->arena);
    }
    if (!draw->wanted) {
        return grow_items(&growing, take);
    }
    return draw->wanted->type == items.type ? invert(&growing, take, *draw->wanted) : DRAW_REJECTED;
}

static enum draw_result collection_possible(struct caller *caller, const struct strategy *strategy,
                                            struct error *err)
{
    const struct collection *spec = strategy->spec;
    enum draw_result result = DRAW_OK;
    for (size_t i = 0; i < spec->strategies && spec->sizes.min && result == DRAW_OK; i++) {
        result = strategy_possible(caller, strategy->args[i], err);
    }
    return result;
}

/* The strategies are followed by the sizes. */
static bool make_collection(struct arena *arena, struct strategy *strategy, struct error *err)
{
    struct collection *spec = ARENA_NEW(arena, struct collection);
    strategy->spec = spec;
    spec->strategies = strategy->kind == &kind_dictionaries ? 2 : 1;
    spec->sizes.max = ITEMS_USUAL_MAX;
    for (size_t i = 0; i < spec->strategies; i++) {
        if (!arg_strategy(strategy, i, err)) {
            return false;
        }
    }
    if (!arg_sizes(strategy, spec->strategies, ITEMS_MAX, &spec->sizes, err)) {
        return false;
    }
    strategy->empty = spec->sizes.max < spec->sizes.min;
    return true;
}

/* lists(elements, min_size=0, max_size=None, unique=False, unique_by=None) */

enum { LIST_UNIQUE = 3, LIST_UNIQUE_BY = 4 };

static bool make_lists(struct arena *arena, struct strategy *strategy, struct error *err)
{
    if (!make_collection(arena, strategy, err)) {
        return false;
    }
    struct collection *spec = arena_memdup(arena, strategy->spec, sizeof *spec);
    strategy->spec = spec;
    spec->unique_by = strategy->args[LIST_UNIQUE_BY];
    if (!arg_bool(strategy, LIST_UNIQUE, &spec->unique, err)) {
        return false;
    }
    if (spec->unique_by.type == VALUE_NONE) {
        return true;
    }
    spec->unique = true;
    return arg_function(strategy, LIST_UNIQUE_BY, err);
}

static bool has_equal(const struct list *list, struct value value)
{
    for (size_t i = 0; i < list->count; i++) {
        if (value_equal(list->items[i], value)) {
            return true;
        }
    }
    return false;
}

static enum draw_result add_list_item(struct growing *growing, struct value item)
{
    const struct draw *draw = growing->draw;
    const struct collection *spec = growing->spec;
    if (spec->unique) {
        struct value key = item;
        if (spec->unique_by.type != VALUE_NONE && draw_call(draw->drawer->caller, spec->unique_by,
                                                            &item, 1, &key, draw->err) != DRAW_OK) {
            return DRAW_ERROR;
        }
        growing->duplicate = has_equal(growing->keys.as.list, key);
        if (growing->duplicate) {
            return DRAW_REJECTED;
        }
        list_append(growing->keys.as.list, key);
    }
    list_append(growing->items.as.list, item);
    return DRAW_OK;
}

/* Draws from the strategy in argument `index`. */
static enum draw_result take_of(const struct growing *growing, size_t index,
                                const struct value *wanted, struct value *out)
{
    const struct draw *draw = growing->draw;
    return draw_child(draw, draw->strategy->args[index], draw_site(draw->site, index), wanted, out);
}

static enum draw_result take_list_item(struct growing *growing, const struct table_entry *wanted)
{
    struct value item;
    enum draw_result result = take_of(growing, 0, wanted ? &wanted->key : NULL, &item);
    return result == DRAW_OK ? add_list_item(growing, item) : result;
}

static enum draw_result draw_lists(const struct draw *draw)
{
    return draw_collection(draw, take_list_item, value_list(draw->drawer->caller->arena));
}

const struct strategy_kind kind_lists = {
    .name = "lists",
    .params = {{"elements", PARAM_REQUIRED, false},
               {"min_size", PARAM_OPTIONAL, false},
               {"max_size", PARAM_OPTIONAL, false},
               {"unique", PARAM_OPTIONAL, false},
               {"unique_by", PARAM_OPTIONAL, false}},
    .repeats = REPEATS_ALIKE,
    .make = make_lists,
    .draw = draw_lists,
    .possible = collection_possible,
};

/* sets(elements, min_size=0, max_size=None) */

/* Draws an item of a set or a key of a dict, which must be new. */
static enum draw_result take_new_key(struct growing *growing, const struct table_entry *wanted,
                                     struct value *out)
{
    struct table_entry *entry = NULL;
    enum draw_result result = take_of(growing, 0, wanted ? &wanted->key : NULL, out);
    if (result != DRAW_OK) {
        return result;
    }
    if (!table_find(growing->items.as.table, *out, &entry, growing->draw->err)) {
        error_context(growing->draw->err, "%s()", growing->draw->strategy->kind->name);
        return DRAW_ERROR;
    }
    growing->duplicate = entry != NULL;
    return entry ? DRAW_REJECTED : DRAW_OK;
}

static enum draw_result add_dict_entry(struct growing *growing, struct value key,
                                       struct value value)
{
    return table_set(growing->items.as.table, key, value, growing->draw->err) ? DRAW_OK
                                                                              : DRAW_ERROR;
}

static enum draw_result take_set_item(struct growing *growing, const struct table_entry *wanted)
{
    struct value item;
    enum draw_result result = take_new_key(growing, wanted, &item);
    return result == DRAW_OK ? add_dict_entry(growing, item, value_none()) : result;
}

static enum draw_result draw_sets(const struct draw *draw)
{
    return draw_collection(draw, take_set_item, value_set(draw->drawer->caller->arena));
}

const struct strategy_kind kind_sets = {
    .name = "sets",
    .params = {{"elements", PARAM_REQUIRED, false},
               {"min_size", PARAM_OPTIONAL, false},
               {"max_size", PARAM_OPTIONAL, false}},
    .repeats = REPEATS_ALIKE,
    .make = make_collection,
    .draw = draw_sets,
    .possible = collection_possible,
};

/* dictionaries(keys, values, min_size=0, max_size=None) */

static enum draw_result take_entry(struct growing *growing, const struct table_entry *wanted)
{
    struct value key;
    struct value value;
    enum draw_result result = take_new_key(growing, wanted, &key);
    if (result == DRAW_OK) {
        result = take_of(growing, 1, wanted ? &wanted->value : NULL, &value);
    }
    return result == DRAW_OK ? add_dict_entry(growing, key, value) : result;
}

static enum draw_result draw_dictionaries(const struct draw *draw)
{
    return draw_collection(draw, take_entry, value_dict(draw->drawer->caller->arena));
}

const struct strategy_kind kind_dictionaries = {
    .name = "dictionaries",
    .params = {{"keys", PARAM_REQUIRED, false},
               {"values", PARAM_REQUIRED, false},
               {"min_size", PARAM_OPTIONAL, false},
               {"max_size", PARAM_OPTIONAL, false}},
    .repeats = REPEATS_ALIKE,
    .make = make_collection,
    .draw = draw_dictionaries,
    .possible = collection_possible,
};
