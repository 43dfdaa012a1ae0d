#ifndef PGFSM_VALUE_H
#define PGFSM_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pgfsm/export.h>

PGFSM_BEGIN

/*
 * Values that a model in C (pgfsm/model.h) is given and returns. They belong to a call and are
 * valid until it returns. Copy what you keep. NULL is None, which is SQL's NULL.
 *
 * A mistake, such as asking for a text that is a number, does not interrupt the function. After it
 * has returned, the run ends with an error that names the function and its argument.
 */
struct pgfsm_value;
struct pgfsm_call;

enum pgfsm_type {
    PGFSM_TYPE_NONE,
    PGFSM_TYPE_BOOL,
    PGFSM_TYPE_INT,     /* of any size */
    PGFSM_TYPE_NUMERIC, /* exact decimal */
    PGFSM_TYPE_FLOAT,
    PGFSM_TYPE_TEXT,
    PGFSM_TYPE_BYTES,
    PGFSM_TYPE_LIST, /* or a tuple, a row, a bag */
    PGFSM_TYPE_SET,
    PGFSM_TYPE_DICT,
    PGFSM_TYPE_OTHER,
};
enum pgfsm_type pgfsm_value_type(const struct pgfsm_value *value);

/* The argument of that name, and its value in C. */
const struct pgfsm_value *pgfsm_arg(struct pgfsm_call *call, const char *name);
bool pgfsm_arg_bool(struct pgfsm_call *call, const char *name);
int64_t pgfsm_arg_int(struct pgfsm_call *call, const char *name);
double pgfsm_arg_double(struct pgfsm_call *call, const char *name);
const char *pgfsm_arg_text(struct pgfsm_call *call, const char *name);
int64_t pgfsm_arg_scaled(struct pgfsm_call *call, const char *name, unsigned places);

/* The same for any value. */
bool pgfsm_value_to_bool(struct pgfsm_call *call, const struct pgfsm_value *value);
int64_t pgfsm_value_to_int(struct pgfsm_call *call, const struct pgfsm_value *value);
double pgfsm_value_to_double(struct pgfsm_call *call, const struct pgfsm_value *value);
/* A number gives its digits, as the server prints them. NULL for None. */
const char *pgfsm_value_to_text(struct pgfsm_call *call, const struct pgfsm_value *value);
/* A number times 10 to the power of `places`, which must leave no fraction: 1.50 as 150 cents. */
int64_t pgfsm_value_to_scaled(struct pgfsm_call *call, const struct pgfsm_value *value,
                              unsigned places);
/* NULL for None. */
const void *pgfsm_value_to_bytes(struct pgfsm_call *call, const struct pgfsm_value *value,
                                 size_t *size);

/* The number of items in a list, set or dict, and the item at `index`. In a dict, the item is the
 * key, and pgfsm_value_item_value gives the value under it. NULL past the end. */
size_t pgfsm_value_count(const struct pgfsm_value *value);
const struct pgfsm_value *pgfsm_value_item(const struct pgfsm_value *value, size_t index);
const struct pgfsm_value *pgfsm_value_item_value(const struct pgfsm_value *value, size_t index);
/* The column of a row with that name, or a dict's value under that text; NULL if there is none. */
const struct pgfsm_value *pgfsm_value_field(const struct pgfsm_value *value, const char *name);

/* New values. */
struct pgfsm_value *pgfsm_value_bool(struct pgfsm_call *call, bool value);
struct pgfsm_value *pgfsm_value_int(struct pgfsm_call *call, int64_t value);
struct pgfsm_value *pgfsm_value_double(struct pgfsm_call *call, double value);
/* "1.50": an exact number with these digits. */
struct pgfsm_value *pgfsm_value_numeric(struct pgfsm_call *call, const char *digits);
/* The same number from 150 and 2. */
struct pgfsm_value *pgfsm_value_scaled(struct pgfsm_call *call, int64_t value, unsigned places);
/* UTF-8, copied. NULL is None. */
struct pgfsm_value *pgfsm_value_text(struct pgfsm_call *call, const char *text);
struct pgfsm_value *pgfsm_value_bytes(struct pgfsm_call *call, const void *data, size_t size);
/* A row of a result with several columns: PGFSM_TUPLE(call, a, b). */
struct pgfsm_value *pgfsm_value_tuple(struct pgfsm_call *call,
                                      const struct pgfsm_value *const *items, size_t count);
#define PGFSM_TUPLE(call, ...)                                                                     \
    pgfsm_value_tuple(call, (const struct pgfsm_value *[]){__VA_ARGS__},                           \
                      sizeof((const struct pgfsm_value *[]){__VA_ARGS__}) / sizeof(void *))

/* Empty ones, to be filled. */
struct pgfsm_value *pgfsm_value_list(struct pgfsm_call *call);
struct pgfsm_value *pgfsm_value_set(struct pgfsm_call *call);
/* A list whose order does not matter. */
struct pgfsm_value *pgfsm_value_bag(struct pgfsm_call *call);
struct pgfsm_value *pgfsm_value_dict(struct pgfsm_call *call);
/* Adds an item to a new list, set or bag. */
void pgfsm_value_add(struct pgfsm_call *call, struct pgfsm_value *to,
                     const struct pgfsm_value *item);
/* Sets the key of a new dict. */
void pgfsm_value_put(struct pgfsm_call *call, struct pgfsm_value *to, const struct pgfsm_value *key,
                     const struct pgfsm_value *value);

/* Ends the run with this message, when the function has returned: the model is wrong. */
void pgfsm_call_fail(struct pgfsm_call *call, const char *message);
/* Zeroed memory that lives as long as the state of the call. */
void *pgfsm_call_alloc(struct pgfsm_call *call, size_t size);

PGFSM_END

#endif
