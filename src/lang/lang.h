/*
 * The model language: a deterministic dialect of Starlark.
 *
 * A *module* holds the names of one machine: builtins, constants, and the slots of its model
 * variables (globals). Code is compiled once, when the file is read: every name is resolved to a
 * slot or a constant, so that a run looks nothing up by name, and what an expression reads is known
 * before it runs. A *state* is one example's run: the globals' values, an arena, how much has been
 * evaluated.
 *
 * Name lookup, innermost first: names local to a function or comprehension; the locals of the step
 * (arguments, let, for, result); globals; builtins.
 *
 * It must not know strategies, bundles or databases: those come in as native functions (tables
 * given to lang_module_new) and as objects.
 *
 * Source of the rules: Starlark's specification (https://github.com/bazelbuild/starlark), with the
 * differences listed in docs/MODEL-LANGUAGE.md.
 */
#ifndef LANG_LANG_H
#define LANG_LANG_H

#include "base/error.h"
#include "base/source.h"
#include "value/object.h"
#include "value/value.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lang_module;
struct lang_code;
struct expr;

/* A module in `arena` (machine's lifetime). `tables` (ends with NULL): further native functions
 * beside the language's own; `constants` (ends with name NULL): e.g. condition names. Both are
 * borrowed. */
struct lang_module *lang_module_new(struct arena *arena,
                                    const struct native_function *const *tables,
                                    const struct named_value *constants);

/* Adds methods that objects have which code comes by (ends with name NULL; may be NULL). A call of
 * a method that is neither of these nor of the language's types is refused when it is compiled;
 * without this, no method is. */
void lang_module_methods(struct lang_module *module, const struct native_function *methods);

enum lang_global_kind {
    LANG_VARIABLE, /* a model variable: code may assign it */
    LANG_FIXED,    /* a bundle: set by the host for each example, code can't assign it */
    LANG_CLOCK,    /* the time: set by the host as it moves, code can't assign it */
};
/* Adds a global, or finds it; gives its slot. */
size_t lang_module_global(struct lang_module *module, const char *name, enum lang_global_kind kind);
bool lang_module_find_global(const struct lang_module *module, const char *name, size_t *slot);
size_t lang_module_global_count(const struct lang_module *module);
const char *lang_module_global_name(const struct lang_module *module, size_t slot);
enum lang_global_kind lang_module_global_kind(const struct lang_module *module, size_t slot);
/* Its values have names, `<global>_<number>`, in the calls of pinned examples, as those of bundles
 * have. */
void lang_module_name_values(struct lang_module *module, size_t slot);
/* Whether the name is a builtin or a constant of the module. */
bool lang_module_is_builtin(const struct lang_module *module, const char *name);
/* Whether the text is a name of the language: a letter or _, then letters, digits, _; no reserved
 * word. */
bool lang_is_name(const char *text, size_t size);
/* A keyword, a constant, or a word that is kept from being a name. */
bool lang_is_reserved(const char *text, size_t size);

/* The locals of one rule, invariant or initialize step; slots from 0 in the order added. */
struct lang_locals {
    VEC(const char *) names;
};
size_t lang_locals_add(struct lang_locals *locals, struct arena *arena, const char *name);
bool lang_locals_find(const struct lang_locals *locals, const char *name, size_t *slot);

enum lang_mode {
    LANG_EXPRESSION, /* one expression */
    LANG_TOP,        /* statements; a name first assigned becomes a global variable */
    LANG_STEP,       /* statements; a name first assigned that is no global becomes a local */
};
/* Compiles a snippet, which must live as long as the code. `locals` may be NULL (none) and grows
 * under LANG_STEP; a name that is among them is theirs under LANG_TOP, too. Under LANG_TOP a `def`
 * makes a global, too. A function can't assign a global. In an expression line ends are spaces.
 * False with err and its position. */
bool lang_compile(struct lang_module *module, struct arena *arena, struct lang_locals *locals,
                  enum lang_mode mode, const struct snippet *snippet, struct lang_code **out,
                  struct error *err);
/* Adds the globals that compiling the snippet under LANG_TOP would add, so that code compiled
 * before it may read them. Does nothing where it does not parse: lang_compile says why. */
void lang_declare(struct lang_module *module, struct arena *arena, struct lang_locals *locals,
                  const struct snippet *snippet);

/* What the code reads, also through functions of the model that it calls (by any chain).
 * A function kept in a data structure counts as read by whoever reads any global that is no
 * function. To be asked when all code of the module is compiled; each answer is worked out
 * anew. */
bool lang_reads_global(const struct lang_code *code, size_t slot);
bool lang_reads_local(const struct lang_code *code, size_t slot);
bool lang_reads_any_local(const struct lang_code *code);
bool lang_reads_any_global(const struct lang_code *code); /* variables and bundles; not a function
                                                              as such */
/* Whether the code as a whole is a list, set or dict that is written out, `[a, b]`. */
bool lang_is_display(const struct lang_code *code);
/* Whether the code as a whole gives a list that may have several items, as its form shows: a list
 * that is written out, a comprehension, sorted(xs). False in doubt. */
bool lang_gives_list(const struct lang_code *code);
/* Whether the code as a whole gives an error or a text, or several, and never None, as its form
 * shows: the name of a condition, error(…), a choice between such, a list of such. False in doubt.
 */
bool lang_gives_error(const struct lang_code *code);
/* Whether the code is None, False, zero, or an empty text or list, written out. */
bool lang_gives_nothing(const struct lang_code *code);
/* Whether the code is one name, and which: for a bundle's name as an argument. NULL if it is not.
 */
const char *lang_sole_name(const struct lang_code *code);
/* Whether the code is a call `function(name)` with one positional name: consumes(users). */
const char *lang_sole_call(const struct lang_code *code, const char *function);
/* Whether the code is a constant, written out: 5, "a", None. */
bool lang_is_constant(const struct lang_code *code);
/* Whether the code is an expression that reads no variable, no bundle and no local and calls no
 * function of the model: it gives the same in every example, and may be evaluated at any time. */
bool lang_is_fixed(const struct lang_code *code);
/* The builtin that the code as a whole is a call of, `integers` for `integers(1, 6)`; or NULL. */
const char *lang_called(const struct lang_code *code);
/* A call of a builtin whose first argument is a text, written out: column("users.email"). */
struct lang_text_call {
    const char *function, *text;
    struct source_pos pos; /* of the text */
};
const struct lang_text_call *lang_text_calls(const struct lang_code *code, size_t *count);
/* The text, if the code is a string that is written out; else NULL. */
const char *lang_constant_text(const struct lang_code *code);
/* The tree of an expression's code: lang/syntax/ast.h. */
struct expr *lang_expression(const struct lang_code *code);
/* The source text of the code. */
const struct snippet *lang_snippet(const struct lang_code *code);

/* Limits of one example; reaching one is ERROR_LIMIT that names it. */
struct lang_limits {
    uint64_t steps;  /* evaluation steps; default 10,000,000 */
    unsigned depth;  /* calls one in another; default 200 */
    unsigned levels; /* expressions one in another, over all those calls; default 2,000 */
    size_t bytes;    /* of values in the arena, since lang_state_begin; default 64 MiB */
};
extern const struct lang_limits lang_default_limits;

struct lang_zone; /* lang/builtins/builtin_dates.c */

struct lang_state {
    struct caller caller; /* first member: callees see the state as their caller */
    struct arena *arena;  /* the example's; caller.arena is another one while lang_look runs */
    const struct lang_module *module;
    struct value *globals; /* lang_module_global_count of them */
    struct lang_limits limits;
    uint64_t steps;
    unsigned depth;
    unsigned levels;
    size_t bytes_before; /* in the arena at lang_state_begin */
    /* Takes what print() prints, a line without its end; NULL: nowhere. */
    void (*print)(void *host, const char *line, size_t size);
    void *print_host;
    struct lang_frame *frame; /* innermost call, for the call stack of an error */
    struct lang_zone **zones; /* time zones that were read, in `arena` */
    struct lang_stack *stack; /* arguments and variables of the calls under way */
};

/* Readies a state for one example; its values go to `arena`, which must not be rewound or reset
 * while the state is used. The globals are unset. The limits are the default ones: change them
 * afterwards. The state must not move. */
void lang_state_begin(struct lang_state *state, const struct lang_module *module,
                      struct arena *arena, void *host);
void lang_set_global(struct lang_state *state, size_t slot, struct value value);
/* The value, or VALUE_NONE with false where it is unset. */
bool lang_get_global(const struct lang_state *state, size_t slot, struct value *out);
/* A deep copy of the globals, to be looked at in place of `globals`. It does not count. */
struct value *lang_copy_globals(struct lang_state *state);

/* Runs code; `locals` are as many as the locals the code was compiled with (may be NULL for none).
 * A failing evaluation gives err with position, source and call stack in detail; codes
 * ERROR_MACHINE, ERROR_LIMIT. lang_eval gives an expression's value; of statements that of the
 * last one where it is an expression, else None. */
bool lang_eval(struct lang_state *state, const struct lang_code *code, struct value *locals,
               struct value *out, struct error *err);
/* The same for an expression that is to look at the model, not to move it on: what it makes is in
 * `arena`, which may be reset when the value is done with, and changing a list, set or dict that
 * lies elsewhere is an error. The value may share parts of the model. */
bool lang_look(struct lang_state *state, const struct lang_code *code, struct value *locals,
               struct arena *arena, struct value *out, struct error *err);
/* A copy of the state with which everything only looks, as lang_look does, and prints nothing: to
 * be put in its place for a while. What it makes is in `arena`; what it counts does not count. */
struct lang_state lang_looking(const struct lang_state *state, struct arena *arena);
/* The same for `part`, which is inside of the expression and in no comprehension or lambda of it.
 */
bool lang_look_at(struct lang_state *state, const struct lang_code *code, struct expr *part,
                  struct value *locals, struct arena *arena, struct value *out, struct error *err);
bool lang_exec(struct lang_state *state, const struct lang_code *code, struct value *locals,
               struct error *err);
/* Marks a local as unset (reading it is an error: "'x' is read before it is assigned"). */
void lang_unset(struct value *local);
bool lang_is_unset(struct value local);

/* A call written as a statement, `name = rule(a=…, b=…)`: how steps of pinned examples are written.
 */
struct lang_call_arg {
    const char *name;       /* NULL: positional */
    struct source_pos pos;  /* of the name, else of the value */
    struct lang_code *code; /* LANG_EXPRESSION */
};
struct lang_call {
    const char *assigned; /* the name on the left, or NULL */
    const char *function;
    struct source_pos pos;
    VEC(struct lang_call_arg) args;
};
struct lang_calls {
    VEC(struct lang_call) calls;
};
/* Reads a block of such calls; anything else in it is an error that says what is expected. Names in
 * the arguments are resolved in `locals`; a name assigned by a call is added to them, and so is
 * `<bundle>_<number>` for the name of a bundle (LANG_FIXED), or of what lang_module_name_values was
 * told of, where it is first used. */
bool lang_compile_calls(struct lang_module *module, struct arena *arena, struct lang_locals *locals,
                        const struct snippet *snippet, struct lang_calls *out, struct error *err);

#endif
