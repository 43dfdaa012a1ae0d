#include "report/compared.h"

#include "base/names.h"
#include "report/report.h"

#include <inttypes.h>
#include <string.h>

struct compared_names compared_rules(const struct report_run *run, enum compared_rules which,
                                     struct arena *arena)
{
    struct compared_names out = {0};
    for (size_t i = 0; i < run->machine->rules.count; i++) {
        const struct rule *rule = &run->machine->rules.items[i];
        const struct rule_stats *stats = &run->result->stats.rules[i];
        enum compared_rules is = !stats->ran                              ? COMPARED_NEVER
                                 : stats_succeeded(stats) > stats->parted ? COMPARED_SUCCEEDED
                                                                          : COMPARED_RAISED;
        if (is == which && !rule->files) {
            *VEC_PUSH(arena, &out.items) = rule->name;
        }
    }
    return out;
}

struct compared_names compared_parted(const struct report_run *run, struct arena *arena)
{
    struct compared_names out = {0};
    for (size_t i = 0; i < run->machine->rules.count; i++) {
        uint64_t count = run->result->stats.rules[i].parted;
        if (count) {
            *VEC_PUSH(arena, &out.items) =
                arena_printf(arena, "%s (%" PRIu64 ")", run->machine->rules.items[i].name, count);
        }
    }
    return out;
}

/* "ann"; of a context that has no name, its role; NULL: the connecting user. */
static const char *reader_of(const struct machine_statement *statement)
{
    const struct context *context = statement->context;
    return !context                                   ? NULL
           : context->name && context->name[0] != '{' ? context->name
                                                      : context->role;
}

static bool has(const struct compared_names *names, const char *name)
{
    bool found = false;
    for (size_t i = 0; i < names->items.count && !found; i++) {
        found = strcmp(names->items.items[i], name) == 0;
    }
    return found;
}

static void add_readers(const struct statement_list *statements, struct compared_names *out,
                        struct arena *arena)
{
    for (size_t i = 0; i < statements->count; i++) {
        const char *name = reader_of(&statements->items[i]);
        if (name && !has(out, name)) {
            *VEC_PUSH(arena, &out->items) = name;
        }
    }
}

struct compared_names compared_readers(const struct report_run *run, enum compared_reached reached,
                                       struct arena *arena)
{
    struct compared_names sides[2] = {{{0}}, {{0}}};
    struct compared_names missed = {{0}};
    for (size_t i = 0; i < run->machine->rules.count; i++) {
        bool ran = run->result->stats.rules[i].ran > 0;
        add_readers(&run->machine->rules.items[i].statements,
                    &sides[ran ? COMPARED_REACHED : COMPARED_MISSED], arena);
    }
    for (size_t i = 0; i < sides[COMPARED_MISSED].items.count; i++) {
        const char *name = sides[COMPARED_MISSED].items.items[i];
        if (!has(&sides[COMPARED_REACHED], name)) {
            *VEC_PUSH(arena, &missed.items) = name;
        }
    }
    return reached == COMPARED_REACHED ? sides[COMPARED_REACHED] : missed;
}

struct compared_unfilled_list compared_unfilled(const struct report_run *run, struct arena *arena)
{
    struct compared_unfilled_list out = {{0}};
    const struct table_list *relations = &run->result->stats.relations;
    for (unsigned why = UNFILLED_CHANGED; why <= UNFILLED_OTHER; why++) {
        for (size_t i = 0; i < relations->count; i++) {
            const char *name = relations->items[i].name;
            unsigned is = has(&run->compared->changed_tables, name) ? UNFILLED_CHANGED
                          : has(&run->compared->central, name)      ? UNFILLED_CENTRAL
                                                                    : UNFILLED_OTHER;
            if (is == why && relations->items[i].filled == 0 && strncmp(name, "table ", 6) == 0) {
                *VEC_PUSH(arena, &out.items) =
                    (struct compared_unfilled){name, (enum unfilled_why)why};
            }
        }
    }
    return out;
}

const char *compared_loosely_text(const struct compared_loosely *loosely, struct arena *arena)
{
    static const struct {
        const char *column;
        const char *words;
    } parts[] = {{"(error)", "the errors of"},
                 {"(rows)", "the rows of"},
                 {"(all)", "some answers of"},
                 {"(count)", "the number of rows changed by"}};
    const char *place = loosely->place;
    if (!loosely->column) {
        return arena_printf(arena, "the order of the rows of %s", place);
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (strcmp(loosely->column, parts[i].column) == 0) {
            return arena_printf(arena, "%s %s", parts[i].words, place);
        }
    }
    return arena_printf(arena, "column %s of %s", loosely->column, place);
}

bool compared_is_stale(const struct report_run *run, const struct compared_accepted *accepted)
{
    return !accepted->seen && run->result->whole;
}

/* JSON. */

static void add_names(struct json *json, const char *name, const struct compared_names *names)
{
    json_open(json, name, '[');
    for (size_t i = 0; i < names->items.count; i++) {
        json_text(json, NULL, names->items.items[i]);
    }
    json_close(json, ']');
}

static void add_loosely(struct json *json, const struct report_compared *compared)
{
    json_open(json, "by_nature", '[');
    for (size_t i = 0; i < compared->loosely.count; i++) {
        const struct compared_loosely *loosely = &compared->loosely.items[i];
        json_open(json, NULL, '{');
        json_text(json, "place", loosely->place);
        json_optional(json, "column", loosely->column);
        json_text(json, "compared", loosely->paired ? "pairs" : "no");
        json_close(json, '}');
    }
    json_close(json, ']');
    json_flag(json, "by_nature_full", compared->loosely_full);
    json_open(json, "renamed", '[');
    for (size_t i = 0; i < compared->renamed.count; i++) {
        const struct compared_rename *rename = &compared->renamed.items[i];
        json_open(json, NULL, '{');
        json_text(json, "table", rename->table);
        json_text(json, "before", rename->before);
        json_text(json, "after", rename->after);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void add_accepted(struct json *json, const struct report_run *run)
{
    json_open(json, "accepted", '[');
    for (size_t i = 0; i < run->compared->accepted.count; i++) {
        const struct compared_accepted *accepted = &run->compared->accepted.items[i];
        json_open(json, NULL, '{');
        json_text(json, "on", accepted->difference->on);
        json_optional(json, "kind", accepted->difference->kind);
        json_text(json, "reason", accepted->difference->reason);
        json_flag(json, "seen", accepted->seen);
        json_flag(json, "stale", compared_is_stale(run, accepted));
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void add_changed(struct json *json, const struct report_run *run, struct arena *arena)
{
    static const char *const reasons[] = {
        [UNFILLED_CHANGED] = "changed", [UNFILLED_CENTRAL] = "central", [UNFILLED_OTHER] = "other"};
    const struct report_compared *compared = run->compared;
    const struct compared_unfilled_list unfilled = compared_unfilled(run, arena);
    json_open(json, "changed", '[');
    for (size_t i = 0; i < compared->changed.count; i++) {
        const struct compared_change *change = &compared->changed.items[i];
        json_open(json, NULL, '{');
        json_text(json, "object", change->object);
        json_optional(json, "only", change->only);
        add_names(json, "parts", &change->parts);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_open(json, "never_filled", '[');
    for (size_t i = 0; i < unfilled.items.count; i++) {
        json_open(json, NULL, '{');
        json_text(json, "table", unfilled.items.items[i].table);
        json_text(json, "why", reasons[unfilled.items.items[i].why]);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_count(json, "migrated", run->result->stats.migrated);
    json_count(json, "migrated_on_rows", run->result->stats.migrated_on_rows);
}

/* What of the policies the run applied, where that was measured. */
static void add_policies(struct json *json, const struct backend_coverage *coverage)
{
    if (!coverage) {
        return;
    }
    json_open(json, "policies", '[');
    for (size_t i = 0; i < coverage->objects.count; i++) {
        const struct backend_object *object = &coverage->objects.items[i];
        if (object->kind == OBJECT_POLICY) {
            json_open(json, NULL, '{');
            json_text(json, "name", object->name);
            json_flag(json, "applied", object->touched);
            json_close(json, '}');
        }
    }
    json_close(json, ']');
}

void compared_json(struct json *json, const char *name, const struct report_run *run)
{
    static const char *const rules[COMPARED_RULES] = {
        [COMPARED_SUCCEEDED] = "succeeded",
        [COMPARED_RAISED] = "raised_only",
        [COMPARED_NEVER] = "never_ran",
    };
    const struct report_compared *compared = run->compared;
    struct arena arena = {0};
    json_open(json, name, '{');
    for (size_t i = 0; i < COMPARED_RULES; i++) {
        const struct compared_names names = compared_rules(run, (enum compared_rules)i, &arena);
        add_names(json, rules[i], &names);
    }
    const struct compared_names readers = compared_readers(run, COMPARED_REACHED, &arena);
    const struct compared_names missed = compared_readers(run, COMPARED_MISSED, &arena);
    add_names(json, "readers", &readers);
    add_names(json, "readers_missed", &missed);
    add_names(json, "relations", &compared->relations);
    add_names(json, "only_before", &compared->only_before);
    add_names(json, "only_after", &compared->only_after);
    add_changed(json, run, &arena);
    add_loosely(json, compared);
    add_accepted(json, run);
    json_flag(json, "messages", compared->messages);
    json_count(json, "ended_early", run->result->stats.parted);
    const struct compared_names parted = compared_parted(run, &arena);
    add_names(json, "ended_by", &parted);
    json_count(json, "unrepeated", run->result->stats.unrepeated);
    add_policies(json, run->coverage);
    json_close(json, '}');
    arena_free(&arena);
}
