/*
 * json_values(max_depth=3): built from other strategies, the simplest first.
 *
 * At the top, JSON's null is json_null, as in results of queries, because None would be SQL's NULL.
 * Inside lists and dicts it is None.
 */
#include "gen/args.h"
#include "gen/strategies/strategies.h"

enum { DEPTH_USUAL = 3, DEPTH_MAX = 50, TEXT_SIZE_MAX = 20, COLLECTION_SIZE_MAX = 5 };

enum { SCALARS = 5, COLLECTIONS = 2, ALL = SCALARS + COLLECTIONS };

static bool make_scalars(struct arena *arena, struct value *out, struct error *err)
{
    static const struct value nothing[5]; /* None */
    struct value text_args[3] = {{0}, {0}, value_int(TEXT_SIZE_MAX)};
    return strategy_of_kind(arena, &kind_none, nothing, &out[0], err) &&
           strategy_of_kind(arena, &kind_booleans, nothing, &out[1], err) &&
           strategy_of_kind(arena, &kind_integers, nothing, &out[2], err) &&
           strategy_of_kind(arena, &kind_decimals, nothing, &out[3], err) &&
           strategy_of_kind(arena, &kind_text, text_args, &out[4], err);
}

/* Makes lists and dicts of `items`. */
static bool make_collections(struct arena *arena, struct value keys, struct value items,
                             struct value *out, struct error *err)
{
    struct value list_args[5] = {items, {0}, value_int(COLLECTION_SIZE_MAX)};
    struct value dict_args[4] = {keys, items, {0}, value_int(COLLECTION_SIZE_MAX)};
    return strategy_of_kind(arena, &kind_lists, list_args, &out[0], err) &&
           strategy_of_kind(arena, &kind_dictionaries, dict_args, &out[1], err);
}

static bool make_json_values(struct arena *arena, struct strategy *strategy, struct error *err)
{
    int64_t depth = DEPTH_USUAL;
    if (!arg_int64(strategy, 0, &depth, err)) {
        return false;
    }
    if (depth < 0 || depth > DEPTH_MAX) {
        return error_set(err, ERROR_MACHINE, "json_values() max_depth must be 0 to %d, not %lld",
                         DEPTH_MAX, (long long)depth);
    }
    struct value parts[ALL];
    struct value inner;
    size_t count = SCALARS;
    if (!make_scalars(arena, parts, err) || !strategy_any_of(arena, parts, count, &inner, err)) {
        return false;
    }
    for (int64_t i = 0; i < depth; i++) {
        if (!make_collections(arena, parts[SCALARS - 1], inner, parts + SCALARS, err) ||
            !strategy_any_of(arena, parts, ALL, &inner, err)) {
            return false;
        }
        count = ALL;
    }
    struct value null = value_json_null();
    struct value *top = ARENA_NEW(arena, struct value);
    strategy->spec = top;
    return strategy_of_kind(arena, &kind_just, &null, &parts[0], err) &&
           strategy_any_of(arena, parts, count, top, err);
}

static enum draw_result draw_json(const struct draw *draw)
{
    const struct value *top = draw->strategy->spec;
    return draw_child(draw, *top, draw->site, draw->wanted, draw->out);
}

const struct strategy_kind kind_json_values = {
    .name = "json_values",
    .params = {{"max_depth", PARAM_OPTIONAL, false}},
    .repeats = REPEATS_ALIKE,
    .make = make_json_values,
    .draw = draw_json,
};
