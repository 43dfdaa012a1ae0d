#include "base/utf8.h"

#include <unistr.h>

size_t utf8_decode(const char *text, size_t size, uint32_t *code)
{
    if (size && (unsigned char)*text < 0x80U) { /* most text is ASCII, and needs no call */
        *code = (unsigned char)*text;
        return 1;
    }
    ucs4_t character;
    int length = size ? u8_mbtoucr(&character, (const uint8_t *)text, size) : 0;
    if (length <= 0) {
        return 0;
    }
    *code = character;
    return (size_t)length;
}

size_t utf8_encode(uint32_t code, char out[UTF8_MAX])
{
    int length = u8_uctomb((uint8_t *)out, code, UTF8_MAX);
    return length > 0 ? (size_t)length : 0;
}

size_t utf8_invalid_at(const char *text, size_t size)
{
    const uint8_t *invalid = u8_check((const uint8_t *)text, size);
    return invalid ? (size_t)((const char *)invalid - text) : size;
}

static bool is_continuation(const char *text, size_t size, size_t at)
{
    return at < size && ((unsigned char)text[at] & 0xC0U) == 0x80U;
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
