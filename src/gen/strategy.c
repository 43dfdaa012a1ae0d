/* Strategies as objects of the language, and the way every draw takes. */
#include "gen/invert.h"
#include "gen/memory.h"
#include "gen/pick.h"

enum { PARAMS_MAX = 8 };

static const struct object_type strategy_type;

const struct strategy *strategy_of(struct value value)
{
    if (value.type != VALUE_OBJECT || value.as.object->type != &strategy_type) {
        return NULL;
    }
    return (const struct strategy *)(const void *)value.as.object;
}

bool value_is_strategy(struct value value) { return strategy_of(value) != NULL; }

bool value_is_bundle(struct value value)
{
    return value.type == VALUE_LIST && value.as.list->kind == &bundle_kind;
}

bool value_is_drawable(struct value value)
{
    return value.type == VALUE_LIST || value.type == VALUE_SET || value.type == VALUE_DICT ||
           value_is_strategy(value);
}

/* How a strategy is printed: as its call. */

/* Whether the value can be printed without coming back to strategies: a model can nest them in
 * containers as deep as it likes. */
static bool is_plain(struct value value, unsigned depth)
{
    enum { PLAIN_DEPTH = 8 };
    switch (value.type) {
    case VALUE_OBJECT:
        return !value_is_strategy(value);
    case VALUE_LIST:
    case VALUE_BAG:
    case VALUE_MULTIPLE:
        for (size_t i = 0; i < value.as.list->count; i++) {
            if (depth == PLAIN_DEPTH || !is_plain(value.as.list->items[i], depth + 1)) {
                return false;
            }
        }
        return true;
    case VALUE_TUPLE:
        for (size_t i = 0; i < value.as.tuple->count; i++) {
            if (depth == PLAIN_DEPTH || !is_plain(value.as.tuple->items[i], depth + 1)) {
                return false;
            }
        }
        return true;
    case VALUE_DICT:
        for (size_t i = 0; i < value.as.table->used; i++) {
            const struct table_entry *entry = &value.as.table->entries[i];
            if (entry->live && (depth == PLAIN_DEPTH || !is_plain(entry->value, depth + 1))) {
                return false;
            }
        }
        return true;
    case VALUE_NONE:
    case VALUE_BOOL:
    case VALUE_INT:
    case VALUE_NUMERIC:
    case VALUE_FLOAT:
    case VALUE_STRING:
    case VALUE_BYTES:
    case VALUE_JSON_NULL:
    case VALUE_SET: /* what it holds is hashable */
    case VALUE_ERROR:
        break;
    }
    return true;
}

static void print_argument(struct value value, struct strbuf *out)
{
    if (value_is_strategy(value) || is_plain(value, 0)) {
        value_repr(value, out);
    } else {
        strbuf_addf(out, "<%s>", value_type_name(value));
    }
}

static void print_separated(bool *first, struct strbuf *out)
{
    if (!*first) {
        strbuf_adds(out, ", ");
    }
    *first = false;
}

static void strategy_repr(const struct object *object, struct strbuf *out)
{
    const struct strategy *strategy = (const struct strategy *)(const void *)object;
    const struct native_param *params = strategy->kind->params;
    if (strategy->self.type != VALUE_NONE) {
        print_argument(strategy->self, out);
        strbuf_addc(out, '.');
    }
    strbuf_addf(out, "%s(", strategy->kind->name);
    bool first = true;
    for (size_t i = 0; params[i].name; i++) {
        struct value arg = strategy->args[i];
        if (params[i].kind == PARAM_REST) {
            for (size_t j = 0; j < arg.as.tuple->count; j++) {
                print_separated(&first, out);
                print_argument(arg.as.tuple->items[j], out);
            }
        } else if (params[i].kind == PARAM_REQUIRED || arg.type != VALUE_NONE) {
            print_separated(&first, out);
            if (params[i].kind == PARAM_OPTIONAL) {
                strbuf_addf(out, "%s=", params[i].name);
            }
            print_argument(arg, out);
        }
    }
    strbuf_addc(out, ')');
}

static const struct object_type strategy_type = {
    .name = "strategy",
    .repr = strategy_repr,
    .methods = strategy_methods,
    .join = strategy_union,
};

const struct list_kind bundle_kind = {
    .fixed = "a bundle can't be changed by the model",
    .hint = "a rule's `target` puts values into it, consumes() takes them out",
    .methods = strategy_methods,
    .join = strategy_union,
};

/* Making one. */

static uint64_t mix(uint64_t hash, uint64_t more) { return draw_site(hash ^ (hash >> 31), more); }

static uint64_t hash_name(const char *name)
{
    uint64_t hash = 0;
    for (; *name; name++) {
        hash = mix(hash, (unsigned char)*name);
    }
    return hash;
}

/* Works an argument into signature and depth. */
static void sign_argument(struct strategy *strategy, struct value arg)
{
    const struct strategy *inner = strategy_of(arg);
    uint64_t hash = 0;
    if (inner) {
        hash = inner->signature;
        strategy->depth = strategy->depth > inner->depth ? strategy->depth : inner->depth + 1;
    } else if (arg.type == VALUE_OBJECT || !value_hash(arg, &hash, NULL)) {
        hash = 0;
    } else {
        hash = mix(hash, arg.type);
    }
    strategy->signature = hash && strategy->signature ? mix(strategy->signature, hash) : 0;
}

static void sign(struct strategy *strategy)
{
    strategy->signature = hash_name(strategy->kind->name);
    strategy->depth = 1;
    if (strategy->self.type != VALUE_NONE) {
        sign_argument(strategy, strategy->self);
    }
    for (size_t i = 0; strategy->kind->params[i].name; i++) {
        struct value arg = strategy->args[i];
        if (strategy->kind->params[i].kind != PARAM_REST) {
            sign_argument(strategy, arg);
            continue;
        }
        for (size_t j = 0; j < arg.as.tuple->count; j++) {
            sign_argument(strategy, arg.as.tuple->items[j]);
        }
    }
}

bool strategy_new(struct arena *arena, const struct strategy *template, struct value *out,
                  struct error *err)
{
    struct strategy *strategy = arena_memdup(arena, template, sizeof *template);
    strategy->object.type = &strategy_type;
    if (strategy->kind->make && !strategy->kind->make(arena, strategy, err)) {
        return false;
    }
    sign(strategy);
    if (strategy->depth > DRAW_DEPTH_MAX) {
        return error_set(err, ERROR_LIMIT, "strategies are nested deeper than %d", DRAW_DEPTH_MAX);
    }
    *out = value_object(&strategy->object);
    return true;
}

bool strategy_of_kind(struct arena *arena, const struct strategy_kind *kind,
                      const struct value *args, struct value *out, struct error *err)
{
    size_t count = 0;
    while (kind->params[count].name) {
        count++;
    }
    struct strategy template = {.kind = kind,
                                .args = arena_memdup(arena, args, count * sizeof *args)};
    return strategy_new(arena, &template, out, err);
}

bool strategy_any_of(struct arena *arena, const struct value *items, size_t count,
                     struct value *out, struct error *err)
{
    struct value alternatives = value_tuple(arena, items, count);
    return strategy_of_kind(arena, &kind_one_of, &alternatives, out, err);
}

static bool make(const struct strategy_kind *kind, const struct native_call *call,
                 struct value *out, struct error *err)
{
    struct value args[PARAMS_MAX] = {0}; /* VALUE_NONE */
    if (!native_bind(kind->name, kind->params, call, args, err)) {
        return false;
    }
    size_t count = 0;
    while (kind->params[count].name) {
        count++;
    }
    struct arena *arena = call->caller->arena;
    struct strategy template = {
        .kind = kind,
        .self = call->self,
        .args = arena_memdup(arena, args, count * sizeof *args),
    };
    return strategy_new(arena, &template, out, err);
}

/* The table of strategies: a name of the language, and what it makes. */

#define STRATEGY(name)                                                                             \
    static bool make_##name(const struct native_call *call, struct value *out, struct error *err)  \
    {                                                                                              \
        return make(&kind_##name, call, out, err);                                                 \
    }
STRATEGY(integers)
STRATEGY(booleans)
STRATEGY(decimals)
STRATEGY(floats)
STRATEGY(text)
STRATEGY(from_regex)
STRATEGY(binary)
STRATEGY(uuids)
STRATEGY(dates)
STRATEGY(times)
STRATEGY(datetimes)
STRATEGY(timedeltas)
STRATEGY(json_values)
STRATEGY(column)
STRATEGY(row)
STRATEGY(just)
STRATEGY(none)
STRATEGY(sampled_from)
STRATEGY(one_of)
STRATEGY(lists)
STRATEGY(sets)
STRATEGY(dictionaries)
STRATEGY(tuples)
STRATEGY(builds)
STRATEGY(consumes)
STRATEGY(map)
STRATEGY(filter)
STRATEGY(flatmap)
#undef STRATEGY

#define ROW(name, params)                                                                          \
    {                                                                                              \
#name, make_##name, params_##params                                                        \
    }
const struct native_function strategy_functions[] = {
    ROW(integers, integers),
    ROW(booleans, booleans),
    ROW(decimals, decimals),
    ROW(floats, floats),
    ROW(text, text),
    ROW(from_regex, from_regex),
    ROW(binary, binary),
    ROW(uuids, uuids),
    ROW(dates, dates),
    ROW(times, dates),
    ROW(datetimes, dates),
    ROW(just, just),
    ROW(none, none),
    ROW(sampled_from, sampled_from),
    ROW(one_of, one_of),
    ROW(lists, lists),
    ROW(sets, sets),
    ROW(tuples, tuples),
    ROW(dictionaries, dictionaries),
    ROW(timedeltas, dates),
    ROW(json_values, json_values),
    ROW(column, column),
    ROW(row, row),
    ROW(builds, builds),
    ROW(consumes, consumes),
    {0},
};
const struct native_function strategy_methods[] = {
    ROW(map, map),
    ROW(filter, filter),
    ROW(flatmap, flatmap),
    {0},
};
#undef ROW

bool strategy_union(struct arena *arena, struct value a, struct value b, struct value *out,
                    struct error *err)
{
    if (!value_is_drawable(a) || !value_is_drawable(b)) {
        struct value other = value_is_drawable(a) ? b : a;
        error_set(err, ERROR_MACHINE, "| wants a strategy on both sides, not %s",
                  value_type_name(other));
        error_hint(err, "just(x) is a strategy that always gives x");
        return false;
    }
    struct value both[] = {a, b};
    struct value args[] = {value_tuple(arena, both, 2)};
    struct strategy template = {.kind = &kind_one_of,
                                .args = arena_memdup(arena, args, sizeof args)};
    return strategy_new(arena, &template, out, err);
}

/* Drawing. */

/* Draws as an earlier draw was, by its choices; DRAW_REJECTED where that is not to be had. */
static enum draw_result draw_repeated(struct drawer *drawer, const struct strategy *strategy,
                                      const struct choices *earlier, struct value *out,
                                      struct error *err)
{
    const struct choices *replay = drawer->replay;
    size_t next = drawer->own.next;
    size_t end = drawer->own.end;
    bool detached = drawer->own.detached;
    struct draw_mark mark = draw_mark(drawer);
    drawer->replay = earlier;
    drawer->own.next = 0;
    drawer->own.end = earlier->items.count;
    drawer->own.detached = false;
    enum draw_result result = strategy->kind->draw(drawer, strategy, 0, out, err);
    drawer->replay = replay;
    drawer->own.next = next;
    drawer->own.end = end;
    drawer->own.detached = detached;
    if (result != DRAW_OK) {
        draw_rewind(drawer, mark);
    }
    return result == DRAW_EMPTY ? DRAW_REJECTED : result;
}

/* Which earlier draw to repeat, if one: of a strategy written alike, or, less often, of its kind.
 */
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

uint64_t kind_memory_key(const struct strategy_kind *kind) { return hash_name(kind->name); }

static enum draw_result draw_strategy(struct drawer *drawer, const struct strategy *strategy,
                                      uint64_t site, struct value *out, struct error *err)
{
    if (strategy->kind->repeats == REPEATS_NOTHING) {
        return strategy->kind->draw(drawer, strategy, site, out, err);
    }
    uint64_t alike = strategy->signature ? strategy->signature : site;
    uint64_t kind = strategy->kind->repeats == REPEATS_KIND ? kind_memory_key(strategy->kind) : 0;
    const struct choices *earlier = to_repeat(drawer, alike, kind);
    if (earlier) {
        enum draw_result result = draw_repeated(drawer, strategy, earlier, out, err);
        if (result != DRAW_REJECTED) {
            return result;
        }
    }
    size_t start = drawer->record->items.count;
    enum draw_result result = strategy->kind->draw(drawer, strategy, site, out, err);
    if (result == DRAW_OK && drawer->memory) {
        const struct choice *drawn = drawer->record->items.items + start;
        size_t count = drawer->record->items.count - start;
        memory_add(drawer->memory, alike, drawn, count);
        if (kind) {
            memory_add(drawer->memory, kind, drawn, count);
        }
    }
    return result;
}

enum draw_result draw_child(struct drawer *drawer, struct value strategy, uint64_t site,
                            struct value *out, struct error *err)
{
    if (drawer->own.depth == DRAW_DEPTH_MAX) {
        error_set(err, ERROR_LIMIT, "a strategy draws from strategies nested deeper than %d",
                  DRAW_DEPTH_MAX);
        return DRAW_ERROR;
    }
    if (drawer->own.spent > DRAW_SPENT_MAX) {
        error_set(err, ERROR_LIMIT, "one argument draws more than %d values", DRAW_SPENT_MAX);
        error_hint(err, "give its lists and texts a smaller max_size");
        return DRAW_ERROR;
    }
    const struct strategy *object = strategy_of(strategy);
    drawer->own.depth++;
    enum draw_result result = !object || pick_is(strategy)
                                  ? pick_draw(drawer, strategy, out, err)
                                  : draw_strategy(drawer, object, site, out, err);
    drawer->own.depth--;
    return result;
}

enum draw_result draw_call(struct caller *caller, struct value callee, const struct value *args,
                           size_t count, struct value *out, struct error *err)
{
    return caller->call(caller, callee, args, count, out, err) ? DRAW_OK : DRAW_ERROR;
}

/* Goes to where the replay has the choices of the next argument: its span, or, in a replay without
 * spans, wherever the last one left off. */
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

enum draw_result strategy_draw(struct drawer *drawer, struct value strategy, uint64_t site,
                               struct value *out, struct error *err)
{
    begin_argument(drawer);
    size_t span = draw_span_begin(drawer, SPAN_ARGUMENT);
    enum draw_result result = DRAW_OK;
    if (value_is_drawable(strategy)) {
        result = draw_child(drawer, strategy, site, out, err);
    } else {
        *out = strategy;
    }
    draw_span_end(drawer, span);
    if (result == DRAW_OK) {
        consume_drawn(drawer);
    }
    return result;
}

enum draw_result strategy_invert(struct drawer *drawer, struct value strategy, uint64_t site,
                                 struct value wanted, struct inverted *out, struct error *err)
{
    begin_argument(drawer);
    size_t span = draw_span_begin(drawer, SPAN_ARGUMENT);
    struct draw_mark mark = draw_mark(drawer);
    drawer->own.inverting = true;
    drawer->own.on_trust = false;
    enum draw_result result = invert_child(drawer, strategy, site, wanted, &out->value, err);
    drawer->own.inverting = false;
    if (result == DRAW_OK) {
        consume_drawn(drawer);
    }
    out->on_trust = drawer->own.on_trust;
    if (out->on_trust) {
        draw_rewind(drawer, mark);
    }
    draw_span_end(drawer, span);
    return result;
}

enum draw_result strategy_possible(struct caller *caller, struct value strategy, struct error *err)
{
    if (!value_is_drawable(strategy)) {
        return DRAW_OK;
    }
    const struct strategy *object = strategy_of(strategy);
    if (!object || pick_is(strategy)) {
        return pick_possible(caller, strategy, err);
    }
    return object->kind->possible ? object->kind->possible(caller, object, err) : DRAW_OK;
}
