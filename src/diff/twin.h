/*
 * A backend over two databases. What the engine sends goes to both, each value as that database
 * knows it (pairs.h); the engine sees the answers of the first, with the second's and how they
 * differ beside them.
 *
 * The second one is one of three *sides*: the new schema; a database of the old schema in which the
 * migration runs between two steps; and a database of the old schema with other plans (perturbed),
 * to find out what differs by nature. What is sent before the mark goes to all of them, afterwards
 * to the one that the example is compared with.
 */
#ifndef DIFF_TWIN_H
#define DIFF_TWIN_H

#include "diff/accepted.h"
#include "diff/changes.h"
#include "diff/natures.h"
#include "example/backend.h"

/* The two backends are owned from then on, and not open yet. `natures` is borrowed. */
struct twin_sides {
    struct backend *before;
    struct backend *after;
    bool migrates; /* the migration can run between two steps */
    /* Makes a backend, not open yet, for a copy of an open one's database; NULL: there is none any
     * more. */
    struct backend *(*copy)(struct backend *of, bool perturbed);
    struct natures *natures;
    bool messages;             /* compare the messages of errors, too */
    struct accepted *accepted; /* borrowed */
    bool commits;              /* steps are committed, so that none can be undone */
};
struct backend *twin_new(const struct twin_sides *sides);
/* One more, not open yet, for copies of an open one's databases; NULL: there are none any more. It
 * has as many sides as that one. */
struct backend *twin_clone(struct backend *of);
/* Its backends, from the first database's on, by number; NULL: there is none any more. */
struct backend *twin_side(struct backend *backend, size_t index);
/* Whether an open one can tell what differs by nature, and run the migration between two steps. If
 * not, there was no copy of the first database for that. */
bool twin_doubts(struct backend *backend);
bool twin_migrates(struct backend *backend);
/* How many copies of the first database it takes, beside itself. */
size_t twin_copies(const struct twin_sides *sides);
/* The relation of that number which is compared: "table public.orders"; NULL: there is none any
 * more. Valid as the next ones. */
const char *twin_shared(struct backend *backend, size_t index);
/* How the schemas differ, as of the first mark(). */
const struct changes *twin_differs(struct backend *backend);
/* Which relations only one of them has, so that nothing is compared. Valid until the next set-up,
 * as are the texts. */
const char *const *twin_unshared(struct backend *backend, size_t side, size_t *count);

#endif
