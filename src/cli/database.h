/* Shared by the commands that need a database: opening it as the options say, and showing
 * progress. */
#ifndef CLI_DATABASE_H
#define CLI_DATABASE_H

#include "cli/options.h"
#include "cli/progress.h"
#include "cli/status.h"

#include <pgfsm/database.h>
#include <pgfsm/run.h>

struct output; /* cli/output.h */

/* The work of one command line; the host of the library's callbacks. */
struct work {
    const struct options *options;
    struct progress progress;
    struct pgfsm_callbacks callbacks;
    struct pgfsm_database *database; /* NULL until a file needs it */
    struct pgfsm_errors *errors;
    struct arena arena;         /* of the outputs */
    VEC(struct output) outputs; /* where reports go; none: text to standard output */
};

void work_begin(struct work *work, const struct options *options);
/* Closes the database and returns the command's exit status; `status` is that of its files. */
enum status work_end(struct work *work, enum status status);

/* Checks that the options for the database don't exclude each other; prints why not. */
bool database_options_usable(const char *command, const struct options *options);
/* Checks that files are given and that the options don't exclude each other; prints why not. */
bool database_usable(const char *command, const struct options *options);
/* Opens the database that the options name, unless it is open already. For an embedded server, it
 * first removes the environment's settings for libpq and PostgreSQL's programs. false:
 * `work->errors`. */
bool work_open(struct work *work);
/* Opens the second server that the options of diff name, after the first: *out is NULL if it is the
 * same. Roles belong to a server, so the second database needs an embedded one of its own. false:
 * `work->errors`. */
bool work_open_second(struct work *work, struct pgfsm_database **out);

#endif
