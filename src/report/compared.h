/*
 * What a run over two databases compared, and what it did not: the part of a report by which a
 * reviewer knows how far to trust it. Requests are told from the counts of the run; this holds what
 * else is known.
 */
#ifndef REPORT_COMPARED_H
#define REPORT_COMPARED_H

#include "base/json.h"
#include "base/vec.h"

#include <stdbool.h>

struct report_run;

struct compared_names {
    VEC(const char *) items;
};

/* What differs when the first database runs twice, so that it is compared loosely or not at all. */
struct compared_loosely {
    const char *place;  /* "add", "table public.orders" */
    const char *column; /* NULL: the order of the rows; "(error)", "(rows)", "(count)" */
    bool paired;        /* values may differ, but stand for each other from then on */
};

struct compared_rename {
    const char *table;
    const char *before;
    const char *after;
};

struct accepted_difference; /* machine/machine.h */

/* What the machine or the user accepts, and whether it was seen. */
struct compared_accepted {
    const struct accepted_difference *difference;
    bool seen;
};

/* What the schemas differ in, seen in the catalogs, whether or not a request reached it. */
struct compared_change {
    const char *object;          /* "table public.orders" */
    const char *only;            /* "before", "after"; NULL: both have it */
    struct compared_names parts; /* of both: "column", "trigger" */
};

struct report_compared {
    VEC(struct compared_change) changed;
    struct compared_names changed_tables; /* of both, with those that changed functions are of */
    struct compared_names central;        /* tables that several others refer to */
    struct compared_names relations;      /* of both: "table public.orders", "view public.open" */
    struct compared_names only_before;
    struct compared_names only_after;
    VEC(struct compared_loosely) loosely;
    bool loosely_full;                   /* there were too many for others */
    VEC(struct compared_rename) renamed; /* constraints */
    VEC(struct compared_accepted) accepted;
    bool messages; /* of errors, too */
};

/* The rules that ran, by what came of it: those that succeeded in some step, those that raised
 * errors only, those that never ran. The migration is none of them. */
enum compared_rules { COMPARED_SUCCEEDED, COMPARED_RAISED, COMPARED_NEVER, COMPARED_RULES };
struct compared_names compared_rules(const struct report_run *run, enum compared_rules which,
                                     struct arena *arena);
/* The rules whose steps ended examples, as one side alone failed: "add (20)". */
struct compared_names compared_parted(const struct report_run *run, struct arena *arena);
/* The machine's names for as whom rules ran, or for as whom none did. */
enum compared_reached { COMPARED_REACHED, COMPARED_MISSED };
struct compared_names compared_readers(const struct report_run *run, enum compared_reached reached,
                                       struct arena *arena);
/* The tables that never had a row, those that matter most first: that the schemas differ in, and
 * that others refer to. Empty if no state was compared. */
enum unfilled_why { UNFILLED_CHANGED, UNFILLED_CENTRAL, UNFILLED_OTHER };
struct compared_unfilled {
    const char *table; /* "table public.orders" */
    enum unfilled_why why;
};
struct compared_unfilled_list {
    VEC(struct compared_unfilled) items;
};
struct compared_unfilled_list compared_unfilled(const struct report_run *run, struct arena *arena);
/* "column token of add" */
const char *compared_loosely_text(const struct compared_loosely *loosely, struct arena *arena);

/* Whether it is out of date: a run of everything did not see it. */
bool compared_is_stale(const struct report_run *run, const struct compared_accepted *accepted);

/* All of it as a member of that name. */
void compared_json(struct json *json, const char *name, const struct report_run *run);

#endif
