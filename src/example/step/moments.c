#include "example/step/moments.h"

#include "example/engine.h"
#include "value/time/calendar.h"
#include "value/time/moment.h"
#include "value/time/zone.h"

#include <string.h>

enum {
    SPANS_MAX = 32,
    ZONES_MAX = 8,
    MOMENTS_MAX = 256,
    PARTS_MAX = 2000, /* values of one variable */
    DEPTH_MAX = 8,
    TEXT_MAX = 64, /* bytes of a text that may be a time or a zone's name */
};

struct moments {
    struct arena *arena;
    VEC(int64_t) us;
    VEC(struct interval) spans;
    VEC(struct zone) zones;
    VEC(const char *) names; /* of the zones */
    size_t parts;
};

static void add_span(struct moments *found, struct interval span)
{
    static const struct interval none = {0};
    for (size_t i = 0; i < found->spans.count; i++) {
        if (interval_compare(found->spans.items[i], span) == 0) {
            return;
        }
    }
    if (interval_compare(span, none) > 0 && found->spans.count < SPANS_MAX) {
        *VEC_PUSH(found->arena, &found->spans) = span;
    }
}

static void add_us(struct moments *found, int64_t us)
{
    if (found->us.count < MOMENTS_MAX) {
        *VEC_PUSH(found->arena, &found->us) = us;
    }
}

static void add_text(struct moments *found, const struct string *text)
{
    struct moment moment;
    if (text->size > TEXT_MAX || text->size < 2 || !strchr("0123456789", text->data[0]) ||
        !moment_read(text, &moment)) {
        return;
    }
    switch (moment.kind) {
    case MOMENT_DATE:
        add_us(found, moment.number * CALENDAR_DAY);
        break;
    case MOMENT_TIMESTAMP:
    case MOMENT_TIMESTAMPTZ:
        add_us(found, moment.number);
        break;
    case MOMENT_TIME: /* also an interval of less than a day */
        add_span(found, (struct interval){.us = moment.number});
        break;
    case MOMENT_INTERVAL:
        add_span(found, moment.interval);
        break;
    case MOMENT_DAYS:
        break;
    }
}

static void add_zone(struct moments *found, const char *name)
{
    struct zone zone;
    struct error ignored = {0};
    for (size_t i = 0; i < found->names.count; i++) {
        if (strcmp(found->names.items[i], name) == 0) {
            return;
        }
    }
    if (strchr(name, '/') && found->zones.count < ZONES_MAX &&
        zone_find(found->arena, name, &zone, &ignored)) {
        *VEC_PUSH(found->arena, &found->zones) = zone;
        *VEC_PUSH(found->arena, &found->names) = name;
    }
}

static void learn_text(struct moments *found, const char *text, size_t size)
{
    if (size > 1 && size <= TEXT_MAX && memchr(text, 0, size) == NULL) {
        add_text(found, value_string(found->arena, text, size).as.string);
        add_zone(found, arena_strndup(found->arena, text, size));
    }
}

/* Whatever stands between two quotes may be a literal; what is none reads as no time. */
static void learn_source(struct moments *found, const struct source *source)
{
    static const char quotes[] = "\"'";
    const char *at = strpbrk(source->text, quotes);
    while (at) {
        const char *end = strpbrk(at + 1, quotes);
        if (end) {
            learn_text(found, at + 1, (size_t)(end - at - 1));
        }
        at = end;
    }
}

void moments_learn(struct engine *engine)
{
    struct moments found = {.arena = &engine->arena};
    if (!engine->machine->clock) {
        return;
    }
    learn_source(&found, engine->machine->source);
    for (size_t i = 0; i < engine->pool.string_count; i++) {
        const struct string *text = engine->pool.strings[i].as.string;
        learn_text(&found, text->data, text->size);
    }
    engine->moments = (struct draw_moments){.spans = found.spans.items,
                                            .span_count = found.spans.count,
                                            .zones = found.zones.items,
                                            .zone_count = found.zones.count};
}

static void add_value(struct moments *found, struct value value, unsigned depth)
{
    struct value_parts parts = {.of = value};
    struct value part;
    if (value.type == VALUE_STRING) {
        add_text(found, value.as.string);
    }
    while (depth < DEPTH_MAX && found->parts < PARTS_MAX && value_parts_next(&parts, &part)) {
        found->parts++;
        add_value(found, part, depth + 1);
    }
}

const struct draw_moments *moments_find(const struct example *example, struct arena *arena)
{
    const struct engine *engine = example->engine;
    struct moments found = {.arena = arena};
    struct draw_moments *out = ARENA_NEW(arena, struct draw_moments);
    size_t count = lang_module_global_count(example->state.module);
    for (size_t i = 0; i < engine->moments.span_count; i++) {
        *VEC_PUSH(arena, &found.spans) = engine->moments.spans[i];
    }
    for (size_t i = 0; i < count; i++) {
        struct value value;
        found.parts = 0;
        if (lang_get_global(&example->state, i, &value)) {
            add_value(&found, value, 0);
        }
    }
    *out = engine->moments;
    out->now_us = example->now_us;
    out->us = found.us.items;
    out->count = found.us.count;
    out->spans = found.spans.items;
    out->span_count = found.spans.count;
    return out;
}
