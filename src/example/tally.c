#include "example/tally.h"

#include "base/hash.h"
#include "value/number/numeric.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { TEXT_BYTES = 40 /* longer values are not counted by value */ };

/* A value of a few bytes. Nothing else is written out: it may have millions. */
static bool is_short(struct value value)
{
    if (value.type == VALUE_STRING || value.type == VALUE_BYTES) {
        size_t size = value.type == VALUE_STRING ? value.as.string->size : value.as.bytes->size;
        return size <= TEXT_BYTES;
    }
    bool big = value.type == VALUE_INT && value.flags & VALUE_BIG;
    return !big && !value_container(value) && value.type != VALUE_TUPLE;
}

/* Most arguments are small numbers, so these take no detour. */
static const char *integer_text(struct arena *arena, int64_t integer)
{
    char digits[24];
    char *at = digits + sizeof digits - 1;
    uint64_t left = integer < 0 ? -(uint64_t)integer : (uint64_t)integer;
    *at = '\0';
    do {
        *--at = (char)('0' + left % 10);
        left /= 10;
    } while (left);
    if (integer < 0) {
        *--at = '-';
    }
    return arena_memdup(arena, at, (size_t)(digits + sizeof digits - at));
}

static const char *short_text(struct arena *arena, struct value value)
{
    struct strbuf text = {0};
    const char *copy = NULL;
    if (!is_short(value)) {
        return NULL;
    }
    if (value.type == VALUE_INT) {
        return integer_text(arena, value.as.integer);
    }
    value_repr(value, &text);
    copy = text.size <= TEXT_BYTES ? strbuf_copy(&text, arena) : NULL;
    strbuf_free(&text);
    return copy;
}

struct tally_note tally_note(struct arena *arena, struct value value)
{
    struct tally_note note = {.kind = TALLY_PLAIN, .text = short_text(arena, value)};
    size_t length;
    note.hash = note.text ? hash_text(note.text) : 0;
    if (value_is_number(value)) {
        note.number = number_to_double(value);
        note.kind = isfinite(note.number) ? TALLY_NUMBER : TALLY_PLAIN;
    } else if (value.type != VALUE_OBJECT && value_length(value, &length, NULL)) {
        note.number = (double)length;
        note.kind = TALLY_LENGTH;
    }
    return note;
}

static size_t bucket_of(double number)
{
    int power = 0;
    double size = trunc(fabs(number));
    if (size < 1) {
        return SCALE_ZERO;
    }
    (void)frexp(size, &power); /* 1 for 1, 2 for 2 and 3, … */
    size_t away = power < SCALE_SIDE ? (size_t)power : SCALE_SIDE;
    return number < 0 ? SCALE_ZERO - away : SCALE_ZERO + away;
}

struct scale_range scale_range(size_t bucket)
{
    assert(bucket < SCALE_BUCKETS);
    if (bucket == SCALE_ZERO) {
        return (struct scale_range){0, 0};
    }
    int power = bucket > SCALE_ZERO ? (int)(bucket - SCALE_ZERO) : (int)(SCALE_ZERO - bucket);
    double near = ldexp(1, power - 1);
    double far = 2 * near - 1;
    return bucket > SCALE_ZERO ? (struct scale_range){near, far}
                               : (struct scale_range){-far, -near};
}

size_t scale_median(const struct scale *scale)
{
    assert(scale->count > 0);
    uint64_t seen = 0;
    size_t bucket = 0;
    while (bucket < SCALE_BUCKETS && 2 * (seen += scale->buckets[bucket]) < scale->count) {
        bucket++;
    }
    return bucket;
}

static void scale_add(struct scale *scale, double number)
{
    scale->least = scale->count && scale->least < number ? scale->least : number;
    scale->most = scale->count && scale->most > number ? scale->most : number;
    scale->count++;
    scale->buckets[bucket_of(number)]++;
}

static void add_value(struct tally *tally, const struct tally_note *note, struct arena *arena)
{
    size_t count = tally->values.count;
    size_t index = 0;
    while (index < count && (!note->text || tally->values.items[index].hash != note->hash ||
                             strcmp(tally->values.items[index].text, note->text) != 0)) {
        index++;
    }
    if (index < count) {
        tally->values.items[index].count++;
    } else if (note->text && index < TALLY_VALUES_MAX) {
        *VEC_PUSH(arena, &tally->values) =
            (struct tally_value){arena_strdup(arena, note->text), note->hash, 1};
    } else {
        tally->others++;
    }
}

void tally_add(struct tally *tally, const struct tally_note *note, struct arena *arena)
{
    tally->drawn++;
    if (note->kind != TALLY_RECENCY) {
        add_value(tally, note, arena);
    }
    if (note->kind != TALLY_PLAIN) {
        struct scale **scale = &tally->scales[note->kind];
        *scale = *scale ? *scale : ARENA_NEW(arena, struct scale);
        scale_add(*scale, note->number);
    }
}
