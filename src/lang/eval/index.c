/* x[i], x[i] = y, x[i:j:k]. */
#include "lang/eval/interp.h"

#include "base/utf8.h"
#include "value/number/numeric.h"

#include <assert.h>
#include <stdlib.h>

/* Reads a place among `length` items; negative places count from the end. */
static bool position(struct value object, struct value index, size_t length, size_t *out,
                     struct error *err)
{
    int64_t number;
    if (index.type != VALUE_INT) {
        (void)error_set(err, ERROR_MACHINE, "an index of a %s is an int, not %s",
                        value_type_name(object), value_type_name(index));
        if (object.type == VALUE_TUPLE && object.as.tuple->names && index.type == VALUE_STRING) {
            error_hint(err, "a column of a row is read by its name: row.%s", value_cstr(index));
        }
        return false;
    }
    bool fits = int_fits(index, &number) && length <= INT64_MAX;
    if (fits && number < 0) {
        number += (int64_t)length;
    }
    if (!fits || number < 0 || (uint64_t)number >= length) {
        struct strbuf text = {0};
        number_text(index, &text);
        (void)error_set(err, ERROR_MACHINE, "index %.40s is out of range, the %s has %zu item%s",
                        strbuf_text(&text), value_type_name(object), length, plural(length));
        strbuf_free(&text);
        return false;
    }
    *out = (size_t)number;
    return true;
}

static struct value character(struct lang_state *state, const struct string *string, size_t at)
{
    assert(at < string->length);
    bool ascii = string->size == string->length;
    size_t start = ascii ? at : utf8_offset(string->data, string->size, at);
    size_t end =
        ascii ? at + 1 : start + utf8_offset(string->data + start, string->size - start, 1);
    return value_string(state->caller.arena, string->data + start, end - start);
}

static bool item_at(struct lang_state *state, struct value object, size_t at, struct value *out,
                    struct error *err)
{
    if (object.type == VALUE_STRING) {
        *out = character(state, object.as.string, at);
        return charge(state, at / 8, err);
    }
    if (object.type == VALUE_TUPLE) {
        *out = object.as.tuple->items[at];
    } else if (object.type == VALUE_BYTES) {
        *out = value_int(object.as.bytes->data[at]);
    } else if (object.type == VALUE_OBJECT) {
        return object.as.object->type->item(object.as.object, at, state->caller.arena, out) ||
               error_set(err, ERROR_MACHINE, "the %s has no item %zu", value_type_name(object), at);
    } else {
        *out = object.as.list->items[at];
    }
    return true;
}

static bool has_positions(struct value object)
{
    return is_sequence(object) || (object.type == VALUE_OBJECT && object.as.object->type->item);
}

bool index_get(struct lang_state *state, struct value object, struct value index, struct value *out,
               struct error *err)
{
    if (object.type == VALUE_DICT) {
        struct table_entry *entry;
        if (!entry_find(state, object.as.table, index, &entry, err)) {
            return false;
        }
        if (!entry) {
            return no_such_key(index, "d.get(key) gives None where there is none", err);
        }
        *out = entry->value;
        return true;
    }
    size_t length;
    size_t at;
    if (!has_positions(object)) {
        return error_set(err, ERROR_MACHINE, "a value of type %s can't be indexed",
                         value_type_name(object));
    }
    return value_length(object, &length, err) && position(object, index, length, &at, err) &&
           item_at(state, object, at, out, err);
}

bool index_set(struct lang_state *state, struct value object, struct value index,
               struct value value, struct error *err)
{
    if (object.type != VALUE_DICT && object.type != VALUE_LIST) {
        return error_set(err, ERROR_MACHINE, "items of a %s can't be assigned",
                         value_type_name(object));
    }
    if (!caller_check_mutable(&state->caller, object, err)) {
        return false;
    }
    if (object.type == VALUE_DICT) {
        return entry_set(state, object.as.table, index, value, err);
    }
    size_t at = 0;
    if (!position(object, index, object.as.list->count, &at, err)) {
        return false;
    }
    object.as.list->items[at] = value;
    return true;
}

struct slice {
    int64_t start;
    int64_t step;
    size_t count;
};

static bool bound(struct value part, int64_t standard, int64_t *out, struct error *err)
{
    *out = standard;
    if (part.type == VALUE_NONE) {
        return true;
    }
    if (part.type != VALUE_INT) {
        return error_set(err, ERROR_MACHINE, "a slice's bounds are ints, not %s",
                         value_type_name(part));
    }
    if (!int_fits(part, out)) { /* clamped */
        *out = number_compare(part, value_int(0)) < 0 ? -INT64_MAX : INT64_MAX;
    }
    return true;
}

static int64_t clamp(int64_t number, int64_t length, int64_t low, int64_t high)
{
    assert(length >= 0 && low <= high);
    if (number < 0) {
        number = number < -length ? low : number + length;
    }
    return number < low ? low : number > high ? high : number;
}

/* Starlark's specification, "Slice expressions". */
static bool read_slice(const struct value parts[3], size_t size, struct slice *out,
                       struct error *err)
{
    int64_t length = size > INT64_MAX / 2 ? INT64_MAX / 2 : (int64_t)size;
    int64_t start;
    int64_t stop;
    if (!bound(parts[2], 1, &out->step, err)) {
        return false;
    }
    if (out->step == 0) {
        return error_set(err, ERROR_MACHINE, "a slice's step can't be 0");
    }
    bool back = out->step < 0;
    if (!bound(parts[0], back ? INT64_MAX : 0, &start, err) ||
        !bound(parts[1], back ? -INT64_MAX : INT64_MAX, &stop, err)) {
        return false;
    }
    start = clamp(start, length, back ? -1 : 0, back ? length - 1 : length);
    stop = clamp(stop, length, back ? -1 : 0, back ? length - 1 : length);
    uint64_t distance = back ? (uint64_t)(start - stop) : (uint64_t)(stop - start);
    uint64_t stride = back ? 0 - (uint64_t)out->step : (uint64_t)out->step;
    bool empty = back ? start <= stop : start >= stop;
    out->start = start;
    out->count = empty ? 0 : (size_t)((distance - 1) / stride + 1);
    return true;
}

static size_t slice_at(const struct slice *slice, size_t i)
{
    return (size_t)(slice->start + (int64_t)i * slice->step);
}

static bool slice_string(struct lang_state *state, const struct string *string,
                         const struct slice *slice, struct value *out, struct error *err)
{
    if (!charge(state, string->size / 64 + (slice->step == 1 ? 0 : slice->count), err) ||
        !room(state, string->size, err)) {
        return false;
    }
    size_t first = (size_t)slice->start;
    if (slice->step == 1) {
        size_t start = slice->count ? utf8_offset(string->data, string->size, first) : 0;
        size_t size = utf8_offset(string->data + start, string->size - start, slice->count);
        *out = value_string(state->caller.arena, string->data + start, slice->count ? size : 0);
        return true;
    }
    /* The offsets of all characters, so that steps need no search. */
    uint32_t *offsets = memory_alloc((string->length + 1) * sizeof *offsets);
    size_t at = 0;
    for (size_t i = 0; i <= string->length; i++) {
        offsets[i] = (uint32_t)at;
        at += at < string->size ? utf8_offset(string->data + at, string->size - at, 1) : 0;
    }
    struct strbuf text = {0};
    for (size_t i = 0; i < slice->count; i++) {
        size_t index = slice_at(slice, i);
        strbuf_add(&text, string->data + offsets[index], offsets[index + 1] - offsets[index]);
    }
    *out = value_string(state->caller.arena, strbuf_text(&text), text.size);
    strbuf_free(&text);
    free(offsets);
    return true;
}

/* Slices a range; false if its numbers would exceed 64 bits (then they become a list). */
static bool slice_range(struct lang_state *state, struct value range, const struct slice *slice,
                        struct value *out)
{
    int64_t start;
    int64_t step;
    size_t count;
    int64_t product;
    int64_t first;
    int64_t stride;
    int64_t stop;
    if (!range_parts(range, &start, &step, &count) || slice->count == 0 ||
        __builtin_mul_overflow(step, slice->step, &stride) ||
        __builtin_mul_overflow(step, slice->start, &product) ||
        __builtin_add_overflow(start, product, &first) ||
        __builtin_mul_overflow(stride, (int64_t)slice->count, &product) ||
        __builtin_add_overflow(first, product, &stop)) {
        return false;
    }
    *out = value_range(state->caller.arena, first, stop, stride);
    return true;
}

static bool slice_items(struct lang_state *state, struct value object, const struct slice *slice,
                        struct value *out, struct error *err)
{
    if (!charge(state, slice->count, err) ||
        !room_for(state, slice->count, 2 * sizeof(struct value), err)) {
        return false;
    }
    struct value list = value_list(state->caller.arena);
    for (size_t i = 0; i < slice->count; i++) {
        struct value item;
        if (!item_at(state, object, slice_at(slice, i), &item, err)) {
            return false;
        }
        list_append(list.as.list, item);
    }
    *out = object.type == VALUE_TUPLE
               ? value_tuple(state->caller.arena, list.as.list->items, list.as.list->count)
               : list;
    return true;
}

static bool slice_bytes(struct lang_state *state, const struct bytes *bytes,
                        const struct slice *slice, struct value *out, struct error *err)
{
    struct strbuf data = {0};
    if (!charge(state, slice->count, err) || !room(state, slice->count, err)) {
        return false;
    }
    for (size_t i = 0; i < slice->count; i++) {
        strbuf_addc(&data, (char)bytes->data[slice_at(slice, i)]);
    }
    *out = value_bytes(state->caller.arena, strbuf_text(&data), data.size);
    strbuf_free(&data);
    return true;
}

bool slice_get(struct lang_state *state, struct value object, const struct value parts[3],
               struct value *out, struct error *err)
{
    size_t length;
    struct slice slice;
    if (!has_positions(object)) {
        return error_set(err, ERROR_MACHINE, "a value of type %s can't be sliced",
                         value_type_name(object));
    }
    if (!value_length(object, &length, err) || !read_slice(parts, length, &slice, err)) {
        return false;
    }
    if (object.type == VALUE_STRING) {
        return slice_string(state, object.as.string, &slice, out, err);
    }
    if (object.type == VALUE_BYTES) {
        return slice_bytes(state, object.as.bytes, &slice, out, err);
    }
    return slice_range(state, object, &slice, out) || slice_items(state, object, &slice, out, err);
}
