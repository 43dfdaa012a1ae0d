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
    struct arena *arena; /* of the failures' texts */
};

/* Writes a script for each failure that one can be made of, and sets failure->script; where there
 * is none it sets failure->no_script, and failure->unwritten where it could be made and not
 * written. */
void scripts_write(const struct script_folder *folder, struct failure *failures, size_t count);

#endif
