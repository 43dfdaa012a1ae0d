#include "lang/builtins/string_methods.h"

#include "lang/builtins/methods.h"

static const struct native_param part[] = {
    {"part", PARAM_REQUIRED, PARAM_POSITIONAL | PARAM_STRING}, {0}};
static const struct native_param places[] = {
    {"part", PARAM_REQUIRED, PARAM_POSITIONAL | PARAM_STRING},
    {"start", PARAM_OPTIONAL, PARAM_POSITIONAL},
    {"end", PARAM_OPTIONAL, PARAM_POSITIONAL},
    {0}};
static const struct native_param parts_places[] = {{"parts", PARAM_REQUIRED, PARAM_POSITIONAL},
                                                   {"start", PARAM_OPTIONAL, PARAM_POSITIONAL},
                                                   {"end", PARAM_OPTIONAL, PARAM_POSITIONAL},
                                                   {0}};
static const struct native_param replace[] = {
    {"old", PARAM_REQUIRED, PARAM_POSITIONAL | PARAM_STRING},
    {"new", PARAM_REQUIRED, PARAM_POSITIONAL | PARAM_STRING},
    {"count", PARAM_OPTIONAL, PARAM_POSITIONAL | PARAM_UNSET | PARAM_INT},
    {0}};
static const struct native_param split[] = {
    {"sep", PARAM_OPTIONAL, PARAM_STRING}, {"maxsplit", PARAM_OPTIONAL, PARAM_INT}, {0}};
static const struct native_param characters[] = {
    {"characters", PARAM_OPTIONAL, PARAM_POSITIONAL | PARAM_STRING}, {0}};
static const struct native_param keep[] = {{"keep", PARAM_OPTIONAL, PARAM_POSITIONAL}, {0}};

const struct native_function string_methods[] = {
    {"capitalize", string_map, params_none, FIRST_AS_TITLE},
    {"count", string_count, places, 0},
    {"elems", string_elems, params_none, 0},
    {"endswith", string_has_end, parts_places, AT_END},
    {"find", string_find, places, AT_START},
    {"format", format_braces, NULL, 0},
    {"index", string_find, places, AT_START | OR_FAIL},
    {"isalnum", string_test, params_none, IS_ALNUM},
    {"isalpha", string_test, params_none, IS_ALPHA},
    {"isdigit", string_test, params_none, IS_DIGIT},
    {"islower", string_test, params_none, IS_LOWER},
    {"isspace", string_test, params_none, IS_SPACE},
    {"istitle", string_test, params_none, IS_TITLE},
    {"isupper", string_test, params_none, IS_UPPER},
    {"join", string_join, params_items, 0},
    {"lower", string_map, params_none, 0},
    {"lstrip", string_strip, characters, AT_START},
    {"partition", string_partition, part, AT_START},
    {"removeprefix", string_remove_end, part, AT_START},
    {"removesuffix", string_remove_end, part, AT_END},
    {"replace", string_replace, replace, 0},
    {"rfind", string_find, places, AT_END},
    {"rindex", string_find, places, AT_END | OR_FAIL},
    {"rpartition", string_partition, part, AT_END},
    {"rsplit", string_split, split, AT_END},
    {"rstrip", string_strip, characters, AT_END},
    {"split", string_split, split, AT_START},
    {"splitlines", string_splitlines, keep, 0},
    {"startswith", string_has_end, parts_places, AT_START},
    {"strip", string_strip, characters, AT_START | AT_END},
    {"title", string_map, params_none, FIRST_AS_TITLE | EACH_WORD},
    {"upper", string_map, params_none, REST_AS_UPPER},
    {0},
};

const struct native_function bytes_methods[] = {
    {"elems", bytes_elems, params_none, 0},
    {0},
};
