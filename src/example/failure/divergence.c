#include "example/divergence.h"

#include <assert.h>

const char *divergence_kind_name(enum divergence_kind kind)
{
    static const char *const names[] = {"error",  "rows",   "order",   "count",
                                        "column", "notify", "missing", "migrate"};
    _Static_assert(sizeof names / sizeof *names == DIVERGENCE_KINDS, "each kind has a name");
    assert(kind < DIVERGENCE_KINDS);
    return names[kind];
}
