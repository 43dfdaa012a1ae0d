/* The columns of rows that differ, in the order in which a reader wants them. */
#ifndef REPORT_TEXT_COLUMNS_H
#define REPORT_TEXT_COLUMNS_H

#include "example/failure/failure.h"

/* The indexes of the columns in the arena: first those that say which row it is, as their value has
 * a name in the example or the statement's WHERE names them; then the others. Of few columns the
 * order stays. */
const size_t *columns_order(struct arena *arena, const struct failure *failure,
                            const struct shown_cell *cells);

#endif
