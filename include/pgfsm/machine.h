#ifndef PGFSM_MACHINE_H
#define PGFSM_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

#include <pgfsm/errors.h>
#include <pgfsm/export.h>

PGFSM_BEGIN

/*
 * A machine: what a machine file says, read and checked. It does not change once it is loaded, and
 * may be run any number of times, by one thread at a time.
 */
struct pgfsm_machine;

/* Reads a machine file. false: all its mistakes are in `errors`, and *out is NULL. The machine is
 * yours, free it with pgfsm_machine_free. */
bool pgfsm_machine_load(struct pgfsm_machine **out, const char *path, struct pgfsm_errors *errors);
/* The same from `size` bytes of text, which is copied. `name` stands in messages as the file's
 * name; paths in the text are relative to its folder. */
bool pgfsm_machine_read(struct pgfsm_machine **out, const char *name, const char *text, size_t size,
                        struct pgfsm_errors *errors);
/* What is allowed and hardly meant, each with its place, as a terminal shows it. *out is yours:
 * free() it;
 * "" where there is nothing. */
void pgfsm_machine_warnings(const struct pgfsm_machine *machine, char **out);
/* NULL is fine. Runs of the machine must be freed before it. */
void pgfsm_machine_free(struct pgfsm_machine *machine);

/* Borrowed from the machine, as are all texts below. */
const char *pgfsm_machine_name(const struct pgfsm_machine *machine);
const char *pgfsm_machine_path(const struct pgfsm_machine *machine);
/* "" where the file has none. */
const char *pgfsm_machine_description(const struct pgfsm_machine *machine);

size_t pgfsm_machine_rule_count(const struct pgfsm_machine *machine);
const char *pgfsm_machine_rule_name(const struct pgfsm_machine *machine, size_t index);
size_t pgfsm_machine_invariant_count(const struct pgfsm_machine *machine);
const char *pgfsm_machine_invariant_name(const struct pgfsm_machine *machine, size_t index);

/* The JSON Schema (draft 2020-12) of machine files, for editors. *out is yours: free() it. */
void pgfsm_machine_json_schema(char **out);

PGFSM_END

#endif
