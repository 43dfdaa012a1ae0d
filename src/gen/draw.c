#include "gen/draw.h"

#include "base/utf8.h"
#include "value/time/calendar.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { SPENT_BYTES = 32 };

void drawer_begin(struct drawer *drawer)
{
    assert(drawer->record != NULL && drawer->arena != NULL);
    drawer->record->items.count = 0;
    drawer->record->spans.count = 0;
    memset(&drawer->own, 0, sizeof drawer->own);
    drawer->own.end = drawer->replay ? drawer->replay->items.count : 0;
}

void drawer_begin_again(struct drawer *drawer, unsigned attempt)
{
    assert(attempt >= 1);
    drawer_begin(drawer);
    drawer->own.detached = true;
    drawer->own.nudge = attempt;
}

enum draw_source draw_source(const struct drawer *drawer)
{
    if (drawer->own.inverting) {
        return SOURCE_FRESH;
    }
    if (drawer->replay && !drawer->own.detached && drawer->own.next < drawer->own.end) {
        return SOURCE_REPLAY;
    }
    return drawer->rng && !drawer->simplest ? SOURCE_FRESH : SOURCE_SIMPLEST;
}

bool draw_is_fresh(const struct drawer *drawer) { return draw_source(drawer) == SOURCE_FRESH; }

enum draw_source draw_take(struct drawer *drawer, enum choice_kind kind, const struct choice **out)
{
    enum draw_source source = draw_source(drawer);
    if (source != SOURCE_REPLAY) {
        return source;
    }
    const struct choice *choice = &drawer->replay->items.items[drawer->own.next++];
    if (choice->kind != kind) {
        return SOURCE_SIMPLEST;
    }
    *out = choice;
    return SOURCE_REPLAY;
}

static size_t cost(const struct choice *choice)
{
    size_t size = choice->kind == CHOICE_TEXT    ? choice->as.text.value->size
                  : choice->kind == CHOICE_BYTES ? choice->as.bytes.value->size
                                                 : 0;
    return 1 + size / SPENT_BYTES;
}

void draw_record(struct drawer *drawer, const struct choice *choice)
{
    drawer->own.spent += cost(choice);
    *VEC_PUSH(drawer->arena, &drawer->record->items) = *choice;
}

uint64_t draw_nudged(struct drawer *drawer, uint64_t count)
{
    uint64_t nudge = drawer->own.nudge;
    drawer->own.nudge = count ? nudge / count : 0;
    return count ? nudge % count : nudge;
}

struct int_range int_range(int64_t min, int64_t max)
{
    assert(min <= max);
    return (struct int_range){min, max, min > 0 ? min : max < 0 ? max : 0};
}

/* The numbers in order: toward, toward + 1, toward - 1, toward + 2, …, within the bounds. */
static int64_t simple_integer(struct int_range range, uint64_t place)
{
    assert(range.min <= range.toward && range.toward <= range.max);
    uint64_t up = (uint64_t)range.max - (uint64_t)range.toward;
    uint64_t down = (uint64_t)range.toward - (uint64_t)range.min;
    uint64_t both = up < down ? up : down;
    bool goes_up;
    uint64_t distance;
    if (place <= 2 * both) {
        goes_up = place % 2 == 1;
        distance = place / 2 + place % 2;
    } else {
        goes_up = up > down;
        distance = place - both;
    }
    uint64_t value =
        goes_up ? (uint64_t)range.toward + distance : (uint64_t)range.toward - distance;
    return (int64_t)value;
}

int64_t draw_integer(struct drawer *drawer, struct int_range range, int64_t proposal)
{
    assert(range.min <= range.toward && range.toward <= range.max);
    const struct choice *replayed = NULL;
    int64_t value = proposal;
    enum draw_source source = draw_take(drawer, CHOICE_INTEGER, &replayed);
    if (source == SOURCE_REPLAY) {
        value = replayed->as.integer.value;
    } else if (source == SOURCE_SIMPLEST) {
        value = simple_integer(range,
                               draw_nudged(drawer, (uint64_t)range.max - (uint64_t)range.min + 1));
    }
    struct choice choice = {.kind = CHOICE_INTEGER,
                            .as.integer = {value, range.min, range.max, range.toward}};
    choice_clamp(&choice, drawer->arena);
    draw_record(drawer, &choice);
    return choice.as.integer.value;
}

int64_t draw_place(struct drawer *drawer, size_t count, int64_t wanted)
{
    assert(count > 0);
    int64_t proposal = wanted;
    if (wanted == DRAW_ANY) {
        proposal = draw_is_fresh(drawer) ? (int64_t)rng_below(drawer->rng, count) : 0;
    }
    return draw_integer(drawer, int_range(0, (int64_t)count - 1), proposal);
}

/* The floats in order: the simplest one, then other whole numbers or, if the range has none,
 * fractions. */
static double simple_float(const struct choice *simplest, uint64_t place)
{
    enum { WHOLE_MAX = 1 << 30 };
    double value = simplest->as.real.value;
    double min = simplest->as.real.min;
    double max = simplest->as.real.max;
    if (place == 0) {
        return value;
    }
    double low = ceil(min < -WHOLE_MAX ? -WHOLE_MAX : min);
    double high = floor(max > WHOLE_MAX ? WHOLE_MAX : max);
    if (low >= high || value < low || value > high) {
        return isinf(min) || isinf(max) ? value
                                        : min / 2 + max / 2 + (max / 2 - min / 2) / (double)place;
    }
    struct int_range range = {(int64_t)low, (int64_t)high, (int64_t)value};
    uint64_t count = (uint64_t)(range.max - range.min) + 1;
    return (double)simple_integer(range, place % count);
}

double draw_float(struct drawer *drawer, struct float_range range, double proposal)
{
    assert(range.min <= range.max);
    const struct choice *replayed = NULL;
    struct choice choice = {.kind = CHOICE_FLOAT,
                            .as.real = {proposal, range.min, range.max, range.nan}};
    enum draw_source source = draw_take(drawer, CHOICE_FLOAT, &replayed);
    if (source == SOURCE_REPLAY) {
        choice.as.real.value = replayed->as.real.value;
    } else if (source == SOURCE_SIMPLEST) {
        choice_simplify(&choice, drawer->arena);
        choice.as.real.value =
            simple_float(&choice, draw_nudged(drawer, range.min == range.max ? 1 : 0));
    }
    choice_clamp(&choice, drawer->arena);
    if (range.single) {
        choice.as.real.value = (double)(float)choice.as.real.value;
    }
    draw_record(drawer, &choice);
    return choice.as.real.value;
}

/* The number of texts of `length` over `letters` characters, at least 1 and at most `most`. */
static uint64_t texts_of_length(uint64_t letters, size_t length, uint64_t most)
{
    uint64_t count = 1;
    for (size_t i = 0; i < length && count < most && letters > 1; i++) {
        count = count > most / letters ? most : count * letters;
    }
    return count;
}

/* The text at the nudge's place, in order of length, then of simplicity. */
static const struct string *simple_text(struct drawer *drawer, const struct text_bounds *bounds)
{
    enum { PLAIN_LETTERS = 36 };
    const struct string *alphabet = bounds->alphabet;
    uint64_t letters = alphabet ? alphabet->length : PLAIN_LETTERS;
    uint64_t place = drawer->own.nudge;
    size_t length = bounds->min_size;
    uint64_t count = texts_of_length(letters, length, place + 1);
    while (place >= count && length < bounds->max_size) {
        place -= count;
        length++;
        count = texts_of_length(letters, length, place + 1);
    }
    drawer->own.nudge = place / count;
    place %= count;
    struct string *text = arena_alloc(drawer->arena, sizeof *text + length * UTF8_MAX + 1);
    *text = (struct string){.size = 0, .length = length};
    for (size_t i = 0; i < length; i++) {
        uint64_t weight = texts_of_length(letters, length - 1 - i, UINT64_MAX);
        uint32_t rank = (uint32_t)(place / weight);
        place %= weight;
        text->size += utf8_encode(choice_char_of_rank(alphabet, rank), text->data + text->size);
    }
    text->data[text->size] = '\0';
    return text;
}

const struct string *draw_text(struct drawer *drawer, const struct text_bounds *bounds,
                               const struct string *proposal)
{
    assert(bounds->min_size <= bounds->max_size);
    assert(!bounds->alphabet || bounds->alphabet->length > 0 || bounds->max_size == 0);
    const struct choice *replayed = NULL;
    const struct string *text = proposal;
    enum draw_source source = draw_take(drawer, CHOICE_TEXT, &replayed);
    if (source == SOURCE_REPLAY) {
        text = replayed->as.text.value;
    } else if (source == SOURCE_SIMPLEST) {
        text = simple_text(drawer, bounds);
    }
    const struct string *alphabet = bounds->alphabet;
    if (alphabet && drawer->arena != drawer->caller->arena) {
        alphabet = arena_memdup(drawer->arena, alphabet, sizeof *alphabet + alphabet->size + 1);
    }
    struct choice choice = {.kind = CHOICE_TEXT,
                            .as.text = {text, alphabet, bounds->min_size, bounds->max_size}};
    choice_clamp(&choice, drawer->arena);
    draw_record(drawer, &choice);
    return choice.as.text.value;
}

/* Like simple_text in base 256; the length grows after all values of its last byte. */
static const struct bytes *simple_bytes(struct drawer *drawer, size_t min_size, size_t max_size)
{
    enum { VALUES = 256 };
    size_t size = min_size;
    uint64_t place = drawer->own.nudge;
    while (size < max_size && place >= (size ? VALUES : 1)) {
        place -= size ? VALUES : 1;
        size++;
    }
    struct bytes *bytes = arena_zalloc(drawer->arena, sizeof *bytes + size);
    bytes->size = size;
    if (size) {
        bytes->data[size - 1] = (unsigned char)(place % VALUES);
        place /= VALUES;
    }
    drawer->own.nudge = place;
    return bytes;
}

const struct bytes *draw_bytes(struct drawer *drawer, size_t min_size, size_t max_size,
                               const struct bytes *proposal)
{
    assert(min_size <= max_size);
    const struct choice *replayed = NULL;
    const struct bytes *bytes = proposal;
    enum draw_source source = draw_take(drawer, CHOICE_BYTES, &replayed);
    if (source == SOURCE_REPLAY) {
        bytes = replayed->as.bytes.value;
    } else if (source == SOURCE_SIMPLEST) {
        bytes = simple_bytes(drawer, min_size, max_size);
    }
    struct choice choice = {.kind = CHOICE_BYTES, .as.bytes = {bytes, min_size, max_size}};
    choice_clamp(&choice, drawer->arena);
    draw_record(drawer, &choice);
    return choice.as.bytes.value;
}

int64_t draw_digits(struct drawer *drawer, struct int_range range, const int64_t *units,
                    int64_t proposal)
{
    assert(range.min <= range.toward && range.toward <= range.max);
    assert(units[0] >= 0);
    int64_t unit = units[0];
    uint64_t span = (uint64_t)range.max - (uint64_t)range.min;
    if (unit == 0 || span < (uint64_t)unit - 1) {
        return draw_integer(drawer, range, proposal);
    }
    int64_t low =
        draw_integer(drawer, (struct int_range){0, unit - 1, 0}, floor_mod(proposal, unit));
    /* The integers w with min ≤ w * unit + low ≤ max. There is one, because the range holds a unit.
     */
    int64_t min = floor_div(range.min, unit) + (low < floor_mod(range.min, unit));
    int64_t max = floor_div(range.max, unit) - (low > floor_mod(range.max, unit));
    int64_t high = draw_digits(drawer, int_range(min, max), units + 1, floor_div(proposal, unit));
    /* high * unit alone may overflow */
    return (int64_t)((uint64_t)high * (uint64_t)unit + (uint64_t)low);
}

size_t draw_span_begin(struct drawer *drawer, enum span_kind kind)
{
    size_t index = drawer->record->spans.count;
    size_t at = drawer->record->items.count;
    *VEC_PUSH(drawer->arena, &drawer->record->spans) = (struct choice_span){kind, at, at};
    return index;
}

void draw_span_end(struct drawer *drawer, size_t span)
{
    assert(span < drawer->record->spans.count);
    drawer->record->spans.items[span].end = drawer->record->items.count;
}

struct draw_mark draw_mark(const struct drawer *drawer)
{
    return (struct draw_mark){.items = drawer->record->items.count,
                              .spans = drawer->record->spans.count,
                              .consumed = drawer->own.consumed.count};
}

void draw_rewind(struct drawer *drawer, struct draw_mark mark)
{
    assert(mark.items <= drawer->record->items.count && mark.spans <= drawer->record->spans.count);
    assert(mark.consumed <= drawer->own.consumed.count);
    drawer->record->items.count = mark.items;
    drawer->record->spans.count = mark.spans;
    drawer->own.consumed.count = mark.consumed;
}

struct draw_retry draw_retry_begin(const struct drawer *drawer)
{
    return (struct draw_retry){.nudge = drawer->own.nudge,
                               .detached = drawer->own.detached,
                               .replayed = draw_source(drawer) == SOURCE_REPLAY};
}

void draw_retry_next(struct drawer *drawer, const struct draw_retry *retry, unsigned attempt)
{
    /* after a replayed value, the simplest one is tried first */
    drawer->own.nudge = retry->nudge + attempt - (retry->replayed && attempt > 0);
    drawer->own.detached = retry->detached || attempt > 0;
}

void draw_retry_end(struct drawer *drawer, const struct draw_retry *retry)
{
    drawer->own.nudge = 0;
    drawer->own.detached = retry->detached;
}

uint64_t draw_site(uint64_t site, uint64_t index)
{
    return (site ^ (index + 1)) * 0x9E3779B97F4A7C15U + 1;
}

enum draw_result draw_call(struct caller *caller, struct value callee, const struct value *args,
                           size_t count, struct value *out, struct error *err)
{
    return caller->call(caller, callee, args, count, out, err) ? DRAW_OK : DRAW_ERROR;
}
