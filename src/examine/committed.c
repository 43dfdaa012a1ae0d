#include "examine/examine.h"

#include "example/divergence.h"
#include "example/setup/setup.h"

static bool is_of_migration(const struct failure *failure)
{
    return failure && failure->divergence && failure->divergence->kind == DIVERGES_MIGRATE;
}

/* Whether the migration runs there, and does not fail. What differs otherwise, by nature perhaps,
 * does not count. */
static bool passes(struct engine *engine, const struct failure *failure, struct error *err)
{
    const struct example_plan plan = {
        .trace = &failure->trace, .number = failure->example, .quiet = true, .scope = SCOPE_NONE};
    const struct failure *failed = NULL;
    struct example_result result;
    return engine_setup(engine, NULL, &failed, err) && !failed &&
           example_run(engine, &plan, &result, err) &&
           trace_runs(&result.trace, engine->options.migration->index) &&
           !is_of_migration(result.failure);
}

/* What can't be found out there is no reason to give the failure up. */
bool failure_commit(struct examiner *examiner, struct failure *failure, struct error *err)
{
    const struct examine_options *options = &examiner->options;
    struct engine_options how = examiner->engine->options;
    struct settings settings = *how.settings;
    if (!is_of_migration(failure) || !options->open_committed ||
        settings.transactions == TRANSACTIONS_COMMIT) {
        return true;
    }
    struct backend *backend = options->open_committed(options->host);
    struct engine engine;
    struct error why = {0};
    if (!backend) {
        return true;
    }
    settings.transactions = TRANSACTIONS_COMMIT;
    settings.check_deferred = CHECK_DEFERRED_STEP;
    how.settings = &settings;
    how.observer = NULL;
    engine_init(&engine, examiner->engine->machine, backend, &how);
    failure->by_nature = passes(&engine, failure, &why);
    if (failure->by_nature && options->fails_uncommitted) {
        options->fails_uncommitted(options->host, failure);
    }
    engine_free(&engine);
    backend->ops->close(backend);
    return !clock_interrupted(&how.clock, err);
}
