/*
 * Looking at the state between two steps: of many relations only those are read that one of the
 * databases may have written to since the last look of the example. At its end all are read.
 */
#include "diff/sides.h"

enum { WATCHED_MIN = 20 /* relations: asking what was written costs a round trip */ };

bool twin_watch(struct twin *twin, struct error *err)
{
    bool ok = true;
    for (size_t i = 0; i < SIDES && ok; i++) {
        struct backend *side = twin->sides[i].backend;
        struct backend_relations relations;
        if (side && side->ops->watch && twin->shared.items.count >= WATCHED_MIN) {
            ok = twin_from_side(twin, i,
                                side->ops->relations(side, &twin->arena, &relations, err) &&
                                    side->ops->watch(side, &relations, &twin->sides[i].reads, err),
                                err);
        }
    }
    return ok;
}

static bool queue(struct twin *twin, backend_ticket tickets[SIDES], struct error *err)
{
    bool ok = true;
    for (size_t i = 0; i < SIDES && ok; i++) {
        struct backend *side = twin->sides[i].backend;
        ok = !twin_is_on(twin, i) ||
             twin_from_side(twin, i, side->ops->queue_written(side, &tickets[i], err), err);
    }
    return ok;
}

static void note_side(const struct twin *twin, size_t side, const struct backend_written *written,
                      bool *wanted)
{
    const struct shared *shared = &twin->shared;
    for (size_t i = 0; i < shared->items.count; i++) {
        size_t number = shared->items.items[i].numbers[side == AFTER];
        const struct invariant_reads *reads = &twin->sides[side].reads.invariants[number];
        wanted[i] = wanted[i] || reads->all;
        for (size_t j = 0; j < reads->tables.count && written->tables; j++) {
            wanted[i] = wanted[i] || written->tables[reads->tables.items[j]];
        }
    }
}

/* Which relations are to be read; NULL: all. */
static bool take(struct twin *twin, const backend_ticket tickets[SIDES], struct arena *arena,
                 const bool **wanted, struct error *err)
{
    bool *some = ARENA_ARRAY(arena, bool, twin->shared.items.count);
    bool all = twin->looked != LOOKED;
    for (size_t i = 0; i < SIDES; i++) {
        struct backend *side = twin->sides[i].backend;
        struct backend_written written;
        if (!twin_is_on(twin, i)) {
            continue;
        }
        if (!twin_from_side(twin, i,
                            side->ops->take_written(side, tickets[i], arena, &written, err), err)) {
            return false;
        }
        if (twin->looked == LOOKED && written.all) {
            twin->looked = LOOKED_AT_ANOTHER_SCHEMA;
        }
        all = all || written.all;
        if (!all) {
            note_side(twin, i, &written, some);
        }
    }
    *wanted = all ? NULL : some;
    return true;
}

bool twin_look(struct twin *twin, struct arena *arena, struct backend_compared *out,
               struct error *err)
{
    const struct comparing_sides sides = twin_comparing(twin, twin->second, arena);
    backend_ticket tickets[SIDES];
    const bool *wanted = NULL;
    bool watches = twin->looked != LOOKED_AT_ANOTHER_SCHEMA &&
                   twin->sides[BEFORE].reads.invariants &&
                   twin->sides[twin->second].reads.invariants;
    if (watches && !(queue(twin, tickets, err) && take(twin, tickets, arena, &wanted, err))) {
        return false;
    }
    if (watches && twin->looked == LOOKED_NEVER) {
        twin->looked = LOOKED;
    }
    return twin_compare_with(twin, twin->second, &sides, wanted, NULL, out, err);
}
