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

/* Notes a value that goes to both as it is: what is telling in it is its own partner from now on,
 * if it has none. */
void pairs_sent(struct pairs *pairs, struct value value);
/* The value as the second database knows it: what has a partner is replaced, inside of lists,
 * JSON and text, too. The value itself where nothing in it has. */
struct value pairs_after(const struct pairs *pairs, struct arena *arena, struct value before);

/* Returns true if a value is so long that it is hardly anywhere else by chance. Only such values
 * become pairs: a text of a few letters, a small number and a bool do not tell what they are of. */
bool pairs_telling(struct value leaf);
/* Returns true if some value's partner is not itself. */
bool pairs_any(const struct pairs *pairs);

enum pairing {
    PAIR_SAME,     /* equal, or partners; equal uuids are not the same if they have others */
    PAIR_NEW,      /* neither has a partner: they can become a pair */
    PAIR_CONFLICT, /* one of them has another partner */
};
/* Compares two leaves: values that are no collections. */
enum pairing pairs_compare(const struct pairs *pairs, struct value before, struct value after);
void pairs_join(struct pairs *pairs, struct value before, struct value after);

/* The partner of a leaf of one side on the other side; NULL: none. */
enum pair_side { PAIR_BEFORE, PAIR_AFTER };
const struct value *pairs_partner(const struct pairs *pairs, enum pair_side side,
                                  struct value leaf);
/* The same of a part of a text. */
const struct value *pairs_partner_text(const struct pairs *pairs, enum pair_side side,
                                       const char *text, size_t size);
/* The longest text of the first database that begins there, of those that are replaced inside of
 * others and are no uuids or times: its size, and its partner. 0: none. A number is whole. */
struct token_text; /* diff/token.h */
size_t pairs_begins(const struct pairs *pairs, const struct token_text *at,
                    const struct value **partner);

/* Takes back all joins since there were that many pairs. */
size_t pairs_count(const struct pairs *pairs);
void pairs_cut(struct pairs *pairs, size_t count);

#endif
