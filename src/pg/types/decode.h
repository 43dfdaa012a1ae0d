/*
 * Decoding: the server's text form of a value to a value (manual, chapter 8).
 *
 * The text form is that of the settings which the backend makes (DateStyle ISO, bytea_output hex,
 * extra_float_digits 1). Arrays become lists (nested for several dimensions; lower bounds are
 * dropped), composites tuples, fields of an anonymous record strings, json what it holds; what has
 * no type of its own in the model language becomes a string.
 */
#ifndef PG_DECODE_H
#define PG_DECODE_H

#include "pg/types/types.h"
#include "value/value.h"

struct decoder {
    const struct types *types; /* those of the value and of its parts are in it */
    struct arena *arena;       /* takes the value */
};

/* `text` need not end with a NUL. False with err if the text is none of the type, as the server
 * then does not speak as expected. */
bool decode_value(const struct decoder *decoder, const struct type *type, const char *text,
                  size_t size, struct value *out, struct error *err);

#endif
