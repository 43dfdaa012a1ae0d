/* What stands behind pgfsm/errors.h. Errors are copied with their texts, so that they outlive the
 * sources they point into. */
#ifndef API_ERRORS_H
#define API_ERRORS_H

#include "base/error.h"

#include <pgfsm/errors.h>

struct pgfsm_errors {
    struct arena arena;
    VEC(struct pgfsm_error) items;
};

/* Adds a copy; `errors` may be NULL. Always false, so that `return errors_add(…)` reads well. */
bool errors_add(struct pgfsm_errors *errors, const struct error *err);
bool errors_add_all(struct pgfsm_errors *errors, const struct diagnostics *diagnostics);
/* Both, where `err` is one at all. */
bool errors_add_both(struct pgfsm_errors *errors, const struct diagnostics *diagnostics,
                     const struct error *err);
bool errors_addf(struct pgfsm_errors *errors, enum error_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
