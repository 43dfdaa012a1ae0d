/*
 * Explains values that look alike but differ: a number and its digits as text, NULL and the text
 * NULL, trailing spaces, letters of two scripts. A reader would think that they are equal.
 */
#include "example/compare/compare.h"

#include "base/utf8.h"
#include "lang/builtins/unicode.h"
#include "value/number/numeric.h"

#include <string.h>
#include <strings.h>

enum {
    APART_MAX = 4, /* lookalike texts differ in at most this many characters */
    LAST_ASCII = 0x7F,
};

struct alike {
    struct arena *arena;
    const struct answer_column *column;
    struct value expected;
    struct value actual;
};

static const char *note_reason(const struct alike *alike, const char *why)
{
    return arena_printf(alike->arena, "column %s (%s): %s", alike->column->name,
                        alike->column->type_name, why);
}

/* Names the missing value: NULL, JSON's null, and texts that look like one of them. */
static const char *missing_value(struct value value)
{
    static const char *const texts[] = {"", "NULL", "None"};
    if (value.type == VALUE_NONE) {
        return "NULL (None)";
    }
    if (value.type == VALUE_JSON_NULL) {
        return "the null of json (json_null)";
    }
    for (size_t i = 0; value.type == VALUE_STRING && i < sizeof texts / sizeof *texts; i++) {
        if (strcasecmp(value_cstr(value), texts[i]) == 0) {
            return *texts[i] ? "a text" : "an empty text";
        }
    }
    return NULL;
}

static const char *note_nothing(const struct alike *alike)
{
    const char *expected = missing_value(alike->expected);
    const char *actual = missing_value(alike->actual);
    bool texts = alike->expected.type == VALUE_STRING && alike->actual.type == VALUE_STRING;
    return expected && actual && !texts
               ? note_reason(alike, arena_printf(alike->arena, "the model has %s, the database %s",
                                                 expected, actual))
               : NULL;
}

static bool same_number(struct alike *alike, struct value text, struct value number)
{
    struct value read;
    return value_is_number(number) && text.type == VALUE_STRING &&
           numeric_from_text(alike->arena, text.as.string->data, text.as.string->size, &read,
                             NULL) &&
           number_compare(read, number) == 0;
}

/* "t" and True: psql's and the model's forms. */
static bool same_truth(struct value text, struct value truth)
{
    static const char *const texts[][2] = {{"f", "false"}, {"t", "true"}};
    return truth.type == VALUE_BOOL && text.type == VALUE_STRING &&
           (strcasecmp(value_cstr(text), texts[truth.as.boolean][0]) == 0 ||
            strcasecmp(value_cstr(text), texts[truth.as.boolean][1]) == 0);
}

/* True if both have the same text. */
static bool same_written(struct value a, struct value b,
                         void (*write)(struct value value, struct strbuf *out))
{
    struct strbuf first = {0};
    struct strbuf second = {0};
    write(a, &first);
    write(b, &second);
    bool same = strcmp(strbuf_text(&first), strbuf_text(&second)) == 0;
    strbuf_free(&first);
    strbuf_free(&second);
    return same;
}

/* "3" and 3 */
static const char *note_types(struct alike *alike)
{
    struct value a = alike->expected;
    struct value b = alike->actual;
    bool other = a.type != b.type && !(value_is_number(a) && value_is_number(b));
    if (!other || !(same_number(alike, a, b) || same_number(alike, b, a) || same_truth(a, b) ||
                    same_truth(b, a) || same_written(a, b, value_str))) {
        return NULL;
    }
    return note_reason(alike,
                       arena_printf(alike->arena,
                                    "the model has a value of type %s, the database one of type %s",
                                    value_type_name(a), value_type_name(b)));
}

static size_t spaces_at_end(const struct string *text, size_t *characters)
{
    size_t end = text->size;
    *characters = 0;
    while (end) {
        uint32_t code;
        size_t start = utf8_cut(text->data, end - 1);
        if (!utf8_decode(text->data + start, end - start, &code) || !unicode_is_space(code)) {
            break;
        }
        end = start;
        ++*characters;
    }
    return end;
}

static const char *spaces(const struct alike *alike, size_t count)
{
    return count == 0
               ? "no white space"
               : arena_printf(alike->arena, "%zu white-space character%s", count, plural(count));
}

static const char *note_spaces(const struct alike *alike)
{
    const struct string *a = alike->expected.as.string;
    const struct string *b = alike->actual.as.string;
    size_t after_a;
    size_t after_b;
    size_t end = spaces_at_end(a, &after_a);
    if (spaces_at_end(b, &after_b) != end || after_a == after_b ||
        memcmp(a->data, b->data, end) != 0) {
        return NULL;
    }
    return note_reason(alike, arena_printf(alike->arena,
                                           "the model's text ends with %s, the database's with %s",
                                           spaces(alike, after_a), spaces(alike, after_b)));
}

static size_t next_size(const char *text, size_t size, uint32_t *code)
{
    size_t length = utf8_decode(text, size, code);
    return length ? length : size;
}

/* Appends the code points of the middle, " U+0065 U+0301"; finds their number, and if all are
 * ASCII. */
static size_t add_codes(struct strbuf *out, const char *text, size_t size, bool *plain)
{
    size_t count = 0;
    uint32_t code = 0;
    for (size_t at = 0; at < size; count++) {
        at += next_size(text + at, size - at, &code);
        *plain = *plain && code <= LAST_ASCII;
        if (count < APART_MAX) {
            strbuf_addf(out, "%sU+%04X", count ? " " : "", (unsigned)code);
        }
    }
    return count;
}

/* Texts that differ only in a few characters, not all of them ASCII. */
static const char *note_characters(const struct alike *alike)
{
    const struct string *a = alike->expected.as.string;
    const struct string *b = alike->actual.as.string;
    size_t least = a->size < b->size ? a->size : b->size;
    size_t start = 0;
    size_t end = 0;
    while (start < least && a->data[start] == b->data[start]) {
        start++;
    }
    start = utf8_cut(a->data, start);
    while (end < least - start && a->data[a->size - end - 1] == b->data[b->size - end - 1]) {
        end++;
    }
    while (end && ((unsigned char)a->data[a->size - end] & 0xC0U) == 0x80U) {
        end--; /* not within a character */
    }
    bool plain = true;
    struct strbuf first = {0};
    struct strbuf second = {0};
    size_t expected = add_codes(&first, a->data + start, a->size - end - start, &plain);
    size_t actual = add_codes(&second, b->data + start, b->size - end - start, &plain);
    const char *out = NULL;
    if (!plain && expected <= APART_MAX && actual <= APART_MAX) {
        out = note_reason(alike, arena_printf(alike->arena,
                                              "at character %zu the model has %s, the database %s",
                                              utf8_length(a->data, start) + 1,
                                              expected ? strbuf_text(&first) : "no such character",
                                              actual ? strbuf_text(&second) : "no such character"));
    }
    strbuf_free(&first);
    strbuf_free(&second);
    return out;
}

const char *compare_alike(struct arena *arena, const struct answer_column *column,
                          struct value expected, struct value actual)
{
    struct alike alike = {arena, column, expected, actual};
    if (same_written(expected, actual, value_repr)) {
        return note_reason(&alike,
                           "the values look the same, but the server considers them different");
    }
    const char *out = note_nothing(&alike);
    out = out ? out : note_types(&alike);
    if (!out && expected.type == VALUE_STRING && actual.type == VALUE_STRING) {
        out = note_spaces(&alike);
        out = out ? out : note_characters(&alike);
    }
    return out;
}
