/* An array of texts as a parameter of a statement; {0} is an empty one. */
#ifndef PG_TEXT_ARRAY_H
#define PG_TEXT_ARRAY_H

#include "base/strbuf.h"
#include "pg/types/types.h"
#include "value/value.h"

struct text_array {
    struct arena arena;
    struct value list;
    struct strbuf text;
};

/* The text is copied. */
void text_array_add(struct text_array *array, const char *text, size_t size);
/* As the server reads it; borrowed until text_array_free. */
const char *text_array_finish(const struct types *types, struct text_array *array);
void text_array_free(struct text_array *array);

#endif
