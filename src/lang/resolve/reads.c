/* The globals that code reads, also through functions of the model. */
#include "base/map.h"
#include "lang/resolve/module.h"

#include <assert.h>

/* A walk over the functions that code may call. */
struct reach {
    const struct lang_module *module;
    struct map seen; /* functions, by address */
    bool kept_seen;
    /* Called for each global that is read; true ends the walk. */
    bool (*matches)(const struct reach *reach, size_t slot);
    size_t slot;
};

static bool reach_function(struct reach *reach, const struct function *function);

static bool is_data(const struct global *global)
{
    return global->kind != LANG_VARIABLE || global->data || global->functions.count == 0;
}

/* Visits the functions that may be kept in any data structure. */
static bool reach_kept(struct reach *reach)
{
    const struct lang_module *module = reach->module;
    if (reach->kept_seen) {
        return false;
    }
    reach->kept_seen = true;
    for (size_t i = 0; i < module->kept.count; i++) {
        if (reach_function(reach, module->kept.items[i])) {
            return true;
        }
    }
    for (size_t i = 0; i < module->globals.count; i++) {
        const struct global *global = &module->globals.items[i];
        for (size_t j = 0; global->kept && j < global->functions.count; j++) {
            if (reach_function(reach, global->functions.items[j])) {
                return true;
            }
        }
    }
    return false;
}

static bool reach_global(struct reach *reach, size_t slot)
{
    assert(slot < reach->module->globals.count);
    const struct global *global = &reach->module->globals.items[slot];
    if (reach->matches(reach, slot) || (is_data(global) && reach_kept(reach))) {
        return true;
    }
    for (size_t i = 0; i < global->functions.count; i++) {
        if (reach_function(reach, global->functions.items[i])) {
            return true;
        }
    }
    return false;
}

static bool reach_function(struct reach *reach, const struct function *function)
{
    size_t before = reach->seen.count;
    (void)map_add(&reach->seen, (uintptr_t)function);
    if (reach->seen.count == before) {
        return false;
    }
    for (size_t i = 0; i < function->uses.globals.count; i++) {
        if (reach_global(reach, function->uses.globals.items[i])) {
            return true;
        }
    }
    return false;
}

static bool is_slot(const struct reach *reach, size_t slot) { return slot == reach->slot; }

static bool is_any_data(const struct reach *reach, size_t slot)
{
    return is_data(&reach->module->globals.items[slot]);
}

static bool reaches(const struct lang_code *code, struct reach reach)
{
    reach.module = code->module;
    bool found = reach_function(&reach, code->top);
    map_free(&reach.seen);
    return found;
}

bool lang_reads_global(const struct lang_code *code, size_t slot)
{
    return reaches(code, (struct reach){.matches = is_slot, .slot = slot});
}

bool lang_reads_any_global(const struct lang_code *code)
{
    return reaches(code, (struct reach){.matches = is_any_data});
}

bool lang_reads_local(const struct lang_code *code, size_t slot)
{
    return slots_hold(&code->top->uses.locals, slot);
}

bool lang_reads_any_local(const struct lang_code *code) { return code->top->uses.locals.count > 0; }
