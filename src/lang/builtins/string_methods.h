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

/* Checks the number of arguments and charges for a walk through the string; the string as text. */
bool string_begin(const struct native_call *call, const char *name, size_t max, struct text *self,
                  struct error *err);
/* Argument `index` as text. */
bool string_arg(const struct native_call *call, const char *name, size_t index, struct text *out,
                struct error *err);
struct value string_new(const struct native_call *call, struct text text);
/* The text as a string, if there is room for it; frees the buffer. */
bool string_take(const struct native_call *call, struct strbuf *text, struct value *out,
                 struct error *err);
/* The first or last place of `part` in `whole`, or NULL. */
const char *text_find(struct text whole, struct text part);
const char *text_find_last(struct text whole, struct text part);
/* Charges for text_find_last, which may look at each byte of `part` at each place. */
bool charge_find_last(const struct native_call *call, struct text whole, struct text part,
                      struct error *err);

/* string_search.c */
native_fn string_count, string_endswith, string_find, string_index, string_replace, string_rfind,
    string_rindex, string_startswith, string_removeprefix, string_removesuffix, string_join,
    string_elems_call, bytes_elems_call;
/* string_split.c */
native_fn string_split, string_rsplit, string_splitlines, string_partition, string_rpartition,
    string_strip, string_lstrip, string_rstrip;
/* string_case.c */
native_fn string_capitalize, string_lower, string_title, string_upper, string_isalnum,
    string_isalpha, string_isdigit, string_islower, string_isspace, string_istitle, string_isupper;

#endif
