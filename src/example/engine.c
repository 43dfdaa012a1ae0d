#include "example/engine.h"

#include "example/setup/pool.h"

#include <assert.h>

void engine_init(struct engine *engine, const struct machine *machine, struct backend *backend,
                 const struct engine_options *options)
{
    assert(machine != NULL && backend != NULL);
    *engine = (struct engine){.machine = machine, .backend = backend, .options = *options};
    analyse(machine, &engine->arena, &engine->analysis);
    engine_pool(engine);
}

void engine_free(struct engine *engine)
{
    arena_free(&engine->arena);
    arena_free(&engine->saving);
    prefix_free(&engine->prefix);
    arena_free(&engine->example.arena);
    arena_free(&engine->example.flying);
}
