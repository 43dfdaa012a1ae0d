/*
 * --base: schema files as git has them at a revision.
 *
 * They are written to a folder that has the repository's folders, with the same paths below it, so
 * that patterns and \ir find there what they would have found then. The folder is in .pgfsm/, where
 * replay scripts find it later; with --no-save it is a temporary one.
 */
#ifndef CLI_REVISION_H
#define CLI_REVISION_H

#include "cli/git.h"
#include "cli/options.h"

#include <pgfsm/errors.h>
#include <pgfsm/machine.h>

/* {0}: not open. */
struct revision {
    struct git git;
    const char *folder; /* NULL: not made */
    const char *here;   /* the current folder, from the top of the repository: "" or "db/" */
    bool is_open;
    bool temporary;
};

/* Opens the revision that the options name, of the repository with this file, unless it is open
 * already. Complains if it can't. */
bool revision_open(struct revision *revision, const struct options *options, const char *file);

/* Adds the files that a machine's schema named then to `out`. `text` is the machine's of today;
 * that of the revision is read instead, if the machine was there. Leaves `out` empty if no file of
 * the schema was. false: it has complained, or `errors`. */
bool revision_schema(struct revision *revision, const struct pgfsm_machine *today,
                     const struct strbuf *text, struct texts *out, struct pgfsm_errors *errors);

/* Removes a temporary folder. */
void revision_close(struct revision *revision);

#endif
