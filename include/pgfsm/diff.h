#ifndef PGFSM_DIFF_H
#define PGFSM_DIFF_H

#include <stdbool.h>
#include <stddef.h>

#include <pgfsm/database.h>
#include <pgfsm/errors.h>
#include <pgfsm/export.h>

PGFSM_BEGIN

/*
 * Two schemas, the same requests: a run with these options (pgfsm_run_options.diff) sends each
 * request to two databases, and fails where they answer differently. The machine's model chooses
 * requests and their arguments; its predictions are no verdict. The first database, "before", is
 * that of the run's own options.
 */

/* The second database, "after". PGFSM_DIFF_OPTIONS_INIT differs in nothing. */
struct pgfsm_diff_options {
    size_t struct_size;
    /* SQL files of its schema: schema_count of them, which may be 0. NULL: those of the first. */
    const char *const *schema;
    size_t schema_count;
    /* SQL files of a migration, which only the second database gets. In half of the examples it
     * runs before the first step, in the others between two steps, where there are rows. */
    const char *const *apply;
    size_t apply_count;
    /* SQL files that undo the migration, and run right after it: then nothing may have changed. */
    const char *const *down;
    size_t down_count;
    /* The server of the second database; NULL: that of the first. Borrowed for the run. */
    struct pgfsm_database *database;
    /* A file of differences that are accepted; NULL: those of the machine alone. */
    const char *differences;
    bool messages; /* compare messages of errors, too */
};
PGFSM_SIZED(pgfsm_diff_options)
#define PGFSM_DIFF_OPTIONS_INIT PGFSM_SIZED_INIT(pgfsm_diff_options)

/* The way down of a migration file that has both ways, of dbmate, goose, sql-migrate or
 * node-pg-migrate: the same text, with blanks in the place of the way up, so that lines keep their
 * numbers. *out is NULL if the file has only one; otherwise pgfsm_free() it. Returns false, with
 * the reason in `errors`, if the file can't be read. */
bool pgfsm_migration_down(char **out, const char *path, struct pgfsm_errors *errors);

PGFSM_END

#endif
