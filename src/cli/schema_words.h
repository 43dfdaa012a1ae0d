/* SQL files as the words of an option name them: paths and patterns, as in a machine's `schema`. */
#ifndef CLI_SCHEMA_WORDS_H
#define CLI_SCHEMA_WORDS_H

#include "cli/options.h"

#include <pgfsm/errors.h>
#include <pgfsm/machine.h>

/* Appends a machine whose schema the words are. */
void schema_words_machine(const struct texts *words, struct strbuf *out);

/* Adds the files of a machine's schema to `out`; the paths are in the arena. */
void schema_files(const struct pgfsm_machine *machine, struct arena *arena, struct texts *out);

/* Reads the words of the option that `name` names in messages ("--schema"), and adds their files to
 * `out`. false: `errors`, or it has complained of a file that can't be read. */
bool schema_words_read(const char *name, const struct texts *words, struct arena *arena,
                       struct texts *out, struct pgfsm_errors *errors);

/* Takes the files of a migration out of a schema's, whose pattern matches them, too: they run as
 * the migration. Returns true if there were any. Sets `later`, unless it is set, to the first file
 * that then loads before the migration although it stands behind it. */
bool schema_leave_out(struct texts *files, const struct texts *migration, struct arena *arena,
                      const char **later);
/* After an error: says that this file loads before the migration. NULL: says nothing. */
void schema_tell_later(const char *command, const char *later);

#endif
