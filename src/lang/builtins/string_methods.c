#include "lang/builtins/string_methods.h"

#include "lang/builtins/methods.h"

const struct native_function string_methods[] = {
    {"capitalize", string_capitalize, NULL},
    {"count", string_count, NULL},
    {"elems", string_elems_call, NULL},
    {"endswith", string_endswith, NULL},
    {"find", string_find, NULL},
    {"format", format_braces, NULL},
    {"index", string_index, NULL},
    {"isalnum", string_isalnum, NULL},
    {"isalpha", string_isalpha, NULL},
    {"isdigit", string_isdigit, NULL},
    {"islower", string_islower, NULL},
    {"isspace", string_isspace, NULL},
    {"istitle", string_istitle, NULL},
    {"isupper", string_isupper, NULL},
    {"join", string_join, NULL},
    {"lower", string_lower, NULL},
    {"lstrip", string_lstrip, NULL},
    {"partition", string_partition, NULL},
    {"removeprefix", string_removeprefix, NULL},
    {"removesuffix", string_removesuffix, NULL},
    {"replace", string_replace, NULL},
    {"rfind", string_rfind, NULL},
    {"rindex", string_rindex, NULL},
    {"rpartition", string_rpartition, NULL},
    {"rsplit", string_rsplit, NULL},
    {"rstrip", string_rstrip, NULL},
    {"split", string_split, NULL},
    {"splitlines", string_splitlines, NULL},
    {"startswith", string_startswith, NULL},
    {"strip", string_strip, NULL},
    {"title", string_title, NULL},
    {"upper", string_upper, NULL},
    {0},
};

const struct native_function bytes_methods[] = {
    {"elems", bytes_elems_call, NULL},
    {0},
};
