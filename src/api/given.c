#include "api/given.h"

#include "api/errors.h"

#include <pgfsm/version.h>

#include <string.h>

static bool any(const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (bytes[i]) {
            return true;
        }
    }
    return false;
}

bool given_take(void *out, size_t size, const void *given, const char *name,
                struct pgfsm_errors *errors)
{
    size_t given_size;
    if (!given) {
        return true;
    }
    memcpy(&given_size, given, sizeof given_size);
    if (given_size <= sizeof given_size) {
        return errors_addf(errors, ERROR_USAGE,
                           "struct %s has no struct_size: begin with its _INIT, or set the member "
                           "to sizeof(struct %s)",
                           name, name);
    }
    if (given_size > size && any((const char *)given + size, given_size - size)) {
        return errors_addf(errors, ERROR_USAGE,
                           "struct %s has members that pgfsm %s does not know: the program was "
                           "built for a later version",
                           name, pgfsm_version());
    }
    memcpy(out, given, given_size < size ? given_size : size);
    memcpy(out, &size, sizeof size);
    return true;
}
