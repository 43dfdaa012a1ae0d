#include "base/utf8.h"

static bool is_continuation(const char *text, size_t size, size_t at)
{
    return at < size && ((unsigned char)text[at] & 0xC0U) == 0x80U;
}

size_t utf8_decode(const char *text, size_t size, uint32_t *code)
{
    if (size == 0) {
        return 0;
    }
    unsigned first = (unsigned char)text[0];
    if (first < 0x80U) {
        *code = first;
        return 1;
    }
    size_t length = first >= 0xF0U ? 4 : first >= 0xE0U ? 3 : 2;
    if (first < 0xC2U || first > 0xF4U) {
        return 0;
    }
    uint32_t value = first & (0x7FU >> length);
    for (size_t i = 1; i < length; i++) {
        if (!is_continuation(text, size, i)) {
            return 0;
        }
        value = value << 6U | ((unsigned char)text[i] & 0x3FU);
    }
    bool overlong = (length == 3 && value < 0x800U) || (length == 4 && value < 0x10000U);
    if (overlong || value > 0x10FFFFU || (value >= 0xD800U && value <= 0xDFFFU)) {
        return 0;
    }
    *code = value;
    return length;
}

size_t utf8_encode(uint32_t code, char out[UTF8_MAX])
{
    if (code < 0x80U) {
        out[0] = (char)code;
        return 1;
    }
    if (code > 0x10FFFFU || (code >= 0xD800U && code <= 0xDFFFU)) {
        return 0;
    }
    size_t length = code < 0x800U ? 2 : code < 0x10000U ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--) {
        out[i] = (char)(0x80U | (code & 0x3FU));
        code >>= 6U;
    }
    out[0] = (char)((0xF00U >> length & 0xFFU) | code);
    return length;
}

size_t utf8_invalid_at(const char *text, size_t size)
{
    size_t at = 0;
    while (at < size) {
        uint32_t code;
        size_t length = utf8_decode(text + at, size - at, &code);
        if (length == 0) {
            return at;
        }
        at += length;
    }
    return size;
}

size_t utf8_length(const char *text, size_t size)
{
    size_t count = 0;
    for (size_t i = 0; i < size; i++) {
        count += ((unsigned char)text[i] & 0xC0U) != 0x80U;
    }
    return count;
}

size_t utf8_offset(const char *text, size_t size, size_t index)
{
    size_t at = 0;
    while (at < size && index > 0) {
        at++;
        while (is_continuation(text, size, at)) {
            at++;
        }
        index--;
    }
    return at;
}

size_t utf8_cut(const char *text, size_t size)
{
    size_t at = size;
    while (at > 0 && size - at < UTF8_MAX && ((unsigned char)text[at - 1] & 0xC0U) == 0x80U) {
        at--;
    }
    if (at == 0) {
        return size;
    }
    uint32_t code;
    /* at - 1 is the first byte of the last character: is all of it there? */
    return utf8_decode(text + at - 1, size - at + 1, &code) == size - at + 1 ? size : at - 1;
}
