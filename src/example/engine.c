#include "example/engine.h"

#include "example/step/moments.h"
#include "machine/sql/sql.h"

#include <assert.h>

struct pool {
    VEC(struct value) ints;
    VEC(struct value) strings;
};

static void add_literals(struct pool *pool, struct arena *arena, const struct sql_template *sql)
{
    struct sql_literals literals = {0};
    sql_collect_literals(&sql->snippet, arena, &literals);
    for (size_t i = 0; i < literals.ints.count; i++) {
        *VEC_PUSH(arena, &pool->ints) = value_int(literals.ints.items[i]);
    }
    for (size_t i = 0; i < literals.strings.count; i++) {
        *VEC_PUSH(arena, &pool->strings) = value_text(arena, literals.strings.items[i]);
    }
}

static void add_schema(struct pool *pool, struct arena *arena, struct backend *backend)
{
    size_t count = 0;
    const struct value *values =
        backend->ops->pool_ints ? backend->ops->pool_ints(backend, &count) : NULL;
    for (size_t i = 0; i < count; i++) {
        *VEC_PUSH(arena, &pool->ints) = values[i];
    }
    count = 0;
    values = backend->ops->pool_strings ? backend->ops->pool_strings(backend, &count) : NULL;
    for (size_t i = 0; i < count; i++) {
        *VEC_PUSH(arena, &pool->strings) = values[i];
    }
}

static bool find_table(void *host, const char *name, const struct table_facts **out,
                       struct error *err)
{
    const struct engine *engine = host;
    return engine->backend->ops->table(engine->backend, name, out, err);
}

/* While steps are drawn to choose from, the server's answer is charged like evaluation. */
static bool find_rows(void *host, const struct key_facts *key, struct arena *arena,
                      struct value *out, struct error *err)
{
    enum { COST = 2000 /* evaluation steps */ };
    struct engine *engine = host;
    struct lang_state *state = &engine->example.state;
    state->steps += state->caller.looking ? COST : 0;
    return engine->backend->ops->rows(engine->backend, key, arena, out, err);
}

/* Fills the pool of values worth drawing: literals in the machine's SQL, and values from the
 * schema. */
static void fill_pool(struct engine *engine)
{
    struct pool pool = {0};
    for (size_t i = 0; i < engine->machine->templates.count; i++) {
        add_literals(&pool, &engine->arena, engine->machine->templates.items[i]);
    }
    add_schema(&pool, &engine->arena, engine->backend);
    if (engine->backend->ops->table) {
        engine->catalog = (struct draw_catalog){engine, find_table, find_rows};
    }
    engine->pool = (struct draw_pool){pool.ints.items, pool.ints.count, pool.strings.items,
                                      pool.strings.count};
}

void engine_init(struct engine *engine, const struct machine *machine, struct backend *backend,
                 const struct engine_options *options)
{
    assert(machine != NULL && backend != NULL);
    *engine = (struct engine){.machine = machine, .backend = backend, .options = *options};
    analyse(machine, &engine->arena, &engine->analysis);
    fill_pool(engine);
    moments_learn(engine);
}

void engine_free(struct engine *engine)
{
    if (engine->sessions) {
        engine->options.sessions->free(engine->sessions);
    }
    arena_free(&engine->arena);
    arena_free(&engine->saving);
    strbuf_free(&engine->text);
    strbuf_free(&engine->again.key);
    prefix_free(&engine->prefix);
    arena_free(&engine->example.arena);
    arena_free(&engine->example.flying);
    arena_free(&engine->example.trying);
}

void engine_share(struct engine *engine, const struct engine *from)
{
    engine->saved = from->saved;
    engine->saved_count = from->saved_count;
    engine->keeping = from->keeping;
}
