/* This module's kinds of strategies, in the order in which they are listed. */
#ifndef GEN_STRATEGIES_H
#define GEN_STRATEGIES_H

#include "gen/kind.h"
#include "value/time/interval.h"

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

/* The form of dates, times, datetimes and timedeltas. Their numbers are days for dates, and
 * microseconds for the others. */
struct time_form {
    bool (*read)(const char *text, size_t size, int64_t *out);
    size_t (*write)(int64_t number, char *out); /* room for TIME_TEXT_MAX */
    const char *wanted;                         /* in a message */
    const int64_t *units;                       /* as in draw_digits */
};
enum { TIME_TEXT_MAX = INTERVAL_TEXT_MAX };
/* The form of one of these four kinds. */
const struct time_form *time_form_of(const struct strategy_kind *kind);
/* Returns true if the number can be written. */
bool time_fits(const struct strategy_kind *kind, int64_t number);

/* one_of() of the items. */
bool strategy_any_of(struct arena *arena, const struct value *items, size_t count,
                     struct value *out, struct error *err);

#endif
