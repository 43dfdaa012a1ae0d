#include "api/session.h"

#include "api/errors.h"
#include "base/hash.h"
#include "base/names.h"
#include "os/platform.h"

#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { JOBS_MAX = 1000 };

/* 32 bits are enough to be different and short enough to be typed. */
static bool draw_seed(uint64_t *out, struct pgfsm_errors *errors)
{
    uint32_t seed;
    if (!random_bytes(&seed, sizeof seed)) {
        return errors_addf(errors, ERROR_SYSTEM, "cannot draw a seed: %s", strerror(errno));
    }
    *out = seed;
    return true;
}

static void lay_over(int64_t *setting, int64_t option)
{
    if (option >= 0) {
        *setting = option;
    }
}

static int64_t processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > JOBS_MAX ? JOBS_MAX : count;
}

static bool unknown_profile(const struct machine *machine, const char *name,
                            struct pgfsm_errors *errors)
{
    struct strbuf list = {0};
    for (size_t i = 0; i < machine->profiles.count; i++) {
        strbuf_addf(&list, "%s%s", i ? ", " : "", machine->profiles.items[i].name);
    }
    (void)errors_addf(errors, ERROR_USAGE, "%s has no profile '%s'; %s%s", machine->name, name,
                      list.size ? "it has: " : "it has none", strbuf_text(&list));
    strbuf_free(&list);
    return false;
}

static bool base_settings(const struct machine *machine, const char *profile, struct settings *out,
                          struct pgfsm_errors *errors)
{
    size_t index = profile ? name_index(profile, ROWS_OF(machine->profiles, name)) : SIZE_MAX;
    *out = index < machine->profiles.count ? machine->profiles.items[index].settings
                                           : machine->settings;
    return !profile || index < machine->profiles.count || unknown_profile(machine, profile, errors);
}

/* Folded to what a drawn seed has. */
static uint64_t seed_of_name(const char *name)
{
    uint64_t hash = hash_text(name);
    return (hash ^ (hash >> 32)) & UINT32_MAX;
}

static bool unknown_way(const char *name, struct pgfsm_errors *errors)
{
    struct strbuf list = {0};
    for (unsigned i = 0; i < WAY_COUNT; i++) {
        strbuf_addf(&list, ", %s", example_ways[i].name);
    }
    (void)errors_addf(errors, ERROR_USAGE,
                      "there is no way '%s' to make examples; there are: all%s", name,
                      strbuf_text(&list));
    strbuf_free(&list);
    return false;
}

/* What the machine says of transactions that there are not. */
static bool check_commit_needs(const struct run_session *session)
{
    const struct machine *machine = session->machine;
    const char *profile = session->options.profile;
    bool any = false;
    for (size_t i = 0; i < machine->commit_needs.count; i++) {
        const struct commit_need *need = &machine->commit_needs.items[i];
        if (!need->profile || (profile && strcmp(need->profile, profile) == 0)) {
            struct error err;
            (void)error_at(&err, ERROR_MACHINE, need->pos,
                           "%s has a meaning only where steps are committed", need->what);
            (void)error_hint(&err, "write `transactions: commit` under `settings`, or run with "
                                   "--commit");
            (void)errors_add(session->errors, &err);
            any = true;
        }
    }
    return !any;
}

/* Whether a list with a count is one. */
static bool has_lists(const struct pgfsm_run_options *options, struct pgfsm_errors *errors)
{
    const char *missing = options->rule_count && !options->rules    ? "rule"
                          : options->apply_count && !options->apply ? "apply"
                                                                    : NULL;
    return !missing ||
           errors_addf(errors, ERROR_USAGE, "%s_count is set, but its list is NULL", missing);
}

static bool check_sessions(const struct settings *settings, const struct machine *machine,
                           struct pgfsm_errors *errors)
{
    if (settings->sessions < 1 || settings->sessions > TRACE_SESSIONS_MAX) {
        return errors_addf(errors, ERROR_USAGE, "sessions must be from 1 to %d",
                           TRACE_SESSIONS_MAX);
    }
    return settings->sessions == 1 || !machine->clock ||
           errors_addf(errors, ERROR_USAGE,
                       "several sessions can't have a simulated clock: while it stands, the "
                       "server ends no deadlock; leave `clock` or `sessions` out");
}

bool settings_resolve(struct run_session *session)
{
    const struct machine *machine = session->machine;
    const struct pgfsm_run_options *options = &session->options;
    struct settings *out = &session->settings;
    struct pgfsm_errors *errors = session->errors;
    if (!has_lists(options, errors)) {
        return false;
    }
    if (!base_settings(machine, options->profile, out, errors)) {
        return false;
    }
    lay_over(&out->examples, options->examples);
    lay_over(&out->steps, options->steps);
    lay_over(&out->max_time_ms, options->max_time_ms);
    lay_over(&out->jobs, options->jobs == 0 ? processors() : options->jobs);
    out->crash = options->crash;
    if (options->commit || options->crash) {
        out->transactions = TRANSACTIONS_COMMIT;
    }
    lay_over(&out->sessions, options->sessions);
    if (out->sessions > 1) {
        out->transactions = TRANSACTIONS_COMMIT;
    }
    if (out->transactions == TRANSACTIONS_COMMIT) {
        out->check_deferred = CHECK_DEFERRED_STEP; /* each step's commit checks */
    } else if (!check_commit_needs(session)) {
        return false;
    }
    if (options->seed >= 0) {
        out->seed = (uint64_t)options->seed;
        out->has_seed = true;
    }
    if (options->derandomize && !out->has_seed) {
        out->seed = seed_of_name(machine->name);
        out->has_seed = true;
    }
    if (out->steps < 1) {
        return errors_addf(errors, ERROR_USAGE, "steps must be at least 1");
    }
    if (out->jobs < 1 || out->jobs > JOBS_MAX) {
        return errors_addf(errors, ERROR_USAGE, "jobs must be from 1 to %d", JOBS_MAX);
    }
    if (!check_sessions(out, machine, errors)) {
        return false;
    }
    if (options->ways && strcmp(options->ways, "all") != 0 && !way_named(options->ways)) {
        return unknown_way(options->ways, errors);
    }
    if (options->shard_count > 0 &&
        (options->shard < 0 || options->shard >= options->shard_count)) {
        return errors_addf(errors, ERROR_USAGE,
                           "shard is %" PRId64 ", but shards are numbered from 0 to %" PRId64,
                           options->shard, options->shard_count - 1);
    }
    if (options->shard_count > 0 && !out->has_seed) {
        return errors_addf(
            errors, ERROR_USAGE,
            "a shard needs a seed, the same for all shards: they split the examples of one run; "
            "--seed auto derives it from the id of the run");
    }
    if (!out->has_seed) {
        out->has_seed = true;
        return draw_seed(&out->seed, errors);
    }
    return true;
}

/* The names of the rules, or of the invariants. */
struct named {
    const struct run_session *session;
    const char *what; /* "rule" */
    size_t count;
    const char *(*name)(const struct machine *machine, size_t index);
};

static const char *rule_name(const struct machine *machine, size_t index)
{
    return machine->rules.items[index].name;
}

static const char *invariant_name(const struct machine *machine, size_t index)
{
    return machine->invariants.items[index].name;
}

static bool unmatched(const struct named *named, const char *pattern)
{
    const struct machine *machine = named->session->machine;
    struct strbuf list = {0};
    for (size_t i = 0; i < named->count; i++) {
        strbuf_addf(&list, "%s%s", i ? ", " : "", named->name(machine, i));
    }
    (void)errors_addf(named->session->errors, ERROR_USAGE,
                      "%s has no %s whose name matches '%s'; it has: %s", machine->name,
                      named->what, pattern, named->count ? strbuf_text(&list) : "none");
    strbuf_free(&list);
    return false;
}

/* By index, whether no pattern matches the name; NULL without patterns. */
static bool choose(const struct named *named, const char *const *patterns, size_t count,
                   const bool **out)
{
    const struct machine *machine = named->session->machine;
    if (count == 0) {
        return true;
    }
    bool *off = ARENA_ARRAY(&named->session->run->arena, bool, named->count);
    memset(off, true, named->count * sizeof *off);
    for (size_t i = 0; i < count; i++) {
        bool any = false;
        for (size_t j = 0; j < named->count; j++) {
            if (fnmatch(patterns[i], named->name(machine, j), 0) == 0) {
                off[j] = false;
                any = true;
            }
        }
        if (!any) {
            return unmatched(named, patterns[i]);
        }
    }
    *out = off;
    return true;
}

bool settings_choose(struct run_session *session)
{
    const struct machine *machine = session->machine;
    const struct pgfsm_run_options *options = &session->options;
    struct report_run *report = &session->run->report;
    return choose(&(struct named){session, "rule", machine->rules.count, rule_name}, options->rules,
                  options->rule_count, &report->rules_off) &&
           choose(&(struct named){session, "invariant", machine->invariants.count, invariant_name},
                  options->invariants, options->invariant_count, &report->invariants_off);
}

struct pg_backend_options settings_for_backend(const struct run_session *session)
{
    const struct pgfsm_run_options *options = &session->options;
    const struct machine *machine = session->machine;
    bool breaks = machine->breaks && (machine->crashes || session->settings.crash);
    return (struct pg_backend_options){
        .schema = options->schema,
        .schema_count = options->schema_count,
        .apply = options->apply,
        .apply_count = options->apply_count,
        .in_place = options->in_place,
        .commit = session->settings.transactions == TRANSACTIONS_COMMIT,
        .isolation = session->settings.isolation,
        .gates = session->settings.gates == GATES_ON && (session->settings.sessions > 1 || breaks),
        .keep = options->keep,
        .clock_us = session->machine->clock ? &session->machine->clock->start_us : NULL,
        .statement_timeout_ms = session->settings.statement_timeout_ms,
        .lanes = session->settings.sessions > 1 ? (size_t)session->settings.sessions : 0,
        .dies = session->dies,
        .coverage = options->measure,
    };
}
