/* Sets of characters: bracket expressions and class escapes. */
#include "gen/regex/regex.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { CODE_FIRST = 1, CODE_LAST = 0x10ffff, SURROGATE_FIRST = 0xd800, SURROGATE_LAST = 0xdfff };

void regex_set_add(struct arena *arena, struct regex_set *set, uint32_t first, uint32_t last)
{
    assert(first <= last);
    *VEC_PUSH(arena, &set->ranges) = (struct char_range){first, last};
}

/* POSIX names; pairs of first and last characters. */
static const struct {
    const char *name;
    const char *pairs;
} named[] = {
    {"digit", "09"},
    {"alpha", "azAZ"},
    {"alnum", "09azAZ"},
    {"word", "09azAZ__"},
    {"lower", "az"},
    {"upper", "AZ"},
    {"space", "  \t\r"},
    {"blank", "  \t\t"},
    {"punct", "!/:@[`{~"},
    {"xdigit", "09afAF"},
    {"graph", "!~"},
    {"print", " ~"},
    {"cntrl", "\x01\x1f\x7f\x7f"},
};

bool regex_set_add_named(struct arena *arena, struct regex_set *set, const char *name, size_t size,
                         bool negated)
{
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        if (strlen(named[i].name) != size || memcmp(named[i].name, name, size) != 0) {
            continue;
        }
        struct regex_set members = {.ascii = true};
        for (const char *pair = named[i].pairs; *pair; pair += 2) {
            regex_set_add(arena, &members, (unsigned char)pair[0], (unsigned char)pair[1]);
        }
        if (negated) {
            regex_set_negate(arena, &members);
        }
        for (size_t j = 0; j < members.ranges.count; j++) {
            *VEC_PUSH(arena, &set->ranges) = members.ranges.items[j];
        }
        set->ascii = true;
        return true;
    }
    return false;
}

/* Adds the part of the range from `first` to `last`, moved by `by`. */
static void add_moved(struct arena *arena, struct regex_set *set, struct char_range range,
                      uint32_t first, uint32_t last, int by)
{
    uint32_t low = range.first > first ? range.first : first;
    uint32_t high = range.last < last ? range.last : last;
    if (low <= high) {
        regex_set_add(arena, set, (uint32_t)((int)low + by), (uint32_t)((int)high + by));
    }
}

void regex_set_fold(struct arena *arena, struct regex_set *set)
{
    size_t count = set->ranges.count;
    for (size_t i = 0; i < count; i++) {
        struct char_range range = set->ranges.items[i];
        add_moved(arena, set, range, 'a', 'z', 'A' - 'a');
        add_moved(arena, set, range, 'A', 'Z', 'a' - 'A');
    }
    set->ascii = true;
}

static int by_first(const void *a, const void *b)
{
    const struct char_range *x = a;
    const struct char_range *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

/* Sorts by code point, and merges overlaps. */
static void normalize(struct regex_set *set)
{
    size_t count = 0;
    struct char_range *ranges = set->ranges.items;
    if (set->ranges.count > 1) {
        qsort(ranges, set->ranges.count, sizeof *ranges, by_first);
    }
    for (size_t i = 0; i < set->ranges.count; i++) {
        if (count > 0 && ranges[i].first <= ranges[count - 1].last + 1) {
            uint32_t last = ranges[i].last;
            ranges[count - 1].last = last > ranges[count - 1].last ? last : ranges[count - 1].last;
        } else {
            ranges[count++] = ranges[i];
        }
    }
    set->ranges.count = count;
}

void regex_set_negate(struct arena *arena, struct regex_set *set)
{
    struct regex_set others = {.ascii = set->ascii};
    uint32_t next = set->ascii ? ' ' : CODE_FIRST;
    uint32_t end = set->ascii ? '~' : CODE_LAST;
    normalize(set);
    for (size_t i = 0; i < set->ranges.count && next <= end; i++) {
        struct char_range range = set->ranges.items[i];
        uint32_t last = range.first - 1 < end ? range.first - 1 : end;
        if (range.first > next) {
            regex_set_add(arena, &others, next, last);
        }
        next = range.last + 1 > next ? range.last + 1 : next;
    }
    if (next <= end) {
        regex_set_add(arena, &others, next, end);
    }
    *set = others;
}

/* Simpler characters first. Surrogates are not characters. */
static const struct char_range by_simplicity[] = {{'0', '9'},
                                                  {'a', 'z'},
                                                  {'A', 'Z'},
                                                  {' ', '/'},
                                                  {':', '@'},
                                                  {'[', '`'},
                                                  {'{', '~'},
                                                  {0x80, SURROGATE_FIRST - 1},
                                                  {SURROGATE_LAST + 1, CODE_LAST},
                                                  {CODE_FIRST, 0x1f},
                                                  {0x7f, 0x7f}};
enum { PLAIN_SEGMENTS = 7 };

const struct regex_class *regex_set_class(struct arena *arena, struct regex_set *set)
{
    struct regex_class *out = ARENA_NEW(arena, struct regex_class);
    normalize(set);
    for (size_t s = 0; s < sizeof by_simplicity / sizeof *by_simplicity; s++) {
        for (size_t i = 0; i < set->ranges.count; i++) {
            struct char_range range = set->ranges.items[i];
            struct char_range segment = by_simplicity[s];
            range.first = range.first > segment.first ? range.first : segment.first;
            range.last = range.last < segment.last ? range.last : segment.last;
            if (range.first <= range.last) {
                *VEC_PUSH(arena, &out->ranges) = range;
                out->count += range.last - range.first + 1;
            }
        }
        out->plain = s < PLAIN_SEGMENTS ? out->count : out->plain;
    }
    return out->count ? out : NULL;
}
