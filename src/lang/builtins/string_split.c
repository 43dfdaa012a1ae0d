/* Methods of strings that take them apart. */
#include "lang/builtins/string_methods.h"

#include "base/utf8.h"
#include "lang/builtins/unicode.h"

#include <string.h>

/* Which characters are stripped: those of a set, or spaces. */
static bool in_set(const struct text *set, uint32_t code)
{
    uint32_t other;
    for (size_t at = 0; set && at < set->size;) {
        at += utf8_decode(set->data + at, set->size - at, &other);
        if (other == code) {
            return true;
        }
    }
    return !set && unicode_is_space(code);
}

static struct text strip_start(struct text text, const struct text *set)
{
    uint32_t code = 0;
    while (text.size > 0) {
        size_t size = utf8_decode(text.data, text.size, &code);
        if (!in_set(set, code)) {
            break;
        }
        text = (struct text){text.data + size, text.size - size};
    }
    return text;
}

/* Where the last character begins. */
static size_t last_character(struct text text)
{
    size_t at = text.size - 1;
    while (at > 0 && ((unsigned char)text.data[at] & 0xC0U) == 0x80U) {
        at--;
    }
    return at;
}

static struct text strip_end(struct text text, const struct text *set)
{
    uint32_t code = 0;
    while (text.size > 0) {
        size_t at = last_character(text);
        (void)utf8_decode(text.data + at, text.size - at, &code);
        if (!in_set(set, code)) {
            break;
        }
        text.size = at;
    }
    return text;
}

enum ends { ENDS_START = 1, ENDS_END = 2 };

static bool strip(const struct native_call *call, const char *name, unsigned ends,
                  struct value *out, struct error *err)
{
    struct text self;
    struct text cutset;
    const struct text *set = NULL;
    if (!string_begin(call, name, 1, &self, err)) {
        return false;
    }
    if (native_arg(call, 0).type != VALUE_NONE) {
        if (!string_arg(call, name, 0, &cutset, err) ||
            !charge(native_state(call), cutset.size * self.size / 16, err)) {
            return false;
        }
        set = &cutset;
    }
    self = ends & ENDS_START ? strip_start(self, set) : self;
    self = ends & ENDS_END ? strip_end(self, set) : self;
    *out = string_new(call, self);
    return true;
}

bool string_strip(const struct native_call *call, struct value *out, struct error *err)
{
    return strip(call, "strip", ENDS_START | ENDS_END, out, err);
}

bool string_lstrip(const struct native_call *call, struct value *out, struct error *err)
{
    return strip(call, "lstrip", ENDS_START, out, err);
}

bool string_rstrip(const struct native_call *call, struct value *out, struct error *err)
{
    return strip(call, "rstrip", ENDS_END, out, err);
}

struct splitter {
    const struct native_call *call;
    struct text rest;
    struct text sep;
    uint64_t splits; /* still allowed */
    struct list *list;
};

static bool add_piece(struct splitter *splitter, struct text piece, struct error *err)
{
    list_append(splitter->list, string_new(splitter->call, piece));
    return charge(native_state(splitter->call), 1, err) &&
           room(native_state(splitter->call), 0, err);
}

static bool split_by_sep(struct splitter *splitter, struct error *err)
{
    const char *found;
    while (splitter->splits > 0 && (found = text_find(splitter->rest, splitter->sep)) != NULL) {
        struct text piece = {splitter->rest.data, (size_t)(found - splitter->rest.data)};
        size_t passed = piece.size + splitter->sep.size;
        splitter->rest = (struct text){splitter->rest.data + passed, splitter->rest.size - passed};
        splitter->splits--;
        if (!add_piece(splitter, piece, err)) {
            return false;
        }
    }
    return add_piece(splitter, splitter->rest, err);
}

/* Pieces from the end, so in reverse order. */
static bool rsplit_by_sep(struct splitter *splitter, struct error *err)
{
    const char *found;
    if (!charge_find_last(splitter->call, splitter->rest, splitter->sep, err)) {
        return false;
    }
    while (splitter->splits > 0 &&
           (found = text_find_last(splitter->rest, splitter->sep)) != NULL) {
        size_t start = (size_t)(found - splitter->rest.data) + splitter->sep.size;
        struct text piece = {splitter->rest.data + start, splitter->rest.size - start};
        splitter->rest.size = start - splitter->sep.size;
        splitter->splits--;
        if (!add_piece(splitter, piece, err)) {
            return false;
        }
    }
    return add_piece(splitter, splitter->rest, err);
}

/* Bytes of the first word of text that begins with one. */
static size_t first_word(struct text text)
{
    size_t at = 0;
    uint32_t code = 0;
    while (at < text.size) {
        size_t size = utf8_decode(text.data + at, text.size - at, &code);
        if (unicode_is_space(code)) {
            break;
        }
        at += size;
    }
    return at;
}

static bool split_by_space(struct splitter *splitter, struct error *err)
{
    struct text rest = strip_start(splitter->rest, NULL);
    while (rest.size > 0) {
        struct text piece = {rest.data, splitter->splits ? first_word(rest) : rest.size};
        splitter->splits -= splitter->splits > 0;
        rest = (struct text){rest.data + piece.size, rest.size - piece.size};
        rest = strip_start(rest, NULL);
        if (!add_piece(splitter, piece, err)) {
            return false;
        }
    }
    return true;
}

/* Where the last word of text that ends with one begins. */
static size_t last_word(struct text text)
{
    uint32_t code = 0;
    while (text.size > 0) {
        size_t at = last_character(text);
        (void)utf8_decode(text.data + at, text.size - at, &code);
        if (unicode_is_space(code)) {
            break;
        }
        text.size = at;
    }
    return text.size;
}

static bool rsplit_by_space(struct splitter *splitter, struct error *err)
{
    struct text rest = strip_end(splitter->rest, NULL);
    while (rest.size > 0) {
        size_t start = splitter->splits ? last_word(rest) : 0;
        struct text piece = {rest.data + start, rest.size - start};
        splitter->splits -= splitter->splits > 0;
        rest.size = start;
        rest = strip_end(rest, NULL);
        if (!add_piece(splitter, piece, err)) {
            return false;
        }
    }
    return true;
}

static void reverse(struct list *list)
{
    for (size_t i = 0; i < list->count / 2; i++) {
        struct value swapped = list->items[i];
        list->items[i] = list->items[list->count - 1 - i];
        list->items[list->count - 1 - i] = swapped;
    }
}

static const struct native_param split_params[] = {
    {"sep", PARAM_OPTIONAL, false},
    {"maxsplit", PARAM_OPTIONAL, false},
    {0},
};

static bool split_begin(const struct native_call *call, const char *name, struct splitter *splitter,
                        bool *spaces, struct error *err)
{
    struct value args[2] = {value_none(), value_none()};
    const struct string *sep;
    int64_t bound = -1;
    struct native_call plain = *call;
    plain.arg_count = plain.named_count = 0;
    if (!native_bind(name, split_params, call, args, err) ||
        !string_begin(&plain, name, 0, &splitter->rest, err) ||
        (args[1].type != VALUE_NONE && !native_int(name, args[1], &bound, err))) {
        return false;
    }
    splitter->call = call;
    splitter->splits = bound < 0 ? UINT64_MAX : (uint64_t)bound;
    *spaces = args[0].type == VALUE_NONE;
    if (*spaces) {
        return true;
    }
    if (!native_string(name, args[0], &sep, err)) {
        return false;
    }
    splitter->sep = (struct text){sep->data, sep->size};
    return sep->size > 0 || error_set(err, ERROR_MACHINE, "%s() can't split at \"\"", name);
}

bool string_split(const struct native_call *call, struct value *out, struct error *err)
{
    struct splitter splitter = {0};
    bool spaces;
    *out = value_list(call->caller->arena);
    splitter.list = out->as.list;
    return split_begin(call, "split", &splitter, &spaces, err) &&
           (spaces ? split_by_space(&splitter, err) : split_by_sep(&splitter, err));
}

bool string_rsplit(const struct native_call *call, struct value *out, struct error *err)
{
    struct splitter splitter = {0};
    bool spaces;
    *out = value_list(call->caller->arena);
    splitter.list = out->as.list;
    bool ok = split_begin(call, "rsplit", &splitter, &spaces, err) &&
              (spaces ? rsplit_by_space(&splitter, err) : rsplit_by_sep(&splitter, err));
    reverse(out->as.list);
    return ok;
}

/* Lines end with \n, \r or \r\n. */
bool string_splitlines(const struct native_call *call, struct value *out, struct error *err)
{
    struct splitter splitter = {.call = call};
    if (!string_begin(call, "splitlines", 1, &splitter.rest, err)) {
        return false;
    }
    bool keep = value_truth(native_arg(call, 0));
    *out = value_list(call->caller->arena);
    splitter.list = out->as.list;
    struct text rest = splitter.rest;
    while (rest.size > 0) {
        size_t size = 0;
        while (size < rest.size && rest.data[size] != '\n' && rest.data[size] != '\r') {
            size++;
        }
        size_t end = size < rest.size ? 1 : 0;
        end +=
            end && rest.data[size] == '\r' && size + 1 < rest.size && rest.data[size + 1] == '\n';
        if (!add_piece(&splitter, (struct text){rest.data, keep ? size + end : size}, err)) {
            return false;
        }
        rest = (struct text){rest.data + size + end, rest.size - size - end};
    }
    return true;
}

static bool partition(const struct native_call *call, const char *name, bool last,
                      struct value *out, struct error *err)
{
    struct text self;
    struct text sep;
    if (!string_begin(call, name, 1, &self, err) || !string_arg(call, name, 0, &sep, err)) {
        return false;
    }
    if (sep.size == 0) {
        return error_set(err, ERROR_MACHINE, "%s() can't split at \"\"", name);
    }
    if (last && !charge_find_last(call, self, sep, err)) {
        return false;
    }
    const char *found = last ? text_find_last(self, sep) : text_find(self, sep);
    struct text parts[3] = {self, {"", 0}, {"", 0}};
    if (found) {
        size_t before = (size_t)(found - self.data);
        parts[0].size = before;
        parts[1] = sep;
        parts[2] = (struct text){found + sep.size, self.size - before - sep.size};
    } else if (last) {
        parts[0] = parts[1];
        parts[2] = self;
    }
    struct value values[3];
    for (size_t i = 0; i < 3; i++) {
        values[i] = string_new(call, parts[i]);
    }
    *out = value_tuple(call->caller->arena, values, 3);
    return true;
}

bool string_partition(const struct native_call *call, struct value *out, struct error *err)
{
    return partition(call, "partition", false, out, err);
}

bool string_rpartition(const struct native_call *call, struct value *out, struct error *err)
{
    return partition(call, "rpartition", true, out, err);
}
