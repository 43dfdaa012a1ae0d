/*
 * How a file becomes a machine: what the readers of its parts share. Private to this module.
 *
 * First everything is checked that needs no names (keys, kinds of values); then the names are
 * collected (variables of the model, bundles); then expressions and SQL are compiled, in the order
 * in which their parts run; last, what only shows in the whole is checked. A mistake is reported
 * and the reading goes on, so that all of them come in one go.
 */
#ifndef MACHINE_LOADER_H
#define MACHINE_LOADER_H

#include "base/map.h"
#include "machine/machine.h"
#include "machine/rule_keys.h"
#include "machine/yaml/document.h"
#include "machine/yaml/keys.h"

/* Bounds that no machine comes near, so that a file made to be hostile is refused and not worked on
 * for minutes: aliases and contexts let a small file ask for much. */
enum {
    STATEMENTS_TOTAL_MAX = 10000,
    NAMES_MAX = 250,         /* arguments, lets, `for` names of one rule; settings of one context */
    CODE_TOTAL_MAX = 4 << 20 /* bytes of code and SQL, as often as they are compiled */
};

/* Moves what one vector holds to another of the same items. */
#define VEC_MOVE(to, from)                                                                         \
    ((to)->items = (from)->items, (to)->count = (from)->count, (to)->capacity = (from)->capacity)

/* A rule or step whose keys are checked and whose values are not read yet. */
struct rule_draft {
    const char *name;
    const struct node *key; /* the name's, or the step */
    const struct node *values[RULE_KEYS];
    bool broken;      /* no mapping, or some of its keys were refused */
    bool lacks_names; /* one of those may have brought names */
};

struct invariant_draft {
    const char *name;
    const struct node *key;
    const struct node *query; /* written as a text; NULL: as a mapping */
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
    const struct source *source;
    struct diagnostics *diagnostics;
    struct machine *machine;
    const struct node *model;      /* top-level `model`, or NULL */
    const struct node *default_as; /* top-level `as`, or NULL */
    const struct node *examples;   /* top-level `examples`, or NULL */
    VEC(struct context_draft) contexts;
    struct map context_names; /* → index in contexts */
    struct map bundle_names;  /* → index in machine->bundles */
    VEC(struct rule_draft) initialize;
    VEC(struct rule_draft) rules;
    VEC(struct invariant_draft) invariants;
    VEC(struct schema_path) schema;
    size_t code_bytes; /* towards CODE_TOTAL_MAX */
    /* How many errors the YAML itself gave, and what takes an error that says more of their places.
     */
    size_t document_errors;
    struct error ignored;
    /* Code that makes variables of the model failed: a name that nothing has is not reported. */
    bool names_incomplete;
};

/* mistakes.c */

/* Reports a mistake at a node; returns the error, for a hint. */
struct error *report(struct loader *loader, const struct node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same with a whole error; one that was reported before is not reported again. */
struct error *report_error(struct loader *loader, const struct error *err);
/* ", did you mean 'x'?" or "": to be appended to a message. In the arena. */
const char *did_you_mean(struct loader *loader, const char *word, const char *const *names,
                         size_t count);

/* yaml/split.c */

/* In a flow mapping or list: entries `from` to the returned one (excluded) are one text that YAML
 * ended at its comma, which is reported; `from` itself where it is no such thing. */
size_t split_text(struct loader *loader, const struct node *collection, size_t from);

/* load.c: the top level. */
void read_root(struct loader *loader, const struct node *root);

/* expression.c */

/* Compiles an expression or statements; NULL after a mistake, which is reported with what the traps
 * of YAML have to do with it. `locals` may be NULL. */
struct compile_job {
    struct lang_locals *locals;
    enum lang_mode mode;
    const struct node *node;
    bool named; /* the text is a name behind a colon, as in `role: ":actor"` */
    /* For a name that nothing has; both may be NULL. What is put before the message ("rule 'x'"),
     * and what to do about it (NULL: nothing to say). */
    const char *context;
    const char *(*explain)(const void *with, const char *name);
    const void *with;
};
struct lang_code *compile(struct loader *loader, const struct compile_job *job);
/* Says so where YAML took the end of the text for a comment, if there is no hint yet. */
void hint_at_comment(const struct loader *loader, const struct node *node, struct error *err);
/* The name that the error says is unknown, in the arena; NULL where it says something else. */
const char *unknown_name(struct loader *loader, const struct error *err);
/* `check`: an expression or a list of them. */
struct code_list {
    struct lang_code **items;
    size_t count;
    size_t capacity;
};
void read_checks(struct loader *loader, struct lang_locals *locals, const struct node *value,
                 struct code_list *out);
/* `xfail`: a reason, or a mapping. */
const struct known_failure *read_xfail(struct loader *loader, const struct node *value);
/* As entries_next, over name → expression: a name must be free among the locals; where YAML split a
 * call, which is reported, the entry's value is NULL. */
bool binding_next(struct loader *loader, const struct node *map, const char *what,
                  const struct lang_locals *locals, struct map *seen, struct entry *entry);
/* The variable of the model whose name is close to `name` but not its plural; or NULL. */
const char *closest_variable(struct loader *loader, const char *name);
/* The node's text, to be compiled; NULL where there has been too much of that, or so many mistakes
 * that further ones would not be shown. */
struct snippet *take_code(struct loader *loader, const struct node *node);
/* statements.c, context.c: SQL and whom it runs as. */

/* What the statements of one rule, step or invariant share. */
struct context_instance {
    const struct node *as;
    const struct context *context;
};
struct statement_scope {
    const char *what; /* "rule 'x'" */
    struct lang_locals *locals;
    const struct node *as; /* its own, or the default, or NULL */
    VEC(struct context_instance) contexts;
};
struct statement_list {
    struct machine_statement *items;
    size_t count;
    size_t capacity;
};
void read_statements(struct loader *loader, struct statement_scope *scope, const struct node *sql,
                     struct statement_list *out);
void read_contexts(struct loader *loader, void *into, const struct node *map); /* a key_reader */
/* The context that `as` stands for, compiled in the scope; NULL for none and after a mistake. */
const struct context *context_for(struct loader *loader, struct statement_scope *scope,
                                  const struct node *as);
void check_unused_contexts(struct loader *loader);

/* rule.c, rule_check.c: rules and steps of initialize, in three goes. */

void check_rule(struct loader *loader, struct rule_draft *draft, const struct node *value,
                bool initialize);
/* Variables that a step of initialize assigns; then, when all are known, bundles. */
void declare_variables(struct loader *loader, const struct rule_draft *step);
void declare_bundles(struct loader *loader, const struct rule_draft *draft);
void compile_rule(struct loader *loader, const struct rule_draft *draft, struct rule *rule);
/* When everything is compiled: what the rule reads, and what its keys need of each other. */
void finish_rule(struct loader *loader, const struct rule_draft *draft, struct rule *rule);

/* argument.c: what an argument draws from, as far as its text shows; `locals` are those before it.
 */
void study_argument(struct loader *loader, const struct lang_locals *locals,
                    const struct node *node, struct rule_arg *arg);

/* invariant.c */
void check_invariant(struct loader *loader, struct invariant_draft *draft,
                     const struct node *value);
void compile_invariant(struct loader *loader, const struct invariant_draft *draft,
                       struct invariant *invariant);
void finish_invariant(struct loader *loader, const struct invariant_draft *draft,
                      struct invariant *invariant);

/* pinned.c: the pinned examples, when all rules are compiled. */
void compile_pinned(struct loader *loader);

void read_dataset(struct loader *loader, void *into, const struct node *map);  /* a key_reader */
void read_settings(struct loader *loader, void *into, const struct node *map); /* a key_reader */
void read_profiles(struct loader *loader, void *into, const struct node *map); /* a key_reader */

/* require.c */
void read_require(struct loader *loader, void *into, const struct node *map); /* a key_reader */
/* reach.c: rules that can never run, bundles that are never filled. */
void check_reach(struct loader *loader);

extern const struct keys machine_keys;
extern const struct keys rule_keys;
extern const struct keys invariant_keys;
extern const struct keys context_keys;
extern const struct keys pinned_keys;
extern const struct keys statement_keys;
extern const struct keys settings_keys;
extern const struct keys shrink_keys;
extern const struct keys xfail_keys;

#endif
