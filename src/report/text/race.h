/* What several sessions did: a timeline with a column for each, and the orders that don't explain
 * it.
 */
#ifndef REPORT_TEXT_RACE_H
#define REPORT_TEXT_RACE_H

#include "report/text/block.h"

void race_write(struct block *block);

#endif
