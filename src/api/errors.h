/* Implements pgfsm/errors.h. Errors are copied with their texts, so that they outlive the sources
 * that they point into. */
#ifndef API_ERRORS_H
#define API_ERRORS_H

#include "base/error.h"

#include <pgfsm/errors.h>

struct pgfsm_errors {
    struct arena arena;
    VEC(struct pgfsm_error) items;
};

/* Adds a copy; `errors` may be NULL. Always returns false, so that callers can write `return
 * errors_add(…)`. */
bool errors_add(struct pgfsm_errors *errors, const struct error *err);
/* The same; its text calls it a warning. */
void errors_add_warning(struct pgfsm_errors *errors, const struct error *err);
/* The same as wrong usage: a file that was named and can't be used is, whatever is wrong with it.
 */
bool errors_add_usage(struct pgfsm_errors *errors, struct error *err);
bool errors_add_all(struct pgfsm_errors *errors, const struct diagnostics *diagnostics);
/* Adds all the diagnostics, and `err` if it is set. */
bool errors_add_both(struct pgfsm_errors *errors, const struct diagnostics *diagnostics,
                     const struct error *err);
/* Adds copies of all of another list's; `errors` may be NULL. Always returns false. */
bool errors_add_found(struct pgfsm_errors *errors, const struct pgfsm_errors *found);
/* Whether the object is not NULL; else false with `errors`: "there is no machine". */
bool errors_given(const void *object, const char *what, struct pgfsm_errors *errors);
bool errors_addf(struct pgfsm_errors *errors, enum error_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
