#ifndef PGFSM_EVAL_H
#define PGFSM_EVAL_H

#include <stdbool.h>
#include <stddef.h>

#include <pgfsm/callbacks.h>
#include <pgfsm/errors.h>
#include <pgfsm/export.h>
#include <pgfsm/machine.h>

PGFSM_BEGIN

/* Runs a program of the model language: statements. With a machine (NULL: none) its model has run
 * before and its names are there; its bundles are empty. `name` stands in messages as the file's
 * name. `callbacks` may be NULL; only `print` is used.
 *
 * *value becomes the text of the value of the last statement where that is an expression whose
 * value is not None, as repr() writes it, else NULL; it is yours: free() it. */
bool pgfsm_eval(char **value, const struct pgfsm_machine *machine, const char *name,
                const char *text, size_t size, const struct pgfsm_callbacks *callbacks,
                struct pgfsm_errors *errors);

PGFSM_END

#endif
