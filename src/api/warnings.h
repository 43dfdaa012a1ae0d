/* Warnings of a machine's text, as lines. */
#ifndef API_WARNINGS_H
#define API_WARNINGS_H

#include "base/error.h"

/* Appends "a.yaml:4:18: ", where the warning's place is. */
void warning_place(const struct error *warning, struct strbuf *out);

#endif
