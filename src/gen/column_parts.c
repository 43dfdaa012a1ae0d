/* Strategies for what a column's values are made of: elements of arrays, bounds of ranges,
 * attributes of composites. No machine can name them. */
#include "gen/column.h"

#include "gen/invert.h"
#include "value/number/numeric.h"

#include <string.h>

/* The column is what these strategies are about; the type's name tells them apart. */
#define PARAMS                                                                                     \
    {                                                                                              \
        {                                                                                          \
            "type", PARAM_REQUIRED, false                                                          \
        }                                                                                          \
    }

static bool make_of(struct arena *arena, const struct strategy_kind *kind,
                    const struct column_facts *column, struct value *out, struct error *err)
{
    struct value *type = ARENA_NEW(arena, struct value);
    *type = value_text(arena, column->type_name);
    const struct strategy template = {.kind = kind, .args = type, .spec = column};
    return strategy_new(arena, &template, out, err);
}

/* A value of the column. */

static enum draw_result draw_part(struct drawer *drawer, const struct strategy *strategy,
                                  uint64_t site, struct value *out, struct error *err)
{
    return column_draw(drawer, strategy->spec, site, out, err);
}

static enum draw_result invert_part(struct drawer *drawer, const struct strategy *strategy,
                                    uint64_t site, struct value wanted, struct value *out,
                                    struct error *err)
{
    return column_invert(drawer, strategy->spec, site, wanted, out, err);
}

static const struct strategy_kind kind_part = {
    .name = "part", .params = PARAMS, .draw = draw_part, .invert = invert_part};

bool part_strategy(struct arena *arena, const struct column_facts *column, struct value *out,
                   struct error *err)
{
    return make_of(arena, &kind_part, column, out, err);
}

/* The part of a number, never NULL. */
static enum draw_result draw_of(struct drawer *drawer, const struct column_facts *column,
                                size_t index, uint64_t site, struct value *out, struct error *err)
{
    struct value strategy;
    struct arena *arena = drawer->caller->arena;
    struct column_facts *part = arena_memdup(arena, &column->parts.items[0], sizeof *part);
    part->not_null = true;
    part->name = column->name;
    if (!part_strategy(arena, part, &strategy, err)) {
        return DRAW_ERROR;
    }
    size_t span = draw_span_begin(drawer, SPAN_OTHER);
    enum draw_result result = draw_child(drawer, strategy, draw_site(site, index), out, err);
    draw_span_end(drawer, span);
    return result;
}

static int64_t draw_form(struct drawer *drawer, int64_t forms)
{
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
    const struct column_facts *column = strategy->spec;
    struct value bounds[2] = {{0}};
    enum draw_result result = DRAW_OK;
    int64_t form = draw_form(drawer, RANGE_FORMS);
    bool from = form == RANGE_CLOSED_OPEN || form == RANGE_FROM;
    bool to = form == RANGE_CLOSED_OPEN || form == RANGE_TO;
    if (from) {
        result = draw_of(drawer, column, 0, site, &bounds[0], err);
    }
    if (to && result == DRAW_OK) {
        result = draw_of(drawer, column, 1, site, &bounds[1], err);
    }
    struct strbuf text = {0};
    if (form == RANGE_CLOSED_OPEN) {
        add_both(&text, &column->parts.items[0], bounds[0], bounds[1]);
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

/* Composites: a tuple with the names of the attributes. `wanted`: NULL, or what is to be given. */
static enum draw_result take_composite(struct drawer *drawer, const struct column_facts *column,
                                       uint64_t site, const struct value *wanted, struct value *out,
                                       struct error *err)
{
    struct arena *arena = drawer->caller->arena;
    size_t count = column->parts.count;
    struct value *items = ARENA_ARRAY(arena, struct value, count);
    const char **names = ARENA_ARRAY(arena, const char *, count);
    enum draw_result result = DRAW_OK;
    for (size_t i = 0; i < count && result == DRAW_OK; i++) {
        const struct column_facts *part = &column->parts.items[i];
        struct value strategy;
        names[i] = part->name;
        if (!part_strategy(arena, part, &strategy, err)) {
            return DRAW_ERROR;
        }
        size_t span = draw_span_begin(drawer, SPAN_OTHER);
        result = wanted
                     ? invert_child(drawer, strategy, draw_site(site, i), wanted[i], &items[i], err)
                     : draw_child(drawer, strategy, draw_site(site, i), &items[i], err);
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
    const struct column_facts *column = strategy->spec;
    if (wanted.type != VALUE_TUPLE || wanted.as.tuple->count != column->parts.count) {
        return DRAW_REJECTED;
    }
    return take_composite(drawer, column, site, wanted.as.tuple->items, out, err);
}

static const struct strategy_kind kind_composite = {
    .name = "composite", .params = PARAMS, .draw = draw_composite, .invert = invert_composite};

bool parts_strategy(struct arena *arena, const struct column_facts *column, struct value *out,
                    struct error *err)
{
    const struct strategy_kind *kind = column->shape == SHAPE_RANGE        ? &kind_range
                                       : column->shape == SHAPE_MULTIRANGE ? &kind_multirange
                                                                           : &kind_composite;
    return make_of(arena, kind, column, out, err);
}
