/*
 * Kinds of Unicode characters, by libunistring, which ignores the C library's locale. To change
 * case, use its uc_toupper, uc_tolower and uc_totitle: like PostgreSQL's upper() and lower(), they
 * map each character to one character ("ß" stays "ß").
 */
#ifndef LANG_UNICODE_H
#define LANG_UNICODE_H

#include <stdbool.h>
#include <stdint.h>

bool unicode_is_alpha(uint32_t code); /* a letter */
bool unicode_is_mark(uint32_t code);  /* a combining mark */
bool unicode_is_digit(uint32_t code); /* a decimal digit of any script */
bool unicode_is_space(uint32_t code);
bool unicode_is_upper(uint32_t code); /* title case letters are neither upper nor lower */
bool unicode_is_lower(uint32_t code);
bool unicode_is_title(uint32_t code);

#endif
