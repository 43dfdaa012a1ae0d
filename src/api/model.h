/* Implements pgfsm/model.h: models in C, as functions and objects of the model language. */
#ifndef API_MODEL_H
#define API_MODEL_H

#include "machine/machine.h"
#include "value/object.h"

#include <pgfsm/model.h>

struct pgfsm_value {
    struct value value;
};

struct pgfsm_call {
    const struct pgfsm_model *model;
    const struct pgfsm_function *function;
    const struct native_param *params; /* of the function */
    const struct value *args;
    struct arena *arena; /* of what it returns */
    struct arena *kept;  /* of the state */
    struct error *err;   /* the first mistake, if it `failed` */
    bool failed;
};

/* Notes a mistake, unless there was one. */
void call_fail(struct pgfsm_call *call, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What a machine's code may call, in the arena; the model is borrowed. False with err if the model
 * is no model. */
bool model_builtins(const struct pgfsm_model *model, struct arena *arena,
                    struct machine_builtins *out, struct error *err);

#endif
