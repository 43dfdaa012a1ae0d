#include "example/counts.h"

#include "base/hash.h"
#include "base/names.h"
#include "value/json/json.h"
#include "value/number/numeric.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct counter {
    const char *key;
    size_t offset; /* of a uint64_t */
};
#define OF_RUN(key, member)                                                                        \
    {                                                                                              \
        key, offsetof(struct run_stats, member)                                                    \
    }
#define OF_RULE(key, member)                                                                       \
    {                                                                                              \
        key, offsetof(struct rule_stats, member)                                                   \
    }

static const struct counter of_run[] = {
    OF_RUN("examples", examples),
    OF_RUN("steps", steps),
    OF_RUN("statements", statements),
    OF_RUN("given_up", given_up),
    OF_RUN("dead_ends", dead_ends),
    OF_RUN("parted", parted),
    OF_RUN("migrated", migrated),
    OF_RUN("migrated_on_rows", migrated_on_rows),
    OF_RUN("session_examples", sessions.examples),
    OF_RUN("sessions", sessions.sessions),
    OF_RUN("schedules", sessions.runs),
    OF_RUN("schedules_of_one_switch", sessions.single),
    OF_RUN("points", sessions.points),
    OF_RUN("unclear", sessions.unclear),
    OF_RUN("lost", sessions.undone),
    OF_RUN("deaths_before_commit", deaths[DEATH_BEFORE]),
    OF_RUN("deaths_after_commit", deaths[DEATH_AFTER]),
    OF_RUN("deaths_within", deaths[DEATH_WITHIN]),
    OF_RUN("repeated", repeated),
    OF_RUN("not_repeated", unrepeatable),
};
static const struct counter of_rule[] = {
    OF_RULE("chosen", chosen),
    OF_RULE("ran", ran),
    OF_RULE("given_up", given_up),
    OF_RULE("meant_to_fail", meant_to_fail),
    OF_RULE("refused", refused),
    OF_RULE("parted", parted),
    OF_RULE("known", known),
    OF_RULE("where_asked", where.asked),
    OF_RULE("where_refused", where.refused),
    OF_RULE("filters_asked", filters.asked),
    OF_RULE("filters_refused", filters.refused),
    OF_RULE("blocked_precondition", blocked[BLOCKED_PRECONDITION]),
    OF_RULE("blocked_bundle", blocked[BLOCKED_BUNDLE]),
    OF_RULE("blocked_no_value", blocked[BLOCKED_EMPTY]),
    OF_RULE("blocked_limit", blocked[BLOCKED_LIMIT]),
    OF_RULE("blocked_weight", blocked[BLOCKED_WEIGHT]),
    OF_RULE("blocked_time", blocked[BLOCKED_TIME]),
    OF_RULE("dead_end_precondition", dead_ends[BLOCKED_PRECONDITION]),
    OF_RULE("dead_end_bundle", dead_ends[BLOCKED_BUNDLE]),
    OF_RULE("dead_end_no_value", dead_ends[BLOCKED_EMPTY]),
    OF_RULE("dead_end_limit", dead_ends[BLOCKED_LIMIT]),
    OF_RULE("dead_end_weight", dead_ends[BLOCKED_WEIGHT]),
    OF_RULE("dead_end_time", dead_ends[BLOCKED_TIME]),
    OF_RULE("dead_end_given_up", dead_ends[DEAD_END_GIVEN_UP]),
};
static const struct counter of_invariant[] = {
    {"checked", offsetof(struct invariant_stats, checked)},
    {"skipped", offsetof(struct invariant_stats, skipped)},
    {"known", offsetof(struct invariant_stats, known)},
};
static const struct counter of_bundle[] = {
    {"examples", offsetof(struct bundle_stats, examples)},
    {"values", offsetof(struct bundle_stats, values)},
    {"most", offsetof(struct bundle_stats, most)},
};
#define COUNTERS(table) (table), sizeof(table) / sizeof *(table)

static void write_counters(struct json *json, const void *stats, const struct counter *counters,
                           size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t value;
        memcpy(&value, (const char *)stats + counters[i].offset, sizeof value);
        if (value) {
            json_count(json, counters[i].key, value);
        }
    }
}

static bool any(const void *stats, const struct counter *counters, size_t count)
{
    uint64_t value = 0;
    for (size_t i = 0; i < count && !value; i++) {
        memcpy(&value, (const char *)stats + counters[i].offset, sizeof value);
    }
    return value > 0;
}

static void write_rules(struct json *json, const struct run_stats *example,
                        const struct machine *machine)
{
    json_open(json, "rules", '{');
    for (size_t i = 0; i < machine->rules.count; i++) {
        const struct rule_stats *stats = &example->rules[i];
        if (!any(stats, COUNTERS(of_rule)) && !stats->raised.count) {
            continue;
        }
        json_open(json, machine->rules.items[i].name, '{');
        write_counters(json, stats, COUNTERS(of_rule));
        if (stats->raised.count) {
            json_open(json, "raised", '{');
            for (size_t k = 0; k < stats->raised.count; k++) {
                json_count(json, stats->raised.items[k].sqlstate, stats->raised.items[k].count);
            }
            json_close(json, '}');
        }
        json_close(json, '}');
    }
    json_close(json, '}');
}

static void write_invariants(struct json *json, const struct run_stats *example,
                             const struct machine *machine)
{
    json_open(json, "invariants", '{');
    for (size_t i = 0; i < machine->invariants.count; i++) {
        if (any(&example->invariants[i], COUNTERS(of_invariant))) {
            json_open(json, machine->invariants.items[i].name, '{');
            write_counters(json, &example->invariants[i], COUNTERS(of_invariant));
            json_close(json, '}');
        }
    }
    json_close(json, '}');
}

static void write_bundles(struct json *json, const struct run_stats *example,
                          const struct machine *machine)
{
    json_open(json, "bundles", '{');
    for (size_t i = 0; i < machine->bundles.count; i++) {
        if (any(&example->bundles[i], COUNTERS(of_bundle))) {
            json_open(json, machine->bundles.items[i].name, '{');
            write_counters(json, &example->bundles[i], COUNTERS(of_bundle));
            json_close(json, '}');
        }
    }
    json_close(json, '}');
}

static void write_tables(struct json *json, const char *key, const struct table_list *tables)
{
    if (tables->count) {
        json_open(json, key, '{');
        for (size_t i = 0; i < tables->count; i++) {
            json_count(json, tables->items[i].name, tables->items[i].filled);
        }
        json_close(json, '}');
    }
}

static void write_labels(struct json *json, const struct run_stats *example)
{
    if (example->labels.count) {
        json_open(json, "labels", '{');
        for (size_t i = 0; i < example->labels.count; i++) {
            json_count(json, example->labels.items[i].label, example->labels.items[i].count);
        }
        json_close(json, '}');
    }
}

static void write_ways(struct json *json, const struct run_stats *example)
{
    json_open(json, "ways", '{');
    for (size_t i = 0; i < WAY_COUNT; i++) {
        if (example->ways[i]) {
            json_count(json, example_ways[i].name, example->ways[i]);
        }
    }
    json_close(json, '}');
}

static void write_sequence(struct json *json, const struct run_stats *example)
{
    json_open(json, "sequence", '[');
    for (size_t i = 0; i < example->sequence.count; i++) {
        json_count(json, NULL, example->sequence.items[i]);
    }
    json_close(json, ']');
}

/* [rule, argument, kind, number, text] */
static void write_notes(struct json *json, const struct run_stats *example)
{
    if (!example->notes.count) {
        return;
    }
    json_open(json, "arguments", '[');
    for (size_t i = 0; i < example->notes.count; i++) {
        const struct tally_note *note = &example->notes.items[i];
        struct strbuf number = {0};
        struct error unused = {0}; /* the number is finite */
        (void)json_encode(value_float(note->number), &number, &unused);
        json_open(json, NULL, '[');
        json_count(json, NULL, note->rule);
        json_count(json, NULL, note->arg);
        json_count(json, NULL, note->kind);
        json_raw(json, NULL, strbuf_text(&number));
        strbuf_free(&number);
        json_optional(json, NULL, note->text);
        json_close(json, ']');
    }
    json_close(json, ']');
}

void counts_write(struct json *json, const struct run_stats *example, const struct machine *machine)
{
    write_counters(json, example, COUNTERS(of_run));
    write_rules(json, example, machine);
    write_invariants(json, example, machine);
    write_bundles(json, example, machine);
    write_labels(json, example);
    write_tables(json, "tables", &example->tables);
    write_tables(json, "relations", &example->relations);
    write_ways(json, example);
    write_sequence(json, example);
    write_notes(json, example);
}

/* Reading. */

struct reader {
    const struct machine *machine;
    struct arena *arena;
    struct run_stats *out;
    struct error *err;
};

static bool refuse(const struct reader *reader, const char *what)
{
    return error_set(reader->err, ERROR_MACHINE, "%s is not what a shard of this machine reports",
                     what);
}

/* The next member of a dict; false behind the last one. */
static bool next_member(struct value dict, size_t *at, const char **key, struct value *value)
{
    const struct table_entry *entry = table_next(dict.as.table, at);
    if (entry) {
        *key = entry->key.as.string->data;
        *value = entry->value;
    }
    return entry != NULL;
}

static bool read_count(const struct reader *reader, const char *key, struct value value,
                       uint64_t *out)
{
    *out = 0;
    if (value.type != VALUE_INT || value.flags & VALUE_BIG || value.as.integer < 0) {
        return refuse(reader, key);
    }
    *out = (uint64_t)value.as.integer;
    return true;
}

/* Reads the member if it is one of the counters; `*found`: it is. */
static bool read_counter(const struct reader *reader, void *stats, const struct counter *counters,
                         size_t count, const char *key, struct value value, bool *found)
{
    size_t index =
        name_index(key, counters, count, sizeof *counters, offsetof(struct counter, key));
    uint64_t number;
    *found = index < count;
    if (!*found) {
        return true;
    }
    if (!read_count(reader, key, value, &number)) {
        return false;
    }
    memcpy((char *)stats + counters[index].offset, &number, sizeof number);
    return true;
}

static bool read_counters(const struct reader *reader, struct value dict, void *stats,
                          const struct counter *counters, size_t count)
{
    const char *key;
    struct value value;
    bool found;
    for (size_t at = 0; next_member(dict, &at, &key, &value);) {
        if (!read_counter(reader, stats, counters, count, key, value, &found)) {
            return false;
        }
    }
    return true;
}

static bool read_raised(const struct reader *reader, struct value dict, struct rule_stats *stats)
{
    const char *key;
    struct value value;
    uint64_t count;
    for (size_t at = 0; dict.type == VALUE_DICT && next_member(dict, &at, &key, &value);) {
        char sqlstate[6];
        if (strlen(key) >= sizeof sqlstate || !read_count(reader, key, value, &count)) {
            return refuse(reader, "raised");
        }
        (void)snprintf(sqlstate, sizeof sqlstate, "%s", key);
        stats_raised(stats, reader->arena, sqlstate, count);
    }
    return dict.type == VALUE_DICT || refuse(reader, "raised");
}

static bool read_rule(const struct reader *reader, size_t index, struct value dict)
{
    struct rule_stats *stats = &reader->out->rules[index];
    const char *key;
    struct value value;
    for (size_t at = 0; next_member(dict, &at, &key, &value);) {
        bool found;
        if (!read_counter(reader, stats, COUNTERS(of_rule), key, value, &found) ||
            (!found && strcmp(key, "raised") == 0 && !read_raised(reader, value, stats))) {
            return false;
        }
    }
    return true;
}

static bool read_invariant(const struct reader *reader, size_t index, struct value dict)
{
    return read_counters(reader, dict, &reader->out->invariants[index], COUNTERS(of_invariant));
}

static bool read_bundle(const struct reader *reader, size_t index, struct value dict)
{
    return read_counters(reader, dict, &reader->out->bundles[index], COUNTERS(of_bundle));
}

static size_t find_rule(const struct machine *machine, const char *name)
{
    size_t index = name_index(name, ROWS_OF(machine->rules, name));
    return index < machine->rules.count ? index : SIZE_MAX;
}

static size_t find_invariant(const struct machine *machine, const char *name)
{
    size_t index = name_index(name, ROWS_OF(machine->invariants, name));
    return index < machine->invariants.count ? index : SIZE_MAX;
}

static size_t find_bundle(const struct machine *machine, const char *name)
{
    size_t index = name_index(name, ROWS_OF(machine->bundles, name));
    return index < machine->bundles.count ? index : SIZE_MAX;
}

/* A dict with a dict for each item of the machine that has one, by its name. */
static bool read_items(const struct reader *reader, struct value dict,
                       size_t (*find)(const struct machine *machine, const char *name),
                       bool (*read)(const struct reader *reader, size_t index, struct value dict))
{
    const char *key;
    struct value value;
    for (size_t at = 0; next_member(dict, &at, &key, &value);) {
        size_t index = find(reader->machine, key);
        if (index == SIZE_MAX || value.type != VALUE_DICT) {
            return refuse(reader, key);
        }
        if (!read(reader, index, value)) {
            return false;
        }
    }
    return true;
}

static bool read_rules(const struct reader *reader, struct value dict)
{
    return read_items(reader, dict, find_rule, read_rule);
}

static bool read_invariants(const struct reader *reader, struct value dict)
{
    return read_items(reader, dict, find_invariant, read_invariant);
}

static bool read_bundles(const struct reader *reader, struct value dict)
{
    return read_items(reader, dict, find_bundle, read_bundle);
}

static bool read_labels(const struct reader *reader, struct value dict)
{
    const char *key;
    struct value value;
    uint64_t count;
    for (size_t at = 0; next_member(dict, &at, &key, &value);) {
        if (!read_count(reader, key, value, &count)) {
            return false;
        }
        stats_label(reader->out, reader->arena, key, count);
    }
    return true;
}

static bool read_table_list(const struct reader *reader, struct value dict, struct table_list *out)
{
    const char *key;
    struct value value;
    uint64_t filled;
    for (size_t at = 0; next_member(dict, &at, &key, &value);) {
        if (!read_count(reader, key, value, &filled)) {
            return false;
        }
        *VEC_PUSH(reader->arena, out) = (struct table_stats){key, filled};
    }
    return true;
}

static bool read_tables(const struct reader *reader, struct value dict)
{
    return read_table_list(reader, dict, &reader->out->tables);
}

static bool read_relations(const struct reader *reader, struct value dict)
{
    return read_table_list(reader, dict, &reader->out->relations);
}

static bool read_ways(const struct reader *reader, struct value dict)
{
    const char *key;
    struct value value;
    for (size_t at = 0; next_member(dict, &at, &key, &value);) {
        const struct way *way = way_named(key);
        if (!way) {
            return refuse(reader, key);
        }
        if (!read_count(reader, key, value, &reader->out->ways[way - example_ways])) {
            return false;
        }
    }
    return true;
}

static bool read_sequence(const struct reader *reader, const struct list *list)
{
    uint64_t rule;
    for (size_t i = 0; i < list->count; i++) {
        if (!read_count(reader, "sequence", list->items[i], &rule) ||
            rule >= reader->machine->rules.count) {
            return refuse(reader, "sequence");
        }
        *VEC_PUSH(reader->arena, &reader->out->sequence) = (uint32_t)rule;
    }
    return true;
}

static bool read_note(const struct reader *reader, struct value value, struct tally_note *out)
{
    uint64_t rule;
    uint64_t arg;
    uint64_t kind;
    const struct list *list = value.as.list;
    if (value.type != VALUE_LIST || list->count < 4 || list->count > 5 ||
        !read_count(reader, "rule", list->items[0], &rule) ||
        !read_count(reader, "arg", list->items[1], &arg) ||
        !read_count(reader, "kind", list->items[2], &kind) || !value_is_number(list->items[3]) ||
        rule >= reader->machine->rules.count ||
        arg >= reader->machine->rules.items[rule].args.count || kind >= TALLY_KINDS) {
        return false;
    }
    *out = (struct tally_note){.rule = (uint32_t)rule,
                               .arg = (uint32_t)arg,
                               .kind = (enum tally_kind)kind,
                               .number = number_to_double(list->items[3])};
    if (list->count == 5) {
        if (list->items[4].type != VALUE_STRING) {
            return false;
        }
        out->text = list->items[4].as.string->data;
        out->hash = hash_text(out->text);
    }
    return isfinite(out->number);
}

static bool read_notes(const struct reader *reader, const struct list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        struct tally_note note;
        if (!read_note(reader, list->items[i], &note)) {
            return refuse(reader, "arguments");
        }
        stats_note(reader->out, reader->arena, note);
    }
    return true;
}

static bool read_member(const struct reader *reader, const char *key, struct value value)
{
    static const struct {
        const char *key;
        bool (*dict)(const struct reader *reader, struct value dict);
        bool (*list)(const struct reader *reader, const struct list *list);
    } parts[] = {
        {.key = "rules", .dict = read_rules},     {.key = "invariants", .dict = read_invariants},
        {.key = "bundles", .dict = read_bundles}, {.key = "labels", .dict = read_labels},
        {.key = "tables", .dict = read_tables},   {.key = "relations", .dict = read_relations},
        {.key = "ways", .dict = read_ways},       {.key = "sequence", .list = read_sequence},
        {.key = "arguments", .list = read_notes},
    };
    size_t index = name_index(key, ROWS_IN(parts, key));
    bool found;
    if (index == sizeof parts / sizeof *parts) {
        return read_counter(reader, reader->out, COUNTERS(of_run), key, value, &found);
    }
    if (value.type != (parts[index].dict ? VALUE_DICT : VALUE_LIST)) {
        return refuse(reader, key);
    }
    return parts[index].dict ? parts[index].dict(reader, value)
                             : parts[index].list(reader, value.as.list);
}

bool counts_read(struct value members, const struct machine *machine, struct arena *arena,
                 struct run_stats *out, struct error *err)
{
    const struct reader reader = {machine, arena, out, err};
    const char *key;
    struct value value;
    if (members.type != VALUE_DICT) {
        return refuse(&reader, "an example");
    }
    stats_begin(out, machine, 1, false, arena);
    for (size_t at = 0; next_member(members, &at, &key, &value);) {
        if (!read_member(&reader, key, value)) {
            return false;
        }
    }
    return out->examples == 1 || refuse(&reader, "examples");
}
