#ifndef PGFSM_EVAL_H
#define PGFSM_EVAL_H

#include <stdbool.h>
#include <stddef.h>

#include <pgfsm/callbacks.h>
#include <pgfsm/errors.h>
#include <pgfsm/export.h>
#include <pgfsm/machine.h>

PGFSM_BEGIN

/* Runs statements of the model language. If `machine` is not NULL, its model runs first: the
 * program sees its names, and its bundles are empty. Messages use `name` as the file's name. Only
 * `print` of `callbacks` is used; `callbacks` may be NULL.
 *
 * If the last statement is an expression and its value is not None, *value becomes the value as
 * repr() writes it; otherwise NULL. pgfsm_free() it. */
bool pgfsm_eval(char **value, const struct pgfsm_machine *machine, const char *name,
                const char *text, size_t size, const struct pgfsm_callbacks *callbacks,
                struct pgfsm_errors *errors);

PGFSM_END

#endif
