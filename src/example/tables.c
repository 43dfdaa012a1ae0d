#include "example/tables.h"

#include "example/engine.h"
#include "example/observer.h"

bool tables_tell(struct example *example, struct error *err)
{
    const struct example_plan *plan = &example->plan;
    struct backend *backend = example->engine->backend;
    struct table_changes changes = {0};
    if (!plan->tables || !backend->ops->tables || example->stale || example->session > 0) {
        return true;
    }
    if (!backend->ops->tables(backend, &example->flying, &changes, err)) {
        return false;
    }
    OBSERVE(plan->observer, tables, example, &changes);
    return true;
}
