/*
 * Reads regular expressions, to draw texts that match them: the common part of Python's and
 * PostgreSQL's syntax (manual, section 9.7.3.1, without newline-sensitive matching).
 *
 * Literals and escapes, `.`, bracket expressions, classes (\d \w \s, [:alpha:]), groups,
 * alternation, the quantifiers * + ? {m} {m,} {m,n}, also followed by ?, ^ and $ at the ends, (?i)
 * at the beginning. Anything else is an error that names the place.
 *
 * Beyond ASCII, a class such as \w depends on the server's locale, so neither a class nor its
 * complement contains such characters here.
 */
#ifndef GEN_REGEX_H
#define GEN_REGEX_H

#include "gen/choice.h"

/* Characters in order of simplicity: digits, small letters, capitals, the rest. */
struct regex_class {
    VEC(struct char_range) ranges; /* none overlaps another */
    uint32_t count;                /* of characters, 1 or more */
    uint32_t plain;                /* the first ones, which are printable ASCII */
};

enum regex_kind {
    REGEX_CLASS, /* one character */
    REGEX_SEQUENCE,
    REGEX_ALTERNATION, /* the parts ordered by their shortest match */
    REGEX_REPEAT,      /* of one part */
    REGEX_START,       /* ^ */
    REGEX_END,         /* $ */
};

struct regex {
    enum regex_kind kind;
    size_t at;                       /* its place in the pattern, in characters from 0 */
    VEC(const struct regex *) parts; /* not of CLASS, START, END */
    size_t min, max;                 /* of REPEAT; without a bound, max is min + REGEX_MORE */
    const struct regex_class *set;   /* of CLASS */
    size_t shortest;                 /* characters of the shortest match, at most SIZE_MAX */
    bool empty;                      /* matches only the empty text */
};

enum { REGEX_MORE = 255, REGEX_REPEAT_MAX = 255, REGEX_DEPTH_MAX = 100 };

/* False with err: "character 5: …", from 1. */
bool regex_parse(struct arena *arena, const struct string *pattern, const struct regex **out,
                 struct error *err);

/* Building a class. */
struct regex_set {
    VEC(struct char_range) ranges; /* in any order */
    bool ascii;                    /* it holds a class, so its complement stays within ASCII */
};
void regex_set_add(struct arena *arena, struct regex_set *set, uint32_t first, uint32_t last);
/* Adds the ASCII characters of a class by its POSIX name; false if it is unknown. `negated`: adds
 * the other printable ones. */
bool regex_set_add_named(struct arena *arena, struct regex_set *set, const char *name, size_t size,
                         bool negated);
/* Adds the other case of each ASCII letter. */
void regex_set_fold(struct arena *arena, struct regex_set *set);
void regex_set_negate(struct arena *arena, struct regex_set *set);
/* NULL if the set is empty. */
const struct regex_class *regex_set_class(struct arena *arena, struct regex_set *set);

#endif
