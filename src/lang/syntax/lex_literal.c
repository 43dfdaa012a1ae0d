/* Literals (numbers, strings, bytes), and the lexer's errors. */
#include "lang/syntax/lexer.h"

#include "base/digits.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "value/number/numeric.h"

#include <assert.h>
#include <string.h>

bool lexer_vfail(struct lexer *lexer, uint32_t pos, const char *hint, const char *format,
                 va_list args)
{
    assert(pos <= lexer->size);
    if (!lexer->failed) {
        (void)error_vat(lexer->err, ERROR_MACHINE, snippet_pos(lexer->snippet, pos), format, args);
        if (hint) {
            error_hint(lexer->err, "%s", hint);
        }
        lexer->failed = true;
    }
    return false;
}

bool lexer_fail(struct lexer *lexer, uint32_t pos, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)lexer_vfail(lexer, pos, NULL, format, args);
    va_end(args);
    return false;
}

static char peek_at(const struct lexer *lexer, uint32_t at)
{
    return at < lexer->size ? lexer->text[at] : '\0';
}

static uint32_t skip_digits(const struct lexer *lexer, uint32_t at)
{
    while (is_digit(peek_at(lexer, at))) {
        at++;
    }
    return at;
}

/* The end of 0x…, 0o… or 0b… at `at`, or `at` if there is none. */
static uint32_t skip_prefixed(const struct lexer *lexer, uint32_t at)
{
    if (peek_at(lexer, at) != '0' || !peek_at(lexer, at + 1) ||
        !strchr("xXoObB", peek_at(lexer, at + 1))) {
        return at;
    }
    at += 2;
    while (hex_digit(peek_at(lexer, at)) >= 0) {
        at++;
    }
    return at;
}

/* The end of the fraction and exponent after a number's whole part. */
static uint32_t skip_fraction(const struct lexer *lexer, uint32_t at)
{
    if (peek_at(lexer, at) == '.') {
        at = skip_digits(lexer, at + 1);
    }
    char e = peek_at(lexer, at);
    if (e == 'e' || e == 'E') {
        char sign = peek_at(lexer, at + 1);
        uint32_t digits = at + 1 + (sign == '+' || sign == '-');
        if (is_digit(peek_at(lexer, digits))) {
            at = skip_digits(lexer, digits);
        }
    }
    return at;
}

/* Checks for characters that may not follow a number directly: `1_000`, `12abc`. */
static bool number_ends(struct lexer *lexer, uint32_t start, uint32_t end)
{
    if (end < lexer->size && name_character(lexer->text + end, lexer->size - end, false)) {
        (void)lexer_fail(lexer, start, "this is no number");
        if (peek_at(lexer, end) == '_') {
            error_hint(lexer->err, "digits are written without _ between them");
        } else {
            error_hint(lexer->err, "a name can't begin with a digit");
        }
        return false;
    }
    return true;
}

/* Adds the position to an error of the value module. */
static bool literal_error(struct lexer *lexer, uint32_t start)
{
    if (lexer->err) {
        lexer->err->pos = snippet_pos(lexer->snippet, start);
    }
    lexer->failed = true;
    return false;
}

static bool read_whole(struct lexer *lexer, uint32_t start, uint32_t end, struct token *token)
{
    const char *text = lexer->text + start;
    bool prefixed = end - start > 1 && !is_digit(text[1]);
    if (!prefixed && text[0] == '0' && end - start > 1) {
        (void)lexer_fail(lexer, start, "a whole number can't begin with 0");
        return error_hint(lexer->err, "octal numbers are written 0o17");
    }
    return int_from_text(lexer->arena, text, end - start, prefixed ? 0 : 10, &token->value,
                         lexer->err) ||
           literal_error(lexer, start);
}

bool lexer_number(struct lexer *lexer, struct token *token)
{
    assert(lexer->at < lexer->size);
    uint32_t start = lexer->at;
    uint32_t end = skip_prefixed(lexer, start);
    bool whole = end != start;
    if (!whole) {
        uint32_t digits = skip_digits(lexer, start);
        end = skip_fraction(lexer, digits);
        whole = end == digits;
    }
    if (!number_ends(lexer, start, end)) {
        return false;
    }
    lexer->at = end;
    token->kind = TOKEN_LITERAL;
    if (whole) {
        return read_whole(lexer, start, end, token);
    }
    return numeric_from_text(lexer->arena, lexer->text + start, end - start, &token->value,
                             lexer->err) ||
           literal_error(lexer, start);
}

bool lexer_string_starts(const struct lexer *lexer, uint32_t *prefix_size)
{
    uint32_t at = lexer->at;
    while (at - lexer->at < 2 && peek_at(lexer, at) && strchr("rbfuRBFU", peek_at(lexer, at))) {
        at++;
    }
    *prefix_size = at - lexer->at;
    return peek_at(lexer, at) == '"' || peek_at(lexer, at) == '\'';
}

enum string_kind { STRING_TEXT, STRING_BYTES };

struct literal {
    struct lexer *lexer;
    enum string_kind kind;
    bool raw;
    bool triple;
    char quote;
    uint32_t start; /* of the literal */
    uint32_t at;
    struct strbuf out;
};

static bool read_prefix(struct literal *literal, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++) {
        char c = literal->lexer->text[literal->start + i];
        if (c == 'f' || c == 'F') {
            (void)lexer_fail(literal->lexer, literal->start, "there are no f-strings here");
            return error_hint(literal->lexer->err,
                              "write \"{} of {}\".format(a, b), or \"%%s of %%s\" %% (a, b)");
        }
        if ((c == 'r' && !literal->raw) || (c == 'b' && literal->kind == STRING_TEXT)) {
            literal->raw = literal->raw || c == 'r';
            literal->kind = c == 'b' ? STRING_BYTES : literal->kind;
            continue;
        }
        (void)lexer_fail(literal->lexer, literal->start, "a string can't begin with '%.*s'",
                         (int)size, literal->lexer->text + literal->start);
        return error_hint(literal->lexer->err, "r\"...\" is a raw string, b\"...\" are bytes");
    }
    return true;
}

/* Appends a code point or (in bytes, by \x and octal) a byte. */
static bool add_code(struct literal *literal, uint32_t escape, uint32_t code, bool byte)
{
    if (byte && literal->kind == STRING_BYTES) {
        strbuf_addc(&literal->out, (char)(unsigned char)code);
        return true;
    }
    if (byte && code > 127) {
        (void)lexer_fail(literal->lexer, escape, "this escape stands for no character");
        return error_hint(literal->lexer->err,
                          "write \\u%04x for the character, or b\"...\" for bytes", (unsigned)code);
    }
    if (code == 0 && literal->kind == STRING_TEXT) {
        return lexer_fail(literal->lexer, escape,
                          "a string can't hold the character NUL, as PostgreSQL's text can't");
    }
    char utf8[UTF8_MAX];
    size_t size = utf8_encode(code, utf8);
    if (size == 0) {
        return lexer_fail(literal->lexer, escape, "U+%04X is no character", (unsigned)code);
    }
    strbuf_add(&literal->out, utf8, size);
    return true;
}

/* Reads `count` hexadecimal digits after \x, \u or \U. */
static bool add_hex(struct literal *literal, uint32_t escape, uint32_t count)
{
    uint32_t code = 0;
    for (uint32_t i = 0; i < count; i++) {
        char c = peek_at(literal->lexer, literal->at);
        if (hex_digit(c) < 0) {
            return lexer_fail(literal->lexer, escape, "this escape takes %u hexadecimal digits",
                              (unsigned)count);
        }
        code = code << 4 | digit_value(c);
        literal->at++;
    }
    return add_code(literal, escape, code, count == 2);
}

static bool add_octal(struct literal *literal, uint32_t escape)
{
    uint32_t code = 0;
    for (int i = 0; i < 3; i++) {
        char c = peek_at(literal->lexer, literal->at);
        if (c < '0' || c > '7') {
            break;
        }
        code = code << 3 | digit_value(c);
        literal->at++;
    }
    if (code > 255) {
        return lexer_fail(literal->lexer, escape, "this escape is more than a byte");
    }
    return add_code(literal, escape, code, true);
}

/* Reads the escape whose backslash is at `at`. */
static bool add_escape(struct literal *literal)
{
    static const char letters[] = "abfnrtv\\'\"";
    static const char meanings[] = "\a\b\f\n\r\t\v\\'\"";
    uint32_t escape = literal->at++;
    char c = peek_at(literal->lexer, literal->at);
    const char *letter = c ? strchr(letters, c) : NULL;
    if (letter) {
        strbuf_addc(&literal->out, meanings[letter - letters]);
        literal->at++;
        return true;
    }
    if (c >= '0' && c <= '7') {
        return add_octal(literal, escape);
    }
    if (c == 'x' || c == 'u' || c == 'U') {
        literal->at++;
        return add_hex(literal, escape, c == 'x' ? 2 : c == 'u' ? 4 : 8);
    }
    if (c == '\n' || (c == '\r' && peek_at(literal->lexer, literal->at + 1) == '\n')) {
        literal->at += c == '\r' ? 2 : 1;
        return true;
    }
    (void)lexer_fail(literal->lexer, escape, "an unknown escape");
    return error_hint(literal->lexer->err, "write \\\\ for a backslash, or a raw string r\"...\"");
}

static bool at_end(const struct literal *literal)
{
    const struct lexer *lexer = literal->lexer;
    return peek_at(lexer, literal->at) == literal->quote &&
           (!literal->triple || (peek_at(lexer, literal->at + 1) == literal->quote &&
                                 peek_at(lexer, literal->at + 2) == literal->quote));
}

/* Reads one character, escape or newline. */
static bool add_next(struct literal *literal)
{
    struct lexer *lexer = literal->lexer;
    char c = peek_at(lexer, literal->at);
    if (literal->at >= lexer->size || (c == '\n' && !literal->triple)) {
        (void)lexer_fail(lexer, literal->start, "this string is never closed");
        if (!literal->triple) {
            error_hint(lexer->err, "write a string of several lines as \"\"\"...\"\"\"");
        }
        return false;
    }
    if (c == '\\' && !literal->raw) {
        return add_escape(literal);
    }
    if (c == '\r' && peek_at(lexer, literal->at + 1) == '\n') {
        literal->at++; /* newlines become \n */
        return true;
    }
    if (c == '\\' && literal->at + 1 < lexer->size) {
        strbuf_addc(&literal->out,
                    c); /* raw: an escaped quote keeps its backslash and does not end the string */
        literal->at++;
        c = peek_at(lexer, literal->at);
    }
    strbuf_addc(&literal->out, c);
    literal->at++;
    return true;
}

static bool read_body(struct literal *literal)
{
    while (!at_end(literal)) {
        if (!add_next(literal)) {
            return false;
        }
    }
    literal->at += literal->triple ? 3 : 1;
    return true;
}

bool lexer_string(struct lexer *lexer, uint32_t prefix_size, struct token *token)
{
    assert(lexer->size - lexer->at > prefix_size);
    struct literal literal = {.lexer = lexer, .start = lexer->at, .at = lexer->at + prefix_size};
    if (!read_prefix(&literal, prefix_size)) {
        return false;
    }
    literal.quote = peek_at(lexer, literal.at);
    literal.triple = peek_at(lexer, literal.at + 1) == literal.quote &&
                     peek_at(lexer, literal.at + 2) == literal.quote;
    literal.at += literal.triple ? 3 : 1;
    bool ok = read_body(&literal);
    if (ok) {
        const char *data = strbuf_text(&literal.out);
        token->kind = TOKEN_LITERAL;
        token->value = literal.kind == STRING_BYTES
                           ? value_bytes(lexer->arena, data, literal.out.size)
                           : value_string(lexer->arena, data, literal.out.size);
        lexer->at = literal.at;
    }
    strbuf_free(&literal.out);
    return ok;
}
