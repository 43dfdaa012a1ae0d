/* UTF-8, as in RFC 3629: no overlong forms, no surrogates, nothing past U+10FFFF. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UTF8_MAX = 4 };

/* Bytes of the character at `text` (1 to 4), with its code point in `*code`; 0 where the bytes are
 * not valid UTF-8 or `size` is 0. */
size_t utf8_decode(const char *text, size_t size, uint32_t *code);
/* Writes the character, returns how many bytes (1 to 4); 0 for a code point that has no form. */
size_t utf8_encode(uint32_t code, char out[UTF8_MAX]);
/* Where the first invalid byte is; `size` if there is none. */
size_t utf8_invalid_at(const char *text, size_t size);
/* Characters in valid text. */
size_t utf8_length(const char *text, size_t size);
/* Byte offset of character `index` in valid text; `size` where there are not so many. */
size_t utf8_offset(const char *text, size_t size, size_t index);
/* The largest size <= `size` that does not cut a character of `text` in two. */
size_t utf8_cut(const char *text, size_t size);

#endif
