/* What an update does to a value, whatever the value was. */
#ifndef VALUE_CHANGE_H
#define VALUE_CHANGE_H

#include "value/walk.h"

/* A hash of the change from one value to the other; 0: they are equal. Two updates that do the same
 * have equal hashes: add the same number, put the same entries into a dict, or the same items into
 * a list, wherever. New numbers go to `arena`. */
uint64_t value_change_hash(struct walk *walk, struct arena *arena, struct value before,
                           struct value after);

#endif
