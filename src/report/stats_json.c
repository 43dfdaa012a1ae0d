/* The counts of a run as JSON, for formats that have a place for them. */
#include "report/stats_json.h"

#include "report/coverage.h"

enum { PERCENTILE = 95 };

static void add_durations(struct json *json, const struct durations *times)
{
    if (times && times->count) {
        json_open(json, "time_us", '{');
        json_count(json, "count", times->count);
        json_count(json, "total", times->total_us);
        json_count(json, "p95", durations_percentile(times, PERCENTILE));
        json_close(json, '}');
    }
}

static void add_rule(struct json *json, const struct rule *rule, const struct rule_stats *stats)
{
    static const char *const reasons[BLOCKED_COUNT] = {
        [BLOCKED_PRECONDITION] = "precondition",
        [BLOCKED_BUNDLE] = "bundle",
        [BLOCKED_EMPTY] = "no_value",
        [BLOCKED_LIMIT] = "limit",
        [BLOCKED_WEIGHT] = "weight",
        [BLOCKED_TIME] = "time",
    };
    json_open(json, NULL, '{');
    json_text(json, "name", rule->name);
    json_count(json, "chosen", stats->chosen);
    json_count(json, "ran", stats->ran);
    json_count(json, "succeeded", stats_succeeded(stats));
    json_count(json, "given_up", stats->given_up);
    json_open(json, "blocked", '{');
    for (size_t i = 0; i < BLOCKED_COUNT; i++) {
        if (stats->blocked[i]) {
            json_count(json, reasons[i], stats->blocked[i]);
        }
    }
    json_close(json, '}');
    json_open(json, "raised", '{');
    for (size_t i = 0; i < stats->raised.count; i++) {
        json_count(json, stats->raised.items[i].sqlstate, stats->raised.items[i].count);
    }
    json_close(json, '}');
    add_durations(json, stats->times);
    json_close(json, '}');
}

static void add_invariant(struct json *json, const struct report_run *run, size_t index)
{
    const struct invariant *invariant = &run->machine->invariants.items[index];
    const struct invariant_stats *stats = &run->result->stats.invariants[index];
    const struct again_reasons *asked = &run->result->asked;
    json_open(json, NULL, '{');
    json_text(json, "name", invariant->name);
    json_count(json, "checked", stats->checked);
    json_count(json, "skipped", stats->skipped);
    json_optional(json, "always_asked", asked->each ? asked->each[index] : NULL);
    add_durations(json, stats->times);
    json_close(json, '}');
}

static void add_bundle(struct json *json, const struct bundle *bundle,
                       const struct bundle_stats *stats)
{
    json_open(json, NULL, '{');
    json_text(json, "name", bundle->name);
    json_count(json, "examples", stats->examples);
    json_count(json, "values", stats->values);
    json_count(json, "most", stats->most);
    json_close(json, '}');
}

static void add_coverage(struct json *json, const struct backend_coverage *coverage)
{
    static const char *const kinds[OBJECT_KINDS] = {
        [OBJECT_FUNCTION] = "function",
        [OBJECT_TRIGGER_FUNCTION] = "trigger function",
        [OBJECT_TABLE] = "table",
        [OBJECT_POLICY] = "policy",
    };
    json_open(json, "objects", '[');
    for (size_t i = 0; i < coverage->objects.count; i++) {
        const struct backend_object *object = &coverage->objects.items[i];
        json_open(json, NULL, '{');
        json_text(json, "kind", kinds[object->kind]);
        json_text(json, "name", object->name);
        json_flag(json, "touched", object->touched);
        json_optional(json, "note", object->note);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void add_sessions(struct json *json, const struct session_stats *stats)
{
    json_open(json, "sessions", '{');
    json_count(json, "examples", stats->examples);
    json_count(json, "schedules", stats->runs);
    json_count(json, "points", stats->points);
    json_count(json, "lost", stats->undone);
    json_count(json, "unclear", stats->unclear);
    json_close(json, '}');
}

static void add_deaths(struct json *json, const struct run_stats *stats)
{
    json_open(json, "deaths", '{');
    json_count(json, "before_commit", stats->deaths[DEATH_BEFORE]);
    json_count(json, "after_commit", stats->deaths[DEATH_AFTER]);
    if (stats->deaths[DEATH_WITHIN]) {
        json_count(json, "within", stats->deaths[DEATH_WITHIN]);
    }
    json_count(json, "repeated", stats->repeated);
    json_count(json, "not_repeated", stats->unrepeatable);
    json_close(json, '}');
}

void report_stats_json(struct json *json, const char *key, const struct report_run *run)
{
    const struct machine *machine = run->machine;
    const struct run_stats *stats = &run->result->stats;
    json_open(json, key, '{');
    json_count(json, "examples", stats->examples);
    json_count(json, "steps", stats->steps);
    json_count(json, "statements", stats->statements);
    json_count(json, "given_up", stats->given_up);
    json_open(json, "rules", '[');
    for (size_t i = 0; i < machine->rules.count; i++) {
        add_rule(json, &machine->rules.items[i], &stats->rules[i]);
    }
    json_close(json, ']');
    json_open(json, "invariants", '[');
    for (size_t i = 0; i < machine->invariants.count; i++) {
        add_invariant(json, run, i);
    }
    json_close(json, ']');
    json_optional(json, "all_asked", run->result->asked.all);
    json_open(json, "bundles", '[');
    for (size_t i = 0; i < machine->bundles.count; i++) {
        add_bundle(json, &machine->bundles.items[i], &stats->bundles[i]);
    }
    json_close(json, ']');
    json_open(json, "tables", '[');
    for (size_t i = 0; i < stats->tables.count; i++) {
        json_open(json, NULL, '{');
        json_text(json, "name", stats->tables.items[i].name);
        json_count(json, "filled", stats->tables.items[i].filled);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_open(json, "labels", '{');
    for (size_t i = 0; i < stats->labels.count; i++) {
        json_count(json, stats->labels.items[i].label, stats->labels.items[i].count);
    }
    json_close(json, '}');
    coverage_json(json, run, SIZE_MAX);
    if (stats->sessions.examples) {
        add_sessions(json, &stats->sessions);
    }
    if (stats->deaths[DEATH_BEFORE] + stats->deaths[DEATH_AFTER] + stats->deaths[DEATH_WITHIN]) {
        add_deaths(json, stats);
    }
    if (run->coverage) {
        add_coverage(json, run->coverage);
    }
    json_close(json, '}');
}

static void add_warnings(struct json *json, const char *const *warnings)
{
    json_open(json, "warnings", '[');
    for (size_t i = 0; warnings[i]; i++) {
        json_text(json, NULL, warnings[i]);
    }
    json_close(json, ']');
}

void report_stats_keep(struct report *report, const struct report_run *run)
{
    struct json json = {&report->kept, report->kept.size > 0};
    bool warns = run->warnings && run->warnings[0];
    if ((report->options.stats || warns) && run->machine) {
        json_open(&json, NULL, '{');
        json_text(&json, "file", run->path);
        if (report->options.stats) {
            report_stats_json(&json, "stats", run);
        }
        if (warns) {
            add_warnings(&json, run->warnings);
        }
        json_close(&json, '}');
    }
}

void report_stats_kept(const struct report *report, struct json *json, const char *key)
{
    if (report->kept.size) {
        json_open(json, key, '{');
        json_open(json, "machines", '[');
        strbuf_add(json->out, report->kept.data, report->kept.size);
        json_close(json, ']');
        json_close(json, '}');
    }
}
