/* The beginning of an example: the model's code and the steps of initialize. */
#ifndef ENGINE_INITIALIZE_H
#define ENGINE_INITIALIZE_H

#include "base/error.h"

struct example;

bool example_initialize(struct example *example, struct error *err);

#endif
