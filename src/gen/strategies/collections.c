/*
 * lists, sets, dictionaries
 *
 * Before each item stands a choice, 1 for "one more": fixed where the bounds leave none. It and the
 * item are a SPAN_ITEM, so that taking a span out takes the item out; a 0 ends the items where the
 * largest size has not been reached.
 */
#include "gen/args.h"
#include "gen/invert.h"
#include "gen/propose/propose.h"
#include "gen/strategies/strategies.h"

enum { ITEMS_MAX = 10000, ITEMS_USUAL_MAX = 20, ITEMS_USUAL = 5 };

struct collection {
    struct sizes sizes;
    bool unique;
    struct value unique_by; /* a function, or None */
};

/* A collection under way. */
struct growing {
    struct drawer *drawer;
    const struct strategy *strategy;
    const struct collection *spec;
    uint64_t site;
    struct value items; /* a list, set or dict */
    struct value keys;  /* of a list that is unique_by: a list of what must differ */
    size_t count;
    size_t target; /* how many there are to be, where that is not replayed */
    bool targeted; /* target is set */
    uint64_t nudge;
    bool duplicate; /* what the last item was refused for */
};

/* Draws one item, or a key with its value, and adds it; `wanted` is NULL, or what it has to be.
 * DRAW_REJECTED and `duplicate` where there is an equal one already. */
typedef enum draw_result take_item(struct growing *growing, const struct table_entry *wanted,
                                   struct error *err);

static struct growing growing_of(struct drawer *drawer, const struct strategy *strategy,
                                 uint64_t site, struct value items)
{
    const struct collection *spec = strategy->spec;
    struct value keys = spec->unique ? value_list(drawer->caller->arena) : value_none();
    return (struct growing){.drawer = drawer,
                            .strategy = strategy,
                            .spec = spec,
                            .site = site,
                            .items = items,
                            .keys = keys};
}

static void record_more(const struct growing *growing, bool more)
{
    bool forced = growing->count < growing->spec->sizes.min;
    struct choice choice = {.kind = CHOICE_INTEGER,
                            .as.integer = {more || forced, forced, 1, forced}};
    draw_record(growing->drawer, &choice);
}

/* The choice of whether there is one more. */
static bool draw_more(struct growing *growing)
{
    struct drawer *drawer = growing->drawer;
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

/* One try at the next item and the choice before it. *more says whether there was to be one. */
static enum draw_result try_item(struct growing *growing, take_item *take, bool *more,
                                 struct error *err)
{
    struct drawer *drawer = growing->drawer;
    struct draw_mark mark = draw_mark(drawer);
    size_t span = draw_span_begin(drawer, SPAN_ITEM);
    *more = draw_more(growing);
    if (!*more) {
        drawer->record->spans.count = span;
        return DRAW_OK;
    }
    growing->duplicate = false;
    enum draw_result result = take(growing, NULL, err);
    if (result == DRAW_OK) {
        draw_span_end(drawer, span);
        growing->count++;
    } else {
        draw_rewind(drawer, mark);
    }
    return result;
}

/* Draws again instead of a duplicate: a few times anew, then the simplest that are not there yet.
 */
static enum draw_result try_others(struct growing *growing, take_item *take, struct error *err)
{
    struct drawer *drawer = growing->drawer;
    struct draw_retry retry = draw_retry_begin(drawer);
    bool simplest = drawer->simplest;
    size_t target = growing->target;
    enum draw_result result = DRAW_REJECTED;
    drawer->own.detached = true;
    growing->target = growing->count + 1; /* set before: this is not the first try */
    /* unique_by and filters may pass over some of the simplest, too */
    size_t tries = DRAW_TRIES + 4 * (growing->count + 1);
    for (size_t i = 0; i < tries && result == DRAW_REJECTED && (i == 0 || growing->duplicate);
         i++) {
        bool more;
        drawer->simplest = simplest || i >= DRAW_TRIES;
        drawer->own.nudge = i < DRAW_TRIES ? growing->nudge + growing->count + i : i - DRAW_TRIES;
        result = try_item(growing, take, &more, err);
    }
    growing->target = target;
    drawer->simplest = simplest;
    draw_retry_end(drawer, &retry);
    return result;
}

/* The end of the items before the size that was wanted, if the bounds allow it. */
static enum draw_result stop_early(struct growing *growing, enum draw_result why)
{
    if (growing->count < growing->spec->sizes.min) {
        return why;
    }
    record_more(growing, false);
    return DRAW_OK;
}

static enum draw_result grow(struct growing *growing, take_item *take, struct error *err)
{
    enum { SIMPLE_SIZES = 3 };
    struct drawer *drawer = growing->drawer;
    struct sizes sizes = growing->spec->sizes;
    if (sizes.max < sizes.min) {
        return DRAW_EMPTY;
    }
    growing->target = sizes.min;
    if (draw_source(drawer) == SOURCE_SIMPLEST) {
        size_t count = sizes.max - sizes.min + 1;
        growing->target += draw_nudged(drawer, count < SIMPLE_SIZES ? count : SIMPLE_SIZES);
        growing->nudge = drawer->own.nudge;
    }
    while (growing->count < sizes.max) {
        bool replayed = draw_source(drawer) == SOURCE_REPLAY;
        bool more;
        enum draw_result result = try_item(growing, take, &more, err);
        if (result == DRAW_REJECTED && replayed) {
            continue; /* an edited replay: the item that can't be is left out */
        }
        if (result == DRAW_REJECTED && growing->duplicate) {
            result = try_others(growing, take, err);
        }
        if (result == DRAW_ERROR) {
            return result;
        }
        if (result != DRAW_OK) {
            return stop_early(growing, result);
        }
        if (!more) {
            break;
        }
    }
    return DRAW_OK;
}

static enum draw_result invert_next(struct growing *growing, take_item *take,
                                    const struct table_entry *wanted, struct error *err)
{
    if (growing->count == growing->spec->sizes.max) {
        return DRAW_REJECTED;
    }
    size_t span = draw_span_begin(growing->drawer, SPAN_ITEM);
    record_more(growing, true);
    enum draw_result result = take(growing, wanted, err);
    draw_span_end(growing->drawer, span);
    growing->count++;
    return result;
}

static enum draw_result invert_end(const struct growing *growing)
{
    if (growing->count < growing->spec->sizes.min) {
        return DRAW_REJECTED;
    }
    if (growing->count < growing->spec->sizes.max) {
        record_more(growing, false);
    }
    return DRAW_OK;
}

static enum draw_result invert_table(struct growing *growing, take_item *take,
                                     const struct table *wanted, struct error *err)
{
    enum draw_result result = DRAW_OK;
    const struct table_entry *entry;
    for (size_t i = 0; result == DRAW_OK && (entry = table_next(wanted, &i));) {
        result = invert_next(growing, take, entry, err);
    }
    return result == DRAW_OK ? invert_end(growing) : result;
}

static enum draw_result collection_possible(struct caller *caller, const struct strategy *strategy,
                                            struct error *err)
{
    const struct collection *spec = strategy->spec;
    if (spec->sizes.max < spec->sizes.min) {
        return DRAW_EMPTY;
    }
    return spec->sizes.min ? strategy_possible(caller, strategy->args[0], err) : DRAW_OK;
}

/* lists(elements, min_size=0, max_size=None, unique=False, unique_by=None) */

enum { LIST_SIZES = 1, LIST_UNIQUE = 3, LIST_UNIQUE_BY = 4 };

static bool make_lists(struct arena *arena, struct strategy *strategy, struct error *err)
{
    struct collection *spec = ARENA_NEW(arena, struct collection);
    strategy->spec = spec;
    spec->sizes.max = ITEMS_USUAL_MAX;
    if (!arg_strategy(strategy, 0, err) ||
        !arg_sizes(strategy, LIST_SIZES, ITEMS_MAX, &spec->sizes, err) ||
        !arg_bool(strategy, LIST_UNIQUE, &spec->unique, err)) {
        return false;
    }
    spec->unique_by = strategy->args[LIST_UNIQUE_BY];
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

static enum draw_result add_list_item(struct growing *growing, struct value item, struct error *err)
{
    struct drawer *drawer = growing->drawer;
    const struct collection *spec = growing->spec;
    if (spec->unique) {
        struct value key = item;
        if (spec->unique_by.type != VALUE_NONE &&
            draw_call(drawer->caller, spec->unique_by, &item, 1, &key, err) != DRAW_OK) {
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

static enum draw_result take_list_item(struct growing *growing, const struct table_entry *wanted,
                                       struct error *err)
{
    struct value item;
    enum draw_result result =
        take_child(growing->drawer, growing->strategy->args[0], draw_site(growing->site, 0),
                   wanted ? &wanted->key : NULL, &item, err);
    return result == DRAW_OK ? add_list_item(growing, item, err) : result;
}

static enum draw_result draw_lists(struct drawer *drawer, const struct strategy *strategy,
                                   uint64_t site, struct value *out, struct error *err)
{
    *out = value_list(drawer->caller->arena);
    struct growing growing = growing_of(drawer, strategy, site, *out);
    return grow(&growing, take_list_item, err);
}

static enum draw_result invert_lists(struct drawer *drawer, const struct strategy *strategy,
                                     uint64_t site, struct value wanted, struct value *out,
                                     struct error *err)
{
    *out = value_list(drawer->caller->arena);
    struct growing growing = growing_of(drawer, strategy, site, *out);
    if (wanted.type != VALUE_LIST) {
        return DRAW_REJECTED;
    }
    enum draw_result result = DRAW_OK;
    for (size_t i = 0; i < wanted.as.list->count && result == DRAW_OK; i++) {
        struct table_entry item = {.key = wanted.as.list->items[i]};
        result = invert_next(&growing, take_list_item, &item, err);
    }
    return result == DRAW_OK ? invert_end(&growing) : result;
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
    .invert = invert_lists,
    .possible = collection_possible,
};

/* sets(elements, min_size=0, max_size=None) */

static bool make_sets(struct arena *arena, struct strategy *strategy, struct error *err)
{
    struct collection *spec = ARENA_NEW(arena, struct collection);
    strategy->spec = spec;
    spec->sizes.max = ITEMS_USUAL_MAX;
    return arg_strategy(strategy, 0, err) && arg_sizes(strategy, 1, ITEMS_MAX, &spec->sizes, err);
}

static enum draw_result check_new_key(struct growing *growing, struct value key, struct error *err)
{
    struct table_entry *entry = NULL;
    if (!table_find(growing->items.as.table, key, &entry, err)) {
        error_context(err, "%s()", growing->strategy->kind->name);
        return DRAW_ERROR;
    }
    growing->duplicate = entry != NULL;
    return entry ? DRAW_REJECTED : DRAW_OK;
}

/* What a set holds or a dict has as a key, which must be new. */
static enum draw_result take_new_key(struct growing *growing, const struct table_entry *wanted,
                                     struct value *out, struct error *err)
{
    enum draw_result result =
        take_child(growing->drawer, growing->strategy->args[0], draw_site(growing->site, 0),
                   wanted ? &wanted->key : NULL, out, err);
    return result == DRAW_OK ? check_new_key(growing, *out, err) : result;
}

static enum draw_result add_entry(struct growing *growing, struct value key, struct value value,
                                  struct error *err)
{
    return table_set(growing->items.as.table, key, value, err) ? DRAW_OK : DRAW_ERROR;
}

static enum draw_result take_set_item(struct growing *growing, const struct table_entry *wanted,
                                      struct error *err)
{
    struct value item;
    enum draw_result result = take_new_key(growing, wanted, &item, err);
    return result == DRAW_OK ? add_entry(growing, item, value_none(), err) : result;
}

static enum draw_result invert_sets(struct drawer *drawer, const struct strategy *strategy,
                                    uint64_t site, struct value wanted, struct value *out,
                                    struct error *err)
{
    *out = value_set(drawer->caller->arena);
    struct growing growing = growing_of(drawer, strategy, site, *out);
    return wanted.type == VALUE_SET ? invert_table(&growing, take_set_item, wanted.as.table, err)
                                    : DRAW_REJECTED;
}

static enum draw_result draw_sets(struct drawer *drawer, const struct strategy *strategy,
                                  uint64_t site, struct value *out, struct error *err)
{
    *out = value_set(drawer->caller->arena);
    struct growing growing = growing_of(drawer, strategy, site, *out);
    return grow(&growing, take_set_item, err);
}

const struct strategy_kind kind_sets = {
    .name = "sets",
    .params = {{"elements", PARAM_REQUIRED, false},
               {"min_size", PARAM_OPTIONAL, false},
               {"max_size", PARAM_OPTIONAL, false}},
    .repeats = REPEATS_ALIKE,
    .make = make_sets,
    .draw = draw_sets,
    .invert = invert_sets,
    .possible = collection_possible,
};

/* dictionaries(keys, values, min_size=0, max_size=None) */

static bool make_dictionaries(struct arena *arena, struct strategy *strategy, struct error *err)
{
    struct collection *spec = ARENA_NEW(arena, struct collection);
    strategy->spec = spec;
    spec->sizes.max = ITEMS_USUAL_MAX;
    return arg_strategy(strategy, 0, err) && arg_strategy(strategy, 1, err) &&
           arg_sizes(strategy, 2, ITEMS_MAX, &spec->sizes, err);
}

static enum draw_result take_entry(struct growing *growing, const struct table_entry *wanted,
                                   struct error *err)
{
    struct value key;
    struct value value;
    enum draw_result result = take_new_key(growing, wanted, &key, err);
    if (result == DRAW_OK) {
        result =
            take_child(growing->drawer, growing->strategy->args[1], draw_site(growing->site, 1),
                       wanted ? &wanted->value : NULL, &value, err);
    }
    return result == DRAW_OK ? add_entry(growing, key, value, err) : result;
}

static enum draw_result invert_dictionaries(struct drawer *drawer, const struct strategy *strategy,
                                            uint64_t site, struct value wanted, struct value *out,
                                            struct error *err)
{
    *out = value_dict(drawer->caller->arena);
    struct growing growing = growing_of(drawer, strategy, site, *out);
    return wanted.type == VALUE_DICT ? invert_table(&growing, take_entry, wanted.as.table, err)
                                     : DRAW_REJECTED;
}

static enum draw_result draw_dictionaries(struct drawer *drawer, const struct strategy *strategy,
                                          uint64_t site, struct value *out, struct error *err)
{
    *out = value_dict(drawer->caller->arena);
    struct growing growing = growing_of(drawer, strategy, site, *out);
    return grow(&growing, take_entry, err);
}

static enum draw_result dictionaries_possible(struct caller *caller,
                                              const struct strategy *strategy, struct error *err)
{
    const struct collection *spec = strategy->spec;
    enum draw_result result = collection_possible(caller, strategy, err);
    if (result != DRAW_OK || spec->sizes.min == 0) {
        return result;
    }
    return strategy_possible(caller, strategy->args[1], err);
}

const struct strategy_kind kind_dictionaries = {
    .name = "dictionaries",
    .params = {{"keys", PARAM_REQUIRED, false},
               {"values", PARAM_REQUIRED, false},
               {"min_size", PARAM_OPTIONAL, false},
               {"max_size", PARAM_OPTIONAL, false}},
    .repeats = REPEATS_ALIKE,
    .make = make_dictionaries,
    .draw = draw_dictionaries,
    .invert = invert_dictionaries,
    .possible = dictionaries_possible,
};
