/* What became of mutants: a line with the score, then what survived, and what would kill it. */
#include "mutate/locate.h"
#include "report/text/text.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

/* What a survivor of an operator says about the machine: the first row that matches. */
struct advice {
    const char *operators; /* patterns as in a shell, with spaces between them */
    const char *text;
};
static const struct advice advices[] = {
    {"drop-check drop-exclude exclude-* shorter-* less-*",
     "no step tried a value that this refuses: draw beyond the bound, and say `raises`"},
    {"add-unique", "no step puts a value here twice: draw from few values"},
    {"add-not-null", "no step leaves this empty: draw NULL here, too (none())"},
    {"*-with-column",
     "no step tried a key that is there already with another value in this column: "
     "draw from few values, and say `raises`"},
    {"foreign-key-without-column",
     "no step referred to a row that is there, but belongs to another: take "
     "each column from another row, and say `raises`"},
    {"match-*",
     "no step left only a part of the reference empty: draw NULL for one column (none())"},
    {"*-other-column foreign-key-other-* other-column other-parameter",
     "wherever an example came here, the two had the same value: have them differ, and compare"},
    {"nulls-*", "no step leaves this empty in two rows that are equal otherwise: draw NULL, too "
                "(none()), and say whether that `raises`"},
    {"drop-conflict conflict-nothing", "no step met a row that is there already, or nothing "
                                       "compares what becomes of it"},
    {"forget-null", "neither side was NULL here, or both were: leave one of them empty (none())"},
    {"first-row", "no step has more than one row here: draw from few values, and keep several"},
    {"drop-handler", "no step raised this error here: make one fail on purpose"},
    {"drop-not-null", "no step tried NULL here: draw it, too (none()), and say `raises`"},
    {"drop-unique drop-primary-key unique-* primary-key-* index-* plain-*",
     "no step tried a value that is there already: draw from few values, and say `raises`"},
    {"drop-foreign-key",
     "no step referred to a row that is not there: draw such an id, too, and say `raises`"},
    {"on-delete-* on-update-*",
     "no step deleted or changed a row that others refer to, or nothing compares those then"},
    {"initially-* deferrable not-deferrable",
     "no step breaks this for a moment, and mends it before the check"},
    {"*default* plus-one minus-one", "no step leaves the column out, or nothing compares it"},
    {"*policy* *row-security* view-*", "nobody is kept out or let in by this alone, or an error is "
                                       "expected either way: run rules and "
                                       "invariants `as` each kind of user"},
    {"grant-* revoke*", "nobody tried who may not: run a rule `as` that role, and say `raises: "
                        "insufficient_privilege`"},
    {"*trigger*", "no step changed a row in a way that this acts on, or nothing compares what it "
                  "does"},
    {"strict not-strict", "no step gave it NULL, or nothing compares what comes of that"},
    {"search-path-*",
     "nobody makes a temporary table with the name of one that this reads: make one, "
     "and compare what comes of it"},
    {"security-* drop-set*",
     "no step does through this what its owner may and its caller may not, or the other way round"},
    {"move-comparison move-number",
     "no step tells the two apart: draw equal values, and some just beside the bound"},
    {"add-not swap-quantifier swap-and-or drop-conjunct drop-disjunct condition-* drop-not flip-*",
     "no step came here where it makes a difference: one of the conditions true, another false"},
    {"drop-statement drop-assignment swap-arithmetic",
     "no example ran it, or nothing compares what it does"},
    {"reverse-order", "nothing compares the order: `expect` a list, of a query with ORDER BY"},
    {"*", "no example came to where it shows, or nothing compares what it changes"},
};

static bool fits(const char *operator, const char * patterns)
{
    char pattern[64];
    while (*(patterns += strspn(patterns, " "))) {
        size_t size = strcspn(patterns, " ");
        (void)snprintf(pattern, sizeof pattern, "%.*s", (int)size, patterns);
        if (fnmatch(pattern, operator, 0) == 0) {
            return true;
        }
        patterns += size;
    }
    return false;
}

const char *text_advice(const char *operator)
{
    const struct advice *advice = advices;
    while (!fits(operator, advice->operators)) {
        advice++;
    }
    return advice->text;
}

bool text_rule_names(const struct rule *rule, const char *relation)
{
    for (size_t i = 0; i < rule->statements.count; i++) {
        const struct snippet *sql = &rule->statements.items[i].sql->snippet;
        if (sql_names(sql->text, sql->size, relation)) {
            return true;
        }
    }
    return false;
}

/* "join (412 times), leave (61 times)": the rules that name what the mutant is about. */
static const char *rules_on(struct text *text, const struct mutant *mutant)
{
    const struct machine *machine = text->run->machine;
    struct strbuf out = {0};
    for (size_t i = 0; i < machine->rules.count; i++) {
        const struct rule *rule = &machine->rules.items[i];
        if (text_rule_names(rule, mutant->relation)) {
            strbuf_addf(
                &out, "%s%s (%s)", out.size ? ", " : "", rule->name,
                show_counted(&text->scratch, text->run->result->stats.rules[i].ran, "step"));
        }
    }
    return strbuf_take(&out, &text->scratch);
}

/* A definition, cut to a line. */
static void write_side(struct text *text, char sign, const char *definition)
{
    enum { WIDTH = 400 };
    if (*definition) {
        text_addf(text, "  %c %.*s%s\n", sign, WIDTH, definition,
                  strlen(definition) > WIDTH ? " …" : "");
    }
}

void text_survivor(struct text *text, const struct mutant *mutant)
{
    const char *rules = rules_on(text, mutant);
    text_paint(text, PAINT_BAD, "survived");
    text_addf(text, "  %s  %s  %s\n", mutant->id, mutant->operator, mutant->object);
    write_side(text, '-', mutant->was);
    write_side(text, '+', mutant->becomes);
    text_addf(text, "  %s\n", text_advice(mutant->operator));
    if (*rules) {
        text_addf(text, "  on %s: %s\n", mutant->relation, rules);
    } else {
        text_addf(text, "  no rule names %s\n", mutant->relation);
    }
}

/* "2 of 3 planted faults found": of those that could be planted. Returns what comes between it and
 * more. */
static const char *write_found(struct text *text, size_t planted)
{
    const size_t *counts = text->run->mutation->counts;
    if (planted == 0) {
        strbuf_adds(text->out, "no fault can be planted in this schema");
    } else {
        text_addf(text, "%zu of %zu planted faults found", counts[VERDICT_KILLED], planted);
    }
    return ", ";
}

/* "mutants  membership  152: 121 killed, 20 survived, 11 stillborn; score 85.8 %, 9.31 s", or of
 * a few that were drawn "mutants  membership  3 of 3 planted faults found, 0.11 s" */
static void write_counts(struct text *text)
{
    static const enum verdict order[] = {VERDICT_KILLED,     VERDICT_SURVIVED, VERDICT_ACCEPTED,
                                         VERDICT_TIMED_OUT,  VERDICT_BROKE,    VERDICT_STILLBORN,
                                         VERDICT_EQUIVALENT, VERDICT_NONE};
    const struct mutation *mutation = text->run->mutation;
    const size_t *counts = mutation->counts;
    double score = mutation->drawn ? -1 : mutation_score(mutation);
    const char *between = ": ";
    text_addf(text, "mutants  %s  ", text->run->machine->name);
    if (mutation->drawn) {
        between = write_found(text, mutation->mutants.count - counts[VERDICT_STILLBORN] -
                                        counts[VERDICT_NONE]);
    } else {
        text_addf(text, "%zu", mutation->mutants.count);
    }
    for (size_t i = mutation->drawn ? 1 : 0; i < sizeof order / sizeof *order; i++) {
        if (counts[order[i]]) {
            text_addf(text, "%s%zu %s", between, counts[order[i]], verdict_names[order[i]]);
            between = ", ";
        }
    }
    if (mutation->mutants.count == 0 && !mutation->drawn) {
        strbuf_adds(text->out, ": nothing that was asked for");
    }
    if (score >= 0) {
        text_addf(text, "; score %.1f %%", score);
    }
    text_addf(text, ", %s", show_duration(&text->scratch, mutation->time_us));
    if (counts[VERDICT_NONE] && !mutation->listed && text->run->stopped == ERROR_NONE) {
        strbuf_adds(text->out, "; ");
        text_paint(text, PAINT_WARN, "the time was up");
    }
    strbuf_addc(text->out, '\n');
}

/* What has to be looked at beside survivors, a line each. */
static void write_others(struct text *text)
{
    const struct mutation *mutation = text->run->mutation;
    for (size_t i = 0; i < mutation->mutants.count; i++) {
        const struct mutant *mutant = &mutation->mutants.items[i];
        bool failed = mutant->verdict == VERDICT_BROKE || mutant->verdict == VERDICT_TIMED_OUT;
        bool all = text->options->whole && mutant->verdict != VERDICT_SURVIVED;
        if (failed || all) {
            text_warn(text, verdict_names[mutant->verdict], "%s  %s  %s%s%s", mutant->id,
                      mutant->operator, mutant->object, mutant->by ? ": " : "",
                      mutant->by ? mutant->by : "");
        }
    }
}

void text_accepted(struct text *text)
{
    const struct mutation *mutation = text->run->mutation;
    for (size_t i = 0; mutation && i < mutation->mutants.count; i++) {
        const struct mutant *mutant = &mutation->mutants.items[i];
        if (mutant->verdict == VERDICT_KILLED && mutant->reason) {
            text_warn(text, "killed", "%s  %s  %s, though `mutants` accepts it", mutant->id,
                      mutant->operator, mutant->object);
        }
    }
    for (size_t i = 0; mutation && i < mutation->gone.count; i++) {
        text_warn(text, "gone", "%s, which `mutants` accepts: the schema has no such mutant",
                  mutation->gone.items[i]);
    }
}

void text_mutants(struct text *text)
{
    const struct mutation *mutation = text->run->mutation;
    if (!mutation) {
        return;
    }
    write_counts(text);
    for (size_t i = 0; i < mutation->mutants.count; i++) {
        const struct mutant *mutant = &mutation->mutants.items[i];
        if (mutation->listed) {
            text_addf(text, "%s  %s  %s\n", mutant->id, mutant->operator, mutant->object);
            write_side(text, '-', mutant->was);
            write_side(text, '+', mutant->becomes);
        } else if (mutant->verdict == VERDICT_SURVIVED) {
            strbuf_addc(text->out, '\n');
            text_survivor(text, mutant);
        }
    }
    write_others(text);
    text_accepted(text);
}
