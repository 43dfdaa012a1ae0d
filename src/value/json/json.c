#include "value/json/json.h"

#include "base/digits.h"
#include "base/utf8.h"
#include "value/number/numeric.h"
#include "value/walk.h"

#include <string.h>

/* Reads from `at`; a NUL is never part of JSON, so `peek` gives it at the end. */
struct reader {
    struct arena *arena;
    const char *text;
    size_t size;
    size_t at;
    unsigned depth;
    struct strbuf string; /* the one being read */
    struct error *err;
};

static char peek_char(const struct reader *reader)
{
    return reader->at < reader->size ? reader->text[reader->at] : '\0';
}

static void skip_space(struct reader *reader)
{
    while (peek_char(reader) == ' ' || peek_char(reader) == '\t' || peek_char(reader) == '\n' ||
           peek_char(reader) == '\r') {
        reader->at++;
    }
}

/* Always false: "bad JSON at character 7: expected ':'". */
static bool bad_json(const struct reader *reader, const char *what)
{
    return error_set(reader->err, ERROR_MACHINE, "bad JSON at character %zu: %s",
                     utf8_length(reader->text, reader->at) + 1, what);
}

static bool accept(struct reader *reader, char c)
{
    if (reader->at < reader->size && reader->text[reader->at] == c) {
        reader->at++;
        return true;
    }
    return false;
}

static bool read_hex(struct reader *reader, uint32_t *out)
{
    *out = 0;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(peek_char(reader));
        if (digit < 0) {
            return bad_json(reader, "expected four hexadecimal digits after \\u");
        }
        *out = *out << 4U | (uint32_t)digit;
        reader->at++;
    }
    return true;
}

/* Reads \uXXXX, or two of them that form a pair of surrogates. */
static bool read_unicode(struct reader *reader, struct strbuf *out)
{
    uint32_t code;
    uint32_t low;
    char bytes[UTF8_MAX];
    if (!read_hex(reader, &code)) {
        return false;
    }
    if (code == 0) {
        return bad_json(reader, "\\u0000 is not allowed in a string");
    }
    if (code >= 0xD800U && code <= 0xDBFFU) {
        if (!accept(reader, '\\') || !accept(reader, 'u')) {
            return bad_json(reader, "half of a surrogate pair");
        }
        if (!read_hex(reader, &low)) {
            return false;
        }
        if (low < 0xDC00U || low > 0xDFFFU) {
            return bad_json(reader, "half of a surrogate pair");
        }
        code = 0x10000U + ((code - 0xD800U) << 10U) + (low - 0xDC00U);
    }
    size_t size = utf8_encode(code, bytes);
    strbuf_add(out, bytes, size);
    return size || bad_json(reader, "half of a surrogate pair");
}

static bool read_escape(struct reader *reader, struct strbuf *out)
{
    static const char letters[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";
    char c = peek_char(reader);
    if (c == 'u') {
        reader->at++;
        return read_unicode(reader, out);
    }
    const char *letter = c ? strchr(letters, c) : NULL;
    if (!letter) {
        return bad_json(reader, "unknown escape in a string");
    }
    reader->at++;
    strbuf_addc(out, meanings[letter - letters]);
    return true;
}

/* Reads a string after its opening quote. */
static bool read_string(struct reader *reader, struct value *out)
{
    struct strbuf *string = &reader->string;
    strbuf_clear(string);
    while (!accept(reader, '"')) {
        unsigned char c = (unsigned char)peek_char(reader);
        if (reader->at >= reader->size) {
            return bad_json(reader, "a string without its closing quote");
        }
        if (c < 0x20U) {
            return bad_json(reader, "a control character in a string must be escaped");
        }
        reader->at++;
        if (c != '\\') {
            strbuf_addc(string, (char)c);
        } else if (!read_escape(reader, string)) {
            return false;
        }
    }
    *out = value_string(reader->arena, strbuf_text(string), string->size);
    return true;
}

static size_t skip_digits(struct reader *reader)
{
    size_t start = reader->at;
    while (is_digit(peek_char(reader))) {
        reader->at++;
    }
    return reader->at - start;
}

static bool read_number(struct reader *reader, struct value *out)
{
    size_t start = reader->at;
    bool exact_int = true;
    (void)accept(reader, '-');
    if (!accept(reader, '0') && skip_digits(reader) == 0) {
        return bad_json(reader, "expected a value");
    }
    if (accept(reader, '.')) {
        exact_int = false;
        if (skip_digits(reader) == 0) {
            return bad_json(reader, "expected digits after the point");
        }
    }
    if (accept(reader, 'e') || accept(reader, 'E')) {
        exact_int = false;
        (void)(accept(reader, '+') || accept(reader, '-'));
        if (skip_digits(reader) == 0) {
            return bad_json(reader, "expected digits of an exponent");
        }
    }
    const char *text = reader->text + start;
    size_t size = reader->at - start;
    return exact_int ? int_from_text(reader->arena, text, size, 10, out, reader->err)
                     : numeric_from_text(reader->arena, text, size, out, reader->err);
}

static bool read_value(struct reader *reader, struct value *out);

static bool read_array(struct reader *reader, struct value *out)
{
    *out = value_list(reader->arena);
    skip_space(reader);
    if (accept(reader, ']')) {
        return true;
    }
    do {
        struct value item;
        if (!read_value(reader, &item)) {
            return false;
        }
        list_append(out->as.list, item);
    } while (accept(reader, ','));
    return accept(reader, ']') || bad_json(reader, "expected ',' or ']'");
}

static bool read_member(struct reader *reader, struct table *table)
{
    struct value key;
    struct value value;
    skip_space(reader);
    if (!accept(reader, '"')) {
        return bad_json(reader, "expected a key in double quotes");
    }
    if (!read_string(reader, &key)) {
        return false;
    }
    skip_space(reader);
    if (!accept(reader, ':')) {
        return bad_json(reader, "expected ':'");
    }
    size_t count = table->count;
    if (!read_value(reader, &value) || !table_set(table, key, value, reader->err)) {
        return false;
    }
    table->base.repeats = table->base.repeats || table->count == count;
    return true;
}

static bool read_object(struct reader *reader, struct value *out)
{
    *out = value_dict(reader->arena);
    skip_space(reader);
    if (accept(reader, '}')) {
        return true;
    }
    do {
        if (!read_member(reader, out->as.table)) {
            return false;
        }
    } while (accept(reader, ','));
    return accept(reader, '}') || bad_json(reader, "expected ',' or '}'");
}

static bool read_word(struct reader *reader, struct value *out)
{
    const struct {
        const char *word;
        struct value value;
    } words[] = {{"null", value_none()}, {"true", value_bool(true)}, {"false", value_bool(false)}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t size = strlen(words[i].word);
        if (reader->size - reader->at >= size &&
            memcmp(reader->text + reader->at, words[i].word, size) == 0) {
            reader->at += size;
            *out = words[i].value;
            return true;
        }
    }
    return bad_json(reader, "expected a value");
}

static bool read_nested(struct reader *reader, struct value *out)
{
    if (reader->depth >= WALK_DEPTH_MAX) {
        return bad_json(reader, "nested deeper than 200");
    }
    reader->depth++;
    bool done = accept(reader, '[') || !accept(reader, '{') ? read_array(reader, out)
                                                            : read_object(reader, out);
    reader->depth--;
    return done;
}

/* Reads a value and the white space around it. */
static bool read_value(struct reader *reader, struct value *out)
{
    bool done;
    skip_space(reader);
    char c = peek_char(reader);
    if (c == '[' || c == '{') {
        done = read_nested(reader, out);
    } else if (c == '-' || is_digit(c)) {
        done = read_number(reader, out);
    } else if (accept(reader, '"')) {
        done = read_string(reader, out);
    } else {
        done = read_word(reader, out);
    }
    skip_space(reader);
    return done;
}

static bool read_string_value(struct reader *reader, struct value *out)
{
    size_t invalid = utf8_invalid_at(reader->text, reader->size);
    if (invalid < reader->size) {
        reader->at = invalid;
        return bad_json(reader, "not valid UTF-8");
    }
    return read_value(reader, out) &&
           (reader->at == reader->size || bad_json(reader, "unexpected text after the value"));
}

bool json_decode(struct arena *arena, const char *text, size_t size, struct value *out,
                 struct error *err)
{
    struct reader reader = {.arena = arena, .text = text, .size = size, .err = err};
    bool read = read_string_value(&reader, out);
    strbuf_free(&reader.string);
    if (read && out->type == VALUE_NONE) {
        *out = value_json_null();
    }
    return read;
}
