/* Values worth drawing: literals of the machine's own SQL, and what the schema has. */
#ifndef EXAMPLE_POOL_H
#define EXAMPLE_POOL_H

#include "example/engine.h"

void engine_pool(struct engine *engine);

#endif
