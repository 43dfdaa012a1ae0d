/*
 * Replay scripts: a failure as a psql script that anybody can run, read and keep.
 *
 * The script loads the schema, takes the steps with their values written out, asks in plain SQL for
 * what failed, prints TAP (https://testanything.org, version 12), and rolls everything back, unless
 * its steps were committed when it was found: then it wants an empty database. It
 * ends with exit status 3 while the bug is there and 0 once it is fixed. Whatever bytes the values
 * have, they stay constants: none of them can become a command of psql's or a line of TAP.
 *
 * This module turns a recording into text. It reads no files and knows no connection.
 */
#ifndef REPLAY_REPLAY_H
#define REPLAY_REPLAY_H

#include "example/failure/failure.h"

/* An SQL file that the failure needs: the machine's schema, or one of --apply. */
struct replay_file {
    const char *path; /* from the script's folder */
    /* It can't be loaded inside a transaction: whoever runs the script loads it before. */
    bool first;
};

struct replay {
    const struct machine *machine;
    const struct failure *failure; /* with a recording */
    const struct settings *settings;
    const char *path; /* where the script will be, as it is told to the user */
    const char *spec; /* and the schedule, of a failure of several sessions */
    const struct replay_file *files;
    size_t file_count;
    bool in_place; /* the files were loaded into the named database: no scratch database will do */
};

/* Whether a script can be made of the failure: it has a recording, and its check is one that SQL
 * can ask. If not, *why says so in a few words. */
bool replay_possible(const struct failure *failure, const char **why);
/* What a script of the failure can't tell, in a few words; NULL: nothing. */
const char *replay_note(const struct failure *failure);
/* Appends the script. */
void replay_write(const struct replay *replay, struct strbuf *out);
/* Appends what sessions do, of a failure of several, for PostgreSQL's isolationtester. */
void replay_write_spec(const struct replay *replay, struct strbuf *out);
/* Whether the text begins with the head of a script that replay_write made. */
bool replay_is_script(const char *script);
/* What whoever runs a script has to know of it: out of the comment that its text begins with. */
struct replay_head {
    VEC(const char *) paths; /* of files that are to be loaded first */
    bool loses;              /* while the bug is there the connection is lost */
    bool empty;              /* it wants an empty database */
    bool has_clock;          /* it wants an embedded server whose clock is simulated */
    int64_t clock_us;        /* from then on, since 2000-01-01 UTC */
};
void replay_read_head(const char *script, struct arena *arena, struct replay_head *out);
/* What a script that was run says, by psql's errors and exit status: a file that it loads may print
 * what looks like TAP. */
enum replay_verdict {
    REPLAY_HELD,
    REPLAY_FAILED,
    REPLAY_BROKEN, /* it did not come to its question, or can't judge the answer */
};
enum replay_verdict replay_judge(const char *errors, int status);
/* Whether it came to where the connection is to be lost. */
bool replay_came_to_loss(const char *tap);

#endif
