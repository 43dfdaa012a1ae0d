/* Values worth drawing: literals of the machine's own SQL, and what the schema has. */
#ifndef ENGINE_POOL_H
#define ENGINE_POOL_H

#include "engine/engine.h"

void engine_pool(struct engine *engine);

#endif
