/*
 * The model language: a deterministic dialect of Starlark.
 *
 * A *module* holds the names of one machine: builtins, constants, and the slots of its model
 * variables (globals). Code is compiled once, when the file is read. That resolves every name to a
 * slot or a constant, so that a run needs no lookups and the names that an expression reads are
 * known in advance. A *state* is one example's run: the globals' values, an arena, and counts for
 * the limits.
 *
 * Name lookup, innermost first: names local to a function or comprehension; the locals of the step
 * (arguments, let, for, result); globals; builtins.
 *
 * This module must not know strategies, bundles or databases: they come as native functions (tables
 * given to lang_module_new) and as objects.
 *
 * The rules are those of Starlark's specification (https://github.com/bazelbuild/starlark), with
 * the differences listed in docs/MODEL-LANGUAGE.md.
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

/* Adds the methods of the host's objects (ends with name NULL; may be NULL). After that, compiling
 * refuses calls of methods that neither these objects nor the language's types have. Without it,
 * methods are not checked. */
void lang_module_methods(struct lang_module *module, const struct native_function *methods);

enum lang_global_kind {
    LANG_VARIABLE, /* a model variable: code may assign it */
    LANG_FIXED,    /* a bundle: set by the host for each example, code can't assign it */
    LANG_CLOCK,    /* the time: set by the host as it moves, code can't assign it */
};
/* Adds or finds a global, and returns its slot. */
size_t lang_module_global(struct lang_module *module, const char *name, enum lang_global_kind kind);
bool lang_module_find_global(const struct lang_module *module, const char *name, size_t *slot);
size_t lang_module_global_count(const struct lang_module *module);
const char *lang_module_global_name(const struct lang_module *module, size_t slot);
enum lang_global_kind lang_module_global_kind(const struct lang_module *module, size_t slot);
/* Gives its values names, `<global>_<number>`, in the calls of pinned examples, like the values of
 * bundles. */
void lang_module_name_values(struct lang_module *module, size_t slot);
/* Returns true if the name is a builtin or a constant of the module. */
bool lang_module_is_builtin(const struct lang_module *module, const char *name);
/* Returns true if the text is a name of the language: a letter or _, then letters, digits, _; not a
 * reserved word. */
bool lang_is_name(const char *text, size_t size);
/* True for keywords, constants and words that are reserved. */
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
    LANG_STEP,       /* statements; a name first assigned becomes a local unless it is a global */
};
/* Compiles a snippet, which must live as long as the code. `locals` may be NULL and grows under
 * LANG_STEP. Names in `locals` are locals under LANG_TOP, too; other names and `def`s become
 * globals there. A function can't assign a global. In an expression, newlines are spaces. False
 * with err and its position. */
bool lang_compile(struct lang_module *module, struct arena *arena, struct lang_locals *locals,
                  enum lang_mode mode, const struct snippet *snippet, struct lang_code **out,
                  struct error *err);
/* Adds the globals that compiling the snippet under LANG_TOP would add, so that code compiled
 * earlier may read them. Does nothing if the snippet does not parse; lang_compile reports that. */
void lang_declare(struct lang_module *module, struct arena *arena, struct lang_locals *locals,
                  const struct snippet *snippet);

/* Returns true if the code reads the global, directly or through functions of the model. A function
 * in a data structure counts as read by all code that reads a global other than a function. Call
 * this after all code of the module is compiled. Results are not cached. */
bool lang_reads_global(const struct lang_code *code, size_t slot);
bool lang_reads_local(const struct lang_code *code, size_t slot);
bool lang_reads_any_local(const struct lang_code *code);
bool lang_reads_any_global(
    const struct lang_code *code); /* variables and bundles, but not functions */
/* Returns true if the code is a literal list, set or dict, `[a, b]`. */
bool lang_is_display(const struct lang_code *code);
/* Returns true if the code clearly gives a list that may have several items: a literal list, a
 * comprehension, sorted(xs). False if in doubt. */
bool lang_gives_list(const struct lang_code *code);
/* Returns true if the code clearly gives one or several errors or texts, and never None: the name
 * of a condition, error(…), a choice between them, a list of them. False if in doubt. */
bool lang_gives_error(const struct lang_code *code);
/* Returns true if the code is a literal None, False, zero, or an empty text or list. */
bool lang_gives_nothing(const struct lang_code *code);
/* The name, if the code is a single one, such as a bundle's as an argument. Otherwise NULL. */
const char *lang_sole_name(const struct lang_code *code);
/* The name, if the code is a call `function(name)` with one positional name: consumes(users). */
const char *lang_sole_call(const struct lang_code *code, const char *function);
/* Returns true if the code is a literal constant: 5, "a", None. */
bool lang_is_constant(const struct lang_code *code);
/* Returns true if the code is an expression that depends on no variable, bundle, local or function
 * of the model. It has the same value in every example, and may be evaluated at any time. */
bool lang_is_fixed(const struct lang_code *code);
/* The builtin, if the code is a call of one: `integers` for `integers(1, 6)`. Otherwise NULL. */
const char *lang_called(const struct lang_code *code);
/* A call of a builtin whose first argument is a literal text: column("users.email"). */
struct lang_text_call {
    const char *function, *text;
    struct source_pos pos; /* of the text */
};
const struct lang_text_call *lang_text_calls(const struct lang_code *code, size_t *count);
/* The text, if the code is a literal string. Otherwise NULL. */
const char *lang_constant_text(const struct lang_code *code);
/* The tree of an expression's code: lang/syntax/ast.h. */
struct expr *lang_expression(const struct lang_code *code);
/* The source text of the code. */
const struct snippet *lang_snippet(const struct lang_code *code);

/* Limits of one example. Reaching one is an ERROR_LIMIT that names it. */
struct lang_limits {
    uint64_t steps;  /* evaluation steps; default 10,000,000 */
    unsigned depth;  /* nested calls; default 200 */
    unsigned levels; /* nested expressions, over all those calls; default 2,000 */
    size_t bytes;    /* of values in the arena, since lang_state_begin; default 64 MiB */
};
extern const struct lang_limits lang_default_limits;

struct lang_zone; /* lang/builtins/builtin_dates.c */

struct lang_state {
    struct caller caller; /* first member: callees see the state as their caller */
    struct arena *arena;  /* the example's; lang_look uses another one as caller.arena */
    const struct lang_module *module;
    struct value *globals; /* lang_module_global_count of them */
    struct lang_limits limits;
    uint64_t steps;
    unsigned depth;
    unsigned levels;
    size_t bytes_before; /* in the arena at lang_state_begin */
    /* Receives the output of print(), a line without its newline; NULL discards it. */
    void (*print)(void *host, const char *line, size_t size);
    void *print_host;
    struct lang_frame *frame; /* innermost call, for the call stack of an error */
    struct lang_zone **zones; /* the time zones read so far, in `arena` */
    struct lang_stack *stack; /* arguments and variables of the running calls */
};

/* Prepares a state for one example. Its values go to `arena`, which must not be rewound or reset
 * while the state is used. The globals are unset. The limits are the defaults; change them
 * afterwards. The state must not move. */
void lang_state_begin(struct lang_state *state, const struct lang_module *module,
                      struct arena *arena, void *host);
void lang_set_global(struct lang_state *state, size_t slot, struct value value);
/* The value; VALUE_NONE and false if it is unset. */
bool lang_get_global(const struct lang_state *state, size_t slot, struct value *out);
/* A deep copy of the globals, to use in place of `globals`. A state that only looks may change what
 * is in it. It does not count towards the limits. */
struct value *lang_copy_globals(struct lang_state *state);

/* Runs code. `locals` has one value for each local that the code was compiled with, or is NULL if
 * there are none. If the evaluation fails, err has the position, and the call stack as its detail;
 * the codes are ERROR_MACHINE and ERROR_LIMIT. The result is the expression's value; for statements
 * it is the value of the last one if that is an expression, and otherwise None. */
bool lang_eval(struct lang_state *state, const struct lang_code *code, struct value *locals,
               struct value *out, struct error *err);
/* The same for an expression that only reads the model. New values go to `arena`, which may be
 * reset when the result is no longer needed. Changing a list, set or dict outside of it is an
 * error. The result may share parts of the model. */
bool lang_look(struct lang_state *state, const struct lang_code *code, struct value *locals,
               struct arena *arena, struct value *out, struct error *err);
/* A copy of the state that may take its place for a while: it only reads the model, like lang_look,
 * prints nothing, and puts new values into `arena`. Its counts are discarded. */
struct lang_state lang_looking(const struct lang_state *state, struct arena *arena);
/* The same for `part`, an expression inside the code, but not inside a comprehension or a lambda.
 */
bool lang_look_at(struct lang_state *state, const struct lang_code *code, struct expr *part,
                  struct value *locals, struct arena *arena, struct value *out, struct error *err);
bool lang_exec(struct lang_state *state, const struct lang_code *code, struct value *locals,
               struct error *err);
/* Marks a local as unset (reading it is an error: "'x' is read before it is assigned"). */
void lang_unset(struct value *local);
bool lang_is_unset(struct value local);

/* A call written as a statement, `name = rule(a=…, b=…)`, as in the steps of pinned examples. */
struct lang_call_arg {
    const char *name;       /* NULL if positional */
    struct source_pos pos;  /* of the name, or of the value if there is no name */
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
/* Reads a block of such calls; anything else is an error that says what is expected. Names in the
 * arguments are resolved in `locals`. A name assigned by a call is added to `locals`, and so is, at
 * its first use, `<name>_<number>` for a bundle (LANG_FIXED) or a global given to
 * lang_module_name_values. */
bool lang_compile_calls(struct lang_module *module, struct arena *arena, struct lang_locals *locals,
                        const struct snippet *snippet, struct lang_calls *out, struct error *err);

#endif
