#include "pg/types/encode.h"

#include "value/json/json.h"
#include "value/number/numeric.h"

#include <string.h>

enum { NESTING_MAX = 200 };

struct encoder {
    const struct types *types;
    struct strbuf *out;
    struct error *err;
    struct arena arena; /* for iterators */
    int depth;
};

static enum encoded encode(struct encoder *encoder, const struct type *type, struct value value);

static enum encoded no_form(const struct encoder *encoder, const struct type *type,
                            struct value value)
{
    const char *kind = value_type_name(value);
    bool vowel = strchr("aeiou", *kind) != NULL;
    error_set(encoder->err, ERROR_MACHINE, "%s %s has no form in type %s", vowel ? "an" : "a", kind,
              type->name);
    return ENCODED_FAILED;
}

static bool is_sequence(struct value value)
{
    return value.type == VALUE_LIST || value.type == VALUE_TUPLE || value.type == VALUE_SET ||
           value.type == VALUE_BAG || value.type == VALUE_OBJECT;
}

/* Appends text from `start` on again, as a quoted item: \ before " and \ in an array, doubled in a
 * composite. */
static void quote_from(struct strbuf *out, size_t start, char quote_escape)
{
    size_t size = out->size - start;
    size_t special = 0;
    for (size_t i = start; i < out->size; i++) {
        special += out->data[i] == '"' || out->data[i] == '\\';
    }
    strbuf_fill(out, '"', special + 2);
    char *to = out->data + out->size - 1;
    *to-- = '"';
    for (size_t i = start + size; i-- > start;) {
        char c = out->data[i];
        *to-- = c;
        if (c == '"' || c == '\\') {
            *to-- = c == '"' ? quote_escape : '\\';
        }
    }
    *to = '"';
}

/* One element, quoted unless it is a nested array. */
static enum encoded encode_element(struct encoder *encoder, const struct type *array,
                                   const struct type *element, struct value value)
{
    size_t start = encoder->out->size;
    bool nested = value.type == VALUE_LIST && element->kind != TYPE_JSON;
    enum encoded encoded = encode(encoder, nested ? array : element, value);
    if (encoded == ENCODED_NULL) {
        strbuf_adds(encoder->out, "NULL");
        return ENCODED_TEXT;
    }
    if (encoded == ENCODED_TEXT && !nested) {
        quote_from(encoder->out, start, '\\');
    }
    return encoded;
}

/* True if all items that are lists have one length, and none stands beside a scalar: PostgreSQL's
 * arrays are rectangular. */
static bool is_ragged(const struct type *element, struct value list)
{
    if (list.type != VALUE_LIST || element->kind == TYPE_JSON) {
        return false;
    }
    const struct list *items = list.as.list;
    for (size_t i = 1; i < items->count; i++) {
        bool first = items->items[0].type == VALUE_LIST;
        bool this = items->items[i].type == VALUE_LIST;
        if (first != this ||
            (first && items->items[0].as.list->count != items->items[i].as.list->count)) {
            return true;
        }
    }
    return false;
}

static enum encoded encode_array(struct encoder *encoder, const struct type *type,
                                 struct value value)
{
    const struct type *element = types_get(encoder->types, type->element);
    struct value_iter iter;
    struct value item;
    if (is_ragged(element, value)) {
        error_set(encoder->err, ERROR_MACHINE,
                  "the lists in a list for type %s must all have the same length", type->name);
        return ENCODED_FAILED;
    }
    if (!value_iter_begin(&iter, value, &encoder->arena, encoder->err)) {
        return no_form(encoder, type, value);
    }
    enum encoded encoded = ENCODED_TEXT;
    bool first = true;
    strbuf_addc(encoder->out, '{');
    while (encoded == ENCODED_TEXT && value_iter_next(&iter, &item)) {
        if (!first) {
            strbuf_addc(encoder->out, type->delimiter);
        }
        first = false;
        encoded = encode_element(encoder, type, element, item);
    }
    value_iter_end(&iter);
    strbuf_addc(encoder->out, '}');
    return encoded;
}

static enum encoded encode_tuple(struct encoder *encoder, const struct type *type,
                                 struct value value)
{
    const struct tuple *tuple = value.as.tuple;
    if (tuple->count != type->field_count) {
        error_set(encoder->err, ERROR_MACHINE, "a tuple of %zu for type %s, which has %zu fields",
                  tuple->count, type->name, type->field_count);
        return ENCODED_FAILED;
    }
    strbuf_addc(encoder->out, '(');
    for (size_t i = 0; i < tuple->count; i++) {
        if (i > 0) {
            strbuf_addc(encoder->out, ',');
        }
        size_t start = encoder->out->size;
        enum encoded encoded =
            encode(encoder, types_get(encoder->types, type->fields[i]), tuple->items[i]);
        if (encoded == ENCODED_FAILED) {
            return encoded;
        }
        if (encoded == ENCODED_TEXT) {
            quote_from(encoder->out, start, '"');
        }
    }
    strbuf_addc(encoder->out, ')');
    return ENCODED_TEXT;
}

static enum encoded encode_json(const struct encoder *encoder, struct value value)
{
    return json_encode_as_server(value, encoder->out, encoder->err) ? ENCODED_TEXT : ENCODED_FAILED;
}

static enum encoded encode_bytes(const struct encoder *encoder, struct value value)
{
    static const char digits[] = "0123456789abcdef";
    const struct bytes *bytes = value.as.bytes;
    size_t start = encoder->out->size + 2;
    strbuf_adds(encoder->out, "\\x");
    strbuf_fill(encoder->out, '0', bytes->size * 2);
    for (size_t i = 0; i < bytes->size; i++) {
        encoder->out->data[start + 2 * i] = digits[bytes->data[i] >> 4U];
        encoder->out->data[start + 2 * i + 1] = digits[bytes->data[i] & 15U];
    }
    return ENCODED_TEXT;
}

static enum encoded encode_bool(const struct encoder *encoder, struct value value)
{
    strbuf_adds(encoder->out, value.as.boolean ? "true" : "false");
    return ENCODED_TEXT;
}

/* Integers take what is one, however it is written: 3.0 too, which int4's own input refuses. */
static enum encoded encode_number(struct encoder *encoder, const struct type *type,
                                  struct value value)
{
    if (type->kind == TYPE_INT && value.type != VALUE_INT) {
        struct value whole;
        if (!int_from_number(&encoder->arena, value, &whole, encoder->err) ||
            number_compare(whole, value) != 0) {
            struct strbuf text = {0};
            number_text(value, &text);
            error_set(encoder->err, ERROR_MACHINE, "%s is not a whole number, which type %s needs",
                      strbuf_text(&text), type->name);
            strbuf_free(&text);
            return ENCODED_FAILED;
        }
        value = whole;
    }
    number_text(value, encoder->out);
    return ENCODED_TEXT;
}

static bool takes_numbers(const struct type *type)
{
    return type->kind == TYPE_INT || type->kind == TYPE_NUMERIC || type->kind == TYPE_FLOAT ||
           type->kind == TYPE_TEXT || type->kind == TYPE_OTHER;
}

static enum encoded encode_scalar(struct encoder *encoder, const struct type *type,
                                  struct value value)
{
    if (value.type == VALUE_STRING) {
        strbuf_add(encoder->out, value.as.string->data, value.as.string->size);
        return ENCODED_TEXT;
    }
    if (value_is_number(value) && takes_numbers(type)) {
        return encode_number(encoder, type, value);
    }
    if (value.type == VALUE_BOOL &&
        (type->kind == TYPE_BOOL || type->kind == TYPE_TEXT || type->kind == TYPE_OTHER)) {
        return encode_bool(encoder, value);
    }
    if (value.type == VALUE_BYTES && type->kind == TYPE_BYTES) {
        return encode_bytes(encoder, value);
    }
    if (value.type == VALUE_DICT && type->kind == TYPE_TEXT) {
        return encode_json(encoder, value);
    }
    return no_form(encoder, type, value);
}

static enum encoded encode(struct encoder *encoder, const struct type *type, struct value value)
{
    if (value.type == VALUE_NONE) {
        return ENCODED_NULL;
    }
    if (type->kind == TYPE_JSON) {
        return encode_json(encoder, value);
    }
    if (encoder->depth >= NESTING_MAX) {
        error_set(encoder->err, ERROR_LIMIT, "a value for type %s is nested too deeply",
                  type->name);
        return ENCODED_FAILED;
    }
    encoder->depth++;
    enum encoded encoded = type->kind == TYPE_ARRAY && is_sequence(value)
                               ? encode_array(encoder, type, value)
                           : type->kind == TYPE_TUPLE && value.type == VALUE_TUPLE
                               ? encode_tuple(encoder, type, value)
                               : encode_scalar(encoder, type, value);
    encoder->depth--;
    return encoded;
}

enum encoded encode_value(const struct types *types, const struct type *type, struct value value,
                          struct strbuf *out, struct error *err)
{
    struct encoder encoder = {.types = types, .out = out, .err = err};
    enum encoded encoded = encode(&encoder, type, value);
    arena_free(&encoder.arena);
    if (encoded == ENCODED_FAILED && value.type == VALUE_LIST && type->kind != TYPE_ARRAY) {
        error_hint(err, "add a cast to the parameter in the SQL, as in :x::int[]");
    }
    return encoded;
}

enum encoded encode_pasted(struct value value, struct strbuf *out, struct error *err)
{
    static const struct type pasted = {.name = "text (it is pasted)", .kind = TYPE_TEXT};
    struct encoder encoder = {.out = out, .err = err};
    if (value.type == VALUE_BYTES) {
        return encode_bytes(&encoder, value);
    }
    return value.type == VALUE_NONE ? ENCODED_NULL : encode_scalar(&encoder, &pasted, value);
}
