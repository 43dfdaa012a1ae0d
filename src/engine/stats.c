#include "engine/stats.h"

#include <string.h>

void stats_begin(struct run_stats *stats, const struct machine *machine, struct arena *arena)
{
    *stats = (struct run_stats){0};
    stats->rules = ARENA_ARRAY(arena, struct rule_stats, machine->rules.count);
    stats->invariants = ARENA_ARRAY(arena, struct invariant_stats, machine->invariants.count);
}

static void add_counts(struct filter_counts *into, const struct filter_counts *from)
{
    into->asked += from->asked;
    into->refused += from->refused;
}

void stats_commit(struct run_stats *stats, const struct stats_log *log)
{
    for (size_t i = 0; i < log->events.count; i++) {
        const struct stats_event *event = &log->events.items[i];
        switch (event->kind) {
        case STATS_CHOSEN:
            stats->rules[event->index].chosen++;
            break;
        case STATS_GIVEN_UP:
            stats->rules[event->index].given_up++;
            stats->given_up++;
            break;
        case STATS_BLOCKED:
            stats->rules[event->index].blocked[event->why]++;
            break;
        case STATS_SKIPPED:
            stats->invariants[event->index].skipped++;
            break;
        case STATS_WHERE:
            add_counts(&stats->rules[event->index].where, &event->counts);
            break;
        case STATS_FILTERS:
            add_counts(&stats->rules[event->index].filters, &event->counts);
            break;
        }
    }
}

void stats_raised(struct rule_stats *rule, struct arena *arena, const char *sqlstate,
                  uint64_t count)
{
    for (size_t i = 0; i < rule->raised.count; i++) {
        if (strcmp(rule->raised.items[i].sqlstate, sqlstate) == 0) {
            rule->raised.items[i].count += count;
            return;
        }
    }
    struct raised_count *raised = VEC_PUSH(arena, &rule->raised);
    memcpy(raised->sqlstate, sqlstate, sizeof raised->sqlstate);
    raised->count = count;
}

void stats_label(struct run_stats *stats, struct arena *arena, const char *label, uint64_t count)
{
    for (size_t i = 0; i < stats->labels.count; i++) {
        if (strcmp(stats->labels.items[i].label, label) == 0) {
            stats->labels.items[i].count += count;
            return;
        }
    }
    if (stats->labels.count == LABELS_MAX) {
        stats->labels.items[LABELS_MAX - 1].count += count;
        return;
    }
    bool last = stats->labels.count == LABELS_MAX - 1;
    *VEC_PUSH(arena, &stats->labels) =
        (struct label_count){last ? "…" : arena_strdup(arena, label), count};
}

static void merge_rule(struct rule_stats *into, const struct rule_stats *from, struct arena *arena)
{
    into->chosen += from->chosen;
    into->ran += from->ran;
    into->given_up += from->given_up;
    into->time_us += from->time_us;
    into->meant_to_fail += from->meant_to_fail;
    add_counts(&into->where, &from->where);
    add_counts(&into->filters, &from->filters);
    for (size_t i = 0; i < BLOCKED_COUNT; i++) {
        into->blocked[i] += from->blocked[i];
    }
    for (size_t i = 0; i < from->raised.count; i++) {
        stats_raised(into, arena, from->raised.items[i].sqlstate, from->raised.items[i].count);
    }
}

void stats_merge(struct run_stats *stats, const struct machine *machine,
                 const struct run_stats *example, struct arena *arena)
{
    stats->examples += example->examples;
    stats->steps += example->steps;
    stats->statements += example->statements;
    stats->given_up += example->given_up;
    stats->dead_ends += example->dead_ends;
    for (size_t i = 0; i < example->labels.count; i++) {
        stats_label(stats, arena, example->labels.items[i].label, example->labels.items[i].count);
    }
    for (size_t i = 0; i < machine->rules.count; i++) {
        merge_rule(&stats->rules[i], &example->rules[i], arena);
    }
    for (size_t i = 0; i < machine->invariants.count; i++) {
        stats->invariants[i].checked += example->invariants[i].checked;
        stats->invariants[i].skipped += example->invariants[i].skipped;
        stats->invariants[i].time_us += example->invariants[i].time_us;
    }
}
