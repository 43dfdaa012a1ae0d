#include "report/text/grid.h"
#include "report/text/reasons.h"
#include "report/text/text.h"

/* Zero is no cell, so that a column of nothing is left out. */
static void add_some(struct grid *grid, uint64_t count)
{
    grid_add(grid, count ? show_count(grid->arena, count) : "");
}

static void write_rules(struct text *text)
{
    static const struct grid_column columns[] = {
        {"rule", GRID_LEFT},      {"chosen", GRID_RIGHT}, {"ran", GRID_RIGHT},
        {"given up", GRID_RIGHT}, {"raised", GRID_LEFT},  {"blocked by", GRID_LEFT},
    };
    struct arena *arena = &text->scratch;
    struct grid grid = {arena, columns, sizeof columns / sizeof *columns, {0}};
    for (size_t i = 0; i < text->run->machine->rules.count; i++) {
        const struct rule_stats *stats = &text->run->result->stats.rules[i];
        grid_add(&grid, show_name(arena, text->run->machine->rules.items[i].name));
        grid_add(&grid, show_count(arena, stats->chosen));
        grid_add(&grid, show_count(arena, stats->ran));
        add_some(&grid, stats->given_up);
        grid_add(&grid, show_raised(arena, stats));
        grid_add(&grid, show_reasons(arena, stats->blocked, BLOCKED_COUNT));
    }
    grid_write_below(&grid, text->out);
}

static void write_labels(struct text *text)
{
    static const struct grid_column columns[] = {{"label", GRID_LEFT}, {"steps", GRID_RIGHT}};
    const struct run_stats *stats = &text->run->result->stats;
    struct arena *arena = &text->scratch;
    struct grid grid = {arena, columns, sizeof columns / sizeof *columns, {0}};
    for (size_t i = 0; i < stats->labels.count; i++) {
        grid_add(&grid, show_name(arena, stats->labels.items[i].label));
        grid_add(&grid, show_count(arena, stats->labels.items[i].count));
    }
    grid_write_below(&grid, text->out);
}

static void write_invariants(struct text *text)
{
    static const struct grid_column columns[] = {{"invariant", GRID_LEFT},
                                                 {"checked", GRID_RIGHT},
                                                 {"skipped", GRID_RIGHT},
                                                 {"always asked", GRID_LEFT}};
    const struct again_reasons *asked = &text->run->result->asked;
    struct arena *arena = &text->scratch;
    struct grid grid = {arena, columns, sizeof columns / sizeof *columns, {0}};
    for (size_t i = 0; i < text->run->machine->invariants.count; i++) {
        const struct invariant_stats *stats = &text->run->result->stats.invariants[i];
        grid_add(&grid, show_name(arena, text->run->machine->invariants.items[i].name));
        grid_add(&grid, show_count(arena, stats->checked));
        add_some(&grid, stats->skipped);
        grid_add(&grid, asked->each && asked->each[i] ? show_name(arena, asked->each[i]) : "");
    }
    grid_write_below(&grid, text->out);
    if (asked->all) {
        text_addf(text, "\n    all invariants are asked after each step: %s\n", asked->all);
    }
}

void text_stats(struct text *text)
{
    const struct run_stats *stats = &text->run->result->stats;
    struct arena *arena = &text->scratch;
    write_rules(text);
    write_labels(text);
    text_arguments(text);
    write_invariants(text);
    text_discovery(text);
    text_measures(text);
    text_addf(text, "\n    %s", show_counted(arena, stats->statements, "statement"));
    if (stats->given_up) {
        text_addf(text, ", %s given up", show_counted(arena, stats->given_up, "step"));
    }
    if (stats->time_us) {
        double rate = (double)stats->steps * 1e6 / (double)stats->time_us;
        text_addf(text, ", %s steps/s", show_count(arena, (uint64_t)rate));
    }
    strbuf_adds(text->out, "\n\n");
}

void text_stats_block(const struct report *report, const struct report_run *run, struct strbuf *out)
{
    struct report_options plain = report->options;
    struct text text = {.run = run, .options = &plain, .out = out};
    plain.color = false;
    if (plain.stats && run->machine && report_has_examples(run)) {
        text_stats(&text);
    }
    arena_free(&text.scratch);
}
