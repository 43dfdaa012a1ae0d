#include "engine/facts.h"

static struct rule_facts rule_facts_of(const struct rule *rule)
{
    bool model_reads = rule->model && rule->result_slot != SLOT_NONE &&
                       lang_reads_local(rule->model, (size_t)rule->result_slot);
    return (struct rule_facts){.hands_on = rule->targets.count > 0 || rule->returns || model_reads};
}

static struct invariant_facts invariant_facts_of(const struct invariant *invariant,
                                                 struct arena *arena)
{
    struct invariant_facts facts = {.late = ARENA_ARRAY(arena, bool, invariant->checks.count)};
    for (size_t i = 0; i < invariant->checks.count; i++) {
        const struct lang_code *code = invariant->checks.items[i];
        facts.late[i] = invariant->statements.count > 0 && invariant->result_slot != SLOT_NONE &&
                        lang_reads_local(code, (size_t)invariant->result_slot);
        facts.late_any = facts.late_any || facts.late[i];
        facts.waits = facts.waits ||
                      (facts.late[i] && (lang_reads_any_global(code) || invariant->fors.count > 0));
    }
    return facts;
}

void facts_of(const struct machine *machine, struct arena *arena, struct facts *out)
{
    out->initialize = ARENA_ARRAY(arena, struct rule_facts, machine->initialize.count);
    out->rules = ARENA_ARRAY(arena, struct rule_facts, machine->rules.count);
    out->invariants = ARENA_ARRAY(arena, struct invariant_facts, machine->invariants.count);
    for (size_t i = 0; i < machine->initialize.count; i++) {
        out->initialize[i] = rule_facts_of(&machine->initialize.items[i]);
    }
    for (size_t i = 0; i < machine->rules.count; i++) {
        out->rules[i] = rule_facts_of(&machine->rules.items[i]);
    }
    for (size_t i = 0; i < machine->invariants.count; i++) {
        out->invariants[i] = invariant_facts_of(&machine->invariants.items[i], arena);
    }
}
