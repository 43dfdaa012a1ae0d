/* Methods of strings, by file: searching, splitting, case and kinds of characters. */
#ifndef LANG_STRING_METHODS_H
#define LANG_STRING_METHODS_H

#include "lang/builtins/native.h"

/* A piece of a string. */
struct text {
    const char *data;
    size_t size;
};

/* strings.c */

/* Stands for an invalid byte, which a server may send. */
enum { UNICODE_REPLACEMENT = 0xFFFD };

struct text text_of(struct value string);
/* Gets the string and, unless `part` is NULL, its first argument. Charges for a walk through them.
 */
bool string_begin(const struct native_call *call, struct text *self, struct text *part,
                  struct error *err);
struct value string_new(const struct native_call *call, struct text text);
/* Returns the text as a string, if there is room for it; frees the buffer. */
bool string_take(const struct native_call *call, struct strbuf *text, struct value *out,
                 struct error *err);
/* Cuts `size` bytes off the text's start or end, and returns them. */
struct text text_cut(struct text *text, size_t size, bool at_end);
/* Takes the first character off a text that is not empty. */
struct text text_next(struct text *text, uint32_t *code);
/* The first or last place of `part` in `whole`, or NULL. */
const char *text_find(struct text whole, struct text part, bool last);
/* Charges for text_find of the last place, which may look at each byte of `part` at each place. */
bool charge_find_last(const struct native_call *call, struct text whole, struct text part,
                      struct error *err);

/* Flags that tell functions that share an implementation apart. */
enum {
    AT_START = 1,
    AT_END = 2,
    OR_FAIL = 4, /* if nothing is found */
    /* string_map: words begin after each character without case, not only at the start */
    FIRST_AS_TITLE = 1,
    REST_AS_UPPER = 2,
    EACH_WORD = 4,
};

enum character_test { IS_ALNUM, IS_ALPHA, IS_DIGIT, IS_SPACE, IS_LOWER, IS_UPPER, IS_TITLE };

/* string_search.c */
native_fn string_count, string_find, string_has_end, string_remove_end, string_replace, string_join,
    string_elems, bytes_elems;
/* string_split.c */
native_fn string_split, string_splitlines, string_partition, string_strip;
/* string_case.c */
native_fn string_map, string_test;

#endif
