/* What a run measured: times, sizes of bundles, lengths of examples, and what of the schema it
 * touched. */
#include "example/stats.h"
#include "report/race.h"
#include "report/text/grid.h"
#include "report/text/text.h"

#include <inttypes.h>

enum {
    PERCENTILE = 95,
    BAR = 40,       /* characters of the longest */
    MAX_NAMED = 20, /* objects of a kind that were never touched */
};

static const char *time_text(struct arena *arena, uint64_t time_us)
{
    return time_us < 1000 ? arena_printf(arena, "%" PRIu64 " µs", time_us)
                          : arena_printf(arena, time_us < 100000 ? "%.1f ms" : "%.0f ms",
                                         (double)time_us / 1000);
}

static void write_bound(struct text *text)
{
    struct race_bound bound;
    if (race_bound(text->run->result, &bound)) {
        text_addf(
            text,
            "    a schedule with one switch shows a given race of depth 2 with a probability of at "
            "least 1 in %.0f:\n"
            "    %s of them miss a race that all these examples contain with at most %.2g\n",
            bound.places, show_count(&text->scratch, bound.schedules), bound.missed);
    }
}

static void write_sessions(struct text *text)
{
    const struct session_stats *stats = &text->run->result->stats.sessions;
    struct arena *arena = &text->scratch;
    if (stats->examples == 0) {
        return;
    }
    text_addf(text, "\n    side by side   %s, %s, %.1f points each to stop a session at\n",
              show_counted(arena, stats->examples, "example"),
              show_counted(arena, stats->runs, "schedule"),
              (double)stats->points / (double)stats->examples);
    if (stats->unclear) {
        text_addf(
            text,
            "    %s %s nothing: in some order a step could not run or would have sent something "
            "else, and\n"
            "    no other order explains the answers\n",
            show_counted(arena, stats->unclear, "schedule"), stats->unclear == 1 ? "says" : "say");
    }
    write_bound(text);
}

static void write_deaths(struct text *text)
{
    const struct run_stats *stats = &text->run->result->stats;
    struct arena *arena = &text->scratch;
    if (stats->deaths[DEATH_BEFORE] + stats->deaths[DEATH_AFTER] + stats->deaths[DEATH_WITHIN] ==
        0) {
        return;
    }
    text_addf(
        text, "\n    clients died   %s before their COMMIT, %s after it%s; %s sent again%s\n",
        show_count(arena, stats->deaths[DEATH_BEFORE]),
        show_count(arena, stats->deaths[DEATH_AFTER]),
        stats->deaths[DEATH_WITHIN] ? arena_printf(arena, ", %s in the middle",
                                                   show_count(arena, stats->deaths[DEATH_WITHIN]))
                                    : "",
        show_counted(arena, stats->repeated, "step"),
        stats->unrepeatable ? arena_printf(arena, ", %s not: the model allows no such step then",
                                           show_count(arena, stats->unrepeatable))
                            : "");
}

static void add_times(struct grid *grid, const char *name, const struct durations *times)
{
    if (times && times->count) {
        grid_add(grid, show_name(grid->arena, name));
        grid_add(grid, time_text(grid->arena, times->total_us / times->count));
        grid_add(grid, time_text(grid->arena, durations_percentile(times, PERCENTILE)));
    }
}

static void write_times(struct text *text)
{
    static const struct grid_column columns[] = {
        {"time of", GRID_LEFT}, {"mean", GRID_RIGHT}, {"95 % below", GRID_RIGHT}};
    const struct machine *machine = text->run->machine;
    const struct run_stats *stats = &text->run->result->stats;
    struct grid grid = {&text->scratch, columns, sizeof columns / sizeof *columns, {0}};
    for (size_t i = 0; i < machine->rules.count; i++) {
        add_times(&grid, machine->rules.items[i].name, stats->rules[i].times);
    }
    for (size_t i = 0; i < machine->invariants.count; i++) {
        add_times(&grid, machine->invariants.items[i].name, stats->invariants[i].times);
    }
    grid_write_below(&grid, text->out);
    if (text->run->result->ahead) {
        text_addf(text,
                  "\n"
                  "    no times: answers arrive together; use --no-pipeline to time each step\n");
    }
}

static void write_bundles(struct text *text)
{
    static const struct grid_column columns[] = {
        {"bundle at the end", GRID_LEFT}, {"mean", GRID_RIGHT}, {"most", GRID_RIGHT}};
    const struct machine *machine = text->run->machine;
    struct grid grid = {&text->scratch, columns, sizeof columns / sizeof *columns, {0}};
    for (size_t i = 0; i < machine->bundles.count; i++) {
        const struct bundle_stats *stats = &text->run->result->stats.bundles[i];
        if (stats->examples) {
            double mean = (double)stats->values / (double)stats->examples;
            grid_add(&grid, show_name(grid.arena, machine->bundles.items[i].name));
            grid_add(&grid, arena_printf(grid.arena, "%.1f", mean));
            grid_add(&grid, show_count(grid.arena, stats->most));
        }
    }
    grid_write_below(&grid, text->out);
}

/* "0", "1–5", "more" */
static const char *range_text(struct arena *arena, size_t tenth, uint64_t width)
{
    return tenth == LENGTHS - 1       ? "more"
           : tenth == 0 || width == 1 ? arena_printf(arena, "%zu", tenth)
                                      : arena_printf(arena, "%" PRIu64 "–%" PRIu64,
                                                     (tenth - 1) * width + 1, tenth * width);
}

static void write_lengths(struct text *text)
{
    static const struct grid_column columns[] = {
        {"steps", GRID_RIGHT}, {"examples", GRID_RIGHT}, {"", GRID_LEFT}};
    const struct run_stats *stats = &text->run->result->stats;
    struct grid grid = {&text->scratch, columns, sizeof columns / sizeof *columns, {0}};
    uint64_t most = 1;
    for (size_t i = 0; i < LENGTHS; i++) {
        most = stats->lengths[i] > most ? stats->lengths[i] : most;
    }
    for (size_t i = 0; i < LENGTHS; i++) {
        struct strbuf bar = {0};
        if (stats->lengths[i]) {
            strbuf_fill(&bar, '#', (size_t)((stats->lengths[i] * BAR + most - 1) / most));
            grid_add(&grid, range_text(grid.arena, i, stats->length_width));
            grid_add(&grid, show_count(grid.arena, stats->lengths[i]));
            grid_add(&grid, strbuf_take(&bar, grid.arena));
        }
    }
    grid_write_below(&grid, text->out);
}

/* How many examples each way made, and which failures it found. */
static void write_ways(struct text *text)
{
    static const struct grid_column columns[] = {
        {"way", GRID_LEFT}, {"examples", GRID_RIGHT}, {"failures", GRID_RIGHT}};
    const struct run_result *result = text->run->result;
    struct grid grid = {&text->scratch, columns, sizeof columns / sizeof *columns, {0}};
    for (size_t i = 0; i < WAY_COUNT; i++) {
        uint64_t found = 0;
        for (size_t j = 0; j < result->failures.count; j++) {
            const struct failure *failure = &result->failures.items[j];
            bool fresh = !failure->stored && !failure->pinned && failure->example;
            found += fresh && way_of(failure->example) == &example_ways[i];
        }
        if (result->stats.ways[i]) {
            grid_add(&grid, example_ways[i].name);
            grid_add(&grid, show_count(grid.arena, result->stats.ways[i]));
            grid_add(&grid, found ? show_count(grid.arena, found) : "");
        }
    }
    grid_write_below(&grid, text->out);
}

static const struct {
    const char *one;
    const char *many;
} kinds[OBJECT_KINDS] = {
    [OBJECT_FUNCTION] = {"function", "functions"},
    [OBJECT_TRIGGER_FUNCTION] = {"trigger function", "trigger functions"},
    [OBJECT_TABLE] = {"table", "tables"},
    [OBJECT_POLICY] = {"policy", "policies"},
};

static void write_shares(struct text *text, const struct backend_coverage *coverage)
{
    static const struct grid_column columns[] = {
        {"of the schema", GRID_LEFT}, {"touched", GRID_RIGHT}, {"of", GRID_RIGHT}};
    struct grid grid = {&text->scratch, columns, sizeof columns / sizeof *columns, {0}};
    for (size_t kind = 0; kind < OBJECT_KINDS; kind++) {
        uint64_t touched = 0;
        uint64_t all = 0;
        for (size_t i = 0; i < coverage->objects.count; i++) {
            const struct backend_object *object = &coverage->objects.items[i];
            all += object->kind == kind;
            touched += object->kind == kind && object->touched;
        }
        if (all) {
            grid_add(&grid, kinds[kind].many);
            grid_add(&grid, show_count(grid.arena, touched));
            grid_add(&grid, show_count(grid.arena, all));
        }
    }
    grid_write_below(&grid, text->out);
}

static void write_untouched(struct text *text, const struct backend_coverage *coverage, size_t kind)
{
    size_t most = text->options->whole ? SIZE_MAX : MAX_NAMED;
    size_t named = 0;
    for (size_t i = 0; i < coverage->objects.count; i++) {
        const struct backend_object *object = &coverage->objects.items[i];
        if (object->kind == kind && !object->touched && named++ < most) {
            text_addf(text, "    never touched  %s %s%s%s\n", kinds[kind].one, object->name,
                      object->note ? ": " : "", object->note ? object->note : "");
        }
    }
    if (named > most) {
        text_addf(text, "    … and %zu more; -v names them\n", named - most);
    }
}

static void write_coverage(struct text *text)
{
    const struct backend_coverage *coverage = text->run->coverage;
    if (!coverage && text->run->result->failures.count) {
        text_addf(text, "\n"
                        "    the objects that the run touched are listed only if nothing fails\n");
    }
    if (!coverage) {
        return;
    }
    write_shares(text, coverage);
    for (size_t kind = 0; kind < OBJECT_KINDS; kind++) {
        write_untouched(text, coverage, kind);
    }
    if (coverage->no_functions) {
        text_addf(text, "    functions are not counted: %s\n", coverage->no_functions);
    }
}

void text_measures(struct text *text)
{
    write_sessions(text);
    write_deaths(text);
    write_times(text);
    write_bundles(text);
    write_lengths(text);
    write_ways(text);
    write_coverage(text);
}
