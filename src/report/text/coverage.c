/* What a run came across, as tables that fit into 80 columns: how much it had seen after how many
 * examples, and which values arguments had. */
#include "report/coverage.h"
#include "base/utf8.h"
#include "report/text/grid.h"
#include "report/text/text.h"

#include <inttypes.h>
#include <string.h>

enum {
    WIDTH = 80,
    INDENT = 4,
    POINTS_MAX = 7, /* columns of the curve: after 1, 8, 64, … examples */
    POINTS_FACTOR = 8,
    FRAME = INDENT + 4, /* and the space between columns */
    VALUES_MIN = 24,    /* characters for what values there were */
};

/* Discovery. */

/* What had been seen after so many examples, a power of two: the curve has a point there. */
static uint64_t seen_after(const struct run_stats *stats, uint64_t examples, enum discovered kind)
{
    const struct discovery *discovery = &stats->discovery;
    for (size_t i = 0; i < discovery->points.count; i++) {
        if (discovery->points.items[i].example == examples) {
            return discovery->points.items[i].seen[kind];
        }
    }
    return discovery->seen[kind];
}

/* The columns between the first and the end; gives their number. */
static size_t choose_points(uint64_t examples, uint64_t *points)
{
    size_t count = 0;
    for (uint64_t at = 1; at < examples && count < POINTS_MAX; at *= POINTS_FACTOR) {
        points[count++] = at;
    }
    return count;
}

static void add_discovered(struct grid *grid, const struct report_run *run, enum discovered kind,
                           const uint64_t *points)
{
    const struct run_stats *stats = &run->result->stats;
    uint64_t of = coverage_of(run, kind);
    if (!of && !stats->discovery.seen[kind]) {
        return;
    }
    grid_add(grid, discovered_names[kind]);
    for (size_t i = 0; i + 4 < grid->column_count; i++) {
        grid_add(grid, show_count(grid->arena, seen_after(stats, points[i], kind)));
    }
    grid_add(grid, show_count(grid->arena, stats->discovery.seen[kind]));
    grid_add(grid, of ? show_count(grid->arena, of) : "");
    grid_add(grid, stats->discovery.last[kind]
                       ? show_count(grid->arena, stats->discovery.last[kind])
                       : "");
}

void text_discovery(struct text *text)
{
    const struct run_stats *stats = &text->run->result->stats;
    uint64_t points[POINTS_MAX];
    struct grid_column columns[POINTS_MAX + 4] = {{"seen after examples", GRID_LEFT}};
    struct arena *arena = &text->scratch;
    size_t count = choose_points(stats->examples, points);
    for (size_t i = 0; i < count; i++) {
        columns[1 + i] = (struct grid_column){show_count(arena, points[i]), GRID_RIGHT};
    }
    columns[1 + count] = (struct grid_column){show_count(arena, stats->examples), GRID_RIGHT};
    columns[2 + count] = (struct grid_column){"of", GRID_RIGHT};
    columns[3 + count] = (struct grid_column){"last new in", GRID_RIGHT};
    struct grid grid = {arena, columns, 4 + count, {0}};
    for (enum discovered i = 0; stats->discovery.points.count && i < DISCOVERED_KINDS; i++) {
        add_discovered(&grid, text->run, i, points);
    }
    grid_write_below(&grid, text->out);
}

/* Arguments. */

static size_t width_of(const char *text) { return utf8_length(text, strlen(text)); }

/* Parts of a cell, with ", " between them, as many as fit. */
struct parts {
    struct strbuf text;
    size_t room; /* characters */
    bool full;
};

static void add_part(struct parts *parts, const char *part)
{
    static const char more[] = ", …";
    size_t used = parts->text.size ? width_of(strbuf_text(&parts->text)) + 2 : 0;
    parts->full = parts->full || used + width_of(part) + sizeof more > parts->room;
    if (!parts->full || !used) {
        strbuf_addf(&parts->text, "%s%s", used ? ", " : "", part);
    }
}

static const char *number_text(struct arena *arena, double number)
{
    bool counts = number >= 0 && number < 1e9 && number == (double)(uint64_t)number;
    return counts ? show_count(arena, (uint64_t)number) : arena_printf(arena, "%.4g", number);
}

static const char *range_text(struct arena *arena, size_t bucket)
{
    struct scale_range range = scale_range(bucket);
    const char *least = number_text(arena, range.least);
    return range.least == range.most
               ? least
               : arena_printf(arena, "%s to %s", least, number_text(arena, range.most));
}

/* "1 to 500, half of them up to 15" */
static void add_scale(struct parts *parts, struct arena *arena, const struct scale *scale,
                      const char *noun)
{
    if (scale) {
        add_part(parts, arena_printf(arena, "%s%s to %s", noun, number_text(arena, scale->least),
                                     number_text(arena, scale->most)));
        add_part(parts, arena_printf(arena, "median %s", range_text(arena, scale_median(scale))));
    }
}

/* The newest item is the first one. */
static const char *place_text(struct arena *arena, size_t bucket)
{
    struct scale_range newer = scale_range(bucket);
    uint64_t first = (uint64_t)newer.least + 1;
    uint64_t last = (uint64_t)newer.most + 1;
    return first == 1   ? "newest"
           : first == 2 ? "2nd"
           : first == 3 ? "3rd to 4th"
                        : arena_printf(arena, "%" PRIu64 "th to %" PRIu64 "th", first, last);
}

/* "newest 30, 2nd 12, 3rd to 4th 7" */
static void add_recency(struct parts *parts, struct arena *arena, const struct scale *scale)
{
    for (size_t i = SCALE_ZERO; scale && i < SCALE_BUCKETS; i++) {
        if (scale->buckets[i]) {
            add_part(parts, arena_printf(arena, "%s %s", place_text(arena, i),
                                         show_count(arena, scale->buckets[i])));
        }
    }
}

static const char *values_text(struct arena *arena, const struct tally *tally, size_t room)
{
    struct parts parts = {.room = room};
    struct tally_ranking ranking = coverage_rank(arena, tally);
    add_recency(&parts, arena, tally->scales[TALLY_RECENCY]);
    for (size_t i = 0; i < ranking.count; i++) {
        if (!tally->others || strcmp(ranking.items[i]->text, "None") == 0) {
            add_part(&parts, arena_printf(arena, "%s %s", show_name(arena, ranking.items[i]->text),
                                          show_count(arena, ranking.items[i]->count)));
        }
    }
    if (tally->others) {
        add_scale(&parts, arena, tally->scales[TALLY_NUMBER], "");
        add_scale(&parts, arena, tally->scales[TALLY_LENGTH], "length ");
    }
    strbuf_adds(&parts.text, parts.full ? ", …" : "");
    return strbuf_take(&parts.text, arena);
}

static const char *argument_name(struct arena *arena, const struct rule *rule, size_t index)
{
    return arena_printf(arena, "%s %s", show_name(arena, rule->name),
                        show_name(arena, rule->args.items[index].name));
}

/* What is left of a line for the values. */
static size_t room_of(struct text *text)
{
    const struct machine *machine = text->run->machine;
    size_t name = 0;
    uint64_t drawn = 10000; /* as wide as the column's title */
    for (size_t i = 0; i < machine->rules.count; i++) {
        const struct rule *rule = &machine->rules.items[i];
        const struct tally *tallies = text->run->result->stats.rules[i].args;
        for (size_t j = 0; tallies && j < rule->args.count; j++) {
            size_t width = width_of(argument_name(&text->scratch, rule, j));
            name = width > name ? width : name;
            drawn = tallies[j].drawn > drawn ? tallies[j].drawn : drawn;
        }
    }
    size_t used = FRAME + name + width_of(show_count(&text->scratch, drawn));
    return used + VALUES_MIN < WIDTH ? WIDTH - used : VALUES_MIN;
}

void text_arguments(struct text *text)
{
    static const struct grid_column columns[] = {
        {"argument", GRID_LEFT}, {"drawn", GRID_RIGHT}, {"values", GRID_LEFT}};
    const struct machine *machine = text->run->machine;
    struct arena *arena = &text->scratch;
    struct grid grid = {arena, columns, sizeof columns / sizeof *columns, {0}};
    size_t room = room_of(text);
    for (size_t i = 0; i < machine->rules.count; i++) {
        const struct rule *rule = &machine->rules.items[i];
        const struct tally *tallies = text->run->result->stats.rules[i].args;
        for (size_t j = 0; tallies && j < rule->args.count; j++) {
            if (tallies[j].drawn) {
                grid_add(&grid, argument_name(arena, rule, j));
                grid_add(&grid, show_count(arena, tallies[j].drawn));
                grid_add(&grid, values_text(arena, &tallies[j], room));
            }
        }
    }
    grid_write_below(&grid, text->out);
}
