#include "api/warnings.h"

void warning_place(const struct error *warning, struct strbuf *out)
{
    struct source_place place = source_place(warning->pos);
    strbuf_addf(out, "%s:%zu:%zu: ", warning->pos.source->name, place.line, place.column);
}
