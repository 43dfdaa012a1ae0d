/* Arguments of strategies: of the right kind, or a message that says what they must be. */
#ifndef GEN_ARGS_H
#define GEN_ARGS_H

#include "gen/kind.h"

/* The getters leave *out as it is where the argument is None (not given) and give false
 * with a message that names function and parameter where it is of a wrong kind. */
bool arg_int64(const struct strategy *strategy, size_t index, int64_t *out, struct error *err);
bool arg_bool(const struct strategy *strategy, size_t index, bool *out, struct error *err);
/* Two parameters, the smallest size and the largest. `*max_size` holds the usual largest size,
 * which moves up with the smallest; nothing is larger than `limit`. */
struct sizes {
    size_t min, max; /* max < min: nothing fits */
};
bool arg_sizes(const struct strategy *strategy, size_t index, size_t limit, struct sizes *out,
               struct error *err);
/* Whether it is a number or None; the hint is for a string. */
bool arg_number(const struct strategy *strategy, size_t index, const char *hint, struct error *err);
bool arg_strategy(const struct strategy *strategy, size_t index, struct error *err);
bool arg_function(const struct strategy *strategy, size_t index, struct error *err);
/* Every item of the tuple of further arguments must be a strategy. */
bool arg_strategies(const struct strategy *strategy, size_t index, struct error *err);
/* "integers() min_value must be an int, not string"; `wanted` is "an int". Always false. */
bool arg_wrong(const struct strategy *strategy, size_t index, const char *wanted,
               struct error *err);

#endif
