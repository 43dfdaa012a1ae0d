#include "shrink/ladder.h"

#include "base/utf8.h"
#include "shrink/edit.h"
#include "shrink/order.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The distance of the value from the simplest. */
static uint64_t integer_away(const struct choice *choice)
{
    int64_t value = choice->as.integer.value;
    int64_t toward = choice->as.integer.toward;
    return value < toward ? (uint64_t)toward - (uint64_t)value : (uint64_t)value - (uint64_t)toward;
}

/* The value at the distance `away` from the simplest, above it or below; false if it is out of
 * bounds. */
static bool integer_at(struct choice *choice, bool below, uint64_t away)
{
    int64_t toward = choice->as.integer.toward;
    uint64_t room = below ? (uint64_t)toward - (uint64_t)choice->as.integer.min
                          : (uint64_t)choice->as.integer.max - (uint64_t)toward;
    if (away > room) {
        return false;
    }
    choice->as.integer.value = (int64_t)(below ? (uint64_t)toward - away : (uint64_t)toward + away);
    return true;
}

/* The simplest; its neighbour; the other side at the same distance; then 1/2, 3/4, … of the way
 * from the simplest to the value, and finally one less. This is a binary search, restarted after
 * each success. A rung without a new value repeats the value. */
static bool integer_rung(const struct choice *choice, size_t rung, struct choice *out)
{
    assert(choice->as.integer.min <= choice->as.integer.value);
    assert(choice->as.integer.value <= choice->as.integer.max);
    bool below = choice->as.integer.value < choice->as.integer.toward;
    uint64_t away = integer_away(choice);
    *out = *choice;
    if (rung < 3) {
        const uint64_t aways[] = {0, 1, away};
        if (aways[rung] < away || below) {
            (void)integer_at(out, false, aways[rung]);
        }
        return away > 0;
    }
    /* rung 3: 1/2 of the way, 4: 3/4, …; `back` is the remaining distance */
    uint64_t back = rung - 2 < 64 ? away >> (rung - 2) : 0;
    return back > 0 && integer_at(out, below, away - back);
}

static bool float_rung(const struct choice *choice, size_t rung, struct choice *out)
{
    static const double simple[] = {0, 1, -1, 2, 0.5};
    double value = choice->as.real.value;
    double candidates[] = {trunc(value),     floor(value), ceil(value),           fabs(value),
                           trunc(value / 2), value - 1,    round(value * 10) / 10};
    size_t simple_count = sizeof simple / sizeof simple[0];
    size_t count = simple_count + sizeof candidates / sizeof candidates[0];
    *out = *choice;
    if (rung >= count) {
        return false;
    }
    double tried = rung < simple_count ? simple[rung] : candidates[rung - simple_count];
    bool fits = tried >= choice->as.real.min && tried <= choice->as.real.max;
    out->as.real.value = fits ? tried : value;
    return true;
}

static struct string *new_string(struct arena *arena, size_t size, size_t length)
{
    struct string *string = arena_alloc(arena, sizeof *string + size + 1);
    string->size = size;
    string->length = length;
    string->data[size] = '\0';
    return string;
}

/* The text without characters [from, to), counted from 0. */
static const struct string *cut_text(struct arena *arena, const struct string *text, size_t from,
                                     size_t to)
{
    assert(from <= to && to <= text->length);
    size_t start = utf8_offset(text->data, text->size, from);
    size_t end = utf8_offset(text->data, text->size, to);
    struct string *cut = new_string(arena, text->size - (end - start), text->length - (to - from));
    memcpy(cut->data, text->data, start);
    memcpy(cut->data + start, text->data + end, text->size - end);
    return cut;
}

/* The text with character `index` replaced by the one of a rank (choice_char_rank). */
static const struct string *with_rank(struct arena *arena, const struct choice *choice,
                                      size_t index, uint32_t rank)
{
    assert(index < choice->as.text.value->length);
    const struct string *text = choice->as.text.value;
    char character[UTF8_MAX];
    size_t size = utf8_encode(choice_char_of_rank(choice->as.text.alphabet, rank), character);
    size_t start = utf8_offset(text->data, text->size, index);
    size_t end = utf8_offset(text->data, text->size, index + 1);
    struct string *changed = new_string(arena, text->size - (end - start) + size, text->length);
    memcpy(changed->data, text->data, start);
    memcpy(changed->data + start, character, size);
    memcpy(changed->data + start + size, text->data + end, text->size - end);
    return changed;
}

static uint32_t rank_at(const struct choice *choice, size_t index)
{
    assert(index < choice->as.text.value->length);
    const struct string *text = choice->as.text.value;
    size_t start = utf8_offset(text->data, text->size, index);
    uint32_t code = 0;
    (void)utf8_decode(text->data + start, text->size - start, &code);
    return choice_char_rank(choice->as.text.alphabet, code);
}

/* Moves each character of a short text half the way to the simplest one, then three quarters, …,
 * finally one less. A rung without a new text repeats the text. */
static bool lower_character(struct arena *arena, const struct choice *choice, size_t rung,
                            struct choice *out)
{
    enum { TEXT_MAX = 8, HALVES = 21 }; /* there are fewer than 2^21 characters */
    size_t index = rung / HALVES;
    if (choice->as.text.value->length > TEXT_MAX || index >= choice->as.text.value->length) {
        return false;
    }
    uint32_t rank = rank_at(choice, index);
    uint32_t back = rank >> (rung % HALVES + 1);
    if (back > 0) {
        out->as.text.value = with_rank(arena, choice, index, rank - back);
    }
    return true;
}

/* The simplest text; shorter lengths by halving; each character removed; each made the simplest;
 * each made simpler. */
static bool text_rung(struct arena *arena, const struct choice *choice, size_t rung,
                      struct choice *out)
{
    assert(choice->as.text.value->length >= choice->as.text.min_size);
    const struct string *text = choice->as.text.value;
    size_t spare = text->length - choice->as.text.min_size; /* characters that may be removed */
    *out = *choice;
    if (rung == 0) {
        choice_simplify(out, arena);
        return true;
    }
    rung--;
    size_t halves = 0;
    for (size_t keep = spare; keep > 0; keep /= 2) {
        if (halves++ == rung) {
            out->as.text.value = cut_text(arena, text, text->length - keep, text->length);
            return true;
        }
    }
    rung -= halves;
    if (spare > 0 && rung < text->length) {
        out->as.text.value = cut_text(arena, text, rung, rung + 1);
        return true;
    }
    rung -= spare > 0 ? text->length : 0;
    if (rung < text->length) {
        out->as.text.value = with_rank(arena, choice, rung, 0);
        return true;
    }
    return lower_character(arena, choice, rung - text->length, out);
}

static bool bytes_rung(struct arena *arena, const struct choice *choice, size_t rung,
                       struct choice *out)
{
    assert(choice->as.bytes.value->size >= choice->as.bytes.min_size);
    const struct bytes *bytes = choice->as.bytes.value;
    size_t spare = bytes->size - choice->as.bytes.min_size;
    *out = *choice;
    if (rung == 0) {
        choice_simplify(out, arena);
        return true;
    }
    rung--;
    size_t size = bytes->size;
    for (size_t drop = spare; drop > 0; drop /= 2) {
        if (rung-- == 0) {
            size -= drop;
            struct bytes *shorter = arena_alloc(arena, sizeof *shorter + size);
            shorter->size = size;
            memcpy(shorter->data, bytes->data, size);
            out->as.bytes.value = shorter;
            return true;
        }
    }
    if (rung < size) {
        struct bytes *zeroed = arena_memdup(arena, bytes, sizeof *bytes + size);
        zeroed->data[rung] = 0;
        out->as.bytes.value = zeroed;
        return true;
    }
    return false;
}

bool ladder_rung(struct arena *arena, const struct choice *choice, size_t rung, struct choice *out)
{
    switch (choice->kind) {
    case CHOICE_INTEGER:
        return integer_rung(choice, rung, out);
    case CHOICE_FLOAT:
        return float_rung(choice, rung, out);
    case CHOICE_TEXT:
        return text_rung(arena, choice, rung, out);
    case CHOICE_BYTES:
        return bytes_rung(arena, choice, rung, out);
    case CHOICE_REFERENCE:
        return false; /* left to pass_oldest_references */
    }
    return false;
}
