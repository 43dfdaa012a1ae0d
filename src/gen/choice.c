#include "gen/choice.h"

#include "base/utf8.h"
#include "value/walk.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The characters without an alphabet: all but NUL and surrogates. */
static const struct char_range any_char[] = {
    {'0', '9'}, {'a', 'z'}, {'A', 'Z'},   {' ', '/'},     {':', '@'},         {'[', '`'},
    {'{', '~'}, {1, 31},    {0x7f, 0x7f}, {0x80, 0xd7ff}, {0xe000, 0x10ffff},
};
enum { ANY_RANGES = sizeof any_char / sizeof *any_char };

uint32_t char_range_rank(const struct char_range *ranges, size_t count, uint32_t code)
{
    uint32_t before = 0;
    for (size_t i = 0; i < count; i++) {
        if (code >= ranges[i].first && code <= ranges[i].last) {
            return before + (code - ranges[i].first);
        }
        before += ranges[i].last - ranges[i].first + 1;
    }
    return UINT32_MAX;
}

uint32_t char_range_at(const struct char_range *ranges, size_t count, uint32_t rank)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t more = ranges[i].last - ranges[i].first;
        if (rank <= more) {
            return ranges[i].first + rank;
        }
        rank -= more + 1;
    }
    return '0';
}

uint32_t choice_char_rank(const struct string *alphabet, uint32_t code)
{
    if (!alphabet) {
        return char_range_rank(any_char, ANY_RANGES, code);
    }
    uint32_t rank = 0;
    for (size_t at = 0; at < alphabet->size; rank++) {
        uint32_t here;
        size_t size = utf8_decode(alphabet->data + at, alphabet->size - at, &here);
        if (size == 0) {
            break;
        }
        if (here == code) {
            return rank;
        }
        at += size;
    }
    return UINT32_MAX;
}

uint32_t choice_char_of_rank(const struct string *alphabet, uint32_t rank)
{
    if (!alphabet) {
        return char_range_at(any_char, ANY_RANGES, rank);
    }
    size_t at = utf8_offset(alphabet->data, alphabet->size, rank < alphabet->length ? rank : 0);
    uint32_t code;
    return utf8_decode(alphabet->data + at, alphabet->size - at, &code) ? code : '0';
}

static double simplest_float(double min, double max)
{
    assert(min <= max);
    if (min <= 0 && max >= 0) {
        return 0.0;
    }
    double nearest = min > 0 ? min : max;
    double whole = min > 0 ? ceil(nearest) : floor(nearest);
    return whole >= min && whole <= max ? whole : nearest;
}

static const struct string *repeat_char(struct arena *arena, uint32_t code, size_t count)
{
    char bytes[UTF8_MAX];
    size_t size = utf8_encode(code, bytes);
    struct string *string = arena_alloc(arena, sizeof *string + size * count + 1);
    string->size = size * count;
    string->length = count;
    for (size_t i = 0; i < count; i++) {
        memcpy(string->data + i * size, bytes, size);
    }
    string->data[string->size] = '\0';
    return string;
}

static bool all_simplest(const struct string *text, const struct string *alphabet)
{
    for (size_t at = 0; at < text->size;) {
        uint32_t code;
        size_t size = utf8_decode(text->data + at, text->size - at, &code);
        if (size == 0 || choice_char_rank(alphabet, code) != 0) {
            return false;
        }
        at += size;
    }
    return true;
}

static bool all_zero(const struct bytes *bytes)
{
    for (size_t i = 0; i < bytes->size; i++) {
        if (bytes->data[i]) {
            return false;
        }
    }
    return true;
}

/* 0.0 and -0.0 differ, and NaN equals itself. */
static bool same_float(double a, double b)
{
    return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

bool choice_is_simplest(const struct choice *choice)
{
    switch (choice->kind) {
    case CHOICE_INTEGER:
        return choice->as.integer.value == choice->as.integer.toward;
    case CHOICE_FLOAT:
        return same_float(choice->as.real.value,
                          simplest_float(choice->as.real.min, choice->as.real.max));
    case CHOICE_TEXT:
        return choice->as.text.value->length == choice->as.text.min_size &&
               all_simplest(choice->as.text.value, choice->as.text.alphabet);
    case CHOICE_BYTES:
        return choice->as.bytes.value->size == choice->as.bytes.min_size &&
               all_zero(choice->as.bytes.value);
    case CHOICE_REFERENCE:
        return choice->as.reference.position == 0;
    }
    return true;
}

#ifndef NDEBUG
static bool has_sound_bounds(const struct choice *choice)
{
    switch (choice->kind) {
    case CHOICE_INTEGER:
        return choice->as.integer.min <= choice->as.integer.toward &&
               choice->as.integer.toward <= choice->as.integer.max;
    case CHOICE_FLOAT:
        return choice->as.real.min <= choice->as.real.max;
    case CHOICE_TEXT:
        return choice->as.text.min_size <= choice->as.text.max_size;
    case CHOICE_BYTES:
        return choice->as.bytes.min_size <= choice->as.bytes.max_size;
    case CHOICE_REFERENCE:
        break;
    }
    return true;
}
#endif

void choice_simplify(struct choice *choice, struct arena *arena)
{
    assert(has_sound_bounds(choice));
    switch (choice->kind) {
    case CHOICE_INTEGER:
        choice->as.integer.value = choice->as.integer.toward;
        break;
    case CHOICE_FLOAT:
        choice->as.real.value = simplest_float(choice->as.real.min, choice->as.real.max);
        break;
    case CHOICE_TEXT:
        choice->as.text.value = repeat_char(arena, choice_char_of_rank(choice->as.text.alphabet, 0),
                                            choice->as.text.min_size);
        break;
    case CHOICE_BYTES: {
        struct bytes *zeros = arena_zalloc(arena, sizeof *zeros + choice->as.bytes.min_size);
        zeros->size = choice->as.bytes.min_size;
        choice->as.bytes.value = zeros;
        break;
    }
    case CHOICE_REFERENCE:
        choice->as.reference =
            (struct reference){.step = REFERENCE_BY_POSITION, .output = 0, .position = 0};
        break;
    }
}

static double clamped_float(const struct choice *choice)
{
    double value = choice->as.real.value;
    double min = choice->as.real.min;
    double max = choice->as.real.max;
    if (isnan(value)) {
        return choice->as.real.nan ? value : simplest_float(min, max);
    }
    return value < min ? min : value > max ? max : value;
}

/* Cuts or pads to the size; characters outside the alphabet become the simplest one. */
static void clamp_text(struct choice *choice, struct arena *arena)
{
    const struct string *old = choice->as.text.value;
    const struct string *alphabet = choice->as.text.alphabet;
    uint32_t simplest = choice_char_of_rank(alphabet, 0);
    size_t min = choice->as.text.min_size;
    size_t max = choice->as.text.max_size;
    /* Each invalid byte counts as one character, so `size` bounds their number. */
    size_t room = old->size > min ? old->size : min;
    struct string *text = arena_alloc(arena, sizeof *text + room * UTF8_MAX + 1);
    *text = (struct string){0};
    for (size_t at = 0; (at < old->size || text->length < min) && text->length < max;) {
        uint32_t code = 0;
        size_t read = at < old->size ? utf8_decode(old->data + at, old->size - at, &code) : 0;
        at += read ? read : 1;
        if (choice_char_rank(alphabet, code) == UINT32_MAX) {
            code = simplest;
        }
        text->size += utf8_encode(code, text->data + text->size);
        text->length++;
    }
    text->data[text->size] = '\0';
    choice->as.text.value = text;
}

static void clamp_bytes(struct choice *choice, struct arena *arena)
{
    const struct bytes *old = choice->as.bytes.value;
    size_t size = old->size;
    size = size < choice->as.bytes.min_size ? choice->as.bytes.min_size : size;
    size = size > choice->as.bytes.max_size ? choice->as.bytes.max_size : size;
    struct bytes *bytes = arena_zalloc(arena, sizeof *bytes + size);
    bytes->size = size;
    memcpy(bytes->data, old->data, size < old->size ? size : old->size);
    choice->as.bytes.value = bytes;
}

void choice_clamp(struct choice *choice, struct arena *arena)
{
    assert(has_sound_bounds(choice));
    switch (choice->kind) {
    case CHOICE_INTEGER:
        if (choice->as.integer.value < choice->as.integer.min) {
            choice->as.integer.value = choice->as.integer.min;
        } else if (choice->as.integer.value > choice->as.integer.max) {
            choice->as.integer.value = choice->as.integer.max;
        }
        break;
    case CHOICE_FLOAT:
        choice->as.real.value = clamped_float(choice);
        break;
    case CHOICE_TEXT:
        clamp_text(choice, arena);
        break;
    case CHOICE_BYTES:
        clamp_bytes(choice, arena);
        break;
    case CHOICE_REFERENCE:
        break;
    }
}

static bool same_string(const struct string *a, const struct string *b)
{
    return a == b || (a && b && a->size == b->size && memcmp(a->data, b->data, a->size) == 0);
}

static bool same_bytes(const struct bytes *a, const struct bytes *b)
{
    return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

static bool same_item(const struct value *a, const struct value *b)
{
    return a == b || (a && b && value_equal(*a, *b));
}

bool references_share_item(const struct reference *a, const struct reference *b)
{
    return a->step == REFERENCE_BY_POSITION && b->step == REFERENCE_BY_POSITION &&
           a->source == b->source &&
           (a->item && b->item ? same_item(a->item, b->item) : a->position == b->position);
}

uint64_t reference_item_hash(const struct reference *reference)
{
    struct walk walk = {0};
    return reference->item ? value_hash_deep(&walk, *reference->item) | 1U : 0;
}

bool choice_equal(const struct choice *a, const struct choice *b)
{
    if (a->kind != b->kind) {
        return false;
    }
    switch (a->kind) {
    case CHOICE_INTEGER:
        return a->as.integer.value == b->as.integer.value &&
               a->as.integer.min == b->as.integer.min && a->as.integer.max == b->as.integer.max &&
               a->as.integer.toward == b->as.integer.toward;
    case CHOICE_FLOAT:
        return same_float(a->as.real.value, b->as.real.value) &&
               same_float(a->as.real.min, b->as.real.min) &&
               same_float(a->as.real.max, b->as.real.max) && a->as.real.nan == b->as.real.nan;
    case CHOICE_TEXT:
        return same_string(a->as.text.value, b->as.text.value) &&
               same_string(a->as.text.alphabet, b->as.text.alphabet) &&
               a->as.text.min_size == b->as.text.min_size &&
               a->as.text.max_size == b->as.text.max_size;
    case CHOICE_BYTES:
        return same_bytes(a->as.bytes.value, b->as.bytes.value) &&
               a->as.bytes.min_size == b->as.bytes.min_size &&
               a->as.bytes.max_size == b->as.bytes.max_size;
    case CHOICE_REFERENCE:
        return a->as.reference.step == b->as.reference.step &&
               a->as.reference.output == b->as.reference.output &&
               a->as.reference.position == b->as.reference.position &&
               same_item(a->as.reference.item, b->as.reference.item);
    }
    return false;
}

bool choices_equal(const struct choices *a, const struct choices *b)
{
    if (a->items.count != b->items.count || a->spans.count != b->spans.count) {
        return false;
    }
    for (size_t i = 0; i < a->items.count; i++) {
        if (!choice_equal(&a->items.items[i], &b->items.items[i])) {
            return false;
        }
    }
    for (size_t i = 0; i < a->spans.count; i++) {
        const struct choice_span *x = &a->spans.items[i];
        const struct choice_span *y = &b->spans.items[i];
        if (x->kind != y->kind || x->start != y->start || x->end != y->end) {
            return false;
        }
    }
    return true;
}

static const struct string *string_copy(struct arena *arena, const struct string *string)
{
    return string ? arena_memdup(arena, string, sizeof *string + string->size + 1) : NULL;
}

struct choices choices_copy(struct arena *arena, const struct choices *choices)
{
    struct choices copy = {0};
    for (size_t i = 0; i < choices->items.count; i++) {
        struct choice *choice = VEC_PUSH(arena, &copy.items);
        *choice = choices->items.items[i];
        if (choice->kind == CHOICE_TEXT) {
            choice->as.text.value = string_copy(arena, choice->as.text.value);
            choice->as.text.alphabet = string_copy(arena, choice->as.text.alphabet);
        } else if (choice->kind == CHOICE_BYTES) {
            const struct bytes *bytes = choice->as.bytes.value;
            choice->as.bytes.value = arena_memdup(arena, bytes, sizeof *bytes + bytes->size);
        } else if (choice->kind == CHOICE_REFERENCE && choice->as.reference.item) {
            struct value *item = ARENA_NEW(arena, struct value);
            *item = value_copy(arena, *choice->as.reference.item);
            choice->as.reference.item = item;
        }
    }
    for (size_t i = 0; i < choices->spans.count; i++) {
        *VEC_PUSH(arena, &copy.spans) = choices->spans.items[i];
    }
    return copy;
}

/* The new place of a boundary at `at` after [start, start + count) is removed. */
static size_t moved_boundary(size_t at, size_t start, size_t count)
{
    return at <= start ? at : at < start + count ? start : at - count;
}

void choices_remove(struct choices *choices, size_t start, size_t count)
{
    size_t total = choices->items.count;
    if (start >= total) {
        return;
    }
    count = count < total - start ? count : total - start;
    if (count == 0) {
        return;
    }
    memmove(choices->items.items + start, choices->items.items + start + count,
            (total - start - count) * sizeof *choices->items.items);
    choices->items.count = total - count;
    size_t kept = 0;
    for (size_t i = 0; i < choices->spans.count; i++) {
        struct choice_span span = choices->spans.items[i];
        bool had_some = span.end > span.start;
        span.start = moved_boundary(span.start, start, count);
        span.end = moved_boundary(span.end, start, count);
        if (span.kind == SPAN_ARGUMENT || span.end > span.start || !had_some) {
            choices->spans.items[kept++] = span;
        }
    }
    choices->spans.count = kept;
}
