/*
 * Values of the model language and of the database's answers.
 *
 * A value is 16 bytes, passed by value; what it points to lives in an arena and is never freed by
 * itself. Strings, numbers, tuples and bytes are immutable; list, dict and set are shared by
 * reference as in Starlark. There are no reference counts and no collector: the model's values live
 * as long as their example.
 *
 * Sources of the rules: Starlark's specification (equality, order, hashing, text forms), and the
 * PostgreSQL manual, section 8.1, for numeric.
 *
 * This module is independent of the language's syntax, of strategies and of databases. They define
 * their own values as objects (value/object.h).
 */
#ifndef VALUE_VALUE_H
#define VALUE_VALUE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/strbuf.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum value_type {
    VALUE_NONE, /* SQL NULL */
    VALUE_BOOL,
    VALUE_INT,     /* any size: `integer` if it fits 64 bits, otherwise a bigint (flag VALUE_BIG) */
    VALUE_NUMERIC, /* exact decimal with a scale; NaN and infinities */
    VALUE_FLOAT,
    VALUE_STRING, /* valid UTF-8 without NUL; length and index by code point */
    VALUE_BYTES,
    VALUE_JSON_NULL, /* JSON's null, which is not SQL's */
    VALUE_LIST,
    VALUE_TUPLE, /* a row is a tuple with column names */
    VALUE_DICT,
    VALUE_SET,
    VALUE_BAG,      /* bag([...]): a list that is compared without order */
    VALUE_MULTIPLE, /* multiple(...): several values for a bundle */
    VALUE_ERROR,    /* error(condition, ...): a predicted error */
    VALUE_OBJECT,   /* function, range, strategy, bundle, result: see value/object.h */
};
enum { VALUE_TYPES = VALUE_OBJECT + 1 };

enum {
    VALUE_BIG = 1, /* flag of VALUE_INT: the value is in `big`, and does not fit 64 bits */
    /* The flags from here up are the value's *origin*: a number for the place that the value came
     * from (see example/bundle.h, replay/recording/recording.h), or 0. A copy keeps its origin, and
     * a computed value has none. Equality, order, hash and text ignore it. */
    VALUE_ORIGIN_SHIFT = 1,
};

struct bigint;  /* value/number/numeric.h */
struct numeric; /* value/number/numeric.h */

struct string {
    size_t size;   /* bytes */
    size_t length; /* code points */
    char data[];   /* and a NUL */
};

struct bytes {
    size_t size;
    unsigned char data[];
};

struct list; /* also of bag and multiple */
struct list_kind;
struct tuple;
struct table; /* of dict and set: insertion order, hashed */
struct object;
struct error_value;

struct value {
    enum value_type type;
    unsigned flags;
    union {
        bool boolean;
        int64_t integer;
        const struct bigint *big;
        const struct numeric *numeric;
        double real;
        const struct string *string;
        const struct bytes *bytes;
        struct list *list;
        const struct tuple *tuple;
        struct table *table;
        const struct error_value *error;
        struct object *object;
    } as;
};

/* The common part of lists, dicts and sets, which can change. */
struct container {
    struct arena *arena; /* for growing */
    unsigned iterating;  /* number of loops that run over it: while > 0 it may not change */
    bool frozen;         /* permanently */
    bool kept;           /* only the object that keeps this dict changes it */
    bool repeats;        /* made from JSON in which a key stands twice */
};

struct list {
    struct container base;
    struct value *items;
    size_t count;
    size_t capacity;
    const struct list_kind
        *kind; /* value/object.h: for a list that the host keeps; otherwise NULL */
};

struct tuple {
    size_t count;
    const struct value *items;
    const char *const *names; /* a row's column names, `count` of them; NULL for a plain tuple */
};

struct table_entry {
    uint64_t hash;
    bool live; /* false: removed, skipped */
    struct value key;
    struct value value; /* VALUE_NONE in a set */
};

/* The entries that a table shares with the one below. */
struct table_over {
    const struct table *table; /* without holes */
    uint64_t *gone;            /* bits, by index: removed or replaced in the table above */
    size_t gone_count;
};

struct table {
    struct container base;
    struct table_over *over; /* NULL if all entries are its own */
    struct table_entry
        *entries; /* in order of insertion; removed ones stay as holes until a rebuild */
    size_t used;  /* entries, holes included: iterate i < used and skip !live */
    size_t first; /* entries before it are holes */
    size_t capacity;
    size_t count; /* live ones, of both */
    uint32_t *slots;
    size_t slot_count; /* power of two, or 0 */
};

struct error_value {
    struct value condition;  /* string: condition name or SQLSTATE; VALUE_NONE: any */
    struct value constraint; /* string or None */
    struct value message;    /* string (a part of the message) or None */
    struct value table;      /* string or None */
};

/* Constructors. The `data` of a string has no NUL and should be valid UTF-8. It is not checked, and
 * an SQL_ASCII database may send other bytes, so code that reads strings must accept them. */
struct value value_none(void);
struct value value_json_null(void);
struct value value_bool(bool boolean);
struct value value_int(int64_t integer);
struct value value_float(double real);
struct value value_string(struct arena *arena, const char *data, size_t size);
struct value value_text(struct arena *arena, const char *text);
struct value value_bytes(struct arena *arena, const void *data, size_t size);
/* Copies the items. */
struct value value_tuple(struct arena *arena, const struct value *items, size_t count);
/* A row: `names` are borrowed and must live as long as the row. */
struct value value_row(struct arena *arena, const struct value *items, const char *const *names,
                       size_t count);
struct value value_list(struct arena *arena);
struct value value_dict(struct arena *arena);
struct value value_set(struct arena *arena);
/* A bag of the same items as `list` (not copied). */
struct value value_bag(struct list *list);
struct value value_error(struct arena *arena, const struct error_value *error);
struct value value_object(struct object *object);

/* Changes. list_* and table_* do not check `iterating` and `frozen`; call value_check_mutable
 * first. */
void list_append(struct list *list, struct value item);
/* false: err says "cannot change a list while a loop runs over it" or "… frozen". */
bool value_check_mutable(struct value value, struct error *err);
/* Sets key to value; false with err if the key is not hashable. */
bool table_set(struct table *table, struct value key, struct value value, struct error *err);
/* Finds the entry of the key, or NULL; false with err if the key is not hashable. */
bool table_find(const struct table *table, struct value key, struct table_entry **out,
                struct error *err);
/* The same for a key whose hash is known, such as that of another table's entry. */
struct table_entry *table_find_hashed(const struct table *table, uint64_t hash, struct value key);
/* Shares the entries of `under` with a new table, which may remove or replace them for itself.
 * `under` must live as long, must not change, and must never have lost an entry. */
void table_lay_over(struct table *table, const struct table *under);
/* The number of places for entries. They are in the order of insertion, and removed entries leave
 * holes. */
size_t table_places(const struct table *table);
size_t table_place(const struct table *table, const struct table_entry *entry);
/* The entry at a place; NULL for a hole. */
struct table_entry *table_at(const struct table *table, size_t place);
/* The number of entries before a place, and the place of the entry with that number before it. */
size_t table_position(const struct table *table, size_t place);
size_t table_select(const struct table *table, size_t position);
/* The live entry at index *at or the first one after it, moving *at behind it; NULL at the end:
 *     for (size_t i = 0; (entry = table_next(table, &i));) … */
struct table_entry *table_next(const struct table *table, size_t *at);
/* The oldest entry, or NULL. */
struct table_entry *table_first(const struct table *table);
/* Removes an entry that table_find or table_first returned. The others keep their places, so a loop
 * over the entries may remove the current one. */
void table_remove(struct table *table, struct table_entry *entry);
void table_clear(struct table *table);

/* Parts of values. */
struct items {
    const struct value *items;
    size_t count;
};
/* The items of a list, bag, multiple or tuple; none of any other value. Borrowed. */
struct items value_items(struct value value);
/* Goes through the same items, or through the keys and values of a dict or set (a set's values are
 * None). Begin with {.of = value}. */
struct value_parts {
    struct value of;
    size_t next;
};
bool value_parts_next(struct value_parts *parts, struct value *part);
bool value_is_table(struct value value); /* a dict or a set */
/* The container of a list, bag, multiple, dict or set; NULL for any other value. */
struct container *value_container(struct value value);

/* Questions. */
const char *
value_type_name(struct value value); /* the result of type(): "NoneType", "bool", "int", … */
bool value_truth(struct value value);
/* Deep equality, which never fails. Values of different types differ, except that int, numeric and
 * float compare by value. NaN equals NaN (as in PostgreSQL). Order does not matter in dicts, sets
 * and bags. Values nested deeper than 200, or with more than 5 million parts, count as different.
 */
bool value_equal(struct value a, struct value b);
/* The same, but false with err (ERROR_LIMIT) if the values are nested too deep to compare. */
bool value_equal_checked(struct value a, struct value b, bool *out, struct error *err);
/* Equal values have equal hashes. False with err for a list, dict or set and anything that contains
 * one, and for tuples nested deeper than 200. The hash depends only on the value, never on an
 * address. */
bool value_hash(struct value value, uint64_t *out, struct error *err);
/* Sets *out to < 0, 0 or > 0. Numbers compare with numbers, strings by code point, lists and tuples
 * item by item, and bools and bytes. False with err for anything else, including None. */
bool value_compare(struct value a, struct value b, int *out, struct error *err);
/* Items of a string (code points), list, tuple, dict, set, bag, bytes, or an object that has them;
 * false with err otherwise. */
bool value_length(struct value value, size_t *out, struct error *err);
/* Returns true if two values are the same object in memory, or equal immutable values of one type.
 */
bool value_same(struct value a, struct value b);

/* Appends the text of a value. value_repr writes a literal of the model language, which reads back
 * as an equal value where that is possible ("a\nb", 1.50, float("0.1"), b"\x00", {"k": [1, None]},
 * set([1]), (1,)). It escapes quotes, control characters, invisible characters and those that a
 * YAML file can't contain. value_str writes the same, but a string as it is, and a float as a plain
 * number. A list or dict that contains itself appears as [...], anything nested deeper than 200, or
 * after 64 MiB, as `...`. */
void value_repr(struct value value, struct strbuf *out);
/* The same as a text of its own. */
const char *value_repr_text(struct arena *arena, struct value value);
void value_str(struct value value, struct strbuf *out);

/* A deep copy that shares nothing mutable with the original. Immutable parts are copied into
 * `arena`, too, so that the original's arena may be freed. Objects are shared. The copy is not
 * frozen and has no kind. */
struct value value_copy(struct arena *arena, struct value value);
/* Returns true if a copy is independent of the original: the value contains no objects, and at most
 * `parts` values, including itself. */
bool value_is_data(struct value value, size_t parts);
/* Makes a list, dict or set and everything in it immutable. */
void value_freeze(struct value value);

/* Iteration over what `for` accepts: list, tuple, dict (keys), set, bag, bytes (ints), objects with
 * items. Strings are not iterable, as in Starlark. Usage: struct value_iter iter; if
 * (!value_iter_begin(&iter, v, arena, err)) return false; while (value_iter_next(&iter, &item)) …
 *     value_iter_end(&iter);                        // also after a break: it unlocks the
 * collection */
struct value_iter {
    struct value over;
    size_t next;
    size_t count;
    struct arena *arena;
};
bool value_has_items(struct value over);
/* Adds a hint to the error that a value has no items, if one applies. Returns false. */
bool value_hint_items(struct value over, struct error *err);
bool value_iter_begin(struct value_iter *iter, struct value over, struct arena *arena,
                      struct error *err);
bool value_iter_next(struct value_iter *iter, struct value *item);
void value_iter_end(struct value_iter *iter);

/* At most 2^31 - 1. */
static inline struct value value_with_origin(struct value value, unsigned origin)
{
    assert(origin <= INT32_MAX);
    value.flags = (value.flags & VALUE_BIG) | origin << VALUE_ORIGIN_SHIFT;
    return value;
}
/* Mutable values have no origin, because a copy can change. */
static inline bool value_takes_origin(struct value value)
{
    return value.type == VALUE_INT || value.type == VALUE_NUMERIC || value.type == VALUE_FLOAT ||
           value.type == VALUE_STRING || value.type == VALUE_BYTES;
}
static inline unsigned value_origin(struct value value)
{
    return value.flags >> VALUE_ORIGIN_SHIFT;
}

/* A string's bytes as text for printf ("%.*s" is not needed: it contains no NUL). */
const char *value_cstr(struct value string);
bool value_is_string(struct value value, const char *text);
bool value_is_number(struct value value); /* int, numeric or float */

#endif
