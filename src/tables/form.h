/* The form of a stored value, as to_jsonb gives it. */
#ifndef TABLES_FORM_H
#define TABLES_FORM_H

#include "value/value.h"

/* `form` is the column's type ("timestamptz", "interval", "bytea", …), or the width of a char(n).
 * Other values stay the same. */
struct value form_stored(struct arena *arena, struct value form, struct value value);

#endif
