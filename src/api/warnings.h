/* Formats warnings about a machine's text as lines. */
#ifndef API_WARNINGS_H
#define API_WARNINGS_H

#include "base/error.h"

/* Appends the warning's place: "a.yaml:4:18: ". */
void warning_place(const struct error *warning, struct strbuf *out);

#endif
