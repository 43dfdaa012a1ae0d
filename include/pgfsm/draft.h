#ifndef PGFSM_DRAFT_H
#define PGFSM_DRAFT_H

#include <stdbool.h>
#include <stddef.h>

#include <pgfsm/callbacks.h>
#include <pgfsm/database.h>
#include <pgfsm/errors.h>
#include <pgfsm/export.h>

PGFSM_BEGIN

/* PGFSM_DRAFT_OPTIONS_INIT describes all tables of the named database. */
struct pgfsm_draft_options {
    size_t struct_size;
    const char *const *schema; /* SQL files, loaded into a scratch database */
    size_t schema_count;
    const char *const
        *tables; /* "orders", "app.orders"; the tables that they refer to are added. 0: all */
    size_t table_count;
    /* The file that the machine will be written to. Its folder must exist; the machine names the
     * schema's files relative to that folder. NULL: relative to the current folder. */
    const char *path;
    bool full; /* write out each rule, instead of a short form of the tables */
    /* Without a model: rules for every kind of statement on each table, for every view and every
     * function, as every role and user that the schema knows. They predict nothing, and any may
     * fail. Such a machine is not tried, which is fast. */
    bool free;
};
PGFSM_SIZED(pgfsm_draft_options)
#define PGFSM_DRAFT_OPTIONS_INIT PGFSM_SIZED_INIT(pgfsm_draft_options)

/* Writes a first machine for a schema, which passes. With `schema`, pgfsm tries the machine in a
 * scratch database; it weakens or drops what fails, and says so in a comment. pgfsm_free() *out.
 * Returns false, with the reason in `errors` and *out NULL, if it fails. `callbacks` may be NULL.
 */
bool pgfsm_draft(char **out, struct pgfsm_database *database,
                 const struct pgfsm_draft_options *options, const struct pgfsm_callbacks *callbacks,
                 struct pgfsm_errors *errors);

PGFSM_END

#endif
