/* Where the files of a failure went: its script, its trace; or why they did not. */
#ifndef REPORT_DELIVERY_H
#define REPORT_DELIVERY_H

#include <stdbool.h>

struct arena;
struct failure;
struct report_options;
struct report_run;

/* A script that could not be written; NULL, NULL: there is none. */
struct unwritten {
    const char *name; /* of its file */
    const char *text;
};

/* Paths are NULL of files that there are not. */
struct delivery {
    const char *name; /* by which commands know it; NULL: nothing was to be written */
    const char *script;
    const char *spec;      /* of a race, beside it: what isolationtester plays */
    const char *trace;     /* in the example database */
    const char *no_script; /* why there is none; or NULL */
    const char *note;      /* what the script can't tell, in a few words; or NULL */
    struct unwritten unwritten;
    bool done; /* nothing more will be written */
};

/* That of one of the run's failures; an empty one if nothing was to be written. */
const struct delivery *report_delivery(const struct report_run *run, const struct failure *failure);
/* The command that replays the failure: its script, else its trace. NULL: there is none. */
const char *report_replay(const struct report_run *run, const struct report_options *options,
                          const struct failure *failure, struct arena *arena);

#endif
