/* UTF-8, as in RFC 3629: no overlong forms, no surrogates, nothing past U+10FFFF. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UTF8_MAX = 4 };

/* Returns the size of the character at `text` (1 to 4 bytes), and sets `*code` to its code point; 0
 * if the bytes are not valid UTF-8 or `size` is 0. */
size_t utf8_decode(const char *text, size_t size, uint32_t *code);
/* Writes the character, and returns its size (1 to 4 bytes); 0 for a code point that UTF-8 can't
 * encode. */
size_t utf8_encode(uint32_t code, char out[UTF8_MAX]);
/* The offset of the first invalid byte; `size` if there is none. */
size_t utf8_invalid_at(const char *text, size_t size);
/* The number of characters in valid text. */
size_t utf8_length(const char *text, size_t size);
/* The byte offset of character `index` in valid text; `size` if the text has fewer characters. */
size_t utf8_offset(const char *text, size_t size, size_t index);
/* The largest size <= `size` that does not cut a character of `text` in two. */
size_t utf8_cut(const char *text, size_t size);

#endif
