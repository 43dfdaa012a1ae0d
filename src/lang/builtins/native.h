/* What builtins and methods share: checking their arguments. */
#ifndef LANG_NATIVE_H
#define LANG_NATIVE_H

#include "lang/eval/interp.h"

static inline struct lang_state *native_state(const struct native_call *call)
{
    return (struct lang_state *)call->caller;
}

/* For natives without parameter names: between `min` and `max` positional arguments. */
bool native_positional(const struct native_call *call, const char *name, size_t min, size_t max,
                       struct error *err);
/* A 64-bit int; `name` is the function's. */
bool native_int(const char *name, struct value value, int64_t *out, struct error *err);
bool native_string(const char *name, struct value value, const struct string **out,
                   struct error *err);
/* Argument `index`, or None where it is not given. */
struct value native_arg(const struct native_call *call, size_t index);

/* A place in a sequence, as a slice's bound: from the end where negative, clamped to 0 … length;
 * `*out` stays as it is for None. */
bool native_place(const char *name, struct value arg, size_t length, size_t *out,
                  struct error *err);

/* The items of a collection that may not be changed until unlock_items: what calls back loops over
 * them. */
struct locked_items {
    struct items items;
    struct value_iter lock;
};
bool lock_items(struct lang_state *state, struct value value, struct locked_items *out,
                struct error *err);
void unlock_items(struct locked_items *items);

/* D.update(pairs, **named), and dict(...): entries from a dict, or from pairs. */
bool native_dict_update(const struct native_call *call, const char *name, struct table *table,
                        struct error *err);

/* Functions that are known everywhere; they end with name NULL. */
extern const struct native_function lang_builtins[];
/* Constants beside them (json, json_null), in the arena. */
void lang_constants(struct arena *arena, struct named_value out[2]);

/* builtin_dates.c */
native_fn builtin_age, builtin_date_add, builtin_date_diff, builtin_date_subtract,
    builtin_date_trunc, builtin_extract, builtin_interval, builtin_interval_add,
    builtin_interval_cmp, builtin_interval_multiply;
extern const struct native_param age_params[], date_add_params[], extract_params[],
    interval_params[], interval_multiply_params[];

native_fn builtin_abs, builtin_all, builtin_any, builtin_bag, builtin_bool, builtin_bytes,
    builtin_dict, builtin_dir, builtin_enumerate, builtin_error, builtin_fail, builtin_filter,
    builtin_float, builtin_getattr, builtin_hasattr, builtin_hash, builtin_int, builtin_len,
    builtin_list, builtin_map, builtin_max, builtin_min, builtin_multiple, builtin_numeric,
    builtin_print, builtin_range, builtin_repr, builtin_reversed, builtin_round, builtin_set,
    builtin_sorted, builtin_str, builtin_sum, builtin_tuple, builtin_type, builtin_zip;

extern const struct native_param bag_params[], enumerate_params[], error_params[], filter_params[],
    getattr_params[], int_params[], max_params[], min_params[], round_params[], sorted_params[],
    sum_params[];

#endif
