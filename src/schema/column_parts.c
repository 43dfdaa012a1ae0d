/* Strategies for what a column's values are made of: elements of arrays, bounds of ranges,
 * attributes of composites. No machine can name them. */
#include "schema/column.h"

#include "gen/invert.h"
#include "value/number/numeric.h"

#include <assert.h>
#include <string.h>

/* What such a strategy is about. The type's name, its only argument, tells them apart. */
struct parts {
    const struct column_facts *column;
    const struct value *strategies; /* of its values that are not NULL, or by part */
};
#define PARAMS                                                                                     \
    {                                                                                              \
        {                                                                                          \
            "type", PARAM_REQUIRED, false                                                          \
        }                                                                                          \
    }

static bool make_of(struct arena *arena, const struct strategy_kind *kind,
                    const struct column_facts *column, const struct value *strategies,
                    struct value *out, struct error *err)
{
    const struct value type = value_text(arena, column->type_name);
    const struct parts parts = {column, strategies};
    const struct strategy template = {.kind = kind,
                                      .args = kind_args(arena, kind, &type),
                                      .spec = arena_memdup(arena, &parts, sizeof parts)};
    return strategy_new(arena, &template, out, err);
}

/* A value of the column, NULL one time in four, where it may be: a choice of 0. */

enum { NULL_ONE_IN = 4 };

bool null_draw(struct drawer *drawer, bool nullable, bool possible)
{
    if (!nullable) {
        return false;
    }
    int64_t most = possible ? NULL_ONE_IN - 1 : 0;
    int64_t proposal = draw_is_fresh(drawer) && !drawer->own.inverting
                           ? (int64_t)rng_below(drawer->rng, (uint64_t)most + 1)
                           : 0;
    return draw_integer(drawer, (struct int_range){0, most, 0}, proposal) == 0;
}

bool null_invert(struct drawer *drawer, bool nullable, bool null)
{
    if (nullable) {
        (void)draw_integer(drawer, (struct int_range){0, NULL_ONE_IN - 1, 0}, !null);
    }
    return nullable || !null;
}

/* Draws until the checks hold that the strategy can't keep by itself. */
static enum draw_result draw_part(struct drawer *drawer, const struct strategy *strategy,
                                  uint64_t site, struct value *out, struct error *err)
{
    const struct parts *parts = strategy->spec;
    struct arena *arena = drawer->caller->arena;
    *out = value_none();
    if (null_draw(drawer, !parts->column->not_null, true)) {
        return DRAW_OK;
    }
    struct draw_retry retry = draw_retry_begin(drawer);
    struct draw_mark mark = draw_mark(drawer);
    enum draw_result result = DRAW_REJECTED;
    for (unsigned i = 0; i < 2 * DRAW_TRIES && result == DRAW_REJECTED; i++) {
        draw_rewind(drawer, mark);
        draw_retry_next(drawer, &retry, i);
        result = draw_child(drawer, parts->strategies[0], site, out, err);
        if (result != DRAW_OK) {
            break;
        }
        *out = column_kept(arena, parts->column, *out);
        result = column_holds(arena, parts->column, *out) ? DRAW_OK : DRAW_REJECTED;
    }
    draw_retry_end(drawer, &retry);
    return result;
}

static enum draw_result invert_part(struct drawer *drawer, const struct strategy *strategy,
                                    uint64_t site, struct value wanted, struct value *out,
                                    struct error *err)
{
    const struct parts *parts = strategy->spec;
    bool null = wanted.type == VALUE_NONE;
    *out = value_none();
    if (!null_invert(drawer, !parts->column->not_null, null)) {
        return DRAW_REJECTED;
    }
    if (null) {
        return DRAW_OK;
    }
    enum draw_result result = invert_child(drawer, parts->strategies[0], site, wanted, out, err);
    bool fits = result != DRAW_OK || column_holds(drawer->caller->arena, parts->column, *out);
    return fits ? result : DRAW_REJECTED;
}

static const struct strategy_kind kind_part = {
    .name = "part", .params = PARAMS, .draw = draw_part, .invert = invert_part};

bool part_strategy(struct arena *arena, const struct column_facts *column, struct value values,
                   struct value *out, struct error *err)
{
    return make_of(arena, &kind_part, column, arena_memdup(arena, &values, sizeof values), out,
                   err);
}

/* One end of a range, or the range of a multirange. */
static enum draw_result draw_of(struct drawer *drawer, const struct parts *parts, size_t index,
                                uint64_t site, struct value *out, struct error *err)
{
    size_t span = draw_span_begin(drawer, SPAN_OTHER);
    enum draw_result result =
        draw_child(drawer, parts->strategies[0], draw_site(site, index), out, err);
    draw_span_end(drawer, span);
    return result;
}

static int64_t draw_form(struct drawer *drawer, int64_t forms)
{
    assert(forms > 0);
    int64_t proposal = draw_is_fresh(drawer) ? (int64_t)rng_below(drawer->rng, (uint64_t)forms) : 0;
    return draw_integer(drawer, (struct int_range){0, forms - 1, 0}, proposal);
}

/* Ranges, as text: what the server prints of them. */

enum range_form {
    RANGE_CLOSED_OPEN, /* [a,b) */
    RANGE_EMPTY,
    RANGE_FROM, /* [a,) */
    RANGE_TO,   /* (,b) */
    RANGE_ALL,  /* (,) */
    RANGE_FORMS,
};

static void add_bound(struct strbuf *out, struct value bound)
{
    if (value_is_number(bound)) {
        number_text(bound, out);
        return;
    }
    const char *text = bound.type == VALUE_STRING ? value_cstr(bound) : "";
    bool quoted = *text == '\0' || strpbrk(text, "\"\\()[], \t\n\r\v\f") != NULL;
    strbuf_adds(out, quoted ? "\"" : "");
    for (; *text; text++) {
        strbuf_addf(out, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
    }
    strbuf_adds(out, quoted ? "\"" : "");
}

/* [a,b) with the smaller one in front; where their order is not known, [a,a]. */
static void add_both(struct strbuf *out, const struct column_facts *bounds, struct value a,
                     struct value b)
{
    int order;
    bool known = column_is_ordered(bounds) && column_order(bounds, a, b, &order);
    if (known && order == 0) {
        strbuf_adds(out, "empty");
        return;
    }
    strbuf_addc(out, '[');
    add_bound(out, known && order > 0 ? b : a);
    strbuf_addc(out, ',');
    add_bound(out, known && order < 0 ? b : a);
    strbuf_addc(out, known ? ')' : ']');
}

static enum draw_result draw_range(struct drawer *drawer, const struct strategy *strategy,
                                   uint64_t site, struct value *out, struct error *err)
{
    const struct parts *parts = strategy->spec;
    struct value bounds[2] = {{0}};
    enum draw_result result = DRAW_OK;
    int64_t form = draw_form(drawer, RANGE_FORMS);
    bool from = form == RANGE_CLOSED_OPEN || form == RANGE_FROM;
    bool to = form == RANGE_CLOSED_OPEN || form == RANGE_TO;
    if (from) {
        result = draw_of(drawer, parts, 0, site, &bounds[0], err);
    }
    if (to && result == DRAW_OK) {
        result = draw_of(drawer, parts, 1, site, &bounds[1], err);
    }
    struct strbuf text = {0};
    if (form == RANGE_CLOSED_OPEN) {
        add_both(&text, &parts->column->parts.items[0], bounds[0], bounds[1]);
    } else if (form == RANGE_EMPTY) {
        strbuf_adds(&text, "empty");
    } else {
        strbuf_addc(&text, from ? '[' : '(');
        if (from) {
            add_bound(&text, bounds[0]);
        }
        strbuf_addc(&text, ',');
        if (to) {
            add_bound(&text, bounds[1]);
        }
        strbuf_addc(&text, ')');
    }
    *out = value_string(drawer->caller->arena, strbuf_text(&text), text.size);
    strbuf_free(&text);
    return result;
}

static const struct strategy_kind kind_range = {
    .name = "range", .params = PARAMS, .draw = draw_range, .invert = invert_by_search};

/* Of none, or of one range. */
static enum draw_result draw_multirange(struct drawer *drawer, const struct strategy *strategy,
                                        uint64_t site, struct value *out, struct error *err)
{
    struct arena *arena = drawer->caller->arena;
    struct value range;
    *out = value_text(arena, "{}");
    if (draw_form(drawer, 2) == 0) {
        return DRAW_OK;
    }
    enum draw_result result = draw_of(drawer, strategy->spec, 0, site, &range, err);
    if (result == DRAW_OK && !value_is_string(range, "empty")) {
        *out = value_text(arena, arena_printf(arena, "{%s}", value_cstr(range)));
    }
    return result;
}

static const struct strategy_kind kind_multirange = {
    .name = "multirange", .params = PARAMS, .draw = draw_multirange, .invert = invert_by_search};

/* Composites: a tuple with the names of the attributes. `wanted`: NULL, or what is to be drawn. */
static enum draw_result take_composite(struct drawer *drawer, const struct parts *parts,
                                       uint64_t site, const struct value *wanted, struct value *out,
                                       struct error *err)
{
    struct arena *arena = drawer->caller->arena;
    size_t count = parts->column->parts.count;
    struct value *items = ARENA_ARRAY(arena, struct value, count);
    const char **names = ARENA_ARRAY(arena, const char *, count);
    enum draw_result result = DRAW_OK;
    for (size_t i = 0; i < count && result == DRAW_OK; i++) {
        struct value part = parts->strategies[i];
        names[i] = parts->column->parts.items[i].name;
        size_t span = draw_span_begin(drawer, SPAN_OTHER);
        result = take_child(drawer, part, draw_site(site, i), wanted ? &wanted[i] : NULL, &items[i],
                            err);
        draw_span_end(drawer, span);
    }
    *out = value_row(arena, items, names, count);
    return result;
}

static enum draw_result draw_composite(struct drawer *drawer, const struct strategy *strategy,
                                       uint64_t site, struct value *out, struct error *err)
{
    return take_composite(drawer, strategy->spec, site, NULL, out, err);
}

static enum draw_result invert_composite(struct drawer *drawer, const struct strategy *strategy,
                                         uint64_t site, struct value wanted, struct value *out,
                                         struct error *err)
{
    const struct parts *parts = strategy->spec;
    if (wanted.type != VALUE_TUPLE || wanted.as.tuple->count != parts->column->parts.count) {
        return DRAW_REJECTED;
    }
    return take_composite(drawer, parts, site, wanted.as.tuple->items, out, err);
}

static const struct strategy_kind kind_composite = {
    .name = "composite", .params = PARAMS, .draw = draw_composite, .invert = invert_composite};

bool parts_strategy(struct arena *arena, const struct column_facts *column,
                    const struct value *strategies, struct value *out, struct error *err)
{
    assert(column->shape > SHAPE_ARRAY);
    const struct strategy_kind *kind = column->shape == SHAPE_RANGE        ? &kind_range
                                       : column->shape == SHAPE_MULTIRANGE ? &kind_multirange
                                                                           : &kind_composite;
    return make_of(arena, kind, column, strategies, out, err);
}
