/* What a run over two databases compared, and what it did not. */
#include "report/compared.h"
#include "report/text/reasons.h"
#include "report/text/text.h"

#include <inttypes.h>
#include <string.h>

enum {
    NAMED_MAX = 12, /* of a list, if not all is to be shown */
    PAIRS_MAX = 3,  /* of columns, of which a schema may have many */
};

/* "a, b and 3 more", without more than `named` of them. */
static const char *list(struct text *text, const struct compared_names *names, size_t named)
{
    struct arena *arena = &text->scratch;
    size_t count = names->items.count;
    bool all = text->options->whole || text->options->stats || count <= named + 1;
    size_t most = all ? count : named;
    const char *out = "";
    for (size_t i = 0; i < most; i++) {
        out = arena_printf(arena, "%s%s%s", out, i ? ", " : "",
                           show_name(arena, names->items.items[i]));
    }
    return most < count ? arena_printf(arena, "%s and %zu more", out, count - most) : out;
}

static void write_list(struct text *text, const char *title, const struct compared_names *names)
{
    if (names->items.count) {
        text_note(text, title, "%s", list(text, names, NAMED_MAX));
    }
}

static size_t count_kind(const struct compared_names *relations, const char *kind)
{
    size_t count = 0;
    for (size_t i = 0; i < relations->items.count; i++) {
        count += strncmp(relations->items.items[i], kind, strlen(kind)) == 0;
    }
    return count;
}

/* "6 tables, 2 views" */
static const char *relations_text(struct text *text, const struct compared_names *relations)
{
    static const char *const kinds[] = {"table", "view", "materialized view"};
    struct arena *arena = &text->scratch;
    const char *out = "";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t count = count_kind(relations, arena_printf(arena, "%s ", kinds[i]));
        if (count) {
            out = arena_printf(arena, "%s, %s", out, show_counted(arena, count, kinds[i]));
        }
    }
    return out;
}

static void write_compared(struct text *text)
{
    struct arena *arena = &text->scratch;
    const struct compared_names rules = compared_rules(text->run, COMPARED_SUCCEEDED, arena);
    const struct compared_names names = compared_readers(text->run, COMPARED_REACHED, arena);
    struct compared_names readers = {0};
    for (size_t i = 0; i < names.items.count; i++) { /* one may be called "user" */
        *VEC_PUSH(arena, &readers.items) = arena_printf(arena, "\"%s\"", names.items.items[i]);
    }
    const char *as =
        readers.items.count ? arena_printf(arena, " and %s", list(text, &readers, NAMED_MAX)) : "";
    text_note(text, "compared", "%s with success%s, as the connecting user%s%s",
              show_counted(arena, rules.items.count, "rule"),
              relations_text(text, &text->run->compared->relations), as,
              text->run->compared->messages ? "; messages of errors, too" : "");
}

/* "table public.orders (column, trigger), function public.f() (only after)" */
static void write_changed(struct text *text)
{
    const struct report_compared *compared = text->run->compared;
    struct arena *arena = &text->scratch;
    struct compared_names changed = {0};
    for (size_t i = 0; i < compared->changed.count; i++) {
        const struct compared_change *change = &compared->changed.items[i];
        const char *parts = change->only ? arena_printf(arena, "only %s", change->only)
                                         : list(text, &change->parts, NAMED_MAX);
        *VEC_PUSH(arena, &changed.items) = arena_printf(arena, "%s (%s)", change->object, parts);
    }
    write_list(text, "changed", &changed);
}

/* Tables whose changes no request can have shown. */
static void write_unfilled(struct text *text)
{
    static const char *const titles[] = {[UNFILLED_CHANGED] = "in tables of what changed",
                                         [UNFILLED_CENTRAL] = "in tables that others refer to"};
    struct arena *arena = &text->scratch;
    const struct compared_unfilled_list unfilled = compared_unfilled(text->run, arena);
    struct compared_names names[UNFILLED_OTHER + 1] = {0};
    for (size_t i = 0; i < unfilled.items.count; i++) {
        *VEC_PUSH(arena, &names[unfilled.items.items[i].why].items) = unfilled.items.items[i].table;
    }
    for (unsigned why = UNFILLED_CHANGED; why <= UNFILLED_CENTRAL; why++) {
        if (names[why].items.count) {
            text_warn(text, "no rows", "%s: %s", titles[why], list(text, &names[why], NAMED_MAX));
        }
    }
}

static bool is_loose(const struct report_compared *compared, const char *place)
{
    for (size_t i = 0; i < compared->loosely.count; i++) {
        if (strcmp(compared->loosely.items[i].place, place) == 0) {
            return true;
        }
    }
    return false;
}

/* What changed, and can't be compared as it is: there `agree` says little. */
static void write_unsure(struct text *text)
{
    const struct report_compared *compared = text->run->compared;
    struct compared_names names = {0};
    for (size_t i = 0; i < compared->changed_tables.items.count; i++) {
        const char *table = compared->changed_tables.items.items[i];
        if (is_loose(compared, table)) {
            *VEC_PUSH(&text->scratch, &names.items) = table;
        }
    }
    for (size_t i = 0; i < compared->changed.count; i++) {
        const char *object = compared->changed.items[i].object;
        if (strncmp(object, "table ", 6) != 0 && is_loose(compared, object)) {
            *VEC_PUSH(&text->scratch, &names.items) = object;
        }
    }
    if (names.items.count) {
        text_warn(text, "unsure", "what changed is compared in part only, as below: %s",
                  list(text, &names, NAMED_MAX));
    }
}

/* In how many examples the migration had something to work on. */
static void write_migrated(struct text *text)
{
    const struct run_stats *stats = &text->run->result->stats;
    if (stats->migrated && text->run->compared->changed_tables.items.count == 0) {
        text_note(text, "migrated",
                  "between two steps in %s; it changes no table that both schemas have",
                  show_counted(&text->scratch, stats->migrated, "example"));
    } else if (stats->migrated) {
        text_note(text, "migrated",
                  "between two steps in %s, in %" PRIu64 " of them with rows in what changed",
                  show_counted(&text->scratch, stats->migrated, "example"),
                  stats->migrated_on_rows);
    }
}

/* Each with what it raised. */
static void write_raised(struct text *text)
{
    struct arena *arena = &text->scratch;
    struct compared_names names = {0};
    for (size_t i = 0; i < text->run->machine->rules.count; i++) {
        const struct rule *rule = &text->run->machine->rules.items[i];
        const struct rule_stats *stats = &text->run->result->stats.rules[i];
        if (stats->ran && !stats_succeeded(stats) && !rule->files) {
            *VEC_PUSH(arena, &names.items) =
                arena_printf(arena, "%s (%s)", rule->name, show_raised(arena, stats));
        }
    }
    write_list(text, "errors only", &names);
}

/* The policies that were never applied, where that was measured. */
static void write_policies(struct text *text)
{
    const struct backend_coverage *coverage = text->run->coverage;
    struct arena *arena = &text->scratch;
    struct compared_names missed = {0};
    for (size_t i = 0; coverage && i < coverage->objects.count; i++) {
        const struct backend_object *object = &coverage->objects.items[i];
        if (object->kind == OBJECT_POLICY && !object->touched) {
            *VEC_PUSH(arena, &missed.items) = arena_printf(arena, "policy %s", object->name);
        }
    }
    const struct compared_names readers = compared_readers(text->run, COMPARED_MISSED, arena);
    for (size_t i = 0; i < readers.items.count; i++) {
        *VEC_PUSH(arena, &missed.items) = arena_printf(arena, "role %s", readers.items.items[i]);
    }
    write_list(text, "not reached", &missed);
}

/* What can't be compared as it is. */
static void write_loosely(struct text *text)
{
    const struct report_compared *compared = text->run->compared;
    struct arena *arena = &text->scratch;
    struct compared_names pairs = {0};
    struct compared_names free = {0};
    struct compared_names renamed = {0};
    for (size_t i = 0; i < compared->loosely.count; i++) {
        const struct compared_loosely *loosely = &compared->loosely.items[i];
        *VEC_PUSH(arena, loosely->paired ? &pairs.items : &free.items) =
            compared_loosely_text(loosely, arena);
    }
    for (size_t i = 0; i < compared->renamed.count; i++) {
        const struct compared_rename *rename = &compared->renamed.items[i];
        *VEC_PUSH(arena, &renamed.items) = arena_printf(
            arena, "%s of %s is %s after", rename->before, rename->table, rename->after);
    }
    if (pairs.items.count > PAIRS_MAX + 1 && !text->options->whole && !text->options->stats) {
        text_note(text, "as pairs", "%zu columns: %s; --stats names all", pairs.items.count,
                  list(text, &pairs, PAIRS_MAX));
    } else {
        write_list(text, "as pairs", &pairs);
    }
    write_list(text, "not compared", &free);
    if (compared->loosely_full) {
        text_warn(text, "too many",
                  "differ by nature: further places than these %zu were not compared",
                  compared->loosely.count);
    }
    write_list(text, "renamed", &renamed);
}

/* What differed as is expected, and what did not. */
static void write_accepted(struct text *text)
{
    struct arena *arena = &text->scratch;
    struct compared_names seen = {0};
    for (size_t i = 0; i < text->run->compared->accepted.count; i++) {
        const struct compared_accepted *accepted = &text->run->compared->accepted.items[i];
        const struct accepted_difference *one = accepted->difference;
        if (accepted->seen) {
            *VEC_PUSH(arena, &seen.items) = arena_printf(arena, "%s (%s)", one->on, one->reason);
        } else if (compared_is_stale(text->run, accepted)) {
            text_warn(text, "not seen",
                      "%s, a difference that %s:%zu accepts: remove it if it is "
                      "gone",
                      one->on, one->pos.source->name, source_place(one->pos).line);
        }
    }
    write_list(text, "accepted", &seen);
}

/* Examples whose rest was not compared. */
static void write_parted(struct text *text)
{
    uint64_t parted = text->run->result->stats.parted;
    const struct compared_names rules = compared_parted(text->run, &text->scratch);
    if (parted) {
        text_note(text, "ended early",
                  "%s, where a step failed on one side alone, which is no difference: by a time "
                  "limit, for lack of room, or by nature; or its answers were too large",
                  show_counted(&text->scratch, parted, "example"));
        write_list(text, "ended by", &rules);
    }
}

/* What nobody could look into. */
static void write_unrepeated(struct text *text)
{
    uint64_t count = text->run->result->stats.unrepeated;
    if (count) {
        text_note(text, "not shown",
                  "%s, which did not show again in several runs of the same steps",
                  show_counted(&text->scratch, count, "difference"));
    }
}

void text_changed(struct text *text)
{
    if (text->run->compared) {
        write_unfilled(text);
        write_unsure(text);
        write_changed(text);
    }
}

void text_compared(struct text *text)
{
    const struct report_compared *compared = text->run->compared;
    if (!compared) {
        return;
    }
    write_compared(text);
    write_migrated(text);
    write_raised(text);
    write_policies(text);
    write_list(text, "only before", &compared->only_before);
    write_list(text, "only after", &compared->only_after);
    write_loosely(text);
    write_accepted(text);
    write_parted(text);
    write_unrepeated(text);
}
