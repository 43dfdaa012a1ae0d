/* The beginning of an example: the model's code and the steps of initialize. */
#ifndef EXAMPLE_INITIALIZE_H
#define EXAMPLE_INITIALIZE_H

#include "base/error.h"

struct example;

bool example_initialize(struct example *example, struct error *err);

#endif
