/* Helpers of builtins and methods, and the tables of builtins. */
#ifndef LANG_NATIVE_H
#define LANG_NATIVE_H

#include "lang/eval/interp.h"

static inline struct lang_state *native_state(const struct native_call *call)
{
    return (struct lang_state *)call->caller;
}

/* (), (x), (x=…) with x unset if it is missing, (*xs) */
extern const struct native_param params_none[], params_x[], params_any[], params_rest[];
/* The same of collections: (items), (items=…), (*items) */
extern const struct native_param params_items[], params_any_items[], params_rest_items[];

/* Reads argument `index` as a place in a sequence, like a bound of a slice: negative places count
 * from the end, and the result is clamped to 0 … length. None leaves `*out` unchanged. */
bool native_place(const struct native_call *call, size_t index, size_t length, size_t *out,
                  struct error *err);

/* Begins a method that changes its object: false with err if the object may not change. *out
 * becomes None. */
bool native_changes(const struct native_call *call, struct value *out, struct error *err);

/* The items of a collection, which may not change until unlock_items, because a callback runs in a
 * loop over them. */
struct locked_items {
    struct items items;
    struct value_iter lock;
};
bool lock_items(struct lang_state *state, struct value value, struct locked_items *out,
                struct error *err);
void unlock_items(struct locked_items *items);

void list_reverse(struct list *list);

/* D.update(pairs, **named), and dict(...): entries from a dict, or from pairs. */
bool native_dict_update(const struct native_call *call, struct table *table, struct error *err);

/* The functions known everywhere, by file. Each table ends with name NULL, and their list ends with
 * NULL. */
extern const struct native_function *const lang_builtins[];
extern const struct native_function builtins_convert[], builtins_dates[], builtins_items[],
    builtins_order[];
/* Constants beside them (json, json_null, _), in the arena. */
enum { LANG_CONSTANTS = 3 };
void lang_constants(struct arena *arena, struct named_value out[LANG_CONSTANTS]);

#endif
