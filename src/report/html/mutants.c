#include "report/html/mutants.h"

#include "report/html/data.h"
#include "report/html/parts.h"
#include "report/text/text.h"

/* As the page shows them: what is to be mended first. */
static const enum verdict order[] = {VERDICT_SURVIVED,   VERDICT_BROKE,    VERDICT_TIMED_OUT,
                                     VERDICT_STILLBORN,  VERDICT_ACCEPTED, VERDICT_KILLED,
                                     VERDICT_EQUIVALENT, VERDICT_NONE};

static void add_text(const char *key, const char *text, struct arena *arena, struct strbuf *out)
{
    data_text(out, key, text ? show_text(arena, NULL, text, PART_VALUE) : NULL);
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
    add_text("object", mutant->object, arena, out);
    add_text("was", mutant->was, arena, out);
    add_text("becomes", mutant->becomes, arena, out);
    add_text("why", survived ? text_advice(mutant->operator) : mutant->by, arena, out);
    if (mutant->pos.source) {
        data_text(out, "place",
                  arena_printf(arena, "%s:%zu", show_name(arena, mutant->pos.source->name),
                               source_place(mutant->pos).line));
    }
    data_open(out, "rules", '[');
    for (size_t i = 0; survived && i < machine->rules.count; i++) {
        if (text_rule_names(&machine->rules.items[i], mutant->relation)) {
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
