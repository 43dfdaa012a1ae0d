/*
 * Objects: values whose kind another module defines (functions in lang, strategies in gen, bundles
 * and results in engine), and functions written in C that the language can call.
 *
 * An object type is a table of operations; a missing entry means that it lacks the operation. So
 * lang evaluates `s.map(f)` or `len(bundle)` without knowing what a strategy or a bundle is.
 */
#ifndef VALUE_OBJECT_H
#define VALUE_OBJECT_H

#include "base/vec.h"
#include "value/value.h"

/* Values that are kept from one example to the next, by code that does the same in each. */
struct keeping {
    struct arena *arena; /* lives as long as the kept values */
    struct items rows;   /* of the answer that the code reads; they live as long, and only the code
                            changes them */
    VEC(void *) slots;   /* one for each call of caller_keep */
    size_t next;         /* of this example */
};

/* The running interpreter. Native functions call back through it. */
struct caller {
    struct arena *arena; /* of the running example: results go here */
    void *host;          /* the engine's example, for its objects; otherwise NULL */
    /* The running expression may read the model but not change it: new values go to `arena`, and
     * all others are read-only. */
    bool looking;
    struct keeping *keeping; /* NULL if the code may do something else in the next example */
    /* Calls any callable value with positional arguments. */
    bool (*call)(struct caller *caller, struct value callee, const struct value *args, size_t count,
                 struct value *out, struct error *err);
};

/* Like value_check_mutable, but while the caller is looking, only values in its arena may change.
 */
bool caller_check_mutable(const struct caller *caller, struct value value, struct error *err);

/* A slot in which this call may keep a value. In the next example, the same call gets the same
 * slot. NULL if this caller keeps no values. */
void **caller_keep(const struct caller *caller);

struct named_value {
    const char *name;
    struct value value;
};

/* One call of a native function or of an object. */
struct native_call {
    struct caller *caller;
    const struct native_function *function; /* set by native_run */
    struct value self;                      /* the object it is a method of, or VALUE_NONE */
    const struct value *args;
    size_t arg_count;
    const struct named_value *named;
    size_t named_count;
};

typedef bool native_fn(const struct native_call *call, struct value *out, struct error *err);

/* A parameter of a function. */
struct native_param {
    const char *name;
    enum {
        PARAM_REQUIRED,
        PARAM_OPTIONAL,
        PARAM_REST,     /* all further positional arguments, as a tuple */
        PARAM_KEYWORDS, /* all further named ones, as a dict; the last parameter */
    } kind;
    unsigned flags;
};

/* Flags of parameters. PARAM_TYPES are the types that native_run accepts, for PARAM_REST of each
 * item; without them it accepts any. A missing optional argument is None, or unset with
 * PARAM_UNSET, whatever the types. */
enum {
    PARAM_POSITIONAL = 1, /* can't be given by name */
    PARAM_NAMED = 2, /* can't be given by position; the same holds for later parameters, and after
                        PARAM_REST */
    PARAM_UNSET = 4, /* unset_value() if it is missing, so that None is distinct from that */
    PARAM_NUMBER = 8,
    PARAM_INT = 16, /* one that fits 64 bits */
    PARAM_STRING = 32,
    PARAM_BYTES = 64,
    PARAM_ITEMS = 128, /* anything that a loop can run over */
    PARAM_FUNCTION = 256,
    PARAM_NONE = 512, /* None, where the argument is required */
    PARAM_TYPES = PARAM_NUMBER | PARAM_INT | PARAM_STRING | PARAM_BYTES | PARAM_ITEMS |
                  PARAM_FUNCTION | PARAM_NONE,
    /* The first parameter: a single argument is the one behind it, as in range(stop). */
    PARAM_LEADING = 1024,
};

/* A row of a table of native functions; tables end with a row whose name is NULL. */
struct native_function {
    const char *name;
    native_fn *fn;
    const struct native_param *params; /* ends with name NULL; NULL: fn reads the call itself */
    int variant;                       /* tells functions that share `fn` apart */
};

struct object_type {
    const char *name; /* the result of type() */
    bool shown;       /* repr shows its content, so reports show it with the model */
    const char
        *module; /* a module, whose functions are written `module.name`; NULL for other types */
    void (*repr)(const struct object *object, struct strbuf *out);
    bool (*truth)(const struct object *object);
    bool (*equal)(const struct object *a, const struct object *b);
    bool (*hash)(const struct object *object, uint64_t *out);
    bool (*length)(const struct object *object, size_t *out);
    bool (*item)(const struct object *object, size_t index, struct arena *arena, struct value *out);
    /* Gives the table at `index`: its name, and whether it ever had a row. False past the last one.
     * The report names the tables that stayed empty. */
    bool (*table)(const struct object *object, size_t index, const char **name, bool *filled);
    /* Gets an attribute; false with err if it does not exist (the caller adds *did you mean* from
     * attr_names). */
    bool (*attr)(const struct object *object, const char *name, struct caller *caller,
                 struct value *out, struct error *err);
    const char *const *attr_names;         /* ends with NULL */
    const struct native_function *methods; /* tried before attr; NULL: none */
    bool (*call)(struct object *object, const struct native_call *call, struct value *out,
                 struct error *err);
    /* The operator `|` where `a` or `b` is an object of this type (`a`'s type is asked first). */
    bool (*join)(struct arena *arena, struct value a, struct value b, struct value *out,
                 struct error *err);
};

/* A list that only another module changes, such as a bundle. It behaves like any list, and also has
 * the operations of this table. */
struct list_kind {
    const char *fixed;                     /* the message if the language tries to change it */
    const char *hint;                      /* a hint that says how it can change */
    const struct native_function *methods; /* in addition to those of lists */
    bool (*join)(struct arena *arena, struct value a, struct value b, struct value *out,
                 struct error *err); /* as in object_type */
};

/* The first member of every object. */
struct object {
    const struct object_type *type;
};

/* Puts positional and named arguments into `out`, one for each parameter (`params` ends with name
 * NULL). A missing optional argument comes from `standards`; if that is NULL, it is None or unset.
 * False with err, such as "integers() got an unexpected argument 'mn', did you mean 'min_value'?",
 * with the module if call->self is one. */
bool native_bind(const char *function, const struct native_param *params,
                 const struct native_call *call, const struct value *standards, struct value *out,
                 struct error *err);

/* Calls a native function. If it has params, the call that `fn` gets has one positional argument
 * for each of them, of an accepted type. */
bool native_run(const struct native_function *function, const struct native_call *call,
                struct value *out, struct error *err);

/* Stands for a variable or a parameter that has no value yet. */
static inline struct value unset_value(void)
{
    return (struct value){.type = (enum value_type)VALUE_TYPES};
}

static inline bool is_unset(struct value value)
{
    return value.type == (enum value_type)VALUE_TYPES;
}

/* A native function as a value; `function` is borrowed. `self` becomes call->self. */
struct value value_native(struct arena *arena, const struct native_function *function,
                          struct value self);
/* The native function of the value; NULL if it is something else. */
const struct native_function *native_function_of(struct value value);
/* A function's name for messages, with its module: "len", "json.encode". The latter is in the
 * buffer. */
enum { NATIVE_NAME_SIZE = 64 };
const char *native_name(const char *function, struct value self, char buffer[NATIVE_NAME_SIZE]);
/* The same for a value; NULL if it is not a native function. */
const char *native_name_of(struct value value, char buffer[NATIVE_NAME_SIZE]);
/* The methods of an object's type or of a list's kind; NULL if there are none. */
const struct native_function *own_methods(struct value value);
/* The table's row with that name; NULL if there is none or `table` is NULL. */
const struct native_function *native_find(const struct native_function *table, const char *name);

/* `_`, which stands for any value in an expectation. value_equal finds it equal only to itself;
 * code that compares with an expectation handles it. */
struct value value_wildcard(void);
bool value_is_wildcard(struct value value);

/* range(...) is an object of this module; `step` must not be 0. */
struct value value_range(struct arena *arena, int64_t start, int64_t stop, int64_t step);
/* Returns true for a range, with its first number, step and length. */
bool range_parts(struct value value, int64_t *start, int64_t *step, size_t *count);

#endif
