#include "init/plan.h"

#include "init/together.h"

#include <string.h>

/* A name that is unique among the tables. */
static const char *variable_for(const struct plan *plan, const char *name)
{
    const char *wanted = identifier(plan->arena, name);
    const char *variable = wanted;
    for (size_t i = 0, number = 2; i < plan->tables.count; i++) {
        if (strcmp(plan->tables.items[i].variable, variable) == 0) {
            variable = arena_printf(plan->arena, "%s_%zu", wanted, number++);
            i = SIZE_MAX; /* restart */
        }
    }
    return variable;
}

void plan_make(struct plan *plan, struct value facts)
{
    struct items tables = fact_list(facts, "tables");
    for (size_t i = 0; i < tables.count; i++) {
        struct table_plan table = {
            .facts = tables.items[i],
            .name = fact_text(tables.items[i], "name"),
            .sql = fact_text(tables.items[i], "sql"),
            .source = fact_text(tables.items[i], "source"),
            .type = fact_text(tables.items[i], "type"),
            .why_not = fact_text(tables.items[i], "why_not"),
            .variable = variable_for(plan, fact_text(tables.items[i], "name")),
        };
        *VEC_PUSH(plan->arena, &plan->tables) = table;
    }
    together_find(plan);
    plan->settings = fact_list(facts, "settings");
    plan->roles = fact_list(facts, "roles");
    plan->rights = fact_list(facts, "rights");
}
