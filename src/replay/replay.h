/*
 * Replay scripts: a failure as a psql script to run, read and keep.
 *
 * The script loads the schema, runs the steps with literal values, checks the failed property in
 * plain SQL, and prints TAP (https://testanything.org, version 12). Then it rolls everything back.
 * If the original steps were committed, it commits, too, and needs an empty database. Its exit
 * status is 3 while the bug is there, and 0 once it is fixed. Values are always quoted, whatever
 * their bytes: they can't become a psql command or a line of TAP.
 *
 * This module turns a recording into text. It uses neither files nor connections.
 */
#ifndef REPLAY_REPLAY_H
#define REPLAY_REPLAY_H

#include "example/failure/failure.h"

/* An SQL file that the failure needs: the machine's schema, or one of --apply. */
struct replay_file {
    const char *path; /* from the script's folder */
    /* It can't be loaded inside a transaction, so the user of the script loads it first. */
    bool first;
};

/* A column whose values the server makes: they differ by nature. */
struct replay_natural {
    const char *place;  /* the rule, the invariant, or "table public.orders" */
    const char *column; /* NULL: the order of the rows */
    bool left_out;      /* it is not shown at all; otherwise, its values have names */
};

/* A failure of two databases (FAILURE_DIFFERS): what the second one has. */
struct replay_sides {
    const struct replay_file *files; /* in place of those of the first one */
    size_t file_count;
    const struct rule *step; /* the migration, if it is a step of the failure; or NULL */
    const struct replay_file *migration;
    size_t migration_count;
    const struct replay_natural *natural;
    size_t natural_count;
    bool commits; /* the migration can't run inside a transaction */
    bool scratch; /* the databases are not used by anybody else: sequences may be set */
};

struct replay {
    const struct machine *machine;
    const struct failure *failure; /* with a recording */
    const struct settings *settings;
    const char *path; /* the script's path, for messages */
    const char *spec; /* the path of the schedule, for a failure of several sessions */
    const struct replay_file *files;
    size_t file_count;
    const struct replay_sides *sides; /* or NULL */
    bool in_place; /* the files were loaded into the named database; the script needs that one */
};

/* Returns true if the failure can have a script: it has a recording, and SQL can express its check.
 * Otherwise *why is the reason, in a few words. */
bool replay_possible(const struct failure *failure, const char **why);
/* A limitation of the failure's script, in a few words; or NULL. */
const char *replay_note(const struct failure *failure);
/* Appends the script. */
void replay_write(const struct replay *replay, struct strbuf *out);
/* Whether a failure that can have a script can also have this: isolationtester's sessions can't
 * die.
 */
bool replay_has_spec(const struct failure *failure);
/* Appends the sessions of a race, as a spec for PostgreSQL's isolationtester. */
void replay_write_spec(const struct replay *replay, struct strbuf *out);
/* Returns true if the text begins with the head of a replay script. */
bool replay_is_script(const char *script);
/* Facts about running a script, from the comment at its beginning. */
struct replay_head {
    VEC(const char *) paths; /* of files to load first */
    bool sides;              /* it is to be run on two databases, and prints what each answers */
    VEC(const char *) paths_after; /* of files to load first into the second one */
    bool loses;                    /* the connection is lost while the bug is there */
    bool empty;                    /* it needs an empty database */
    bool has_clock;                /* it needs an embedded server with a simulated clock */
    int64_t clock_us;              /* its start, since 2000-01-01 UTC */
};
void replay_read_head(const char *script, struct arena *arena, struct replay_head *out);
/* Appends the lines in which two outputs of such a script differ, "- " before and "+ " after. */
void replay_compare(const char *before, const char *after, struct strbuf *out);
/* The verdict of a script, from psql's errors and exit status. Its TAP is not used, because a
 * loaded file may print something similar. */
enum replay_verdict {
    REPLAY_HELD,
    REPLAY_FAILED,
    REPLAY_BROKEN, /* it did not reach its check, or can't judge the answer */
};
enum replay_verdict replay_judge(const char *errors, int status);
/* Returns true if it reached the point at which the connection should be lost. */
bool replay_came_to_loss(const char *tap);

#endif
