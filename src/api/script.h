/* Writes replay scripts of failures (replay/replay.h) to a folder. */
#ifndef API_SCRIPT_H
#define API_SCRIPT_H

#include "base/error.h"
#include "diff/natures.h"
#include "replay/replay.h"
#include "report/delivery.h"

#include <pgfsm/diff.h>

struct script_folder {
    const struct machine *machine;
    const struct settings *settings; /* as resolved */
    const char *path;                /* created if needed */
    const char *const *schema;       /* files that were loaded */
    size_t schema_count;
    const char *const *apply; /* after the schema */
    size_t apply_count;
    /* Of two databases; NULL: one. And the migration's step, or NULL, and what differs by nature.
     */
    const struct pgfsm_diff_options *diff;
    const struct rule *migration;
    struct natures *natures;
    bool in_place;       /* loaded into the named database */
    struct arena *arena; /* of the failures' texts */

    /* For script_write. */
    bool begun;           /* the folder exists */
    const char *absolute; /* the folder, with symbolic links resolved */
    const struct replay_file *files;
    size_t file_count;
    struct replay_sides sides; /* of the failure */
};

/* Writes the script of the failure, which was given a name, and sets `script`. If no script is
 * possible, sets `no_script`; if it can't be written, also `unwritten`. */
void script_write(struct script_folder *folder, const struct failure *failure,
                  struct delivery *delivery);

#endif
