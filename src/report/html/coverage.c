#include "report/html/coverage.h"

#include "report/account_json.h"
#include "report/coverage.h"
#include "report/html/data.h"

enum {
    PAIRED = 40, /* rules that ran most */
    VALUES = 10, /* of an argument: the most frequent */
};

/* The rules that ran most, in the order of the file; how many is given back. */
static size_t choose_paired(const struct report_run *run, size_t *chosen)
{
    const struct rule_stats *rules = run->result->stats.rules;
    size_t count = 0;
    for (size_t i = 0; i < run->machine->rules.count; i++) {
        size_t more = 0;
        for (size_t j = 0; j < run->machine->rules.count; j++) {
            more += rules[j].ran > rules[i].ran || (rules[j].ran == rules[i].ran && j < i);
        }
        if (rules[i].ran && more < PAIRED) {
            chosen[count++] = i;
        }
    }
    return count;
}

static void add_pairs(const struct report_run *run, struct strbuf *out)
{
    const struct run_stats *stats = &run->result->stats;
    size_t rules = run->machine->rules.count;
    size_t chosen[PAIRED];
    if (!stats->pairs) {
        return;
    }
    size_t count = choose_paired(run, chosen);
    data_open(out, "paired", '[');
    for (size_t i = 0; i < count; i++) {
        data_number(out, NULL, chosen[i]);
    }
    data_close(out, ']');
    data_open(out, "pairs", '[');
    for (size_t i = 0; i < count; i++) {
        data_open(out, NULL, '[');
        for (size_t j = 0; j < count; j++) {
            data_number(out, NULL, stats->pairs[chosen[i] * rules + chosen[j]]);
        }
        data_close(out, ']');
    }
    data_close(out, ']');
}

static void add_passing(const struct report_run *run, struct strbuf *out)
{
    const struct passing_examples *passing = &run->result->passing;
    data_open(out, "passing", '[');
    for (size_t i = 0; i < passing->count; i++) {
        data_open(out, NULL, '{');
        data_number(out, "example", passing->items[i].number);
        data_number(out, "rules", passing->items[i].rules);
        data_number(out, "steps", passing->items[i].steps);
        account_json(out, "account", passing->items[i].account);
        data_close(out, '}');
    }
    data_close(out, ']');
}

void html_coverage(const struct report_run *run, struct strbuf *out)
{
    struct json json = {out, true}; /* other members stand before these */
    add_pairs(run, out);
    coverage_json(&json, run, VALUES);
    add_passing(run, out);
}
