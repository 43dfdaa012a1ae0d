/* Strategies for tests that hold for all of them; in the arena of drawing.h. */
#ifndef TESTS_GEN_SAMPLES_H
#define TESTS_GEN_SAMPLES_H

#include "value/value.h"

enum { SAMPLES = 29 };

/* One of each kind, and some of several; `index` is less than SAMPLES. */
struct value sample(size_t index);

#endif
