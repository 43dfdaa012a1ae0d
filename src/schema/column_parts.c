/* Strategies for the parts of a column's values: elements of arrays, bounds of ranges, attributes
 * of composites. Machines can't name them. */
#include "schema/column.h"

#include "gen/invert.h"
#include "value/number/numeric.h"

#include <assert.h>
#include <string.h>

/* The data of such a strategy. The type's name, its only argument, tells strategies apart. */
struct parts {
    const struct column_facts *column;
    const struct value *strategies; /* for values that are not NULL, or by part */
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

/* If the column may be NULL, one value in four is, by a choice of 0. */

enum { NULL_ONE_IN = 4 };

bool null_draw(struct drawer *drawer, bool nullable, bool possible, const struct value *wanted,
               bool *null)
{
    int64_t place = wanted ? wanted->type != VALUE_NONE : DRAW_ANY;
    *null = wanted && place == 0;
    if (nullable) {
        size_t count = possible || wanted ? NULL_ONE_IN : 1;
        *null = draw_place(drawer, count, place) == 0;
    }
    return nullable || !*null;
}

/* Draws until the checks that the strategy does not ensure hold, too. */
static enum draw_result draw_checked(const struct draw *draw, const struct parts *parts)
{
    struct drawer *drawer = draw->drawer;
    struct arena *arena = drawer->caller->arena;
    struct draw_retry retry = draw_retry_begin(drawer);
    struct draw_mark mark = draw_mark(drawer);
    enum draw_result result = DRAW_REJECTED;
    for (unsigned i = 0; i < 2 * DRAW_TRIES && result == DRAW_REJECTED; i++) {
        draw_rewind(drawer, mark);
        draw_retry_next(drawer, &retry, i);
        result = draw_child(draw, parts->strategies[0], draw->site, NULL, draw->out);
        if (result != DRAW_OK) {
            break;
        }
        *draw->out = column_kept(arena, parts->column, *draw->out);
        result = column_holds(arena, parts->column, *draw->out) ? DRAW_OK : DRAW_REJECTED;
    }
    draw_retry_end(drawer, &retry);
    return result;
}

static enum draw_result draw_nullable(const struct draw *draw)
{
    const struct parts *parts = draw->strategy->spec;
    bool null;
    *draw->out = value_none();
    if (!null_draw(draw->drawer, !parts->column->not_null, true, draw->wanted, &null)) {
        return DRAW_REJECTED;
    }
    if (null || !draw->wanted) {
        return null ? DRAW_OK : draw_checked(draw, parts);
    }
    enum draw_result result =
        draw_child(draw, parts->strategies[0], draw->site, draw->wanted, draw->out);
    bool fits =
        result != DRAW_OK || column_holds(draw->drawer->caller->arena, parts->column, *draw->out);
    return fits ? result : DRAW_REJECTED;
}

static const struct strategy_kind kind_part = {
    .name = "part", .params = PARAMS, .draw = draw_nullable};

bool part_strategy(struct arena *arena, const struct column_facts *column, struct value values,
                   struct value *out, struct error *err)
{
    return make_of(arena, &kind_part, column, arena_memdup(arena, &values, sizeof values), out,
                   err);
}

/* Ranges as text, in the server's form. */

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

/* [a,b) with the smaller value first; [a,a] if their order is unknown. */
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

static enum draw_result draw_range(const struct draw *draw)
{
    const struct parts *parts = draw->strategy->spec;
    struct value bounds[2] = {{0}};
    enum draw_result result = DRAW_OK;
    if (draw->wanted) {
        return invert_by_search(draw);
    }
    int64_t form = draw_place(draw->drawer, RANGE_FORMS, DRAW_ANY);
    bool from = form == RANGE_CLOSED_OPEN || form == RANGE_FROM;
    bool to = form == RANGE_CLOSED_OPEN || form == RANGE_TO;
    if (from) {
        result = draw_part(draw, parts->strategies[0], 0, NULL, &bounds[0]);
    }
    if (to && result == DRAW_OK) {
        result = draw_part(draw, parts->strategies[0], 1, NULL, &bounds[1]);
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
    *draw->out = value_string(draw->drawer->caller->arena, strbuf_text(&text), text.size);
    strbuf_free(&text);
    return result;
}

static const struct strategy_kind kind_range = {
    .name = "range", .params = PARAMS, .draw = draw_range};

/* Draws a multirange of no range or one. */
static enum draw_result draw_multirange(const struct draw *draw)
{
    const struct parts *parts = draw->strategy->spec;
    struct arena *arena = draw->drawer->caller->arena;
    struct value range;
    if (draw->wanted) {
        return invert_by_search(draw);
    }
    *draw->out = value_text(arena, "{}");
    if (draw_place(draw->drawer, 2, DRAW_ANY) == 0) {
        return DRAW_OK;
    }
    enum draw_result result = draw_part(draw, parts->strategies[0], 0, NULL, &range);
    if (result == DRAW_OK && !value_is_string(range, "empty")) {
        *draw->out = value_text(arena, arena_printf(arena, "{%s}", value_cstr(range)));
    }
    return result;
}

static const struct strategy_kind kind_multirange = {
    .name = "multirange", .params = PARAMS, .draw = draw_multirange};

/* Composites: a tuple with the names of the attributes. */
static enum draw_result draw_composite(const struct draw *draw)
{
    const struct parts *parts = draw->strategy->spec;
    const struct value *wanted = draw->wanted;
    struct arena *arena = draw->drawer->caller->arena;
    size_t count = parts->column->parts.count;
    if (wanted && (wanted->type != VALUE_TUPLE || wanted->as.tuple->count != count)) {
        return DRAW_REJECTED;
    }
    struct value *items = ARENA_ARRAY(arena, struct value, count);
    const char **names = ARENA_ARRAY(arena, const char *, count);
    enum draw_result result = DRAW_OK;
    for (size_t i = 0; i < count && result == DRAW_OK; i++) {
        names[i] = parts->column->parts.items[i].name;
        result = draw_part(draw, parts->strategies[i], i,
                           wanted ? &wanted->as.tuple->items[i] : NULL, &items[i]);
    }
    *draw->out = value_row(arena, items, names, count);
    return result;
}

static const struct strategy_kind kind_composite = {
    .name = "composite", .params = PARAMS, .draw = draw_composite};

bool parts_strategy(struct arena *arena, const struct column_facts *column,
                    const struct value *strategies, struct value *out, struct error *err)
{
    assert(column->shape > SHAPE_ARRAY);
    const struct strategy_kind *kind = column->shape == SHAPE_RANGE        ? &kind_range
                                       : column->shape == SHAPE_MULTIRANGE ? &kind_multirange
                                                                           : &kind_composite;
    return make_of(arena, kind, column, strategies, out, err);
}
