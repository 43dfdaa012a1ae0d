#include "support/describe.h"

#include <inttypes.h>

static void describe_choice(const struct choice *choice, struct strbuf *out)
{
    switch (choice->kind) {
    case CHOICE_INTEGER:
        strbuf_addf(out, " %" PRId64, choice->as.integer.value);
        break;
    case CHOICE_FLOAT:
        strbuf_addf(out, " %g", choice->as.real.value);
        break;
    case CHOICE_TEXT:
        strbuf_addf(out, " '%s'", choice->as.text.value->data);
        break;
    case CHOICE_BYTES:
        strbuf_addf(out, " %zu bytes", choice->as.bytes.value->size);
        break;
    case CHOICE_REFERENCE:
        if (choice->as.reference.step == REFERENCE_BY_POSITION) {
            strbuf_addf(out, " @%" PRIu64, choice->as.reference.position);
        } else {
            strbuf_addf(out, " #%" PRIu32 ".%" PRIu32, choice->as.reference.step,
                        choice->as.reference.output);
        }
        break;
    }
}

void describe_trace(const struct machine *machine, const struct trace *trace, struct strbuf *out)
{
    for (size_t i = 0; i < trace->steps.count; i++) {
        const struct trace_step *step = &trace->steps.items[i];
        const struct rule *rule = step->initialize ? &machine->initialize.items[step->rule]
                                                   : &machine->rules.items[step->rule];
        strbuf_addf(out, "%s%s", i ? "; " : "", rule->name);
        for (size_t j = 0; j < step->choices.items.count; j++) {
            describe_choice(&step->choices.items.items[j], out);
        }
    }
}

static void describe_value(const char *what, struct value value, struct strbuf *out)
{
    strbuf_addf(out, " %s=", what);
    value_repr(value, out);
}

static void describe_cells(const char *what, const struct shown_cell *cells, size_t count,
                           struct strbuf *out)
{
    for (size_t i = 0; cells && i < count; i++) {
        describe_value(what, cells[i].value, out);
        strbuf_addf(out, " %s", cells[i].name ? cells[i].name : "");
    }
}

void describe_failure(const struct failure *failure, struct strbuf *out)
{
    strbuf_addf(out, "failure %s, kind %d, step %zu, example %" PRIu64 "%s\n", failure->identity,
                (int)failure->kind, failure->step, failure->example,
                failure->flaky ? ", flaky" : "");
    strbuf_addf(out, "  %s / %s\n", failure->expected ? failure->expected : "-",
                failure->actual ? failure->actual : "-");
    for (size_t i = 0; i < failure->differences.count; i++) {
        const struct difference *difference = &failure->differences.items[i];
        strbuf_addf(out, "  difference %d", (int)difference->kind);
        describe_cells("expected", difference->expected, failure->column_count, out);
        describe_cells("actual", difference->actual, failure->column_count, out);
        strbuf_adds(out, "\n");
    }
    for (size_t i = 0; i < failure->steps.count; i++) {
        strbuf_adds(out, "  ");
        trace_print_step(&failure->steps.items[i], out);
        strbuf_addc(out, '\n');
    }
}

static void describe_rule(const struct rule *rule, const struct rule_stats *stats,
                          struct strbuf *out)
{
    strbuf_addf(out, "%s: chosen %" PRIu64 ", ran %" PRIu64 ", given up %" PRIu64 ", blocked",
                rule->name, stats->chosen, stats->ran, stats->given_up);
    for (size_t i = 0; i < BLOCKED_COUNT; i++) {
        strbuf_addf(out, " %" PRIu64, stats->blocked[i]);
    }
    for (size_t i = 0; i < stats->raised.count; i++) {
        strbuf_addf(out, ", %s %" PRIu64, stats->raised.items[i].sqlstate,
                    stats->raised.items[i].count);
    }
    strbuf_addc(out, '\n');
}

void describe_result(const struct machine *machine, const struct run_result *result,
                     struct strbuf *out)
{
    const struct run_stats *stats = &result->stats;
    strbuf_addf(out, "outcome %d, seed %" PRIu64 "%s\n", (int)result->outcome, result->seed,
                result->cut_short ? ", cut short" : "");
    strbuf_addf(out,
                "%" PRIu64 " examples, %" PRIu64 " steps, %" PRIu64 " statements, %" PRIu64
                " given up, %" PRIu64 " dead ends\n",
                stats->examples, stats->steps, stats->statements, stats->given_up,
                stats->dead_ends);
    for (size_t i = 0; i < machine->rules.count; i++) {
        describe_rule(&machine->rules.items[i], &stats->rules[i], out);
    }
    for (size_t i = 0; i < machine->invariants.count; i++) {
        strbuf_addf(out, "%s: checked %" PRIu64 ", skipped %" PRIu64 "\n",
                    machine->invariants.items[i].name, stats->invariants[i].checked,
                    stats->invariants[i].skipped);
    }
    for (size_t i = 0; i < result->failures.count; i++) {
        describe_failure(&result->failures.items[i], out);
    }
}
