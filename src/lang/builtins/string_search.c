/* Methods of strings that search, replace and join. */
#include "lang/builtins/string_methods.h"

#include "base/utf8.h"

#include <string.h>

/* A part of the string, between two of its characters. */
struct part {
    struct text text;
    size_t first; /* characters before it */
    bool crossed; /* start lies behind end: nothing is found, not even "" */
};

/* Between the positions `args[at]` and `args[at + 1]`, as slices count. */
static bool part_of(const struct native_call *call, const char *name, size_t at, struct part *out,
                    struct error *err)
{
    const struct string *string = call->self.as.string;
    size_t length = string->length;
    size_t start = 0;
    size_t end = length;
    if (!native_place(name, native_arg(call, at), length, &start, err) ||
        !native_place(name, native_arg(call, at + 1), length, &end, err)) {
        return false;
    }
    *out = (struct part){.first = start, .crossed = start > end};
    if (!out->crossed) {
        size_t from = utf8_offset(string->data, string->size, start);
        size_t size = utf8_offset(string->data + from, string->size - from, end - start);
        out->text = (struct text){string->data + from, size};
    }
    return true;
}

enum direction { FROM_START, FROM_END };

/* The index of the first or last place, or -1. */
static bool search(const struct native_call *call, const char *name, enum direction direction,
                   int64_t *out, struct error *err)
{
    struct text self;
    struct text wanted;
    struct part part;
    if (!string_begin(call, name, 3, &self, err) || !string_arg(call, name, 0, &wanted, err) ||
        !part_of(call, name, 1, &part, err) ||
        (direction == FROM_END && !charge_find_last(call, part.text, wanted, err))) {
        return false;
    }
    const char *found = part.crossed              ? NULL
                        : direction == FROM_START ? text_find(part.text, wanted)
                                                  : text_find_last(part.text, wanted);
    *out = -1;
    if (found) {
        *out =
            (int64_t)(part.first + utf8_length(part.text.data, (size_t)(found - part.text.data)));
    }
    return true;
}

static bool find(const struct native_call *call, const char *name, enum direction direction,
                 struct value *out, struct error *err)
{
    int64_t index = -1;
    bool ok = search(call, name, direction, &index, err);
    *out = value_int(index);
    return ok;
}

static bool find_index(const struct native_call *call, const char *name, enum direction direction,
                       struct value *out, struct error *err)
{
    return find(call, name, direction, out, err) &&
           (out->as.integer >= 0 ||
            error_set(err, ERROR_MACHINE, "%s() does not find the string", name));
}

bool string_find(const struct native_call *call, struct value *out, struct error *err)
{
    return find(call, "find", FROM_START, out, err);
}

bool string_rfind(const struct native_call *call, struct value *out, struct error *err)
{
    return find(call, "rfind", FROM_END, out, err);
}

bool string_index(const struct native_call *call, struct value *out, struct error *err)
{
    return find_index(call, "index", FROM_START, out, err);
}

bool string_rindex(const struct native_call *call, struct value *out, struct error *err)
{
    return find_index(call, "rindex", FROM_END, out, err);
}

static size_t count_parts(struct text whole, struct text part)
{
    size_t count = 0;
    const char *found;
    if (part.size == 0) {
        return utf8_length(whole.data, whole.size) + 1;
    }
    while ((found = text_find(whole, part)) != NULL) {
        size_t passed = (size_t)(found - whole.data) + part.size;
        whole = (struct text){whole.data + passed, whole.size - passed};
        count++;
    }
    return count;
}

bool string_count(const struct native_call *call, struct value *out, struct error *err)
{
    struct text self;
    struct text wanted;
    struct part part;
    if (!string_begin(call, "count", 3, &self, err) ||
        !string_arg(call, "count", 0, &wanted, err) || !part_of(call, "count", 1, &part, err)) {
        return false;
    }
    *out = value_int(part.crossed ? 0 : (int64_t)count_parts(part.text, wanted));
    return charge(native_state(call), (uint64_t)out->as.integer, err);
}

static bool has_end(struct text whole, struct text part, enum direction direction)
{
    size_t from = direction == FROM_START ? 0 : whole.size - part.size;
    return part.size <= whole.size && memcmp(whole.data + from, part.data, part.size) == 0;
}

/* Whether the part begins or ends with the string, or with one of a tuple of strings. */
static bool has_end_of(const struct native_call *call, const char *name, enum direction direction,
                       struct value *out, struct error *err)
{
    struct text self;
    struct part part;
    if (!string_begin(call, name, 3, &self, err) || !part_of(call, name, 1, &part, err)) {
        return false;
    }
    struct value wanted = native_arg(call, 0);
    struct items items = {&wanted, 1};
    if (wanted.type == VALUE_TUPLE) {
        items = (struct items){wanted.as.tuple->items, wanted.as.tuple->count};
    }
    bool found = false;
    for (size_t i = 0; i < items.count; i++) {
        const struct string *string;
        if (!native_string(name, items.items[i], &string, err)) {
            return false;
        }
        found = found || (!part.crossed &&
                          has_end(part.text, (struct text){string->data, string->size}, direction));
    }
    *out = value_bool(found);
    return charge(native_state(call), items.count, err);
}

bool string_startswith(const struct native_call *call, struct value *out, struct error *err)
{
    return has_end_of(call, "startswith", FROM_START, out, err);
}

bool string_endswith(const struct native_call *call, struct value *out, struct error *err)
{
    return has_end_of(call, "endswith", FROM_END, out, err);
}

static bool remove_end(const struct native_call *call, const char *name, enum direction direction,
                       struct value *out, struct error *err)
{
    struct text self;
    struct text end;
    if (!string_begin(call, name, 1, &self, err) || !string_arg(call, name, 0, &end, err)) {
        return false;
    }
    *out = call->self;
    if (has_end(self, end, direction)) {
        size_t from = direction == FROM_START ? end.size : 0;
        *out = string_new(call, (struct text){self.data + from, self.size - end.size});
    }
    return true;
}

bool string_removeprefix(const struct native_call *call, struct value *out, struct error *err)
{
    return remove_end(call, "removeprefix", FROM_START, out, err);
}

bool string_removesuffix(const struct native_call *call, struct value *out, struct error *err)
{
    return remove_end(call, "removesuffix", FROM_END, out, err);
}

/* With an empty `old`: `new` before every character and at the end. */
static void insert_everywhere(struct text self, struct text new, size_t count, struct strbuf *out)
{
    size_t at = 0;
    while (count > 0) {
        count--;
        strbuf_add(out, new.data, new.size);
        if (at == self.size) {
            break;
        }
        size_t size = utf8_offset(self.data + at, self.size - at, 1);
        strbuf_add(out, self.data + at, size);
        at += size;
    }
    if (at < self.size) {
        strbuf_add(out, self.data + at, self.size - at);
    }
}

static void replace_parts(struct text self, struct text old, struct text new, size_t count,
                          struct strbuf *out)
{
    const char *found;
    while (count > 0 && (found = text_find(self, old)) != NULL) {
        size_t before = (size_t)(found - self.data);
        strbuf_add(out, self.data, before);
        strbuf_add(out, new.data, new.size);
        self = (struct text){found + old.size, self.size - before - old.size};
        count--;
    }
    strbuf_add(out, self.data, self.size);
}

bool string_replace(const struct native_call *call, struct value *out, struct error *err)
{
    struct text self;
    struct text old;
    struct text new;
    int64_t bound = -1;
    if (!string_begin(call, "replace", 3, &self, err) ||
        !string_arg(call, "replace", 0, &old, err) || !string_arg(call, "replace", 1, &new, err) ||
        (call->arg_count > 2 && !native_int("replace", call->args[2], &bound, err))) {
        return false;
    }
    size_t count = count_parts(self, old);
    count = bound >= 0 && (uint64_t)bound < count ? (size_t)bound : count;
    struct strbuf text = {0};
    if (!charge(native_state(call), 2 * (uint64_t)count, err) ||
        !room(native_state(call), self.size, err) ||
        !room_for(native_state(call), count, new.size, err)) {
        return false;
    }
    if (old.size == 0) {
        insert_everywhere(self, new, count, &text);
    } else {
        replace_parts(self, old, new, count, &text);
    }
    return string_take(call, &text, out, err);
}

bool string_join(const struct native_call *call, struct value *out, struct error *err)
{
    struct text self;
    struct items items;
    struct strbuf text = {0};
    if (!string_begin(call, "join", 1, &self, err) || !native_positional(call, "join", 1, 1, err) ||
        !items_of(native_state(call), call->args[0], &items, err)) {
        return false;
    }
    for (size_t i = 0; i < items.count; i++) {
        struct value item = items.items[i];
        if (item.type != VALUE_STRING) {
            strbuf_free(&text);
            (void)error_set(err, ERROR_MACHINE, "join() wants strings, but item %zu is of type %s",
                            i, value_type_name(item));
            return error_hint(err, "\", \".join([str(x) for x in xs])");
        }
        strbuf_add(&text, self.data, i ? self.size : 0);
        strbuf_add(&text, item.as.string->data, item.as.string->size);
        if (!room(native_state(call), text.size, err)) {
            strbuf_free(&text);
            return false;
        }
    }
    return string_take(call, &text, out, err);
}

/* The characters of a string, or the bytes of bytes: only to be looped over. */
struct elems {
    struct object object;
    struct value of;
    struct value list;
};

static const struct elems *elems_of(const struct object *object)
{
    return (const struct elems *)(const void *)object;
}

static void elems_repr(const struct object *object, struct strbuf *out)
{
    value_repr(elems_of(object)->of, out);
    strbuf_adds(out, ".elems()");
}

static bool elems_length(const struct object *object, size_t *out)
{
    *out = elems_of(object)->list.as.list->count;
    return true;
}

static bool elems_item(const struct object *object, size_t index, struct arena *arena,
                       struct value *out)
{
    (void)arena;
    *out = elems_of(object)->list.as.list->items[index];
    return true;
}

static const struct object_type string_elems_type = {
    .name = "string.elems", .repr = elems_repr, .length = elems_length, .item = elems_item};
static const struct object_type bytes_elems_type = {
    .name = "bytes.elems", .repr = elems_repr, .length = elems_length, .item = elems_item};

static struct elems *elems_new(const struct native_call *call, const struct object_type *type,
                               struct value *out)
{
    struct elems *elems = ARENA_NEW(call->caller->arena, struct elems);
    elems->object.type = type;
    elems->of = call->self;
    elems->list = value_list(call->caller->arena);
    *out = value_object(&elems->object);
    return elems;
}

bool string_elems_call(const struct native_call *call, struct value *out, struct error *err)
{
    struct text self;
    if (!string_begin(call, "elems", 0, &self, err) ||
        !charge(native_state(call), self.size, err) ||
        !room_for(native_state(call), self.size, 4 * sizeof(struct value), err)) {
        return false;
    }
    struct elems *elems = elems_new(call, &string_elems_type, out);
    while (self.size > 0) {
        size_t size = utf8_offset(self.data, self.size, 1);
        list_append(elems->list.as.list, string_new(call, (struct text){self.data, size}));
        self = (struct text){self.data + size, self.size - size};
    }
    return true;
}

bool bytes_elems_call(const struct native_call *call, struct value *out, struct error *err)
{
    const struct bytes *bytes = call->self.as.bytes;
    if (!native_positional(call, "elems", 0, 0, err) ||
        !charge(native_state(call), bytes->size, err) ||
        !room_for(native_state(call), bytes->size, 2 * sizeof(struct value), err)) {
        return false;
    }
    struct elems *elems = elems_new(call, &bytes_elems_type, out);
    for (size_t i = 0; i < bytes->size; i++) {
        list_append(elems->list.as.list, value_int(bytes->data[i]));
    }
    return true;
}
