#include "example/setup/analysis.h"

#include <string.h>

static struct rule_analysis rule_analysis_of(const struct rule *rule)
{
    bool model_reads = rule->model && rule->result_slot != SLOT_NONE &&
                       lang_reads_local(rule->model, (size_t)rule->result_slot);
    return (struct rule_analysis){
        .returns_used = rule->targets.count > 0 || rule->returns || model_reads,
        .raises_alike = rule->raises && !lang_reads_any_local(rule->raises) &&
                        !lang_reads_any_global(rule->raises),
    };
}

static struct invariant_analysis invariant_analysis_of(const struct invariant *invariant,
                                                       struct arena *arena)
{
    struct invariant_analysis analysis = {.late =
                                              ARENA_ARRAY(arena, bool, invariant->checks.count)};
    for (size_t i = 0; i < invariant->checks.count; i++) {
        const struct lang_code *code = invariant->checks.items[i];
        analysis.late[i] = invariant->statements.count > 0 && invariant->result_slot != SLOT_NONE &&
                           lang_reads_local(code, (size_t)invariant->result_slot);
        analysis.late_any = analysis.late_any || analysis.late[i];
        analysis.waits =
            analysis.waits ||
            (analysis.late[i] && (lang_reads_any_global(code) || invariant->fors.count > 0));
    }
    return analysis;
}

static bool same_text(const struct snippet *a, const struct snippet *b)
{
    return a->size == b->size && memcmp(a->text, b->text, a->size) == 0;
}

/* A context by its name: one that is written in place is alone. */
static const char *context_name(const struct invariant *invariant)
{
    const struct context *context =
        invariant->statements.count > 0 ? invariant->statements.items[0].context : NULL;
    return context ? context->name : NULL;
}

static bool joins(const struct invariant *one, const struct invariant *next)
{
    const char *name = context_name(one);
    const char *other = context_name(next);
    if (!name || !other || strcmp(name, other) != 0 || one->fors.count == 0 ||
        one->fors.count != next->fors.count) {
        return false;
    }
    for (size_t i = 0; i < one->fors.count; i++) {
        if (strcmp(one->fors.items[i].name, next->fors.items[i].name) != 0 ||
            !same_text(lang_snippet(one->fors.items[i].code),
                       lang_snippet(next->fors.items[i].code))) {
            return false;
        }
    }
    return true;
}

struct context_codes {
    const struct lang_code **items;
    size_t count;
};

static void add_code(struct context_codes *codes, const struct lang_code *code)
{
    if (code) {
        codes->items[codes->count++] = code;
    }
}

static struct context_codes codes_of(const struct context *context, struct arena *arena)
{
    enum { BESIDE_SETTINGS = 3 };
    size_t most = context->settings.count + BESIDE_SETTINGS;
    struct context_codes codes = {.items = ARENA_ARRAY(arena, const struct lang_code *, most)};
    add_code(&codes, context->role_code);
    add_code(&codes, context->session_user_code);
    add_code(&codes, context->claims);
    for (size_t i = 0; i < context->settings.count; i++) {
        add_code(&codes, context->settings.items[i].code);
    }
    return codes;
}

static struct context_analysis context_analysis_of(const struct machine *machine,
                                                   const struct context *context,
                                                   struct arena *arena)
{
    struct context_codes codes = codes_of(context, arena);
    size_t globals = lang_module_global_count(machine->module);
    size_t *slots = ARENA_ARRAY(arena, size_t, globals);
    struct context_analysis analysis = {.steady = true, .globals = slots};
    for (size_t i = 0; i < codes.count; i++) {
        analysis.steady = analysis.steady && !lang_reads_any_local(codes.items[i]);
    }
    for (size_t slot = 0; slot < globals; slot++) {
        bool reads = false;
        for (size_t i = 0; i < codes.count && !reads; i++) {
            reads = lang_reads_global(codes.items[i], slot);
        }
        if (reads) {
            slots[analysis.global_count++] = slot;
        }
    }
    return analysis;
}

void analyse(const struct machine *machine, struct arena *arena, struct analysis *out)
{
    out->initialize = ARENA_ARRAY(arena, struct rule_analysis, machine->initialize.count);
    out->rules = ARENA_ARRAY(arena, struct rule_analysis, machine->rules.count);
    out->invariants = ARENA_ARRAY(arena, struct invariant_analysis, machine->invariants.count);
    for (size_t i = 0; i < machine->initialize.count; i++) {
        out->initialize[i] = rule_analysis_of(&machine->initialize.items[i]);
    }
    for (size_t i = 0; i < machine->rules.count; i++) {
        out->rules[i] = rule_analysis_of(&machine->rules.items[i]);
    }
    for (size_t i = 0; i < machine->invariants.count; i++) {
        out->invariants[i] = invariant_analysis_of(&machine->invariants.items[i], arena);
        out->invariants[i].joins =
            i > 0 && joins(&machine->invariants.items[i - 1], &machine->invariants.items[i]);
    }
    out->contexts = ARENA_ARRAY(arena, struct context_analysis, machine->contexts.count);
    for (size_t i = 0; i < machine->contexts.count; i++) {
        out->contexts[i] = context_analysis_of(machine, machine->contexts.items[i], arena);
    }
}
