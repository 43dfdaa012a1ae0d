#include "value/json/json.h"
#include "value/number/numeric.h"
#include "value/walk.h"

#include <string.h>

struct encoder {
    struct strbuf *out;
    size_t start; /* out->size at the beginning */
    bool as_server;
    struct walk walk;
    struct error *err;
};

static bool encode_value(struct encoder *encoder, struct value value);

static void encode_string(struct strbuf *out, const char *data, size_t length)
{
    static const char meanings[] = "\"\\\b\f\n\r\t";
    static const char letters[] = "\"\\bfnrt";
    strbuf_addc(out, '"');
    size_t plain = 0; /* the start of the text before `i` that is not written yet */
    for (size_t i = 0; i < length; i++) {
        char c = data[i];
        if ((unsigned char)c >= 0x20U && c != '"' && c != '\\') {
            continue;
        }
        strbuf_add(out, data + plain, i - plain);
        plain = i + 1;
        const char *escape = c ? strchr(meanings, c) : NULL;
        if (escape) {
            strbuf_addc(out, '\\');
            strbuf_addc(out, letters[escape - meanings]);
        } else {
            strbuf_addf(out, "\\u%04x", (unsigned)(unsigned char)c);
        }
    }
    strbuf_add(out, data + plain, length - plain);
    strbuf_addc(out, '"');
}

static bool no_form(const struct encoder *encoder, struct value value)
{
    (void)error_set(encoder->err, ERROR_MACHINE, "JSON has no form for a value of type %s",
                    value_type_name(value));
    if (value.type == VALUE_SET || value.type == VALUE_BAG) {
        error_hint(encoder->err, "make it a list: sorted(x) or list(x)");
    }
    return false;
}

static bool encode_number(struct encoder *encoder, struct value value)
{
    const char *quote = numeric_kind_of(value) == NUMERIC_FINITE ? "" : "\"";
    if (*quote && !encoder->as_server) {
        (void)error_set(encoder->err, ERROR_MACHINE, "JSON has no form for NaN and infinity");
        return error_hint(encoder->err, "make it a string: str(x)");
    }
    strbuf_adds(encoder->out, quote);
    number_text(value, encoder->out);
    strbuf_adds(encoder->out, quote);
    return true;
}

static bool encode_array(struct encoder *encoder, struct items items)
{
    strbuf_addc(encoder->out, '[');
    for (size_t i = 0; i < items.count; i++) {
        if (i) {
            strbuf_addc(encoder->out, ',');
        }
        if (!encode_value(encoder, items.items[i])) {
            return false;
        }
    }
    strbuf_addc(encoder->out, ']');
    return true;
}

/* "\\x00ff", with the backslash as JSON writes it */
static void encode_bytes(struct strbuf *out, const struct bytes *bytes)
{
    strbuf_adds(out, "\"\\\\x");
    for (size_t i = 0; i < bytes->size; i++) {
        strbuf_addf(out, "%02x", (unsigned)(unsigned char)bytes->data[i]);
    }
    strbuf_addc(out, '"');
}

/* The key and the value of a member; `first` begins the object. */
static bool encode_member(struct encoder *encoder, bool first, const char *key, size_t size,
                          struct value value)
{
    strbuf_addc(encoder->out, first ? '{' : ',');
    encode_string(encoder->out, key, size);
    strbuf_addc(encoder->out, ':');
    return encode_value(encoder, value);
}

/* A row by the names of its columns. */
static bool encode_row(struct encoder *encoder, const struct tuple *row)
{
    for (size_t i = 0; i < row->count; i++) {
        const char *name = row->names[i];
        if (!encode_member(encoder, i == 0, name, strlen(name), row->items[i])) {
            return false;
        }
    }
    strbuf_adds(encoder->out, row->count ? "}" : "{}");
    return true;
}

static bool encode_dict(struct encoder *encoder, const struct table *table)
{
    const struct table_entry *entry;
    for (size_t i = 0; (entry = table_next(table, &i));) {
        if (entry->key.type != VALUE_STRING) {
            (void)error_set(encoder->err, ERROR_MACHINE, "a key of type %s can't be a key in JSON",
                            value_type_name(entry->key));
            return error_hint(encoder->err, "make it a string: str(key)");
        }
        const struct string *key = entry->key.as.string;
        if (!encode_member(encoder, entry == table_first(table), key->data, key->size,
                           entry->value)) {
            return false;
        }
    }
    strbuf_adds(encoder->out, table->count ? "}" : "{}");
    return true;
}

static bool encode_nested(struct encoder *encoder, struct value value)
{
    if (!walk_enter(&encoder->walk, value)) {
        return walk_error(&encoder->walk, "write as JSON", encoder->err);
    }
    bool is_row = encoder->as_server && value.type == VALUE_TUPLE && value.as.tuple->names;
    bool done = value.type == VALUE_DICT ? encode_dict(encoder, value.as.table)
                : is_row                 ? encode_row(encoder, value.as.tuple)
                                         : encode_array(encoder, value_items(value));
    walk_leave(&encoder->walk);
    return done;
}

static bool encode_value(struct encoder *encoder, struct value value)
{
    if (encoder->out->size - encoder->start > WALK_TEXT_MAX) {
        return error_set(encoder->err, ERROR_LIMIT, "the JSON text is longer than %d MiB",
                         WALK_TEXT_MAX >> 20);
    }
    switch (value.type) {
    case VALUE_NONE:
    case VALUE_JSON_NULL:
        strbuf_adds(encoder->out, "null");
        return true;
    case VALUE_BOOL:
        strbuf_adds(encoder->out, value.as.boolean ? "true" : "false");
        return true;
    case VALUE_INT:
    case VALUE_NUMERIC:
    case VALUE_FLOAT:
        return encode_number(encoder, value);
    case VALUE_STRING:
        encode_string(encoder->out, value.as.string->data, value.as.string->size);
        return true;
    case VALUE_LIST:
    case VALUE_TUPLE:
    case VALUE_DICT:
        return encode_nested(encoder, value);
    case VALUE_BYTES:
        if (encoder->as_server) {
            encode_bytes(encoder->out, value.as.bytes);
            return true;
        }
        return no_form(encoder, value);
    case VALUE_SET:
    case VALUE_BAG:
    case VALUE_MULTIPLE:
    case VALUE_ERROR:
    case VALUE_OBJECT:
    default:
        return no_form(encoder, value);
    }
}

bool json_encode(struct value value, struct strbuf *out, struct error *err)
{
    struct encoder encoder = {.out = out, .start = out->size, .err = err};
    return encode_value(&encoder, value);
}

bool json_encode_as_server(struct value value, struct strbuf *out, struct error *err)
{
    struct encoder encoder = {.out = out, .start = out->size, .err = err, .as_server = true};
    return encode_value(&encoder, value);
}
