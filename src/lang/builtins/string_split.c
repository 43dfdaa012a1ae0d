/* Methods of strings that split them. */
#include "lang/builtins/string_methods.h"

#include "lang/builtins/unicode.h"

#include <string.h>

static bool is_in(uint32_t code, const struct text *set)
{
    struct text rest = set ? *set : (struct text){0};
    uint32_t other;
    while (rest.size > 0) {
        (void)text_next(&rest, &other);
        if (other == code) {
            return true;
        }
    }
    return !set && unicode_is_space(code);
}

/* Bytes of the last character of a text that is not empty. */
static size_t last_size(struct text text)
{
    size_t at = text.size - 1;
    while (at > 0 && ((unsigned char)text.data[at] & 0xC0U) == 0x80U) {
        at--;
    }
    return text.size - at;
}

/* Cuts off the characters at the start or end that are in the set (NULL: spaces), or those that are
 * not. */
static struct text cut_span(struct text *text, const struct text *set, bool in, bool at_end)
{
    struct text rest = *text;
    while (rest.size > 0) {
        struct text shorter = rest;
        struct text last = at_end ? text_cut(&shorter, last_size(rest), true) : rest;
        uint32_t code;
        (void)text_next(at_end ? &last : &shorter, &code);
        if (is_in(code, set) != in) {
            break;
        }
        rest = shorter;
    }
    return text_cut(text, text->size - rest.size, at_end);
}

bool string_strip(const struct native_call *call, struct value *out, struct error *err)
{
    int ends = call->function->variant;
    struct text self;
    struct text set;
    bool spaces = call->args[0].type == VALUE_NONE;
    if (!string_begin(call, &self, spaces ? NULL : &set, err) ||
        (!spaces && !charge(native_state(call), set.size * self.size / 16, err))) {
        return false;
    }
    for (int end = AT_START; end <= AT_END; end++) {
        if (ends & end) {
            (void)cut_span(&self, spaces ? NULL : &set, true, end == AT_END);
        }
    }
    *out = string_new(call, self);
    return true;
}

struct splitter {
    const struct native_call *call;
    bool at_end; /* pieces are cut off there, in reverse order */
    struct text rest;
    uint64_t splits; /* still allowed */
    struct list *list;
};

static bool add_piece(struct splitter *splitter, struct text piece, struct error *err)
{
    list_append(splitter->list, string_new(splitter->call, piece));
    return charge(native_state(splitter->call), 1, err) &&
           room(native_state(splitter->call), 0, err);
}

static bool split_by_sep(struct splitter *splitter, struct text sep, struct error *err)
{
    struct text *rest = &splitter->rest;
    const char *found;
    if (sep.size == 0) {
        return error_set(err, ERROR_MACHINE, "%s() can't split at \"\"",
                         splitter->call->function->name);
    }
    if (splitter->at_end && !charge_find_last(splitter->call, *rest, sep, err)) {
        return false;
    }
    while (splitter->splits > 0 && (found = text_find(*rest, sep, splitter->at_end)) != NULL) {
        size_t before = (size_t)(found - rest->data);
        size_t size = splitter->at_end ? rest->size - before - sep.size : before;
        struct text piece = text_cut(rest, size, splitter->at_end);
        (void)text_cut(rest, sep.size, splitter->at_end);
        splitter->splits--;
        if (!add_piece(splitter, piece, err)) {
            return false;
        }
    }
    return add_piece(splitter, *rest, err);
}

static bool split_by_space(struct splitter *splitter, struct error *err)
{
    struct text *rest = &splitter->rest;
    (void)cut_span(rest, NULL, true, splitter->at_end);
    while (rest->size > 0) {
        struct text piece = splitter->splits ? cut_span(rest, NULL, false, splitter->at_end)
                                             : text_cut(rest, rest->size, false);
        splitter->splits -= splitter->splits > 0;
        (void)cut_span(rest, NULL, true, splitter->at_end);
        if (!add_piece(splitter, piece, err)) {
            return false;
        }
    }
    return true;
}

bool string_split(const struct native_call *call, struct value *out, struct error *err)
{
    struct value sep = call->args[0];
    struct value bound = call->args[1];
    bool bounded = bound.type == VALUE_INT && bound.as.integer >= 0;
    *out = value_list(call->caller->arena);
    struct splitter splitter = {.call = call,
                                .at_end = call->function->variant == AT_END,
                                .splits = bounded ? (uint64_t)bound.as.integer : UINT64_MAX,
                                .list = out->as.list};
    bool ok = string_begin(call, &splitter.rest, NULL, err) &&
              (sep.type == VALUE_NONE ? split_by_space(&splitter, err)
                                      : split_by_sep(&splitter, text_of(sep), err));
    if (splitter.at_end) {
        list_reverse(out->as.list);
    }
    return ok;
}

/* Lines end with \n, \r or \r\n. */
bool string_splitlines(const struct native_call *call, struct value *out, struct error *err)
{
    struct splitter splitter = {.call = call};
    if (!string_begin(call, &splitter.rest, NULL, err)) {
        return false;
    }
    bool keep = value_truth(call->args[0]);
    *out = value_list(call->caller->arena);
    splitter.list = out->as.list;
    while (splitter.rest.size > 0) {
        struct text line = text_cut(&splitter.rest, strcspn(splitter.rest.data, "\r\n"), false);
        bool both = strncmp(splitter.rest.data, "\r\n", 2) == 0;
        size_t end = both ? 2 : splitter.rest.size > 0;
        (void)text_cut(&splitter.rest, end, false);
        line.size += keep ? end : 0;
        if (!add_piece(&splitter, line, err)) {
            return false;
        }
    }
    return true;
}

bool string_partition(const struct native_call *call, struct value *out, struct error *err)
{
    bool last = call->function->variant == AT_END;
    struct text self;
    struct text sep;
    if (!string_begin(call, &self, &sep, err)) {
        return false;
    }
    if (sep.size == 0) {
        return error_set(err, ERROR_MACHINE, "%s() can't split at \"\"", call->function->name);
    }
    if (last && !charge_find_last(call, self, sep, err)) {
        return false;
    }
    const char *found = text_find(self, sep, last);
    struct text parts[3] = {{"", 0}, {"", 0}, {"", 0}};
    struct value values[3];
    if (found) {
        parts[0] = text_cut(&self, (size_t)(found - self.data), false);
        parts[1] = text_cut(&self, sep.size, false);
    }
    parts[found || last ? 2 : 0] = self;
    for (size_t i = 0; i < 3; i++) {
        values[i] = string_new(call, parts[i]);
    }
    *out = value_tuple(call->caller->arena, values, 3);
    return true;
}
