#include "report/html/mutants.h"

#include "account/account.h"
#include "base/visible.h"
#include "mutate/cause.h"
#include "report/html/data.h"
#include "report/text/text.h"

#include <string.h>

/* As the page shows them: what is to be mended first. */
static const enum verdict order[] = {VERDICT_SURVIVED,   VERDICT_BROKE,    VERDICT_TIMED_OUT,
                                     VERDICT_STILLBORN,  VERDICT_ACCEPTED, VERDICT_KILLED,
                                     VERDICT_EQUIVALENT, VERDICT_NONE};

static void add_text(const char *key, const char *text, struct arena *arena, struct strbuf *out)
{
    data_text(out, key, text ? show_text(arena, NULL, text, ACCOUNT_VALUE) : NULL);
}

/* Lines stay lines. */
static void add_block(const char *key, const char *text, struct arena *arena, struct strbuf *out)
{
    struct strbuf block = {0};
    size_t size = strlen(text);
    visible_add(&block, VISIBLE_BLOCK, text, size < ACCOUNT_TEXT ? size : ACCOUNT_TEXT);
    strbuf_adds(&block, size < ACCOUNT_TEXT ? "" : " …");
    data_text(out, key, strbuf_take(&block, arena));
}

/* The statement: before the change, what it was, what it becomes, behind it. */
static void add_change(const struct change *change, struct arena *arena, struct strbuf *out)
{
    const char *parts[] = {change_head(change, arena),
                           arena_strndup(arena, change->text + change->at, change->removed),
                           change->added, change_tail(change, arena)};
    data_open(out, "change", '[');
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        add_block(NULL, parts[i], arena, out);
    }
    data_close(out, ']');
}

/* The id of the first that survived for the same cause. */
static const char *group_of(const struct mutation *mutation, const struct mutant *mutant)
{
    const struct mutant *first = mutation->mutants.items;
    while (first->verdict != VERDICT_SURVIVED || !mutant_same(first, mutant)) {
        first++;
    }
    return first->id;
}

static void add_mutant(const struct report_run *run, const struct mutant *mutant,
                       struct arena *arena, struct strbuf *out)
{
    const struct machine *machine = run->machine;
    bool survived = mutant->verdict == VERDICT_SURVIVED;
    data_open(out, NULL, '{');
    data_text(out, "id", mutant->id);
    data_text(out, "verdict", verdict_names[mutant->verdict]);
    data_text(out, "operator", mutant->operator);
    add_text("object", mutant_object(mutant, arena), arena, out);
    add_change(&mutant->change, arena, out);
    add_text("why", survived ? mutant->cause : mutant->by, arena, out);
    data_text(out, "place", text_mutant_place(mutant, arena));
    if (survived) {
        add_text("remedy", mutant->remedy, arena, out);
        if (mutant->rule) {
            add_block("rule", mutant->rule, arena, out);
            data_text(out, "ruleKind", mutant->rule_kind);
        }
        add_text("kill", text_kill_command(run, mutant->id, arena), arena, out);
        data_text(out, "group", group_of(run->mutation, mutant));
    }
    data_open(out, "rules", '[');
    for (size_t i = 0; survived && i < machine->rules.count; i++) {
        if (rule_names(&machine->rules.items[i], mutant->relation)) {
            data_open(out, NULL, '[');
            data_text(out, NULL, show_name(arena, machine->rules.items[i].name));
            data_number(out, NULL, run->result->stats.rules[i].ran);
            data_close(out, ']');
        }
    }
    data_close(out, ']');
    data_close(out, '}');
}

void html_mutants(const struct report_run *run, size_t most, struct arena *arena,
                  struct strbuf *out)
{
    const struct mutation *mutation = run->mutation;
    double score = mutation_score(mutation);
    size_t shown = 0;
    data_open(out, "mutation", '{');
    data_number(out, "count", mutation->mutants.count);
    data_number(out, "graded", mutation_graded(mutation));
    data_number(out, "survived", mutation->counts[VERDICT_SURVIVED]);
    data_text(out, "score", score < 0 ? NULL : arena_printf(arena, "%.1f %%", score));
    data_text(out, "time", show_duration(arena, mutation->time_us));
    data_open(out, "counts", '[');
    for (size_t i = 0; i < VERDICTS; i++) {
        data_open(out, NULL, '[');
        data_text(out, NULL, verdict_names[order[i]]);
        data_number(out, NULL, mutation->counts[order[i]]);
        data_close(out, ']');
    }
    data_close(out, ']');
    data_open(out, "mutants", '[');
    for (size_t i = 0; i < VERDICTS; i++) {
        for (size_t j = 0; j < mutation->mutants.count && shown < most; j++) {
            if (mutation->mutants.items[j].verdict == order[i]) {
                add_mutant(run, &mutation->mutants.items[j], arena, out);
                shown++;
            }
        }
    }
    data_close(out, ']');
    data_close(out, '}');
}
