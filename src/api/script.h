/* Failures as replay scripts in a folder: the files behind replay/replay.h. */
#ifndef API_SCRIPT_H
#define API_SCRIPT_H

#include "base/error.h"
#include "replay/replay.h"

struct script_folder {
    const struct machine *machine;
    const struct settings *settings; /* as resolved */
    const char *path;                /* is made where it is not there */
    const char *const *apply;        /* files loaded after the schema */
    size_t apply_count;
    bool in_place;       /* loaded into the named database */
    struct arena *arena; /* of the failures' texts */

    /* For script_write. */
    bool begun;           /* the folder is there */
    const char *absolute; /* it, without symbolic links */
    VEC(struct replay_file) files;
    VEC(const char *) names; /* that are taken */
};

/* Writes the failure's script, if one can be made, and sets failure->script; where there is none it
 * sets failure->no_script, and failure->unwritten where it could be made and not written. */
void script_write(struct script_folder *folder, struct failure *failure);

#endif
