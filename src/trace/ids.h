/* Recognises ids in text, to show them by their names. */
#ifndef TRACE_IDS_H
#define TRACE_IDS_H

#include "trace/trace.h"

/* Returns true for texts that are hardly ever equal by chance, such as a UUID, a ULID or
 * "doc_01h…": at least eight letters, digits and - _ . :, with some digits. */
bool value_is_id(struct value value);
/* The name whose value is such an id and stands at text[at] as a whole word; NULL if there is none.
 */
const struct shown_arg *id_at(const struct shown_arg *names, size_t count, const char *text,
                              size_t at, size_t size);

#endif
