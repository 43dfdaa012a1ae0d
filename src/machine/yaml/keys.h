/*
 * Keys of mappings, as tables: name, kind of value, reader, description. The same tables check a
 * file, give the messages and make the JSON Schema. Each table is in the file of its part; this
 * file has no table.
 *
 * Readers are only called with values of the right kind, in the table's order, not the file's. A
 * table lists each part after those that it depends on.
 */
#ifndef MACHINE_KEYS_H
#define MACHINE_KEYS_H

#include "base/map.h"
#include "machine/yaml/document.h"

struct loader;

/* Kinds of values. */
enum shape {
    SHAPE_NAME,           /* of a file or report: letters, digits, _ . - */
    SHAPE_TEXT,           /* any text */
    SHAPE_NUMBER,         /* a whole number */
    SHAPE_WEIGHT,         /* a number or an expression */
    SHAPE_DURATION,       /* 5s */
    SHAPE_EXPRESSION,     /* of the model language: text, or a flow collection taken as text */
    SHAPE_EXPRESSIONS,    /* one, or a list of them */
    SHAPE_STATEMENTS,     /* of the model language */
    SHAPE_CALLS,          /* of rules, one a line */
    SHAPE_BINDINGS,       /* a mapping: name → expression */
    SHAPE_SQL,            /* text, or a list of texts or {as, sql} */
    SHAPE_PATHS,          /* a text or a list of texts */
    SHAPE_TARGETS,        /* a name or a list of names */
    SHAPE_CHANNELS,       /* the same, of channels of NOTIFY */
    SHAPE_NOTES,          /* a text or a list of texts, for readers */
    SHAPE_CONTEXT,        /* a name or a mapping */
    SHAPE_ROLE,           /* a role's name, or :name */
    SHAPE_WHEN,           /* step, end */
    SHAPE_CHECK_DEFERRED, /* step, end, never */
    SHAPE_TRANSACTIONS,   /* savepoint, commit */
    SHAPE_ISOLATION,      /* read committed, … */
    SHAPE_ERRORS,         /* predicted or any */
    SHAPE_ACCEPT,         /* serial or invariants */
    SHAPE_TRANSACTION,    /* none */
    SHAPE_CLOCK,          /* 2026-01-01 00:00:00+00 */
    SHAPE_CONTEXTS,       /* the mappings and lists of the top level */
    SHAPE_DATASET,
    SHAPE_INITIALIZE,
    SHAPE_RULES,
    SHAPE_INVARIANTS,
    SHAPE_EXAMPLES,
    SHAPE_SETTINGS,
    SHAPE_SHRINK,
    SHAPE_PROFILES,
    SHAPE_REQUIRE,
    SHAPE_MUTANTS,
    SHAPE_DIFFERENCES,
    SHAPE_DIFFERENCE, /* error, rows, … */
    SHAPE_MIGRATION,
    SHAPE_STEPS,    /* of a deployment: paths, or names of steps to paths */
    SHAPE_CUT,      /* file, statement */
    SHAPE_BLOCKING, /* rules to what each may wait for: short, any */
    SHAPE_TABLES,
    SHAPE_POLICIES,
    SHAPE_BOOLEAN,
    SHAPE_XFAIL,
    SHAPE_CRASH,
    SHAPE_THEN, /* again, another, nothing */
    SHAPES,
};

/* The values that a kind accepts, as bits. */
enum {
    ACCEPT_TEXT = 1,
    ACCEPT_LIST = 2,
    ACCEPT_MAP = 4,
    ACCEPT_FLOW = 8, /* [] and {} as source text */
    ACCEPT_CODE = 16 /* the text is code, which YAML may have parsed as something else */
};

struct shape_info {
    const char *name;   /* in the JSON Schema, under $defs */
    const char *wanted; /* "an expression" */
    unsigned accepts;
    const char *schema; /* as JSON */
};
extern const struct shape_info shapes[SHAPES];

enum key_flag {
    KEY_REQUIRED = 1,
    KEY_RULE_ONLY = 4, /* a rule may have it, a step of initialize may not */
    KEY_OF_SQL = 8,    /* qualifies the key `sql`, so it needs that key */
    KEY_OF_ARGS = 16,
    KEY_OF_TARGET = 32,
};

typedef void key_reader(struct loader *loader, void *into, const struct node *value);

struct key {
    const char *name;
    enum shape shape;
    unsigned flags;
    key_reader *read; /* NULL if the reader of another key reads it */
    const char *help; /* one sentence, for the JSON Schema */
};

/* Another tool's name for a key. */
struct other_word {
    const char *word, *key;
};

struct keys {
    const char *of;    /* "a rule" */
    const char *where; /* "in a rule"; NULL if it has no keys of its own */
    const struct key *items;
    size_t count;
    const struct other_word *words; /* ends with NULL; or NULL */
    const char *const *one_of;      /* at least one of these keys must be present; ends with NULL */
    bool bring_names; /* its keys define names for the whole machine, and an unknown key may lose
                         some */
};

/* Checks a mapping's keys and the kinds of their values. `values`, one for each key, gets the valid
 * ones; NULL for the others. `refused` are flags of keys that are not allowed here. */
void keys_check(struct loader *loader, const struct keys *keys, const struct node *map,
                unsigned refused, const struct node **values);
/* The number of values that are not NULL. */
size_t values_count(const struct node *const *values, size_t count);
/* Returns true if a refused value is a collection, which may have defined names. */
bool keys_lost_names(const struct node *map, const struct node *const *values, size_t count);
/* Calls the readers of the keys that keys_check found. */
void keys_read(struct loader *loader, const struct keys *keys, const struct node *const *values,
               void *into);
/* Reports keys that qualify the missing key `sql`. */
void keys_check_without_sql(struct loader *loader, const struct keys *keys,
                            const struct node *const *values);
/* Checks that the value is of the kind, and reports if it is not. `name` is the key's. */
bool shape_check(struct loader *loader, enum shape shape, const char *name,
                 const struct node *value);

/* The spelling of names in a mapping. */
enum spelling {
    SPELL_IDENTIFIER, /* a name of the model language */
    SPELL_NAME,       /* letters, digits, _ . - */
    SPELL_SETTING,    /* of a server setting: letters, digits, _ and dots */
    SPELL_ANY,
};
/* Returns the name. If the node is not text or not spelled so, reports it and returns NULL. `what`
 * is "an argument". */
const char *read_name(struct loader *loader, enum spelling spelling, const char *what,
                      const struct node *node);
/* Iterates over a mapping from names to anything. Reports and skips wrong and duplicate names;
 * returns false at the end. The caller sets the first three members. */
struct entries {
    const struct node *map;
    enum spelling spelling;
    const char *what; /* "an argument" */
    struct map seen;
    size_t next;
    const char *name;
    const struct node *key;
    const struct node *value;
};
bool entries_next(struct loader *loader, struct entries *entry);

#endif
