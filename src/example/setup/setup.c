#include "example/setup/setup.h"

#include "example/observer.h"

#include <string.h>

static bool send_row(struct engine *engine, const struct dataset_row *row, backend_ticket *ticket,
                     struct error *err)
{
    struct backend_call call = {.sql = row->sql, .values = row->values, .begins = BEGINS_CHECK};
    OBSERVE(engine->example.plan.observer, row, row);
    return located(send_call(&engine->example, &call, ticket, err), row->pos, err);
}

static bool refused(const struct dataset_row *row, const struct answer *answer, struct error *err)
{
    const struct server_error *error = &answer->error;
    (void)error_at(err, ERROR_MACHINE, row->pos, "the dataset's row can't be put into %s: %s",
                   row->table, error->message);
    memcpy(err->sqlstate, error->sqlstate, sizeof err->sqlstate);
    if (error->detail) {
        error_detail(err, "%s", error->detail);
    }
    return false;
}

static bool put_dataset(struct engine *engine, struct error *err)
{
    const struct machine *machine = engine->machine;
    struct arena *arena = &engine->example.flying;
    size_t count = machine->dataset.count;
    backend_ticket *tickets = ARENA_ARRAY(arena, backend_ticket, count);
    for (size_t i = 0; i < count; i++) {
        if (!send_row(engine, &machine->dataset.items[i], &tickets[i], err)) {
            return false;
        }
    }
    for (size_t i = 0; i < count; i++) {
        struct answer answer = {0};
        if (!engine->backend->ops->take(engine->backend, tickets[i], arena, &answer, err)) {
            return false;
        }
        if (answer.status == ANSWER_ERROR) {
            return refused(&machine->dataset.items[i], &answer, err);
        }
    }
    return true;
}

/* Checks deferred constraints after the whole dataset, not after each row. */
static bool check_dataset(struct engine *engine, struct error *err)
{
    const struct machine *machine = engine->machine;
    backend_ticket ticket;
    struct answer answer = {0};
    if (machine->dataset.count == 0 ||
        engine->options.settings->check_deferred == CHECK_DEFERRED_NEVER) {
        return true;
    }
    OBSERVE(engine->example.plan.observer, deferred, &engine->example);
    if (!engine->backend->ops->queue_deferred(engine->backend, NULL, true, &ticket, err) ||
        !engine->backend->ops->take(engine->backend, ticket, &engine->example.flying, &answer,
                                    err)) {
        return false;
    }
    OBSERVE(engine->example.plan.observer, deferred_answer, &engine->example, &answer);
    return answer.status != ANSWER_ERROR || refused(&machine->dataset.items[0], &answer, err);
}

static bool run_constant(struct engine *engine, struct error *err)
{
    const struct machine *machine = engine->machine;
    struct example *example = &engine->example;
    size_t count = machine->initialize_constant;
    engine->saved = ARENA_ARRAY(&engine->saving, struct saved_answer, count);
    if (!example_run_model(example, err)) {
        return false;
    }
    for (size_t i = 0; i < count && !example->failure; i++) {
        enum step_fate fate;
        flight_recycle(example);
        if (!step_run(example,
                      &(struct step_plan){.rule = &machine->initialize.items[i], .id = (uint32_t)i},
                      &fate, err)) {
            return false;
        }
        engine->saved_count = i + 1;
    }
    return true;
}

static bool prepare_statements(struct engine *engine, struct diagnostics *mistakes,
                               struct error *err)
{
    const struct backend_ops *ops = engine->backend->ops;
    return !ops->prepare || ops->prepare(engine->backend, mistakes, err);
}

static bool plant(struct engine *engine, struct error *err)
{
    const char *sql = engine->options.plant;
    bool ok = !sql || engine->backend->ops->plant(engine->backend, sql, err);
    engine->refused = !ok && err->code == ERROR_SERVER;
    return ok;
}

static bool plant_and_mark(struct engine *engine, struct error *err)
{
    return plant(engine, err) && engine->backend->ops->mark(engine->backend, err) &&
           prepare_statements(engine, NULL, err);
}

bool engine_setup(struct engine *engine, struct observer *observer, const struct failure **failure,
                  struct error *err)
{
    const struct example_plan plan = {
        .stepwise = true, .quiet = true, .observer = observer, .scope = SCOPE_NONE};
    arena_reset(&engine->saving);
    engine->saved_count = 0;
    engine->keeping = (struct keeping){.arena = &engine->saving};
    engine->again.known = false;
    example_begin(engine, &plan);
    bool ok = put_dataset(engine, err) && check_dataset(engine, err) && run_constant(engine, err);
    *failure = engine->example.failure;
    OBSERVE(observer, ready, &engine->example);
    return ok && (*failure || plant_and_mark(engine, err));
}

/* Runs initialize alone as an example. If that fails, the first example will fail, too, and report
 * it. */
static bool prepare_in_example(struct engine *engine, struct diagnostics *mistakes,
                               struct error *err)
{
    static const struct example_plan plan = {
        .way = &example_ways[WAY_SIMPLEST], .stepwise = true, .quiet = true, .scope = SCOPE_NONE};
    struct example *example = &engine->example;
    example_begin(engine, &plan);
    bool ok = flight_land(example, example_initialize(example, err), err) &&
              (example_ended(example) || prepare_statements(engine, mistakes, err));
    return ok && engine->backend->ops->reset(engine->backend, err);
}

bool engine_prepare(struct engine *engine, struct diagnostics *mistakes, struct error *err)
{
    const struct backend_ops *ops = engine->backend->ops;
    if (!mistakes || !ops->pending || !ops->pending(engine->backend)) {
        return true;
    }
    bool whole = engine->machine->initialize_constant == engine->machine->initialize.count;
    bool ok = whole ? prepare_statements(engine, mistakes, err)
                    : prepare_in_example(engine, mistakes, err);
    if (ok && mistakes->errors.count) {
        *err = mistakes->errors.items[0];
        ok = false;
    }
    return ok;
}

bool engine_refresh(struct engine *engine, const struct failure **failure, struct error *err)
{
    const struct backend_ops *ops = engine->backend->ops;
    *failure = NULL;
    if (!engine->prefix.renew && !ops->wants_restart(engine->backend)) {
        return true;
    }
    engine->prefix.renew = false;
    prefix_lose(engine);
    return ops->restart(engine->backend, err) && engine_setup(engine, NULL, failure, err);
}

bool engine_reconnect(struct engine *engine, struct observer *observer,
                      const struct failure **failure, struct error *err)
{
    *failure = NULL;
    engine->prefix.renew = false;
    prefix_forget(engine);
    return engine->backend->ops->reconnect(engine->backend, err) &&
           engine_setup(engine, observer, failure, err);
}
