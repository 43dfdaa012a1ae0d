/*
 * A machine: a YAML file, read, checked and compiled; immutable once loaded.
 *
 * Everything in it lives in the arena given to machine_load. Names are resolved: expressions are
 * code with slots, and SQL texts are templates whose parameters are bound to slots.
 *
 * Slots. Globals (model variables and bundles) are the module's. Locals are per rule, invariant and
 * initialize step, in this order: arguments, let, `for` names, what statements name, `result`, then
 * what `model:` assigns.
 *
 * It must not know a database: the backend finds out if a statement can be prepared.
 */
#ifndef MACHINE_MACHINE_H
#define MACHINE_MACHINE_H

#include "base/error.h"
#include "lang/lang.h"
#include "machine/settings.h"
#include "machine/sql/sql.h"
#include "value/time/interval.h"

enum { SLOT_NONE = -1 };

struct node; /* yaml/document.h */

/* The user and settings that a statement runs with. If all are NULL or empty, it runs as the
 * connecting user without settings. */
struct context_setting {
    const char *name;       /* "app.tenant" */
    struct lang_code *code; /* gives its value, set as text; None as '' */
};

struct context {
    const char
        *name; /* for reports: "ann", or the text of an inline context: "{role: authenticated}" */
    const char *role;            /* a role's name, or NULL */
    struct lang_code *role_code; /* of `role: :arg`: gives the name; otherwise NULL */
    const char *session_user;
    struct lang_code *session_user_code;
    VEC(struct context_setting) settings;
    struct lang_code *claims; /* gives a dict, stored as JSON in request.jwt.claims; or NULL */
    struct source_pos pos;
};

/* A named value of `let` or `for`. With `for`, the code gives a collection or bundle, and the
 * invariant runs once per item. */
struct named_code {
    const char *name;
    size_t slot;
    struct lang_code *code;
};
struct named_codes {
    struct named_code *items;
    size_t count;
    size_t capacity;
};

/* An SQL statement of a rule or invariant, with its context. What follows the context is of
 * statements of rules. */
struct machine_statement {
    const struct sql_template *sql;
    const struct context *context; /* compiled against the locals of its rule; or NULL */
    struct named_codes lets;       /* what the client computes before it sends the statement */
    struct lang_code *expect;      /* what it returns; NULL if nothing says so */
    struct lang_code *affects;
    int result_slot; /* local: `result: NAME`, its answer; SLOT_NONE if it has no name */
    bool waits;      /* it uses the answer of an earlier statement of its rule */
};

struct statement_list {
    struct machine_statement *items;
    size_t count;
    size_t capacity;
};

struct code_list {
    struct lang_code **items;
    size_t count;
    size_t capacity;
};

struct rule_arg {
    const char *name;
    size_t slot;            /* local */
    struct lang_code *code; /* gives a strategy, a bundle, a collection, or a constant */
    int bundle; /* index in machine->bundles if the code is a bundle's name or consumes(name);
                   otherwise -1 */
    bool consumes;
    bool fixed; /* its value can't change */
    bool drawn; /* by its text, each draw makes a choice, so calls in pinned examples have the
                   argument */
    bool empty; /* by its text, no value is possible */
    struct source_pos pos;
};

enum target_kind { TARGET_BUNDLE, TARGET_COLLECTION /* a list, set or dict of the model */ };

struct rule_target {
    enum target_kind kind;
    const char *name;
    size_t global;           /* slot */
    int bundle;              /* index in machine->bundles, or -1 */
    struct lang_code *value; /* a dict's value under the new key; NULL for None */
};

/* `xfail`: a known failure, which does not fail a run. */
struct known_failure {
    const char *reason;
    bool strict; /* the run fails if the property holds */
    struct source_pos pos;
};

/* `clock`: the simulated time at which every example begins. */
struct machine_clock {
    int64_t start_us; /* since 2000-01-01 00:00:00 UTC */
    size_t now;       /* global: the time, LANG_CLOCK */
};

/* Whether the application keeps a rule's statements prepared. */
enum rule_prepared { RULE_PREPARED_AS_SET, RULE_IS_PREPARED, RULE_IS_NOT_PREPARED };

/* A rule, or a step of initialize. Absent code is NULL. */
struct rule {
    const char *name; /* initialize steps of a list: "initialize 1", … */
    size_t index;     /* in machine->rules or machine->initialize */
    bool initialize;
    struct source_pos pos;
    struct lang_code *precondition;
    VEC(struct rule_arg) args;
    struct named_codes lets;
    struct lang_code *where;
    bool advances;              /* moves the clock before its statements run */
    struct interval advance_by; /* if advance is NULL */
    struct lang_code *advance;  /* gives an interval */
    struct source_pos advance_pos;
    struct statement_list statements;
    const char *files;        /* of the migration of a diff: what it runs; else NULL */
    enum isolation isolation; /* of its transaction, if it is committed */
    bool outside;             /* its statements run outside of a transaction */
    enum rule_prepared prepared;
    enum crash_then crash;         /* `crash`; CRASH_NEVER if the rule has none */
    struct lang_code *crash_model; /* runs if its session ends in the middle */
    size_t commits_slot;           /* local of that: how many transactions were committed */
    /* Its session may end in the middle: it consists of several transactions, and its `crash` says
     * what the model makes of that, or it does not change the model at all. */
    bool breaks;
    struct lang_code *raises;
    struct lang_code *expect;
    struct lang_code *affects;
    struct lang_code *label;
    struct code_list checks;
    struct lang_code *model;
    VEC(struct rule_target) targets;
    struct lang_code *returns; /* NULL for the first column of every row */
    double weight;             /* used if weight_code is NULL */
    struct lang_code *weight_code;
    int64_t limit; /* per example; -1: none */
    bool migrates; /* it is a part of the migration */
    /* The values of `migrated` from which on and up to which it can be chosen; -1: any. */
    int64_t from;
    int64_t until;
    const struct known_failure *xfail;
    struct lang_locals locals;
    int result_slot; /* local; SLOT_NONE if nothing reads `result` */
    /* True if check, model, returns or a target need the database's answer. If not, the next step
     * may begin before the answer arrives. */
    bool needs_answer;
    bool names_answers; /* some statement has a result_slot */
    bool computes;      /* some statement waits for earlier ones */
    bool expects;       /* some statement has its own `expect` or `affects` */
    /* By their form, `raises` predicts an error in every step, or `affects` or `expect` predicts no
     * effect: the rule tests that something is refused. */
    bool never_succeeds;
};

enum invariant_when { WHEN_STEP, WHEN_END };

struct invariant {
    const char *name;
    size_t index;
    struct source_pos pos;
    struct statement_list statements; /* if empty, only the model is checked */
    struct lang_code *expect;
    struct code_list checks;
    struct named_codes fors;
    struct lang_code *precondition;
    enum invariant_when when;
    int64_t every; /* steps; 1: every step */
    bool no_rows;  /* it has neither expect nor check, or is a bare SQL text, so it must return no
                      row */
    const struct known_failure *xfail; /* NULL: none */
    struct lang_locals locals;
    int result_slot;
};

struct bundle {
    const char *name;
    size_t global; /* slot, LANG_FIXED */
    struct source_pos pos;
};

/* A row of `dataset`: an INSERT whose parameters are constants. */
struct dataset_row {
    const struct sql_template *sql;
    const struct value *values; /* one per parameter occurrence, in order; frozen */
    const char *table;
    struct source_pos pos;
};

/* Pinned examples. A step is a call. Its arguments are code with the example's names (`locals`):
 * those that calls assign, and `<bundle>_<number>` for values of bundles. */
struct pinned_arg {
    size_t arg; /* index in rule->args */
    struct lang_code *code;
    struct source_pos pos; /* of its name */
};

struct pinned_step {
    size_t rule;  /* index in machine->rules */
    int assigned; /* local for the value that it puts into a bundle; or SLOT_NONE */
    struct source_pos pos;
    VEC(struct pinned_arg) args;
};

struct pinned_example {
    const char *name;
    struct source_pos pos;
    VEC(struct pinned_step) steps;     /* at least one */
    const struct known_failure *xfail; /* NULL: none */
    struct lang_locals locals;
};

/* `migration`: it is a rule for each of its transactions (`migrates`). */
struct deployment_step {
    const char *name; /* "expand"; "migration", if the steps have no names */
    size_t first;     /* `migrated` before it */
    size_t end;       /* and after it */
};
/* What a rule may wait for while the migration runs. */
enum may_wait {
    MAY_WAIT_SHORT, /* for locks that are held while no rows are read or written */
    MAY_WAIT_NEVER,
    MAY_WAIT_ANY,
};
struct machine_migration {
    bool each; /* each statement is a transaction, unless its file says something else */
    const enum may_wait *may_wait; /* by rule; NULL: MAY_WAIT_SHORT for all */
    size_t migrated; /* global: how many transactions have run; 0 where an example begins */
    size_t at;       /* global: the one that is next; less while a file is run again */
    size_t pieces;   /* how many there are */
    VEC(struct deployment_step) steps;
    VEC(const char *) files; /* paths, made relative to the current directory */
    size_t forward;          /* of the files; those after them undo it */
};

/* A profile: the machine's settings, with those of the profile applied over them. */
struct profile {
    const char *name;
    struct settings settings;
};

/* `require`: the minimum share of steps of a rule, or with a label. */
struct requirement {
    const char *name;   /* of the rule, or the label */
    size_t rule;        /* index; SIZE_MAX for a label */
    double share;       /* 0 to 1 */
    const char *wanted; /* as written: "5%" */
};

/* A table or column that a strategy names, `column("users.email")`, `row("users")`. */
struct catalog_name {
    const char *name;
    bool column;
    struct source_pos pos;
};

/* `mutants`: faults in the schema that the machine need not find, by id, or by operator and object.
 */
struct accepted_mutant {
    const char *id;       /* NULL: by operator and object */
    const char *operator; /* globs */
    const char *object;
    const char *reason;
    struct source_pos pos;
};

/* `differences`: what `pgfsm diff` may find, as globs. */
struct accepted_difference {
    const char *on;   /* "add", "table public.orders", a column of it "table public.orders.total" */
    const char *kind; /* "rows" and so on; NULL: any */
    const char *from; /* what it is before, as it is shown, or its SQLSTATE; NULL: anything */
    const char *to;   /* and after */
    const char *reason;
    struct source_pos pos;
};
struct accepted_differences {
    VEC(struct accepted_difference) items;
};

/* A part that only has a meaning if steps are committed. */
struct commit_need {
    const char *what;    /* "rule 'x' has an isolation level" */
    const char *profile; /* the profile that it belongs to; or NULL */
    struct source_pos pos;
};

struct machine {
    const char *name;
    const char *path; /* as given */
    const char *description;
    const struct source *source;
    const struct node *root;  /* for machine_expand */
    VEC(const char *) schema; /* paths, made relative to the current directory */
    VEC(const char *)
    schema_orders;     /* by path: its pattern and that pattern's order; or NULL */
    bool schema_found; /* some paths are from a pattern or a plan, so files may be added */
    VEC(struct dataset_row) dataset;
    struct lang_module *module;
    struct lang_code *model; /* top-level `model:` */
    VEC(struct bundle) bundles;
    VEC(struct rule) initialize;
    bool initialize_shuffled; /* a mapping: each step runs once, in a random order */
    /* The number of steps at the start of an initialize list that draw no values, and so are the
     * same in every example. */
    size_t initialize_constant;
    VEC(struct rule) rules;
    VEC(struct invariant) invariants;
    VEC(struct pinned_example) pinned;
    VEC(struct catalog_name) catalog_names;     /* names in literals */
    VEC(const struct sql_template *) templates; /* all of them; template->id is the index */
    const struct machine_migration *migration;  /* NULL: none */
    const struct machine_clock *clock;          /* NULL: the server has the real time */
    struct settings settings;
    VEC(struct profile) profiles;
    bool crashes; /* some rule has `crash` */
    bool breaks;  /* some rule has that */
    VEC(struct commit_need) commit_needs;
    VEC(const char *) channels; /* that the session LISTENs to */
    VEC(const char *) untested; /* texts for reports that say what the machine does not test */
    VEC(struct requirement) requirements;
    VEC(struct accepted_mutant) mutants;
    struct accepted_differences differences;
    VEC(struct error)
    warnings; /* about parts that are allowed but probably mistakes, with their places */
};

/* Names for code besides the language and strategies: functions, and methods of the objects that
 * they return. Tables that end with name NULL. */
struct machine_builtins {
    const struct native_function *functions, *methods;
};

/* Reads and checks a file. If it has mistakes, adds all to `diagnostics`, in the order of the file,
 * sets `*out` to NULL and returns false. Its code may use strategies, the names of errors
 * (machine/conditions.h), and `builtins` (may be NULL). A `schema` file that can't be read is a
 * mistake. */
bool machine_load(const char *path, const struct machine_builtins *builtins, struct arena *arena,
                  const struct machine **out, struct diagnostics *diagnostics);
/* The same from text. Messages use `name` as the file's name. Schema paths are relative to its
 * folder; the files are not read. */
bool machine_read(const char *name, const char *text, size_t size,
                  const struct machine_builtins *builtins, struct arena *arena,
                  const struct machine **out, struct diagnostics *diagnostics);
/* Reads a file with a list as under `differences`. If it has mistakes, adds all to `diagnostics`
 * and returns false. What is read is in the arena. */
bool machine_read_differences(const char *path, struct arena *arena,
                              struct accepted_differences *out, struct diagnostics *diagnostics);

/* Sets the variables of the migration, if there is one, to where an example begins. */
void migration_begin(const struct machine *machine, struct lang_state *state);

/* "upsert_member", "label denied": by which reports know it. */
const char *requirement_title(const struct requirement *wanted, struct arena *arena);

/* A hash of the machine's text, in the arena: sixteen digits. Of one that was made for a schema,
 * without the line that says where that is: it depends on where the machine is kept. */
const char *machine_fingerprint(const struct machine *machine, bool made, struct arena *arena);

/* Appends the machine's text, with `tables` and `policies` replaced by the rules and invariants
 * that they generate. */
void machine_expand(const struct machine *machine, struct strbuf *out);

/* The JSON Schema (draft 2020-12) of machine files, from the same tables that check them. */
void machine_json_schema(struct strbuf *out);

#endif
