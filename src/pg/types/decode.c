#include "pg/types/decode.h"

#include "base/digits.h"
#include "base/utf8.h"
#include "value/json/json.h"
#include "value/number/numeric.h"

#include <limits.h>
#include <string.h>

enum { NESTING_MAX = 200, INT64_DIGITS = 18, SHOWN_MAX = 60 };

static bool bad_text(const struct type *type, const char *text, size_t size, struct error *err)
{
    size_t shown = utf8_cut(text, size < SHOWN_MAX ? size : SHOWN_MAX);
    return error_set(err, ERROR_SERVER, "the server's %s can't be read: %.*s", type->name,
                     (int)shown, text);
}

/* Short ones without a detour; longer ones by numeric.h. */
static bool decode_int(const struct decoder *decoder, const char *text, size_t size,
                       struct value *out, struct error *err)
{
    int64_t number = 0;
    size_t first = size > 0 && *text == '-';
    if (size - first > INT64_DIGITS || size == first) {
        return int_from_text(decoder->arena, text, size, 10, out, err);
    }
    for (size_t i = first; i < size; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return int_from_text(decoder->arena, text, size, 10, out, err);
        }
        number = number * 10 + (text[i] - '0');
    }
    *out = value_int(first ? -number : number);
    return true;
}

/* The value of three octal digits; negative: there are none. */
static int octal(const char *text)
{
    int number = 0;
    for (int i = 0; i < 3; i++) {
        if (text[i] < '0' || text[i] > '7') {
            return -1;
        }
        number = number * 8 + (text[i] - '0');
    }
    return number > UCHAR_MAX ? -1 : number;
}

/* "a\000\\", as bytea_output = escape gives it: SQL under test may have set that just now. */
static bool decode_escaped(const struct decoder *decoder, const struct type *type, const char *text,
                           size_t size, struct value *out, struct error *err)
{
    size_t count = 0;
    unsigned char *bytes = arena_alloc(decoder->arena, size);
    for (size_t i = 0; i < size; count++) {
        int code = (unsigned char)text[i];
        size_t used = 1;
        if (code == '\\' && i + 1 < size && text[i + 1] == '\\') {
            used = 2;
        } else if (code == '\\') {
            code = i + 3 < size ? octal(text + i + 1) : -1;
            used = 4;
        }
        if (code < 0) {
            return bad_text(type, text, size, err);
        }
        bytes[count] = (unsigned char)code;
        i += used;
    }
    *out = value_bytes(decoder->arena, bytes, count);
    return true;
}

/* "\x00ff", as bytea_output = hex gives it. */
static bool decode_bytes(const struct decoder *decoder, const struct type *type, const char *text,
                         size_t size, struct value *out, struct error *err)
{
    if (size < 2 || text[0] != '\\' || text[1] != 'x') {
        return decode_escaped(decoder, type, text, size, out, err);
    }
    if (size % 2 != 0) {
        return bad_text(type, text, size, err);
    }
    size_t count = size / 2 - 1;
    unsigned char *bytes = arena_alloc(decoder->arena, count);
    for (size_t i = 0; i < count; i++) {
        int high = hex_digit(text[2 + 2 * i]);
        int low = hex_digit(text[3 + 2 * i]);
        if (high < 0 || low < 0) {
            return bad_text(type, text, size, err);
        }
        bytes[i] = (unsigned char)(high * 16 + low);
    }
    *out = value_bytes(decoder->arena, bytes, count);
    return true;
}

/* A container's text being read. */
struct reader {
    const struct decoder *decoder;
    const struct type *type; /* of the container */
    const char *at;
    const char *end;
    const char *text; /* all of it, for messages */
    int depth;
};

static bool bad_container(const struct reader *reader, struct error *err)
{
    return bad_text(reader->type, reader->text, (size_t)(reader->end - reader->text), err);
}

/* Takes the character if it is next. */
static bool take_char(struct reader *reader, char c)
{
    if (reader->at < reader->end && *reader->at == c) {
        reader->at++;
        return true;
    }
    return false;
}

/* One item as it stands between delimiters, with its quotes and backslashes taken away. */
struct item {
    const char *text;
    size_t size;
    bool quoted;
};

/* Takes away quotes and backslashes. In an array a quote inside is \", in a composite "" (manual,
 * sections 8.15.6 and 8.16.6); both are read in both. */
static void unquote(struct arena *arena, const char *text, size_t size, struct item *item)
{
    char *copy = arena_alloc(arena, size);
    bool inside = false;
    item->size = 0;
    item->text = copy;
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '"' && !(inside && i + 1 < size && text[i + 1] == '"')) {
            inside = !inside;
            continue;
        }
        if (text[i] == '"' || (text[i] == '\\' && i + 1 < size)) {
            i++;
        }
        copy[item->size++] = text[i];
    }
}

/* Reads up to a character of `stops` that stands outside of quotes; it is not taken. */
static bool read_item(struct reader *reader, const char *stops, struct item *item,
                      struct error *err)
{
    const char *start = reader->at;
    bool inside = false;
    bool escaped = false;
    *item = (struct item){0};
    while (reader->at < reader->end && (inside || !strchr(stops, *reader->at))) {
        char c = *reader->at++;
        if (c == '"') {
            inside = !inside;
            item->quoted = true;
        } else if (c == '\\') {
            escaped = true;
            reader->at += reader->at < reader->end;
        }
    }
    if (inside || reader->at >= reader->end) {
        return bad_container(reader, err);
    }
    item->text = start;
    item->size = (size_t)(reader->at - start);
    if (item->quoted || escaped) {
        unquote(reader->decoder->arena, start, item->size, item);
    }
    return true;
}

static bool decode_nested(const struct decoder *decoder, const struct type *type, const char *text,
                          size_t size, int depth, struct value *out, struct error *err);

static bool decode_item(struct reader *reader, const struct type *type, const struct item *item,
                        struct value *out, struct error *err)
{
    return decode_nested(reader->decoder, type, item->text, item->size, reader->depth + 1, out,
                         err);
}

static bool read_elements(struct reader *reader, const struct type *element, struct value *out,
                          struct error *err);

/* One element: a nested array, NULL, or an item. */
static bool read_element(struct reader *reader, const struct type *element, struct value *out,
                         struct error *err)
{
    const char stops[] = {reader->type->delimiter, '}', '\0'};
    struct item item;
    *out = value_none();
    if (take_char(reader, '{')) {
        if (++reader->depth > NESTING_MAX) {
            return bad_container(reader, err);
        }
        bool read = read_elements(reader, element, out, err);
        reader->depth--;
        return read;
    }
    if (!read_item(reader, stops, &item, err)) {
        return false;
    }
    bool null = !item.quoted && item.size == 4 && memcmp(item.text, "NULL", 4) == 0;
    return null || decode_item(reader, element, &item, out, err);
}

/* "{1,NULL,{2}}": after the brace that opens it, up to and with the one that closes it. */
static bool read_elements(struct reader *reader, const struct type *element, struct value *out,
                          struct error *err)
{
    *out = value_list(reader->decoder->arena);
    if (take_char(reader, '}')) {
        return true;
    }
    do {
        struct value value;
        if (!read_element(reader, element, &value, err)) {
            return false;
        }
        list_append(out->as.list, value);
    } while (take_char(reader, reader->type->delimiter));
    return take_char(reader, '}') || bad_container(reader, err);
}

/* Lower bounds other than 1 stand before it: "[0:1]={1,2}". */
static bool decode_array(struct reader *reader, struct value *out, struct error *err)
{
    const struct type *element = types_get(reader->decoder->types, reader->type->element);
    if (reader->at < reader->end && *reader->at == '[') {
        const char *equals = memchr(reader->at, '=', (size_t)(reader->end - reader->at));
        reader->at = equals ? equals + 1 : reader->end;
    }
    if (!take_char(reader, '{')) {
        return bad_container(reader, err);
    }
    return read_elements(reader, element, out, err) &&
           (reader->at == reader->end || bad_container(reader, err));
}

/* The type of a field: an anonymous record's are not known here. */
static const struct type *field_type(const struct reader *reader, size_t index)
{
    bool known = index < reader->type->field_count;
    return types_get(reader->decoder->types, known ? reader->type->fields[index] : 0);
}

/* "(1,,"a b")": an empty field is NULL, an empty text stands in quotes. */
static bool decode_tuple(struct reader *reader, struct value *out, struct error *err)
{
    VEC(struct value) fields = {0};
    if (!take_char(reader, '(')) {
        return bad_container(reader, err);
    }
    if (!take_char(reader, ')')) {
        do {
            struct item item;
            struct value value = value_none();
            if (!read_item(reader, ",)", &item, err)) {
                return false;
            }
            if ((item.quoted || item.size > 0) &&
                !decode_item(reader, field_type(reader, fields.count), &item, &value, err)) {
                return false;
            }
            *VEC_PUSH(reader->decoder->arena, &fields) = value;
        } while (take_char(reader, ','));
        if (!take_char(reader, ')')) {
            return bad_container(reader, err);
        }
    }
    *out = value_tuple(reader->decoder->arena, fields.items, fields.count);
    return reader->at == reader->end || bad_container(reader, err);
}

static bool decode_nested(const struct decoder *decoder, const struct type *type, const char *text,
                          size_t size, int depth, struct value *out, struct error *err)
{
    struct reader reader = {
        .decoder = decoder,
        .type = type,
        .at = text,
        .end = text + size,
        .text = text,
        .depth = depth,
    };
    if (depth > NESTING_MAX) {
        *out = value_string(decoder->arena, text, size);
        return true;
    }
    switch (type->kind) {
    case TYPE_INT:
        return decode_int(decoder, text, size, out, err);
    case TYPE_NUMERIC:
        return numeric_from_text(decoder->arena, text, size, out, err);
    case TYPE_FLOAT:
        return float_from_text(text, size, out, err);
    case TYPE_BOOL:
        *out = value_bool(size > 0 && *text == 't');
        return true;
    case TYPE_JSON:
        if (!json_decode(decoder->arena, text, size, out, NULL)) {
            *out = value_string(decoder->arena, text, size);
        }
        return true;
    case TYPE_BYTES:
        return decode_bytes(decoder, type, text, size, out, err);
    case TYPE_ARRAY:
        return decode_array(&reader, out, err);
    case TYPE_TUPLE:
    case TYPE_RECORD:
        return decode_tuple(&reader, out, err);
    case TYPE_VOID:
        *out = value_none();
        return true;
    case TYPE_TEXT:
    case TYPE_OTHER:
        break;
    }
    *out = value_string(decoder->arena, text, size);
    return true;
}

bool decode_value(const struct decoder *decoder, const struct type *type, const char *text,
                  size_t size, struct value *out, struct error *err)
{
    return decode_nested(decoder, type, text, size, 0, out, err);
}
