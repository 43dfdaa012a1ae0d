/*
 * Unicode: what kind of character, and its other case. Simple mappings, one character to one, as
 * PostgreSQL's upper() and lower() use them ("ß" stays as it is). The data are generated
 * (unicode_data.py), so that nothing depends on the C library's locale.
 */
#ifndef LANG_UNICODE_H
#define LANG_UNICODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool unicode_is_alpha(uint32_t code); /* a letter */
bool unicode_is_mark(uint32_t code);  /* a combining mark */
bool unicode_is_digit(uint32_t code); /* a decimal digit of any script */
bool unicode_is_space(uint32_t code);
bool unicode_is_upper(uint32_t code); /* title case letters are neither upper nor lower */
bool unicode_is_lower(uint32_t code);
bool unicode_is_title(uint32_t code);
uint32_t unicode_upper(uint32_t code);
uint32_t unicode_lower(uint32_t code);
uint32_t unicode_title(uint32_t code);

struct unicode_range {
    uint32_t first;
    uint32_t last;
    uint32_t stride; /* 1, or 2: every other code point */
    int32_t delta;   /* of a mapping: added to the code point */
};

/* Ascending; no two overlap. */
struct unicode_table {
    const struct unicode_range *ranges;
    size_t count;
};

extern const struct unicode_table unicode_data_alpha;
extern const struct unicode_table unicode_data_mark;
extern const struct unicode_table unicode_data_digit;
extern const struct unicode_table unicode_data_space;
extern const struct unicode_table unicode_data_is_upper;
extern const struct unicode_table unicode_data_is_lower;
extern const struct unicode_table unicode_data_is_title;
extern const struct unicode_table unicode_data_to_upper;
extern const struct unicode_table unicode_data_to_lower;
extern const struct unicode_table unicode_data_to_title;

#endif
