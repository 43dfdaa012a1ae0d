/*
 * What a mutant changes, in the whole statement that creates the object.
 *
 * The catalog writes a definition in its own way, so the tokens of the two are compared: what
 * differs between `was` and `becomes` is looked for among the tokens of the statement. If it does
 * not stand there, the fault's own DDL is told to follow the statement.
 */
#ifndef MUTATE_CHANGE_H
#define MUTATE_CHANGE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/* A text of which one range is replaced. */
struct change {
    const char *text; /* `size` bytes; not ended by a NUL */
    size_t size;
    size_t at; /* where the range begins */
    size_t removed;
    const char *added; /* what stands there then */
};

/* What differs between two definitions, as few tokens as possible. */
struct change change_between(const char *was, const char *becomes, struct arena *arena);

/* Finds the same change in a text: among equal places the one behind `earlier` others. False: it
 * does not stand there, or it is not clear where. */
bool change_find(const struct change *between, const char *text, size_t size, size_t earlier,
                 struct change *out);

/* Drops what the removed range leaves behind: the name of a constraint, the comma of its item. */
void change_tidy(struct change *change);

/* The whole text as it is then, in the arena. */
const char *change_after(const struct change *change, struct arena *arena);

/* The text before the range, and behind it, without most of its lines if there are many. */
const char *change_head(const struct change *change, struct arena *arena);
const char *change_tail(const struct change *change, struct arena *arena);

#endif
