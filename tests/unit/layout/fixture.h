/* A folder of its own for the tests of a group, which is the current one. */
#ifndef LAYOUT_FIXTURE_H
#define LAYOUT_FIXTURE_H

#include "base/arena.h"

extern struct arena arena; /* of the group */
extern char top[];         /* the folder */

int fixture_begin(void **state);
int fixture_end(void **state);
/* Folders that are missing are made. */
void write_file(const char *path, const char *content);

#endif
