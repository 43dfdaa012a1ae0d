/* Reads arguments of strategies, or sets a message that says what they must be. */
#ifndef GEN_ARGS_H
#define GEN_ARGS_H

#include "gen/kind.h"

/* The getters leave *out unchanged if the argument is None (not given). If it has a wrong type,
 * they return false with a message that names the function and the parameter. */
bool arg_int64(const struct strategy *strategy, size_t index, int64_t *out, struct error *err);
bool arg_bool(const struct strategy *strategy, size_t index, bool *out, struct error *err);
/* Two parameters, the smallest and the largest size. `*max_size` holds the usual largest size,
 * which moves up with the smallest; `limit` bounds both. */
struct sizes {
    size_t min, max; /* max < min if no size fits */
};
bool arg_sizes(const struct strategy *strategy, size_t index, size_t limit, struct sizes *out,
               struct error *err);
/* Returns true if it is a number or None; the hint is for a string. */
bool arg_number(const struct strategy *strategy, size_t index, const char *hint, struct error *err);
bool arg_strategy(const struct strategy *strategy, size_t index, struct error *err);
bool arg_function(const struct strategy *strategy, size_t index, struct error *err);
/* Checks that every item of the tuple of further arguments is a strategy. */
bool arg_strategies(const struct strategy *strategy, size_t index, struct error *err);
/* "integers() min_value must be an int, not string"; `wanted` is "an int". Always false. */
bool arg_wrong(const struct strategy *strategy, size_t index, const char *wanted,
               struct error *err);

#endif
