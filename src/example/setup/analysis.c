#include "example/setup/analysis.h"

#include "machine/sql/sql.h"

#include <string.h>

static bool gives_the_same(const struct lang_code *code)
{
    return code && !lang_reads_any_local(code) && !lang_reads_any_global(code);
}

static struct rule_analysis rule_analysis_of(const struct rule *rule, struct arena *arena)
{
    bool model_reads = rule->model && rule->result_slot != SLOT_NONE &&
                       lang_reads_local(rule->model, (size_t)rule->result_slot);
    return (struct rule_analysis){
        .args = ARENA_ARRAY(arena, struct kept_argument, rule->args.count),
        .returns_used = rule->targets.count > 0 || rule->returns || model_reads,
        .answers_alike = gives_the_same(rule->affects ? rule->affects : rule->expect),
    };
}

static bool reads_model(const struct lang_code *code)
{
    return code && lang_reads_any_global(code);
}

static bool sends_model(const struct machine_statement *statement)
{
    const struct context *context = statement->context;
    bool model =
        context && (reads_model(context->role_code) || reads_model(context->session_user_code) ||
                    reads_model(context->claims));
    for (size_t i = 0; context && i < context->settings.count; i++) {
        model = model || reads_model(context->settings.items[i].code);
    }
    for (size_t i = 0; i < statement->sql->pieces.count; i++) {
        const struct sql_piece *piece = &statement->sql->pieces.items[i];
        model = model || (piece->kind != SQL_TEXT && piece->global);
    }
    return model;
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
    for (size_t i = 0; i < invariant->statements.count; i++) {
        analysis.sends_model = analysis.sends_model || sends_model(&invariant->statements.items[i]);
    }
    return analysis;
}

static bool same_snippet(const struct snippet *a, const struct snippet *b)
{
    return a->size == b->size && memcmp(a->text, b->text, a->size) == 0;
}

/* The name of a named context; inline contexts are never shared. */
static const char *context_name(const struct invariant *invariant)
{
    const struct context *context =
        invariant->statements.count > 0 ? invariant->statements.items[0].context : NULL;
    return context ? context->name : NULL;
}

static bool joins_previous(const struct invariant *one, const struct invariant *next)
{
    const char *name = context_name(one);
    const char *other = context_name(next);
    if (!name || !other || strcmp(name, other) != 0 || one->fors.count == 0 ||
        one->fors.count != next->fors.count) {
        return false;
    }
    for (size_t i = 0; i < one->fors.count; i++) {
        if (strcmp(one->fors.items[i].name, next->fors.items[i].name) != 0 ||
            !same_snippet(lang_snippet(one->fors.items[i].code),
                          lang_snippet(next->fors.items[i].code))) {
            return false;
        }
    }
    return true;
}

void analyse(const struct machine *machine, struct arena *arena, struct analysis *out)
{
    out->initialize = ARENA_ARRAY(arena, struct rule_analysis, machine->initialize.count);
    out->rules = ARENA_ARRAY(arena, struct rule_analysis, machine->rules.count);
    out->invariants = ARENA_ARRAY(arena, struct invariant_analysis, machine->invariants.count);
    for (size_t i = 0; i < machine->initialize.count; i++) {
        out->initialize[i] = rule_analysis_of(&machine->initialize.items[i], arena);
    }
    for (size_t i = 0; i < machine->rules.count; i++) {
        out->rules[i] = rule_analysis_of(&machine->rules.items[i], arena);
    }
    for (size_t i = 0; i < machine->invariants.count; i++) {
        out->invariants[i] = invariant_analysis_of(&machine->invariants.items[i], arena);
        out->invariants[i].joins = i > 0 && joins_previous(&machine->invariants.items[i - 1],
                                                           &machine->invariants.items[i]);
    }
}
