/*
 * JSON (RFC 8259) to values and back. Numbers stay exact: an integer becomes int, anything with a
 * point or an exponent numeric.
 */
#ifndef VALUE_JSON_H
#define VALUE_JSON_H

#include "value/value.h"

/* Nesting at most 200. `null` becomes VALUE_JSON_NULL at the top level and VALUE_NONE inside (a
 * model writes {"a": None}); both encode to null. */
bool json_decode(struct arena *arena, const char *text, size_t size, struct value *out,
                 struct error *err);
/* Appends compact JSON: keys in the dict's order, non-ASCII characters unescaped, tuples as arrays.
 * Fails for values that JSON can't express (sets, functions, NaN, keys that are not strings). */
bool json_encode(struct value value, struct strbuf *out, struct error *err);
/* The same, but writes such values like PostgreSQL's to_jsonb: bytes as "\\x00ff", NaN and
 * infinities as strings, rows as objects. */
bool json_encode_as_server(struct value value, struct strbuf *out, struct error *err);

#endif
