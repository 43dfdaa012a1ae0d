/*
 * Natures: how the values at a place are compared. A place is a column of what was asked ("rule
 * add, column id", "table public.orders, column token"), or the order of its rows. All begin
 * strict. What differs when the first database is compared with itself differs by nature: its place
 * becomes a looser one, which is told at the end of the run.
 */
#ifndef DIFF_NATURES_H
#define DIFF_NATURES_H

#include "base/arena.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>

enum nature {
    NATURE_EXACT,  /* as EQUAL, and their forms must be the same (form.h); of no place, but of types
                    */
    NATURE_EQUAL,  /* must be equal, or partners; a place's order must be the same */
    NATURE_MADE,   /* as EQUAL, but uuids and tokens that differ may become a pair */
    NATURE_PAIRED, /* values that differ may become a pair */
    NATURE_FREE,   /* not compared at all; an order: as a bag */
};

struct natures;

/* Natures may be shared by threads. Free with natures_free. */
struct natures *natures_new(void);
void natures_free(struct natures *natures);
/* What belongs to no column has a name in parentheses in its place, and is compared or free. */
#define NATURES_ERROR "(error)" /* whether it raises an error, and which */
#define NATURES_ROWS "(rows)"   /* how many rows there are, and so which */
#define NATURES_ALL "(all)"     /* it can't be compared at all; only listed */
#define NATURES_COUNT "(count)" /* how many rows are affected */
/* Returns true if some place is not strict. Takes no lock. */
bool natures_any(struct natures *natures);
/* `column`: NULL: the order of the rows. */
enum nature natures_of(struct natures *natures, const char *place, const char *column);
/* Makes it one step looser, and says whether that was possible: at most 200 places are not strict.
 */
bool natures_loosen(struct natures *natures, const char *place, const char *column);

/* Makes a column that is strict NATURE_MADE, and says whether that was possible. */
bool natures_make(struct natures *natures, const char *place, const char *column);

/* Lists the place as one that differs by nature in a way that can't be told apart from others. */
void natures_give_up(struct natures *natures, const char *place);
/* Whether a place could not become looser because there are too many. */
bool natures_full(struct natures *natures);

/* How often a place has become looser; it only grows. */
size_t natures_changes(struct natures *natures);

/* What is known now is not to be forgotten. */
void natures_keep(struct natures *natures);
/* Makes places strict again, and forgets which constraints have other names, as far as that was
 * learned since natures_keep. Of what both databases have it keeps the names. */
void natures_forget(struct natures *natures);

/* The migration can't be tried between two steps: all examples begin with it from now on. Says
 * whether that is new. */
bool natures_begin_migrated(struct natures *natures);
bool natures_begins_migrated(struct natures *natures);

struct natural_place {
    const char *place;
    const char *column; /* or NULL */
    enum nature nature;
};
/* All that are not strict, by place and column, in the arena. */
size_t natures_list(struct natures *natures, struct arena *arena, struct natural_place **out);

/* Constraints under other names: one to one. `natures_rename` returns true if the two are partners,
 * or become so because neither has one. A constraint that both databases have at the end is no
 * other's: say so first, by renaming it to itself. */
bool natures_rename(struct natures *natures, const char *table, const char *before,
                    const char *after);
struct natural_rename {
    const char *table;
    const char *before;
    const char *after;
};
/* Those with two names, in the order in which they were found. */
size_t natures_renames(struct natures *natures, struct arena *arena, struct natural_rename **out);

#endif
