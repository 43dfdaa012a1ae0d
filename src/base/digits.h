/* ASCII digits, independent of the locale. */
#ifndef BASE_DIGITS_H
#define BASE_DIGITS_H

#include <stdbool.h>

static inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* The value of a digit of a base up to 36, in either case; 99 for any other character. */
static inline unsigned digit_value(char c)
{
    return is_digit(c)            ? (unsigned)(c - '0')
           : c >= 'a' && c <= 'z' ? (unsigned)(c - 'a' + 10)
           : c >= 'A' && c <= 'Z' ? (unsigned)(c - 'A' + 10)
                                  : 99;
}

/* The value of a hexadecimal digit, or -1. */
static inline int hex_digit(char c)
{
    unsigned value = digit_value(c);
    return value < 16 ? (int)value : -1;
}

#endif
