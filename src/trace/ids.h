/* Ids that are text, found by their look: in what is shown they stand by the names that they have.
 */
#ifndef TRACE_IDS_H
#define TRACE_IDS_H

#include "trace/trace.h"

/* Whether the value is a text that is hardly ever equal to another one by chance: a UUID, a ULID,
 * "doc_01h…": eight characters and more of letters, digits and - _ . :, some of them digits. */
bool value_is_id(struct value value);
/* Of names whose values are such ids, the one whose value stands at text[at], a word of its own;
 * NULL: none. */
const struct shown_arg *id_at(const struct shown_arg *names, size_t count, const char *text,
                              size_t at, size_t size);

#endif
