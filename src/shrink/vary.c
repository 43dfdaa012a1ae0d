#include "shrink/vary.h"

#include "base/utf8.h"

#include <assert.h>
#include <math.h>

/* The span of an argument; NULL if the step has none. */
static const struct choice_span *span_of(const struct choices *choices, size_t argument)
{
    size_t count = 0;
    for (size_t i = 0; i < choices->spans.count; i++) {
        const struct choice_span *span = &choices->spans.items[i];
        if (span->kind == SPAN_ARGUMENT && count++ == argument) {
            return span;
        }
    }
    return NULL;
}

struct vary_places vary_places(const struct trace *trace, struct arena *arena)
{
    struct vary_places places = {0};
    for (size_t i = trace_first(trace); i < trace->steps.count; i++) {
        const struct choices *choices = &trace->steps.items[i].choices;
        const struct choice_span *span;
        for (size_t k = 0; (span = span_of(choices, k)); k++) {
            if (span->end > span->start) {
                *VEC_PUSH(arena, &places.items) = (struct vary_place){i, k};
            }
        }
    }
    return places;
}

static struct choice *choices_of(struct trace *trace, struct vary_place place, size_t *count)
{
    struct choices *choices = &trace->steps.items[place.step].choices;
    const struct choice_span *span = span_of(choices, place.argument);
    *count = span ? span->end - span->start : 0;
    return span ? &choices->items.items[span->start] : NULL;
}

bool vary_index(const struct trace *trace, struct vary_place place, uint64_t *index)
{
    struct trace view = *trace; /* only read */
    size_t count = 0;
    const struct choice *choice =
        place.step < trace->steps.count ? choices_of(&view, place, &count) : NULL;
    if (count == 1 && choice->kind == CHOICE_REFERENCE) {
        *index = choice->as.reference.position;
        return true;
    }
    if (count != 1 || choice->kind != CHOICE_INTEGER) {
        return false;
    }
    uint64_t range = (uint64_t)choice->as.integer.max - (uint64_t)choice->as.integer.min;
    *index = (uint64_t)choice->as.integer.value - (uint64_t)choice->as.integer.min;
    return range < VARY_FEW;
}

static void set_position(struct choice *choice, uint64_t position)
{
    choice->as.reference = (struct reference){
        .step = REFERENCE_BY_POSITION, .position = position, .source = choice->as.reference.source};
}

struct trace vary_pick(const struct trace *trace, struct vary_place place, uint64_t index,
                       struct arena *arena)
{
    struct trace out = trace_copy(arena, trace);
    size_t count;
    struct choice *choice = choices_of(&out, place, &count);
    assert(count == 1);
    if (choice->kind == CHOICE_REFERENCE) {
        set_position(choice, index);
    } else {
        uint64_t range = (uint64_t)choice->as.integer.max - (uint64_t)choice->as.integer.min;
        choice->as.integer.value =
            (int64_t)((uint64_t)choice->as.integer.min + (index < range ? index : range));
    }
    return out;
}

/* Small distances from the simplest value are as likely as large ones. */
static void draw_integer(struct choice *choice, struct rng *rng)
{
    uint64_t bits = 1 + rng_below(rng, 63);
    uint64_t distance = rng_below(rng, UINT64_C(1) << bits);
    int64_t toward = choice->as.integer.toward;
    uint64_t up = (uint64_t)choice->as.integer.max - (uint64_t)toward;
    uint64_t down = (uint64_t)toward - (uint64_t)choice->as.integer.min;
    bool goes_up = down == 0 || (up > 0 && rng_one_in(rng, 2));
    uint64_t most = goes_up ? up : down;
    distance = distance <= most ? distance : most ? 1 + rng_below(rng, most) : 0;
    choice->as.integer.value =
        (int64_t)(goes_up ? (uint64_t)toward + distance : (uint64_t)toward - distance);
}

static void draw_float(struct choice *choice, struct rng *rng)
{
    double least = isfinite(choice->as.real.min) ? choice->as.real.min : -1e6;
    double most = isfinite(choice->as.real.max) ? choice->as.real.max : 1e6;
    double part = rng_unit(rng);
    choice->as.real.value =
        least * (1 - part) + most * part; /* the difference of the bounds may overflow */
}

/* The new text has the same length, or is a few characters longer. */
static void draw_text(struct choice *choice, struct rng *rng, struct arena *arena)
{
    enum { LONGER = 3, RANKS = 62 /* digits and letters */ };
    const struct string *alphabet = choice->as.text.alphabet;
    uint64_t ranks = alphabet ? alphabet->length : RANKS;
    uint64_t least = choice->as.text.min_size;
    uint64_t most = choice->as.text.value->length + LONGER;
    most = most < choice->as.text.max_size ? most : choice->as.text.max_size;
    uint64_t length = most > least ? least + rng_below(rng, most - least + 1) : least;
    struct strbuf text = {0};
    for (uint64_t i = 0; i < length && ranks > 0; i++) {
        char bytes[UTF8_MAX];
        size_t size =
            utf8_encode(choice_char_of_rank(alphabet, (uint32_t)rng_below(rng, ranks)), bytes);
        strbuf_add(&text, bytes, size);
    }
    choice->as.text.value = value_string(arena, strbuf_text(&text), text.size).as.string;
    strbuf_free(&text);
}

static void draw_bytes(struct choice *choice, struct rng *rng, struct arena *arena)
{
    size_t size = choice->as.bytes.value->size;
    struct bytes *bytes = arena_zalloc(arena, sizeof *bytes + size);
    bytes->size = size;
    for (size_t i = 0; i < size; i++) {
        bytes->data[i] = (unsigned char)rng_below(rng, 256);
    }
    choice->as.bytes.value = bytes;
}

static void draw_choice(struct choice *choice, struct rng *rng, struct arena *arena)
{
    switch (choice->kind) {
    case CHOICE_INTEGER:
        draw_integer(choice, rng);
        break;
    case CHOICE_FLOAT:
        draw_float(choice, rng);
        break;
    case CHOICE_TEXT:
        draw_text(choice, rng, arena);
        break;
    case CHOICE_BYTES:
        draw_bytes(choice, rng, arena);
        break;
    case CHOICE_REFERENCE:
        set_position(choice, rng_below(rng, choice->as.reference.position + VARY_FEW + 1));
        break;
    }
}

struct trace vary_draw(const struct trace *trace, const struct vary_places *places, struct rng *rng,
                       struct arena *arena)
{
    struct trace out = trace_copy(arena, trace);
    for (size_t i = 0; i < places->items.count; i++) {
        size_t count;
        struct choice *choices = choices_of(&out, places->items.items[i], &count);
        for (size_t k = 0; k < count; k++) {
            draw_choice(&choices[k], rng, arena);
        }
    }
    return out;
}
