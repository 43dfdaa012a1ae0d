/* A line of JSON for each event; docs/REPORTS.md and docs/report.schema.json describe them. */
#include "base/json.h"
#include "example/divergence.h"
#include "report/account_json.h"
#include "report/cases.h"
#include "report/race.h"
#include "report/stats_json.h"

#include <inttypes.h>

enum { VERSION = 2 /* of the format: a member that is new does not change it */ };

static void open_event(struct json *json, const char *type, struct strbuf *out)
{
    *json = (struct json){out, false};
    json_open(json, NULL, '{');
    json_text(json, "type", type);
}

/* The same for what is about a machine. */
static void open_about(struct json *json, const char *type, const struct report_run *run,
                       struct strbuf *out)
{
    open_event(json, type, out);
    json_optional(json, "machine", report_name(run));
    json_text(json, "path", run->path);
}

static void close_event(struct json *json)
{
    json_close(json, '}');
    strbuf_addc(json->out, '\n');
}

static void begin(const struct report *report, struct strbuf *out)
{
    struct json json;
    open_event(&json, "begin", out);
    json_count(&json, "version", VERSION);
    json_text(&json, "pgfsm", report->version);
    close_event(&json);
}

static void add_place(struct json *json, const struct report_place *place)
{
    json_text(json, "file", place->file);
    if (place->line) {
        json_count(json, "line", place->line);
        json_count(json, "column", place->column);
    }
}

static void add_case(const struct report_case *item, const struct report_run *run,
                     struct strbuf *out)
{
    struct json json;
    open_about(&json, "case", run, out);
    json_text(&json, "kind", item->kind);
    json_text(&json, "name", item->name);
    json_text(&json, "outcome", case_outcomes[item->outcome]);
    json_optional(&json, "message", item->message);
    add_place(&json, &item->place);
    json_count(&json, "count", item->count);
    if (item->timed) {
        json_count(&json, "time_us", item->time_us);
    }
    if (item->outcome == CASE_ERROR) {
        json_optional(&json, "text", item->text);
    }
    close_event(&json);
}

static void add_steps(struct json *json, const struct failure *failure)
{
    json_open(json, "steps", '[');
    for (size_t i = 0; i < failure->steps.count; i++) {
        struct strbuf call = {0};
        trace_print_step(&failure->steps.items[i], &call);
        json_text(json, NULL, strbuf_text(&call));
        strbuf_free(&call);
    }
    json_close(json, ']');
}

/* What is told behind the steps that have it. */
static void add_remarks(struct json *json, const struct failure *failure)
{
    json_open(json, "remarks", '[');
    for (size_t i = 0; i < failure->steps.count; i++) {
        if (failure->steps.items[i].remark) {
            json_open(json, NULL, '{');
            json_count(json, "step", i + 1);
            json_text(json, "text", failure->steps.items[i].remark);
            json_close(json, '}');
        }
    }
    json_close(json, ']');
}

static void add_deaths(struct json *json, const struct failure *failure)
{
    bool any = false;
    for (size_t i = 0; i < failure->steps.count; i++) {
        enum trace_death death = failure->steps.items[i].death;
        if (death == DEATH_NONE) {
            continue;
        }
        if (!any) {
            json_open(json, "deaths", '[');
        }
        any = true;
        json_open(json, NULL, '{');
        json_count(json, "step", i + 1);
        json_text(json, "when",
                  death == DEATH_BEFORE  ? "before"
                  : death == DEATH_AFTER ? "after"
                                         : "within");
        json_close(json, '}');
    }
    if (any) {
        json_close(json, ']');
    }
}

static void add_error(struct json *json, const char *key, const struct server_error *error)
{
    if (error->sqlstate[0]) {
        json_open(json, key, '{');
        json_text(json, "sqlstate", error->sqlstate);
        json_optional(json, "message", error->message);
        json_optional(json, "detail", error->detail);
        json_optional(json, "hint", error->hint);
        json_optional(json, "context", error->context);
        json_optional(json, "schema", error->schema);
        json_optional(json, "table", error->table);
        json_optional(json, "column", error->column);
        json_optional(json, "constraint", error->constraint);
        json_close(json, '}');
    }
}

/* Numbers of sessions. */
static void add_waits_for(struct json *json, unsigned by)
{
    json_open(json, "waits_for", '[');
    for (unsigned session = 1; session <= TRACE_SESSIONS_MAX; session++) {
        if (by & 1U << session) {
            json_count(json, NULL, session);
        }
    }
    json_close(json, ']');
}

static void add_events(struct json *json, const struct race *race)
{
    static const char *const kinds[] = {
        [RACE_SENT] = "sent",         [RACE_STOPPED] = "stopped", [RACE_TIMES_OUT] = "lock_timeout",
        [RACE_RELEASED] = "released", [RACE_BLOCKED] = "blocked", [RACE_FREED] = "freed",
        [RACE_ANSWERED] = "answered", [RACE_DIED] = "died",       [RACE_AGAIN] = "begins again"};
    json_open(json, "events", '[');
    for (size_t i = 0; i < race->events.count; i++) {
        const struct race_event *event = &race->events.items[i];
        json_open(json, NULL, '{');
        json_text(json, "kind", kinds[event->kind]);
        json_count(json, "step", event->step);
        json_count(json, "call", event->call);
        json_optional(json, "text", event->text);
        if (event->kind == RACE_ANSWERED) {
            json_flag(json, "failed", event->failed);
        }
        if (event->kind == RACE_BLOCKED) {
            add_waits_for(json, event->by);
        }
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void add_orders(struct json *json, const struct race *race)
{
    json_open(json, "orders", '[');
    for (size_t i = 0; i < race->orders.count; i++) {
        const struct race_order *order = &race->orders.items[i];
        json_open(json, NULL, '{');
        json_open(json, "steps", '[');
        for (size_t k = 0; k < order->count; k++) {
            json_count(json, NULL, order->steps[k]);
        }
        json_close(json, ']');
        if (order->at < order->count) {
            json_count(json, "at", order->at);
        }
        json_text(json, "who", order->who);
        json_optional(json, "check", order->check);
        json_optional(json, "expected", order->expected);
        json_optional(json, "actual", order->actual);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void add_race(struct json *json, const struct race *race)
{
    struct arena arena = {0};
    json_open(json, "race", '{');
    json_count(json, "sessions", race->sessions);
    json_flag(json, "deadlock", race->deadlock);
    if (race->kept) {
        json_flag(json, "kept_lock", true);
    }
    json_optional(json, "anomaly", race_anomaly_text(&arena, race));
    json_optional(json, "dependency", race_dependency_text(&arena, race));
    json_optional(json, "remedy", race_remedy_text(race));
    json_open(json, "steps", '[');
    for (size_t i = 0; i < race->steps.count; i++) {
        const struct race_step *step = &race->steps.items[i];
        struct strbuf call = {0};
        trace_print_step(&step->shown, &call);
        json_open(json, NULL, '{');
        json_count(json, "session", step->session);
        json_text(json, "name", race_step_name(&arena, race, i));
        json_text(json, "call", strbuf_text(&call));
        json_optional(json, "answer", step->answer);
        json_flag(json, "lost", step->undone);
        json_count(json, "retries", step->retries);
        json_close(json, '}');
        strbuf_free(&call);
    }
    json_close(json, ']');
    add_events(json, race);
    add_orders(json, race);
    json_close(json, '}');
    arena_free(&arena);
}

static void add_row(struct json *json, const char *key, const struct failure *failure,
                    const struct shown_cell *cells)
{
    if (!cells) {
        return;
    }
    json_open(json, key, '[');
    for (size_t i = 0; i < failure->column_count; i++) {
        struct strbuf text = {0};
        value_repr(cells[i].value, &text);
        json_text(json, NULL, strbuf_text(&text));
        strbuf_free(&text);
    }
    json_close(json, ']');
}

/* The rows are those of the failure: its cells have names. */
static void add_differing_rows(struct json *json, const struct failure *failure)
{
    json_open(json, "columns", '[');
    for (size_t i = 0; i < failure->column_count; i++) {
        json_text(json, NULL, failure->columns[i]);
    }
    json_close(json, ']');
    json_open(json, "rows", '[');
    for (size_t i = 0; i < failure->differences.count; i++) {
        const struct difference *difference = &failure->differences.items[i];
        json_open(json, NULL, '{');
        if (difference->place) {
            json_count(json, "row", (uint64_t)difference->place);
        }
        add_row(json, "before", failure, difference->expected);
        add_row(json, "after", failure, difference->actual);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_count(json, "differing_rows", failure->difference_count);
}

static void add_divergence(struct json *json, const struct failure *failure)
{
    const struct divergence *divergence = failure->divergence;
    json_open(json, "divergence", '{');
    json_text(json, "kind", divergence_kind_name(divergence->kind));
    json_text(json, "place", divergence->place);
    json_optional(json, "context", failure->context);
    json_text(json, "before", divergence->before);
    json_text(json, "after", divergence->after);
    json_open(json, "elsewhere", '[');
    for (size_t i = 0; i < failure->elsewhere.count; i++) {
        json_text(json, NULL, failure->elsewhere.items[i]);
    }
    json_close(json, ']');
    if (divergence->error_before) {
        add_error(json, "error_before", divergence->error_before);
    }
    if (divergence->error_after) {
        add_error(json, "error_after", divergence->error_after);
    }
    if (failure->difference_count) {
        add_differing_rows(json, failure);
    }
    json_close(json, '}');
}

static void add_failure(const struct report_fault *shown, const struct report_run *run,
                        struct strbuf *out)
{
    const struct failure *failure = shown->failure;
    struct json json;
    open_about(&json, "failure", run, out);
    json_text(&json, "identity", failure->identity);
    json_optional(&json, "name", shown->delivery->name);
    json_optional(&json, "told_with", shown->with ? shown->with->identity : NULL);
    json_optional(&json, "rule", failure->rule ? failure->rule->name : NULL);
    json_optional(&json, "invariant", failure->invariant ? failure->invariant->name : NULL);
    json_optional(&json, "pinned", failure->pinned ? failure->pinned->name : NULL);
    json_text(&json, "message", shown->message);
    add_place(&json, &shown->place);
    json_count(&json, "example", failure->example);
    json_count(&json, "step", failure->step);
    json_flag(&json, "flaky", failure->flaky);
    json_flag(&json, "leftover", failure->leftover);
    add_steps(&json, failure);
    add_remarks(&json, failure);
    add_deaths(&json, failure);
    json_optional(&json, "sql", failure->sql);
    if (failure->statement) {
        json_count(&json, "statement", failure->statement);
    }
    json_optional(&json, "context", failure->context);
    if (failure->divergence) {
        add_divergence(&json, failure);
    } else {
        json_optional(&json, "expected", failure->expected);
        json_optional(&json, "actual", failure->actual);
    }
    json_optional(&json, "left", failure->sides.left);
    json_optional(&json, "right", failure->sides.right);
    add_error(&json, "error", &failure->error);
    if (failure->race) {
        add_race(&json, failure->race);
    }
    json_optional(&json, "script", shown->delivery->script);
    json_optional(&json, "spec", shown->delivery->spec);
    json_optional(&json, "trace", shown->delivery->trace);
    json_text(&json, "text", shown->text);
    if (failure->account) {
        source_json(out, "source", &failure->account->source);
        account_json(out, "account", failure->account);
    }
    close_event(&json);
}

/* An example of a shard, for those who merge reports. */
static void add_record(const struct example_record *record, const struct report_run *run,
                       struct strbuf *out)
{
    struct json json;
    open_about(&json, "example", run, out);
    record_write(&json, record);
    close_event(&json);
}

/* What became of a mutant of a shard, for the same. */
static void add_mutant(const struct mutant *mutant, const struct report_run *run,
                       struct strbuf *out)
{
    struct json json;
    open_about(&json, "mutant", run, out);
    mutant_write(&json, mutant);
    close_event(&json);
}

/* Which part of which run it was. */
static void add_shard(struct json *json, const struct report_run *run)
{
    struct arena arena = {0};
    json_open(json, "shard", '{');
    json_count(json, "index", run->shard + 1);
    json_count(json, "count", run->shared ? 1 : run->shard_count);
    if (run->shared) {
        json_flag(json, "shared", true);
    }
    json_close(json, '}');
    json_text(json, "command", run->command ? run->command : "run");
    if (run->made) {
        json_flag(json, "made", true);
    }
    json_text(json, "options", run->options ? run->options : "");
    json_text(json, "fingerprint", machine_fingerprint(run->machine, run->made, &arena));
    json_text(json, "files", run->inputs ? run->inputs : "");
    arena_free(&arena);
}

/* A passing example that was run again to be shown. */
static void add_passing(const struct passing_example *passing, const struct report_run *run,
                        struct strbuf *out)
{
    struct json json;
    open_about(&json, "passing", run, out);
    json_count(&json, "example", passing->number);
    json_count(&json, "rules", passing->rules);
    json_open(&json, "steps", '[');
    for (size_t i = 0; i < passing->account->steps.count; i++) {
        const struct account_step *step = &passing->account->steps.items[i];
        if (step->number > 0) {
            json_text(&json, NULL, step->call);
        }
    }
    json_close(&json, ']');
    account_json(out, "account", passing->account);
    close_event(&json);
}

static void add_machine(const struct report *report, const struct report_run *run,
                        struct strbuf *out)
{
    struct json json;
    open_about(&json, "machine", run, out);
    json_text(&json, "file", run->path);
    json_text(&json, "outcome", report_ends[report_end_of(run)]);
    json_optional(&json, "run", report->options.run);
    if (run->machine) {
        json_count(&json, "seed", run->result->seed);
        json_count(&json, "examples", run->result->stats.examples);
        json_count(&json, "examples_planned", run->examples_planned);
        json_count(&json, "steps", run->result->stats.steps);
        json_count(&json, "time_us", run->result->stats.time_us);
        json_flag(&json, "cut_short", run->result->cut_short);
        json_optional(&json, "again", run->again);
        if (run->shard_count || run->shared) {
            add_shard(&json, run);
        }
        if (run->compared) {
            compared_json(&json, "compared", run);
        }
        if (report->options.stats) {
            report_stats_json(&json, "stats", run);
        }
    }
    close_event(&json);
}

static void add(struct report *report, const struct report_run *run,
                const struct report_cases *cases, struct strbuf *out)
{
    struct json json;
    for (size_t i = 0; i < cases->items.count; i++) {
        const struct report_case *item = &cases->items.items[i];
        add_case(item, run, out);
        for (size_t j = 0; !item->repeats && j < item->failures.count; j++) {
            add_failure(&item->failures.items[j], run, out);
        }
    }
    for (size_t i = 0; i < cases->notes.items.count; i++) {
        open_about(&json, "warning", run, out);
        json_text(&json, "title", cases->notes.items.items[i].title);
        json_text(&json, "message", cases->notes.items.items[i].text);
        close_event(&json);
    }
    for (size_t i = 0; run->machine && i < run->result->passing.count; i++) {
        add_passing(&run->result->passing.items[i], run, out);
    }
    for (size_t i = 0; run->machine && i < run->result->records.count; i++) {
        add_record(&run->result->records.items[i], run, out);
    }
    bool merges = run->mutation && (run->shard_count || run->shared);
    for (size_t i = 0; merges && i < run->mutation->mutants.count; i++) {
        add_mutant(&run->mutation->mutants.items[i], run, out);
    }
    add_machine(report, run, out);
}

static void end(const struct report *report, struct strbuf *out)
{
    struct json json;
    open_event(&json, "end", out);
    json_open(&json, "machines", '{');
    for (size_t i = 0; i < REPORT_ENDS; i++) {
        json_count(&json, report_ends[i], report->ends[i]);
    }
    json_close(&json, '}');
    json_open(&json, "cases", '{');
    for (size_t i = 0; i < CASE_OUTCOMES; i++) {
        json_count(&json, case_outcomes[i], report->cases[i]);
    }
    json_close(&json, '}');
    close_event(&json);
}

const struct report_format report_json = {
    .name = "json", .begin = begin, .add_cases = add, .end = end};
