#include "example/stats.h"

#include "base/names.h"

#include <string.h>

void stats_begin(struct run_stats *stats, const struct machine *machine, int64_t steps, bool timed,
                 struct arena *arena)
{
    enum { TENTHS = LENGTHS - 2 };
    *stats = (struct run_stats){0};
    stats->rules = ARENA_ARRAY(arena, struct rule_stats, machine->rules.count);
    stats->invariants = ARENA_ARRAY(arena, struct invariant_stats, machine->invariants.count);
    stats->bundles = ARENA_ARRAY(arena, struct bundle_stats, machine->bundles.count);
    stats->length_width = ((uint64_t)steps + TENTHS - 1) / TENTHS;
    for (size_t i = 0; timed && i < machine->rules.count; i++) {
        stats->rules[i].times = ARENA_NEW(arena, struct durations);
    }
    for (size_t i = 0; timed && i < machine->invariants.count; i++) {
        stats->invariants[i].times = ARENA_NEW(arena, struct durations);
    }
}

/* 1, 2 and 3 µs have separate buckets; above, each power of two has four. */
static size_t bucket_of(uint64_t time_us)
{
    unsigned power = 0;
    while (time_us >> (power + 1)) {
        power++;
    }
    size_t quarter = power >= 2 ? (time_us >> (power - 2)) & 3 : (time_us << (2 - power)) & 3;
    size_t bucket = (size_t)4 * power + quarter;
    return bucket < DURATION_BUCKETS ? bucket : DURATION_BUCKETS - 1;
}

void durations_add(struct durations *durations, uint64_t time_us)
{
    if (durations) {
        durations->count++;
        durations->total_us += time_us;
        durations->buckets[bucket_of(time_us)]++;
    }
}

/* The upper bound of a bucket; for those without quarters, their value. */
static uint64_t bucket_end(size_t bucket)
{
    uint64_t power = UINT64_C(1) << (bucket / 4);
    return power + (bucket % 4 + 1) * power / 4;
}

uint64_t durations_percentile(const struct durations *durations, unsigned percent)
{
    uint64_t seen = 0;
    for (size_t i = 0; i < DURATION_BUCKETS; i++) {
        seen += durations->buckets[i];
        if (seen * 100 >= durations->count * percent && seen) {
            return bucket_end(i);
        }
    }
    return 0;
}

static void merge_durations(struct durations *into, const struct durations *from)
{
    if (!into || !from || !from->count) {
        return;
    }
    into->count += from->count;
    into->total_us += from->total_us;
    for (size_t i = 0; i < DURATION_BUCKETS; i++) {
        into->buckets[i] += from->buckets[i];
    }
}

static void merge_bundle(struct bundle_stats *into, const struct bundle_stats *from)
{
    into->examples += from->examples;
    into->values += from->values;
    into->most = from->most > into->most ? from->most : into->most;
}

static void merge_length(struct run_stats *into, const struct run_stats *example)
{
    uint64_t tenth = example->steps ? 1 + (example->steps - 1) / into->length_width
                                    : 0; /* a width of at least one */
    into->lengths[tenth < LENGTHS ? tenth : LENGTHS - 1] += example->examples;
}

static void add_counts(struct filter_counts *into, const struct filter_counts *from)
{
    into->asked += from->asked;
    into->refused += from->refused;
}

void stats_commit(const struct stats_log *log)
{
    for (size_t i = 0; i < log->events.count; i++) {
        *log->events.items[i].counter += log->events.items[i].count;
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

uint64_t stats_succeeded(const struct rule_stats *rule)
{
    uint64_t succeeded = rule->ran;
    for (size_t i = 0; i < rule->raised.count; i++) {
        succeeded -= rule->raised.items[i].count;
    }
    return succeeded;
}

void stats_step(struct run_stats *stats, struct arena *arena, const struct rule *rule)
{
    stats->steps++;
    *VEC_PUSH(arena, &stats->sequence) = (uint32_t)rule->index;
}

void stats_pair(struct run_stats *stats, const struct machine *machine, struct arena *arena)
{
    size_t count = machine->rules.count;
    discovery_begin(&stats->discovery, arena);
    stats->pairs = count <= PAIRED_MAX ? ARENA_ARRAY(arena, uint64_t, count * count) : NULL;
}

void stats_tally(struct run_stats *stats, const struct machine *machine, struct arena *arena)
{
    for (size_t i = 0; i < machine->rules.count; i++) {
        stats->rules[i].args = ARENA_ARRAY(arena, struct tally, machine->rules.items[i].args.count);
    }
}

void stats_note(struct run_stats *stats, struct arena *arena, struct tally_note note)
{
    *VEC_PUSH(arena, &stats->notes) = note;
}

/* Counts notes in a run; an example keeps a copy of them. */
static void merge_notes(struct run_stats *into, const struct run_stats *example,
                        struct arena *arena)
{
    for (size_t i = 0; i < example->notes.count; i++) {
        const struct tally_note *note = &example->notes.items[i];
        struct tally *args = into->rules[note->rule].args;
        if (args) {
            tally_add(&args[note->arg], note, arena);
        } else {
            struct tally_note *copy = VEC_PUSH(arena, &into->notes);
            *copy = *note;
            copy->text = note->text ? arena_strdup(arena, note->text) : NULL;
        }
    }
}

/* An example's counts stay small, however many rules there are, because pairs are counted here. */
static void merge_pairs(struct run_stats *into, const struct run_stats *example, size_t rules,
                        struct arena *arena)
{
    const uint32_t *steps = example->sequence.items;
    if (!into->pairs) {
        into->sequence.items = arena_memdup(arena, steps, example->sequence.count * sizeof *steps);
        into->sequence.count = example->sequence.count;
        return;
    }
    for (size_t i = 1; i < example->sequence.count; i++) {
        uint64_t *pair = &into->pairs[steps[i - 1] * rules + steps[i]];
        into->paired += *pair == 0;
        (*pair)++;
    }
}

void stats_label(struct run_stats *stats, struct arena *arena, const char *label, uint64_t count)
{
    size_t index = name_index(label, ROWS_OF(stats->labels, label));
    index = index < LABELS_MAX ? index : LABELS_MAX - 1;
    if (index < stats->labels.count) {
        stats->labels.items[index].count += count;
        return;
    }
    bool last = index == LABELS_MAX - 1;
    *VEC_PUSH(arena, &stats->labels) =
        (struct label_count){last ? "…" : arena_strdup(arena, label), count};
}

/* Examples usually make the same tables, so each usually has the same place. */
static void merge_tables(struct table_list *into, const struct table_list *example,
                         struct arena *arena)
{
    for (size_t i = 0; i < example->count; i++) {
        const struct table_stats *table = &example->items[i];
        bool there = i < into->count && !strcmp(into->items[i].name, table->name);
        size_t at = there ? i : name_index(table->name, ROWS_OF(*into, name));
        if (at == into->count) {
            *VEC_PUSH(arena, into) = (struct table_stats){.name = arena_strdup(arena, table->name)};
        }
        into->items[at].filled += table->filled;
    }
}

static void merge_rule(struct rule_stats *into, const struct rule_stats *from, struct arena *arena)
{
    into->chosen += from->chosen;
    into->ran += from->ran;
    into->given_up += from->given_up;
    merge_durations(into->times, from->times);
    into->meant_to_fail += from->meant_to_fail;
    into->refused += from->refused;
    into->parted += from->parted;
    into->known += from->known;
    add_counts(&into->where, &from->where);
    add_counts(&into->filters, &from->filters);
    for (size_t i = 0; i < BLOCKED_COUNT; i++) {
        into->blocked[i] += from->blocked[i];
    }
    for (size_t i = 0; i < DEAD_END_REASONS; i++) {
        into->dead_ends[i] += from->dead_ends[i];
    }
    for (size_t i = 0; i < from->raised.count; i++) {
        stats_raised(into, arena, from->raised.items[i].sqlstate, from->raised.items[i].count);
    }
}

static void discover(struct run_stats *stats, const struct machine *machine)
{
    uint64_t seen[DISCOVERED_KINDS] = {
        [DISCOVERED_PAIRS] = stats->paired, [DISCOVERED_LABELS] = stats->labels.count};
    for (size_t i = 0; i < machine->rules.count; i++) {
        seen[DISCOVERED_RULES] += stats->rules[i].ran > 0;
        seen[DISCOVERED_ERRORS] += stats->rules[i].raised.count;
    }
    for (size_t i = 0; i < machine->bundles.count; i++) {
        seen[DISCOVERED_BUNDLES] += stats->bundles[i].values > 0;
    }
    for (size_t i = 0; i < stats->tables.count; i++) {
        seen[DISCOVERED_TABLES] += stats->tables.items[i].filled > 0;
    }
    discovery_add(&stats->discovery, stats->examples, seen);
}

void stats_merge(struct run_stats *stats, const struct machine *machine,
                 const struct run_stats *example, struct arena *arena)
{
    stats->examples += example->examples;
    stats->steps += example->steps;
    stats->statements += example->statements;
    stats->given_up += example->given_up;
    stats->dead_ends += example->dead_ends;
    stats->parted += example->parted;
    stats->migrated += example->migrated;
    stats->migrated_on_rows += example->migrated_on_rows;
    stats->sessions.examples += example->sessions.examples;
    stats->sessions.sessions += example->sessions.sessions;
    stats->sessions.runs += example->sessions.runs;
    stats->sessions.single += example->sessions.single;
    stats->sessions.points += example->sessions.points;
    stats->sessions.unclear += example->sessions.unclear;
    stats->sessions.undone += example->sessions.undone;
    for (size_t i = 0; i < DEATHS; i++) {
        stats->deaths[i] += example->deaths[i];
    }
    stats->repeated += example->repeated;
    stats->unrepeatable += example->unrepeatable;
    for (size_t i = 0; i < example->labels.count; i++) {
        stats_label(stats, arena, example->labels.items[i].label, example->labels.items[i].count);
    }
    for (size_t i = 0; i < machine->rules.count; i++) {
        merge_rule(&stats->rules[i], &example->rules[i], arena);
    }
    for (size_t i = 0; i < machine->invariants.count; i++) {
        stats->invariants[i].checked += example->invariants[i].checked;
        stats->invariants[i].skipped += example->invariants[i].skipped;
        stats->invariants[i].known += example->invariants[i].known;
        merge_durations(stats->invariants[i].times, example->invariants[i].times);
    }
    for (size_t i = 0; i < machine->bundles.count; i++) {
        merge_bundle(&stats->bundles[i], &example->bundles[i]);
    }
    merge_tables(&stats->tables, &example->tables, arena);
    merge_tables(&stats->relations, &example->relations, arena);
    merge_length(stats, example);
    merge_pairs(stats, example, machine->rules.count, arena);
    merge_notes(stats, example, arena);
    for (size_t i = 0; i < WAY_COUNT; i++) {
        stats->ways[i] += example->ways[i];
    }
    if (stats->discovery.points.items) {
        discover(stats, machine);
    }
}
