/*
 * How two schemas differ, by their catalogs: whatever no request reaches is seen at least here, and
 * requests go where it is.
 *
 * An object is changed if some part of it differs, and a table also if the migration writes to it
 * or alters it. So is what a changed function or type is a part of: the table of its trigger, the
 * function that calls it. What a changed object refers to, or what refers to it, is near: its
 * tables have to have rows, and its functions show the change.
 */
#ifndef DIFF_CHANGES_H
#define DIFF_CHANGES_H

#include "example/backend.h"

enum changed_on { CHANGED_BOTH, CHANGED_ONLY_BEFORE, CHANGED_ONLY_AFTER };

struct changed_object {
    const char *object;      /* "table public.orders" */
    enum changed_on on;      /* which database has it */
    VEC(const char *) kinds; /* of its parts that differ, if both have it: "column", "trigger" */
};

struct changes {
    VEC(struct changed_object) items; /* by object; no table or view that only one of them has */
    struct backend_concerns concerns;
    VEC(const char *) tables;  /* of both, that are changed, or near if none is: "table public.x" */
    VEC(const char *) central; /* tables of both to which several others refer */
};

/* In the arena, with the texts of the parts. Schemas on servers of two versions can't be compared
 * like this: nothing differs. */
void changes_find(struct arena *arena, const struct backend_parts *before,
                  const struct backend_parts *after, const struct backend_names *written,
                  struct changes *out);

#endif
