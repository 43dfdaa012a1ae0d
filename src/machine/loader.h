/*
 * Loads a machine from a file. Shared by the readers of its parts, and private to this module.
 *
 * The loader first checks keys and kinds of values, which needs no names. Then it collects names
 * (variables of the model, bundles), and compiles expressions and SQL in the order in which they
 * run. Finally it checks the machine as a whole. After a mistake it continues, so that it reports
 * all mistakes together.
 */
#ifndef MACHINE_LOADER_H
#define MACHINE_LOADER_H

#include "base/map.h"
#include "machine/machine.h"
#include "machine/rule_keys.h"
#include "machine/yaml/document.h"
#include "machine/yaml/keys.h"

/* Limits far above the size of real machines. They refuse hostile files, which could expand for
 * minutes through aliases and contexts. A byte of code becomes up to 250 bytes of memory, usually
 * 50, so the memory is limited, too. The size of a single text is limited because the memory is
 * only checked between texts. */
enum {
    STATEMENTS_TOTAL_MAX = 50000,
    NAMES_MAX = 250,    /* arguments, lets, `for` names of one rule; settings of one context */
    CODE_MAX = 1 << 20, /* bytes of one text of code or SQL */
    CODE_TOTAL_MAX = 32 << 20, /* bytes of all texts, counted each time they are compiled */
    MEMORY_MAX = 512 << 20     /* bytes of the loaded machine */
};

/* A part of the migration that runs as a whole; a rule is made of it. */
struct migration_piece {
    struct source_pos pos;             /* its first statement */
    VEC(const struct snippet *) texts; /* of its statements, and of settings before them */
    size_t statements;
    const char *added;     /* the last text is pgfsm's (`added` of struct sql_template); or NULL */
    bool outside;          /* it runs outside of a transaction */
    int64_t limit;         /* of the rule */
    const char *condition; /* expressions over `migrated`: when it may run */
    const char *change;    /* and what it does */
};

/* A rule or step whose keys are checked but whose values are not read yet. */
struct rule_draft {
    const char *name;
    const struct node *key; /* the name's node, or the step's */
    const struct node *values[RULE_KEYS];
    bool broken;                         /* not a mapping, or some of its keys were refused */
    bool lacks_names;                    /* a refused key may have defined names */
    const struct migration_piece *piece; /* it has no keys, but is made of this; or NULL */
};

struct invariant_draft {
    const char *name;
    const struct node *key;
    const struct node *values[INVARIANT_KEYS];
    bool broken; /* as above */
    bool lacks_names;
};

/* `contexts: {ann: …}` */
struct context_draft {
    const char *name;
    const struct node *node;
    bool used;
};

struct schema_path {
    const char *path;
    const struct node *node;
};

struct loader {
    struct arena *arena;
    struct source *source; /* the rules generated from `tables` are appended to its text */
    struct diagnostics *diagnostics;
    struct machine *machine;
    const struct keys *const *all_keys; /* ends with NULL */
    const struct node *model;           /* top-level `model`, or NULL */
    const struct node *default_as;      /* top-level `as`, or NULL */
    const struct node *examples;        /* top-level `examples`, or NULL */
    VEC(struct context_draft) contexts;
    struct map context_names; /* → index in contexts */
    struct map bundle_names;  /* → index in machine->bundles */
    VEC(struct rule_draft) initialize;
    VEC(struct rule_draft) rules;
    VEC(struct invariant_draft) invariants;
    VEC(struct schema_path) schema;
    const struct lang_state
        *beginning; /* the state at the start of each example; set while warnings are collected */
    bool hosted;    /* its code calls functions of a host */
    size_t code_bytes;                   /* counted against CODE_TOTAL_MAX */
    struct map rule_names;               /* to their index */
    struct machine_migration *migration; /* NULL: none */
    size_t migration_pieces;             /* rules made of it */
    const struct node *allow_blocking;   /* of the migration; or NULL */
    bool migration_commits;              /* some of it runs outside of transactions */
    /* The number of errors of the YAML itself, and a dummy for further errors at their places. */
    size_t document_errors;
    struct error ignored;
    /* Code that defines variables of the model has a mistake, so unknown names are not reported. */
    bool names_incomplete;
};

/* mistakes.c */

/* Reports a mistake; returns the error, for a hint. */
struct error *report_at(struct loader *loader, struct source_pos pos, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define report(loader, node, ...)                                                                  \
    report_at((loader), node_pos((loader)->source, (node)), __VA_ARGS__)
/* Reports an existing error, unless it was reported before. */
struct error *report_error(struct loader *loader, const struct error *err);
/* ", did you mean 'x'?" or "", to append to a message. In the arena. `names` is a vector of names,
 * or of structs that begin with one. */
const char *did_you_mean_of(struct loader *loader, const char *word, const void *names,
                            size_t count, size_t size);
#define did_you_mean(loader, word, names)                                                          \
    did_you_mean_of((loader), (word), (names).items, (names).count, sizeof *(names).items)

/* yaml/split.c */

/* Reports text in a flow mapping or list that YAML split at its comma. Returns the entry after that
 * text, which began at entry `from`; `from` if there was no such text. */
size_t split_text(struct loader *loader, const struct node *collection, size_t from);

/* schema_files.c: reads `schema`. */
void read_schema(struct loader *loader, void *into, const struct node *value);
/* The files that a part names in the same way, in the order in which they run. */
struct paths {
    VEC(const char *) items;
};
void read_paths(struct loader *loader, const struct node *value, struct paths *out);
/* Checks that the files can be read, before a server is started. */
void check_schema_files(struct loader *loader);

/* clock.c: reads `clock`, and the interval of a literal `advance` (false if it is an expression).
 */
void read_clock(struct loader *loader, void *into, const struct node *value);
bool read_interval(struct loader *loader, const struct node *value, struct interval *out);

/* made.c: returns the root with its `tables` and `policies` expanded into its other parts. NULL
 * after a mistake, which is reported. */
const struct node *add_generated(struct loader *loader, const struct node *root);

/* load.c: the top level. */
void read_root(struct loader *loader, const struct node *root);

/* foresee.c */

/* How a run uses the value of an expression. */
enum use {
    USE_ANY,   /* in any way that can't fail */
    USE_VALUE, /* keeps it or sends it, but does not draw from it */
    USE_LOOP,
    USE_WEIGHT,
    USE_COUNT,
    USE_LABEL,
    USE_RAISES,
    USE_EXPECT,
    USE_ADVANCE,
    USE_CLAIMS,
    USE_SETTING,
};
/* Reports code that a run could not evaluate, or whose value it could not use, if this is known
 * before a run. `code` may be NULL. */
void foresee(struct loader *loader, const struct lang_code *code, enum use use);
/* The same for the top-level `model`, after everything is compiled. */
void foresee_model(struct loader *loader);
/* Evaluates fixed code. False if it fails, which is reported, or exceeds a limit. */
bool evaluate_fixed(struct loader *loader, const struct lang_code *code, struct lang_state *state,
                    struct arena *arena, struct value *out);

/* expression.c */

/* Compiles an expression or statements. After a mistake it returns NULL; the report has a hint if
 * YAML's syntax is the cause. `locals` may be NULL. */
struct compile_job {
    struct lang_locals *locals;
    enum lang_mode mode;
    const struct node *node;
    bool named;  /* the text is a name after a colon, as in `role: ":actor"` */
    bool raises; /* an unknown name was probably meant as a condition */
    /* For an unknown name: the context before the message ("rule 'x'"), and the hint. Both may be
     * NULL. */
    const char *context;
    const char *(*explain)(const void *with, const char *name);
    const void *with;
};
struct lang_code *compile(struct loader *loader, const struct compile_job *job);

struct context_instance {
    const struct node *as;
    const struct context *context;
};
/* A local that a statement of a rule defines, for what comes after it. */
struct statement_name {
    size_t slot;
    const char *name;
    bool result;  /* it is a whole answer */
    bool answers; /* its value is one, or is computed from one */
};
/* Shared by the parts of one rule, step or invariant. */
struct scope {
    const char *what; /* "rule 'x'" */
    struct lang_locals *locals;
    const char *(*explain)(const void *with, const char *name); /* as in a job */
    const void *with;
    const struct node *as;   /* its own, or the default, or NULL */
    bool outside;            /* its SQL runs outside of a transaction */
    const struct rule *rule; /* NULL: of an invariant */
    const struct node *sql;  /* NULL before it is read */
    VEC(struct statement_name) names;
    VEC(struct context_instance) contexts;
};
struct lang_code *scope_expression(struct loader *loader, const struct scope *scope,
                                   const struct node *node, enum use use);
/* Reads named expressions, each of which sees the ones before it; `what` is "a let". */
void read_bindings(struct loader *loader, const struct scope *scope, const char *what,
                   const struct node *map, enum use use, struct named_codes *out);
/* Sets a hint if YAML read the end of the text as a comment, unless there is a hint already. */
void hint_at_comment(const struct loader *loader, const struct node *node, struct error *err);
/* The name that the error reports as unknown, in the arena; NULL for any other error. */
const char *unknown_name(struct loader *loader, const struct error *err);
/* `check`: an expression or a list of them. */
void read_checks(struct loader *loader, const struct scope *scope, const struct node *value,
                 struct code_list *out);
/* `crash`: a mapping. `*model` is the code in it, or NULL. */
enum crash_then crash_read(struct loader *loader, const struct node *value,
                           const struct node **model);
/* `xfail`: a reason, or a mapping. */
const struct known_failure *read_xfail(struct loader *loader, const struct node *value);
/* Like entries_next, over name → expression. It refuses names that the locals already have. If YAML
 * split a call, it reports that, and the entry's value is NULL. */
bool binding_next(struct loader *loader, const struct lang_locals *locals, struct entries *entry);
/* The variable of the model whose name is close to `name` but not its plural; or NULL. */
const char *closest_variable(struct loader *loader, const char *name);
/* The line of a second place in a message. It needs a search, so it is 0 if no more messages are
 * kept. */
size_t line_of(const struct loader *loader, struct source_pos pos);
/* The node's text, to compile; NULL if it exceeds CODE_TOTAL_MAX, or if there are so many mistakes
 * that further ones would not be shown. */
struct snippet *take_code(struct loader *loader, const struct node *node);
/* statements.c, context.c: SQL and its user. */

void read_statements(struct loader *loader, struct scope *scope, const struct node *sql,
                     struct statement_list *out);
/* Whether some statement in the node defines the name. */
bool statements_name(const struct node *sql, const char *name);
/* Hides the names that statements define from what is evaluated before them, and shows them again.
 */
void statement_names_hide(struct scope *scope);
void statement_names_show(struct scope *scope);
void read_contexts(struct loader *loader, void *into, const struct node *map); /* a key_reader */
/* The context that `as` names, compiled in the scope; NULL for none and after a mistake. */
const struct context *context_for(struct loader *loader, struct scope *scope,
                                  const struct node *as);
void check_unused_contexts(struct loader *loader);

/* rule.c, rule_check.c: rules and steps of initialize, in three passes. */

void check_rule(struct loader *loader, struct rule_draft *draft, const struct node *value,
                bool initialize);
/* Declares the variables that a step of initialize assigns, and then, after all variables are
 * known, bundles. */
void declare_variables(struct loader *loader, const struct rule_draft *step);
void declare_bundles(struct loader *loader, const struct rule_draft *draft);
void compile_rule(struct loader *loader, const struct rule_draft *draft, struct rule *rule);
/* After everything is compiled: checks the names that the rule reads, and keys that depend on each
 * other. */
void finish_rule(struct loader *loader, const struct rule_draft *draft, struct rule *rule);

/* argument.c: finds the source of an argument, as far as its text shows it; `locals` are those
 * before it. */
void study_argument(struct loader *loader, const struct lang_locals *locals,
                    const struct node *node, struct rule_arg *arg);

/* invariant.c */
void check_invariant(struct loader *loader, struct invariant_draft *draft,
                     const struct node *value);
void compile_invariant(struct loader *loader, const struct invariant_draft *draft,
                       struct invariant *invariant);
void finish_invariant(struct loader *loader, const struct invariant_draft *draft,
                      struct invariant *invariant);

/* pinned.c: compiles the pinned examples, after all rules. */
void compile_pinned(struct loader *loader);

void read_dataset(struct loader *loader, void *into, const struct node *map); /* a key_reader */
/* settings_read.c: records that the node only has a meaning if steps are committed. */
void needs_commit(struct loader *loader, const char *profile, const struct node *node,
                  const char *what);
void read_settings(struct loader *loader, void *into, const struct node *map); /* a key_reader */
void read_profiles(struct loader *loader, void *into, const struct node *map); /* a key_reader */

/* accepted.c */
void read_mutants(struct loader *loader, void *into, const struct node *map); /* a key_reader */
void read_differences(struct loader *loader, void *into, const struct node *list); /* the same */

/* migrate.c: reads `migration`, and a rule's `until` and `from`. */
void read_migration(struct loader *loader, void *into, const struct node *value);
void read_until(struct loader *loader, struct rule *rule, const struct node *value);
void read_from(struct loader *loader, struct rule *rule, const struct node *value);
/* concurrent.c: CREATE INDEX CONCURRENTLY, with a name. The texts are SQL, to run outside of a
 * transaction. */
struct concurrent_index {
    bool unless_there; /* IF NOT EXISTS */
    const char *spoil; /* after it: as if the statement had been interrupted at its end */
    const char *check; /* an error if the index is invalid */
};
/* False if the statement is none. */
bool concurrent_index_read(const char *text, struct arena *arena, struct concurrent_index *out);

/* `allow_blocking`, when all rules are known. */
void read_allowed(struct loader *loader);
/* Makes the rule of a draft that has a piece. */
void compile_piece(struct loader *loader, const struct rule_draft *draft, struct rule *rule);

/* require.c */
void read_require(struct loader *loader, void *into, const struct node *map); /* a key_reader */
/* warn.c: adds warnings about the whole machine, after it has no mistakes. */
void warn_of_doubts(struct loader *loader);
struct error *warn_at(struct loader *loader, struct source_pos pos, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* reach.c: finds rules that can never run and bundles that are never filled. */
void check_reach(struct loader *loader);

extern const struct keys machine_keys;
extern const struct keys rule_keys;
extern const struct keys invariant_keys;
extern const struct keys context_keys;
extern const struct keys migration_keys;
extern const struct keys pinned_keys;
extern const struct keys difference_keys;
extern const struct keys statement_keys;
extern const struct keys settings_keys;
extern const struct keys shrink_keys;
extern const struct keys xfail_keys;
extern const struct keys crash_keys;

#endif
