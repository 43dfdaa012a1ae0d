/*
 * Pairs of values: what the first database calls a, the second calls b. Servers make values that
 * differ from one to the other (uuids, random texts, times). The first time that two of them come
 * back at the same place, they become a pair; from then on one must stand wherever the other does.
 * A pair is one to one. What a step sent to both is a pair with itself.
 */
#ifndef DIFF_PAIRS_H
#define DIFF_PAIRS_H

#include "value/value.h"

struct pairs;

/* In the arena, none yet. */
struct pairs *pairs_new(struct arena *arena);
/* A later `pairs_back` returns to this point: what the databases had before the first step. */
void pairs_mark(struct pairs *pairs);
void pairs_back(struct pairs *pairs);

/* Notes a value that goes to both as it is: all strings, numbers and times in it are their own
 * partners from now on, if they have none. */
void pairs_sent(struct pairs *pairs, struct value value);
/* The value as the second database knows it: what has a partner is replaced, inside of lists,
 * JSON and text, too. The value itself where nothing in it has. */
struct value pairs_after(const struct pairs *pairs, struct arena *arena, struct value before);

enum pairing {
    PAIR_SAME,     /* equal, or partners */
    PAIR_NEW,      /* neither has a partner: they can become a pair */
    PAIR_CONFLICT, /* one of them has another partner */
};
/* Compares two leaves: values that are no collections. */
enum pairing pairs_compare(const struct pairs *pairs, struct value before, struct value after);
void pairs_join(struct pairs *pairs, struct value before, struct value after);

#endif
