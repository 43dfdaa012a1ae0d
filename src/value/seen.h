/* A set of addresses with something that stands for each, for walks that must not go through a
 * shared part twice. `{0}` is empty; it owns its memory until seen_free. */
#ifndef VALUE_SEEN_H
#define VALUE_SEEN_H

#include <stddef.h>

struct seen_entry {
    const void *from;
    void *to;
};

enum { SEEN_FEW = 16 };

struct seen {
    struct seen_entry *entries; /* open addressing; NULL: they are in `few` */
    size_t capacity;            /* a power of two, or 0 */
    size_t count;
    struct seen_entry few[SEEN_FEW]; /* most values have no more, and then nothing is allocated */
};

/* The entry of the address, added where it is new: then `to` is NULL. It is valid until the next
 * call. */
struct seen_entry *seen_entry(struct seen *seen, const void *from);
void seen_free(struct seen *seen);

#endif
