/*
 * Rules and invariants that may kill a survivor, made of the machine's own.
 *
 * A statement of the machine is changed in one place so that what the fault lets through must be
 * refused: a value that a constraint or policy should not take, the same row once more, another
 * user's row. None of them need be right: whoever offers one has tried it first.
 */
#ifndef MUTATE_OFFER_H
#define MUTATE_OFFER_H

#include "mutate/mutant.h"

#include "machine/machine.h"

enum offer_kind { OFFER_RULE, OFFER_INVARIANT };

struct offer {
    enum offer_kind kind;
    const char *name; /* others may have it, too */
    const char *body; /* YAML: what stands behind the name and its colon */
};

struct offers {
    VEC(struct offer) items;
};

enum { OFFERS = 24 /* for a mutant, at most */ };

/* Adds those for a mutant, in the arena: the simplest first. */
void offers_add(struct offers *offers, const struct machine *machine, const struct mutant *mutant,
                struct arena *arena);

#endif
