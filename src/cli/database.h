/* What the commands that need a database have in common: opening it as the options say, following
 * what is done. */
#ifndef CLI_DATABASE_H
#define CLI_DATABASE_H

#include "cli/command.h"
#include "cli/progress.h"

#include <pgfsm/database.h>
#include <pgfsm/run.h>

/* Given to the library's callbacks as their host. */
struct follower {
    const struct options *options;
    struct progress progress;
    struct pgfsm_callbacks callbacks;
};

void follower_begin(struct follower *follower, const struct options *options);

/* Whether there are files to work on and the options go together; else says why not. */
bool database_usable(const char *command, const struct options *options);
struct pgfsm_database_options database_options(const struct options *options);
/* Opens the database that the options name, unless `*database` is open already. An embedded server
 * is started without what the environment says to libpq and to PostgreSQL's programs. */
bool database_open(const struct follower *follower, struct pgfsm_database **database,
                   struct pgfsm_errors *errors);
struct pgfsm_run_options run_options(const struct options *options);

#endif
