/* Implements pgfsm/machine.h. */
#ifndef API_MACHINE_H
#define API_MACHINE_H

#include "machine/machine.h"

#include <pgfsm/machine.h>

struct pgfsm_machine {
    struct arena arena; /* all of the machine lives here */
    const struct machine *machine;
    VEC(struct pgfsm_property) properties;
};

#endif
