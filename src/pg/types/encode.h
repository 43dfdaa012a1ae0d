/*
 * Encoding: a value of the model language to the text form that the server reads for a type.
 *
 * None is NULL. A list (tuple, set, bag, range) is an array where the type is one, a dict JSON
 * where the type is json or text, a tuple a row where the type is a composite. json takes any
 * value: a string is a JSON string there. A string is taken as the type's own text form anywhere
 * else; a number goes into any type whose text form may be one. That a number is too large for the
 * type is left to the server to say: a rule may predict it.
 */
#ifndef PG_ENCODE_H
#define PG_ENCODE_H

#include "base/strbuf.h"
#include "pg/types/types.h"
#include "value/value.h"

enum encoded {
    ENCODED_TEXT,   /* appended to `out` */
    ENCODED_NULL,   /* nothing was appended: NULL */
    ENCODED_FAILED, /* err: the value has no form in the type */
};

enum encoded encode_value(const struct types *types, const struct type *type, struct value value,
                          struct strbuf *out, struct error *err);
/* The text that is pasted, quoted, for :'name' and :"name", where no type is known. */
enum encoded encode_pasted(struct value value, struct strbuf *out, struct error *err);

#endif
