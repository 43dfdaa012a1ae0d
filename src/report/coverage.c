#include "report/coverage.h"

#include <stdio.h>
#include <string.h>

uint64_t coverage_of(const struct report_run *run, enum discovered kind)
{
    const struct machine *machine = run->machine;
    uint64_t rules = 0;
    for (size_t i = 0; i < machine->rules.count; i++) {
        rules += !report_rule_off(run, i);
    }
    const uint64_t counts[DISCOVERED_KINDS] = {
        [DISCOVERED_RULES] = rules,
        [DISCOVERED_PAIRS] = run->result->stats.pairs ? rules * rules : 0,
        [DISCOVERED_BUNDLES] = machine->bundles.count,
        [DISCOVERED_TABLES] = run->result->stats.tables.count,
    };
    return counts[kind];
}

struct tally_ranking coverage_rank(struct arena *arena, const struct tally *tally)
{
    struct tally_ranking ranking = {
        ARENA_ARRAY(arena, const struct tally_value *, tally->values.count), tally->values.count};
    for (size_t i = 0; i < ranking.count; i++) {
        const struct tally_value *value = &tally->values.items[i];
        size_t at = i;
        for (; at > 0 && ranking.items[at - 1]->count < value->count; at--) {
            ranking.items[at] = ranking.items[at - 1];
        }
        ranking.items[at] = value;
    }
    return ranking;
}

static void add_number(struct json *json, const char *key, double number)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%.15g", number);
    json_raw(json, key, text);
}

static void add_range(struct json *json, size_t bucket)
{
    struct scale_range range = scale_range(bucket);
    if (bucket > 0) {
        add_number(json, "from", range.least);
    }
    if (bucket < SCALE_BUCKETS - 1) {
        add_number(json, "to", range.most);
    }
}

static void add_scale(struct json *json, const char *key, const struct scale *scale)
{
    if (!scale) {
        return;
    }
    json_open(json, key, '{');
    json_count(json, "count", scale->count);
    add_number(json, "least", scale->least);
    add_number(json, "most", scale->most);
    json_open(json, "median", '{');
    add_range(json, scale_median(scale));
    json_close(json, '}');
    json_open(json, "buckets", '[');
    for (size_t i = 0; i < SCALE_BUCKETS; i++) {
        if (scale->buckets[i]) {
            json_open(json, NULL, '{');
            add_range(json, i);
            json_count(json, "count", scale->buckets[i]);
            json_close(json, '}');
        }
    }
    json_close(json, ']');
    json_close(json, '}');
}

static void add_values(struct json *json, const struct tally *tally, size_t most)
{
    struct arena arena = {0};
    struct tally_ranking ranking = coverage_rank(&arena, tally);
    uint64_t others = tally->others;
    json_open(json, "values", '[');
    for (size_t i = 0; i < ranking.count; i++) {
        if (i < most) {
            json_open(json, NULL, '{');
            json_text(json, "value", ranking.items[i]->text);
            json_count(json, "count", ranking.items[i]->count);
            json_close(json, '}');
        } else {
            others += ranking.items[i]->count;
        }
    }
    json_close(json, ']');
    json_count(json, "others", others);
    json_flag(json, "whole", !tally->others);
    arena_free(&arena);
}

static void add_argument(struct json *json, const struct rule *rule, size_t index,
                         const struct rule_stats *stats, size_t most)
{
    const struct tally *tally = &stats->args[index];
    json_open(json, NULL, '{');
    json_text(json, "rule", rule->name);
    json_text(json, "name", rule->args.items[index].name);
    json_count(json, "drawn", tally->drawn);
    add_values(json, tally, most);
    add_scale(json, "numbers", tally->scales[TALLY_NUMBER]);
    add_scale(json, "lengths", tally->scales[TALLY_LENGTH]);
    add_scale(json, "newer", tally->scales[TALLY_RECENCY]);
    json_close(json, '}');
}

static void add_arguments(struct json *json, const struct report_run *run, size_t most)
{
    const struct machine *machine = run->machine;
    json_open(json, "arguments", '[');
    for (size_t i = 0; i < machine->rules.count; i++) {
        const struct rule_stats *stats = &run->result->stats.rules[i];
        for (size_t j = 0; stats->args && j < machine->rules.items[i].args.count; j++) {
            add_argument(json, &machine->rules.items[i], j, stats, most);
        }
    }
    json_close(json, ']');
}

static void add_point(struct json *json, uint64_t example, const uint64_t *seen)
{
    json_open(json, NULL, '{');
    json_count(json, "examples", example);
    for (size_t i = 0; i < DISCOVERED_KINDS; i++) {
        if (seen[i]) {
            json_count(json, discovered_keys[i], seen[i]);
        }
    }
    json_close(json, '}');
}

/* Points at which nothing new was seen are left out, but for the last one. */
static void add_points(struct json *json, const struct run_stats *stats)
{
    const struct discovery *discovery = &stats->discovery;
    const uint64_t none[DISCOVERED_KINDS] = {0};
    const uint64_t *before = none;
    json_open(json, "points", '[');
    for (size_t i = 0; i < discovery->points.count; i++) {
        const struct discovery_point *point = &discovery->points.items[i];
        if (point->example < stats->examples && memcmp(point->seen, before, sizeof none) != 0) {
            add_point(json, point->example, point->seen);
            before = point->seen;
        }
    }
    add_point(json, stats->examples, discovery->seen);
    json_close(json, ']');
}

static void add_discovery(struct json *json, const struct report_run *run)
{
    const struct discovery *discovery = &run->result->stats.discovery;
    json_open(json, "discovery", '{');
    for (enum discovered i = 0; i < DISCOVERED_KINDS; i++) {
        uint64_t of = coverage_of(run, i);
        if (of || discovery->seen[i]) {
            json_open(json, discovered_keys[i], '{');
            json_count(json, "seen", discovery->seen[i]);
            if (of) {
                json_count(json, "of", of);
            }
            json_count(json, "last", discovery->last[i]);
            json_close(json, '}');
        }
    }
    add_points(json, &run->result->stats);
    json_close(json, '}');
}

void coverage_json(struct json *json, const struct report_run *run, size_t most)
{
    add_discovery(json, run);
    if (run->machine->rules.count && run->result->stats.rules[0].args) {
        add_arguments(json, run, most);
    }
}
