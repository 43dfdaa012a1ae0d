/* Methods of strings that search, replace and join. */
#include "lang/builtins/string_methods.h"

#include "base/utf8.h"

#include <string.h>

/* A part of the string, between two of its characters. */
struct part {
    struct text text;
    size_t first; /* characters before it */
    bool crossed; /* start lies after end, so that not even "" is found */
};

/* The part between the second and the third argument, which count like a slice's bounds. */
static bool part_of(const struct native_call *call, struct part *out, struct error *err)
{
    const struct string *string = call->self.as.string;
    size_t start = 0;
    size_t end = string->length;
    if (!native_place(call, 1, string->length, &start, err) ||
        !native_place(call, 2, string->length, &end, err)) {
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

/* The index of the first or last place; -1 or an error if there is none. */
bool string_find(const struct native_call *call, struct value *out, struct error *err)
{
    int how = call->function->variant;
    struct text self;
    struct text wanted;
    struct part part;
    if (!string_begin(call, &self, &wanted, err) || !part_of(call, &part, err) ||
        (how & AT_END && !charge_find_last(call, part.text, wanted, err))) {
        return false;
    }
    const char *found = part.crossed ? NULL : text_find(part.text, wanted, how & AT_END);
    size_t before = found ? utf8_length(part.text.data, (size_t)(found - part.text.data)) : 0;
    *out = value_int(found ? (int64_t)(part.first + before) : -1);
    return found || !(how & OR_FAIL) ||
           error_set(err, ERROR_MACHINE, "%s() does not find the string", call->function->name);
}

static size_t count_parts(struct text whole, struct text part)
{
    size_t count = 0;
    const char *found;
    if (part.size == 0) {
        return utf8_length(whole.data, whole.size) + 1;
    }
    while ((found = text_find(whole, part, false)) != NULL) {
        (void)text_cut(&whole, (size_t)(found - whole.data) + part.size, false);
        count++;
    }
    return count;
}

bool string_count(const struct native_call *call, struct value *out, struct error *err)
{
    struct text self;
    struct text wanted;
    struct part part;
    if (!string_begin(call, &self, &wanted, err) || !part_of(call, &part, err)) {
        return false;
    }
    *out = value_int(part.crossed ? 0 : (int64_t)count_parts(part.text, wanted));
    return charge(native_state(call), (uint64_t)out->as.integer, err);
}

static bool has_end(struct text whole, struct text part, int end)
{
    size_t from = end == AT_START ? 0 : whole.size - part.size;
    return part.size <= whole.size && memcmp(whole.data + from, part.data, part.size) == 0;
}

/* True if the part begins or ends with the string, or with one of a tuple of strings. */
bool string_has_end(const struct native_call *call, struct value *out, struct error *err)
{
    struct text self;
    struct part part;
    if (!string_begin(call, &self, NULL, err) || !part_of(call, &part, err)) {
        return false;
    }
    struct items items = {call->args, 1};
    if (call->args[0].type == VALUE_TUPLE) {
        items = value_items(call->args[0]);
    }
    bool found = false;
    for (size_t i = 0; i < items.count; i++) {
        if (items.items[i].type != VALUE_STRING) {
            return error_set(err, ERROR_MACHINE, "%s() expects a string, not %s",
                             call->function->name, value_type_name(items.items[i]));
        }
        found = found || (!part.crossed &&
                          has_end(part.text, text_of(items.items[i]), call->function->variant));
    }
    *out = value_bool(found);
    return charge(native_state(call), items.count, err);
}

bool string_remove_end(const struct native_call *call, struct value *out, struct error *err)
{
    int end = call->function->variant;
    struct text self;
    struct text part;
    if (!string_begin(call, &self, &part, err)) {
        return false;
    }
    *out = call->self;
    if (has_end(self, part, end)) {
        (void)text_cut(&self, part.size, end == AT_END);
        *out = string_new(call, self);
    }
    return true;
}

bool string_replace(const struct native_call *call, struct value *out, struct error *err)
{
    struct text self;
    struct text old;
    struct text new = text_of(call->args[1]);
    struct value bound = call->args[2];
    if (!string_begin(call, &self, &old, err) || !charge(native_state(call), new.size, err)) {
        return false;
    }
    size_t count = count_parts(self, old);
    if (!is_unset(bound) && bound.as.integer >= 0 && (uint64_t)bound.as.integer < count) {
        count = (size_t)bound.as.integer;
    }
    if (!charge(native_state(call), 2 * (uint64_t)count, err) ||
        !room(native_state(call), self.size, err) ||
        !room_for(native_state(call), count, new.size, err)) {
        return false;
    }
    struct strbuf text = {0};
    for (; count > 0; count--) {
        size_t before = (size_t)(text_find(self, old, false) - self.data);
        strbuf_add(&text, self.data, before);
        strbuf_add(&text, new.data, new.size);
        (void)text_cut(&self, before + old.size, false);
        if (old.size == 0) { /* the next "" is after the next character */
            size_t size = utf8_offset(self.data, self.size, 1);
            strbuf_add(&text, self.data, size);
            (void)text_cut(&self, size, false);
        }
    }
    strbuf_add(&text, self.data, self.size);
    return string_take(call, &text, out, err);
}

bool string_join(const struct native_call *call, struct value *out, struct error *err)
{
    struct text self;
    struct items items;
    struct strbuf text = {0};
    if (!string_begin(call, &self, NULL, err) ||
        !items_of(native_state(call), call->args[0], &items, err)) {
        return false;
    }
    for (size_t i = 0; i < items.count; i++) {
        struct value item = items.items[i];
        if (item.type != VALUE_STRING) {
            strbuf_free(&text);
            (void)error_set(err, ERROR_MACHINE,
                            "join() expects strings, but item %zu is of type %s", i,
                            value_type_name(item));
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

/* The characters of a string, or the bytes of bytes. A loop can run over them. */
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

bool string_elems(const struct native_call *call, struct value *out, struct error *err)
{
    struct text self;
    if (!string_begin(call, &self, NULL, err) || !charge(native_state(call), self.size, err) ||
        !room_for(native_state(call), self.size, 4 * sizeof(struct value), err)) {
        return false;
    }
    struct elems *elems = elems_new(call, &string_elems_type, out);
    while (self.size > 0) {
        size_t size = utf8_offset(self.data, self.size, 1);
        list_append(elems->list.as.list, string_new(call, text_cut(&self, size, false)));
    }
    return true;
}

bool bytes_elems(const struct native_call *call, struct value *out, struct error *err)
{
    const struct bytes *bytes = call->self.as.bytes;
    if (!charge(native_state(call), bytes->size, err) ||
        !room_for(native_state(call), bytes->size, 2 * sizeof(struct value), err)) {
        return false;
    }
    struct elems *elems = elems_new(call, &bytes_elems_type, out);
    for (size_t i = 0; i < bytes->size; i++) {
        list_append(elems->list.as.list, value_int(bytes->data[i]));
    }
    return true;
}
