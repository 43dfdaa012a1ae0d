#ifndef PGFSM_INIT_H
#define PGFSM_INIT_H

#include <stdbool.h>
#include <stddef.h>

#include <pgfsm/callbacks.h>
#include <pgfsm/database.h>
#include <pgfsm/errors.h>
#include <pgfsm/export.h>

PGFSM_BEGIN

/* {0} describes all tables of the named database as they are. */
struct pgfsm_init_options {
    const char *const *schema; /* SQL files, loaded into a scratch database */
    size_t schema_count;
    const char *const *tables; /* "orders", "app.orders"; with those that they refer to. 0: all */
    size_t table_count;
    /* The file that the machine will be written to: it names the schema's files relative to its
     * folder, which must exist. NULL: relative to the current folder. */
    const char *path;
    bool full; /* each rule is written out, instead of a short form of the tables */
};

/* Writes a first machine for a schema: one that holds as it is. With `schema` it is tried in a
 * scratch database, and what does not hold is weakened or left out, with a comment. free() *out.
 * Returns false, with the reason in `errors` and *out NULL, if it can't. `callbacks` may be NULL.
 */
bool pgfsm_init(char **out, struct pgfsm_database *database,
                const struct pgfsm_init_options *options, const struct pgfsm_callbacks *callbacks,
                struct pgfsm_errors *errors);

PGFSM_END

#endif
