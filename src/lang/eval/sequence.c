/* Operations of all sequences (joining, repeating, membership), and comparing values. */
#include "lang/eval/interp.h"

#include "value/number/numeric.h"

#include <string.h>

bool is_sequence(struct value value)
{
    return value.type == VALUE_STRING || value.type == VALUE_BYTES || value.type == VALUE_LIST ||
           value.type == VALUE_TUPLE;
}

/* Charges for comparing two values, also for numbers of different types. */
static bool charge_pair(struct lang_state *state, struct value a, struct value b, struct error *err)
{
    if (value_is_number(a) && value_is_number(b)) {
        return charge(state, (a.type == b.type ? 1 : 4) * linear_steps(a, b), err);
    }
    return a.type != b.type || charge_value(state, a, err);
}

bool equal(struct lang_state *state, struct value a, struct value b, bool *out, struct error *err)
{
    if (!charge_pair(state, a, b, err)) {
        return false;
    }
    return value_equal_checked(a, b, out, err);
}

bool order(struct lang_state *state, struct value a, struct value b, int *out, struct error *err)
{
    if (!charge_pair(state, a, b, err)) {
        return false;
    }
    if (value_compare(a, b, out, err)) {
        return true;
    }
    if (err && !err->hint[0] && (a.type == VALUE_NONE || b.type == VALUE_NONE)) {
        error_hint(err, "None is SQL's NULL and has no order: test for it first");
    }
    return false;
}

/* The bytes of a string, or of bytes. */
static const char *data_of(struct value value, size_t *size)
{
    bool text = value.type == VALUE_STRING;
    *size = text ? value.as.string->size : value.as.bytes->size;
    return text ? value.as.string->data : (const char *)value.as.bytes->data;
}

/* Returns the buffer as a value of the type, and frees it. */
static struct value take_data(struct lang_state *state, enum value_type type, struct strbuf *data)
{
    struct arena *arena = state->caller.arena;
    struct value out = type == VALUE_STRING ? value_string(arena, strbuf_text(data), data->size)
                                            : value_bytes(arena, strbuf_text(data), data->size);
    strbuf_free(data);
    return out;
}

static bool add_data(struct lang_state *state, struct value a, struct value b, struct value *out,
                     struct error *err)
{
    struct strbuf all = {0};
    size_t left;
    size_t right;
    const char *first = data_of(a, &left);
    const char *second = data_of(b, &right);
    if (!charge(state, (left + right) / 64, err) || !room(state, (uint64_t)left + right, err)) {
        return false;
    }
    strbuf_add(&all, first, left);
    strbuf_add(&all, second, right);
    *out = take_data(state, a.type, &all);
    return true;
}

static void append_all(struct list *list, const struct value *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        list_append(list, items[i]);
    }
}

static struct value tuple_of(const struct list *list)
{
    return value_tuple(list->base.arena, list->items, list->count);
}

bool sequence_add(struct lang_state *state, struct value a, struct value b, struct value *out,
                  struct error *err)
{
    if (a.type == VALUE_STRING || a.type == VALUE_BYTES) {
        return add_data(state, a, b, out, err);
    }
    struct items left;
    struct items right;
    if (!items_of(state, a, &left, err) || !items_of(state, b, &right, err) ||
        !room_for(state, left.count + right.count, 2 * sizeof(struct value), err)) {
        return false;
    }
    struct value list = value_list(state->caller.arena);
    append_all(list.as.list, left.items, left.count);
    append_all(list.as.list, right.items, right.count);
    *out = a.type == VALUE_LIST ? list : tuple_of(list.as.list);
    return true;
}

/* The number of repetitions; 0 for a negative number. */
static bool repeat_count(struct lang_state *state, struct value count, uint64_t size, uint64_t *out,
                         struct error *err)
{
    int64_t number;
    if (!int_fits(count, &number)) {
        *out = 0;
        if (number_compare(count, value_int(0)) < 0 || size == 0) {
            return true;
        }
        return room(state, UINT64_MAX, err);
    }
    *out = number > 0 && size > 0 ? (uint64_t)number : 0;
    return true;
}

static bool repeat_data(struct lang_state *state, struct value sequence, uint64_t count,
                        struct value *out, struct error *err)
{
    struct strbuf all = {0};
    size_t size;
    const char *data = data_of(sequence, &size);
    if (!room_for(state, count, size, err) || !charge(state, count * size / 64, err)) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        strbuf_add(&all, data, size);
    }
    *out = take_data(state, sequence.type, &all);
    return true;
}

bool sequence_repeat(struct lang_state *state, struct value sequence, struct value count,
                     struct value *out, struct error *err)
{
    size_t length;
    uint64_t times;
    if (!value_length(sequence, &length, err) || !repeat_count(state, count, length, &times, err)) {
        return false;
    }
    if (sequence.type == VALUE_STRING || sequence.type == VALUE_BYTES) {
        return repeat_data(state, sequence, times, out, err);
    }
    struct items items;
    if (!room_for(state, times, length * 2 * sizeof(struct value), err) ||
        !charge(state, times * length, err) || !items_of(state, sequence, &items, err)) {
        return false;
    }
    struct value list = value_list(state->caller.arena);
    for (uint64_t i = 0; i < times; i++) {
        append_all(list.as.list, items.items, items.count);
    }
    *out = sequence.type == VALUE_LIST ? list : tuple_of(list.as.list);
    return true;
}

static bool wants(const char *what, struct value container, struct value item, struct error *err)
{
    return error_set(err, ERROR_MACHINE, "x in y, where y is of type %s, takes %s as x, not %s",
                     value_type_name(container), what, value_type_name(item));
}

/* Membership in a string or in bytes. */
static bool data_contains(struct lang_state *state, struct value whole, struct value part,
                          bool *out, struct error *err)
{
    size_t size;
    size_t part_size = 0;
    int64_t byte;
    const char *data = data_of(whole, &size);
    if (part.type == whole.type) {
        const char *sought = data_of(part, &part_size);
        *out = memmem(data, size, sought, part_size) != NULL;
    } else if (whole.type == VALUE_STRING) {
        return wants("a string", whole, part, err);
    } else if (part.type != VALUE_INT || !int_fits(part, &byte) || byte < 0 || byte > 255) {
        return wants("bytes or a number from 0 to 255", whole, part, err);
    } else {
        *out = size && memchr(data, (int)byte, size) != NULL;
    }
    return charge(state, size / 64 + part_size, err);
}

static bool range_contains(struct value range, struct value item, bool *out, struct error *err)
{
    int64_t start;
    int64_t step;
    size_t count;
    int64_t number;
    (void)range_parts(range, &start, &step, &count);
    if (!value_is_number(item)) {
        return wants("a number", range, item, err);
    }
    *out = false;
    struct value whole;
    struct arena scratch = {0};
    bool is_whole = int_from_number(&scratch, item, &whole, NULL) && value_equal(whole, item) &&
                    int_fits(whole, &number);
    arena_free(&scratch);
    if (is_whole && count > 0) {
        bool beyond = step > 0 ? number < start : number > start;
        uint64_t distance =
            step > 0 ? (uint64_t)number - (uint64_t)start : (uint64_t)start - (uint64_t)number;
        uint64_t stride = step > 0 ? (uint64_t)step : 0 - (uint64_t)step;
        *out = !beyond && distance % stride == 0 && distance / stride < count;
    }
    return true;
}

static bool items_contain(struct lang_state *state, struct value container, struct value item,
                          bool *out, struct error *err)
{
    struct value_iter iter;
    struct value other;
    if (!value_iter_begin(&iter, container, state->caller.arena, err)) {
        return error_set(err, ERROR_MACHINE, "nothing can be `in` a value of type %s",
                         value_type_name(container));
    }
    bool ok = true;
    *out = false;
    while (ok && !*out && value_iter_next(&iter, &other)) {
        ok = charge(state, 1, err) && equal(state, item, other, out, err);
    }
    value_iter_end(&iter);
    return ok;
}

bool sequence_contains(struct lang_state *state, struct value container, struct value item,
                       bool *out, struct error *err)
{
    int64_t start;
    int64_t step;
    size_t count;
    if (container.type == VALUE_DICT || container.type == VALUE_SET) {
        struct table_entry *entry;
        bool ok = entry_find(state, container.as.table, item, &entry, err);
        *out = ok && entry;
        return ok;
    }
    if (container.type == VALUE_STRING || container.type == VALUE_BYTES) {
        return data_contains(state, container, item, out, err);
    }
    if (range_parts(container, &start, &step, &count)) {
        return range_contains(container, item, out, err);
    }
    return items_contain(state, container, item, out, err);
}
