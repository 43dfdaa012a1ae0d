/* The kinds of strategies of this module, a row each, in the order in which they are listed. */
#ifndef GEN_STRATEGIES_H
#define GEN_STRATEGIES_H

#include "gen/kind.h"

#define STRATEGY_FUNCTIONS(ROW)                                                                    \
    ROW(integers)                                                                                  \
    ROW(booleans)                                                                                  \
    ROW(decimals)                                                                                  \
    ROW(floats)                                                                                    \
    ROW(text)                                                                                      \
    ROW(from_regex)                                                                                \
    ROW(binary)                                                                                    \
    ROW(uuids)                                                                                     \
    ROW(dates)                                                                                     \
    ROW(times)                                                                                     \
    ROW(datetimes)                                                                                 \
    ROW(just)                                                                                      \
    ROW(none)                                                                                      \
    ROW(sampled_from)                                                                              \
    ROW(one_of)                                                                                    \
    ROW(lists)                                                                                     \
    ROW(sets)                                                                                      \
    ROW(tuples)                                                                                    \
    ROW(dictionaries)                                                                              \
    ROW(timedeltas)                                                                                \
    ROW(json_values)                                                                               \
    ROW(builds)                                                                                    \
    ROW(consumes)
#define STRATEGY_METHODS(ROW)                                                                      \
    ROW(map)                                                                                       \
    ROW(filter)                                                                                    \
    ROW(flatmap)

#define DECLARE(name) extern const struct strategy_kind kind_##name;
STRATEGY_FUNCTIONS(DECLARE)
STRATEGY_METHODS(DECLARE)
#undef DECLARE

/* one_of() of the items. */
bool strategy_any_of(struct arena *arena, const struct value *items, size_t count,
                     struct value *out, struct error *err);

#endif
