/* Structs that a program fills: of the size that they had when it was built. */
#ifndef API_GIVEN_H
#define API_GIVEN_H

#include <pgfsm/errors.h>

#include <stdbool.h>
#include <stddef.h>

/* Copies what the program gave, which begins with its size, over the defaults in *out: `size` bytes
 * that begin with theirs. NULL gives nothing. Members that only a later version has must be zero.
 * False with `errors`, which name the struct. */
bool given_take(void *out, size_t size, const void *given, const char *name,
                struct pgfsm_errors *errors);
/* Takes a struct pgfsm_NAME. */
#define GIVEN_TAKE(out, given, errors, name)                                                       \
    given_take(out, sizeof(struct name), given, #name, errors)

#endif
