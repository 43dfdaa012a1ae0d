#ifndef PGFSM_MACHINE_H
#define PGFSM_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

#include <pgfsm/errors.h>
#include <pgfsm/export.h>
#include <pgfsm/model.h>

PGFSM_BEGIN

/*
 * A machine file, read and checked. A machine is immutable. It can run any number of times, on one
 * thread at a time.
 */
struct pgfsm_machine;

/* Reads a machine file. `model` is the model in C that its expressions may use, borrowed until the
 * machine is freed; NULL: none. If there are mistakes, returns false, with all of them in `errors`
 * and *out NULL. Free the machine with pgfsm_machine_free. */
bool pgfsm_machine_load(struct pgfsm_machine **out, const char *path,
                        const struct pgfsm_model *model, struct pgfsm_errors *errors);
/* Reads a machine from `size` bytes of text, which is copied. Messages use `name` as the file's
 * name; paths in the text are relative to its folder. */
bool pgfsm_machine_read(struct pgfsm_machine **out, const char *name, const char *text, size_t size,
                        const struct pgfsm_model *model, struct pgfsm_errors *errors);
/* A key of a machine and its text. The path leads through the keys to it, "rules/push/sql"; a
 * number is a place in a list: "initialize/1/sql". The text is not YAML: write it without quotes.
 * NULL is YAML's null. */
struct pgfsm_entry {
    const char *path; /* NULL ends a table */
    const char *text;
};
/* Makes a machine of a table of entries, in any order. `name` is as above. */
bool pgfsm_machine_build(struct pgfsm_machine **out, const char *name,
                         const struct pgfsm_entry *entries, const struct pgfsm_model *model,
                         struct pgfsm_errors *errors);
/* Adds to `warnings` what is allowed but probably a mistake, each with its place. */
void pgfsm_machine_warnings(const struct pgfsm_machine *machine, struct pgfsm_errors *warnings);
/* Ignores NULL. Free the runs of the machine first. */
void pgfsm_machine_free(struct pgfsm_machine *machine);

/* This text and the ones below are borrowed from the machine. */
const char *pgfsm_machine_name(const struct pgfsm_machine *machine);
const char *pgfsm_machine_path(const struct pgfsm_machine *machine);
/* "" if the file has none. */
const char *pgfsm_machine_description(const struct pgfsm_machine *machine);

/* Rules and invariants by their place in the machine, from 0. A name is NULL past the end. */
size_t pgfsm_machine_rule_count(const struct pgfsm_machine *machine);
const char *pgfsm_machine_rule_name(const struct pgfsm_machine *machine, size_t index);
size_t pgfsm_machine_invariant_count(const struct pgfsm_machine *machine);
const char *pgfsm_machine_invariant_name(const struct pgfsm_machine *machine, size_t index);

/* A property: what a run tells the outcome of, as a test. Read-only; later versions may add members
 * at the end. Texts are never NULL. */
struct pgfsm_property {
    const char *kind; /* "initialize", "rule", "invariant", "example" or "requirement" */
    const char *name; /* "" of "initialize" */
    const char *file; /* where it is stated: the machine's path, or a file that it names */
    size_t line;      /* from 1; 0 if unknown */
    size_t column;    /* from 1, in characters; 0 if unknown */
};
/* The property at `index`, from 0, in the order of reports; NULL past the end. Borrowed from the
 * machine. */
const struct pgfsm_property *pgfsm_machine_property(const struct pgfsm_machine *machine,
                                                    size_t index);

/* The SQL files that the machine's schema names, in the order in which they are loaded: what its
 * patterns matched when it was read. NULL past the end. */
const char *pgfsm_machine_schema_file(const struct pgfsm_machine *machine, size_t index);

/* Calls `each` with the path of every file of the machine: its own, those that its schema names,
 * and those that these include by psql's \i and \ir. Files that can't be read are not searched for
 * includes. */
void pgfsm_machine_files(const struct pgfsm_machine *machine,
                         void (*each)(void *host, const char *path), void *host);

/* Writes the machine as YAML, and expands its `tables` and `policies` into rules and invariants.
 * pgfsm_free() *out. */
void pgfsm_machine_expand(const struct pgfsm_machine *machine, char **out);

/* Writes the JSON Schema (draft 2020-12) of machine files, for editors. pgfsm_free() *out. */
void pgfsm_machine_json_schema(char **out);

PGFSM_END

#endif
